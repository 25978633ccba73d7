//! What paths ask of the ground where masks and lines say that they are.

use terrane_flow::{
    Context, Evaluate, FilePath, Input, Invalid, Node, NodeError, OptionalInput, Port as _, ScalarInput,
    Source,
};
use terrane_grid::Polyline;
use terrane_kernels::path::{Costs, Search, Subdivide, Trace, subdivide_traces};

use super::asked::{Asked, check_ports, number};
use super::failure::failure;
use super::lines::lines_of;
use super::subdivide_path::{Borders, Surround};
use crate::support::{Report, same_size};
use crate::values::{Bounds, Graph, Map, Paths, Picture};

/// What paths ask of the ground where any process says that they are: a mask, lines, or both. As
/// `SubdividePath`, without a graph and without a search.
///
/// Path is where `mask` is above 0.5, and what is no farther than half a width from the samples nearest to a
/// line: of `paths`, such as `Rivers` and `Contours` give, and of a GeoJSON or SVG `file`. A line's own
/// `width` and `slope`, as numbers of `paths` or properties in the file, go before those of the node. Lines
/// may leave the patch. On the path no slope may exceed `max_slope`, the flattest where several overlap;
/// beside it, to the end of `border`, the slope away from the path may be steeper by `slope_gain` times the
/// root of how far that is, or is what `beside` says, sample by sample; or the ground keeps its roughness.
/// Distances are Euclidean and exact, to the nearest sample of the mask or edge of a line's strip.
///
/// `max_slope`, `slope_gain` and `border` take a map or a number; a map is read at the sample that is bound.
/// `pins` and `neighbour` are as in `SubdividePath`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 6, wavelength: 256.0, amplitude: 60.0),
///         "water": Drainage(height: "hills"),
///         "rivers": Rivers(receivers: "water.receivers", drainage: "water", threshold: 20000.0),
///         "bounds": SubdivideMask(
///             height: "hills",
///             paths: "rivers",
///             width: 16.0,
///             border: 40.0,
///             max_slope: 0.05,
///             slope_gain: 0.4,
///         ),
///         "valleys": RelaxPath(height: "hills", subdivision: "bounds", solver: Draft),
///         "shade": Hillshade(height: "valleys"),
///     },
///     outputs: { "picture.png": "bounds.picture", "shade.png": "shade", "mask.png": "bounds.mask" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(
    category = "paths",
    tiles = Global,
    because = "ways are searched from end to end of their edges",
    paper = "Velzel, section 3",
    working_maps = 18.0,
)]
#[output(subdivision: Bounds, doc = "What is asked of each sample.")]
#[output(mask: Map, doc = "1 on the path, 0 elsewhere.")]
#[output(picture: Picture, lazy, doc = "The path in red, ground beside it bound by slope in yellow or by \
    roughness in green, given heights in blue, on the terrain in grey.")]
pub struct SubdivideMask {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Where paths are: above 0.5.
    #[input]
    pub mask: OptionalInput<Map>,
    /// Lines that paths follow.
    #[input]
    pub paths: OptionalInput<Paths>,
    /// A GeoJSON or SVG file of lines that paths follow, relative to the graph's.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Width of paths along lines that have none of their own.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub width: f64,
    /// Maximum slope of paths; lines that have their own keep it.
    #[input(default = 0.1, above = 0.0, unit = "rise over run")]
    pub max_slope: ScalarInput<Map>,
    /// How much steeper than the path the ground may be at the end of the border.
    #[input(default = 0.05, min = 0.0, unit = "rise over run")]
    pub slope_gain: ScalarInput<Map>,
    /// Width of the ground beside a path that connects it.
    #[input(default = 16.0, min = 0.0, unit = "world units")]
    pub border: ScalarInput<Map>,
    /// Maximum slopes away from the path on the ground beside it, in the place of what `max_slope` and
    /// `slope_gain` give.
    #[input(unit = "rise over run")]
    pub beside: OptionalInput<Map>,
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
    /// What binds the patch at its border; `Shared` needs a graph.
    #[param(default = Borders::Free)]
    pub borders: Borders,
}

impl Evaluate for SubdivideMask {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (mask, paths) = (self.mask.get(), self.paths.get());
        let asked = Asked {
            height: self.height.get(),
            max_slope: self.max_slope.get(),
            slope_gain: self.slope_gain.get(),
            border: self.border.get(),
            beside: self.beside.get(),
            roughness: self.roughness.get(),
            pins: self.pins.get(),
            pinned: self.pinned.get(),
            neighbours: [self.neighbour.get(), self.second_neighbour.get()].into_iter().flatten().collect(),
        };
        asked.check()?;
        if let Some(mask) = &mask {
            same_size("height", &asked.height, "mask", mask)?;
        }
        let file = self.file.as_ref().map_or(Ok(Vec::new()), lines_of)?;
        let trace =
            |line, width: Option<f64>, slope| Trace { line, width: width.unwrap_or(self.width), slope };
        let mut traces: Vec<Trace<'_>> =
            file.iter().map(|line| trace(&line.line, line.width, line.slope)).collect();
        if let Some(paths) = &paths {
            let [widths, slopes] = ["width", "slope"].map(|name| paths.attributes.column(name));
            let own = |column: Option<&[f64]>, at: usize| column.and_then(|column| column.get(at)).copied();
            for (at, line) in paths.lines.iter().enumerate() {
                let (width, slope) = (own(widths, at), own(slopes, at));
                refuse("width", at, line, width)?;
                refuse("slope", at, line, slope)?;
                traces.push(trace(line, width, slope));
            }
        }
        let neighbours = asked.neighbours();
        let parameters = Subdivide {
            // Nothing is searched for.
            search: Search::by(Costs::Thesis { alpha: 0.0, beta: 1.0 }),
            width: 0.0,
            node_width: 0.0,
            border: number(&asked.border),
            max_slope: number(&asked.max_slope),
            edge_slopes: &[],
            slope_gain: number(&asked.slope_gain),
            surround: self.surround.into(),
            borders: self.borders.into(),
            anchors: &[],
            details: asked.details(&neighbours),
        };
        let mask = mask.as_ref().map(|mask| &mask.0);
        let bounds = subdivide_traces(&asked.height, mask, &traces, &parameters, &Report(cx))
            .map_err(|error| failure(&error, &Graph::default(), &asked.height, false))?;
        let (mask, picture) = asked.outputs(cx, &bounds, cx.asked(Self::PICTURE))?;
        Ok((Bounds(bounds), mask, picture))
    }

    fn check(&self) -> Result<(), Invalid> {
        let unset = |source: &Source| matches!(source, Source::Unset);
        let invalid = |field, message: &str, help: &str| {
            Err(Invalid { field, message: message.to_owned(), help: help.to_owned() })
        };
        if unset(self.mask.source()) && unset(self.paths.source()) && self.file.is_none() {
            return invalid(
                "mask",
                "nothing says where paths are",
                "connect `mask` or `paths`, or name a `file`",
            );
        }
        if self.borders == Borders::Shared {
            let message = "borders are shared by the straight ways of a graph's edges, and there is no graph";
            return invalid("borders", message, "use SubdividePath, or `Stitched` borders");
        }
        check_ports(
            self.pins.source(),
            self.pinned.source(),
            [("neighbour", self.neighbour.source()), ("second_neighbour", self.second_neighbour.source())],
            self.borders.into(),
        )
    }
}

/// Refuses a number of a line that cannot be one.
fn refuse(name: &str, at: usize, line: &Polyline, value: Option<f64>) -> Result<(), NodeError> {
    let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 0.0)) else { return Ok(()) };
    let first = line.points.first().copied().unwrap_or_default();
    Err(NodeError::failed(
        format!("the {name} of line {at} of `paths`, from {first:?}, is {value}"),
        "expected a number of 0 or more",
    ))
}
