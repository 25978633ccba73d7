//! Many runs of a graph, or of a patch of a world; one table.

mod all;
mod cases;
mod charts;
mod curves;
mod figures;
mod kept;
mod known;
mod layout;
mod lock;
mod metric;
mod names;
mod options;
mod order;
mod place;
mod plot;
mod run;
mod sheet;
mod size;
mod source;
mod summary;
mod table;
mod texts;
mod varied;
mod whole;

pub use self::layout::RowsOf;
pub use self::options::{Listener, OfWorld, Sweep};
pub use self::size::header as size;
pub use self::varied::{Varied, seeds};
pub use self::whole::{Swept, run};
