//! What paths ask of the ground.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::{Grid, Heightmap, Polyline};
use terrane_kernels::path::{self, Anchor, Costs, Subdivide, SubdivideError, Subdivision, subdivide};

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
        /// Heights there are given, those of the terrain or of `RelaxPath`'s `border`; the ground near them keeps its roughness.
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
/// samples nearest to them. Distances are Euclidean, to the nearest sample of a way, which is also where directions point
/// away from. With `Stitched` borders, ground that nothing else binds keeps its roughness within `border` of the patch's border. With `Shared` ones
/// ways are straight as near to the patch's border as they or what they ask for could reach it, and the cheapest elsewhere; so patches of a
/// world meet, whichever is made first.
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
#[node(category = "paths", version = 2, tiles = Global, paper = "Velzel, sections 3 and 4.1", working_maps = 12.0)]
#[output(subdivision: Bounds, doc = "What is asked of each sample.")]
#[output(paths: Paths, doc = "The ways, with the number of their edge and their length.")]
#[output(mask: Map, doc = "1 on the path, 0 elsewhere.")]
#[output(picture: Picture, lazy, doc = "The path in red, ground beside it bound by slope in yellow or by roughness in green, given heights in blue, on the terrain in grey.")]
pub struct SubdividePath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The paths.
    #[input]
    pub graph: Input<Graph>,
    /// Width of a path.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub width: f64,
    /// Diameter of the place around a node; without, a path's width.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub node_width: Option<f64>,
    /// Width of the ground beside a path that connects it, beyond its own width.
    #[param(default = 16.0, min = 0.0, unit = "world units")]
    pub border: f64,
    /// How much slopes cost.
    #[param(default = 10_000.0, min = 0.0)]
    pub alpha: f64,
    /// The power of slopes.
    #[param(default = 1.8, above = 0.0, max = 8.0)]
    pub beta: f64,
    /// Greatest slope of paths; edges that have their own keep it.
    #[param(default = 0.1, above = 0.0, unit = "rise over run")]
    pub max_slope: f64,
    /// How much steeper than the path the ground may be at the end of the border.
    #[param(default = 0.05, min = 0.0, unit = "rise over run")]
    pub slope_gain: f64,
    /// What binds the ground beside the path.
    #[param(default = Surround::Directional)]
    pub surround: Surround,
    /// What binds the patch at its border.
    #[param(default = Borders::Free)]
    pub borders: Borders,
}

impl Evaluate for SubdividePath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, graph) = (self.height.get(), self.graph.get());
        let anchor = |&(x, y, height, slope): &(f64, f64, f64, f64)| Anchor { place: (x, y), height, slope };
        let anchors: Vec<Anchor> = graph.anchors.iter().map(anchor).collect();
        let parameters = Subdivide {
            costs: Costs { alpha: self.alpha, beta: self.beta },
            width: self.width,
            node_width: self.node_width.unwrap_or(self.width),
            border: self.border,
            max_slope: self.max_slope,
            edge_slopes: &graph.slopes,
            slope_gain: self.slope_gain,
            surround: self.surround.into(),
            borders: self.borders.into(),
            anchors: &anchors,
        };
        let found = subdivide(&height, &graph.plane, &parameters, &Report(cx));
        let bounds = found.map_err(|error| failure(&error, &graph, &height))?;
        let mask = height.with_grid(Grid::from_fn(height.width(), height.height(), |x, y| {
            f32::from(u8::from(bounds.slope[y * height.width() + x].is_finite()))
        }));
        let picture = if cx.asked(3) { picture(&bounds, &height) } else { Grid::filled(0, 0, [0; 3]) };
        let ways = ways(&bounds);
        Ok((Bounds(bounds), ways, Map(mask), Picture(picture)))
    }
}

fn failure(error: &SubdivideError, graph: &Graph, map: &Heightmap) -> NodeError {
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
        SubdivideError::NoWay { edge } => NodeError::failed(
            format!("no way leads from one end of edge {edge} to the other"),
            "samples that are not numbers cannot be crossed: fill them",
        ),
    }
}

/// The ways as lines.
fn ways(bounds: &Subdivision) -> Paths {
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
        .map(|(edge, way)| (edge as f64, line(way)))
        .unzip();
    let attributes =
        Table::new(vec![("edge", edges), ("length", lines.iter().map(Polyline::length).collect())]);
    Paths { lines, attributes }
}

/// Colours of sets on a grey relief.
fn picture(bounds: &Subdivision, map: &Heightmap) -> Grid<[u8; 3]> {
    let (low, high) =
        map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
    let over = if high > low { 1.0 / (high - low) } else { 0.0 };
    let width = map.width();
    Grid::from_fn(width, map.height(), |x, y| {
        let at = y * width + x;
        let grey = 0.35 + 0.65 * (map.samples()[at] - low) * over;
        let colour: [f32; 3] = if !bounds.given[at].is_nan() {
            [70.0, 110.0, 220.0]
        } else if bounds.slope[at].is_finite() {
            [220.0, 60.0, 50.0]
        } else if bounds.directional[at].is_finite() {
            [235.0, 205.0, 70.0]
        } else if !bounds.roughness[at].is_nan() {
            [90.0, 170.0, 90.0]
        } else {
            [230.0, 230.0, 230.0]
        };
        colour.map(|channel| (channel * grey.clamp(0.0, 1.0) + 0.5) as u8)
    })
}
