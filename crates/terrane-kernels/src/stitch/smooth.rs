//! A stitch without creases: changes that blend all seams in reach with smooth weights.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Run;
use super::border::Borders;
use super::chain::{Chain, Link, chains};
use super::nearness::{Nearness, rise};
use super::seam::{Plan, Seam, Side, Stations};
use super::{Change, Nearest};

/// What samples need of the plan.
///
/// On a border a field changes as [`Borders`] says. Away from it changes are the mean of those on all seams in reach, weighted by
/// their [`Nearness`]: on a seam it alone counts, and across a Separator they change places without a crease. The mean falls to 0 at Distance from
/// the nearest, where it is level.
///
/// What is on a seam is smoothed along its border the wider the farther it is seen from, as solutions of Laplace's equation are, so that no streaks
/// stand on it. A border is all seams in a row between two fields, so that it does not matter with how many nodes it was drawn.
///
/// Both sides' differences fall from the seam by the same slope, so that a step becomes one slope across it and not two with a terrace between.
/// What other fields add has the same sign on both sides, and is level across the seam: no ridge stands on it.
pub struct Smooth<'a> {
    plan: &'a Plan<'a>,
    links: Vec<Link>,
    /// Per border, what its left and its right field need.
    tables: Vec<Option<[Table; 2]>>,
}

impl<'a> Smooth<'a> {
    pub fn new(borders: &Borders<'a>, domain: &Domain) -> Self {
        let plan = borders.plan();
        let (chains, links) = chains(&plan.seams);
        let matters = |chain: &Chain| {
            chain.seams.iter().any(|(seam, _)| plan.matters(&plan.seams[*seam as usize], domain))
        };
        let table = |chain: &Chain| matters(chain).then(|| Table::both(borders, chain, &links));
        let tables = chains.par_iter().map(table).collect();
        Self { plan, links, tables }
    }
}

impl Change for Smooth<'_> {
    fn change(&self, run: &Run<'_>, sides: &[(u32, u32)], _: &Nearest, changes: &mut [f64]) {
        let mut blends = vec![Blend::default(); run.columns.len()];
        for &(_, who) in sides {
            let (index, side) = (who as usize / 2, who as usize % 2);
            let (seam, link) = (&self.plan.seams[index], &self.links[index]);
            let distance = seam.sides[side].distance;
            let (Some(tables), Some(span)) =
                (&self.tables[link.chain as usize], seam.line.span(run.y, distance))
            else {
                continue;
            };
            if distance <= 0.0 {
                continue;
            }
            let columns = run.between(span);
            let blends = &mut blends[columns.start - run.columns.start..columns.end - run.columns.start];
            tables[link.side(side)].add(seam, link, side, &run.xs[columns], run.y, blends);
        }
        for (change, blend) in changes.iter_mut().zip(&blends) {
            *change = blend.change();
        }
    }
}

/// Changes by several seams.
#[derive(Clone, Copy, Debug, Default)]
struct Blend {
    near: Nearness,
    /// All changes, and those of them that are steep at the seam.
    sum: f64,
    steep: f64,
}

impl Blend {
    #[inline(always)]
    fn change(&self) -> f64 {
        let far = self.near.distance();
        if far < 1.0 {
            ((1.0 - rise(far)) * self.sum - far * (1.0 - far) * (1.0 - far) * self.steep) / self.near.third
        } else {
            0.0
        }
    }
}

/// What moves a field at a place: its part of the difference, and what other fields add.
type Pair = [f32; 2];

/// A field's change along a border, from one end's to the other's with level ends and what is left, smoothed to several levels. A border that is
/// closed has no ends, and all is left.
struct Table {
    length: f64,
    /// Between stations.
    step: f64,
    ends: [[f64; 2]; 2],
    /// Stations before the first, where smoothing spreads.
    before: usize,
    levels: usize,
    /// Station by station, all levels.
    rest: Vec<Pair>,
    spacing: f64,
}

impl Table {
    /// Those of the border's left and right field.
    fn both(borders: &Borders<'_>, chain: &Chain, links: &[Link]) -> [Self; 2] {
        let plan = borders.plan();
        let stations = Stations::along(chain.length, plan.spacing);
        let moved = |station: usize| {
            let along =
                if station + 1 == stations.count { chain.length } else { station as f64 * stations.step };
            let (number, at) = chain.at(along, &plan.seams, links);
            let moved = borders.at(number as usize, at);
            [0, 1].map(|side| [moved.apart[links[number as usize].side(side)], moved.together])
        };
        let changes: Vec<[[f64; 2]; 2]> = (0..stations.count).map(moved).collect();
        [0, 1].map(|side| {
            let distances = chain
                .seams
                .iter()
                .map(|&(seam, _)| plan.seams[seam as usize].sides[links[seam as usize].side(side)].distance);
            let changes = changes.iter().map(|both| both[side]).collect();
            Self::new(chain, stations, changes, distances.fold(0.0, f64::max), plan.spacing)
        })
    }

    fn new(chain: &Chain, stations: Stations, changes: Vec<[f64; 2]>, distance: f64, spacing: f64) -> Self {
        let ends = match chain.closed {
            true => [[0.0; 2]; 2],
            false => [changes[0], changes[stations.count - 1]],
        };
        // A border shorter than half a sample has stations at its ends alone, however near these are, and nothing left that could spread.
        let spread = (distance / stations.step).min(4.0 * distance / spacing);
        let before = libm::ceil(spread) as usize + 2;
        let rest_of = |station: usize| {
            let across = rise(station as f64 / (stations.count - 1) as f64);
            [0, 1].map(|i| (changes[station][i] - (ends[0][i] + (ends[1][i] - ends[0][i]) * across)) as f32)
        };
        let levels = octave(distance / spacing).0 + 2;
        let length = stations.count + 2 * before;
        // Around a border that is closed the last station is the first again; beside one that is not there is nothing left.
        let around = stations.count - 1;
        let mut level: Vec<Pair> = match chain.closed {
            true => (0..around).map(rest_of).collect(),
            false => {
                let padding = std::iter::repeat_n([0.0; 2], before);
                padding.clone().chain((0..stations.count).map(rest_of)).chain(padding).collect()
            }
        };
        let mut rest = vec![[0.0; 2]; levels * length];
        for octave in 0..levels {
            if octave > 0 {
                level = smoothed(&level, 1 << octave, chain.closed);
            }
            for station in 0..length {
                let from = if chain.closed { (station + before * (around - 1)) % around } else { station };
                rest[station * levels + octave] = level[from];
            }
        }
        Self { length: chain.length, step: stations.step, ends, before, levels, rest, spacing }
    }

    /// Adds this seam's change to samples in a row.
    fn add(&self, seam: &Seam, link: &Link, side: usize, xs: &[f64], y: f64, blends: &mut [Blend]) {
        let (per_distance, per_spacing) = (1.0 / seam.sides[side].distance, 1.0 / self.spacing);
        let (per_length, per_step, steep) = (1.0 / self.length, 1.0 / self.step, steep(seam, side));
        for (&x, blend) in xs.iter().zip(blends) {
            let seen = seam.line.see(side, (x, y));
            let near = Nearness::of(&seam.line, &seen, per_distance);
            if near.third <= 0.0 {
                continue;
            }
            let place = link.along(seam, seen.along + seen.past);
            let across = rise(place * per_length);
            let rest = self.rest(place * per_step, seen.square.sqrt() * per_spacing);
            let of = |i: usize| self.ends[0][i] + (self.ends[1][i] - self.ends[0][i]) * across + rest[i];
            let apart = of(0);
            blend.sum += near.third * (apart + of(1));
            blend.steep += near.third * steep * apart;
            blend.near += near;
        }
    }

    /// What is left at a place along the seam, in stations, smoothed for a distance from it, in samples.
    #[inline(always)]
    fn rest(&self, along: f64, distance: f64) -> [f64; 2] {
        let (octave, within) = octave(distance);
        // A quadratic B-spline over three levels: from one to the next neither crease nor terrace.
        let (low, high) = (0.5 * (1.0 - within) * (1.0 - within), 0.5 * within * within);
        let weights = [low, 1.0 - low - high, high];
        let place = (along + self.before as f64).max(0.0);
        let station = place as usize;
        let part = place - station as f64;
        let first = station * self.levels;
        let (Some(here), Some(next)) = (
            self.rest.get(first..first + self.levels),
            self.rest.get(first + self.levels..first + 2 * self.levels),
        ) else {
            return [0.0; 2];
        };
        let at = [octave.saturating_sub(1), octave, octave + 1];
        let level = |levels: &[Pair], i: usize| {
            at.iter().zip(weights).map(|(&at, weight)| weight * f64::from(levels[at][i])).sum::<f64>()
        };
        [0, 1].map(|i| level(here, i) + (level(next, i) - level(here, i)) * part)
    }
}

/// The slope of a side's difference at the seam, so that it is the lesser of both sides' own: three halves, which is no bend at all, where both
/// sides are alike.
fn steep(seam: &Seam, side: usize) -> f64 {
    let slopes =
        seam.sides.map(|Side { part, distance, .. }| if distance > 0.0 { part / distance } else { 0.0 });
    if slopes[side] > 0.0 { 1.5 * slopes[0].min(slopes[1]) / slopes[side] } else { 0.0 }
}

/// The whole part of log₂(1 + x), and how far in a straight line 1 + x is to the next power.
#[inline(always)]
fn octave(x: f64) -> (usize, f64) {
    let bits = (1.0 + x).to_bits();
    let mantissa = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000);
    (((bits >> 52) as usize & 0x7FF) - 1023, mantissa - 1.0)
}

/// Values smoothed by a cubic B-spline with `apart` values between its five weights; 0 beyond, or around.
fn smoothed(values: &[Pair], apart: usize, around: bool) -> Vec<Pair> {
    let count = values.len();
    let at = |index: usize, by: usize, back: bool| match (around, back) {
        (true, true) => values[(index + count * (by / count + 1) - by) % count],
        (true, false) => values[(index + by) % count],
        (false, true) => index.checked_sub(by).map_or([0.0; 2], |index| values[index]),
        (false, false) => values.get(index + by).copied().unwrap_or([0.0; 2]),
    };
    (0..count)
        .map(|i| {
            let around = [(apart, true), (apart, false), (2 * apart, true), (2 * apart, false)];
            let [a, b, c, d] = around.map(|(apart, back)| at(i, apart, back));
            [0, 1].map(|of| 0.375 * values[i][of] + 0.25 * (a[of] + b[of]) + 0.0625 * (c[of] + d[of]))
        })
        .collect()
}
