//! Parameters of features: width, height and course.

use terrane_grid::{Domain, Seed};

/// Maximum half-width of a bed's level middle, in samples.
const MIDDLE: f64 = 8.0;

/// The reference for a feature's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Crest {
    /// A line without bumps. A ridge only raises the ground. Its crest is a straight line that is `size`
    /// above the ground at both ends of an edge. A river's bed only lowers the ground. It follows the
    /// ground along the edge, and is deeper across a slope and where water could not flow otherwise.
    Even,
    /// The ground at each sample, so that its bumps remain.
    Ground,
}

/// How courses of edges meander beside the straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// Fraction of the room beside an edge that its course takes, up to 1; at 0 it is straight.
    pub amount: f64,
    /// Length of a full bend to both sides, in world units. A course never leaves the straight line by more
    /// than a quarter of this length.
    pub length: f64,
    /// A different seed gives different bends.
    pub seed: Seed,
}

/// No bend: the straight line.
impl Default for Bend {
    fn default() -> Self {
        Self { amount: 0.0, length: 100.0, seed: Seed(0) }
    }
}

/// The rivers or ridges that [`trace`](super::trace) builds.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature<'a> {
    /// Numbers of edges.
    pub edges: &'a [u32],
    /// Height of the middle above its crest, in world units; negative for a bed.
    pub size: f64,
    /// Width from side to side, in world units. A minimum of four samples is enforced, so that the feature
    /// stays connected.
    pub width: f64,
    /// The cross-section from the middle, 0, to the side, 1: pairs of an increasing position and the share
    /// of the change, which ends at 0. It is linear in between. If empty, it is a smooth step.
    pub profile: &'a [(f64, f64)],
    /// The reference for the size.
    pub crest: Crest,
    /// How edges meander.
    pub bend: Bend,
    /// Minimum fall of a bed of an even crest, per unit of its route.
    pub fall: f64,
    /// Maximum cut of a bed of an even crest below its size, as a fraction of its width.
    pub deepest: f64,
}

impl Default for Feature<'_> {
    /// A river's bed; `edges` and `profile` are empty.
    fn default() -> Self {
        Self {
            edges: &[],
            size: -5.0,
            width: 20.0,
            profile: &[],
            crest: Crest::Even,
            bend: Bend::default(),
            fall: 0.001,
            deepest: 0.5,
        }
    }
}

impl Feature<'_> {
    /// Whether the feature is a river bed.
    pub(super) fn is_bed(&self) -> bool {
        self.crest == Crest::Even && self.size < 0.0
    }

    /// Its half-width.
    pub(super) fn reach(&self, domain: &Domain) -> f64 {
        (self.width / 2.0).max(2.0 * domain.spacing)
    }

    /// The half-width of a bed's level middle; 0 for all other features.
    pub(super) fn middle(&self, domain: &Domain) -> f64 {
        // Bounded, because points are stored for each sample of the level middle.
        let part = (self.reach(domain) / 4.0).min(MIDDLE * domain.spacing);
        if self.is_bed() { domain.spacing.max(part) } else { 0.0 }
    }
}
