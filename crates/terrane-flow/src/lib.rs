//! A dataflow framework with typed nodes, graphs as text, content-addressed caching, parallel evaluation and
//! hot reload.
//!
//! A program registers kinds of value ([`Data`]), node types (`#[derive(Node)]` and [`Evaluate`]) and a
//! [`Family`] with its header in a [`Registry`]. The program then has the graph language with its
//! diagnostics, the [`Engine`] with its caches and events, and a watcher for changing files.
//!
//! This crate knows nothing about terrain, and no file format of values. It knows rasters: nodes declare how
//! their samples depend on samples around them ([`Tiles`], [`Reach`]) and how many rasters they need as
//! working memory, and a port can take a raster or a number ([`Scalar`]). Its texts call a raster a map.
//! Programs without rasters leave these declarations out.

// Derived code refers to this crate by its name.
extern crate self as terrane_flow;

mod engine;
mod language;
mod model;
mod report;
#[cfg(feature = "testing")]
pub mod testing;

pub use engine::{
    Canceller, Engine, EngineOptions, Evaluated, Evaluation, Event, Executor, Job, NoValue, NodeTiming,
    Observer, Outcome, Resolved, Room, Seen, Session, Task, Wanted, cache,
};
#[cfg(feature = "watch")]
pub use engine::{live, watch};
pub use language::{
    Described, EditTree, GraphText, Literal, LoadOptions, Loaded, RewriteError, Setting, Touched,
    bad_on_windows, check_file, declared, described_type, find, format_text, load, load_described,
    load_edited, load_file, name_key, page, read_source, read_values, schema,
};
pub use model::any_port::AnyInput;
pub use model::context::{Cancel, Context, Header, Sizes};
pub use model::entries::Entries;
pub use model::error::NodeError;
pub use model::field_error::FieldError;
pub use model::fields::{Field, Fields};
pub use model::files::{Content, Disk, Entry, FileDigests, Files, NoFiles, Opened, Overlay, Stamp};
pub use model::forecast::Forecast;
pub use model::graph::{Graph, GraphNode, Nodes, OutputEntry};
pub use model::group::Group;
pub use model::holes::{HoleMask, Holes};
pub use model::keep::{Common, Keep};
pub use model::key::KeyPart;
pub use model::lock::lock;
pub use model::memory;
pub use model::node::{Declare, Evaluate, Invalid, Node};
pub use model::node_key::Key;
pub use model::one_of::{OneOf, OptionalOneOf};
pub use model::origin::{Bound, Home, Location, Origin, Scope, Slot};
pub use model::param::{ChoiceSpec, FilePath, Param, RecordField, RecordSpec, Shape, canonical, read_value};
pub use model::plan::{Plan, Wire, WithHoles};
pub use model::pointwise::Pointwise;
pub use model::port::{
    Input, OptionalInput, OptionalScalarInput, Output, Port, Reference, Scalar, ScalarInput, Source,
};
pub use model::reach::Reach;
pub use model::registry::{
    CheckOutput, CheckedOutput, Companions, Family, NameTaken, NodeType, ReadHeader, Registry, Settle,
};
pub use model::spec::{
    Cost, InputSpec, LARGEST, NodeSpec, OutputSpec, ParamSpec, Place, Range, SMALLEST, Suited, Tiles,
};
pub use model::value::{Data, Digest, Kind, Value};
pub use model::value_id::ValueId;
pub use report::{Diagnostic, Diagnostics, SourceText, is_hidden, printable, suggest};
pub use terrane_compute::Samples;
pub use terrane_flow_derive::{Choice, Declare, Group, Node};
pub use terrane_syntax as syntax;
