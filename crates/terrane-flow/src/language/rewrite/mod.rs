//! Edits values and structure in the text of a graph. An editor uses this, for example when a slider moves.
//!
//! Every other byte is kept: comments, blanks, order, trailing commas, line ends. The text must be valid RON.
//! The loader checks whether the edited graph is valid.

mod entries;
mod error;
mod extract;
mod extracted;
mod graph_text;
mod inline;
mod inner_names;
mod passed_params;
mod paths;
mod placeholders;
mod set;
mod structure;
mod text;
mod wires;

pub use error::RewriteError;
pub use extract::extract_subgraph;
pub use graph_text::GraphText;
pub use inline::inline_subgraph;
pub use set::{set_field, set_graph_parameter, set_parameter, set_slot};
pub use structure::{
    add_node, add_output, add_param, connect, declare_param, disconnect, remove_node, remove_output,
    rename_node, reset,
};

#[cfg(test)]
mod tests;
