//! What edges are made: how wide, how high, and how they wander.

use terrane_grid::{Domain, Seed};

/// The most samples to each side of its middle that a bed is level.
const MIDDLE: f64 = 8.0;

/// What a feature's size is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crest {
    /// A line without bumps. What has a size greater than 0 only raises ground, to a straight line between
    /// the ground's heights at both ends of the edge. A bed only lowers it, and follows the ground along the
    /// edge as far as water can run down it.
    Even,
    /// Each sample's own ground, whose shape stays.
    Ground,
}

/// How courses of edges wander to the side of the straight way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// How much of the room beside an edge its course takes, up to 1; at 0 it is straight.
    pub amount: f64,
    /// Length of a bend to both sides, in world units. No course leaves the straight way by more than a
    /// quarter of it.
    pub length: f64,
    /// Another one, other bends.
    pub seed: Seed,
}

/// No bend: the straight way.
impl Default for Bend {
    fn default() -> Self {
        Self { amount: 0.0, length: 100.0, seed: Seed(0) }
    }
}

/// What [`trace`](super::trace) makes of edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature<'a> {
    /// Numbers of edges.
    pub edges: &'a [u32],
    /// How much higher the middle is than its crest, in world units; negative for a bed.
    pub size: f64,
    /// Width from side to side, in world units. What is narrower than four samples is as wide as these, or it
    /// would not hang together.
    pub width: f64,
    /// The cross-section from the middle, 0, to the side, 1: what part of the change there is, 0 at last.
    /// Places rise; between them it is linear. Empty, it is a smooth step.
    pub profile: &'a [(f64, f64)],
    /// What the size is counted from.
    pub crest: Crest,
    /// How edges wander.
    pub bend: Bend,
    /// How much a bed of an even crest falls per unit of its way at least.
    pub fall: f64,
    /// How much deeper than its size a bed of an even crest is cut at most, as a part of its width.
    pub deepest: f64,
}

impl Feature<'_> {
    /// Whether water is to run down it.
    pub(super) fn is_bed(&self) -> bool {
        self.crest == Crest::Even && self.size < 0.0
    }

    /// How far to each side it goes.
    pub(super) fn reach(&self, domain: &Domain) -> f64 {
        (self.width / 2.0).max(2.0 * domain.spacing)
    }

    /// How far from its middle a bed is level; nothing else is.
    pub(super) fn middle(&self, domain: &Domain) -> f64 {
        // What places are kept for is bounded.
        let part = (self.reach(domain) / 4.0).min(MIDDLE * domain.spacing);
        if self.is_bed() { domain.spacing.max(part) } else { 0.0 }
    }
}
