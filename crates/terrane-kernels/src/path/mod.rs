//! Paths over terrain: graphs in the plane, the way of least cost between two places, and what a path asks of the ground
//! around it (Velzel, section 3).

mod cut;
mod graph;
mod nearest;
mod search;
mod subdivision;

pub use cut::cut;
pub use graph::{GraphError, check_graph};
pub use search::{Costs, cheapest_way};
pub use subdivision::{Borders, Subdivide, SubdivideError, Subdivision, Surround, subdivide};
