//! The ways of edges: straight, or wandering to the side as far as there is room.

use crate::parallel::try_collect;
use terrane_grid::{Domain, Lattice, PlanarGraph};

use super::super::line::Line;
use super::super::nearness::rise;
use super::super::outline::{Point, order};
use super::parameters::Bend;
use crate::{Cancelled, Progress};

/// What part of the way to the nearest other edge a course may take. Two edges that both do do not meet: each
/// stays on its side of the middle.
const ROOM: f64 = 0.45;
/// Straight pieces for each length of a bend, and of an edge that is shorter.
const PIECES: f64 = 32.0;

/// An edge of a feature, with its ends in the order of their places.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Numbers of its nodes.
    pub nodes: [u32; 2],
    /// The straight way.
    pub line: Line,
}

/// A straight piece of an edge's course.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The edge, as counted in the feature.
    pub edge: usize,
    pub line: Line,
    /// How far along the edge's straight way it begins.
    from: f64,
    /// How far that goes on for each unit of the piece.
    pace: f64,
}

impl Piece {
    fn new(edge: usize, [a, b]: [(f64, Point); 2]) -> Option<Self> {
        let line = Line::new([a.1, b.1])?;
        Some(Self { edge, from: a.0, pace: (b.0 - a.0) / line.length, line })
    }

    /// Places along it no farther apart than `step`, where it is within a map and a sample more: how far
    /// along the edge, and where.
    pub fn places(&self, domain: &Domain, step: f64) -> impl Iterator<Item = (f64, Point)> {
        let (start, end) = seen(&self.line, domain, 0.0).unwrap_or((0.0, -step));
        let count = libm::floor((end - start) / step + 1.0) as usize;
        let along = move |place: usize| (start + step * (place as f64 + 0.5)).min(end);
        (0..count).map(along).map(|along| (self.from + along * self.pace, self.line.point(along)))
    }

    /// Square of the distance from a point, and how far along the edge its nearest point is.
    #[inline(always)]
    pub fn see(&self, at: Point) -> (f64, f64) {
        let seen = self.line.see(0, at);
        (seen.square, self.from + seen.along * self.pace)
    }
}

/// Edges by number, sorted by their places; those without length are left out.
pub fn edges(graph: &PlanarGraph, numbers: &[u32]) -> Vec<Edge> {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable();
    numbers.dedup();
    let place = |node: u32| graph.nodes[node as usize];
    let edge = |number: &u32| {
        let (a, b) = graph.edges[*number as usize];
        let nodes = if order(&place(a), &place(b)).is_le() { [a, b] } else { [b, a] };
        Some(Edge { nodes, line: Line::new(nodes.map(place))? })
    };
    let mut edges: Vec<Edge> = numbers.iter().filter_map(edge).collect();
    edges.sort_by(|a, b| {
        order(&a.line.ends[0], &b.line.ends[0]).then(order(&a.line.ends[1], &b.line.ends[1]))
    });
    edges
}

/// All pieces of edges that come within `reach` of a map, edge by edge.
///
/// A course is a function of the plane, the same for every map: where it lies hangs on the graph and the seed
/// alone.
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
        progress.report(0.0)?;
        let most = most(edge, bend);
        let Some((start, end)) = seen(&edge.line, domain, reach + most) else { return Ok(Vec::new()) };
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

/// How far an edge may wander where there is room.
fn most(edge: &Edge, bend: &Bend) -> f64 {
    bend.length.min(edge.line.length) / 4.0
}

/// From where to where along a line it is no farther from a map's box than `reach` along both axes; `None`
/// where it never is.
fn seen(line: &Line, domain: &Domain, reach: f64) -> Option<(f64, f64)> {
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

/// Where courses lie.
struct Wander<'a> {
    lattice: Lattice,
    bend: &'a Bend,
}

impl Wander<'_> {
    /// The point of a course so far along its edge: to the side of the straight way by a noise of the plane,
    /// as far as there is room, and not at all at its ends.
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
            // Octaves are far from each other on one lattice.
            let corner = |dx: i64, dy: i64| {
                let column = (left as i64).wrapping_add(dx).wrapping_add(part << 40);
                2.0 * f64::from(self.lattice.unit(column, (top as i64).wrapping_add(dy))) - 1.0
            };
            let row = |dy: i64| corner(0, dy) + (corner(1, dy) - corner(0, dy)) * across;
            row(0) + (row(1) - row(0)) * down
        };
        let cell = self.bend.length / 2.0;
        let sum = (octave(0, cell) + 0.25 * octave(1, cell / 2.0)) / 1.25;
        // Means of corners are small; this makes more of them, and leaves 1 where it is.
        let more = |x: f64| x * (1.5 - 0.5 * x * x);
        more(more(sum))
    }
}

/// How far to the side there is room: at most `most`, and at most [`ROOM`] of the way to any other edge,
/// smoothly between.
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

/// All edges of a graph by their place.
struct Obstacles {
    /// Sorted by places of their ends.
    lines: Vec<Line>,
    /// The greatest x up to each.
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

    /// All others that are within a distance of a part of an edge, and some more.
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
