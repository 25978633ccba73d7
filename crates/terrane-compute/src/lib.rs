//! What techniques on grids are computed with: parallel loops, progress and cancelling, vectors.
//!
//! - [`parallel`]: loops over the parts of slices, on rayon's threads.
//! - [`Progress`]: how a long computation reports its progress, and how it is cancelled.
//! - [`LargePages`]: an allocator for programs with large maps.
//! - [`Samples`]: a block of samples, or of one number.
//! - [`has_hole`], [`not_finite`]: what samples are checked for.
//! - [`simd`]: the machine's widest vectors, selected at run time.
//!
//! A computation has the same bits on any number of threads and at every width of vectors.

mod chunks;
mod large_pages;
pub mod parallel;
mod progress;
mod samples;
pub mod simd;

pub use chunks::{chunks, each};
pub use large_pages::LargePages;
pub use progress::{Alive, CHECK_INTERVAL, Cancelled, Progress, Silent, Stop, filled};
pub use samples::Samples;
pub use simd::{has_hole, not_finite};
