//! Parameters of thermal erosion.

use crate::erosion::limits::Distance;
use crate::erosion::neighbourhood::Neighbourhood;
use crate::erosion::visited::Visited;
use crate::{Boundary, ScalarMap};

/// How material moves. The published schemes do not visit samples on the map's border ([`Visited::Inside`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The rules of the paper's text: every neighbour that is too low for the talus receives a share. All
    /// samples change at once, through a difference map.
    Reference,
    /// The paper's fast variant: half of the difference moves to the lowest neighbour. Samples change in
    /// place, in index order.
    Fast,
    /// The Reference variant of the program that made the paper's figures. The amount that leaves a sample is
    /// divided among the neighbours that are too low for the talus. Yet every lower neighbour receives a
    /// share. Mass is not conserved: material appears from nothing.
    Published,
    /// The fast variant of that program: a quarter of the difference moves, on slopes above 15/16 of the
    /// talus.
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
