//! The cost of turning one terrain into another.

mod distance;
mod flow;
mod link;
mod network;
#[cfg(test)]
mod tests;

pub use distance::{Transport, earth_movers_distance};
pub use flow::{Flow, FlowError, grid_flow};
