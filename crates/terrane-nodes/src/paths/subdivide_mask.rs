//! Subdivision of the ground along masks and lines.

use terrane_flow::{
    Context, Evaluate, FilePath, Input, Invalid, Node, NodeError, OptionalInput, Port as _, ScalarInput,
    Source,
};
use terrane_grid::Polyline;
use terrane_paths::path::{Borders, Costs, Search, Subdivide, Trace, subdivide_traces};

use super::failure::failure;
use super::inputs::{GroundBounds, SubdivisionInputs, number};
use super::lines::lines_of;
use crate::opening::check_build;
use crate::outside::warn_of_lines;
use crate::place::lonlat;
use crate::support::Report;
use crate::values::{Bounds, Graph, Map, Paths, Picture};

/// Derives bounds on the ground along paths that are given as a mask, as lines, or as both: `SubdividePath`
/// without a graph and without a search.
///
/// A sample is on a path if `mask` is above 0.5 there, or if a line is near. Each line is drawn as a chain of
/// samples. The line is near if one of them is within half of the path's width. Lines come from `paths`, such
/// as the output of `Rivers` or `Contours`, or from a GeoJSON or SVG `file`. Lines may leave the patch. A
/// line may have its own width and slope, as attributes `width` and `slope` of `paths` or as properties in
/// the file. These values take precedence over the node's `width` and `max_slope`.
///
/// On a path, no slope may exceed `max_slope`. Where paths overlap, the smallest of their maximum slopes
/// applies. Around each path lies a zone as wide as `border`. The ground in this zone is bound in one of
/// three ways:
///
/// - By default, the slope away from the path may exceed the path's maximum slope by at most `slope_gain` ·
///   √d. Here d is the distance from the path, divided by `border`.
/// - If `beside` is connected, this map gives the maximum slope away from the path, sample by sample.
/// - With `surround: Roughness`, the ground keeps its roughness.
///
/// Distances are Euclidean and exact. They are measured to the nearest sample of the mask, or to the rim of
/// the strip around a line.
///
/// `max_slope`, `slope_gain` and `border` accept a map or a number. A map is read at the sample to which the
/// bound applies. `pins` and `neighbour` work as in `SubdividePath`.
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
#[node(category = "paths",
    words = "road roads path mask lines track drawn street existing",
    version = 3, header, tiles = Global, because = "distances to paths are \
    computed over the whole map", paper = "Velzel, section 3", working_maps = 18.0)]
#[output(subdivision: Bounds, doc = "The bounds on each sample.")]
#[output(mask: Map, doc = "1 on the path, 0 elsewhere.")]
#[output(picture: Picture, lazy, doc = "The terrain in grey. The path is red. Ground beside the path is \
    yellow if its slope is bound, and green if its roughness is bound. Fixed heights are blue.")]
pub struct SubdivideMask {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Mask of paths: samples where it is above 0.5 are on a path.
    #[input]
    pub mask: OptionalInput<Map>,
    /// Lines that paths follow.
    #[input]
    pub paths: OptionalInput<Paths>,
    /// GeoJSON or SVG file of lines that paths follow, relative to the graph's file.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Width of paths along lines without their own width.
    #[param(default = 8.0, min = 0.0, unit = "world units")]
    pub width: f64,
    /// Maximum slope of paths along lines without their own slope.
    #[input(default = 0.1, above = 0.0, unit = "rise over run")]
    pub max_slope: ScalarInput<Map>,
    /// Amount by which the ground at the outer end of the zone `border` may be steeper than the path.
    #[input(default = 0.05, min = 0.0, unit = "rise over run")]
    pub slope_gain: ScalarInput<Map>,
    /// Width of the transition zone on each side of a path.
    #[input(default = 16.0, min = 0.0, unit = "world units")]
    pub border: ScalarInput<Map>,
    /// Maximum slopes of the ground beside paths, in the direction away from the path. They replace the
    /// slopes that follow from `max_slope` and `slope_gain`.
    #[input(unit = "rise over run")]
    pub beside: OptionalInput<Map>,
    /// Roughness, fixed heights, neighbours and `surround`.
    #[group]
    pub ground: GroundBounds,
    /// Bound on the patch's border. `Shared` requires a graph, and is not available in this node.
    #[param(default = Borders::Free)]
    pub borders: Borders,
}

impl Evaluate for SubdivideMask {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (mask, paths) = (self.mask.get(), self.paths.get());
        let slopes = [&self.max_slope, &self.slope_gain, &self.border].map(ScalarInput::get);
        let inputs = SubdivisionInputs::new(self.height.get(), slopes, self.beside.get(), &self.ground);
        let file = match &self.file {
            None => Vec::new(),
            Some(file) => {
                let lines = lines_of(&lonlat(cx), file)?;
                warn_of_lines(cx, file, &lines, |position| position);
                lines
            }
        };
        let trace =
            |line, width: Option<f64>, slope| Trace { line, width: width.unwrap_or(self.width), slope };
        let mut traces: Vec<Trace<'_>> =
            file.iter().map(|line| trace(&line.line, line.width, line.slope)).collect();
        if let Some(paths) = &paths {
            let [widths, slopes] = ["width", "slope"].map(|name| paths.attributes.column(name));
            let own = |column: Option<&[f64]>, at: usize| column.and_then(|column| column.get(at)).copied();
            for (at, line) in paths.lines.iter().enumerate() {
                let (width, slope) = (own(widths, at), own(slopes, at));
                check_number("width", at, line, width)?;
                check_number("slope", at, line, slope)?;
                traces.push(trace(line, width, slope));
            }
        }
        let neighbours = inputs.neighbours();
        let parameters = Subdivide {
            // No routes are searched, so these costs have no effect.
            search: Search::by(Costs::Thesis { alpha: 0.0, beta: 1.0 }),
            width: 0.0,
            node_width: 0.0,
            border: number(&inputs.border),
            max_slope: number(&inputs.max_slope),
            edge_slopes: &[],
            slope_gain: number(&inputs.slope_gain),
            surround: self.ground.surround,
            borders: self.borders,
            anchors: &[],
            details: inputs.details(&neighbours),
        };
        let mask = mask.as_ref().map(|mask| &mask.0);
        let bounds = subdivide_traces(&inputs.height, mask, &traces, &parameters, &Report(cx))
            .map_err(|error| failure(&error, &Graph::default(), &inputs.height, false))?;
        let (mask, picture) = inputs.outputs(cx, &bounds, cx.asked(Self::PICTURE))?;
        Ok((Bounds(bounds), mask, picture))
    }

    fn check(&self) -> Result<(), Invalid> {
        let unset = |source: &Source| matches!(source, Source::Unset);
        let invalid = |field, message: &str, help: &str| {
            Err(Invalid { field, message: message.to_owned(), help: help.to_owned() })
        };
        if unset(self.mask.source()) && unset(self.paths.source()) && self.file.is_none() {
            return invalid("mask", "no path is given", "connect `mask` or `paths`, or set `file`");
        }
        check_build(&self.file)?;
        if self.borders == Borders::Shared {
            let message = "`borders: Shared` requires a graph";
            return invalid("borders", message, "use SubdividePath, or `Stitched` borders");
        }
        self.ground.check(self.borders)
    }
}

/// Rejects a width or slope of a line that is negative or not finite.
fn check_number(name: &str, at: usize, line: &Polyline, value: Option<f64>) -> Result<(), NodeError> {
    let Some(value) = value.filter(|value| !(value.is_finite() && *value >= 0.0)) else { return Ok(()) };
    let first = line.points.first().copied().unwrap_or_default();
    Err(NodeError::failed(
        format!("the {name} of line {at} of `paths`, from {first:?}, is {value}"),
        "use a number of 0 or more",
    ))
}
