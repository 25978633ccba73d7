//! Changing a number in the text of a graph, and nothing else: what an editor does when a slider is moved.
//!
//! Every byte outside the changed value stays: comments, blanks, order, trailing commas, line ends. The text must hold
//! together as RON; whether the changed graph makes sense is the loader's to say.

mod error;
mod set;
mod structure;
mod text;

pub use error::RewriteError;
pub use set::{set_field, set_graph_parameter, set_parameter, set_slot};
pub use structure::{
    add_node, add_output, add_param, connect, disconnect, remove_node, remove_output, rename_node, reset,
};

#[cfg(test)]
mod tests;
