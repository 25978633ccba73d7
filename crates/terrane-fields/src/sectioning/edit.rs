//! Changes to graphs. Numbers of nodes and edges stay the same, except that after a removal all later ones
//! move down by one.

use std::cmp::Ordering;

use rayon::prelude::*;
use terrane_grid::PlanarGraph;

use terrane_paths::planar::{Order, crossings, is_place, sweep, turn};

/// Why a graph was not changed. [`check_graph`](terrane_paths::planar::check_graph) checks whether the whole
/// stays planar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EditError {
    /// A coordinate or a distance is not finite or exceeds 10¹⁵⁰, or the distance is below 0.
    NotFinite,
    /// The node does not exist.
    NoSuchNode(u32),
    /// The edge does not exist.
    NoSuchEdge(u32),
    /// Both ends would be the same node.
    NoLength(u32),
    /// This edge already joins the nodes.
    Twice(u32),
    /// Another node is at that position.
    SamePlace(u32),
    /// Rounded crossings kept creating new crossings.
    StillCrossing,
}

impl std::fmt::Display for EditError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite => {
                write!(f, "coordinates and distances must be finite and at most 10^150, distances at least 0")
            }
            Self::NoSuchNode(node) => write!(f, "there is no node {node}"),
            Self::NoSuchEdge(edge) => write!(f, "there is no edge {edge}"),
            Self::NoLength(node) => write!(f, "an edge would join node {node} to itself"),
            Self::Twice(edge) => write!(f, "edge {edge} already joins these nodes"),
            Self::SamePlace(node) => write!(f, "node {node} is at that position"),
            Self::StillCrossing => write!(f, "edges still cross after {ROUNDS} rounds of splitting"),
        }
    }
}

impl std::error::Error for EditError {}

/// Adds a node and returns its number. An edge that contains it exactly is divided there; see
/// [`split_at_nodes`] for others.
///
/// # Errors
/// [`EditError::NotFinite`], [`EditError::SamePlace`].
pub fn add_node(graph: &mut PlanarGraph, position: (f64, f64)) -> Result<u32, EditError> {
    check_position(graph, position)?;
    let node = graph.nodes.len() as u32;
    graph.nodes.push(position);
    divide_under(graph, node);
    Ok(node)
}

/// Moves a node with its edges. Another edge that then contains it exactly is divided there.
///
/// # Errors
/// [`EditError::NoSuchNode`], [`EditError::NotFinite`], [`EditError::SamePlace`].
pub fn move_node(graph: &mut PlanarGraph, node: u32, position: (f64, f64)) -> Result<(), EditError> {
    let old = *graph.nodes.get(node as usize).ok_or(EditError::NoSuchNode(node))?;
    if old != position {
        check_position(graph, position)?;
        graph.nodes[node as usize] = position;
        divide_under(graph, node);
    }
    Ok(())
}

/// Removes a node and its edges.
///
/// # Errors
/// [`EditError::NoSuchNode`].
pub fn remove_node(graph: &mut PlanarGraph, node: u32) -> Result<(), EditError> {
    if node as usize >= graph.nodes.len() {
        return Err(EditError::NoSuchNode(node));
    }
    graph.nodes.remove(node as usize);
    graph.edges.retain(|&(a, b)| a != node && b != node);
    for (a, b) in &mut graph.edges {
        *a -= u32::from(*a > node);
        *b -= u32::from(*b > node);
    }
    Ok(())
}

/// Adds an edge and returns its number.
///
/// # Errors
/// [`EditError::NoSuchNode`], [`EditError::NoLength`], [`EditError::Twice`].
pub fn add_edge(graph: &mut PlanarGraph, from: u32, to: u32) -> Result<u32, EditError> {
    if let Some(node) = [from, to].into_iter().find(|&node| node as usize >= graph.nodes.len()) {
        return Err(EditError::NoSuchNode(node));
    }
    if from == to {
        return Err(EditError::NoLength(from));
    }
    if let Some(edge) = graph.edges.iter().position(|&edge| edge == (from, to) || edge == (to, from)) {
        return Err(EditError::Twice(edge as u32));
    }
    graph.edges.push((from, to));
    Ok(graph.edges.len() as u32 - 1)
}

/// Removes an edge; its nodes stay.
///
/// # Errors
/// [`EditError::NoSuchEdge`].
pub fn remove_edge(graph: &mut PlanarGraph, edge: u32) -> Result<(), EditError> {
    if edge as usize >= graph.edges.len() {
        return Err(EditError::NoSuchEdge(edge));
    }
    graph.edges.remove(edge as usize);
    Ok(())
}

fn check_position(graph: &PlanarGraph, position: (f64, f64)) -> Result<(), EditError> {
    if !is_place(position) {
        return Err(EditError::NotFinite);
    }
    let same = graph.nodes.iter().position(|&other| other == position);
    same.map_or(Ok(()), |node| Err(EditError::SamePlace(node as u32)))
}

/// Divides the edges that a node lies on exactly.
fn divide_under(graph: &mut PlanarGraph, node: u32) {
    let position = graph.nodes[node as usize];
    let under = |edge: usize| graph.ends(edge).is_some_and(|ends| near(ends, position, 0.0));
    let own = |edge: usize| graph.edges[edge].0 == node || graph.edges[edge].1 == node;
    let on: Vec<(u32, u32)> =
        (0..graph.edges.len()).filter(|&edge| !own(edge) && under(edge)).map(|e| (e as u32, node)).collect();
    divide(graph, on);
    tidy(graph);
}

/// Merges nodes within a distance of each other, and returns each old node's new number. Nodes are processed
/// by position (by x, then by y): each remaining node absorbs all other remaining nodes near it, and keeps
/// its own position. So the positions do not depend on the order of nodes, and afterwards no two nodes are
/// within the distance of each other. Edges without length are removed, and so are duplicate edges except the
/// first. O(nodes · log nodes) plus the number of pairs of nodes that are within the distance along x.
///
/// # Errors
/// [`EditError::NotFinite`], [`EditError::NoSuchNode`].
pub fn merge_near(graph: &mut PlanarGraph, distance: f64) -> Result<Vec<u32>, EditError> {
    check(graph, distance)?;
    let order = Order::of(graph).nodes;
    let mut taken: Vec<Option<u32>> = vec![None; graph.nodes.len()];
    for (at, &node) in order.iter().enumerate() {
        if taken[node as usize].is_some() {
            continue;
        }
        let (x, y) = graph.nodes[node as usize];
        for &other in &order[at..] {
            let (dx, dy) = (graph.nodes[other as usize].0 - x, graph.nodes[other as usize].1 - y);
            if dx > distance || (distance == 0.0 && dy > 0.0) {
                break;
            }
            if dx * dx + dy * dy <= distance * distance && dy.abs() <= distance {
                taken[other as usize].get_or_insert(node);
            }
        }
    }
    let mut numbers = vec![0; graph.nodes.len()];
    let mut positions = Vec::new();
    for node in 0..graph.nodes.len() {
        if taken[node] == Some(node as u32) {
            numbers[node] = positions.len() as u32;
            positions.push(graph.nodes[node]);
        }
    }
    let number = |node: u32| numbers[taken[node as usize].unwrap_or(node) as usize];
    graph.edges.iter_mut().for_each(|(a, b)| (*a, *b) = (number(*a), number(*b)));
    let merged = (0..graph.nodes.len() as u32).map(number).collect();
    graph.nodes = positions;
    tidy(graph);
    Ok(merged)
}

/// Divides each edge at the nodes within a distance of the edge, other than its ends. At distance 0, the edge
/// is divided at the nodes exactly on it. Returns the number of divisions. The first part of an edge keeps
/// its number, the others are appended. O(nodes · log nodes) plus the number of pairs of edges and nodes that
/// overlap along x.
///
/// # Errors
/// [`EditError::NotFinite`], [`EditError::NoSuchNode`].
pub fn split_at_nodes(graph: &mut PlanarGraph, distance: f64) -> Result<usize, EditError> {
    check(graph, distance)?;
    let order = Order::of(graph).nodes;
    let xs: Vec<f64> = order.iter().map(|&node| graph.nodes[node as usize].0).collect();
    let on: Vec<(u32, u32)> = (0..graph.edges.len())
        .into_par_iter()
        .flat_map_iter(|edge| {
            let (own, ends) = (graph.edges[edge], (edge, graph.ends(edge)));
            let (left, right) = ends.1.map_or((0.0, 0.0), |(a, b)| (a.0.min(b.0), a.0.max(b.0)));
            let from = xs.partition_point(|&x| x < left - distance);
            let until = xs.partition_point(|&x| x <= right + distance).max(from);
            let others = order[from..until].iter().filter(move |&&node| node != own.0 && node != own.1);
            let positions = &graph.nodes;
            let near = others.filter(move |&&node| {
                ends.1.is_some_and(|ends| near(ends, positions[node as usize], distance))
            });
            near.map(move |&node| (edge as u32, node))
        })
        .collect();
    let count = on.len();
    divide(graph, on);
    tidy(graph);
    Ok(count)
}

/// Maximum number of splitting rounds. Only rounding creates new crossings; a second round is rare and a
/// third is rarer.
const ROUNDS: usize = 100;

/// Makes a graph planar: nodes at the same position are merged, edges are divided at nodes on them, and each
/// crossing gets a new node, repeatedly until nothing crosses. Returns the number of new nodes. Whether edges
/// cross is decided exactly; the position of a crossing is rounded, which bends the edges slightly. The
/// positions do not depend on the order or direction of edges.
///
/// # Errors
/// [`EditError::NotFinite`], [`EditError::NoSuchNode`]; [`EditError::StillCrossing`], in which case the graph
/// keeps the splits so far.
pub fn split_crossings(graph: &mut PlanarGraph) -> Result<usize, EditError> {
    merge_near(graph, 0.0)?;
    if is_planar(graph) {
        return Ok(0);
    }
    let before = graph.nodes.len();
    for _ in 0..ROUNDS {
        split_at_nodes(graph, 0.0)?;
        let mut pairs: Vec<(usize, usize)> = crossings(graph).collect();
        if pairs.is_empty() {
            return Ok(graph.nodes.len() - before);
        }
        pairs.sort_unstable();
        let mut on = Vec::with_capacity(2 * pairs.len());
        for (a, b) in pairs {
            let Some(position) = graph.ends(a).zip(graph.ends(b)).map(|(a, b)| crossing(a, b)) else {
                continue;
            };
            on.extend([(a as u32, graph.nodes.len() as u32), (b as u32, graph.nodes.len() as u32)]);
            graph.nodes.push(position);
        }
        divide(graph, on);
        merge_near(graph, 0.0)?;
    }
    Err(EditError::StillCrossing)
}

/// Whether edges meet only at their ends and every node has an edge; faster than finding which edges cross.
fn is_planar(graph: &PlanarGraph) -> bool {
    let mut has_edge = vec![false; graph.nodes.len()];
    for &(a, b) in &graph.edges {
        (has_edge[a as usize], has_edge[b as usize]) = (true, true);
    }
    !has_edge.contains(&false) && sweep(graph, &Order::of(graph)).is_ok()
}

fn check(graph: &PlanarGraph, distance: f64) -> Result<(), EditError> {
    if !((0.0..=1e150).contains(&distance) && graph.nodes.iter().all(|&position| is_place(position))) {
        return Err(EditError::NotFinite);
    }
    let missing = |&node: &u32| node as usize >= graph.nodes.len();
    let named = graph.edges.iter().flat_map(|&(a, b)| [a, b]).find(missing);
    named.map_or(Ok(()), |node| Err(EditError::NoSuchNode(node)))
}

type Segment = ((f64, f64), (f64, f64));

/// A segment, starting from its lower end.
fn rising((a, b): Segment) -> Segment {
    if a <= b { (a, b) } else { (b, a) }
}

/// The crossing point of two segments, rounded and inside the extents of both. Independent of their order
/// and direction.
fn crossing(first: Segment, second: Segment) -> (f64, f64) {
    let (first, second) = (rising(first), rising(second));
    let ((a, b), (c, d)) = if first <= second { (first, second) } else { (second, first) };
    let (of_c, of_d) = (turn(a, b, c), turn(a, b, d));
    let along = (of_c / (of_c - of_d)).clamp(0.0, 1.0);
    let within = |value: f64, a: f64, b: f64, c: f64, d: f64| {
        value.max(a.min(b)).max(c.min(d)).min(a.max(b)).min(c.max(d))
    };
    let (x, y) = (c.0 + (d.0 - c.0) * along, c.1 + (d.1 - c.1) * along);
    (within(x, a.0, b.0, c.0, d.0), within(y, a.1, b.1, c.1, d.1))
}

/// Whether a point is within a distance of the inside of a segment.
fn near((a, b): Segment, position: (f64, f64), distance: f64) -> bool {
    let between = |value: f64, a: f64, b: f64| (a.min(b) - distance..=a.max(b) + distance).contains(&value);
    if !between(position.0, a.0, b.0) || !between(position.1, a.1, b.1) {
        return false;
    }
    if distance == 0.0 {
        return turn(a, b, position) == 0.0 && position != a && position != b;
    }
    let (dx, dy, px, py) = (b.0 - a.0, b.1 - a.1, position.0 - a.0, position.1 - a.1);
    let (along, length) = (px * dx + py * dy, dx * dx + dy * dy);
    let off = px * dy - py * dx;
    along > 0.0 && along < length && off * off <= distance * distance * length
}

/// Divides edges at nodes, in order along each edge. `on` lists pairs of an edge and a node.
fn divide(graph: &mut PlanarGraph, mut on: Vec<(u32, u32)>) {
    // Positions are measured from the lower end, so that rounding does not depend on the edge's direction.
    let along = |(edge, node): (u32, u32)| {
        let (a, b) = rising(graph.ends(edge as usize)?);
        let position = graph.nodes[node as usize];
        Some(((position.0 - a.0) * (b.0 - a.0) + (position.1 - a.1) * (b.1 - a.1), position))
    };
    on.sort_by(|&a, &b| {
        let order = along(a).partial_cmp(&along(b)).unwrap_or(Ordering::Equal);
        let rises = graph.ends(a.0 as usize).is_some_and(|ends| rising(ends) == ends);
        a.0.cmp(&b.0).then(if rises { order } else { order.reverse() })
    });
    for on in on.chunk_by(|a, b| a.0 == b.0) {
        let edge = on[0].0 as usize;
        let last = graph.edges[edge].1;
        graph.edges[edge].1 = on[0].1;
        let ends = on[1..].iter().map(|&(_, node)| node).chain([last]);
        graph.edges.extend(on.iter().map(|&(_, node)| node).zip(ends));
    }
}

/// Removes edges without length, and all duplicate edges except the first.
fn tidy(graph: &mut PlanarGraph) {
    let mut known = std::collections::BTreeSet::new();
    graph.edges.retain(|&(a, b)| a != b && known.insert((a.min(b), a.max(b))));
}
