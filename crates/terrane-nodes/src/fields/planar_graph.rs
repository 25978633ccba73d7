//! Graphs from parameters or files.

use terrane_flow::{Context, Evaluate, FilePath, Invalid, Node, NodeError};
use terrane_paths::planar::check_graph;

use super::support::bare;
use crate::opening::check_build;
use crate::outside::warn_of_lines;
use crate::paths::{graph_of_file, lines_of};
use crate::place::lonlat;
use crate::values::Graph;

/// A planar graph from nodes and edges, from the lines of a GeoJSON file, or from the outlines of an SVG
/// picture.
///
/// The edges of a planar graph meet only at common nodes.
///
/// The coordinates of an SVG are pixels, with x to the right and y down, as in maps. Curves become straight
/// lines, with an error of at most 0.05 pixels.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 1.0, seed: 7,
///     nodes: {
///         "graph": PlanarGraph(
///             nodes: [(10, 10), (118, 12), (115, 118), (12, 112), (66, 60)],
///             edges: [(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (1, 4), (2, 4), (3, 4)],
///         ),
///         "fields": Section(graph: "graph"),
///         "numbers": Remap(height: "fields.field_ids", from: (-1, 3), to: (0, 1)),
///     },
///     outputs: { "fields.json": "fields", "numbers.png": "numbers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "map regions zones provinces countries borders outlines geojson svg polygons network mesh \
        layout",
    version = 2, tiles = Pointwise, header, paper = "Mijailovic, section 2.5")]
#[output(graph: Graph, doc = "The graph.")]
pub struct PlanarGraph {
    /// Positions of nodes as (x, y).
    #[param(default = Vec::new(), unit = "world units")]
    pub nodes: Vec<(f64, f64)>,
    /// Edges as pairs of node indices, which are counted from 0.
    #[param(default = Vec::new())]
    pub edges: Vec<(u32, u32)>,
    /// GeoJSON or SVG file with lines, instead of `nodes` and `edges`. The path is relative to the graph's
    /// file.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Factor by which coordinates are multiplied.
    #[param(default = 1.0, above = 0.0)]
    pub scale: f64,
    /// World position of the coordinates (0, 0).
    #[param(default = (0.0, 0.0), unit = "world units", place)]
    pub corner: (f64, f64),
    /// Whether to reject edges that cross. If `false`, `EditGraph` can split them.
    #[param(default = true)]
    pub planar: bool,
}

impl Evaluate for PlanarGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut graph = match &self.file {
            Some(file) => {
                let lines = lines_of(&lonlat(cx), file)?;
                let (scale, corner) = (self.scale, self.corner);
                warn_of_lines(cx, file, &lines, |(x, y)| (scale * x + corner.0, scale * y + corner.1));
                graph_of_file(file, &lines, None, self.planar)?
            }
            None => bare(self.written()),
        };
        if self.scale != 1.0 {
            graph.plane.nodes.iter_mut().for_each(|(x, y)| (*x, *y) = (self.scale * *x, self.scale * *y));
        }
        graph.shift(self.corner);
        Ok((graph,))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        if self.file.is_some() && !(self.nodes.is_empty() && self.edges.is_empty()) {
            return invalid(
                "file",
                "`file` and another graph are both given".to_owned(),
                "leave one of them out",
            );
        }
        check_build(&self.file)?;
        match check_graph(&self.written()) {
            Err(error) if self.planar => {
                let help = "nodes and edges are counted from 0; edges may meet only at common nodes, or set \
                    planar: false and split them with EditGraph";
                invalid("edges", error.to_string(), help)
            }
            _ => Ok(()),
        }
    }
}

impl PlanarGraph {
    fn written(&self) -> terrane_grid::PlanarGraph {
        terrane_grid::PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() }
    }
}
