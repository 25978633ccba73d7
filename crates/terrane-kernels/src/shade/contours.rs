//! Lines of equal height, by marching squares.
//!
//! A height equal to a level counts as above it, so each point of a line belongs to exactly one edge of the
//! grid, even if it lies on a sample. A saddle has two possible
//! connections. If the mean of all four corners is above the level, the two corners above it stay connected,
//! otherwise the two below it. The lines cut off the other two.

use std::collections::BTreeMap;

use terrane_grid::{Domain, Grid, Heightmap, Polyline};

use super::draw_line;

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

/// An edge of the grid that a line crosses: column, row, and whether the edge runs down.
type Edge = (usize, usize, bool);

/// The contours at `base + k · interval`, ordered by level. At each level, open lines come before closed
/// ones. O(samples · levels). Samples that are not finite are holes.
///
/// Only the lowest [`MAX_LEVELS`] levels are drawn. If levels are more than 2⁵³ intervals away from the base,
/// none is drawn.
#[must_use]
pub fn contours(map: &Heightmap, interval: f32, base: f32) -> Vec<Contour> {
    let finite = || map.samples().iter().copied().filter(|h| h.is_finite());
    let (low, high) = (finite().fold(f32::MAX, f32::min), finite().fold(f32::MIN, f32::max));
    if low > high || interval.is_nan() || interval <= 0.0 {
        return Vec::new();
    }
    let [first, last] = [low, high].map(|h| ((f64::from(h) - f64::from(base)) / f64::from(interval)).floor());
    // Levels so far from the base have no exact number.
    if !(first.abs() < FARTHEST && last.abs() < FARTHEST) {
        return Vec::new();
    }
    let (first, last) = (first as i64 + 1, last as i64);
    let mut out = Vec::new();
    for index in first..=last.min(first.saturating_add(MAX_LEVELS - 1)) {
        let level = (f64::from(base) + index as f64 * f64::from(interval)) as f32;
        out.extend(level_lines(map, level).into_iter().map(|line| Contour { level, index, line }));
    }
    out
}

/// The limit of a level's distance from the base, in intervals: beyond it no lines are drawn.
const FARTHEST: f64 = (1u64 << 53) as f64;

/// The maximum number of levels that [`contours`] draws.
pub const MAX_LEVELS: i64 = 1000;

fn level_lines(map: &Heightmap, level: f32) -> Vec<Polyline> {
    let mut segments = Segments::default();
    for row in 0..map.height().saturating_sub(1) {
        for column in 0..map.width().saturating_sub(1) {
            march(map, level, column, row, &mut segments);
        }
    }
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
    if corners.iter().any(|h| !h.is_finite()) {
        return;
    }
    let above = corners.map(|h| h >= level);
    let (top, right, bottom, left) =
        ((column, row, false), (column + 1, row, true), (column, row + 1, false), (column, row, true));
    let edges = [top, right, bottom, left];
    let crossed: Vec<usize> = (0..4).filter(|&i| above[i] != above[(i + 1) % 4]).collect();
    match crossed[..] {
        [a, b] => segments.add(edges[a], edges[b]),
        [_, _, _, _] => {
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
fn crossing(map: &Heightmap, level: f32, (column, row, down): Edge) -> (f64, f64) {
    let a = f64::from(map[(column, row)]);
    let b = f64::from(if down { map[(column, row + 1)] } else { map[(column + 1, row)] });
    let t = (f64::from(level) - a) / (b - a);
    let domain = map.domain();
    let (x, y) = (domain.x(column), domain.y(row));
    if down { (x, y + t * domain.spacing) } else { (x + t * domain.spacing, y) }
}

/// Segments by the edges at which they end. At most two segments meet at an edge.
#[derive(Default)]
struct Segments(BTreeMap<(usize, Edge), Vec<Edge>>);

impl Segments {
    fn key(edge: Edge) -> (usize, Edge) {
        (edge.1, edge)
    }

    fn add(&mut self, a: Edge, b: Edge) {
        self.0.entry(Self::key(a)).or_default().push(b);
        self.0.entry(Self::key(b)).or_default().push(a);
    }

    /// The open lines, then the rings. Each edge belongs to exactly one of them.
    fn join(mut self) -> Vec<(Vec<Edge>, bool)> {
        let ends: Vec<Edge> =
            self.0.iter().filter(|(_, to)| to.len() == 1).map(|((_, edge), _)| *edge).collect();
        let mut lines = Vec::new();
        for end in ends {
            if self.0.contains_key(&Self::key(end)) {
                lines.push((self.walk(end), false));
            }
        }
        while let Some(((_, edge), _)) = self.0.first_key_value() {
            let edge = *edge;
            lines.push((self.walk(edge), true));
        }
        lines
    }

    /// Follows segments from an edge until they end or return to it, and removes them.
    fn walk(&mut self, start: Edge) -> Vec<Edge> {
        let mut line = vec![start];
        let mut at = start;
        while let Some(next) = self.0.remove(&Self::key(at)) {
            let Some(&to) = next.iter().find(|to| self.0.contains_key(&Self::key(**to))) else { break };
            line.push(to);
            at = to;
        }
        line
    }
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
