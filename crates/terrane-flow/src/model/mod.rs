//! The model of a graph: kinds of value, ports, parameters, nodes, names and keys.

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
pub mod group;
pub mod holes;
pub mod keep;
pub mod key;
pub mod lock;
pub mod memory;
pub mod node;
pub mod node_key;
pub mod origin;
pub mod param;
pub mod plan;
pub mod port;
pub mod reach;
pub mod registry;
pub mod same_size;
pub mod spec;
pub mod value;
