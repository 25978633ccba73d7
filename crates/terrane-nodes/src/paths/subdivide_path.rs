//! What paths ask of the ground.

use serde::{Deserialize, Serialize};
use terrane_flow::{
    Choice, Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Port as _, ScalarInput,
};
use terrane_grid::Polyline;
use terrane_kernels::path::{
    self, Anchor, Costs, Details, Prices, Search, Subdivide, Subdivision, subdivide,
};

use super::asked::{Asked, check_ports, number};
use super::failure::failure;
use crate::support::{Report, choice, same_size};
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
        /// Heights there are given, those of the terrain, of `neighbour` or of `RelaxPath`'s `border`; the
        /// ground near them keeps its roughness.
        Stitched,
        /// Heights there are given, the same for both patches that share a border: the terrain's, as near as
        /// slopes along the border and heights of the graph's anchors allow. The graph may reach beyond the
        /// patch.
        Shared,
    }
}

/// What the way of an edge costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Cost {
    /// What a builder pays for the road: its length, the rise of the ground beyond what the road may climb,
    /// and slopes across it.
    Builder,
    /// The thesis's formula: L1 length d, and d times `alpha` times its slope to the power of `beta`.
    Thesis,
}

/// Ways of a graph's edges over a terrain, and what they ask of the ground: which samples may be how steep,
/// in which direction.
///
/// Each edge's way is the cheapest, counted in lengths of level road. A builder pays a road's length; for
/// each metre that the ground rises or falls along it beyond `max_slope`, which must be cut or filled,
/// `excess_cost` metres; and for a slope across the road, which is benched into the hillside, `side_cost`
/// times the difference in height between the road's two sides for each metre. A builder's ways have 32
/// headings, and are the same whichever end an edge names first.
///
/// The thesis's costs, with `cost: Thesis` or where `alpha` or `beta` is given, are over the eight-connected
/// map: a step costs its L1 length d, and d times `alpha` times its slope to the power of `beta`. They suit
/// heights in [0, 1]: where heights are metres any slope costs much more than length, and ways wriggle.
///
/// A `cost_map` multiplies what steps cost: 3 in a swamp, 0.5 along a valley that ways should follow. No way
/// leads where `forbidden` is above 0.5, nor where it or the terrain is not a number, nor between two such
/// samples that touch at a corner.
///
/// Around the way, as wide as `width`, no slope may exceed `max_slope`; from there to the end of `border` the
/// slope away from the path may be steeper by `slope_gain` times the root of how far that is; or the ground
/// keeps its roughness. Nodes stand at the samples nearest to them. Each edge has a strip as wide as
/// `PathGraph`'s `widths` say, or `width`, and each node a disc; in several at once the flattest binds, and
/// so it does beside several that are equally near. Distances are Euclidean and exact, to the edge of the
/// nearest strip, and directions point away from the nearest sample of its way. A width of 0 is a path of
/// single samples.
///
/// `max_slope`, `slope_gain` and `border` take a map or a number; a map is read at the sample that is bound.
/// `roughness` gives the roughness to keep.
///
/// Where `pinned` is above 0.5 the height is given, that of `pins`: sites, bridge heads, plateaus. Two pins
/// that are farther apart in height than the slopes of the path between them allow are named in a warning;
/// what else conflicts `RelaxPath` finds. On the border heights of `Stitched` borders come first; those of
/// `Shared` ones are brought to pins, in all patches alike, so that a site may lie across a border. Of a
/// world's patches most may have no pin. Ground beside a pin that no path binds stays as it is.
///
/// With `Stitched` borders, ground that nothing else binds keeps its roughness within `border` of the patch's
/// border. A `neighbour` that is made already lies beside the patch, or overlaps it, by its place in the
/// world: border samples that lie in it get its heights, to the bit, others are free, and ground comes to
/// meet them. So patches can be made one after the other, each with the neighbours that exist. With `Shared`
/// ones ways are straight as near to the patch's border as they or what they ask for could reach it, and the
/// cheapest elsewhere; so patches of a world meet, whichever is made first. What is forbidden must not lie on
/// these straight parts; slope, gain and border are numbers there, and no path is wider than `width` or
/// `node_width`. A world gives its patches heights on their borders that all of them can be met with; a patch
/// with `Shared` borders that runs alone takes those of its own ground there, and conflicts where a strip
/// that runs along the border cannot have them.
///
/// Where ground is steeper than a few percent take a narrower `border` and a larger `slope_gain` than the
/// defaults, such as 8 and 0.3: those are the thesis's, for gentle ground, and in hills they cut a wide bench
/// beside the path.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "ground": Perlin(wavelength: 300, octaves: 6, amplitude: 90.0),
///         "lakes": Select(height: "ground", range: (-1000.0, -18.0)),
///         "graph": PathGraph(nodes: [(60, 60), (440, 120), (250, 460)], edges: [(0, 1), (1, 2)]),
///         "bounds": SubdividePath(height: "ground", graph: "graph", forbidden: "lakes", slope_gain: 0.3),
///     },
///     outputs: {
///         "ways.geojson": "bounds.paths",
///         "picture.png": "bounds.picture",
///         "mask.png": "bounds.mask",
///     },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths", version = 4, tiles = Global, because = "ways are searched from end to end of \
    their edges", paper = "Velzel, sections 3 and 4.1", working_maps = 16.0)]
#[output(subdivision: Bounds, doc = "What is asked of each sample.")]
#[output(paths: Paths, doc = "The ways, each from its edge's first node to its second, with the number of \
    the edge in the graph that it was cut from and the way's length.")]
#[output(mask: Map, doc = "1 on the path, 0 elsewhere.")]
#[output(picture: Picture, lazy, doc = "The path in red, ground beside it bound by slope in yellow or by \
    roughness in green, given heights in blue, on the terrain in grey.")]
pub struct SubdividePath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The paths.
    #[input]
    pub graph: Input<Graph>,
    /// What the cost of steps is multiplied by, greater than 0; without, 1.
    #[input]
    pub cost_map: OptionalInput<Map>,
    /// Where no way may lead: above 0.5.
    #[input]
    pub forbidden: OptionalInput<Map>,
    /// Width of a path; edges that have their own keep it.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub width: f64,
    /// Diameter of the place around a node; nodes that have their own keep it. Without, a path's width.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub node_width: Option<f64>,
    /// Width of the ground beside a path that connects it, beyond its own width.
    #[input(default = 16.0, min = 0.0, unit = "world units")]
    pub border: ScalarInput<Map>,
    /// What the way of an edge costs; where `alpha` or `beta` is given, the thesis's formula.
    #[param(default = Cost::Builder)]
    pub cost: Cost,
    /// How long a detour is worth one unit of height less that the ground rises or falls beyond `max_slope`;
    /// without, 2 / `max_slope`, twice the road that climbs it.
    #[param(default = None, min = 0.0, max = 1e9, unit = "world units per world unit")]
    pub excess_cost: Option<f64>,
    /// How much dearer a road gets for each unit of height by which one of its sides lies above the other, as
    /// a part of what it costs on level ground.
    #[param(default = 0.1, min = 0.0, max = 1e9, unit = "per world unit")]
    pub side_cost: f64,
    /// How much slopes cost in the thesis's formula; without, 10000.
    #[param(default = None, min = 0.0)]
    pub alpha: Option<f64>,
    /// The power of slopes in the thesis's formula; without, 1.8.
    #[param(default = None, above = 0.0, max = 8.0)]
    pub beta: Option<f64>,
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
    /// The map of a neighbour that is made already, for `Stitched` borders: heights on the border are its,
    /// and free where it has none.
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
        let (cost_map, forbidden) = (self.cost_map.get(), self.forbidden.get());
        for (name, map) in [("cost_map", &cost_map), ("forbidden", &forbidden)] {
            map.as_ref().map_or(Ok(()), |map| same_size("height", &asked.height, name, map))?;
        }
        let anchor = |&(x, y, height, slope): &(f64, f64, f64, f64)| Anchor { place: (x, y), height, slope };
        let anchors: Vec<Anchor> = graph.anchors.iter().map(anchor).collect();
        let neighbours = asked.neighbours();
        let parameters = Subdivide {
            search: Search {
                costs: self.costs(),
                cost_map: cost_map.as_ref().map(|map| &map.0),
                forbidden: forbidden.as_ref().map(|map| &map.0),
            },
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
                world_heights: &graph.world_heights,
                ..asked.details(&neighbours)
            },
        };
        let bounds = subdivide(&asked.height, &graph.plane, &parameters, &Report(cx))
            .map_err(|error| failure(&error, &graph, &asked.height, forbidden.is_some()))?;
        let (mask, picture) = asked.outputs(cx, &bounds, cx.asked(Self::PICTURE))?;
        let ways = ways(&bounds, &graph);
        Ok((Bounds(bounds), ways, mask, picture))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.excess_cost.is_some() && matches!(self.costs(), Costs::Thesis { .. }) {
            return Err(Invalid {
                field: "excess_cost",
                message: "`excess_cost` is a builder's, but ways cost what the thesis's formula says"
                    .to_owned(),
                help: "leave out `excess_cost`, or `cost: Thesis`, `alpha` and `beta`".to_owned(),
            });
        }
        check_ports(
            self.pins.source(),
            self.pinned.source(),
            [("neighbour", self.neighbour.source()), ("second_neighbour", self.second_neighbour.source())],
            self.borders.into(),
        )
    }
}

impl SubdividePath {
    fn costs(&self) -> Costs {
        if self.cost == Cost::Thesis || self.alpha.is_some() || self.beta.is_some() {
            let (alpha, beta) = (self.alpha.unwrap_or(10_000.0), self.beta.unwrap_or(1.8));
            return Costs::Thesis { alpha, beta };
        }
        Costs::Builder(Prices { excess: self.excess_cost, side: self.side_cost })
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
