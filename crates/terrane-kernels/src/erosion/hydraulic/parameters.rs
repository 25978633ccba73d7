//! Parameters of hydraulic erosion.

use crate::Boundary;
use crate::erosion::visited::Visited;

/// How water and sediment move. The published schemes do not visit samples on the map's border
/// ([`Visited::Inside`]): there no rain falls, and nothing flows off, evaporates or settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HydraulicScheme {
    /// The rules of the paper's text: every lower one of the eight neighbours receives a share. All samples
    /// change at once, through difference maps.
    Reference,
    /// The paper's fast variant: everything flows to the lowest of the four neighbours. There is no map of
    /// sediment. Samples change in place, in index order.
    Fast,
    /// The Reference variant of the program that made the paper's figures.
    Published,
    /// The fast variant of that program. Water dissolves and deposits as much ground as there is water.
    /// Evaporation is computed from the water before it flowed off.
    PublishedFast,
}

impl HydraulicScheme {
    /// Whether the scheme follows the program that made the paper's figures rather than the text.
    pub(super) const fn published(self) -> bool {
        matches!(self, Self::Published | Self::PublishedFast)
    }

    /// The samples that the scheme visits.
    pub(super) const fn visited(self) -> Visited {
        if self.published() { Visited::Inside } else { Visited::All }
    }
}

/// Parameters of [`hydraulic_erosion`](super::hydraulic_erosion).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hydraulic {
    /// Water that falls on each sample per iteration, in world units: the paper's Kr.
    pub rain: f32,
    /// Ground that water dissolves per iteration, as a share of the water: the paper's Ks.
    pub solubility: f32,
    /// Share of the water that evaporates per iteration: the paper's Ke.
    pub evaporation: f32,
    /// Sediment that water can carry, as a share of the water: the paper's Kc.
    pub capacity: f32,
    /// Iterations.
    pub iterations: u32,
    /// How water and sediment move.
    pub scheme: HydraulicScheme,
    /// What lies beyond the border.
    pub boundary: Boundary,
}
