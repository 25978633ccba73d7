//! The graph language: loads graphs from text, and edits the text.

pub mod declared;
mod document;
mod layout;
mod literal;
mod load;
mod names;
mod rewrite;
pub mod schema;

pub use layout::format_text;
pub use literal::Literal;
pub use load::{
    Described, EditTree, LoadOptions, Loaded, Touched, described_type, load, load_described, load_edited,
    load_file, load_watched, read_source, read_values,
};
pub use rewrite::{
    GraphText, RewriteError, add_node, add_output, add_param, connect, declare_param, disconnect,
    extract_subgraph, inline_subgraph, remove_node, remove_output, rename_node, reset, set_field,
    set_graph_parameter, set_parameter, set_slot,
};
