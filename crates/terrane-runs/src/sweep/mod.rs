//! Sweeps: many runs of a graph, or of a patch of a world, in one table.

mod cases;
mod charts;
mod curves;
mod figures;
mod film;
mod graph_texts;
mod known;
mod lock;
mod metric;
mod names;
mod options;
mod order;
mod plot;
mod reuse;
mod row_selector;
mod run;
mod run_all;
mod sheet;
mod size;
mod source;
mod stored;
mod summary;
mod summary_file;
mod sweep_run;
mod table;
mod varied;

pub use self::options::{Listener, OfWorld, Sweep};
pub use self::size::header as size;
pub use self::summary_file::RowsOf;
pub use self::sweep_run::{Swept, run};
pub use self::varied::{Varied, seeds};
