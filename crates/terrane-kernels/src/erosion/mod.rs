//! Erosion schemes.

mod border;
mod drained;
mod fluvial;
mod hydraulic;
#[cfg(test)]
mod isotropy_tests;
mod iterate;
mod lanes;
mod limits;
mod needles;
mod neighbourhood;
mod olsen;
mod padded;
mod powers;
mod scan;
mod slide;
mod steepness;
mod talus;
#[cfg(test)]
pub(crate) mod test_maps;
mod thermal;
mod uplift;
mod valleys;
mod visited;

pub use border::{Border, Sides};
pub use fluvial::{Fluvial, Rivers, Solver, fluvial_erosion};
pub use hydraulic::{Eroded, Hydraulic, HydraulicScheme, hydraulic_erosion};
pub use iterate::Observer;
pub use limits::Distance;
pub use needles::Needles;
pub use neighbourhood::Neighbourhood;
pub use olsen::{Olsen, OlsenScheme, olsen_erosion};
use padded::WALL;
pub use thermal::{Scheme, Thermal, talus_excess, thermal_erosion};
pub use uplift::{Base, Mountains, Routing, Start, Uplift, uplift_erosion};
pub use visited::Visited;
