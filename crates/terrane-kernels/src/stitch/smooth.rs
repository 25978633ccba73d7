//! A stitch without creases: changes that blend all seams in reach with smooth weights.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Run;
use super::outline::Point;
use super::seam::{Plan, Seam, Side, Stations, finite};
use super::{Change, Nearest};

/// Below this part of a sample's spacing distances do not matter.
const TINY: f64 = 1e-6;

/// What samples need of the plan.
///
/// On a seam a field changes by its part of the difference; near a node, smoothly, by what makes all fields there meet. Away from it the
/// difference is smoothed along the seam the wider the farther, as solutions of Laplace's equation are, so that no streaks stand on the
/// seam; and changes fall to 0 at Distance, where they are level. All seams that a sample can see are blended by 1/n² of their distances n: on
/// a seam it alone counts, across a Separator they change places without a crease.
///
/// Both sides' differences fall from the seam by the same slope, so that a step becomes one slope across it and not two with a terrace between.
/// What nodes add has the same sign on both sides, and starts level: no ridge stands on the seam.
pub struct Smooth<'a> {
    plan: &'a Plan<'a>,
    tables: Vec<Option<[Table; 2]>>,
}

impl<'a> Smooth<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain) -> Self {
        let table =
            |seam: &Seam| plan.matters(seam, domain).then(|| [0, 1].map(|side| Table::new(plan, seam, side)));
        Self { plan, tables: plan.seams.par_iter().map(table).collect() }
    }
}

impl Change for Smooth<'_> {
    fn change(&self, run: &Run<'_>, sides: &[(u32, u32)], _: &Nearest, changes: &mut [f64]) {
        let mut blends = vec![Blend::default(); run.columns.len()];
        for &(_, who) in sides {
            let (index, side) = (who as usize / 2, who as usize % 2);
            let seam = &self.plan.seams[index];
            let distance = seam.sides[side].distance;
            let (Some(tables), Some(span)) = (&self.tables[index], seam.line.span(run.y, distance)) else {
                continue;
            };
            let columns = run.between(span);
            let blends = &mut blends[columns.start - run.columns.start..columns.end - run.columns.start];
            tables[side].add(seam, side, &run.xs[columns], run.y, blends);
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

/// A field's change along a seam: its part of the difference, from one end's to the other's with level ends and what is left, smoothed to
/// several levels; and what the nodes at its ends add.
struct Table {
    stations: Stations,
    ends: [f64; 2],
    nodes: [f64; 2],
    /// How far along the seam nodes reach.
    reach: f64,
    /// How steeply the difference falls at the seam, in parts of it a Distance.
    steep: f64,
    /// Stations before the first, where smoothing spreads.
    before: usize,
    levels: usize,
    /// Station by station, all levels.
    rest: Vec<f32>,
    spacing: f64,
}

impl Table {
    fn new(plan: &Plan<'_>, seam: &Seam, side: usize) -> Self {
        let stations = Stations::new(seam, plan.spacing);
        let Side { field, distance, part } = seam.sides[side];
        let change = |at: Point| {
            let heights = plan.heights(seam, at);
            part * finite(heights[1 - side] - heights[side])
        };
        let changes: Vec<f64> = stations.places(seam).map(|(_, at)| change(at)).collect();
        let ends = [changes[0], changes[stations.count - 1]];
        let nodes = [0, 1].map(|end| {
            let change = plan.meetings.as_ref().map(|meetings| meetings.change(seam.nodes[end], field));
            change.map_or(0.0, |change| change - ends[end])
        });
        // Both fields come back from their meeting at a node alike.
        let reach = seam.sides[0].distance.min(seam.sides[1].distance).min(seam.line.length);
        let before = libm::ceil(distance / stations.step) as usize + 2;
        let length = stations.count + 2 * before;
        let mut level = vec![0.0f32; length];
        for (station, change) in changes.iter().enumerate() {
            let across = rise(station as f64 / (stations.count - 1) as f64);
            level[before + station] = (change - (ends[0] + (ends[1] - ends[0]) * across)) as f32;
        }
        let levels = octave(distance / plan.spacing).0 + 2;
        let mut rest = vec![0.0; levels * length];
        for octave in 0..levels {
            if octave > 0 {
                level = smoothed(&level, 1 << octave);
            }
            level.iter().enumerate().for_each(|(station, &value)| rest[station * levels + octave] = value);
        }
        Self {
            stations,
            ends,
            nodes,
            reach,
            steep: steep(seam, side),
            before,
            levels,
            rest,
            spacing: plan.spacing,
        }
    }

    /// Adds this seam's change to samples in a row.
    fn add(&self, seam: &Seam, side: usize, xs: &[f64], y: f64, blends: &mut [Blend]) {
        let distance = seam.sides[side].distance;
        let (tiny, per_distance, per_spacing) = (TINY * self.spacing, 1.0 / distance, 1.0 / self.spacing);
        let (per_length, per_step) = (1.0 / seam.line.length, 1.0 / self.stations.step);
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
            let slope = fall - self.steep * far * (1.0 - far) * (1.0 - far);
            let weight = beside(front) * fall / (seen.square + tiny * tiny);
            let ends = self.ends[0] + (self.ends[1] - self.ends[0]) * rise(seen.along * per_length);
            let rest = self.rest((seen.along + seen.past) * per_step, near * per_spacing);
            let nodes = self.nodes[0] * self.near(seen.along)
                + self.nodes[1] * self.near(seam.line.length - seen.along);
            blend.sum += weight * (slope * (ends + rest) + fall * nodes);
            blend.weights += weight;
            blend.unseen *= 1.0 - sight;
        }
    }

    /// How much of a node's addition there is so far along from it.
    #[inline(always)]
    fn near(&self, apart: f64) -> f64 {
        if apart < self.reach { 1.0 - rise(apart / self.reach) } else { 0.0 }
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

/// Values smoothed by a cubic B-spline with `apart` values between its five weights; 0 beyond.
fn smoothed(values: &[f32], apart: usize) -> Vec<f32> {
    let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
    (0..values.len())
        .map(|i| {
            let pair = |apart: usize| at(i.wrapping_sub(apart)) + at(i + apart);
            0.375 * values[i] + 0.25 * pair(apart) + 0.0625 * pair(2 * apart)
        })
        .collect()
}
