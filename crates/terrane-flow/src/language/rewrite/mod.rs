//! Edits values and structure in the text of a graph. An editor uses this, for example when a slider moves.

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
mod rewire;
mod set;
mod structure;
mod wires;

pub use error::RewriteError;
pub use graph_text::GraphText;

#[cfg(test)]
mod tests;
