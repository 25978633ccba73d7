//! Both stitches, one sample at a time and by brute force.

use super::worlds::World;
use crate::stitch::NONE;

mod border;
mod linear;
mod smooth;

use border::Border;
pub use linear::linear;
pub use smooth::smooth;

type Point = (f64, f64);

struct Edge {
    ends: [Point; 2],
    nodes: [u32; 2],
    /// The field in question, then the other.
    fields: [usize; 2],
}

fn sub(a: Point, b: Point) -> Point {
    (a.0 - b.0, a.1 - b.1)
}

fn dot(a: Point, b: Point) -> f64 {
    a.0 * b.0 + a.1 * b.1
}

fn distance(a: Point, b: Point) -> f64 {
    dot(sub(a, b), sub(a, b)).sqrt()
}

/// The fraction along an edge of its nearest point to `p`, and the distance from `p`.
fn nearest(ends: [Point; 2], p: Point) -> (f64, f64) {
    let along = sub(ends[1], ends[0]);
    let t = (dot(sub(p, ends[0]), along) / dot(along, along)).clamp(0.0, 1.0);
    (t, distance(p, point(ends, t)))
}

fn point(ends: [Point; 2], t: f64) -> Point {
    (ends[0].0 + t * (ends[1].0 - ends[0].0), ends[0].1 + t * (ends[1].1 - ends[0].1))
}

fn pairs(ring: &[u32]) -> Vec<[u32; 2]> {
    (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).collect()
}

/// A field's edges to others, directed so that the field is on the left (x × y positive); rings must have
/// that direction.
fn edges_of(world: &World, field: usize) -> Vec<Edge> {
    let mut edges = Vec::new();
    for [a, b] in world.outlines[field].rings.iter().flat_map(|ring| pairs(ring)) {
        for (other, outline) in world.outlines.iter().enumerate() {
            if other != field && outline.rings.iter().any(|ring| pairs(ring).contains(&[b, a])) {
                let ends = [a, b].map(|node| world.graph.nodes[node as usize]);
                edges.push(Edge { ends, nodes: [a, b], fields: [field, other] });
            }
        }
    }
    edges
}

fn bilinear(world: &World, field: usize, p: Point) -> f64 {
    let map = &world.terrains[field];
    let (u, v) = (p.0 / map.spacing(), p.1 / map.spacing());
    let (i, j) = ((u as usize).min(map.width() - 2), (v as usize).min(map.height() - 2));
    let (s, t) = (u - i as f64, v - j as f64);
    let h = |i, j| f64::from(map[(i, j)]);
    (h(i, j) * (1.0 - s) + h(i + 1, j) * s) * (1.0 - t) + (h(i, j + 1) * (1.0 - s) + h(i + 1, j + 1) * s) * t
}

/// The integral of ρ⁻³ − 1 along an edge, in the textbook form; `None` on the edge.
fn nearness(ends: [Point; 2], p: Point, reach: f64) -> Option<f64> {
    if nearest(ends, p).1 < 1e-9 * reach {
        return None;
    }
    let length = distance(ends[0], ends[1]);
    let along = dot(sub(p, ends[0]), sub(ends[1], ends[0])) / length;
    let cross = (ends[1].0 - ends[0].0) * (p.1 - ends[0].1) - (ends[1].1 - ends[0].1) * (p.0 - ends[0].0);
    let off = (cross / length / reach).abs();
    let half = (1.0 - off * off).max(0.0).sqrt();
    let [a, b] = [(-along / reach).max(-half), ((length - along) / reach).min(half)];
    if a >= b {
        return Some(0.0);
    }
    // Beyond an end the antiderivatives' difference almost cancels: uses Simpson's rule there, over even
    // steps of the logarithm.
    let [low, high] = if a > 0.0 { [a, b] } else { [-b, -a] };
    if low > off {
        let range = libm::log(high / low);
        let count = 2 * (range * 40.0).ceil() as i32;
        let step = range / f64::from(count);
        let value = |i: i32| {
            let x = low * libm::exp(step * f64::from(i));
            let weight = if i == 0 || i == count { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
            weight * step / 3.0 * x * (libm::pow(x * x + off * off, -1.5) - 1.0)
        };
        return Some((0..=count).map(value).sum());
    }
    let upto = |x: f64| x / (x * x + off * off).sqrt() / (off * off) - x;
    Some(upto(b) - upto(a))
}

/// The presence for a nearness.
fn presence(near: f64) -> f64 {
    near / (near + 4.0)
}

/// How much of a field's presence counts relative to the total.
fn allowed(part: f64, all: f64) -> f64 {
    if all < part { all * (2.0 - all / part) } else { part }
}

/// All fields' edges to others.
fn all_edges(world: &World) -> Vec<Vec<Edge>> {
    (0..world.outlines.len()).map(|field| edges_of(world, field)).collect()
}

/// A point's view of a field.
struct SlowView {
    /// How near all of it is.
    near: f64,
    /// The distance to its nearest point, as a fraction of the reach.
    least: f64,
    /// Its height at borders.
    height: f64,
}

/// Views fields by their borders.
struct SlowViewer<'a> {
    edges: &'a [Vec<Edge>],
    borders: Vec<Vec<(Border<'a>, f64)>>,
    reach: f64,
    wide: bool,
}

impl<'a> SlowViewer<'a> {
    fn new(world: &World, edges: &'a [Vec<Edge>], reach: f64, wide: bool) -> Self {
        let borders = edges
            .iter()
            .map(|own| own.iter().map(|edge| Border::of(edge, own, edges, world)).collect())
            .collect();
        Self { edges, borders, reach, wide }
    }

    /// The height of a field at the nearest point of its border, or beyond an edge's end.
    fn height(&self, field: usize, edge: usize, p: Point) -> f64 {
        let ([a, b], (border, begins)) = (self.edges[field][edge].ends, &self.borders[field][edge]);
        let along = dot(sub(p, a), sub(b, a)) / distance(a, b);
        let (near, all) = (nearest([a, b], p).1, self.reach * self.reach);
        let width = 1.75 * (near * near * (all - near * near) / (all + 26.6 * near * near)).sqrt();
        border.height(begins + along, if self.wide { width } else { 0.0 })
    }

    /// The view of a field that has a border in reach.
    fn see(&self, field: usize, p: Point) -> Option<SlowView> {
        let (mut near, mut sum, mut least) = (0.0, 0.0, 1.0f64);
        for (index, edge) in self.edges[field].iter().enumerate() {
            let apart = nearest(edge.ends, p).1 / self.reach;
            if apart >= 1.0 {
                continue;
            }
            let height = self.height(field, index, p);
            let Some(part) = nearness(edge.ends, p, self.reach) else {
                return Some(SlowView { near: 1e30, least: 0.0, height });
            };
            near += part;
            sum += part * height;
            least = least.min(apart);
        }
        (near > 0.0).then(|| SlowView { near, least, height: sum / near })
    }
}

/// The distance of a point of a field from the field's nearest seam; infinite if it has none.
pub fn to_seam(world: &World, field: u32, p: Point) -> f64 {
    if field == NONE {
        return f64::INFINITY;
    }
    edges_of(world, field as usize).iter().map(|edge| nearest(edge.ends, p).1).fold(f64::INFINITY, f64::min)
}
