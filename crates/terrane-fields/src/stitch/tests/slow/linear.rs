//! The linear stitch, by brute force.

use super::{Edge, Point, SlowViewer, all_edges, allowed, distance, dot, nearest, nearness, point, sub};
use crate::stitch::tests::worlds::World;
use crate::stitch::{NONE, Stitch};

/// The radius of the largest circle that touches an edge from inside and crosses no other of the field, by
/// bisection.
fn greatest_circle(edges: &[Edge], own: usize, at: Point, reach: f64) -> f64 {
    let [a, b] = edges[own].ends;
    let along = sub(b, a);
    let length = dot(along, along).sqrt();
    let inward = (-along.1 / length, along.0 / length);
    let fits = |radius: f64| {
        let middle = (at.0 + radius * inward.0, at.1 + radius * inward.1);
        let others = edges.iter().enumerate().filter(|&(other, _)| other != own);
        others.into_iter().all(|(_, edge)| nearest(edge.ends, middle).1 >= radius * (1.0 - 1e-13))
    };
    if fits(reach) {
        return reach;
    }
    let (mut low, mut high) = (0.0, reach);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}

/// Every sample's height if all fields have equal shares.
pub fn linear(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach, spacing) = (world.ids(), parameters.distance, world.domain.spacing);
    let edges = all_edges(world);
    let seer = SlowViewer::new(world, &edges, reach, false);
    // The fraction that moves with an edge alone, and Maximum Distance, at a point of it.
    let at = |field: usize, which: usize, q: Point| {
        let own = &edges[field];
        let apart = |q: Point| {
            let others = own.iter().enumerate().filter(|&(other, _)| other != which);
            others.map(|(_, edge)| nearest(edge.ends, q).1).fold(2.0 * reach, f64::min)
        };
        let room = |end: Point| {
            let free = own.iter().filter(|edge| edge.ends.contains(&end)).count() == 1;
            if free { apart(end) / 2.0 + distance(end, q) } else { f64::INFINITY }
        };
        let [a, b] = own[which].ends.map(room);
        let most = greatest_circle(own, which, q, reach).min(a).min(b);
        let [here, there] = own[which].fields;
        let back = [own[which].ends[1], own[which].ends[0]];
        let turned = edges[there].iter().position(|edge| edge.ends == back).unwrap();
        let half = 0.5 * (seer.height(there, turned, q) - seer.height(here, which, q));
        [half * apart(q).min(most) / reach, most]
    };
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let own = &edges[field as usize];
        let terrain = f64::from(world.terrains[field as usize][(column, row)]);
        let nearest_of = |which: usize| nearest(own[which].ends, p);
        // Stations no farther apart than half a sample, linear in between.
        let between = |which: usize| {
            let (Edge { ends, .. }, t) = (&own[which], nearest_of(which).0);
            let steps = (2.0 * distance(ends[0], ends[1]) / spacing).ceil();
            let first = (t * steps).floor().min(steps - 1.0);
            let [low, high] =
                [first, first + 1.0].map(|station| at(field as usize, which, point(*ends, station / steps)));
            [0, 1].map(|i| low[i] + (high[i] - low[i]) * (t * steps - first))
        };
        let by_distance = |a: &usize, b: &usize| nearest_of(*a).1.total_cmp(&nearest_of(*b).1);
        let Some(which) = (0..own.len()).min_by(by_distance) else { return terrain };
        let Some(seen) = seer.see(field as usize, p) else { return terrain };
        let apart = nearest_of(which).1;
        let [alone, most] = between(which);
        // The edges' individual part of the joint change.
        let (mut sum, mut weights) = (0.0, 0.0);
        for (other, edge) in own.iter().enumerate() {
            let weight = nearness(edge.ends, p, reach).unwrap_or(1e30);
            if weight > 0.0 {
                sum += weight * between(other)[0];
                weights += weight;
            }
        }
        let (mut together, mut fields) = (0.0, 1.0);
        for other in (0..edges.len()).filter(|other| *other != field as usize) {
            if let Some(there) = seer.see(other, p) {
                let part = allowed(1.0 - there.least, 1.0 - seen.least) / (1.0 - seen.least);
                together += part * (there.height - seen.height);
                fields += part;
            }
        }
        let alone = if apart < most { alone * (1.0 - apart / most) } else { 0.0 };
        terrain + alone + (together / fields - sum / weights) * (1.0 - seen.least)
    };
    (0..world.domain.len()).map(sample).collect()
}
