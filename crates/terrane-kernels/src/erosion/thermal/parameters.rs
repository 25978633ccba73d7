//! Parameters of thermal erosion.

use crate::erosion::limits::Distance;
use crate::erosion::neighbourhood::Neighbourhood;
use crate::erosion::visited::Visited;
use crate::{Boundary, ScalarMap};

/// How material moves. The published schemes do not visit samples on the map's border ([`Visited::Inside`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Scheme {
    /// Moves a share to every neighbour that is too low. All samples change at once. This is the
    /// algorithm in the paper's text.
    ///
    /// Changes are added up in a map of differences.
    Reference,
    /// Moves half of the difference (on a diagonal, half of the difference divided by √2) to the
    /// neighbour with the steepest descent. Samples change in place, one after the other. This is the
    /// paper's fast variant.
    ///
    /// Samples are visited in index order.
    Fast,
    /// Reproduces the reference variant of the program behind the paper's figures, which creates
    /// material.
    ///
    /// The amount that leaves a sample is divided among the neighbours that are too low for the talus. Yet
    /// every lower neighbour receives a share, so that material appears from nothing.
    Published,
    /// Reproduces the fast variant of that program.
    ///
    /// A quarter of the difference moves, on slopes above 15/16 of the talus.
    PublishedFast,
}

impl Scheme {
    /// The samples that the scheme visits.
    pub(super) const fn visited(self) -> Visited {
        match self {
            Self::Reference | Self::Fast => Visited::All,
            Self::Published | Self::PublishedFast => Visited::Inside,
        }
    }
}

/// Parameters of [`thermal_erosion`](super::thermal_erosion).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thermal<'a> {
    /// The slope, rise over run, above which material slides; negative values count as 0, NaN as unlimited.
    pub talus: ScalarMap<'a>,
    /// The distance between diagonal neighbours.
    pub distance: Distance,
    /// Iterations.
    pub iterations: u32,
    /// How material moves.
    pub scheme: Scheme,
    /// Share of the excess that `Reference` and `Published` move per iteration: the paper's c. Above 0.5
    /// heights oscillate.
    pub fraction: f32,
    /// Which samples are neighbours.
    pub neighbourhood: Neighbourhood,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

impl Default for Thermal<'_> {
    /// Slopes above 1 slide. Distances are true.
    fn default() -> Self {
        Self {
            talus: ScalarMap::Constant(1.0),
            distance: Distance::True,
            iterations: 50,
            scheme: Scheme::Reference,
            fraction: 0.33,
            neighbourhood: Neighbourhood::Moore,
            boundary: Boundary::Open,
        }
    }
}
