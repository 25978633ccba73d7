//! How dense rivers are.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Grid;

use crate::values::{Map, Table};

/// How dense rivers are: their length over the area, with the samples that they run through.
///
/// A sample belongs to a river where its drainage is at least `threshold`, in the units of the map: rain for
/// `FluvialErosion`, area for `UpliftErosion`. Each counts as one spacing of river, which is exact where
/// water runs to four neighbours; diagonal steps are longer by up to two fifths.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "rivers": FluvialErosion(height: "hills", gradient_strength: 0.02, iterations: 50),
///         "density": DrainageDensity(drainage: "rivers.drainage", threshold: 3.0),
///     },
///     outputs: { "density.json": "density", "network.png": "density.rivers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(
    category = "metrics",
    tiles = Global,
    because = "it is the length of all rivers",
    paper = "Horton 1945",
)]
#[output(density: Table, doc = "One row: density, length of rivers over the area, per world unit; share, of \
    samples that belong to one.")]
#[output(rivers: Map, doc = "1 in rivers, 0 elsewhere.")]
pub struct DrainageDensity {
    /// What runs through each sample.
    #[input]
    pub drainage: Input<Map>,
    /// Drainage from which on there is a river.
    #[param(default = 3.0, above = 0.0)]
    pub threshold: f64,
}

impl Evaluate for DrainageDensity {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let drainage = self.drainage.get();
        let threshold = self.threshold as f32;
        let rivers: Grid<f32> = drainage.grid().map(|&through| f32::from(u8::from(through >= threshold)));
        let count = rivers.as_slice().iter().filter(|&&river| river > 0.0).count();
        let share = count as f64 / rivers.as_slice().len().max(1) as f64;
        // n samples of length s on N of area s²: n·s / (N·s²).
        let density = share / drainage.spacing();
        Ok((Table::row(&[("density", density), ("share", share)]), Map(drainage.with_grid(rivers))))
    }
}
