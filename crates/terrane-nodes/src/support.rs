//! Helpers that many nodes share.

use terrane_flow::{Context, Data, NodeError, Pointwise, Scalar, Sizes};
use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::shape::samples;
use terrane_kernels::{Cancelled, Progress, ScalarMap};

use crate::terrain::Terrain;
use crate::values::Map;

/// Reports a kernel's progress to the engine.
pub struct Report<'a, 'b>(pub &'a Context<'b>);

impl Progress for Report<'_, '_> {
    fn report(&self, fraction: f64) -> Result<(), Cancelled> {
        self.0.progress(fraction).map_err(|_| Cancelled)
    }

    fn check(&self) -> Result<(), Cancelled> {
        self.0.check().map_err(|_| Cancelled)
    }
}

/// The error of a cancelled kernel.
pub fn cancelled(_: Cancelled) -> NodeError {
    NodeError::Cancelled
}

/// The domain of the graph: its size, spacing and origin.
pub fn domain(cx: &Context<'_>) -> Domain {
    cx.header::<Terrain>().domain
}

/// Bytes of `count` maps of the graph's size.
pub fn maps(sizes: &Sizes<'_>, count: f64) -> u64 {
    (sizes.header.value_bytes(Map::KIND) as f64 * count) as u64
}

/// Bytes of a map of `width` x `height` samples.
pub fn map_bytes(width: u64, height: u64) -> u64 {
    width.saturating_mul(height).saturating_mul(4)
}

/// The domain of the graph, for memory forecasts before it runs.
pub fn forecast_domain(sizes: &Sizes<'_>) -> Option<Domain> {
    Terrain::of(sizes.header).map(|terrain| terrain.domain)
}

/// A node's seed, mixed with the graph's.
pub fn seed(cx: &Context<'_>, own: u64) -> Seed {
    Seed(cx.seed()).mixed(own)
}

/// Replaces each height h of a map by `offset + amplitude · h`.
pub fn scale(mut map: Heightmap, amplitude: f64, offset: f64) -> Heightmap {
    let (amplitude, offset) = (amplitude as f32, offset as f32);
    if (amplitude, offset) != (1.0, 0.0) {
        map.samples_mut().iter_mut().for_each(|h| *h = offset + amplitude * *h);
    }
    map
}

/// Rejects a raster whose size differs from the graph's. `name` is the name of its port.
pub fn graph_size(graph: &Domain, name: &str, (v, g): (usize, usize)) -> Result<(), NodeError> {
    let (w, h) = graph.size;
    if (w, h) == (v, g) {
        return Ok(());
    }
    let message = format!("the graph has {w} x {h} samples, but `{name}` has {v} x {g}");
    Err(NodeError::failed(message, "connect the map of the same size to `height`"))
}

/// A function of the height at the first port.
pub fn of_height(f: impl Fn(f32) -> f32 + Copy + Send + Sync + 'static) -> Pointwise {
    Pointwise::new(move |block, inputs| samples(block, &inputs[0], f))
}

/// The value of a scalar port, in the form that kernels use.
pub fn scalar(value: &Scalar<Map>) -> ScalarMap<'_> {
    match value {
        Scalar::Constant(value) => ScalarMap::Constant(*value as f32),
        Scalar::Map(map) => ScalarMap::Map(map),
    }
}
