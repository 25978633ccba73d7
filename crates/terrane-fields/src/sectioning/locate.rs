//! The fields at positions of the world.

use std::collections::BTreeMap;

use terrane_grid::PlanarGraph;
use terrane_paths::planar::turn;

use super::{Field, Sections};

/// The field at each position, or `None`. A position on an edge is in the field on the side of larger x or,
/// on a horizontal edge, of larger y, like the samples of a map. If there is no field on that side, the
/// position is in none.
///
/// All decisions are exact: a ray to the left crosses the border of the position's own field an odd number
/// of times, and that of any other field an even number. O((edges + crossings) · log positions).
#[must_use]
pub fn locate(graph: &PlanarGraph, sections: &Sections, positions: &[(f64, f64)]) -> Vec<Option<u32>> {
    let mut rows: Vec<u32> = (0..positions.len() as u32).collect();
    let y = |row: &u32| positions[*row as usize].1;
    rows.sort_by(|a, b| y(a).total_cmp(&y(b)));
    let mut odd: Vec<BTreeMap<u32, bool>> = vec![BTreeMap::new(); positions.len()];
    for (&(a, b), [left, right]) in graph.edges.iter().zip(&sections.sides) {
        if left == right {
            continue;
        }
        let (a, b) = (graph.nodes[a as usize], graph.nodes[b as usize]);
        let (low, high) = if a.1 < b.1 { (a, b) } else { (b, a) };
        let rows = &rows[rows.partition_point(|row| y(row) < low.1)..];
        for &row in rows.iter().take_while(|row| y(row) < high.1) {
            // Only edges that the position is on, or to the right of, are counted.
            if turn(low, high, positions[row as usize]) > 0.0 {
                continue;
            }
            for field in [left, right].into_iter().flatten() {
                let odd = odd[row as usize].entry(*field).or_default();
                *odd = !*odd;
            }
        }
    }
    odd.into_iter().map(|odd| odd.into_iter().find(|(_, odd)| *odd).map(|(field, _)| field)).collect()
}

/// A point in a field. Its y is in the middle of the tallest horizontal strip without nodes, so that the
/// point is not close to a node. At this y, the point is as far from the field's border along x as possible.
/// It is rounded, so in fields thinner than rounding it may lie outside. O(nodes · log).
#[must_use]
pub fn place_in(graph: &PlanarGraph, field: &Field) -> (f64, f64) {
    let position = |node: u32| graph.nodes[node as usize];
    let rings = || std::iter::once(&field.ring).chain(&field.holes);
    let mut ys: Vec<f64> = rings().flat_map(|ring| &ring.nodes).map(|&node| position(node).1).collect();
    ys.sort_by(f64::total_cmp);
    let highest = ys.windows(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    let y = highest.map_or(0.0, |pair| pair[0] + (pair[1] - pair[0]) / 2.0);
    let mut xs = Vec::new();
    for ring in rings() {
        for (&a, &b) in ring.nodes.iter().zip(ring.nodes.iter().cycle().skip(1)) {
            let (a, b) = (position(a), position(b));
            if (a.1 <= y) != (b.1 <= y) {
                xs.push(a.0 + (b.0 - a.0) * ((y - a.1) / (b.1 - a.1)));
            }
        }
    }
    xs.sort_by(f64::total_cmp);
    let widest = xs.chunks_exact(2).max_by(|a, b| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
    (widest.map_or(0.0, |pair| pair[0] + (pair[1] - pair[0]) / 2.0), y)
}
