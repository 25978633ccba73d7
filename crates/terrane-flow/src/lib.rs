//! A dataflow framework: typed nodes, graphs as text, content-addressed caching, parallel evaluation, hot reload.
//!
//! Nothing here knows of terrain. A program brings kinds of value ([`Data`]), types of node (`#[derive(Node)]` and
//! [`Evaluate`]) and a [`Family`] with its header, puts them in a [`Registry`], and gets the graph language with its
//! diagnostics, the [`Engine`] with its caches and events, and the watcher.

#![forbid(unsafe_code)]

pub mod cache;
mod context;
mod document;
mod engine;
mod error;
mod event;
mod fields;
mod graph;
mod home;
mod key;
mod literal;
pub mod live;
mod load;
pub mod memory;
mod node;
mod param;
mod plan;
mod port;
mod registry;
mod report;
mod rewrite;
pub mod schema;
mod spec;
mod stamp;
pub mod suggest;
mod value;
pub mod watch;

pub use context::{Cancel, Context, Header};
pub use engine::{
    Canceller, Engine, EngineOptions, Evaluated, Evaluation, Job, Observer, Resolved, Seen, Wanted,
};
pub use error::NodeError;
pub use event::{Event, NodeTiming, Outcome};
pub use fields::{Field, FieldError, Fields};
pub use graph::{Graph, GraphNode, Location, Nodes, OutputEntry};
pub use home::{Bound, Home, Origin, Scope};
pub use key::{FileDigests, Key, KeyPart};
pub use load::{
    Described, LoadOptions, Loaded, Touched, described_type, load, load_described, load_edited, load_file,
    load_watched, read_source, read_values,
};
pub use node::{Declare, Evaluate, Invalid, Node, Outputs};
pub use param::{ChoiceSpec, FilePath, Param, RecordField, RecordSpec, Shape, canonical, read_value};
pub use plan::{Plan, Wire};
pub use port::{
    Input, OptionalInput, OptionalScalarInput, Output, Port, Reference, Scalar, ScalarInput, Source,
};
pub use registry::{CheckOutput, Family, HeaderField, NameTaken, NodeType, ReadHeader, Registry};
pub use report::{Diagnostic, Diagnostics, SourceText, format_text, printable};
pub use rewrite::{
    RewriteError, Slot, add_node, add_output, add_param, connect, disconnect, remove_node, remove_output,
    rename_node, reset, set_field, set_graph_parameter, set_parameter, set_slot,
};
pub use spec::{InputSpec, NodeSpec, OutputSpec, ParamSpec, Range, Tiles};
pub use terrane_flow_derive::{Choice, Node};
pub use terrane_syntax as syntax;
pub use value::{Data, Digest, Kind, Value};
