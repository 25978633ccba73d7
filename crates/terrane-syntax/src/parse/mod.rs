//! The parser: grammar, error recovery, and incremental parsing.

mod candidates;
mod change;
mod edited;
mod ends;
mod grammar;
mod items;
mod layout;
mod names;
mod parser;
mod reading;
mod recover;
mod repair;
mod text;
