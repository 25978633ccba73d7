//! Subdivision of the ground along the routes of a graph.

use serde::{Deserialize, Serialize};
use terrane_flow::{
    Choice, Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, OptionalScalarInput, Scalar,
    ScalarInput,
};
use terrane_grid::Polyline;
use terrane_paths::path::{
    Anchor, Borders, Costs, Details, Prices, Search, Subdivide, Subdivision, Zone, subdivide,
};

use super::failure::failure;
use super::inputs::{GroundBounds, SubdivisionInputs, number};
use crate::support::Report;
use crate::values::{Bounds, Graph, Map, Paths, Picture, Table};

/// Cost of an edge's route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Choice)]
pub enum Cost {
    /// Construction cost of the road. It counts the road's length, the rise and fall of the ground beyond
    /// `max_slope`, and slopes across the road.
    Builder,
    /// The formula of Velzel's thesis. A step of L1 length d costs d, plus d times `alpha` times its slope to
    /// the power of `beta`.
    Thesis,
}

/// Finds the routes of a graph's edges over a terrain, and derives bounds on the ground: how steep each
/// sample may be, and in which direction.
///
/// **Cost.** Each edge takes the cheapest route. Costs are given as lengths of level road. By default
/// (`cost: Builder`), the cost of a route is the sum of:
///
/// - the road's length;
/// - the excess, times `excess_cost`: the height that the ground along the road rises or falls beyond what
///   `max_slope` allows, and that must be cut or filled;
/// - for a slope across the road, where the road must be cut into the hillside: per unit of length,
///   `side_cost` times the difference in height between the road's two sides.
///
/// The cheapest route is found among lines of 32 headings between samples, and is then bent into a smooth
/// curve with points between samples, about 2.5 samples apart. A bend with a radius of twice the road's
/// width, or of two samples if that is wider, counts twice its length. If such a curve costs over 8 % more
/// than the found route, bends may be up to four times tighter, and the first curve within 8 % is taken,
/// or else the cheapest. A route is the same if an edge names its two nodes in the other order.
///
/// **Nodes.** A road passes the sample nearest to each of its nodes, however far from the cheapest line
/// this is. Where two routes would leave a node within sixty degrees of each other, a road through the
/// node would return along itself. Both are then searched again: near the node, ground costs up to five
/// times as much where it does not lie towards the edge's other node. The directions to these nodes count
/// as moved apart to ninety degrees, or to three quarters of equal shares where more than three edges
/// meet. So the routes part at the node. They may turn sharply there if the nodes lie so, and meet again
/// farther away. A route stays as it was if parting would cost over half as much again, as in a canyon, or
/// if no other ground is free. The distance up to which ground is dearer is eight widths of the widest
/// road, or eight samples if that is more, but at most half the distance to the nearest other node.
///
/// The cost of Velzel's thesis applies with `cost: Thesis`, or if `alpha` or `beta` is given. Routes then go
/// from sample to sample in eight directions. A step of L1 length d costs d, plus d times `alpha` times its
/// slope to the power of `beta`. This formula suits heights in [0, 1]. With heights in metres, any slope
/// costs much more than length, so routes meander.
///
/// A `cost_map` multiplies the cost of steps: for example by 3 in a swamp, or by 0.5 along a valley that
/// routes should follow. No route passes through a sample where `forbidden` is above 0.5, or where
/// `forbidden` or the terrain is not a number. No route passes between two such samples that touch at a
/// corner.
///
/// **Bounds.** Each edge has a strip around its route. The strip's width is in `PathGraph`'s `widths`; the
/// default is `width`. Each node lies at the nearest sample, and has a disc. In strips and discs, no slope
/// may exceed the path's maximum slope. This slope is in `PathGraph`'s `slopes`; the default is `max_slope`.
/// Where strips or discs overlap, the smallest of their maximum slopes applies. Distances are Euclidean and
/// exact. A path with a width of 0 consists of single samples.
///
/// Around strips and discs lies a zone as wide as `border`. In this zone, the slope away from the path may
/// exceed the path's maximum slope by at most `slope_gain` · √d. Here d is the distance from the rim of the
/// nearest strip or disc, divided by `border`. The direction away from the path is the direction away from
/// the nearest sample of that strip's route. If several strips or discs are equally near to a sample, the
/// smallest of their maximum slopes applies. With `surround: Roughness`, the ground in the zone keeps its
/// roughness instead. The page of `Roughness` defines this quantity.
///
/// `max_slope`, `slope_gain` and `border` accept a map or a number. A map is read at the sample to which the
/// bound applies. `roughness` sets the roughness to keep.
///
/// **Pins.** Where `pinned` is above 0.5, heights are fixed to those of `pins`, for example for building
/// sites, bridge heads and plateaus. A warning names two pins whose heights differ by more than the slopes of
/// the path between them allow. `RelaxPath` finds other conflicts. On the patch's border, heights that
/// `Stitched` borders fix take precedence over pins. Heights on `Shared` borders are adjusted to pins, in the
/// same way in all patches. A site may therefore lie across a border. In a world, some patches may have pins
/// and others none. If no path bounds the ground beside a pin, that ground does not change.
///
/// **Borders.** With `Stitched` borders, ground within a certain distance from the patch's border keeps its
/// roughness, unless another bound applies there. The port `border` sets this distance. A `neighbour` is
/// an existing map that lies beside the patch or overlaps it. The neighbour's position in the world decides
/// which samples of the patch's border it covers. These samples get the neighbour's heights, to the bit, and
/// the ground near them approaches these heights. The other samples of the patch's border are then free. In
/// this way patches can be computed one after the other, each with the neighbours that exist.
///
/// With `Shared` borders, a route is straight where it is so near to the patch's border that the route or its
/// bounds could touch the border. Elsewhere the route is the cheapest. Therefore patches of a world meet at
/// their borders, in whatever order they are computed. Forbidden areas must not lie on the straight parts of
/// routes. `max_slope`, `slope_gain` and `border` must be numbers. No path may be wider than the larger of
/// `width` and `node_width`. A world computes heights for the borders of its patches, and these heights are
/// compatible with all bounds. If a patch with `Shared` borders runs alone, it uses the heights of its own
/// ground. These may conflict with the bounds of a path along the border.
///
/// **Defaults of the zone.** By default, `border` and `slope_gain` follow from the upper quartile of the
/// terrain's slopes: a quarter of the terrain is steeper than that. So the ground beside the path may be
/// about as steep as the terrain. With a `width` of 8, ground whose upper quartile is 0.05 or less gets
/// the thesis's values, 16 and 0.05. Hills whose upper quartile is 0.3 or more get 8 and 0.3. Between
/// these, both change in proportion. Patches of a world with `Shared` borders need equal numbers, so their
/// defaults are always 16 and 0.05. In hills these cut a wide bench beside the path: set `border: 8,
/// slope_gain: 0.3` there.
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
///         "bounds": SubdividePath(height: "ground", graph: "graph", forbidden: "lakes"),
///     },
///     outputs: {
///         "ways.geojson": "bounds.paths",
///         "picture.png": "bounds.picture",
///         "mask.png": "bounds.mask",
///     },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths",
    words = "road roads path route find pathfinding street track trail highway serpentine switchback \
        shortest network walk",
    version = 5, tiles = Global, because = "routes are searched from one end of an \
    edge to the other", paper = "Velzel, sections 3 and 4.1", working_maps = 16.0,
    main(width, max_slope, alpha, beta))]
#[output(subdivision: Bounds, doc = "The bounds on each sample.")]
#[output(paths: Paths, doc = "The routes, each from the first node of its edge to the second. The \
    attributes of a route are the edge's number in the graph before it was cut (`edge`), and the route's \
    length (`length`).")]
#[output(mask: Map, doc = "1 on the path, 0 elsewhere.")]
#[output(picture: Picture, lazy, doc = "The terrain in grey. The path is red. Ground beside the path is \
    yellow if its slope is bound, and green if its roughness is bound. Fixed heights are blue.")]
pub struct SubdividePath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Graph of the paths.
    #[input]
    pub graph: Input<Graph>,
    /// Factor on the cost of steps, greater than 0. Default: 1.
    #[input]
    pub cost_map: OptionalInput<Map>,
    /// Mask of areas that routes avoid: those where it is above 0.5.
    #[input]
    pub forbidden: OptionalInput<Map>,
    /// Width of the path along each edge for which `PathGraph` gives no width. Slopes are bound between
    /// samples; along a line of `paths`, which lies between samples, a path of less than three samples can be
    /// steeper.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub width: f64,
    /// Diameter of the disc around each node for which `PathGraph` gives no width. Default: `width`.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub node_width: Option<f64>,
    /// Width of the transition zone on each side of a path, beyond the path's own width. Default: from
    /// `width` where the upper quartile of the terrain's slopes is 0.3 or more, to twice `width` where it
    /// is 0.05 or less. A `width` below 4 counts as 4. With `Shared` borders: 16.
    #[input(min = 0.0, unit = "world units")]
    pub border: OptionalScalarInput<Map>,
    /// Cost of an edge's route. If `alpha` or `beta` is given, the thesis's formula applies.
    #[param(default = Cost::Builder)]
    pub cost: Cost,
    /// Cost of each unit of height that the ground along the road rises or falls beyond what `max_slope`
    /// allows, as a length of level road. Default: 2 / `max_slope`, twice the length of road that climbs this
    /// unit.
    #[param(default = None, min = 0.0, max = 1e9, unit = "world units per world unit")]
    pub excess_cost: Option<f64>,
    /// Extra cost per unit of difference in height between a road's two sides, as a share of the cost on
    /// level ground.
    #[param(default = 0.1, min = 0.0, max = 1e9, unit = "per world unit")]
    pub side_cost: f64,
    /// Weight of slopes in the thesis's formula. Default: 10000.
    #[param(default = None, min = 0.0)]
    pub alpha: Option<f64>,
    /// Exponent of slopes in the thesis's formula. Default: 1.8.
    #[param(default = None, above = 0.0, max = 8.0)]
    pub beta: Option<f64>,
    /// Maximum slope of the path along each edge for which `PathGraph` gives no slope.
    #[input(default = 0.1, above = 0.0, unit = "rise over run")]
    pub max_slope: ScalarInput<Map>,
    /// Amount by which the ground at the outer end of the zone `border` may be steeper than the path.
    /// Default: the upper quartile of the terrain's slopes, at least 0.05 and at most 0.3. With `Shared`
    /// borders: 0.05.
    #[input(min = 0.0, unit = "rise over run")]
    pub slope_gain: OptionalScalarInput<Map>,
    /// Roughness, fixed heights, neighbours and `surround`.
    #[group]
    pub ground: GroundBounds,
    /// Bound on the patch's border.
    #[param(default = Borders::Free)]
    pub borders: Borders,
}

impl Evaluate for SubdividePath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let graph = self.graph.get();
        let height = self.height.get();
        let slopes = self.slopes(&height);
        let inputs = SubdivisionInputs::new(height, slopes, None, &self.ground);
        let (cost_map, forbidden) = (self.cost_map.get(), self.forbidden.get());
        let anchor = |&(x, y, height, slope): &(f64, f64, f64, f64)| Anchor { place: (x, y), height, slope };
        let anchors: Vec<Anchor> = graph.anchors.iter().map(anchor).collect();
        let neighbours = inputs.neighbours();
        let parameters = Subdivide {
            search: Search {
                costs: self.costs(),
                cost_map: cost_map.as_ref().map(|map| &map.0),
                forbidden: forbidden.as_ref().map(|map| &map.0),
            },
            width: self.width,
            node_width: self.node_width.unwrap_or(self.width),
            border: number(&inputs.border),
            max_slope: number(&inputs.max_slope),
            edge_slopes: &graph.slopes,
            slope_gain: number(&inputs.slope_gain),
            surround: self.ground.surround,
            borders: self.borders,
            anchors: &anchors,
            details: Details {
                edge_widths: &graph.widths,
                node_widths: &graph.node_widths,
                world_heights: &graph.world_heights,
                ..inputs.details(&neighbours)
            },
        };
        let bounds = subdivide(&inputs.height, &graph.plane, &parameters, &Report(cx))
            .map_err(|error| failure(&error, &graph, &inputs.height, forbidden.is_some()))?;
        let (mask, picture) = inputs.outputs(cx, &bounds, cx.asked(Self::PICTURE))?;
        let routes = routes(&bounds, &graph);
        Ok((Bounds(bounds), routes, mask, picture))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.excess_cost.is_some() && matches!(self.costs(), Costs::Thesis { .. }) {
            return Err(Invalid {
                field: "excess_cost",
                message: "`excess_cost` belongs to `cost: Builder`, but the thesis's formula is in use"
                    .to_owned(),
                help: "leave out `excess_cost`, or `cost: Thesis`, `alpha` and `beta`".to_owned(),
            });
        }
        self.ground.check(self.borders)
    }
}

impl SubdividePath {
    /// The width of the zone beside paths, and the amount by which its ground may be steeper, that all
    /// patches with `Shared` borders have by default.
    pub const SHARED_ZONE: Zone = Zone::GENTLE;

    /// `max_slope`, `slope_gain` and `border`.
    fn slopes(&self, height: &Map) -> [Scalar<Map>; 3] {
        let (gain, border) = (self.slope_gain.get(), self.border.get());
        let is_shared = self.borders == Borders::Shared;
        let zone = match (&gain, &border) {
            (Some(_), Some(_)) => Self::SHARED_ZONE,
            _ if is_shared => Self::SHARED_ZONE,
            _ => Zone::suiting(height, self.width),
        };
        let gain = gain.unwrap_or(Scalar::Constant(zone.slope_gain));
        [self.max_slope.get(), gain, border.unwrap_or(Scalar::Constant(zone.border))]
    }

    fn costs(&self) -> Costs {
        if self.cost == Cost::Thesis || self.alpha.is_some() || self.beta.is_some() {
            let (alpha, beta) = (self.alpha.unwrap_or(10_000.0), self.beta.unwrap_or(1.8));
            return Costs::Thesis { alpha, beta };
        }
        Costs::Builder(Prices { excess: self.excess_cost, side: self.side_cost })
    }
}

/// The routes as lines.
fn routes(bounds: &Subdivision, graph: &Graph) -> Paths {
    let (edges, lines): (Vec<f64>, Vec<Polyline>) = bounds
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !line.is_empty())
        .map(|(edge, line)| (graph.number(edge) as f64, Polyline { points: line.clone(), closed: false }))
        .unzip();
    let attributes =
        Table::new(vec![("edge", edges), ("length", lines.iter().map(Polyline::length).collect())]);
    Paths::new(lines, attributes)
}
