//! What paths ask of the ground.

use terrane_flow::{
    Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Port as _, ScalarInput,
};
use terrane_grid::Polyline;
use terrane_kernels::path::{self, Anchor, Costs, Details, Subdivide, Subdivision, subdivide};

use super::asked::{Asked, check_ports, failure, number};
use crate::support::{Report, choice};
use crate::values::{Bounds, Graph, Map, Paths, Picture, Table};

choice! {
    /// What binds the ground beside a path.
    Surround => path::Surround {
        /// Its slope away from the path, flatter the nearer.
        Directional,
        /// Its roughness, which stays what it was.
        Roughness,
    }
}

choice! {
    /// What binds a patch at its border.
    Borders => path::Borders {
        /// Nothing.
        Free,
        /// Heights there are given, those of the terrain, of `neighbour` or of `RelaxPath`'s `border`; the ground near them keeps its roughness.
        Stitched,
        /// Heights there are given, the same for both patches that share a border: the terrain's, as near as slopes along the border and
        /// heights of the graph's anchors allow. The graph may reach beyond the patch.
        Shared,
    }
}

/// Ways of a graph's edges over a terrain, and what they ask of the ground: which samples may be how steep, in which direction.
///
/// Each edge's way is the cheapest over the eight-connected map: a step costs its L1 length d, and d times `alpha` times its slope to the power
/// of `beta`. Around it, as wide as `width`, no slope may exceed `max_slope`; from there to the end of `border` the slope away from the path may
/// be steeper by `slope_gain` times the root of how far that is; or the ground keeps its roughness. Nodes stand at the
/// samples nearest to them. Each edge has a strip as wide as `PathGraph`'s `widths` say, or `width`, and each node a disc; in several at once the flattest
/// binds, and so it does beside several that are equally near. Distances are Euclidean and exact, to the edge of the nearest strip, and directions point away
/// from the nearest sample of its way. A width of 0 is a path of single samples.
///
/// `max_slope`, `slope_gain` and `border` take a map or a number; a map is read at the sample that is bound. `roughness` gives the roughness to keep.
///
/// Where `pinned` is above 0.5 the height is given, that of `pins`: sites, bridge heads, plateaus. Two pins that are farther apart in height than the slopes of
/// the path between them allow are named in a warning; what else conflicts `RelaxPath` finds. On the border heights of `Stitched` and `Shared` borders
/// come first. Ground beside a pin that no path binds stays as it is.
///
/// With `Stitched` borders, ground that nothing else binds keeps its roughness within `border` of the patch's border. A `neighbour` that is made already lies
/// beside the patch, or overlaps it, by its place in the world: border samples that lie in it get its heights, to the bit, others are free, and ground comes to
/// meet them. So patches can be made one after the other, each with the neighbours that exist. With `Shared` ones
/// ways are straight as near to the patch's border as they or what they ask for could reach it, and the cheapest elsewhere; so patches of a
/// world meet, whichever is made first. There slope, gain and border are numbers, and no path is wider than `width` or `node_width`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 1.0, seed: 7,
///     nodes: {
///         "ground": MidpointDisplacement(lattice: 2),
///         "graph": PathGraph(nodes: [(20, 20), (100, 30), (64, 110)], edges: [(0, 1), (1, 2)]),
///         "bounds": SubdividePath(height: "ground", graph: "graph", max_slope: 0.0035),
///     },
///     outputs: { "ways.geojson": "bounds.paths", "picture.png": "bounds.picture", "mask.png": "bounds.mask" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths", version = 3, tiles = Global, paper = "Velzel, sections 3 and 4.1", working_maps = 16.0)]
#[output(subdivision: Bounds, doc = "What is asked of each sample.")]
#[output(paths: Paths, doc = "The ways, each from its edge's first node to its second, with the number of the edge in the graph that it was cut from and the way's length.")]
#[output(mask: Map, doc = "1 on the path, 0 elsewhere.")]
#[output(picture: Picture, lazy, doc = "The path in red, ground beside it bound by slope in yellow or by roughness in green, given heights in blue, on the terrain in grey.")]
pub struct SubdividePath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The paths.
    #[input]
    pub graph: Input<Graph>,
    /// Width of a path; edges that have their own keep it.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub width: f64,
    /// Diameter of the place around a node; nodes that have their own keep it. Without, a path's width.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub node_width: Option<f64>,
    /// Width of the ground beside a path that connects it, beyond its own width.
    #[input(default = 16.0, min = 0.0, unit = "world units")]
    pub border: ScalarInput<Map>,
    /// How much slopes cost.
    #[param(default = 10_000.0, min = 0.0)]
    pub alpha: f64,
    /// The power of slopes.
    #[param(default = 1.8, above = 0.0, max = 8.0)]
    pub beta: f64,
    /// Maximum slope of paths; edges that have their own keep it.
    #[input(default = 0.1, above = 0.0, unit = "rise over run")]
    pub max_slope: ScalarInput<Map>,
    /// How much steeper than the path the ground may be at the end of the border.
    #[input(default = 0.05, min = 0.0, unit = "rise over run")]
    pub slope_gain: ScalarInput<Map>,
    /// The roughness to keep, where roughness is kept; without, that of the terrain.
    #[input]
    pub roughness: OptionalInput<Map>,
    /// Heights that are given inside the patch, where `pinned` says so; without, those of the terrain.
    #[input(unit = "world units")]
    pub pins: OptionalInput<Map>,
    /// Where heights are given: above 0.5. On the border those that `borders` gives come first.
    #[input]
    pub pinned: OptionalInput<Map>,
    /// The map of a neighbour that is made already, for `Stitched` borders: heights on the border are its, and free where it has none.
    #[input(unit = "world units")]
    pub neighbour: OptionalInput<Map>,
    /// Another, where the first has no height.
    #[input(unit = "world units")]
    pub second_neighbour: OptionalInput<Map>,
    /// What binds the ground beside the path.
    #[param(default = Surround::Directional)]
    pub surround: Surround,
    /// What binds the patch at its border.
    #[param(default = Borders::Free)]
    pub borders: Borders,
}

impl Evaluate for SubdividePath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let graph = self.graph.get();
        let asked = Asked {
            height: self.height.get(),
            max_slope: self.max_slope.get(),
            slope_gain: self.slope_gain.get(),
            border: self.border.get(),
            beside: None,
            roughness: self.roughness.get(),
            pins: self.pins.get(),
            pinned: self.pinned.get(),
            neighbours: [self.neighbour.get(), self.second_neighbour.get()].into_iter().flatten().collect(),
        };
        asked.check()?;
        let anchor = |&(x, y, height, slope): &(f64, f64, f64, f64)| Anchor { place: (x, y), height, slope };
        let anchors: Vec<Anchor> = graph.anchors.iter().map(anchor).collect();
        let neighbours = asked.neighbours();
        let parameters = Subdivide {
            costs: Costs { alpha: self.alpha, beta: self.beta },
            width: self.width,
            node_width: self.node_width.unwrap_or(self.width),
            border: number(&asked.border),
            max_slope: number(&asked.max_slope),
            edge_slopes: &graph.slopes,
            slope_gain: number(&asked.slope_gain),
            surround: self.surround.into(),
            borders: self.borders.into(),
            anchors: &anchors,
            details: Details {
                edge_widths: &graph.widths,
                node_widths: &graph.node_widths,
                ..asked.details(&neighbours)
            },
        };
        let bounds = subdivide(&asked.height, &graph.plane, &parameters, &Report(cx))
            .map_err(|error| failure(&error, &graph, &asked.height))?;
        let (mask, picture) = asked.outputs(cx, &bounds, cx.asked(3))?;
        let ways = ways(&bounds, &graph);
        Ok((Bounds(bounds), ways, mask, picture))
    }

    fn check(&self) -> Result<(), Invalid> {
        check_ports(
            self.pins.source(),
            self.pinned.source(),
            [("neighbour", self.neighbour.source()), ("second_neighbour", self.second_neighbour.source())],
            self.borders.into(),
        )
    }
}

/// The ways as lines.
fn ways(bounds: &Subdivision, graph: &Graph) -> Paths {
    let (domain, width) = (bounds.domain, bounds.domain.width());
    let line = |way: &Vec<u32>| {
        let point = |&at: &u32| (domain.x(at as usize % width), domain.y(at as usize / width));
        Polyline { points: way.iter().map(point).collect(), closed: false }
    };
    let (edges, lines): (Vec<f64>, Vec<Polyline>) = bounds
        .paths
        .iter()
        .enumerate()
        .filter(|(_, way)| !way.is_empty())
        .map(|(edge, way)| (graph.number(edge) as f64, line(way)))
        .unzip();
    let attributes =
        Table::new(vec![("edge", edges), ("length", lines.iter().map(Polyline::length).collect())]);
    Paths { lines, attributes }
}
