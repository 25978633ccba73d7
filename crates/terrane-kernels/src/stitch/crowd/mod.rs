//! All fields that samples of a run see.

mod sample;
mod seen;

pub use sample::Found;
pub use seen::Crowd;
