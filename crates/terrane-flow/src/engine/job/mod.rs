//! One evaluation.

mod admit;
mod end;
mod file_changes;
mod foreign;
mod foreign_queue;
mod handle;
mod kept_holes;
mod node;
mod not_finite;
mod schedule;
mod state;

pub use handle::{Canceller, Job};
