//! One evaluation.

mod admit;
mod changed;
mod end;
mod foreign;
mod handle;
mod node;
mod schedule;
mod state;
mod turns;

pub use handle::{Canceller, Job};
