//! A stitch without creases: changes that blend all seams in reach with smooth weights.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Run;
use super::chain::{Chain, Link, chains};
use super::seam::{Plan, Seam, Side, Stations, finite};
use super::{Change, Nearest};

/// Below this part of a sample's spacing distances do not matter.
const TINY: f64 = 1e-6;

/// What samples need of the plan.
///
/// On a border a field changes by its part of the difference; near where it ends, smoothly, by what makes all fields there meet. Away from it the
/// difference is smoothed along the border the wider the farther, as solutions of Laplace's equation are, so that no streaks stand on it;
/// and changes fall to 0 at Distance, where they are level. All seams that a sample can see are blended by 1/n² of their distances n: on
/// a seam it alone counts, across a Separator they change places without a crease.
///
/// A border is all seams in a row between two fields, so that it does not matter with how many nodes it was drawn.
///
/// Both sides' differences fall from the seam by the same slope, so that a step becomes one slope across it and not two with a terrace between.
/// What ends of borders add has the same sign on both sides, and is level across the seam: no ridge stands on it. It falls off late, since what it tells of, the
/// next border, is seen there by itself.
pub struct Smooth<'a> {
    plan: &'a Plan<'a>,
    links: Vec<Link>,
    /// Per border, what its left and its right field need.
    tables: Vec<Option<[Table; 2]>>,
}

impl<'a> Smooth<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain) -> Self {
        let (chains, links) = chains(&plan.seams);
        let matters = |chain: &Chain| {
            chain.seams.iter().any(|(seam, _)| plan.matters(&plan.seams[*seam as usize], domain))
        };
        let of_side = |chain: &Chain, side| Table::new(plan, chain, &links, side);
        let table = |chain: &Chain| matters(chain).then(|| [0, 1].map(|side| of_side(chain, side)));
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
#[derive(Clone, Copy, Debug)]
struct Blend {
    sum: f64,
    weights: f64,
    /// How little of any seam can be seen.
    unseen: f64,
}

impl Default for Blend {
    fn default() -> Self {
        Self { sum: 0.0, weights: 0.0, unseen: 1.0 }
    }
}

impl Blend {
    fn change(&self) -> f64 {
        if self.weights > 0.0 { self.sum / self.weights * (1.0 - self.unseen) } else { 0.0 }
    }
}

/// A field's change along a border: its part of the difference, from one end's to the other's with level ends and what is left, smoothed to
/// several levels; and what the nodes at its ends add. A border that is closed has no ends, and all is left.
struct Table {
    length: f64,
    /// Between stations.
    step: f64,
    ends: [f64; 2],
    nodes: [f64; 2],
    /// How far along the border nodes reach.
    reach: f64,
    /// Stations before the first, where smoothing spreads.
    before: usize,
    levels: usize,
    /// Station by station, all levels.
    rest: Vec<f32>,
    spacing: f64,
}

impl Table {
    fn new(plan: &Plan<'_>, chain: &Chain, links: &[Link], side: usize) -> Self {
        let stations = Stations::along(chain.length, plan.spacing);
        let change = |station: usize| {
            let along =
                if station + 1 == stations.count { chain.length } else { station as f64 * stations.step };
            let (number, at) = chain.at(along, &plan.seams, links);
            let (seam, own) = (&plan.seams[number as usize], links[number as usize].side(side));
            let heights = plan.heights(seam, at);
            seam.sides[own].part * finite(heights[1 - own] - heights[own])
        };
        let changes: Vec<f64> = (0..stations.count).map(change).collect();
        let far = |of: fn(f64, f64) -> f64, start: f64, of_sides: &[usize]| {
            let sides = chain.seams.iter().flat_map(|&(seam, _)| {
                let own = links[seam as usize].side(side);
                of_sides.iter().map(move |&other| plan.seams[seam as usize].sides[own ^ other].distance)
            });
            sides.fold(start, of)
        };
        let distance = far(f64::max, 0.0, &[0]);
        // Both fields come back from their meeting at a node alike.
        let reach = far(f64::min, chain.length, &[0, 1]);
        let (ends, nodes) = if chain.closed {
            ([0.0; 2], [0.0; 2])
        } else {
            let ends = [changes[0], changes[stations.count - 1]];
            let meets = |end: usize| {
                let change =
                    plan.meetings.as_ref().map(|all| all.change(chain.nodes[end], chain.fields[side]));
                change.map_or(0.0, |change| change - ends[end])
            };
            (ends, [0, 1].map(meets))
        };
        // A border shorter than half a sample has stations at its ends alone, however near these are, and nothing left that could spread.
        let spread = (distance / stations.step).min(4.0 * distance / plan.spacing);
        let before = libm::ceil(spread) as usize + 2;
        let rest_of = |station: usize| {
            let across = rise(station as f64 / (stations.count - 1) as f64);
            (changes[station] - (ends[0] + (ends[1] - ends[0]) * across)) as f32
        };
        let levels = octave(distance / plan.spacing).0 + 2;
        let length = stations.count + 2 * before;
        // Around a border that is closed the last station is the first again; beside one that is not there is nothing left.
        let around = stations.count - 1;
        let mut level: Vec<f32> = match chain.closed {
            true => (0..around).map(rest_of).collect(),
            false => {
                let padding = std::iter::repeat_n(0.0, before);
                padding.clone().chain((0..stations.count).map(rest_of)).chain(padding).collect()
            }
        };
        let mut rest = vec![0.0; levels * length];
        for octave in 0..levels {
            if octave > 0 {
                level = smoothed(&level, 1 << octave, chain.closed);
            }
            for station in 0..length {
                let from = if chain.closed { (station + before * (around - 1)) % around } else { station };
                rest[station * levels + octave] = level[from];
            }
        }
        let spacing = plan.spacing;
        Self { length: chain.length, step: stations.step, ends, nodes, reach, before, levels, rest, spacing }
    }

    /// Adds this seam's change to samples in a row.
    fn add(&self, seam: &Seam, link: &Link, side: usize, xs: &[f64], y: f64, blends: &mut [Blend]) {
        let distance = seam.sides[side].distance;
        let (tiny, per_distance, per_spacing) = (TINY * self.spacing, 1.0 / distance, 1.0 / self.spacing);
        let (per_length, per_step, steep) = (1.0 / self.length, 1.0 / self.step, steep(seam, side));
        for (&x, blend) in xs.iter().zip(blends) {
            let seen = seam.line.see(side, (x, y));
            let near = seen.square.sqrt();
            if near >= distance {
                continue;
            }
            // Before the seam 1, straight beyond an end a half, behind the seam 0.
            let front = 0.5 + 0.5 * (seen.before + tiny) / (near + tiny);
            let sight = rise(2.0 * front);
            let far = near * per_distance;
            let fall = 1.0 - rise(far);
            let slope = fall - steep * far * (1.0 - far) * (1.0 - far);
            let weight = beside(front) * fall / (seen.square + tiny * tiny);
            let place = link.along(seam, seen.along + seen.past);
            let along = place.clamp(0.0, self.length);
            let ends = self.ends[0] + (self.ends[1] - self.ends[0]) * rise(along * per_length);
            let rest = self.rest(place * per_step, near * per_spacing);
            let nodes = self.nodes[0] * self.near(along) + self.nodes[1] * self.near(self.length - along);
            blend.sum += weight * (slope * (ends + rest) + (1.0 - rise(far * far)) * nodes);
            blend.weights += weight;
            blend.unseen *= 1.0 - sight;
        }
    }

    /// How much of an end's addition there is so far along from it: as differences fall away from their border, since it is what other borders that
    /// end there ask for.
    #[inline(always)]
    fn near(&self, apart: f64) -> f64 {
        let far = apart / self.reach;
        if far < 1.0 { 1.0 - rise(far) - 1.5 * far * (1.0 - far) * (1.0 - far) } else { 0.0 }
    }

    /// What is left at a place along the seam, in stations, smoothed for a distance from it, in samples.
    #[inline(always)]
    fn rest(&self, along: f64, distance: f64) -> f64 {
        let (octave, within) = octave(distance);
        let across = rise(within);
        let place = (along + self.before as f64).max(0.0);
        let station = place as usize;
        let part = place - station as f64;
        let first = station * self.levels + octave;
        let (Some(here), Some(next)) =
            (self.rest.get(first..first + 2), self.rest.get(first + self.levels..first + self.levels + 2))
        else {
            return 0.0;
        };
        let level = |pair: &[f32]| f64::from(pair[0]) + (f64::from(pair[1]) - f64::from(pair[0])) * across;
        let (here, next) = (level(here), level(next));
        here + (next - here) * part
    }
}

/// The slope of a side's difference at the seam, so that it is the lesser of both sides' own: three halves, which is no bend at all, where both
/// sides are alike.
fn steep(seam: &Seam, side: usize) -> f64 {
    let slopes =
        seam.sides.map(|Side { part, distance, .. }| if distance > 0.0 { part / distance } else { 0.0 });
    if slopes[side] > 0.0 { 1.5 * slopes[0].min(slopes[1]) / slopes[side] } else { 0.0 }
}

/// How much a seam counts beside others whose ends it shares: its sixteenth power lets it give way to the next one soon beyond the end, so
/// that a border of many short seams is followed without a dimple at each node.
#[inline(always)]
fn beside(front: f64) -> f64 {
    let fourth = front * front * front * front;
    fourth * fourth * fourth * fourth
}

/// From 0 at 0 to 1 at 1, level at both, and so beyond.
#[inline(always)]
pub fn rise(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    x * x * (3.0 - 2.0 * x)
}

/// The whole part of log₂(1 + x), and how far in a straight line 1 + x is to the next power.
#[inline(always)]
fn octave(x: f64) -> (usize, f64) {
    let bits = (1.0 + x).to_bits();
    let mantissa = f64::from_bits(bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000);
    (((bits >> 52) as usize & 0x7FF) - 1023, mantissa - 1.0)
}

/// Values smoothed by a cubic B-spline with `apart` values between its five weights; 0 beyond, or around.
fn smoothed(values: &[f32], apart: usize, around: bool) -> Vec<f32> {
    let count = values.len();
    let at = |index: usize, by: usize, back: bool| match (around, back) {
        (true, true) => values[(index + count * (by / count + 1) - by) % count],
        (true, false) => values[(index + by) % count],
        (false, true) => index.checked_sub(by).map_or(0.0, |index| values[index]),
        (false, false) => values.get(index + by).copied().unwrap_or(0.0),
    };
    (0..count)
        .map(|i| {
            let pair = |apart: usize| at(i, apart, true) + at(i, apart, false);
            0.375 * values[i] + 0.25 * pair(apart) + 0.0625 * pair(2 * apart)
        })
        .collect()
}
