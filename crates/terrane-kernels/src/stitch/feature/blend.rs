//! What edges make of a sample.

use super::super::nearness::rise;
use super::bed::Profile;
use super::{Crest, Feature, Nearest};

/// What an edge makes of samples.
pub struct Change<'a> {
    pub feature: &'a Feature<'a>,
    pub profile: &'a Profile,
    /// The edge's length.
    pub length: f64,
    /// How far from its middle a bed is level; less than 0 where no bed is.
    pub middle: f64,
}

impl Change<'_> {
    /// How much higher than its crest the middle is, so far along.
    fn size(&self, along: f64) -> f64 {
        let (feature, over) = (self.feature, self.feature.width.min(self.length));
        let from = [along, self.length - along];
        let ends = (0..2).filter(|&end| self.profile.ends[end]);
        ends.fold(feature.size, |size, end| size * rise(from[end] / over))
    }

    /// The height of the middle of an even crest.
    pub fn even(&self, along: f64) -> f64 {
        let [a, b] = self.profile.levels;
        (a + (b - a) * (along / self.length) + self.size(along)).min(self.profile.most_at(along))
    }

    /// The whole change of a height.
    fn whole(&self, along: f64, height: f64) -> f64 {
        match self.feature.crest {
            Crest::Ground => self.size(along),
            Crest::Even if self.feature.size < 0.0 => (self.even(along) - height).min(0.0),
            Crest::Even => (self.even(along) - height).max(0.0),
        }
    }
}

/// Several edges at a sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Blend {
    sum: f64,
    weights: f64,
    /// The greatest part of any.
    part: f64,
    /// The lowest bed that has its middle here.
    bed: Option<f64>,
}

impl Blend {
    pub fn add(&mut self, change: &Change<'_>, nearest: Nearest, height: f64) {
        let (reach, beyond) = (change.feature.reach(), nearest.square.sqrt() - change.middle.max(0.0));
        if change.middle >= 0.0 && beyond <= 0.0 {
            let bed = change.even(nearest.along);
            self.bed = Some(self.bed.map_or(bed, |other| other.min(bed)));
            self.part = 1.0;
            return;
        }
        let part = cross_section(change.feature.profile, beyond / (reach - change.middle.max(0.0)));
        if part > 0.0 {
            let weight = part / (beyond * beyond + 1e-9 * reach * reach);
            self.sum += weight * change.whole(nearest.along, height);
            self.weights += weight;
            self.part = self.part.max(part);
        }
    }

    /// Changes a height, and says by what part.
    pub fn apply(&self, height: &mut f32) -> f32 {
        if let Some(bed) = self.bed {
            *height = if f64::from(*height) > bed { bed as f32 } else { *height };
        } else if self.part > 0.0 {
            *height += (self.part * (self.sum / self.weights)) as f32;
        }
        self.part as f32
    }
}

/// What part of the change there is at a place between the middle, 0, and the side, 1.
fn cross_section(profile: &[(f64, f64)], place: f64) -> f64 {
    if place >= 1.0 {
        return 0.0;
    }
    let Some(&first) = profile.first() else { return 1.0 - rise(place) };
    let mut before = (0.0, first.1);
    for &(at, part) in profile.iter().chain([&(1.0, 0.0)]) {
        if place < at {
            return before.1 + (part - before.1) * ((place - before.0) / (at - before.0));
        }
        before = (at, part);
    }
    before.1
}
