//! Reading a map at some of its samples.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_nodes::values::{Map, Table};

/// The heights of a map at some samples. A cache can keep these few numbers even if it does not keep the
/// whole map.
#[derive(Clone, Debug, Node)]
#[node(category = "worlds", tiles = Global, because = "it reads samples by index")]
#[output(heights: Table, doc = "A row per sample: `height`.")]
pub struct HeightsAt {
    /// The map.
    #[input()]
    pub map: Input<Map>,
    /// The columns and rows of the samples.
    #[param()]
    pub samples: Vec<(u32, u32)>,
}

impl HeightsAt {
    /// The name of the column with the heights.
    pub const COLUMN: &str = "height";
}

impl Evaluate for HeightsAt {
    fn evaluate(&mut self, _: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let map = self.map.get();
        let (samples, width) = (map.samples(), map.width());
        let height = |&(x, y): &(u32, u32)| {
            let inside = (x as usize) < width;
            let height = samples.get(y as usize * width + x as usize).filter(|_| inside);
            height.map(|&height| f64::from(height)).ok_or_else(|| {
                NodeError::failed(
                    format!("its map has no sample {x}, {y}"),
                    "this is a defect in Terrane: please report it with the world",
                )
            })
        };
        let heights = self.samples.iter().map(height).collect::<Result<Vec<f64>, _>>()?;
        Ok((Table::new(vec![(Self::COLUMN, heights)]),))
    }
}
