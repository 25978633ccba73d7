//! Comparing the outputs of graphs with their snapshots.

mod describe;

pub use describe::{described, picture};

#[cfg(feature = "snapshots")]
mod compare;
#[cfg(feature = "snapshots")]
mod current;
#[cfg(feature = "snapshots")]
mod difference;
#[cfg(feature = "snapshots")]
mod outcome;
#[cfg(feature = "snapshots")]
mod store;
#[cfg(feature = "snapshots")]
mod subject;
#[cfg(feature = "snapshots")]
mod test;
#[cfg(feature = "snapshots")]
mod value;

#[cfg(feature = "snapshots")]
pub use outcome::{Listener, Outcome, Told};
#[cfg(feature = "snapshots")]
pub use subject::Subject;
#[cfg(feature = "snapshots")]
pub use test::{Tests, test};
#[cfg(feature = "snapshots")]
pub use value::test_value;
