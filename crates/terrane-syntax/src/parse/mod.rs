//! From text to a tree: the grammar, and what was meant where a text is wrong.

mod edited;
mod grammar;
mod parser;
mod recover;
mod text;
