//! All fields within reach of a run's samples.

mod run;
mod sample;

pub use run::{Borders, InReach};
pub use sample::Found;
