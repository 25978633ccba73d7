//! The smooth stitch, by brute force.

use super::{Edge, Point, SlowViewer, allowed, distance, dot, nearest, nearness, pairs, presence, sub};
use crate::stitch::tests::worlds::World;
use crate::stitch::{NONE, Stitch};

/// A field's edges to others and to nothing, the field on the left.
fn all_sides(world: &World, field: usize, edges: &[Edge]) -> (Vec<[Point; 2]>, Vec<[Point; 2]>) {
    let seams: Vec<[Point; 2]> = edges.iter().map(|edge| edge.ends).collect();
    let sides = world.outlines[field].rings.iter().flat_map(|ring| pairs(ring));
    let sides = sides.map(|side| side.map(|node| world.graph.nodes[node as usize]));
    let shores = sides.filter(|side| !seams.contains(side)).collect();
    (seams, shores)
}

/// The part of the disc around a point behind an edge, negative if the point is on its right: by Green's
/// theorem, the angle that the edge subtends minus the weight in front of the edge. The weight is integrated
/// by Simpson's rule.
fn behind([a, b]: [Point; 2], p: Point, reach: f64) -> f64 {
    let (to_a, to_b) = (sub(a, p), sub(b, p));
    let off = (to_a.0 * to_b.1 - to_a.1 * to_b.0) / distance(a, b) / reach;
    if off.abs() >= 1.0 {
        return 0.0;
    }
    let half = (1.0 - off * off).sqrt();
    let along = |to: Point| dot(to, sub(b, a)) / distance(a, b) / reach;
    let [low, high] = [along(to_a), along(to_b)].map(|s| s.clamp(-half, half));
    let count = 4000;
    let step = (high - low) / f64::from(count);
    let less = |i: i32| {
        let s = low + step * f64::from(i);
        let square = off * off + s * s;
        let value =
            if square > 1e-12 { (1.0 - libm::pow((1.0 - square).max(0.0), 1.5)) / square } else { 1.5 };
        value * if i == 0 || i == count { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) }
    };
    let angle = libm::atan2(high, off.abs()) - libm::atan2(low, off.abs());
    let less = off.abs() * step / 3.0 * (0..=count).map(less).sum::<f64>();
    off.signum() * (angle - less) / std::f64::consts::TAU
}

/// From 1 at 0 to 0 at 1, with slope 0 there.
fn alone(presence: f64) -> f64 {
    let x = libm::sqrt((1.0 - presence) / (1.0 + presence));
    1.0 - 1.5 * x + 0.5 * x * x * x
}

/// Every sample's height by the smooth stitch, if all fields have equal shares.
pub fn smooth(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach) = (world.ids(), parameters.distance);
    let edges = super::all_edges(world);
    let sides: Vec<_> = (0..edges.len()).map(|field| all_sides(world, field, &edges[field])).collect();
    let seer = SlowViewer::new(world, &edges, reach, true);
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let field = field as usize;
        let terrain = f64::from(world.terrains[field][(column, row)]);
        let Some(own) = seer.see(field, p) else { return terrain };
        // On its own edges a sample counts as slightly inside.
        let (seams, shores) = &sides[field];
        let inside =
            seams.iter().chain(shores).filter(|side| nearest(**side, p).1 < 1e-9).fold(p, |p, &[a, b]| {
                let part = 1e-7 / distance(a, b);
                (p.0 - part * (b.1 - a.1), p.1 + part * (b.0 - a.0))
            });
        let part = |of: usize| -> [f64; 2] {
            let (seams, shores) = &sides[of];
            [seams, shores].map(|sides| sides.iter().map(|&side| behind(side, inside, reach)).sum())
        };
        let [open, beside] = part(field);
        let mut others = Vec::new();
        for other in (0..edges.len()).filter(|other| *other != field) {
            if let Some(seen) = seer.see(other, p) {
                let part = -part(other).iter().sum::<f64>();
                let part = if part > 0.0 { allowed(part, open.max(0.0)) } else { 0.0 };
                let part = allowed(part, presence(seen.near));
                others.push((
                    part,
                    allowed(presence(seen.near), presence(own.near)),
                    seen.height - own.height,
                ));
            }
        }
        let shores = sides.iter().flat_map(|(_, shores)| shores);
        let nothing: f64 = shores.map(|&side| nearness(side, p, reach).unwrap_or(1e30)).sum();
        let outside = presence(nothing);
        let nothing = 1.0 - (1.0 - outside) * (1.0 - outside * outside);
        let mut apart = 1.0;
        for (at, other) in others.iter().enumerate() {
            others[..at].iter().for_each(|before| apart *= 1.0 - before.1 * other.1);
        }
        let (own, alike) = (presence(own.near), presence(own.near) * (1.0 - apart));
        let all = |mine: f64, of: &dyn Fn(&(f64, f64, f64)) -> f64| mine + others.iter().map(of).sum::<f64>();
        let parts = all((1.0 - open - beside).max(0.0), &|other| other.0);
        let here = all(2.0 - own, &|other| other.1);
        let near = all(2.0 - alone(own), &|other| alone(other.1));
        let weight = |&(part, presence, _): &(f64, f64, f64)| {
            nothing * alone(presence) / near
                + (1.0 - nothing) * (alike * presence / here + (1.0 - alike) * part / parts)
        };
        terrain + others.iter().map(|other| weight(other) * other.2).sum::<f64>()
    };
    (0..world.domain.len()).map(sample).collect()
}
