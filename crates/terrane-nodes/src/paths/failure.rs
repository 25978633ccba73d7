//! Why a graph has no ways over a terrain, in words.

use terrane_flow::NodeError;
use terrane_grid::Heightmap;
use terrane_kernels::path::{BadFactor, Place, SubdivideError};

use crate::values::Graph;

/// A kernel's error, with the places that it speaks of; `masked` where there are forbidden areas.
pub fn failure(error: &SubdivideError, graph: &Graph, map: &Heightmap, masked: bool) -> NodeError {
    let (domain, plane) = (map.domain(), &graph.plane);
    let place = |(x, y): Place| {
        let along = |origin: f64, at: i64| origin + at as f64 * domain.spacing;
        format!("({}, {})", along(domain.origin.0, x), along(domain.origin.1, y))
    };
    let node_at = |node: usize| format!("node {node} at {:?}", plane.nodes[node]);
    let edge_of = |edge: usize| {
        format!("edge {edge} from node {} to node {}", plane.edges[edge].0, plane.edges[edge].1)
    };
    match error {
        SubdivideError::Cancelled => NodeError::Cancelled,
        SubdivideError::Graph(error) => {
            NodeError::failed(error.to_string(), "edges of a graph meet at common ends only")
        }
        SubdivideError::Outside { node } => {
            let ((x, y), domain) = (graph.plane.nodes[*node], map.domain());
            let (right, bottom) = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
            NodeError::failed(
                format!("node {node} at ({x}, {y}) lies outside the patch"),
                format!(
                    "the patch goes from {:?} to ({right}, {bottom}); PathGraph's cut: true leaves out what lies outside",
                    domain.origin
                ),
            )
        }
        SubdivideError::TooShort { edge } => NodeError::failed(
            format!("both ends of edge {edge} lie at one sample"),
            "move its ends apart, or use a smaller spacing",
        ),
        SubdivideError::Factor(BadFactor { at, factor }) => {
            let at = ((at % domain.width()) as i64, (at / domain.width()) as i64);
            NodeError::failed(
                format!("`cost_map` is {factor} at {}", place(at)),
                "it multiplies what steps cost: numbers greater than 0, 1 where nothing changes; what cannot be crossed goes into `forbidden`",
            )
        }
        SubdivideError::Forbidden { node, edge } => NodeError::failed(
            format!("{}, where {} ends, stands in a forbidden area", node_at(*node), edge_of(*edge)),
            "move the node, or leave its place out of `forbidden`",
        ),
        SubdivideError::ForbiddenBorder { edge, at } => NodeError::failed(
            format!(
                "{} is straight near the patch's border, and forbidden at {}",
                edge_of(*edge),
                place(*at)
            ),
            "with `borders: Shared` ways near borders cannot go round anything: keep `forbidden` away from the straight line between the edge's nodes there, or move a node",
        ),
        SubdivideError::NoHeight { edge, at } => NodeError::failed(
            format!(
                "the way of {} would end at {}, where the terrain is not a number",
                edge_of(*edge),
                place(*at)
            ),
            "move the node, or fill the terrain's holes",
        ),
        SubdivideError::Enclosed { node, edge, at, reached } => {
            let what = if masked { "forbidden areas and samples" } else { "samples" };
            let help = "open a gap in what encloses it, move the node, or leave the edge out";
            NodeError::failed(
                format!(
                    "no way leads along {}: at {} {} is enclosed by {what} that are not numbers; {reached} samples can be reached",
                    edge_of(*edge),
                    place(*at),
                    node_at(*node)
                ),
                help,
            )
        }
    }
}
