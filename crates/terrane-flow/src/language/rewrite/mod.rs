//! Changing a value or the structure in the text of a graph, and nothing else: what an editor does when a
//! slider is moved.
//!
//! Every byte outside of what changes stays: comments, blanks, order, trailing commas, line ends. The text
//! must hold together as RON; whether the changed graph makes sense is the loader's to say.

mod entries;
mod error;
mod extract;
mod given;
mod graph_text;
mod inline;
mod inside;
mod paths;
mod set;
mod sheet;
mod stands;
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
