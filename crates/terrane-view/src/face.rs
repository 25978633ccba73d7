//! What can be shown of a value. The kinds of value are the program's that uses this crate; it says which
//! face each has.

use std::borrow::Cow;

use serde_json::Value as Json;
use terrane_flow::{Header, Loaded, Value};
use terrane_grid::{Grid, Heightmap};

/// What can be shown of a value.
#[derive(Debug)]
pub enum Face<'a> {
    /// Heights, or any scalar per sample: a map in 2D and a terrain in 3D.
    Heights(&'a Heightmap),
    /// A picture.
    Picture(Cow<'a, Grid<[u8; 3]>>),
    /// A chart, as SVG.
    Chart(&'a str),
    /// Numbers: an object of numbers (a row), or of lists (columns), or anything else that JSON can say.
    Numbers(Json),
    /// Nothing.
    Nothing,
}

impl Face<'_> {
    /// The face's name towards the page.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Heights(_) => "heights",
            Self::Picture(_) => "picture",
            Self::Chart(_) => "chart",
            Self::Numbers(_) => "numbers",
            Self::Nothing => "nothing",
        }
    }
}

/// What the program knows of its values and graphs.
#[derive(Clone, Copy, Debug)]
pub struct Faces {
    /// What can be shown of a value.
    pub of: fn(&Value) -> Face<'_>,
    /// Columns and rows of a graph's maps, where its header tells.
    pub size: fn(&dyn Header) -> Option<(usize, usize)>,
    /// The header field, as name and RON text, that gives a graph's maps another size and keeps their extent.
    pub resize: fn((usize, usize)) -> (String, String),
    /// Whether a unit is one of heights: maps of outputs that have it are shown as relief, others as shades
    /// of grey.
    pub is_height: fn(&str) -> bool,
}

impl Faces {
    /// Whether an output of a graph's node has heights.
    #[must_use]
    pub fn has_heights(&self, graph: &Loaded, node: &str, output: usize) -> bool {
        let outputs = graph.graph.nodes.get(node).map(|node| node.node().spec().outputs);
        outputs.and_then(|outputs| outputs.get(output)).is_some_and(|output| (self.is_height)(output.unit))
    }
}
