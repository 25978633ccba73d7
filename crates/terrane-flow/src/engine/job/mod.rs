//! One evaluation.

mod admit;
mod changed;
mod end;
mod handle;
mod node;
mod schedule;
mod state;

pub use handle::{Canceller, Job};
