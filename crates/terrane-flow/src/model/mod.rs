//! What a graph is made of: kinds of value, ports, parameters, nodes, and what they are called and keyed by.

pub mod any_port;
pub mod context;
pub mod entries;
pub mod error;
pub mod field_error;
mod field_help;
pub mod fields;
pub mod files;
pub mod forecast;
pub mod graph;
pub mod home;
pub mod keep;
pub mod key;
pub mod memory;
pub mod node;
pub mod node_key;
pub mod param;
pub mod plan;
pub mod port;
pub mod reach;
pub mod registry;
pub mod spec;
pub mod value;
