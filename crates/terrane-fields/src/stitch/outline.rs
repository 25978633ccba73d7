//! Outlines of fields, and the edges that bound them.

use terrane_grid::PlanarGraph;

/// The extent of a field: rings of node numbers of a planar graph, the first its outside, the others holes.
/// A ring's last node connects to its first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The rings, in either direction.
    pub rings: Vec<Vec<u32>>,
}

/// A point of the world.
pub type Point = (f64, f64);

/// An edge with the fields on its sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Its nodes: first the one with the smaller x, or the smaller y if equal.
    pub nodes: [u32; 2],
    /// Their positions.
    pub ends: [Point; 2],
    /// The field on the left when going from first to last, where x × y is positive, and the field on the
    /// right.
    pub fields: [Option<u32>; 2],
}

/// All edges that bound fields, in an order that depends only on positions.
///
/// An edge with the same field on both sides does not bound it. Some input is left out, since no planar graph
/// has it: edges without length, rings with a node that is missing or not finite, and edges that more than
/// one field claims on one side.
pub fn edges(graph: &PlanarGraph, outlines: &[Outline]) -> Vec<Edge> {
    let mut half: Vec<([u32; 2], [Point; 2], usize, u32)> = Vec::new();
    for (field, outline) in outlines.iter().enumerate() {
        for (index, ring) in outline.rings.iter().enumerate() {
            let left = (area(graph, ring) > 0.0) == (index == 0);
            for ([a, b], [from, to]) in sides(graph, ring).filter(|(_, [from, to])| from != to) {
                let swap = order(&to, &from).is_lt();
                let (nodes, ends) = if swap { ([b, a], [to, from]) } else { ([a, b], [from, to]) };
                half.push((nodes, ends, usize::from(left == swap), field as u32));
            }
        }
    }
    let key =
        |ends: &[Point; 2], other: &[Point; 2]| order(&ends[0], &other[0]).then(order(&ends[1], &other[1]));
    half.sort_by(|a, b| key(&a.1, &b.1).then((a.0, a.2, a.3).cmp(&(b.0, b.2, b.3))));
    half.chunk_by(|a, b| a.0 == b.0).filter_map(both_sides).collect()
}

/// The edge from the half edges of the same two nodes.
fn both_sides(half: &[([u32; 2], [Point; 2], usize, u32)]) -> Option<Edge> {
    let (nodes, ends) = half.first().map(|&(nodes, ends, ..)| (nodes, ends))?;
    let within = |field: u32| half.iter().filter(|other| other.3 == field).count() % 2 == 0;
    let mut fields = [None, None];
    for &(_, _, side, field) in half.iter().filter(|&&(.., field)| !within(field)) {
        if fields[side].is_some_and(|other| other != field) {
            return None;
        }
        fields[side] = Some(field);
    }
    (fields[0] != fields[1]).then_some(Edge { nodes, ends, fields })
}

/// The pairs of nodes along a ring, and their positions; none if a node is missing or not finite.
pub fn sides(graph: &PlanarGraph, ring: &[u32]) -> impl Iterator<Item = ([u32; 2], [Point; 2])> {
    let position = |node: u32| graph.nodes.get(node as usize).copied();
    let good = ring.iter().all(|&node| position(node).is_some_and(|(x, y)| x.is_finite() && y.is_finite()));
    let ring = if good { ring } else { &[] };
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    pairs.filter_map(move |(&a, &b)| Some(([a, b], [position(a)?, position(b)?])))
}

/// Points by x, then by y.
pub fn order(a: &Point, b: &Point) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
}

/// Twice the area of a ring, positive if it runs from x to y.
fn area(graph: &PlanarGraph, ring: &[u32]) -> f64 {
    let first = ring.first().and_then(|&node| graph.nodes.get(node as usize)).copied().unwrap_or_default();
    let from_first = |(x, y): Point| (x - first.0, y - first.1);
    sides(graph, ring)
        .map(|(_, [a, b])| (from_first(a), from_first(b)))
        .map(|(a, b)| a.0 * b.1 - a.1 * b.0)
        .sum()
}
