//! Graphs of paths.

use terrane_flow::{Context, Evaluate, FilePath, Invalid, Node, NodeError, OptionalInput, Port as _, Source};
use terrane_grid::PlanarGraph;
use terrane_paths::path::{Part, cut};
use terrane_paths::planar::check_graph;

use super::lines::{graph_of_file, lines_of};
use crate::opening::check_build;
use crate::outside::{warn_of_lines, warn_of_nodes};
use crate::place::lonlat;
use crate::support::domain;
use crate::values::Graph;

/// A graph of paths: nodes in the world connected by edges, or the part of a larger graph that lies on the
/// patch.
///
/// The graph is written as `nodes` and `edges`, or read from a GeoJSON `file`. The file contains a
/// FeatureCollection, a Feature, a LineString or a MultiLineString. Its coordinates are longitudes and
/// latitudes if the graph imports ground with a known reference system, otherwise x and -y in world units.
/// Points with the same coordinates, to the bit, become one node. Consecutive points of a line are connected
/// by an edge, so a line of many points is a chain of edges. A segment shared by two lines is one edge. A
/// feature's properties `slope` and `width` are the maximum slope and the width of its edges. If the routes
/// of `SubdividePath` do not cross, its output `paths` can be written to such a file and read again.
///
/// The graph is planar: edges meet only at common nodes. With `cut`, parts outside the patch are removed.
/// An edge that crosses the patch's border then ends on the border. The edge ends at the same position for
/// both patches that share this border, to the bit. It keeps its direction, slope, width and number.
/// Therefore one graph serves a whole world. A warning names a node that lies farther outside than the
/// patch is long. If `node_widths` are given, ends created by a cut have a width of 0.
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
#[node(category = "paths",
    words = "roads paths tracks trails network route nodes edges street way waypoints",
    version = 4, tiles = Pointwise, paper = "Velzel, section 1.1", header,
    main(nodes, edges, max_slope, widths))]
#[output(graph: Graph, doc = "The graph on the patch.")]
pub struct PathGraph {
    /// A larger graph to use instead of `nodes`, `edges` and `file`.
    #[input]
    pub graph: OptionalInput<Graph>,
    /// Positions of nodes as (x, y).
    #[param(default = Vec::new(), unit = "world units", place)]
    pub nodes: Vec<(f64, f64)>,
    /// Pairs of node indices, counted from 0.
    #[param(default = Vec::new(), joins = "nodes")]
    pub edges: Vec<(u32, u32)>,
    /// Maximum slope of each edge, in the order of `edges`. Default: `max_slope`.
    #[param(default = Vec::new(), min = 0.0, unit = "rise over run", each = "edges")]
    pub slopes: Vec<f64>,
    /// Width of each edge, in the order of `edges`; 0 is a path of single samples. Default: the `width` of
    /// `SubdividePath`.
    #[param(default = Vec::new(), min = 0.0, unit = "world units", each = "edges")]
    pub widths: Vec<f64>,
    /// Diameter of the disc around each node, in the order of `nodes`. Default: the `node_width` of
    /// `SubdividePath`.
    #[param(default = Vec::new(), min = 0.0, unit = "world units", each = "nodes")]
    pub node_widths: Vec<f64>,
    /// Number of each edge in a larger graph, in the order of `edges`. Default: edges are counted from 0.
    #[param(default = Vec::new(), each = "edges")]
    pub numbers: Vec<u32>,
    /// Points on paths with a known height, as (x, y, height, maximum slope), for patches that share their
    /// borders. A world computes the anchors.
    #[param(default = Vec::new(), unit = "world units")]
    pub anchors: Vec<(f64, f64, f64, f64)>,
    /// Heights of the patch's samples, row by row, for patches that share their borders. On the border, the
    /// ground has these heights. Near the border, the ground approaches them. A world computes these heights.
    #[param(default = Vec::new(), unit = "world units")]
    pub world_heights: Vec<f64>,
    /// Maximum slope of edges without their own. If `max_slope` is not set, either all edges must have their
    /// own slope or none. If none has, the `max_slope` of `SubdividePath` applies.
    #[param(default = None, min = 0.0, unit = "rise over run")]
    pub max_slope: Option<f64>,
    /// GeoJSON file of lines to read instead of `nodes` and `edges`, relative to the graph's file.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Whether to remove the parts of the graph outside the patch.
    #[param(default = true)]
    pub cut: bool,
}

impl Evaluate for PathGraph {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let graph = match (self.graph.get(), &self.file) {
            (Some(graph), _) => (*graph).clone(),
            (None, Some(file)) => {
                let lines = lines_of(&lonlat(cx), file)?;
                warn_of_lines(cx, file, &lines, |position| position);
                graph_of_file(file, &lines, self.max_slope, true)?
            }
            (None, None) => self.written(),
        };
        if !self.cut {
            return Ok((graph,));
        }
        if self.file.is_none() {
            warn_of_nodes(cx, &graph.plane.nodes);
        }
        let domain = domain(cx);
        let high = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
        Ok((part_of(&graph, cut(&graph.plane, domain.origin, high)),))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        let per_edge =
            [("slopes", self.slopes.len()), ("widths", self.widths.len()), ("numbers", self.numbers.len())];
        let counts = per_edge.into_iter().chain([("node_widths", self.node_widths.len())]);
        let written = !(self.nodes.is_empty() && self.edges.is_empty()) || counts.clone().any(|(_, n)| n > 0);
        let wired = !matches!(self.graph.source(), Source::Unset);
        if self.file.is_some() && (written || wired) {
            let message = "`file` and another graph are both given".to_owned();
            return invalid(
                "file",
                message,
                "leave out `file`, or else `graph`, `nodes`, `edges` and the parameters of edges and nodes",
            );
        }
        check_build(&self.file)?;
        let plane = PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() };
        if let Err(error) = check_graph(&plane) {
            return invalid(
                "edges",
                error.to_string(),
                "nodes and edges are counted from 0; edges may meet only at common nodes",
            );
        }
        for (field, count) in counts {
            let (all, what) = match field {
                "node_widths" => (self.nodes.len(), "nodes"),
                _ => (self.edges.len(), "edges"),
            };
            if count > 0 && count != all {
                let message = format!("there are {count} {field} for {all} {what}");
                return invalid(field, message, "write one for each, or none at all");
            }
        }
        Ok(())
    }
}

impl PathGraph {
    /// The graph of the parameters.
    fn written(&self) -> Graph {
        let slopes = match self.max_slope {
            Some(slope) if self.slopes.is_empty() => vec![slope; self.edges.len()],
            _ => self.slopes.clone(),
        };
        let plane = PlanarGraph { nodes: self.nodes.clone(), edges: self.edges.clone() };
        Graph {
            plane,
            slopes,
            widths: self.widths.clone(),
            node_widths: self.node_widths.clone(),
            numbers: self.numbers.clone(),
            anchors: self.anchors.clone(),
            world_heights: self.world_heights.clone(),
        }
    }
}

/// The part of a graph, with the slopes, widths and numbers of its edges and the widths of its nodes.
fn part_of(whole: &Graph, Part { graph: plane, edges, nodes }: Part) -> Graph {
    let of_edges =
        |numbers: &[f64]| edges.iter().filter_map(|&edge| numbers.get(edge).copied()).collect::<Vec<f64>>();
    let (slopes, widths) = (of_edges(&whole.slopes), of_edges(&whole.widths));
    let own = |node: &Option<usize>| node.map_or(0.0, |node| whole.node_widths[node]);
    let node_widths = if whole.node_widths.is_empty() { Vec::new() } else { nodes.iter().map(own).collect() };
    let mut numbers: Vec<u32> = edges.iter().map(|&edge| whole.number(edge) as u32).collect();
    if numbers.iter().zip(0..).all(|(&number, edge)| number == edge) {
        numbers.clear();
    }
    Graph {
        plane,
        slopes,
        widths,
        node_widths,
        numbers,
        anchors: whole.anchors.clone(),
        world_heights: whole.world_heights.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_keeps_slopes_widths_and_numbers() {
        let whole = Graph {
            plane: PlanarGraph {
                nodes: vec![(20.0, 20.0), (30.0, 20.0), (8.0, 5.0), (2.0, 5.0), (4.0, -6.0)],
                edges: vec![(0, 1), (2, 3), (3, 4)],
            },
            slopes: vec![0.1, 0.2, 0.3],
            widths: vec![4.0, 6.0, 8.0],
            node_widths: vec![1.0, 2.0, 3.0, 5.0, 7.0],
            numbers: vec![40, 50, 60],
            anchors: Vec::new(),
            world_heights: Vec::new(),
        };
        let part = part_of(&whole, cut(&whole.plane, (0.0, 0.0), (10.0, 10.0)));
        assert_eq!(part.plane.ends(0), Some(((8.0, 5.0), (2.0, 5.0))), "an edge inside is unchanged");
        assert_eq!((part.slopes, part.widths), (vec![0.2, 0.3], vec![6.0, 8.0]));
        assert_eq!((part.node_widths, part.numbers), (vec![3.0, 5.0, 0.0], vec![50, 60]));
        let whole = Graph { node_widths: Vec::new(), numbers: Vec::new(), ..whole };
        let part = part_of(&whole, cut(&whole.plane, (0.0, 0.0), (10.0, 10.0)));
        assert_eq!((part.number(0), part.number(1), part.node_widths.len()), (1, 2, 0));
        let all = part_of(&whole, cut(&whole.plane, (-50.0, -50.0), (50.0, 50.0)));
        assert_eq!(all, whole, "nothing is cut");
    }
}
