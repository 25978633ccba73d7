//! Draws graphs (DOT, Mermaid, SVG), and serves a live preview of a graph in the browser.
//!
//! A [`View`] reads a graph file, evaluates it after every change ([`terrane_flow::live`]), and serves one
//! page at a secret address. This crate is independent of node types and of kinds of value: with [`Faces`],
//! the program that uses it defines how values are displayed.

mod changes;
mod connected;
mod describe;
mod display;
mod draft;
mod drafting;
mod editable;
mod frame;
mod headless;
mod language;
mod layout;
mod load_check;
mod node_state;
mod page_requests;
mod page_state;
mod page_texts;
mod parameters;
mod preview;
mod preview_source;
mod reach;
mod remote;
mod server;
mod set_text;
mod shared_state;
mod shrink;
mod stages;
mod store;
mod style;
mod svg;
mod template;
#[cfg(test)]
mod testing;
mod text;
mod texts;
mod thumbnail;
mod view;
mod view_error;
mod view_event;
mod warnings;
mod wires;
mod write;

pub use display::{Face, Faces, Line};
pub use frame::Frame;
#[doc(hidden)]
pub use headless::Desk;
pub use language::{Answer, Language, LanguageSession};
pub use remote::Remote;
pub use svg::svg;
pub use template::Template;
pub use text::{dot, mermaid};
pub use thumbnail::draw;
pub use view::{View, ViewOptions};
pub use view_error::ViewError;
pub use view_event::Told;
pub use warnings::{Warned, Warnings};
