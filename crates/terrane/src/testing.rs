//! Snapshots of node outputs, for `insta`.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let graph = r#"Graph(size: (33, 33), nodes: { "hills": MidpointDisplacement() })"#;
//! let text = terrane::testing::describe_text(graph, "hills")?;
//! assert!(text.contains("33 x 33"));
//! # Ok(())
//! # }
//! ```
//!
//! In a test, one line is enough: `terrane::assert_port_snapshot!("graphs/hills.ron", "hills");`. The text
//! can be reviewed as a diff: size, statistics, a small relief in characters, and the hash of the content.
//! `terrane::assert_port_picture!` stores a picture with the snapshot. `terrane test` does the same for all
//! outputs of a graph, without Rust code.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::{Engine, EngineOptions, LoadOptions, Loaded, Value, Wanted, load, load_file, suggest};

/// Why a port has no value to compare.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The graph has errors.
    #[error("{0}")]
    Graph(#[from] terrane_flow::Diagnostics),
    /// A node failed.
    #[error("{0}")]
    Failed(String),
    /// Threads could not be started, or a picture could not be written.
    #[error("{0}")]
    System(String),
}

/// Evaluates one port (`"node"` or `"node.output"`) of a graph file, without a cache.
///
/// # Errors
/// [`TestError`].
pub fn evaluate(graph: impl AsRef<Path>, port: &str) -> Result<Value, TestError> {
    let registry = terrane_nodes::registry();
    evaluate_loaded(load_file(graph.as_ref(), &registry, &LoadOptions::default())?, port)
}

fn evaluate_loaded(loaded: Loaded, port: &str) -> Result<Value, TestError> {
    let options = EngineOptions { memory: 0, reuse: false, ..EngineOptions::default() };
    let engine = Engine::new(options).map_err(|error| TestError::System(error.to_string()))?;
    let evaluation = engine.start(&Arc::new(loaded), [Wanted::from(port)])?.wait();
    match evaluation.outputs.into_iter().next().and_then(|output| output.value) {
        Some(value) => Ok(value),
        None => Err(TestError::Failed(format!(
            "{:?}",
            evaluation.nodes.iter().map(|n| &n.outcome).collect::<Vec<_>>()
        ))),
    }
}

/// Describes a port of a graph file as text.
///
/// # Errors
/// [`TestError`].
pub fn describe(graph: impl AsRef<Path>, port: &str) -> Result<String, TestError> {
    evaluate(graph, port).map(|value| describe_value(&value))
}

/// Describes a port of a graph that is given as text.
///
/// # Errors
/// [`TestError`].
pub fn describe_text(graph: &str, port: &str) -> Result<String, TestError> {
    let registry = terrane_nodes::registry();
    let loaded = load("graph", graph, Path::new("."), &registry, &LoadOptions::default())?;
    evaluate_loaded(loaded, port).map(|value| describe_value(&value))
}

pub use terrane_runs::snapshots::{described as describe_value, picture};

/// A map (grey, from minimum to maximum) or a picture as the bytes of a PNG file.
///
/// # Errors
/// [`TestError::Failed`] for other kinds of value. [`TestError::System`] if no temporary file can be written.
pub fn png(value: &Value) -> Result<Vec<u8>, TestError> {
    let picture = picture(value)
        .ok_or_else(|| TestError::Failed(format!("{} is not a picture", suggest::one(value.kind().name))))?;
    let system = |error: &dyn std::fmt::Display| TestError::System(error.to_string());
    let folder = tempfile::tempdir().map_err(|error| system(&error))?;
    let path = folder.path().join("picture.png");
    terrane_io::write_picture(&path, &picture, terrane_io::Effort::Fast).map_err(|error| system(&error))?;
    std::fs::read(path).map_err(|error| system(&error))
}

/// Compares one port of a graph file with its snapshot: `assert_port_snapshot!("graph.ron", "node.output")`.
#[macro_export]
macro_rules! assert_port_snapshot {
    ($graph:expr, $port:expr) => {
        match $crate::testing::describe($graph, $port) {
            Ok(text) => $crate::testing::insta::assert_snapshot!(text),
            Err(error) => panic!("{error}"),
        }
    };
}

/// Compares one port of a graph file with a stored picture:
/// `assert_port_picture!("graph.ron", "shade")`.
#[macro_export]
macro_rules! assert_port_picture {
    ($graph:expr, $port:expr) => {
        match $crate::testing::evaluate($graph, $port).and_then(|value| $crate::testing::png(&value)) {
            Ok(png) => $crate::testing::insta::assert_binary_snapshot!(".png", png),
            Err(error) => panic!("{error}"),
        }
    };
}

pub use insta;
