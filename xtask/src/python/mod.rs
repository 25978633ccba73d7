//! Terrane in Python: the stub of methods and functions, the wheel, and its tests.

mod stub;
mod wheel;

pub use stub::stub;
pub use wheel::{Options, dask, test, wheel};
