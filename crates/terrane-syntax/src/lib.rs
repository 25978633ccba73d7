//! The text of graphs as a lossless tree.
//!
//! Files are RON. [`Tree::parse`] reads any text, valid or not. The result is a tree that keeps every byte,
//! and a list of mistakes. All code that reads or changes the text of a graph uses this tree. This crate
//! knows nothing about nodes or terrain.

mod arithmetic;
mod block;
mod edit;
mod fill;
mod format;
mod lex;
pub mod literal;
mod merge;
mod mistake;
mod node;
mod parameter;
mod parse;
mod read;
mod section;
mod syntax_errors;
mod token;
mod tree;
mod view;
mod word_errors;
mod words;

pub use block::{block, indented, remove_block};
pub use edit::{apply, insert, insert_after, remove};
pub use fill::fill;
pub use format::{format, format_value};
pub use lex::{first_word, split};
pub use merge::{Merged, merge};
pub use mistake::{Edit, Mistake, Problem, is_guess, shortened};
pub use parameter::{Literally, NoParameters, Parameters, parameter_name, parameter_names};
pub use read::{ReadError, Wrong, read, read_seed};
pub use section::section_at;
pub use token::{Bracket, Token, TokenKind};
pub use tree::Tree;
pub use view::{Call, Form, Group, Item, Value};
