//! A server of the Model Context Protocol: programs that write graphs find node types, check and edit texts,
//! evaluate graphs, and look at values.
//!
//! [`serve`] handles the messages of one client, over any reader and writer: one JSON-RPC message per line.
//! Each tool is a function in `tools` that knows nothing of messages. It reads and writes only files below
//! the server's folder ([`folder`]), and its answer can be verified: it has digests of values and of texts.

mod answer;
mod arguments;
mod calls;
mod failures;
pub mod folder;
mod graph;
pub mod llms;
mod message;
mod mistakes;
mod outline;
mod refusal;
mod resources;
mod server;
mod setup;
mod stop;
mod tools;

pub use server::serve;
pub use setup::Setup;
