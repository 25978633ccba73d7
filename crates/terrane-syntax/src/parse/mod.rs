//! The parser: grammar, error recovery, and incremental parsing.

mod edited;
mod grammar;
mod parser;
mod recover;
mod text;
