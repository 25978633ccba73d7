//! Error messages for graphs that have no routes over a terrain.

use terrane_flow::NodeError;
use terrane_grid::Heightmap;
use terrane_paths::path::{BadFactor, Misfit, Place, SubdivideError};

use crate::values::Graph;

/// Converts a kernel's error to a node's error, with world positions. `masked` says whether there are
/// forbidden areas.
pub fn failure(error: &SubdivideError, graph: &Graph, map: &Heightmap, masked: bool) -> NodeError {
    let (domain, plane) = (map.domain(), &graph.plane);
    let position = |(x, y): Place| {
        let along = |origin: f64, at: i64| origin + at as f64 * domain.spacing;
        format!("({}, {})", along(domain.origin.0, x), along(domain.origin.1, y))
    };
    let node_at = |node: usize| format!("node {node} at {:?}", plane.nodes[node]);
    let edge_of = |edge: usize| {
        let (a, b) = plane.edges[edge];
        format!("edge {} from node {a} to node {b}", graph.number(edge))
    };
    match error {
        SubdivideError::Cancelled => NodeError::Cancelled,
        SubdivideError::Graph(error) => {
            NodeError::failed(error.to_string(), "edges of a graph may meet only at common nodes")
        }
        SubdivideError::Outside { node } => {
            let ((x, y), domain) = (graph.plane.nodes[*node], map.domain());
            let (right, bottom) = (domain.x(domain.width() - 1), domain.y(domain.height() - 1));
            NodeError::failed(
                format!("node {node} at ({x}, {y}) lies outside the patch"),
                format!(
                    "the patch extends from {:?} to ({right}, {bottom}); with cut: true, PathGraph removes \
                    what lies outside",
                    domain.origin
                ),
            )
        }
        SubdivideError::TooShort { edge } => NodeError::failed(
            format!("both ends of edge {} are at the same sample", graph.number(*edge)),
            "move its ends apart, or use a smaller spacing",
        ),
        SubdivideError::Factor(BadFactor { at, factor }) => {
            let at = ((at % domain.width()) as i64, (at / domain.width()) as i64);
            NodeError::failed(
                format!("`cost_map` is {factor} at {}", position(at)),
                "use factors greater than 0, and 1 where costs do not change; mark areas that cannot be \
                crossed in `forbidden`",
            )
        }
        SubdivideError::Forbidden { node, edge } => NodeError::failed(
            format!("{}, an end of {}, is in a forbidden area", node_at(*node), edge_of(*edge)),
            "move the node, or clear its position in `forbidden`",
        ),
        SubdivideError::ForbiddenBorder { edge, at } => NodeError::failed(
            format!(
                "{} must be straight near the patch's border, but {} is forbidden",
                edge_of(*edge),
                position(*at)
            ),
            "with `borders: Shared`, routes near borders cannot avoid obstacles: keep `forbidden` away from \
            the straight line between the edge's nodes there, or move a node",
        ),
        SubdivideError::NoHeight { edge, at } => NodeError::failed(
            format!(
                "the route of {} would end at {}, where the terrain is not a number",
                edge_of(*edge),
                position(*at)
            ),
            "move the node, or fill the terrain's holes",
        ),
        SubdivideError::Enclosed { node, edge, at, reached } => {
            let obstacle = if masked { "forbidden areas and samples" } else { "samples" };
            let help = "open a gap in the enclosure, move the node, or remove the edge";
            NodeError::failed(
                format!(
                    "there is no route for {}: at {} {} is enclosed by {obstacle} that are not numbers; \
                    {reached} samples can be reached",
                    edge_of(*edge),
                    position(*at),
                    node_at(*node)
                ),
                help,
            )
        }
        SubdivideError::Sample(bad) => {
            NodeError::failed(bad.to_string(), "bring the map into range with a Clamp or a Remap node")
        }
        SubdivideError::NoPath => NodeError::failed(
            "no sample of the patch is on a path",
            "a mask marks paths where it is above 0.5; lines must cross the patch",
        ),
        SubdivideError::NoPins => NodeError::failed(
            "no sample of `pinned` is above 0.5",
            "raise the mask where heights are fixed, or disconnect it",
        ),
        SubdivideError::Neighbour { number, misfit } => {
            let name = if *number == 0 { "neighbour" } else { "second_neighbour" };
            let (problem, help) = match misfit {
                Misfit::Spacing => (
                    "has a different spacing",
                    "bring it to the patch's with a Resample \
                    node",
                ),
                Misfit::Between => (
                    "has samples between those of the patch",
                    "move it so that the origins differ by a multiple of the spacing",
                ),
                Misfit::Apart => (
                    "shares no sample with the patch's border",
                    "a neighbour must contain a column or row of samples on the patch's border",
                ),
            };
            NodeError::failed(format!("`{name}` {problem}"), help)
        }
        SubdivideError::SharedMap { name } => NodeError::failed(
            format!("`{name}` is a map, but `borders` are `Shared`"),
            "set it to a number: neighbours do not know the map beyond their border",
        ),
        SubdivideError::WorldHeights { found, expected } => NodeError::failed(
            format!("the graph of paths has {found} `world_heights`, but the patch has {expected} samples"),
            "remove `world_heights` from PathGraph: a world computes them",
        ),
        SubdivideError::TooWide { reach, most } => NodeError::failed(
            format!(
                "half of `width` plus `border` is {reach}, but with shared borders only {most} around the \
                patch can be read"
            ),
            "use a narrower `border`, `width` or `node_width`",
        ),
        SubdivideError::SharedWidth { widest, most } => NodeError::failed(
            format!("a path is {widest} wide, but with shared borders the maximum is {most}"),
            "raise `width` to that of the widest path: it determines how far all patches read around their \
            borders",
        ),
    }
}
