//! Planar graphs, exactly: on which side of a line a point lies, and whether edges cross.

mod graph;
mod predicates;
mod sweep;

pub use graph::{GraphError, check_graph, crossings, is_place, swept};
pub use predicates::{meet_elsewhere, turn};
pub use sweep::{NONE, Order, sweep};
