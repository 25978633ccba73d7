//! Terrane in Python: what is generated for it, the wheel, and its tests.

mod arguments;
mod docstring;
mod sources;
mod wheel;

pub use sources::sources;
pub use wheel::{Options, dask, test, wheel};
