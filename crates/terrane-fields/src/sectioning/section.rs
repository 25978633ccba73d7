//! The fields of a graph, enclosed by its edges (Mijailovic, section 3.5).

use terrane_grid::PlanarGraph;

use super::half_edge::HalfEdges;
use terrane_paths::planar::{GraphError, NONE, Order, swept, turn};

/// A closed line along edges that visits no node twice. `edges[i]` joins `nodes[i]` to the node after it,
/// and the last edge the last node to the first. It begins at its first node by position (by x, then by y).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ring {
    /// Nodes in order.
    pub nodes: Vec<u32>,
    /// Edges in order.
    pub edges: Vec<u32>,
}

impl Ring {
    /// The area inside, above 0 if the ring goes counter-clockwise with y up; rounded.
    #[must_use]
    pub fn area(&self, graph: &PlanarGraph) -> f64 {
        let Some(&first) = self.nodes.first() else { return 0.0 };
        let from = graph.nodes[first as usize];
        let position =
            |node: u32| (graph.nodes[node as usize].0 - from.0, graph.nodes[node as usize].1 - from.1);
        let cross = |pair: &[u32]| {
            let ((ax, ay), (bx, by)) = (position(pair[0]), position(pair[1]));
            ax * by - ay * bx
        };
        self.nodes.windows(2).map(cross).sum::<f64>() / 2.0
    }
}

/// A connected part of the plane inside a ring and outside its holes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    /// The border to the outside, counter-clockwise (x to the right, y up): clockwise in a picture, where y
    /// grows downwards.
    pub ring: Ring,
    /// Holes, each clockwise: the field is to the left of all its edges. Holes may touch each other and the
    /// ring at nodes, but never at edges. Holes are ordered like [`Sections::fields`].
    pub holes: Vec<Ring>,
}

impl Field {
    /// The area of the field without its holes, rounded.
    #[must_use]
    pub fn area(&self, graph: &PlanarGraph) -> f64 {
        self.ring.area(graph) + self.holes.iter().map(|hole| hole.area(graph)).sum::<f64>()
    }
}

/// How a graph divides the plane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sections {
    /// The fields, ordered by the positions of the first and of the second node of their rings.
    pub fields: Vec<Field>,
    /// The outer borders of all fields together, clockwise, in the same order. They may touch at nodes.
    pub outer: Vec<Ring>,
    /// Numbers of edges with the same field, or the outside, on both sides: dead ends and bridges. They are
    /// in no ring.
    pub dangling: Vec<u32>,
    /// Per edge, the field on its left and on its right, looking along the edge with x to the right and y
    /// up; `None` outside.
    pub sides: Vec<[Option<u32>; 2]>,
}

/// Why a graph cannot be divided into fields.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SectionError {
    /// It is not planar.
    Graph(GraphError),
    /// Its edges enclose no field.
    NoField,
}

impl std::fmt::Display for SectionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Graph(error) => error.fmt(f),
            Self::NoField => write!(f, "the graph's edges do not enclose any field"),
        }
    }
}

impl std::error::Error for SectionError {}

impl From<GraphError> for SectionError {
    fn from(error: GraphError) -> Self {
        Self::Graph(error)
    }
}

/// The fields of a planar graph of up to 2³¹ half-edges. O(edges · log edges).
///
/// Each half-edge is walked once. Edges with one field on both sides are in no ring. Where the border of a
/// field touches itself at a node it is divided there, so that every ring is simple. A part attached to a
/// field by a node or by a bridge is therefore a hole, as is a part inside the field without contact. Nodes
/// in the middle of a straight border stay. Nodes without edges are ignored.
///
/// All decisions are exact. A ring of collinear nodes is impossible, as overlapping edges are
/// [`GraphError::Cross`]. The result depends only on the positions that are joined: another order of nodes or
/// edges, or reversed edges, changes only numbers and swaps sides.
///
/// # Errors
/// [`SectionError`].
pub fn section(graph: &PlanarGraph) -> Result<Sections, SectionError> {
    let (order, below) = swept(graph)?;
    let halves = HalfEdges::of_checked(graph);
    let (mut faces, count) = halves.boundaries();
    let dangling: Vec<u32> =
        (0..graph.edges.len() as u32).filter(|&edge| same_on_both_sides(&faces, 2 * edge)).collect();
    let around = surroundings(graph, &halves, &order, &below, &faces, count);
    faces.iter_mut().for_each(|face| *face = around[*face as usize]);

    let mut rings = Rings::new(graph, &halves, &order, &faces);
    rings.walk_all();
    let Rings { mut fields, mut holes, .. } = rings;
    let key = |ring: &Ring| (order.ranks[ring.nodes[0] as usize], order.ranks[ring.nodes[1] as usize]);
    fields.sort_unstable_by_key(|(_, ring)| key(ring));
    holes.sort_unstable_by_key(|(_, ring)| key(ring));
    if fields.is_empty() {
        return Err(SectionError::NoField);
    }
    let mut numbers = vec![None; count as usize];
    for ((face, _), number) in fields.iter().zip(0..) {
        numbers[*face as usize] = Some(number);
    }
    let field_of = |face: u32| numbers.get(face as usize).copied().flatten();
    let sides = faces.chunks_exact(2).map(|pair| [field_of(pair[0]), field_of(pair[1])]).collect();
    let mut fields: Vec<Field> =
        fields.into_iter().map(|(_, ring)| Field { ring, holes: Vec::new() }).collect();
    let mut outer = Vec::new();
    for (face, ring) in holes {
        match field_of(face) {
            Some(field) => fields[field as usize].holes.push(ring),
            None => outer.push(ring),
        }
    }
    Ok(Sections { fields, outer, dangling, sides })
}

fn same_on_both_sides(faces: &[u32], half: u32) -> bool {
    faces[half as usize] == faces[HalfEdges::twin(half) as usize]
}

/// Per boundary, the face that contains it: the boundary's own face or, for the outer boundary of a connected
/// part, the face around that part. [`NONE`] if the part is outside all faces. The sweep line has recorded
/// which edge is next below the first node of each part.
fn surroundings(
    graph: &PlanarGraph,
    halves: &HalfEdges,
    order: &Order,
    below: &[u32],
    boundaries: &[u32],
    count: u32,
) -> Vec<u32> {
    let mut around: Vec<u32> = (0..count).collect();
    let (mut reached, mut stack) = (vec![false; graph.nodes.len()], Vec::new());
    for &first in &order.nodes {
        if reached[first as usize] || halves.around(first).is_empty() {
            continue;
        }
        reached[first as usize] = true;
        stack.push(first);
        while let Some(node) = stack.pop() {
            for &half in halves.around(node) {
                let other = halves.target(half);
                if !std::mem::replace(&mut reached[other as usize], true) {
                    stack.push(other);
                }
            }
        }
        // The whole part is above and to the right of its first node: its outside is to the left of the
        // steepest edge there.
        let position = |node: u32| graph.nodes[node as usize];
        let steeper = |&a: &u32, &b: &u32| {
            turn(position(first), position(halves.target(b)), position(halves.target(a))).total_cmp(&0.0)
        };
        let Some(steepest) = halves.around(first).iter().copied().max_by(steeper) else { continue };
        let edge = below[first as usize];
        around[boundaries[steepest as usize] as usize] = if edge == NONE {
            NONE
        } else {
            // The face above an edge is the one to the left of it, starting from its lower end. The part that
            // this edge belongs to has been processed before.
            let (a, b) = graph.edges[edge as usize];
            let falls = order.ranks[a as usize] > order.ranks[b as usize];
            around[boundaries[2 * edge as usize + usize::from(falls)] as usize]
        };
    }
    around
}

/// Collects rings, each with the face to its left.
struct Rings<'a> {
    graph: &'a PlanarGraph,
    halves: &'a HalfEdges,
    order: &'a Order,
    faces: &'a [u32],
    walked: Vec<bool>,
    /// Half-edges that are walked but not yet part of a ring.
    open: Vec<u32>,
    /// Per node, the position in `open` of the half-edge that begins there, or [`NONE`].
    positions: Vec<u32>,
    fields: Vec<(u32, Ring)>,
    holes: Vec<(u32, Ring)>,
}

impl<'a> Rings<'a> {
    fn new(graph: &'a PlanarGraph, halves: &'a HalfEdges, order: &'a Order, faces: &'a [u32]) -> Self {
        let (walked, positions) = (vec![false; halves.len()], vec![NONE; graph.nodes.len()]);
        let (open, fields, holes) = (Vec::new(), Vec::new(), Vec::new());
        Self { graph, halves, order, faces, walked, open, positions, fields, holes }
    }

    fn walk_all(&mut self) {
        for first in 0..self.halves.len() as u32 {
            if !self.walked[first as usize] && !self.dangles(first) {
                self.walk(first);
            }
        }
    }

    fn dangles(&self, half: u32) -> bool {
        same_on_both_sides(self.faces, half)
    }

    /// Walks a boundary, skipping dangling edges. When it returns to a node, the part in between is a ring.
    fn walk(&mut self, first: u32) {
        let mut half = first;
        loop {
            self.walked[half as usize] = true;
            let node = self.halves.origin(half) as usize;
            if self.positions[node] != NONE {
                self.close(self.positions[node] as usize);
            }
            self.positions[node] = self.open.len() as u32;
            self.open.push(half);
            half = self.halves.next(half);
            while self.dangles(half) {
                half = self.halves.next(HalfEdges::twin(half));
            }
            if half == first {
                break;
            }
        }
        self.close(0);
    }

    /// Turns the open half-edges from `from` on into a ring.
    fn close(&mut self, from: usize) {
        let rank = |half: u32| self.order.ranks[self.halves.origin(half) as usize];
        let halves = &mut self.open[from..];
        let least = halves.iter().zip(0..).min_by_key(|&(&half, _)| rank(half)).map_or(0, |(_, at)| at);
        halves.rotate_left(least);
        let position = |half: u32| self.graph.nodes[self.halves.origin(half) as usize];
        // At its first node by position, a simple ring turns in the direction in which the whole ring runs.
        let turn = turn(position(halves[halves.len() - 1]), position(halves[0]), position(halves[1]));
        let nodes: Vec<u32> = halves.iter().map(|&half| self.halves.origin(half)).collect();
        let edges = halves.iter().map(|half| half / 2).collect();
        nodes.iter().for_each(|&node| self.positions[node as usize] = NONE);
        let found = (self.faces[halves[0] as usize], Ring { nodes, edges });
        if turn > 0.0 {
            self.fields.push(found);
        } else {
            self.holes.push(found);
        }
        self.open.truncate(from);
    }
}
