//! Toy kinds of value and node types, with a log of nodes that ran and gates to stop at. For tests of the
//! engine and of programs built on this crate. Requires the feature `testing`.

mod family;
mod header;
mod log;
mod nodes;
mod values;

pub use family::{Toys, family, number, registry, wanted};
pub use header::header;
pub use log::Log;
pub use nodes::{
    Add, Choose, Count, Fail, Fill, Floor, Measure, Paint, Panic, Peek, Read, Size, Split, Take, Wait, Warn,
};
pub use values::{Block, Number, Words};
