//! Terrane in Python: generated sources, the wheel, and its tests.

mod arguments;
mod docstring;
mod sources;
mod wheel;

pub use sources::sources;
pub use wheel::{Options, dask, test, wheel};
