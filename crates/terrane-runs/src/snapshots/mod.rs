//! Comparing the outputs of graphs with their snapshots.

mod compare;
mod current;
mod describe;
mod difference;
mod outcome;
mod store;
mod subject;
mod test;
mod value;

pub use describe::{described, picture};
pub use outcome::{Listener, Outcome, Told};
pub use subject::Subject;
pub use test::{Tests, test};
pub use value::test_value;
