//! The outputs of graphs compared with their snapshots.

mod compare;
mod difference;
mod shot;
mod store;
mod subject;
mod test;
mod told;
mod value;
mod words;

pub use subject::Subject;
pub use test::{Tests, test};
pub use told::{Listener, Outcome, Told};
pub use value::test_value;
pub use words::{described, picture};
