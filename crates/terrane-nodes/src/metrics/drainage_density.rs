//! Drainage density.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Grid;

use crate::values::{Map, Table};

/// The drainage density: the total length of rivers divided by the area, with a map of the rivers.
///
/// A sample belongs to a river if its drainage is at least `threshold`, in the units of the map: rain for
/// `FluvialErosion`, area for `UpliftErosion` and `Drainage`. Each sample counts as one spacing of river
/// length. This is exact where water flows along rows and columns; a diagonal step is longer by 41 %.
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
#[node(category = "metrics",
    words = "rivers length density measure streams network",
    tiles = Global, because = "it measures all rivers of the map", paper = "Horton \
    1945", holes = Kept)]
#[output(density: Table, doc = "One row: `density` (length of rivers divided by the area, per world unit) \
    and `share` (of the samples that belong to a river).")]
#[output(rivers: Map, doc = "1 in rivers, 0 elsewhere.")]
pub struct DrainageDensity {
    /// Drainage through each sample.
    #[input]
    pub drainage: Input<Map>,
    /// Minimum drainage of a river, in the units of `drainage`.
    #[param(default = 3.0, above = 0.0)]
    pub threshold: f64,
}

impl Evaluate for DrainageDensity {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let drainage = self.drainage.get();
        let threshold = self.threshold as f32;
        let rivers: Grid<f32> = drainage.grid().map(|&through| f32::from(u8::from(through >= threshold)));
        let count = rivers.as_slice().iter().filter(|&&river| river > 0.0).count();
        let known = drainage.samples().iter().filter(|through| !through.is_nan()).count();
        let share = count as f64 / known.max(1) as f64;
        // n samples of length s on N of area s²: n·s / (N·s²).
        let density = share / drainage.spacing();
        Ok((Table::row(&[("density", density), ("share", share)]), Map(drainage.with_grid(rivers))))
    }
}
