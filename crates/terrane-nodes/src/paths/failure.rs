//! Why a graph has no ways over a terrain, in words.

use terrane_flow::NodeError;
use terrane_grid::Heightmap;
use terrane_kernels::path::{BadFactor, Misfit, Place, SubdivideError};

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
        let (a, b) = plane.edges[edge];
        format!("edge {} from node {a} to node {b}", graph.number(edge))
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
                    "the patch goes from {:?} to ({right}, {bottom}); PathGraph's cut: true leaves out what \
                    lies outside",
                    domain.origin
                ),
            )
        }
        SubdivideError::TooShort { edge } => NodeError::failed(
            format!("both ends of edge {} lie at one sample", graph.number(*edge)),
            "move its ends apart, or use a smaller spacing",
        ),
        SubdivideError::Factor(BadFactor { at, factor }) => {
            let at = ((at % domain.width()) as i64, (at / domain.width()) as i64);
            NodeError::failed(
                format!("`cost_map` is {factor} at {}", place(at)),
                "it multiplies what steps cost: numbers greater than 0, 1 where nothing changes; what cannot \
                be crossed goes into `forbidden`",
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
            "with `borders: Shared` ways near borders cannot go round anything: keep `forbidden` away from \
            the straight line between the edge's nodes there, or move a node",
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
                    "no way leads along {}: at {} {} is enclosed by {what} that are not numbers; {reached} \
                    samples can be reached",
                    edge_of(*edge),
                    place(*at),
                    node_at(*node)
                ),
                help,
            )
        }
        SubdivideError::Sample(bad) => {
            NodeError::failed(bad.to_string(), "bring the map into range, with a Clamp or a Remap node")
        }
        SubdivideError::NoPath => NodeError::failed(
            "no sample of the patch is path",
            "a mask is path where it is above 0.5; lines must come onto the patch",
        ),
        SubdivideError::NoPins => NodeError::failed(
            "no sample of `pinned` is above 0.5",
            "raise the mask where heights are to be given, or leave the port out",
        ),
        SubdivideError::Neighbour { number, misfit } => {
            let name = if *number == 0 { "neighbour" } else { "second_neighbour" };
            let (what, help) = match misfit {
                Misfit::Spacing => ("has another spacing", "bring it to the patch's with a Resample node"),
                Misfit::Between => (
                    "has samples between those of the patch",
                    "move it by whole samples: origins differ by a multiple of the spacing",
                ),
                Misfit::Apart => (
                    "shares no sample of the patch's border",
                    "a neighbour's last column or row is the patch's first, or lies beyond it",
                ),
            };
            NodeError::failed(format!("`{name}` {what}"), help)
        }
        SubdivideError::SharedMap { name } => NodeError::failed(
            format!("`{name}` is a map, and borders are shared"),
            "give it a number: neighbours could not know the map's numbers beyond their border",
        ),
        SubdivideError::WorldHeights { found, expected } => NodeError::failed(
            format!("the graph of paths has {found} `world_heights`, and the patch has {expected} samples"),
            "leave out `world_heights` of PathGraph: a world finds them",
        ),
        SubdivideError::TooWide { reach, most } => NodeError::failed(
            format!(
                "half of `width` and `border` come to {reach}, and with shared borders {most} at most can be \
                looked at around the patch"
            ),
            "take a narrower `border`, `width` or `node_width`",
        ),
        SubdivideError::SharedWidth { widest, most } => NodeError::failed(
            format!("a path is {widest} wide, and with shared borders none may be wider than {most}"),
            "raise `width` to the widest path's: it says how far from borders all patches look",
        ),
    }
}
