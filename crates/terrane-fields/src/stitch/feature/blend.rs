//! How edges change a sample.

use super::super::nearness::rise;
use super::begin::Share;
use super::parameters::Feature;
use super::rows::Nearest;

/// Maximum share of a bed beside its level middle: the largest single-precision number below 1, so that a
/// mask distinguishes the middle from its banks.
const BESIDE: f64 = 1.0 - 1.0 / (1u32 << 24) as f64;

/// The centre line of an edge.
#[derive(Clone, Debug, PartialEq)]
pub enum Middle {
    /// Higher than the local ground by this much.
    Higher(f64),
    /// A straight line between heights at both ends.
    Line([f64; 2]),
    /// The bed of a river: heights along the edge, linear between.
    Bed(Vec<(f64, f64)>),
}

impl Middle {
    /// The bed's height at a distance along; infinite, so that nothing is lowered, where no height is
    /// known.
    pub fn bed(heights: &[(f64, f64)], along: f64) -> f64 {
        let next = heights.partition_point(|&(at, _)| at <= along);
        let Some(&(end, to)) = heights.get(next) else {
            return heights.last().map_or(f64::INFINITY, |last| last.1);
        };
        match next.checked_sub(1).map(|before| heights[before]) {
            Some((start, from)) => from + (to - from) * ((along - start) / (end - start)),
            None => to,
        }
    }
}

/// How an edge changes samples.
pub struct Change<'a> {
    pub feature: &'a Feature<'a>,
    pub middle: &'a Middle,
    pub share: &'a Share,
    /// The edge's length.
    pub length: f64,
    /// Distance from the middle at which the cross-section ends.
    pub reach: f64,
    /// Distance from the middle at which the cross-section begins.
    pub level: f64,
}

impl Change<'_> {
    /// The change of a height at full strength.
    fn whole(&self, along: f64, height: f64) -> f64 {
        match self.middle {
            Middle::Higher(size) => *size,
            Middle::Line([a, b]) => (a + (b - a) * (along / self.length) - height).max(0.0),
            Middle::Bed(heights) => (Middle::bed(heights, along) - height).min(0.0),
        }
    }
}

/// Combines several edges at a sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blend {
    sum: f64,
    weights: f64,
    /// The maximum share of any edge.
    part: f64,
    /// The lowest bed whose middle is here.
    bed: Option<f64>,
}

impl Blend {
    pub fn add(&mut self, change: &Change<'_>, nearest: Nearest, height: f64) {
        let beyond = nearest.square.sqrt() - change.level;
        let mut share = BESIDE;
        if let Middle::Bed(heights) = change.middle {
            if beyond <= 0.0 {
                let bed = Middle::bed(heights, nearest.along);
                self.bed = Some(self.bed.map_or(bed, |other| other.min(bed)));
                self.part = 1.0;
                return;
            }
        } else {
            share = change.share.at(nearest.along);
        }
        let part = share * cross_section(change.feature.profile, beyond / (change.reach - change.level));
        if part > 0.0 {
            let weight = part / (beyond * beyond + 1e-9 * change.reach * change.reach);
            self.sum += weight * change.whole(nearest.along, height);
            self.weights += weight;
            self.part = self.part.max(part);
        }
    }

    /// Changes a height and returns the share of the change.
    pub fn apply(&self, height: &mut f32) -> f32 {
        if let Some(bed) = self.bed {
            *height = if f64::from(*height) > bed { bed as f32 } else { *height };
        } else if self.part > 0.0 {
            // Rounded once, so that no bank is below the bed beside it.
            *height = (f64::from(*height) + self.part * (self.sum / self.weights)) as f32;
        }
        self.part as f32
    }
}

/// The share of the change at a position between the middle, 0, and the side, 1.
fn cross_section(profile: &[(f64, f64)], position: f64) -> f64 {
    if position >= 1.0 {
        return 0.0;
    }
    let Some(&first) = profile.first() else { return 1.0 - rise(position) };
    let mut before = (0.0, first.1);
    for &(at, part) in profile.iter().chain([&(1.0, 0.0)]) {
        if position < at {
            return before.1 + (part - before.1) * ((position - before.0) / (at - before.0));
        }
        before = (at, part);
    }
    before.1
}
