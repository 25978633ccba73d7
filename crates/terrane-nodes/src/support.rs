//! What many nodes need.

use terrane_flow::{Context, Data, NodeError, Scalar, Sizes};
use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::{Cancelled, Progress, ScalarMap};

use crate::terrain::Terrain;
use crate::values::Map;

/// A kernel's progress, told to the engine.
pub struct Report<'a, 'b>(pub &'a Context<'b>);

impl Progress for Report<'_, '_> {
    fn report(&self, fraction: f64) -> Result<(), Cancelled> {
        self.0.progress(fraction).map_err(|_| Cancelled)
    }
}

/// A kernel that was asked to stop.
pub fn cancelled(_: Cancelled) -> NodeError {
    NodeError::Cancelled
}

/// The graph's part of the world.
pub fn domain(cx: &Context<'_>) -> Domain {
    cx.header::<Terrain>().0
}

/// Bytes of so many maps of the graph's size.
pub fn maps(sizes: &Sizes<'_>, count: f64) -> u64 {
    (sizes.header.value_bytes(Map::KIND) as f64 * count) as u64
}

/// Bytes of a map of some size.
pub fn map_bytes(width: u64, height: u64) -> u64 {
    width.saturating_mul(height).saturating_mul(4)
}

/// The graph's part of the world, where its size is known before it runs.
pub fn forecast_domain(sizes: &Sizes<'_>) -> Option<Domain> {
    sizes.header.as_any().downcast_ref::<Terrain>().map(|terrain| terrain.0)
}

/// A node's seed with its graph's.
pub fn seed(cx: &Context<'_>, own: u64) -> Seed {
    Seed(cx.seed()).mixed(own)
}

/// `offset + amplitude · h`.
pub fn scale(mut map: Heightmap, amplitude: f64, offset: f64) -> Heightmap {
    let (amplitude, offset) = (amplitude as f32, offset as f32);
    if (amplitude, offset) != (1.0, 0.0) {
        map.samples_mut().iter_mut().for_each(|h| *h = offset + amplitude * *h);
    }
    map
}

/// Refuses a second map of another size.
pub fn same_size(first: &str, a: &Heightmap, second: &str, b: &Heightmap) -> Result<(), NodeError> {
    let ((w, h), (v, g)) = (a.domain().size, b.domain().size);
    if (w, h) == (v, g) {
        return Ok(());
    }
    Err(NodeError::failed(
        format!("`{first}` has {w} x {h} samples, `{second}` {v} x {g}"),
        "bring both to one size with a Resample node",
    ))
}

/// A scalar port's value for a kernel.
pub fn scalar(value: &Scalar<Map>) -> ScalarMap<'_> {
    match value {
        Scalar::Constant(value) => ScalarMap::Constant(*value as f32),
        Scalar::Map(map) => ScalarMap::Map(map),
    }
}

/// Refuses a scalar map of another size than the map that it goes with.
pub fn scalar_size(name: &str, value: &Scalar<Map>, with: &Heightmap) -> Result<(), NodeError> {
    match value {
        Scalar::Constant(_) => Ok(()),
        Scalar::Map(map) => same_size("height", with, name, map),
    }
}

/// A parameter with the choices of a kernel's enum: the variants are named once and converted by name.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident => $kernel:path { $($(#[$variant_doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[derive(serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl From<$name> for $kernel {
            fn from(choice: $name) -> Self {
                match choice {
                    $($name::$variant => Self::$variant),*
                }
            }
        }
    };
}
pub(crate) use choice;

choice! {
    /// What lies beyond a map's border.
    Boundary => terrane_kernels::Boundary {
        /// Nothing: a sample on the border has fewer neighbours.
        Open,
        /// The opposite border: the map is a torus.
        Wrap,
    }
}
