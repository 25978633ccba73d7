//! Toy kinds of value and toy node types, for tests of the engine and of programs built on this crate. A log
//! records the nodes that ran, and gates stop nodes until a test opens them. Requires the feature `testing`.

mod family;
mod fields;
mod header;
mod log;
mod nodes;
mod text;
mod values;

pub use family::{Toys, family, number, registry, wanted};
pub use fields::{Plus, Rise, Rising, Top};
pub use header::header;
pub use log::Log;
pub use nodes::{
    Add, Choose, Count, Cover, Fail, Fill, Floor, Measure, Paint, Panic, Peek, Read, Size, Split, Take, Wait,
    Warn,
};
pub use text::edited;
pub use values::{Block, Field, Number, Words};
