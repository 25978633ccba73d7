//! Velzel's figures that are curves.

mod convergence;
mod figures;
mod runs;

pub use convergence::convergence;
pub use figures::figures;
