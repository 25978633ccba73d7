//! Parameters of hydraulic erosion.

use crate::Boundary;
use crate::erosion::visited::Visited;

/// How water and sediment move. The published schemes do not visit samples on the map's border
/// ([`Visited::Inside`]): there no rain falls, and nothing flows off, evaporates or settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum HydraulicScheme {
    /// Moves a share to each of the eight neighbours that is lower. All samples change at once. This is
    /// the algorithm in the paper's text.
    ///
    /// Changes are added up in maps of differences.
    Reference,
    /// Moves everything to the lowest of the four neighbours along the axes. Samples change in place, one
    /// after the other, and there is no map of sediment. This is the paper's fast variant.
    ///
    /// Samples are visited in index order.
    Fast,
    /// Reproduces the reference variant of the program behind the paper's figures.
    Published,
    /// Reproduces the fast variant of that program.
    ///
    /// Water dissolves and deposits as much ground as there is water. Evaporation is computed from the water
    /// before it flowed off.
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

impl Default for Hydraulic {
    /// The paper's parameters, for terrain with a range of heights of 1: its rain is a hundredth of the
    /// range.
    fn default() -> Self {
        Self {
            rain: 0.01,
            solubility: 0.05,
            evaporation: 0.5,
            capacity: 0.05,
            iterations: 100,
            scheme: HydraulicScheme::Reference,
            boundary: Boundary::Open,
        }
    }
}
