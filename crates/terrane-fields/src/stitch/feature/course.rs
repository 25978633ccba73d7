//! Courses of edges: straight, or meandering sideways as far as there is room.

use crate::parallel::try_collect;
use terrane_grid::{Domain, Lattice, PlanarGraph};

use super::super::line::Line;
use super::super::nearness::rise;
use super::super::outline::{Point, order};
use super::parameters::Bend;
use crate::{Cancelled, Progress};

/// Maximum fraction of the distance to the nearest other edge that a course may take. Two edges that both
/// take this much do not meet: each stays on its side of the middle.
const ROOM: f64 = 0.45;
/// Straight pieces per bend, or per edge if that is shorter.
const PIECES: f64 = 32.0;

/// An edge of a feature, with its ends ordered by position.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Numbers of its nodes.
    pub nodes: [u32; 2],
    /// The straight line between its ends.
    pub line: Line,
}

/// A straight piece of an edge's course.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The index of the edge in the feature.
    pub edge: usize,
    pub line: Line,
    /// Start of the piece, as a distance along the edge's straight line.
    from: f64,
    /// Advance along the straight line per unit of the piece.
    pace: f64,
}

impl Piece {
    fn new(edge: usize, [a, b]: [(f64, Point); 2]) -> Option<Self> {
        let line = Line::new([a.1, b.1])?;
        Some(Self { edge, from: a.0, pace: (b.0 - a.0) / line.length, line })
    }

    /// Points along the piece no farther apart than `step`, within a map and one sample beyond it: the
    /// distance along the edge, and the position.
    pub fn points_along(&self, domain: &Domain, step: f64) -> impl Iterator<Item = (f64, Point)> {
        let (start, end) = within_reach(&self.line, domain, 0.0).unwrap_or((0.0, -step));
        let count = libm::floor((end - start) / step + 1.0) as usize;
        let along = move |index: usize| (start + step * (index as f64 + 0.5)).min(end);
        (0..count).map(along).map(|along| (self.from + along * self.pace, self.line.point(along)))
    }

    /// The points at a distance to the left and to the right of a point on the piece.
    pub fn sides(&self, (x, y): Point, distance: f64) -> [Point; 2] {
        let (dx, dy) = (self.line.along.0 * distance, self.line.along.1 * distance);
        [(x + dy, y - dx), (x - dy, y + dx)]
    }

    /// Square of the distance from a point, and the distance along the edge of the nearest point.
    #[inline(always)]
    pub fn see(&self, at: Point) -> (f64, f64) {
        let seen = self.line.see(0, at);
        (seen.square, self.from + seen.along * self.pace)
    }
}

/// Edges by number, sorted by position; edges without length are left out.
pub fn edges(graph: &PlanarGraph, numbers: &[u32]) -> Vec<Edge> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let position = |node: u32| graph.nodes[node as usize];
    let edge = |number: &u32| {
        let (a, b) = graph.edges[*number as usize];
        let nodes = if order(&position(a), &position(b)).is_le() { [a, b] } else { [b, a] };
        Some(Edge { nodes, line: Line::new(nodes.map(position))? })
    };
    let mut edges: Vec<Edge> = numbers.iter().filter_map(edge).collect();
    edges.sort_by(|a, b| {
        order(&a.line.ends[0], &b.line.ends[0]).then(order(&a.line.ends[1], &b.line.ends[1]))
    });
    edges
}

/// All pieces of edges that come within `reach` of a map, edge by edge.
///
/// A course is a function of the plane, the same for every map: it depends only on the graph and the seed.
pub fn pieces(
    graph: &PlanarGraph,
    edges: &[Edge],
    bend: &Bend,
    domain: &Domain,
    reach: f64,
    progress: &dyn Progress,
) -> Result<Vec<Piece>, Cancelled> {
    if bend.amount <= 0.0 {
        let straight = |(index, edge): (usize, &Edge)| {
            Piece::new(index, [(0.0, edge.line.ends[0]), (edge.line.length, edge.line.ends[1])])
        };
        return Ok(edges.iter().enumerate().filter_map(straight).collect());
    }
    let all = Obstacles::new(graph);
    let wander = Wander { lattice: bend.seed.lattice(), bend };
    let of_edge = |(index, edge): (usize, &Edge)| {
        progress.check()?;
        let most = most(edge, bend);
        let Some((start, end)) = within_reach(&edge.line, domain, reach + most) else {
            return Ok(Vec::new());
        };
        let step = (bend.length.min(edge.line.length) / PIECES).max(domain.spacing / 4.0);
        let count = libm::ceil(edge.line.length / step).max(1.0);
        let (first, last) =
            (libm::floor(start / edge.line.length * count), libm::ceil(end / edge.line.length * count));
        let beside = all.within(edge, (start, end), 3.0 * most / ROOM);
        let points: Vec<(f64, Point)> = (0..=(last - first) as usize)
            .map(|point| edge.line.length * ((first + point as f64) / count).min(1.0))
            .map(|along| (along, wander.point(edge, along, most, &beside)))
            .collect();
        Ok(points.windows(2).filter_map(|pair| Piece::new(index, [pair[0], pair[1]])).collect())
    };
    let found: Vec<Vec<Piece>> = try_collect(edges.len(), 1, |index| of_edge((index, &edges[index])))?;
    Ok(found.concat())
}

/// Maximum sideways displacement of an edge where there is room.
fn most(edge: &Edge, bend: &Bend) -> f64 {
    bend.length.min(edge.line.length) / 4.0
}

/// The interval of a line that is within `reach` of a map's box along both axes; `None` if empty.
fn within_reach(line: &Line, domain: &Domain, reach: f64) -> Option<(f64, f64)> {
    let ((x, y), (width, height)) = (domain.origin, domain.extent());
    let (mut start, mut end) = (0.0f64, line.length);
    for (from, along, low, high) in
        [(line.ends[0].0, line.along.0, x, x + width), (line.ends[0].1, line.along.1, y, y + height)]
    {
        let (low, high) = (low - reach - domain.spacing, high + reach + domain.spacing);
        if along == 0.0 {
            if from < low || from > high {
                return None;
            }
            continue;
        }
        let (a, b) = ((low - from) / along, (high - from) / along);
        start = start.max(a.min(b));
        end = end.min(a.max(b));
    }
    (start <= end).then_some((start, end))
}

/// The meandering of courses.
struct Wander<'a> {
    lattice: Lattice,
    bend: &'a Bend,
}

impl Wander<'_> {
    /// The point of a course at a distance along its edge. A noise of the plane displaces it sideways from
    /// the straight line, as far as there is room. The ends of the edge are not displaced.
    fn point(&self, edge: &Edge, along: f64, most: f64, beside: &[Line]) -> Point {
        let (length, over) = (edge.line.length, 2.0 * most);
        if along <= 0.0 || along >= length {
            return edge.line.ends[usize::from(along > 0.0)];
        }
        let at = edge.line.point(along);
        let ends = rise(along / over) * rise((length - along) / over);
        let side = self.bend.amount * ends * room(at, most, beside) * self.noise(at);
        let (across_x, across_y) = edge.line.inward(0);
        (at.0 + side * across_x, at.1 + side * across_y)
    }

    /// Two octaves in [-1, 1], without steps or kinks.
    fn noise(&self, (x, y): Point) -> f64 {
        let octave = |part: i64, cell: f64| {
            let (x, y) = (x / cell, y / cell);
            let (left, top) = (libm::floor(x), libm::floor(y));
            let smooth = |t: f64| t * t * t * (t * (6.0 * t - 15.0) + 10.0);
            let (across, down) = (smooth(x - left), smooth(y - top));
            // Octaves use far-apart parts of one lattice.
            let corner = |dx: i64, dy: i64| {
                let column = (left as i64).wrapping_add(dx).wrapping_add(part << 40);
                2.0 * f64::from(self.lattice.unit(column, (top as i64).wrapping_add(dy))) - 1.0
            };
            let row = |dy: i64| corner(0, dy) + (corner(1, dy) - corner(0, dy)) * across;
            row(0) + (row(1) - row(0)) * down
        };
        let cell = self.bend.length / 2.0;
        let sum = (octave(0, cell) + 0.25 * octave(1, cell / 2.0)) / 1.25;
        // Interpolated values are small; this amplifies them and keeps 1 fixed.
        let more = |x: f64| x * (1.5 - 0.5 * x * x);
        more(more(sum))
    }
}

/// The sideways room: a smooth minimum of `most` and [`ROOM`] of the distance to any other edge.
fn room(at: Point, most: f64, beside: &[Line]) -> f64 {
    let far = 1.0 / (9.0 * most * most);
    let near = |line: &Line| {
        let part = (1.0 / (ROOM * ROOM * line.see(0, at).square) - far).max(0.0);
        part * part
    };
    let least = 1.0 / (most * most * most * most);
    let sum: f64 = least + beside.iter().map(near).sum::<f64>();
    1.0 / sum.sqrt().sqrt()
}

/// All edges of a graph, searchable by position.
struct Obstacles {
    /// Sorted by the positions of their ends.
    lines: Vec<Line>,
    /// For each line, the maximum x of all lines up to it.
    greatest: Vec<f64>,
}

impl Obstacles {
    fn new(graph: &PlanarGraph) -> Self {
        let all: Vec<u32> = (0..graph.edges.len() as u32).collect();
        let lines: Vec<Line> = edges(graph, &all).into_iter().map(|edge| edge.line).collect();
        let mut greatest = f64::NEG_INFINITY;
        let up_to = |line: &Line| {
            greatest = greatest.max(line.ends[1].0);
            greatest
        };
        let greatest = lines.iter().map(up_to).collect();
        Self { lines, greatest }
    }

    /// All other edges within a distance of a part of an edge, and possibly some more.
    fn within(&self, edge: &Edge, part: (f64, f64), distance: f64) -> Vec<Line> {
        let ends = [edge.line.point(part.0), edge.line.point(part.1)];
        let bounds = |ends: [Point; 2], of: fn(Point) -> f64| {
            let [a, b] = ends.map(of);
            (a.min(b), a.max(b))
        };
        let ((left, right), (top, bottom)) = (bounds(ends, |at| at.0), bounds(ends, |at| at.1));
        let first = self.greatest.partition_point(|&x| x < left - distance);
        let last = self.lines.partition_point(|line| line.ends[0].0 <= right + distance);
        let near = |line: &&Line| {
            let (low, high) = bounds(line.ends, |at| at.1);
            line.ends[1].0 >= left - distance
                && low <= bottom + distance
                && high >= top - distance
                && line.ends != edge.line.ends
        };
        self.lines[first..last.max(first)].iter().filter(near).copied().collect()
    }
}
