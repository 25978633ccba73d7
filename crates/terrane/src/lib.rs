//! Procedural terrain as text: a graph of typed nodes, evaluated in parallel and cached by content.
//!
//! ```
//! use terrane::nodes::{erosion::ThermalErosion, sources::MidpointDisplacement};
//! use terrane::{Domain, Engine, EngineOptions, Graph, Terrain};
//!
//! let mut graph = Graph::new(Terrain::new(Domain::new(129, 129).with_spacing(4.0))).with_seed(42);
//! let hills = graph.add("hills", MidpointDisplacement { amplitude: 120.0, ..Default::default() });
//! let thermal =
//!     ThermalErosion { height: hills.height.into(), talus: Some(0.6).into(), ..Default::default() };
//! let eroded = graph.add("eroded", thermal);
//!
//! let engine = Engine::new(EngineOptions::default())?;
//! let height = engine.value(&graph, &eroded.height)?;
//! assert_eq!(height.width(), 129);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A graph in a file is evaluated in the same way. An output has the name of its node, or `"node.output"`:
//!
//! ```no_run
//! use std::{path::Path, sync::Arc};
//! use terrane::{Engine, EngineOptions, LoadOptions, load_file, registry, values::Map};
//!
//! let graph = load_file(Path::new("hills.ron"), &registry(), &LoadOptions::default())?;
//! let height = Engine::new(EngineOptions::default())?.value_of::<Map>(&Arc::new(graph), "eroded")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Engine::evaluate`] evaluates several outputs together. [`Engine::start`] returns a [`Job`] with events
//! and a cancel handle.
//!
//! - [`nodes`] and [`values`]: the types of nodes, and of what flows between them.
//! - [`runs`]: what the command does. `runs::outputs::run_all` writes the files of a graph's outputs; sweeps
//!   and snapshots have modules of their own.
//! - [`world`]: unbounded terrain, patch by patch; `stores` writes it to Zarr stores.
//! - [`io`]: files of heights, pictures, lines, points and meshes.
//! - [`kernels`], [`paths`] and [`fields`]: the techniques as plain functions.
//! - [`flow`]: the framework, which is independent of terrain. A type of node of your own derives `Node`,
//!   whose code names `terrane_flow`, so your package depends on that crate too.
//!
//! # Features
//! - `exr`, `svg`, `image`: OpenEXR; lines from SVG; JPEG, WebP, BMP and TGA, with conversions from and to
//!   the types of the crate `image` in `io::images`. On by default.
//! - `optimum`: the node `OptimalPath`, with a solver of cone programmes. On by default.
//! - `projections`: longitude and latitude in GeoJSON. On by default.
//! - `triangulation`: the nodes `VoronoiGraph` and `RandomGraph`. On by default.
//! - `snapshots`: snapshot tests of graphs with insta, in `testing` and `runs::snapshots`.
//! - `watch`: graphs that are evaluated again when their files change, in [`flow`]'s `live` and `watch`.
//! - `view`: graphs as pictures, and the live preview's server. Turns on `watch`.
//! - `stores`: worlds in Zarr stores. `cloud` turns it on, and adds buckets over the network.

#[cfg(feature = "snapshots")]
pub mod testing;

pub use terrane_fields as fields;
pub use terrane_flow as flow;
pub use terrane_flow::{
    Cancel, Engine, EngineOptions, Evaluation, Event, Graph, Job, LoadOptions, Loaded, NoValue, Wanted, load,
    load_file,
};
pub use terrane_grid::{Domain, Grid, Heightmap};
pub use terrane_io as io;
pub use terrane_kernels as kernels;
pub use terrane_nodes as nodes;
pub use terrane_nodes::{Terrain, registry, values};
pub use terrane_paths as paths;
pub use terrane_runs as runs;
pub use terrane_runs::world;
#[cfg(feature = "stores")]
pub use terrane_stores as stores;
#[cfg(feature = "view")]
pub use terrane_view as view;

/// The types that graph files use besides nodes. They are declared in the same way as nodes. `terrane nodes
/// Graph` shows one of them.
#[must_use]
pub fn file_types() -> Vec<&'static flow::NodeSpec> {
    use flow::Declare as _;
    let family = nodes::family();
    vec![
        family.graph,
        family.export,
        flow::declared::Subgraph::spec(),
        flow::declared::Repeat::spec(),
        world::World::spec(),
    ]
}
