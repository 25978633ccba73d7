//! What pages have changed and not written yet: steps that change the structure of the graph's file, in
//! order, edits of its text among them, and then values.

mod asked;
mod difference;
mod history;
mod memo;
mod merge;
mod steps;
mod structure;
mod text;

pub use asked::{Asked, Desired};
pub use difference::{Difference, difference};
pub use history::{History, Moment, WrittenFile};
pub use memo::Memo;
pub use merge::merge;
pub use steps::{Draft, Step};
pub use structure::{Made, Structure};
pub use text::{LONGEST_TEXT, Lines, TextEdit, given, plain, shared};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod text_tests;
