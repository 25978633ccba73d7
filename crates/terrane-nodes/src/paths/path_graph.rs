//! A graph of paths.

use terrane_flow::{Context, Evaluate, FilePath, Invalid, Node, NodeError, OptionalInput, Port as _, Source};
use terrane_grid::PlanarGraph;
use terrane_kernels::path::{check_graph, cut};

use super::lines::read_graph;
use crate::support::domain;
use crate::values::Graph;

/// A graph of paths: places of the world, joined by edges, or the part of a larger graph that lies on the patch.
///
/// It is written here as `nodes` and `edges`, or read from a GeoJSON `file`: a LineString or MultiLineString, a feature of one, or a FeatureCollection. Its
/// coordinates are world units. Points that are the same to the bit are one node, and from point to point leads an edge, so that a line of many points is a chain; what two lines share is there
/// once. A feature's property `slope` is the greatest slope of its edges. What `SubdividePath` writes as `paths` can be read so, where ways do not cross.
///
/// The graph is planar: edges meet at common ends only. With `cut` what lies outside the patch is left out, and an edge that crosses its
/// border ends there, at the same place for both patches that share it, to the bit. So one graph serves a whole world.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 1.0, seed: 7,
///     nodes: {
///         "ground": MidpointDisplacement(lattice: 2),
///         "graph": PathGraph(
///             nodes: [(19, 26), (38, 96), (102, 109), (96, 32), (64, 64)],
///             edges: [(0, 4), (1, 4), (2, 4), (3, 4), (0, 3)],
///         ),
///         "bounds": SubdividePath(height: "ground", graph: "graph", max_slope: 0.0035, cost: Thesis),
///         "paths": RelaxPath(height: "ground", subdivision: "bounds"),
///         "shade": Hillshade(height: "paths", exaggeration: 40.0),
///     },
///     outputs: { "graph.json": "graph", "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths", version = 2, tiles = Pointwise, paper = "Velzel, section 1.1")]
#[output(graph: Graph, doc = "The graph on the patch.")]
pub struct PathGraph {
    /// A larger graph to take instead of `nodes`, `edges` and `file`.
    #[input]
    pub graph: OptionalInput<Graph>,
    /// Places as (x, y).
    #[param(default = Vec::new(), unit = "world units")]
    pub nodes: Vec<(f64, f64)>,
    /// Pairs of nodes, counted from 0.
    #[param(default = Vec::new())]
    pub edges: Vec<(u32, u32)>,
    /// Greatest slopes of the edges, in their order, where they have their own.
    #[param(default = Vec::new(), min = 0.0, unit = "rise over run")]
    pub slopes: Vec<f64>,
    /// Places on paths whose height is known, as (x, y, height, greatest slope), for patches that share their borders; a world finds them.
    #[param(default = Vec::new(), unit = "world units")]
    pub anchors: Vec<(f64, f64, f64, f64)>,
    /// Greatest slope of edges that have none of their own; without, that of `SubdividePath`, and then all edges have their own or none has.
    #[param(default = None, min = 0.0, unit = "rise over run")]
    pub max_slope: Option<f64>,
    /// A GeoJSON file of lines to take instead of `nodes` and `edges`, relative to the graph's.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Whether to leave out what lies outside the patch.
    #[param(default = true)]
    pub cut: bool,
}

impl Evaluate for PathGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let graph = match (self.graph.get(), &self.file) {
            (Some(graph), _) => (*graph).clone(),
            (None, Some(file)) => read_graph(file, self.max_slope, true)?,
            (None, None) => self.written(),
        };
        if !self.cut {
            return Ok((graph,));
        }
        let domain = domain(cx);
        let high = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
        let (plane, from) = cut(&graph.plane, domain.origin, high);
        let slopes = from.iter().filter_map(|&edge| graph.slopes.get(edge).copied()).collect();
        Ok((Graph { plane, slopes, anchors: graph.anchors },))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        let written = !(self.nodes.is_empty() && self.edges.is_empty() && self.slopes.is_empty());
        let wired = !matches!(self.graph.source(), Source::Unset);
        if self.file.is_some() && (written || wired) {
            let message = "there are two graphs: a file, and another".to_owned();
            return invalid("file", message, "leave out `file`, or `graph`, `nodes`, `edges` and `slopes`");
        }
        let plane = PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() };
        if let Err(error) = check_graph(&plane) {
            return invalid(
                "edges",
                error.to_string(),
                "nodes and edges are counted from 0; edges meet at common ends only",
            );
        }
        if !self.slopes.is_empty() && self.slopes.len() != self.edges.len() {
            let message = format!("there are {} slopes for {} edges", self.slopes.len(), self.edges.len());
            return invalid("slopes", message, "give each edge one, or none any");
        }
        Ok(())
    }
}

impl PathGraph {
    /// The graph as it is written in the parameters.
    fn written(&self) -> Graph {
        let slopes = match self.max_slope {
            Some(slope) if self.slopes.is_empty() => vec![slope; self.edges.len()],
            _ => self.slopes.clone(),
        };
        let plane = PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() };
        Graph { plane, slopes, anchors: self.anchors.clone() }
    }
}
