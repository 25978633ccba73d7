//! One evaluation.

mod admit;
mod end;
mod file_changes;
mod foreign;
mod foreign_queue;
mod fusion;
mod handle;
mod kept_holes;
mod node;
mod not_finite;
mod schedule;
mod state;
mod unrun;

pub use handle::{Canceller, Job};
