//! Parameters of hydraulic erosion.

use crate::Boundary;
use crate::erosion::visited::Visited;

/// How water and sediment move. The published schemes do not visit samples on the map's border
/// ([`Visited::Inside`]): there no rain falls, and nothing flows off, evaporates or settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HydraulicScheme {
    /// The paper's text: every lower one of the eight neighbours receives a share, all samples at once,
    /// through difference maps.
    Reference,
    /// The paper's fast variant: everything flows to the lowest of the four neighbours, without a sediment
    /// map, in place, in index order.
    Fast,
    /// The Reference variant of the program that made the paper's figures.
    Published,
    /// The fast variant of that program: water dissolves and deposits an amount of ground equal to its own,
    /// and evaporation is computed from the water before it flowed off.
    PublishedFast,
}

impl HydraulicScheme {
    /// Whether it follows the program that made the paper's figures rather than the text.
    pub(super) const fn published(self) -> bool {
        matches!(self, Self::Published | Self::PublishedFast)
    }

    /// The samples that it visits.
    pub(super) const fn visited(self) -> Visited {
        if self.published() { Visited::Inside } else { Visited::All }
    }
}

/// Parameters of [`hydraulic_erosion`](super::hydraulic_erosion).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hydraulic {
    /// Water that falls on each sample per iteration, the paper's Kr, in world units.
    pub rain: f32,
    /// Ground that water dissolves per iteration, over the water, the paper's Ks.
    pub solubility: f32,
    /// Share of the water that evaporates per iteration, the paper's Ke.
    pub evaporation: f32,
    /// Sediment that water can carry, over the water, the paper's Kc.
    pub capacity: f32,
    /// Iterations.
    pub iterations: u32,
    /// How water and sediment move.
    pub scheme: HydraulicScheme,
    /// What lies beyond the border.
    pub boundary: Boundary,
}
