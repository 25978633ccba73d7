//! Nodes that are evaluated together, in blocks that stay in the processor's cache.
//!
//! [`Fusions`] are part of the plan of an evaluation: which nodes form a fusion. A [`Program`] evaluates a
//! fusion, or a single node.

mod alone;
mod fusions;
mod program;
mod run;
mod samples;
mod scratch;

pub use alone::{operand, run_alone};
pub use fusions::{Fusion, Fusions};
pub use program::{Member, Operand, Program};
pub use run::Failed;
