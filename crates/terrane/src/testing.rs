//! Snapshots of node outputs, for `insta`.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = terrane::testing::describe_text("Graph(size: (33, 33), nodes: { \"hills\": MidpointDisplacement() })", "hills")?;
//! assert!(text.contains("33 x 33"));
//! # Ok(())
//! # }
//! ```
//!
//! In a test, one line is enough: `terrane::assert_port_snapshot!("graphs/hills.ron", "hills");`. The text is a
//! reviewable difference: size, numbers, a small relief in characters and the content's hash.
//! `terrane::assert_port_picture!` keeps a picture beside the snapshot. `terrane test` does the same for all outputs of
//! a graph without any Rust.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use terrane_flow::{Engine, EngineOptions, LoadOptions, Loaded, Reference, Value, Wanted, load, load_file};
use terrane_grid::{Grid, Heightmap};
use terrane_nodes::values::{Map, Picture};

/// Why there is nothing to compare.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The graph is wrong.
    #[error("{0}")]
    Graph(#[from] terrane_flow::Diagnostics),
    /// A node failed.
    #[error("{0}")]
    Failed(String),
    /// The system gave no threads, or a picture could not be made.
    #[error("{0}")]
    System(String),
}

/// Evaluates one port (`"node"` or `"node.output"`) of a graph file, without any cache.
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
    let evaluation = engine.start(&Arc::new(loaded), [Wanted::from(Reference::parse(port))])?.wait();
    match evaluation.outputs.into_iter().next().and_then(|output| output.value) {
        Some(value) => Ok(value),
        None => Err(TestError::Failed(format!(
            "{:?}",
            evaluation.nodes.iter().map(|n| &n.outcome).collect::<Vec<_>>()
        ))),
    }
}

/// A port of a graph file in words.
///
/// # Errors
/// [`TestError`].
pub fn describe(graph: impl AsRef<Path>, port: &str) -> Result<String, TestError> {
    evaluate(graph, port).map(|value| describe_value(&value))
}

/// A port of a graph given as text.
///
/// # Errors
/// [`TestError`].
pub fn describe_text(graph: &str, port: &str) -> Result<String, TestError> {
    let registry = terrane_nodes::registry();
    let loaded = load("graph", graph, Path::new("."), &registry, &LoadOptions::default())?;
    evaluate_loaded(loaded, port).map(|value| describe_value(&value))
}

/// A value in words: what a text snapshot holds.
#[must_use]
pub fn describe_value(value: &Value) -> String {
    let mut text = format!("kind: {}\n", value.kind().name);
    if let Some(map) = value.get::<Map>() {
        describe_map(map, &mut text);
    } else if let Some(picture) = value.get::<Picture>() {
        let _infallible = writeln!(text, "size: {} x {}", picture.width(), picture.height());
    } else if let Some(json) = value.to_json() {
        let _infallible = writeln!(text, "{json:#}");
    }
    let _infallible = writeln!(text, "hash: {}", &value.digest().hex()[..32]);
    text
}

fn describe_map(map: &Heightmap, text: &mut String) {
    let s = terrane_kernels::metric::statistics(map);
    let domain = map.domain();
    let _infallible = write!(
        text,
        "size: {} x {}, spacing {}, origin {:?}\nmin: {:.6}\nmax: {:.6}\nmean: {:.6}\ndeviation: {:.6}\n{}",
        domain.width(),
        domain.height(),
        domain.spacing,
        domain.origin,
        s.min,
        s.max,
        s.mean,
        s.deviation,
        characters(map, s.min, s.max),
    );
}

/// A relief in characters, low to high: ` .:-=+*#%@`.
fn characters(map: &Heightmap, low: f64, high: f64) -> String {
    const RAMP: &[u8] = b" .:-=+*#%@";
    let (columns, rows) = (map.width().min(48), map.height().min(18));
    let mut text = String::new();
    for row in 0..rows {
        text.push('|');
        for column in 0..columns {
            let at =
                ((2 * column + 1) * map.width() / (2 * columns), (2 * row + 1) * map.height() / (2 * rows));
            let t = if high > low { (f64::from(map[at]) - low) / (high - low) } else { 0.0 };
            text.push(RAMP[(t * RAMP.len() as f64).clamp(0.0, (RAMP.len() - 1) as f64) as usize] as char);
        }
        text.push_str("|\n");
    }
    text
}

/// A picture of a map (grey, least to greatest) or of a picture; nothing for other kinds.
#[must_use]
pub fn picture(value: &Value) -> Option<Grid<[u8; 3]>> {
    if let Some(picture) = value.get::<Picture>() {
        return Some(picture.0.clone());
    }
    let map = value.get::<Map>()?;
    let s = terrane_kernels::metric::statistics(map);
    let unit = terrane_kernels::shape::remap(map.0.clone(), (s.min as f32, s.max as f32), (0.0, 1.0));
    Some(terrane_kernels::shade::grey(&unit))
}

/// A picture of a map (grey, least to greatest) or of a picture, as the bytes of a PNG file.
///
/// # Errors
/// [`TestError::Failed`] for other kinds, [`TestError::System`] when no temporary file can be written.
pub fn png(value: &Value) -> Result<Vec<u8>, TestError> {
    let picture =
        picture(value).ok_or_else(|| TestError::Failed(format!("a {} is no picture", value.kind().name)))?;
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

/// Compares one port of a graph file with a picture kept beside the snapshot: `assert_port_picture!("graph.ron", "shade")`.
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
