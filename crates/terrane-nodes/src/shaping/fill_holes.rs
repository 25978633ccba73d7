//! Filling of holes.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Grid;
use terrane_io::fill;

use crate::values::Map;

/// Fills the holes of a map smoothly from their surroundings.
///
/// Holes are samples without a value: missing samples of an elevation model that `Import(voids: Keep)` reads,
/// or not-a-numbers in an array from Python. Nodes such as those that move material or search paths need a
/// map without holes. The heights in a hole are those of a membrane that is stretched over it: they continue
/// the heights at its rim, and lie between them. All other samples stay as they are.
///
/// The method is the pull-push pyramid (Gortler et al. 1996, The Lumigraph, section 3.4) with relaxation at
/// every level, the same as that of `Import`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (513, 513), spacing: 30.0,
///     nodes: {
///         // All samples of one height, as if they were missing.
///         "dem": Import(file: "data/bigtujunga_30m.tif", voids: Keep, nodata: 560.0),
///         "slope": SlopeMap(height: "dem"),
///         "gentle": Statistics(height: "slope"),
///         "whole": FillHoles(height: "dem"),
///         "worn": ThermalErosion(height: "whole"),
///     },
///     outputs: { "gentle.json": "gentle", "worn.tif": "worn", "filled.png": "whole.mask" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "inpaint missing gaps nodata nan void repair interpolate holes close",
    tiles = Global, because = "a hole can be as wide as the map", paper = "Gortler \
    et al. 1996", working_maps = 1.7, holes = Filled)]
#[output(height: Map, unit = "world units", doc = "The terrain without holes.")]
#[output(mask: Map, doc = "1 where there was a hole, 0 elsewhere.")]
pub struct FillHoles {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
}

impl Evaluate for FillHoles {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.take();
        let valid: Grid<f32> = height.grid().map(|sample| f32::from(u8::from(!sample.is_nan())));
        let mask = height.with_grid(valid.map(|valid| 1.0 - valid));
        if !valid.as_slice().contains(&1.0) {
            let message = "every sample of `height` is a hole";
            return Err(NodeError::failed(message, "connect a map that has heights"));
        }
        let georef = height.georef().cloned();
        let domain = height.domain();
        let mut grid = height.0.into_grid();
        fill(&mut grid, &valid);
        Ok((Map(terrane_grid::Heightmap::from_grid(domain, grid).with_georef(georef)), Map(mask)))
    }
}
