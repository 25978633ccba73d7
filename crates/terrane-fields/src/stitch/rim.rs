//! Heights of both fields along borders.

use crate::parallel::collect;
use terrane_grid::Domain;

use super::chain::{Chain, Link, chains};
use super::outline::Point;
use super::seam::{Plan, Seam, Stations};

/// Maximum smoothing width as a fraction of the reach, as in `SeamView`.
const WIDEST: f64 = 0.29;

/// Heights of the field on the left and on the right.
type Pair = [f32; 2];

/// Heights of both fields along all borders in reach of a domain's samples, unsmoothed and smoothed to
/// several widths.
///
/// Heights on a seam are smoothed along its border: the farther from the seam they are read, the wider the
/// smoothing. Near the seam the width grows as fast as for solutions of Laplace's equation, so that no ribs
/// run from rough ground into smooth ground. Nothing is read from farther than Distance. A border is all
/// consecutive seams between two fields, so the number of nodes it was drawn with does not matter.
pub struct Rims {
    links: Vec<Link>,
    tables: Vec<Option<Table>>,
}

/// Heights of one border, at stations.
struct Table {
    /// Stations per unit of length.
    per_step: f64,
    /// Stations per unit of smoothing width.
    per_width: f64,
    /// Number of stations before the border's first one. Values repeat there or, on a closed border, continue
    /// around.
    before: usize,
    levels: usize,
    /// Heights at all levels of smoothing, station by station; 0 where either height is not a number.
    heights: Vec<Pair>,
    /// The fraction of each value that comes from numbers; `None` if every value comes from numbers alone.
    known: Option<Vec<f32>>,
}

/// Heights of a seam's left and right field, times the fraction that is known, and that fraction.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heights {
    pub sides: [f64; 2],
    pub known: f64,
}

impl Rims {
    /// Heights within reach of a domain's samples; `wide` enables smoothing.
    pub fn new(plan: &Plan<'_>, domain: &Domain, wide: bool) -> Self {
        let (chains, links) = chains(&plan.seams);
        let matters = |chain: &Chain| {
            chain.seams.iter().any(|(seam, _)| plan.matters(&plan.seams[*seam as usize], domain))
        };
        let table = |chain: &Chain| matters(chain).then(|| Table::new(plan, chain, &links, wide));
        let tables = collect(chains.len(), 1, |chain| table(&chains[chain]));
        Self { links, tables }
    }

    /// A view of a seam's border; `None` if no sample is in its reach.
    pub fn of(&self, seam: usize) -> Option<Rim<'_>> {
        let link = &self.links[seam];
        self.tables[link.chain as usize].as_ref().map(|table| Rim { link, table })
    }
}

/// A border as viewed from one of its seams.
#[derive(Clone, Copy)]
pub struct Rim<'a> {
    link: &'a Link,
    table: &'a Table,
}

impl Rim<'_> {
    /// Heights at a position along the seam or beyond its end, smoothed to a width.
    #[inline(always)]
    pub fn smooth(self, seam: &Seam, along: f64, width: f64) -> Heights {
        self.turned(self.table.smooth(self.link.along(seam, along), width))
    }

    /// Heights at a position along the seam.
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
        // Stations extend as far beyond an end as a point in reach needs. A border shorter than half a sample
        // has stations only at its ends, however close these are.
        let spread = (1.5 * plan.reach / stations.step).min(6.0 * plan.reach / plan.spacing);
        let before = libm::ceil(spread) as usize + 2;
        // A border shorter than a quarter of a sample has no more levels than others.
        let per_width = 1.0 / stations.step.max(0.25 * plan.spacing);
        // Smoothing never exceeds the width for this fraction of the reach.
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

    /// The station before a position along the border, and the fraction of the way to the next.
    #[inline(always)]
    fn station(&self, along: f64) -> (usize, f64) {
        let position = (along * self.per_step + self.before as f64).max(0.0);
        let station = (position as usize).min(self.heights.len() / self.levels - 2);
        let part = position - station as f64;
        (station, if part < 1.0 { part } else { 1.0 })
    }

    /// Unsmoothed heights.
    #[inline(always)]
    fn at(&self, along: f64) -> Heights {
        let (station, part) = self.station(along);
        self.mean(station, part, [(0, 1.0), (0, 0.0), (0, 0.0)])
    }

    /// Heights smoothed to a width.
    #[inline(always)]
    fn smooth(&self, along: f64, width: f64) -> Heights {
        let (station, part) = self.station(along);
        let (rung, within) = rung(width * self.per_width);
        // A quadratic B-spline over three levels: neither creases nor terraces between levels.
        let (low, high) = (0.5 * (1.0 - within) * (1.0 - within), 0.5 * within * within);
        let last = self.levels - 1;
        let levels = [rung.saturating_sub(1).min(last), rung.min(last), (rung + 1).min(last)];
        self.mean(station, part, [(levels[0], low), (levels[1], 1.0 - low - high), (levels[2], high)])
    }

    /// The mean of some levels between a station and the next.
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

/// Levels are smoothed by cubic B-splines over these numbers of stations: 1, which is no smoothing, 2, 3,
/// 4, 6, 8, 12 and so on. Returns the level for a width of 1 + x, and the linear fraction of the way to the
/// next.
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

/// Values smoothed by a cubic B-spline three values wide, the first width between powers of two.
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

/// Values smoothed by a cubic B-spline whose five weights are `apart` values apart; values repeat beyond
/// the ends.
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
