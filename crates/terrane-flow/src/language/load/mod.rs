//! Loading of graphs and of declared types.

mod described;
mod edit;
mod graph;
mod inner_file;
mod limits;
mod loaded;
mod loader;
mod nodes;
mod output_names;
mod outputs;
mod repeat;
mod scope;
mod subgraph;
mod text;
mod values;

pub use described::{Described, described_type, load_described};
pub use graph::{check_file, load, load_edited, load_file};
pub use loaded::{LoadOptions, Loaded, Setting, Touched};
pub use loader::EditTree;
pub use text::read_source;
pub use values::read_values;
