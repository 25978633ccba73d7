//! What pages have changed and not written yet: steps that change the structure of the graph's file, in
//! order, and then values.

mod asked;
mod difference;
mod history;
mod memo;
mod steps;
mod structure;

pub use asked::{Asked, Desired};
pub use difference::{Difference, difference};
pub use history::{History, Moment, WrittenFile};
pub use memo::Memo;
pub use steps::{Draft, Step};
pub use structure::{Made, Structure};

#[cfg(test)]
mod tests;
