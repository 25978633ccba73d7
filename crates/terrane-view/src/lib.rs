//! Graphs in pictures (DOT, Mermaid, SVG), and live in the browser.
//!
//! A [`View`] reads a graph file, evaluates it after every change ([`terrane_flow::live`]), and serves one
//! page to those who know its address. Nothing here knows of nodes or of their values: the program says with
//! [`Faces`] what can be shown of them.

#![forbid(unsafe_code)]

mod board;
mod describe;
mod desk;
mod face;
mod parameters;
mod places;
mod preview;
mod server;
mod shrink;
mod store;
mod style;
mod subject;
mod svg;
#[cfg(test)]
mod testing;
mod text;
mod thumbnail;
mod told;
mod trial;
mod view;
mod view_error;
mod wires;
mod wishes;
mod write;

#[doc(hidden)]
pub use desk::Desk;
pub use face::{Face, Faces};
pub use svg::svg;
pub use text::{dot, mermaid};
pub use told::Told;
pub use view::{View, ViewOptions};
pub use view_error::ViewError;
