//! Playability of terrain.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Grid;
use terrane_kernels::Boundary;
use terrane_kernels::metric::{self, Needs};

use crate::values::{Map, Table};

/// Rates how well a terrain suits a game: the product of its erosion score, the share of it that units can
/// reach and the share that structures can cover.
///
/// The slope of a sample is the largest difference to one of its four neighbours, divided by the spacing.
/// Units fit on squares of `unit_size` samples per side on which all slopes are below `unit_slope`. Units
/// move from square to square by one sample along a row or column, and therefore do not pass openings
/// narrower than themselves. Such steps join squares into connected areas, and units reach all samples of the
/// largest area. Structures need squares of `structure_size` samples per side within that area, on which all
/// slopes are below `structure_slope`. The paper's limits are differences in height of 8/N and 2/N, with N
/// samples per side. On a map with a side length of 1, these are slopes of 8 and 2.
///
/// The result depends on the spacing, because squares are measured in samples.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 500.0, smoothed: true),
///         "eroded": OlsenErosion(height: "hills", talus: 4.0),
///         "play": Playability(height: "eroded", unit_slope: 2.0, structure_slope: 0.5, structure_size: 5),
///     },
///     outputs: { "play.json": "play", "units.png": "play.units" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "game rate score reachable units buildings quality measure playable",
    tiles = Global, because = "connected areas can cover the whole \
    map", version = 2, paper = "Olsen 2004, Terrain for computer games", working_maps = 2.6)]
#[output(playability: Table, doc = "One row: erosion (erosion score ε), units (υ), structures (β) and score \
    (γ), their product.")]
#[output(units: Map, doc = "1 where units can go, the paper's U, 0 elsewhere.")]
#[output(structures: Map, doc = "1 where structures can stand, the paper's B, 0 elsewhere.")]
pub struct Playability {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Slope below which units can move, the paper's Tu.
    #[param(default = 8.0, min = 0.0, unit = "rise over run")]
    pub unit_slope: f64,
    /// Slope below which structures can be built, the paper's Tb.
    #[param(default = 2.0, min = 0.0, unit = "rise over run")]
    pub structure_slope: f64,
    /// Side of a unit's square, the paper's Nu.
    #[param(default = 1, min = 1, max = 65_536, unit = "samples")]
    pub unit_size: u32,
    /// Side of a structure's square, the paper's Nb.
    #[param(default = 9, min = 1, max = 65_536, unit = "samples")]
    pub structure_size: u32,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Playability {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let needs = Needs {
            unit_slope: self.unit_slope as f32,
            unit_size: self.unit_size as usize,
            structure_slope: self.structure_slope as f32,
            structure_size: self.structure_size as usize,
            boundary: self.boundary,
        };
        let found = metric::playability(&height, &needs);
        let mask = |set: &Grid<bool>| Map(height.with_grid(set.map(|&inside| f32::from(u8::from(inside)))));
        let row = Table::row(&[
            ("erosion", found.erosion),
            ("units", found.units),
            ("structures", found.structures),
            ("score", found.score()),
        ]);
        Ok((row, mask(&found.reached), mask(&found.built)))
    }
}
