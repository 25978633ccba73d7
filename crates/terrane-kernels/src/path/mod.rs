//! Paths over terrain: graphs in the plane, the way of least cost between two places, and what a path asks of the ground
//! around it (Velzel, section 3).

mod builder;
mod cut;
mod details;
mod extension;
mod fade;
mod graph;
mod ground;
mod nearest;
mod neighbours;
mod open;
mod pins;
mod profile;
mod search;
mod shared;
mod step_limits;
mod straight;
mod strips;
mod subdivision;
mod surroundings;
mod sweep;
mod terrain;
mod thesis;
mod ways;
mod world;

pub use builder::{Prices, Road};
pub use extension::extended;
pub use fade::faded;
pub use graph::{GraphError, check_graph};
pub(crate) use graph::{crossings, is_place, swept};
pub use ground::{Costs, Search, WayError, cheapest_way};
pub(crate) use nearest::{NONE as NONE_NEAR, nearest};
mod traces;
pub use cut::{Part, cut};
pub use details::{BadSample, Details};
pub use neighbours::Misfit;
pub use pins::{PinConflict, Pins, conflicting_pins};
pub use profile::{Link, within_slopes};
pub use shared::sides;
pub use step_limits::StepLimits;
pub use straight::{Frame, Place, straight};
pub use subdivision::{Anchor, Borders, Subdivide, SubdivideError, Subdivision, Surround, subdivide};
pub(crate) use sweep::{NONE, Order, turn};
pub use terrain::BadFactor;
pub use traces::{Trace, subdivide_traces};
pub use world::{Anchors, MOST_ANCHORS, WorldError, anchors, concerning, stations};
