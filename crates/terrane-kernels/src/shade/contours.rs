//! Lines of equal height, by marching squares.
//!
//! A height equal to a level counts as above it, so each point of a line belongs to exactly one edge of the
//! grid, even if it lies on a sample. A saddle has two possible
//! connections. If the mean of all four corners is above the level, the two corners above it stay connected,
//! otherwise the two below it. The lines cut off the other two.

use terrane_grid::{Domain, Grid, Heightmap, Polyline};

use super::draw_line;
use crate::metric::extremes;
use crate::parallel::{for_each, slices};

/// A line of equal height.
#[derive(Clone, Debug, PartialEq)]
pub struct Contour {
    /// The height.
    pub level: f32,
    /// Number of the level, counted from the base: every fifth is an index contour, which is drawn twice as
    /// wide.
    pub index: i64,
    /// The line, in world coordinates: closed, or from border to border (or to a sample that is not finite).
    pub line: Polyline,
}

/// An edge of the grid that a line crosses. Edges are ordered by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    row: u32,
    column: u32,
    /// Whether the edge runs down instead of to the right.
    down: bool,
}

impl Edge {
    fn new(column: usize, row: usize, down: bool) -> Self {
        Self { row: row as u32, column: column as u32, down }
    }
}

/// The contours at `base + k · interval`, ordered by level. At each level, open lines come before closed
/// ones. O(samples + points · log points + levels · samples / 32). Samples that are not finite are holes.
///
/// Only the lowest [`MAX_LEVELS`] levels are drawn. If levels are more than 2⁵³ intervals away from the base,
/// none is drawn.
#[must_use]
pub fn contours(map: &Heightmap, interval: f32, base: f32) -> Vec<Contour> {
    let Some((low, high)) = extremes(map).filter(|_| interval > 0.0) else { return Vec::new() };
    let [first, last] = [low, high].map(|h| ((f64::from(h) - f64::from(base)) / f64::from(interval)).floor());
    // Levels so far from the base have no exact number.
    if !(first.abs() < FARTHEST && last.abs() < FARTHEST) {
        return Vec::new();
    }
    let (first, last) = (first as i64 + 1, last as i64);
    let last = last.min(first.saturating_add(MAX_LEVELS - 1));
    let level = |index: i64| (f64::from(base) + index as f64 * f64::from(interval)) as f32;
    let levels: Vec<f32> = (first..=last).map(level).collect();
    let ranges = Ranges::new(map);
    let mut lines = vec![Vec::new(); levels.len()];
    for_each(slices(&mut lines, 1), 1, |at, lines| lines[0] = level_lines(map, levels[at], &ranges));
    let lines = lines.into_iter().enumerate();
    let contours = lines.flat_map(|(at, lines)| {
        let (level, index) = (levels[at], first + at as i64);
        lines.into_iter().map(move |line| Contour { level, index, line })
    });
    contours.collect()
}

/// The limit of a level's distance from the base, in intervals: beyond it no lines are drawn.
const FARTHEST: f64 = (1u64 << 53) as f64;

/// The maximum number of levels that [`contours`] draws.
pub const MAX_LEVELS: i64 = 1000;

/// Squares of samples, side by side, whose heights have one range.
const BLOCK: usize = 32;

/// The lowest and the highest finite height of each block of squares: a level crosses few blocks.
struct Ranges {
    /// Blocks in a row of squares.
    across: usize,
    ranges: Vec<(f32, f32)>,
}

impl Ranges {
    fn new(map: &Heightmap) -> Self {
        let across = map.width().saturating_sub(1).div_ceil(BLOCK);
        let mut ranges = vec![(f32::MAX, f32::MIN); across * map.height().saturating_sub(1)];
        for_each(slices(&mut ranges, across.max(1)), 16, |row, ranges| {
            for heights in [map.grid().row(row), map.grid().row(row + 1)] {
                for (block, (low, high)) in ranges.iter_mut().enumerate() {
                    let end = (block * BLOCK + BLOCK + 1).min(heights.len());
                    for height in heights[block * BLOCK..end].iter().filter(|height| height.is_finite()) {
                        (*low, *high) = (low.min(*height), high.max(*height));
                    }
                }
            }
        });
        Self { across, ranges }
    }

    /// Calls `f` with column and row of each square in a block that a level crosses, row by row.
    fn crossed(&self, map: &Heightmap, level: f32, mut f: impl FnMut(usize, usize)) {
        for (at, (low, high)) in self.ranges.iter().enumerate() {
            if *low < level && level <= *high {
                let (row, first) = (at / self.across, at % self.across * BLOCK);
                (first..(first + BLOCK).min(map.width() - 1)).for_each(|column| f(column, row));
            }
        }
    }
}

fn level_lines(map: &Heightmap, level: f32, ranges: &Ranges) -> Vec<Polyline> {
    let mut segments = Segments::default();
    ranges.crossed(map, level, |column, row| march(map, level, column, row, &mut segments));
    segments
        .join()
        .into_iter()
        .map(|(edges, closed)| Polyline {
            points: edges.into_iter().map(|edge| crossing(map, level, edge)).collect(),
            closed,
        })
        .collect()
}

/// The segments of one square of samples.
fn march(map: &Heightmap, level: f32, column: usize, row: usize, segments: &mut Segments) {
    let corners =
        [map[(column, row)], map[(column + 1, row)], map[(column + 1, row + 1)], map[(column, row + 1)]];
    let above = corners.map(|h| h >= level);
    if above == [above[0]; 4] || corners.iter().any(|h| !h.is_finite()) {
        return;
    }
    let (top, bottom) = (Edge::new(column, row, false), Edge::new(column, row + 1, false));
    let (left, right) = (Edge::new(column, row, true), Edge::new(column + 1, row, true));
    let edges = [top, right, bottom, left];
    let mut crossed = (0..4).filter(|&i| above[i] != above[(i + 1) % 4]);
    match (crossed.next(), crossed.next(), crossed.next()) {
        (Some(a), Some(b), None) => segments.add(edges[a], edges[b]),
        (_, _, Some(_)) => {
            let mean = corners.iter().sum::<f32>() / 4.0;
            // Corner 0 lies between the left and top edges. It is cut off if it is not on the same side of
            // the level as the mean.
            if above[0] == (mean >= level) {
                segments.add(top, right);
                segments.add(bottom, left);
            } else {
                segments.add(left, top);
                segments.add(right, bottom);
            }
        }
        _ => {}
    }
}

/// Where a level crosses an edge, in world coordinates.
fn crossing(map: &Heightmap, level: f32, Edge { row, column, down }: Edge) -> (f64, f64) {
    let (column, row) = (column as usize, row as usize);
    let a = f64::from(map[(column, row)]);
    let b = f64::from(if down { map[(column, row + 1)] } else { map[(column + 1, row)] });
    let t = (f64::from(level) - a) / (b - a);
    let domain = map.domain();
    let (x, y) = (domain.x(column), domain.y(row));
    if down { (x, y + t * domain.spacing) } else { (x + t * domain.spacing, y) }
}

/// Segments, each from edge to edge. At most two of them meet at an edge.
#[derive(Default)]
struct Segments(Vec<(Edge, Edge)>);

impl Segments {
    fn add(&mut self, a: Edge, b: Edge) {
        self.0.extend([(a, b), (b, a)]);
    }

    /// The open lines, then the rings. Each edge belongs to exactly one of them.
    fn join(mut self) -> Vec<(Vec<Edge>, bool)> {
        // The segments of one edge stay in the order in which they were added.
        self.0.sort_by_key(|(edge, _)| *edge);
        let mut links: Vec<Link> = Vec::with_capacity(self.0.len() / 2);
        for &(edge, to) in &self.0 {
            match links.last_mut() {
                Some(link) if link.edge == edge => link.to[1] = Some(to),
                _ => links.push(Link { edge, to: [Some(to), None], is_left: true }),
            }
        }
        drop(self);
        let find = |links: &[Link], edge: Edge| links.binary_search_by_key(&edge, |link| link.edge).ok();
        // Follows segments from an edge until they end or return to it, and takes their edges away.
        let walk = |links: &mut [Link], start: usize| {
            let mut line = Vec::new();
            let mut at = Some(start);
            while let Some(here) = at {
                line.push(links[here].edge);
                links[here].is_left = false;
                let next = links[here].to.iter().flatten().filter_map(|to| find(links, *to));
                at = next.into_iter().find(|next| links[*next].is_left);
            }
            line
        };
        let mut lines = Vec::new();
        for closed in [false, true] {
            for start in 0..links.len() {
                if links[start].is_left && (closed || links[start].to[1].is_none()) {
                    lines.push((walk(&mut links, start), closed));
                }
            }
        }
        lines
    }
}

/// An edge, and those that segments lead to from it.
struct Link {
    edge: Edge,
    to: [Option<Edge>; 2],
    /// Whether no line has it yet.
    is_left: bool,
}

/// Draws antialiased contours on a picture of the map; every fifth line is twice as wide.
pub fn draw_contours(
    picture: &mut Grid<[u8; 3]>,
    domain: &Domain,
    contours: &[Contour],
    colour: [u8; 3],
    width: f32,
) {
    for contour in contours {
        let width = if contour.index % 5 == 0 { 2.0 * width } else { width };
        draw_line(picture, domain, &contour.line, colour, width);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Seed;

    use super::*;

    #[test]
    fn a_plane_has_straight_lines_at_the_exact_place() {
        let map =
            Heightmap::from_fn(Domain::new(11, 4).with_spacing(2.0).with_origin(100.0, 0.0), |x, _| x as f32);
        let lines = contours(&map, 2.5, 0.0);
        assert_eq!(lines.iter().map(|c| c.level).collect::<Vec<_>>(), [2.5, 5.0, 7.5, 10.0]);
        assert!(lines[0].line.points.iter().all(|p| p.0 == 105.0));
        assert_eq!((lines[0].line.points.len(), lines[0].line.closed), (4, false));
    }

    #[test]
    fn a_cone_has_round_rings() {
        let map = Heightmap::from_fn(Domain::new(101, 101), |x, y| {
            let (dx, dy) = (x as f32 - 50.0, y as f32 - 50.0);
            50.0 - (dx * dx + dy * dy).sqrt()
        });
        let rings: Vec<Contour> = contours(&map, 10.0, 5.0).into_iter().filter(|c| c.level >= 5.0).collect();
        assert_eq!(rings.len(), 5);
        for ring in rings {
            assert!(ring.line.closed);
            let radius = f64::from(50.0 - ring.level);
            for p in &ring.line.points {
                let r = ((p.0 - 50.0) * (p.0 - 50.0) + (p.1 - 50.0) * (p.1 - 50.0)).sqrt();
                // Crossings are interpolated linearly, so a circle's radius is off by at most 1 / (8 ·
                // radius).
                assert!((r - radius).abs() < 1.0 / (8.0 * radius) + 1e-6);
            }
        }
    }

    proptest! {
        #[test]
        fn a_level_is_looked_for_where_it_is(
            (w, h) in (1usize..90, 1usize..20), level in 0.0f32..20.0, whole: bool, seed: u64,
        ) {
            let lattice = Seed(seed).lattice();
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                let height = lattice.unit(x as i64 / 9, y as i64) * 20.0;
                let holes = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
                holes.get((height * 4.0) as usize).copied().unwrap_or(height.floor())
            });
            let level = if whole { level.floor() } else { level };
            let mut near = Vec::new();
            Ranges::new(&map).crossed(&map, level, |column, row| near.push((row, column)));
            prop_assert!(near.is_sorted() && near.windows(2).all(|pair| pair[0] != pair[1]));
            for row in 0..h - 1 {
                for column in 0..w - 1 {
                    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)];
                    let corners = corners.map(|(x, y)| map[(column + x, row + y)]);
                    let above = corners.iter().filter(|height| **height >= level).count();
                    if corners.iter().all(|height| height.is_finite()) && (1..4).contains(&above) {
                        prop_assert!(near.binary_search(&(row, column)).is_ok(), "{column} {row}");
                    }
                }
            }
        }

        #[test]
        fn every_line_is_closed_or_ends_at_the_border(w in 2usize..14, h in 2usize..14, seed: u64) {
            let lattice = Seed(seed).lattice();
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                (lattice.unit(x as i64, y as i64) * 8.0).floor()
            });
            for contour in contours(&map, 1.0, 0.0) {
                let points = &contour.line.points;
                prop_assert!(points.len() >= 2);
                if !contour.line.closed {
                    for p in [points[0], points[points.len() - 1]] {
                        let border =
                            p.0 == 0.0 || p.1 == 0.0 || p.0 == (w - 1) as f64 || p.1 == (h - 1) as f64;
                        prop_assert!(border, "{p:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn lines_are_drawn_where_they_are() {
        let map = Heightmap::from_fn(Domain::new(9, 5), |x, _| x as f32);
        let mut picture = Grid::filled(9, 5, [255u8; 3]);
        draw_contours(&mut picture, &map.domain(), &contours(&map, 4.0, 0.0)[..1], [0; 3], 1.0);
        assert_eq!(picture[(4, 2)], [0; 3]);
        assert_eq!(picture[(0, 2)], [255; 3]);
    }
}
