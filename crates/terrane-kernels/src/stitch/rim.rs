//! Heights of both fields along borders.

use crate::parallel::collect;
use terrane_grid::Domain;

use super::chain::{Chain, Link, chains};
use super::outline::Point;
use super::seam::{Plan, Seam, Stations};

/// No height is smoothed wider than this part of the reach, as `Look` has it.
const WIDEST: f64 = 0.29;

/// Heights of the field on the left and on the right.
type Pair = [f32; 2];

/// Heights of both fields along all borders that samples of a domain see, as they are and smoothed to several
/// widths.
///
/// What is on a seam is smoothed along its border the wider the farther it is seen from, near it as fast as
/// solutions of Laplace's equation are, so that no ribs run from rough ground into even; but nothing is seen
/// from farther than Distance. A border is all seams in a row between two fields, so that it does not matter
/// with how many nodes it was drawn.
pub struct Rims {
    links: Vec<Link>,
    tables: Vec<Option<Table>>,
}

/// Those of one border, at stations.
struct Table {
    /// Stations to a unit of length, and to one of width.
    per_step: f64,
    per_width: f64,
    /// Stations before the first: what is beyond an end is as at the end, and around a border that is closed
    /// the border again.
    before: usize,
    levels: usize,
    /// Station by station, all levels; 0 where one of both heights is not a number.
    heights: Vec<Pair>,
    /// The part of each that is made of numbers, unless all are.
    known: Option<Vec<f32>>,
}

/// Heights of a seam's left and right field, times the part of them that is known, and that part.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heights {
    pub sides: [f64; 2],
    pub known: f64,
}

impl Rims {
    /// Those that samples of a domain see; `wide` says whether they are smoothed.
    pub fn new(plan: &Plan<'_>, domain: &Domain, wide: bool) -> Self {
        let (chains, links) = chains(&plan.seams);
        let matters = |chain: &Chain| {
            chain.seams.iter().any(|(seam, _)| plan.matters(&plan.seams[*seam as usize], domain))
        };
        let table = |chain: &Chain| matters(chain).then(|| Table::new(plan, chain, &links, wide));
        let tables = collect(chains.len(), 1, |chain| table(&chains[chain]));
        Self { links, tables }
    }

    /// How to read a seam's border; `None` where no sample sees it.
    pub fn of(&self, seam: usize) -> Option<Rim<'_>> {
        let link = &self.links[seam];
        self.tables[link.chain as usize].as_ref().map(|table| Rim { link, table })
    }
}

/// A border as one of its seams sees it.
#[derive(Clone, Copy)]
pub struct Rim<'a> {
    link: &'a Link,
    table: &'a Table,
}

impl Rim<'_> {
    /// At a place along the seam or beyond its end, smoothed to a width.
    #[inline(always)]
    pub fn smooth(self, seam: &Seam, along: f64, width: f64) -> Heights {
        self.turned(self.table.smooth(self.link.along(seam, along), width))
    }

    /// At a place along the seam.
    #[inline(always)]
    pub fn at(self, seam: &Seam, along: f64) -> Heights {
        self.turned(self.table.at(self.link.along(seam, along)))
    }

    #[inline(always)]
    fn turned(self, heights: Heights) -> Heights {
        let [left, right] = heights.sides;
        let sides = if self.link.turned { [right, left] } else { [left, right] };
        Heights { sides, ..heights }
    }
}

impl Table {
    fn new(plan: &Plan<'_>, chain: &Chain, links: &[Link], wide: bool) -> Self {
        let stations = Stations::along(chain.length, plan.spacing);
        let heights = |at: (u32, Point)| {
            let heights = plan.heights(&plan.seams[at.0 as usize], at.1);
            if links[at.0 as usize].turned { [heights[1], heights[0]] } else { heights }
        };
        let at = |station: usize| {
            let last = station + 1 == stations.count;
            chain.at(if last { chain.length } else { station as f64 * stations.step }, &plan.seams, links)
        };
        let mut level: Vec<[f32; 3]> = (0..stations.count)
            .map(|station| match heights(at(station)) {
                [left, right] if (right - left).is_finite() => [left as f32, right as f32, 1.0],
                _ => [0.0; 3],
            })
            .collect();
        let all_known = level.iter().all(|height| height[2] == 1.0);
        if chain.closed {
            level.pop();
        }
        // As far beyond an end as a point in reach sees. A border shorter than half a sample has stations at
        // its ends alone, however near these are.
        let spread = (1.5 * plan.reach / stations.step).min(6.0 * plan.reach / plan.spacing);
        let before = libm::ceil(spread) as usize + 2;
        // A border shorter than a quarter of a sample has no more levels than others.
        let per_width = 1.0 / stations.step.max(0.25 * plan.spacing);
        // Nothing is smoothed wider than for this part of the reach.
        let levels = if wide { rung(WIDEST * plan.reach * per_width).0 + 2 } else { 1 };
        let length = stations.count + 2 * before;
        let around = |station: usize| match chain.closed {
            true => (station + before * (level.len() - 1)) % level.len(),
            false => station.saturating_sub(before).min(level.len() - 1),
        };
        let mut level: Vec<[f32; 3]> = (0..length).map(|station| level[around(station)]).collect();
        let mut table = Self {
            per_step: 1.0 / stations.step,
            per_width,
            before,
            levels,
            heights: vec![[0.0; 2]; levels * length],
            known: (!all_known).then(|| vec![0.0; levels * length]),
        };
        let mut half_way = if levels > 2 { smoothed_by_three(&level) } else { Vec::new() };
        table.set(0, &level);
        for rung in 1..levels {
            if rung % 2 == 1 {
                level = smoothed(&level, 1 << (rung / 2));
                table.set(rung, &level);
            } else {
                if rung > 2 {
                    half_way = smoothed(&half_way, 3 << (rung / 2 - 2));
                }
                table.set(rung, &half_way);
            }
        }
        table
    }

    fn set(&mut self, rung: usize, values: &[[f32; 3]]) {
        for (station, &[left, right, known]) in values.iter().enumerate() {
            self.heights[station * self.levels + rung] = [left, right];
            if let Some(all) = &mut self.known {
                all[station * self.levels + rung] = known;
            }
        }
    }

    /// The station before a place along the border, and how far it is to the next.
    #[inline(always)]
    fn station(&self, along: f64) -> (usize, f64) {
        let place = (along * self.per_step + self.before as f64).max(0.0);
        let station = (place as usize).min(self.heights.len() / self.levels - 2);
        let part = place - station as f64;
        (station, if part < 1.0 { part } else { 1.0 })
    }

    /// As they are.
    #[inline(always)]
    fn at(&self, along: f64) -> Heights {
        let (station, part) = self.station(along);
        self.mean(station, part, [(0, 1.0), (0, 0.0), (0, 0.0)])
    }

    /// Smoothed to a width.
    #[inline(always)]
    fn smooth(&self, along: f64, width: f64) -> Heights {
        let (station, part) = self.station(along);
        let (rung, within) = rung(width * self.per_width);
        // A quadratic B-spline over three levels: from one to the next neither crease nor terrace.
        let (low, high) = (0.5 * (1.0 - within) * (1.0 - within), 0.5 * within * within);
        let last = self.levels - 1;
        let levels = [rung.saturating_sub(1).min(last), rung.min(last), (rung + 1).min(last)];
        self.mean(station, part, [(levels[0], low), (levels[1], 1.0 - low - high), (levels[2], high)])
    }

    /// A mean of levels between a station and the next.
    #[inline(always)]
    fn mean(&self, station: usize, part: f64, levels: [(usize, f64); 3]) -> Heights {
        let first = station * self.levels;
        let (here, next) = self.heights[first..first + 2 * self.levels].split_at(self.levels);
        let sum = |from: &[Pair]| {
            levels.iter().fold([0.0; 2], |sum, &(at, weight)| {
                let [left, right] = from[at].map(f64::from);
                [sum[0] + weight * left, sum[1] + weight * right]
            })
        };
        let (here, next) = (sum(here), sum(next));
        let sides = [0, 1].map(|i| here[i] + (next[i] - here[i]) * part);
        let known = self.known.as_ref().map_or(1.0, |known| {
            let at = |from: usize| {
                levels.iter().map(|&(at, weight)| weight * f64::from(known[from + at])).sum::<f64>()
            };
            let (here, next) = (at(first), at(first + self.levels));
            here + (next - here) * part
        });
        Heights { sides, known }
    }
}

/// Levels are smoothed by cubic B-splines as wide as these numbers of stations: 1, which is not at all, 2, 3,
/// 4, 6, 8, 12 and so on. The level for a width of 1 + x, and how far in a straight line it is to the next.
#[inline(always)]
fn rung(x: f64) -> (usize, f64) {
    let bits = (0.5 + 0.5 * x).to_bits();
    let octave = (bits >> 52 & 0x7FF) as i64 - 1023;
    let within = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000) - 1.0;
    if octave < 0 {
        return (0, if x > 0.0 { x } else { 0.0 });
    }
    let below = 1 + 2 * octave as usize;
    if within < 0.5 { (below, 2.0 * within) } else { (below + 1, 2.0 * within - 1.0) }
}

/// Values smoothed by a cubic B-spline three values wide, the first of those between powers of two.
fn smoothed_by_three(values: &[[f32; 3]]) -> Vec<[f32; 3]> {
    let last = values.len() - 1;
    let at = |station: usize, more: isize| values[station.saturating_add_signed(more).min(last)];
    let weights = [1.0, 4.0, 10.0, 16.0, 19.0, 16.0, 10.0, 4.0, 1.0];
    let mean = |station: usize| {
        (-4..=4).zip(weights).fold([0.0; 3], |sum, (more, weight)| {
            let value = at(station, more);
            [0, 1, 2].map(|of| sum[of] + weight / 81.0 * value[of])
        })
    };
    (0..values.len()).map(mean).collect()
}

/// Values smoothed by a cubic B-spline with `apart` values between its five weights; beyond the ends as
/// there.
fn smoothed(values: &[[f32; 3]], apart: usize) -> Vec<[f32; 3]> {
    let (first, last) = (values[0], values[values.len() - 1]);
    let mut wide = vec![first; 2 * apart];
    wide.extend_from_slice(values);
    wide.resize(values.len() + 4 * apart, last);
    let five = wide
        .iter()
        .zip(&wide[apart..])
        .zip(&wide[2 * apart..])
        .zip(&wide[3 * apart..])
        .zip(&wide[4 * apart..]);
    five.map(|((((c, a), at), b), d)| {
        [0, 1, 2].map(|of| 0.375 * at[of] + 0.25 * (a[of] + b[of]) + 0.0625 * (c[of] + d[of]))
    })
    .collect()
}
