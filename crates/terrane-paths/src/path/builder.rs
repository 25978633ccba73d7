//! Costs of a road builder's steps.

use super::search::{Offset, Rimmed, Steps};
use super::site::{Ground, Site};

/// Steps between samples, in 32 headings: rows, columns and diagonals first.
const HEADINGS: [(i32, i32); 32] = [
    (0, -1),
    (-1, 0),
    (1, 0),
    (0, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
    (1, 1),
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
    (-1, -3),
    (1, -3),
    (-3, -1),
    (3, -1),
    (-3, 1),
    (3, 1),
    (-1, 3),
    (1, 3),
    (-2, -3),
    (2, -3),
    (-3, -2),
    (3, -2),
    (-3, 2),
    (3, 2),
    (-2, 3),
    (2, 3),
];

/// A builder's prices other than the price of length, in lengths of road.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Price of each unit of height by which the ground rises or falls along the road beyond what the road's
    /// maximum slope allows. Default: twice the length of road that climbs one unit at that slope.
    pub excess: Option<f64>,
    /// Price of each unit of length, for each unit of height by which one side of the road lies above the
    /// other.
    pub side: f64,
}

impl Default for Prices {
    fn default() -> Self {
        Self { excess: None, side: 0.1 }
    }
}

/// The price of excess rise, in lengths of the road that climbs it. From 1 on, a detour is worth building. At
/// 2, it is worth building even across a steep hillside. A higher price gains little: at 3, roads over
/// mountains are a twentieth longer, bend an eighth more and have a sixteenth less excess.
const EXCESS: f64 = 2.0;

/// The highest price of excess rise: anything dearer is practically never paid, and sums stay finite.
const DEAREST: f64 = 1e12;

/// The road to build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Road {
    /// Its width, in world units.
    pub width: f64,
    /// Its maximum slope, rise over run.
    pub max_slope: f64,
}

/// Where a step crosses the line between two samples.
#[derive(Clone, Copy, Debug, Default)]
struct Crossing {
    /// Offsets to these samples, in indices.
    samples: (isize, isize),
    /// Position between the first and the second, as a fraction.
    part: f64,
}

/// A step divided into pieces of equal length.
#[derive(Clone, Copy, Debug)]
struct Pieces {
    /// The step's heading, a unit vector.
    heading: (f64, f64),
    /// Length of a piece.
    run: f64,
    count: usize,
    crossings: [Crossing; 2],
}

/// The costs of a builder.
pub struct Builder<'a> {
    site: &'a Site,
    /// Price of each unit of excess rise.
    excess: f64,
    /// Price of each unit of length, for each unit of slope across the road.
    side: f64,
    slope: f64,
    offsets: [Offset; 32],
    pieces: [Pieces; 32],
}

impl<'a> Builder<'a> {
    pub fn new(site: &'a Site, prices: Prices, road: Road) -> Self {
        let length = |(dx, dy): (i32, i32)| site.spacing * f64::from(dx * dx + dy * dy).sqrt();
        let offsets = HEADINGS.map(|by| Offset::new(by, site.map, length(by) * site.least));
        let pieces = HEADINGS.map(|(dx, dy)| {
            let steep = dy.abs() > dx.abs();
            let (along, across) = if steep { (dy, dx) } else { (dx, dy) };
            let count = if across == 0 { 1 } else { along.abs().max(2) };
            let index = |i: i32, j: i32| {
                let (x, y) = if steep { (j, i) } else { (i, j) };
                y as isize * site.map.stride() as isize + x as isize
            };
            let crossing = |piece: i32| {
                let far = piece * across.abs();
                let low = far / along.abs();
                let side = |j: i32| index(piece * along.signum(), j * across.signum());
                Crossing {
                    samples: (side(low), side(low + 1)),
                    part: f64::from(far % along.abs()) / f64::from(along.abs()),
                }
            };
            let diagonal = dx.abs() == dy.abs();
            let crossings = if diagonal { Default::default() } else { [crossing(1), crossing(2)] };
            let length = length((dx, dy));
            Pieces {
                heading: (f64::from(dx) * site.spacing / length, f64::from(dy) * site.spacing / length),
                run: length / f64::from(count),
                count: count as usize,
                crossings,
            }
        });
        let excess = prices.excess.unwrap_or(EXCESS / road.max_slope.max(f64::MIN_POSITIVE)).min(DEAREST);
        Self { site, excess, side: prices.side * road.width, slope: road.max_slope, offsets, pieces }
    }

    /// A route's stops and, between consecutive stops, the samples nearest to the line that joins them.
    pub fn filled(&self, stops: &[usize]) -> Vec<usize> {
        let mut route: Vec<usize> = stops.first().copied().into_iter().collect();
        for (&from, &to) in stops.iter().zip(stops.iter().skip(1)) {
            let by = to.wrapping_sub(from) as isize;
            let step = self.offsets.iter().position(|offset| offset.index == by);
            if let Some(heading) = step.filter(|&heading| heading >= 8) {
                let pieces = &self.pieces[heading];
                for crossing in &pieces.crossings[..pieces.count - 1] {
                    let (near, far) = crossing.samples;
                    route.push(from.wrapping_add_signed(if crossing.part > 0.5 { far } else { near }));
                }
            }
            route.push(to);
        }
        route
    }

    #[inline]
    fn sample(&self, at: usize) -> Ground {
        self.site.samples[at].map(f64::from)
    }

    /// The distance between neighbouring samples of a row.
    pub const fn spacing(&self) -> f64 {
        self.site.spacing
    }

    /// The ground to build on.
    pub const fn site(&self) -> &Site {
        self.site
    }

    /// The cost of a piece of road between two points.
    #[inline]
    pub fn piece(&self, (ux, uy): (f64, f64), run: f64, a: Ground, b: Ground) -> f64 {
        let over = (b[0] - a[0]).abs() - self.slope * run;
        // NaN remains NaN.
        let over = if over < 0.0 { 0.0 } else { over };
        let across = (a[1] * uy - a[2] * ux).abs() + (b[1] * uy - b[2] * ux).abs();
        let length = run * (1.0 + self.side * 0.5 * across);
        (length + self.excess * over) * 0.5 * (a[3] + b[3])
    }
}

impl Steps for Builder<'_> {
    #[inline]
    fn map(&self) -> Rimmed {
        self.site.map
    }

    #[inline]
    fn offsets(&self) -> &[Offset] {
        &self.offsets
    }

    #[inline]
    fn cost(&self, at: usize, step: usize, useful: f64) -> f64 {
        let next = at.wrapping_add_signed(self.offsets[step].index);
        let (a, b) = (self.sample(at), self.sample(next));
        let pieces = &self.pieces[step];
        let piece = |a: Ground, b: Ground| self.piece(pieces.heading, pieces.run, a, b);
        // Whatever lies between, the road rises at least as much as from end to end.
        let over = (b[0] - a[0]).abs() - self.slope * pieces.run * pieces.count as f64;
        let least = self.offsets[step].floor + self.excess * self.site.least * over;
        if least >= useful {
            return least;
        }
        if step < 4 {
            return piece(a, b);
        }
        if step < 8 {
            // A diagonal step passes through the centre of four samples.
            let (dx, dy) = (
                self.offsets[step].by.0 as isize,
                self.offsets[step].index - self.offsets[step].by.0 as isize,
            );
            let (c, d) = (self.sample(at.wrapping_add_signed(dx)), self.sample(at.wrapping_add_signed(dy)));
            let middle: Ground = std::array::from_fn(|i| 0.25 * ((a[i] + b[i]) + (c[i] + d[i])));
            return piece(a, middle) + piece(middle, b);
        }
        let crossed = |crossing: Crossing| -> Ground {
            let (c, d) = crossing.samples;
            let (c, d) = (self.sample(at.wrapping_add_signed(c)), self.sample(at.wrapping_add_signed(d)));
            std::array::from_fn(|i| c[i] + crossing.part * (d[i] - c[i]))
        };
        let first = crossed(pieces.crossings[0]);
        if pieces.count == 2 {
            return piece(a, first) + piece(first, b);
        }
        let second = crossed(pieces.crossings[1]);
        piece(a, first) + piece(first, second) + piece(second, b)
    }

    /// The Euclidean distance.
    #[inline]
    fn estimate(&self, columns: u32, rows: u32) -> f64 {
        let (columns, rows) = (f64::from(columns), f64::from(rows));
        (columns * columns + rows * rows).sqrt() * self.site.spacing * self.site.least
    }
}
