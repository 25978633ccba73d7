//! A language server for graphs and worlds: what an editor shows, proposes and changes in their texts.
//!
//! [`serve`] handles the messages of one editor. The other modules know nothing of the protocol's messages:
//! each answers one kind of question about a text, valid or not. [`context`] finds the brackets around a
//! position, [`expected`] what may stand there, and [`completion`] and [`hover`] what an editor shows of it.

mod analogy;
pub mod colours;
mod commands;
pub mod completion;
pub mod context;
pub mod diagnostics;
pub mod document;
pub mod expected;
pub mod habits;
pub mod hover;
pub mod inlay;
mod likeness;
pub mod lines;
pub mod navigation;
pub mod offers;
pub mod outline;
pub mod refactor;
pub mod results;
pub mod semantic;
mod server;
pub mod symbols;
pub mod typed;
mod usual;
pub mod wires;
mod words;
pub mod workspace;

pub use server::{Setup, serve, serve_from, serve_stdio};
