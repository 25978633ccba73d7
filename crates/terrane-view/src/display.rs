//! How a value is displayed. The program that uses this crate defines the kinds of value, and chooses a face
//! for each.

use std::borrow::Cow;

use serde_json::Value as Json;
use terrane_flow::{Header, Loaded, Node, NodeSpec, Value};
use terrane_grid::{Grid, Heightmap};

/// What can be shown of a value.
#[derive(Debug)]
pub enum Face<'a> {
    /// Heights, or any scalar per sample: a map in 2D and a terrain in 3D.
    Heights(&'a Heightmap),
    /// The level of water, which is not a number where it is dry: in blue.
    Levels(&'a Heightmap),
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
    /// The name of the face in messages to the page.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Heights(_) | Self::Levels(_) => "heights",
            Self::Picture(_) => "picture",
            Self::Chart(_) => "chart",
            Self::Numbers(_) => "numbers",
            Self::Nothing => "nothing",
        }
    }
}

/// A line, by the world x and y of its points.
pub type Line = Vec<(f64, f64)>;

/// Functions with which the program describes its values and graphs.
#[derive(Clone, Copy, Debug)]
pub struct Faces {
    /// What can be shown of a value.
    pub of: fn(&Value) -> Face<'_>,
    /// Columns and rows of a graph's maps, if its header has them.
    pub size: fn(&dyn Header) -> Option<(usize, usize)>,
    /// The header field, as name and RON text, that changes the size of a graph's maps and keeps their
    /// extent.
    pub resize: fn((usize, usize)) -> (String, String),
    /// Whether a unit is one of heights. Maps in such a unit are shown as relief, others in grey.
    pub is_height: fn(&str) -> bool,
    /// Whether a node is a scene: a picture of the ground at its port `height`, in the colours at `picture`
    /// and with the water at `water`. It takes long, so it is evaluated only for pages that show it. Pages
    /// also draw it themselves.
    pub is_scene: fn(&dyn Node) -> bool,
    /// The lines of a value that has some, as positions in world units.
    pub lines: fn(&Value) -> Option<Vec<Line>>,
    /// Gives a scene less work, for a result that is shown first.
    pub shorten: fn(&mut dyn Node),
    /// What to write for a new node of a type, if its defaults do not suit the graph's maps, or the minimum
    /// and the maximum of the heights that it reads.
    pub suited: Suits,
}

/// What to write for a new node of a type, on the maps of a graph with this header. The range is that of the
/// heights that the node reads.
pub type Suits = fn(&NodeSpec, &dyn Header, Option<(f64, f64)>) -> Option<String>;

impl Faces {
    /// Whether an output of a graph's node has heights.
    #[must_use]
    pub fn has_heights(&self, graph: &Loaded, node: &str, output: usize) -> bool {
        let outputs = graph.graph.nodes.get(node).map(|node| node.node().spec().outputs);
        outputs.and_then(|outputs| outputs.get(output)).is_some_and(|output| (self.is_height)(output.unit))
    }
}
