//! How rain dissolves ground, and how much.

use crate::Boundary;
use crate::erosion::visited::Visited;

/// How water and sediment are moved. The published schemes leave samples on the map's border unvisited
/// ([`Visited::Inside`]): no rain falls there, and nothing flows off, evaporates or settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HydraulicScheme {
    /// The paper's text: every lower one of the eight neighbours gets a share, all samples at once, through
    /// maps of differences.
    Reference,
    /// The paper's fast variant: all to the lowest of the four neighbours on a side, no map of sediment, in
    /// place, in index order.
    Fast,
    /// What the program behind the paper's figures does for its Reference.
    Published,
    /// What that program does for its fast variant: water dissolves and leaves as much ground as there is of
    /// it, and evaporation takes its share of what was there before water flowed off.
    PublishedFast,
}

impl HydraulicScheme {
    /// Whether it is what the program behind the paper's figures does, not its text.
    pub(super) const fn published(self) -> bool {
        matches!(self, Self::Published | Self::PublishedFast)
    }

    /// Which samples it visits.
    pub(super) const fn visited(self) -> Visited {
        if self.published() { Visited::Inside } else { Visited::All }
    }
}

/// Parameters of [`hydraulic_erosion`](super::hydraulic_erosion).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hydraulic {
    /// Water that falls on each sample in an iteration, the paper's Kr, in world units.
    pub rain: f32,
    /// Ground that water dissolves in an iteration, over the water, the paper's Ks.
    pub solubility: f32,
    /// Share of the water that evaporates in an iteration, the paper's Ke.
    pub evaporation: f32,
    /// Sediment that water can carry, over the water, the paper's Kc.
    pub capacity: f32,
    /// Iterations.
    pub iterations: u32,
    /// How water and sediment are moved.
    pub scheme: HydraulicScheme,
    /// What lies beyond the border.
    pub boundary: Boundary,
}
