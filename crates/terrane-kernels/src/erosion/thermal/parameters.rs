//! How material slides, and from which slope on.

use crate::erosion::limits::Distance;
use crate::erosion::neighbourhood::Neighbourhood;
use crate::erosion::visited::Visited;
use crate::{Boundary, ScalarMap};

/// How material is moved. The published schemes leave samples on the map's border unvisited
/// ([`Visited::Inside`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The paper's text: every neighbour lower than the talus allows gets a share, all samples at once
    /// through a map of differences.
    Reference,
    /// The paper's fast variant: all to the lowest neighbour, half of the difference, in place, in index
    /// order.
    Fast,
    /// What the program behind the paper's figures does for its Reference: every lower neighbour gets a
    /// share, though what leaves is shared among those lower than the talus allows. It makes material from
    /// nothing.
    Published,
    /// What that program does for its fast variant: a quarter of the difference, from 15/16 of the talus on.
    PublishedFast,
}

impl Scheme {
    /// Which samples it visits.
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
    /// The slope, rise over run, above which material slides; below 0 counts as 0, not-a-number as any slope.
    pub talus: ScalarMap<'a>,
    /// How far neighbours on a diagonal are apart.
    pub distance: Distance,
    /// Iterations.
    pub iterations: u32,
    /// How material is moved.
    pub scheme: Scheme,
    /// Share of the excess that the Reference moves in an iteration, the paper's c; more than 0.5 oscillates.
    pub fraction: f32,
    /// Which samples are neighbours.
    pub neighbourhood: Neighbourhood,
    /// What lies beyond the border.
    pub boundary: Boundary,
}
