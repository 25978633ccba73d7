//! The parser: grammar, error recovery, and incremental parsing.

mod candidates;
mod change;
mod edited;
mod grammar;
mod layout;
mod parser;
mod reading;
mod recover;
mod repair;
mod text;
