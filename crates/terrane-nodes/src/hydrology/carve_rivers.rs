//! Rivers with beds.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, OptionalOneOf, Reach, Sizes};
use terrane_grid::{Heightmap, Polyline};
use terrane_kernels::hydrology::{
    Carved, Course, RiverCarving, RiverLine, Station, carve_rivers, higher_level, level_over,
};

use crate::support::{Report, cancelled, maps};
use crate::terrain::Terrain;
use crate::values::{Levels, Map, Paths, Table, Water};

/// Carves rivers into the ground: with a bed, banks and a floodplain, and water that falls to its mouth.
///
/// `rivers` come from `Rivers` with its `height` connected: their points need a height and the drainage.
/// Lines that continue each other become one river from its source to its mouth; where several meet, the one
/// with the largest drainage goes on, and the others end there at its level.
///
/// Width and depth follow from the discharge Q by hydraulic geometry (Leopold & Maddock 1953): the width is
/// `width_factor` · Q to the power of `width_exponent`, and likewise the depth. Q is the drainage times
/// `runoff`. With the defaults, metres and the drainage of `Drainage`, Q is that of a flood as high as the
/// banks, 0.1 m³/s from each square kilometre: a river that drains 100 km² is 13 m wide and 1.0 m deep.
/// Drainage of `FluvialErosion` is counted in samples of rain: give `runoff` the area of a sample, times
/// 1e-7.
///
/// The surface of the water never rises downstream. It lies below the banks, and ends at the level of the
/// lake, the sea or the river into which it flows. The bed is a parabola. The floodplain beside it is
/// `floodplain` times as wide as the river. Beyond it, ground is cut and raised so that it is no steeper than
/// `side`; how far depends on the river's width. This changes ground by eight times the height of the banks
/// above the bed at most, so that gorges and steep valleys keep their walls and have no floodplain. The bed
/// is dug as deep as the heights of the line ask: where `Rivers` warns of a deep cut, it is a gorge. Dry
/// ground beside the water is raised to its level at least. Ground that `water` covers is only dug, so that
/// the bed ends without a step. Rivers that are narrower than one and a half samples are drawn that wide, and
/// keep their width in `rivers.width`.
///
/// `meanders` lets rivers swing from side to side, less where they are steep. A meander is eleven times as
/// long as the river is wide. From 3 on, neighbouring bends can touch.
///
/// `reach` bounds the distance at which ground changes, so that patches of a world with the same lines meet.
/// Of wide rivers, the time grows with its square.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (257, 257), spacing: 20.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 7, wavelength: 2500.0, amplitude: 500.0),
///         "drained": Depressions(height: "hills", method: Breach),
///         "flow": Drainage(height: "drained"),
///         "lines": Rivers(
///             receivers: "flow.receivers",
///             drainage: "flow",
///             height: "drained",
///             threshold: 400000.0,
///         ),
///         "carved": CarveRivers(height: "drained", rivers: "lines", width_factor: 20.0),
///         "shade": Hillshade(height: "carved"),
///         "relief": ColorRelief(height: "carved", shade: "shade", water: "carved.level"),
///     },
///     outputs: { "relief.png": "relief", "rivers.geojson": "carved.rivers" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "river riverbed channel stream bed banks floodplain creek water dig cut",
    tiles = Halo, paper = "Leopold & Maddock 1953", working_maps = 3.0,
    holes = Kept, main(width_factor, depth_factor, banks, floodplain, meanders))]
#[output(ground: Map, unit = "world units", doc = "The terrain with the rivers.")]
#[output(level: Levels, unit = "world units", doc = "Height of the water's surface, of the rivers and of \
    `water`; dry elsewhere.")]
#[output(mask: Map, lazy, doc = "1 in the water of the rivers, 0 elsewhere.")]
#[output(rivers: Paths, doc = "The rivers from their sources to their mouths, with their greatest `order`, \
    `discharge` and `width`, and their `length`. Their points have the height of the water (`z`), its \
    `width` and `depth`, the `discharge` and the `order`.")]
pub struct CarveRivers {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// The rivers, from `Rivers` with its `height` connected.
    #[input]
    pub rivers: Input<Paths>,
    /// Lakes and the sea, as at `Rivers`: their level, or a map of their depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<Water>,
    /// Discharge from each unit of drainage.
    #[param(default = 1e-7, above = 0.0, unit = "world units per second")]
    pub runoff: f64,
    /// Width of a river with a discharge of 1.
    #[param(default = 4.0, above = 0.0, unit = "world units")]
    pub width_factor: f64,
    /// Power of the discharge to which the width is proportional.
    #[param(default = 0.5, min = 0.0, max = 2.0)]
    pub width_exponent: f64,
    /// Depth of a river with a discharge of 1.
    #[param(default = 0.4, above = 0.0, unit = "world units")]
    pub depth_factor: f64,
    /// Power of the discharge to which the depth is proportional.
    #[param(default = 0.4, min = 0.0, max = 2.0)]
    pub depth_exponent: f64,
    /// Height of the banks above the water, as a share of its depth.
    #[param(default = 0.3, min = 0.0, max = 10.0)]
    pub banks: f64,
    /// Width of the floodplain, in widths of the river.
    #[param(default = 4.0, min = 0.0, max = 100.0)]
    pub floodplain: f64,
    /// Steepest slope of the ground beside the floodplain, rise over run.
    #[param(default = 0.8, above = 0.0, max = 100.0)]
    pub side: f64,
    /// How far meanders swing to each side, in widths of the river.
    #[param(default = 0.0, min = 0.0, max = 4.0)]
    pub meanders: f64,
    /// Distance from a river beyond which the ground does not change. Default: 32 samples.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub reach: Option<f64>,
}

/// The distance at which ground changes, in samples, unless it is given.
const REACH: f64 = 32.0;

impl Evaluate for CarveRivers {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, rivers) = (self.height.get(), self.rivers.get());
        let lines = lines(&rivers)?;
        let water = self.water.get().map(|water| water.level(&height));
        if water.is_none() && lines.iter().any(|line| line.in_lake.contains(&true)) {
            cx.warn(
                "`rivers` cross or end in lakes, but none are connected to `water`, so the level is dry \
                 there: connect what is connected to `water` of Rivers"
                    .to_owned(),
            );
        }
        let carving = RiverCarving {
            runoff: self.runoff,
            width: self.width_factor,
            width_exponent: self.width_exponent,
            depth: self.depth_factor,
            depth_exponent: self.depth_exponent,
            banks: self.banks,
            floodplain: self.floodplain,
            side: self.side,
            meanders: self.meanders,
            reach: self.reach.unwrap_or(REACH * height.spacing()),
        };
        let carved =
            carve_rivers(&height, &lines, water.as_ref(), &carving, &Report(cx)).map_err(cancelled)?;
        if let Some(warning) = dry_ends(&carved, &height, water.as_ref()) {
            cx.warn(warning);
        }
        let mut mask = carved.level.clone();
        mask.samples_mut().iter_mut().for_each(|level| *level = f32::from(u8::from(!level.is_nan())));
        let level = match &water {
            Some(water) => higher_level(&carved.level, &level_over(water, &carved.ground)),
            None => carved.level,
        };
        Ok((Map(carved.ground), Levels::new(level), Map(mask), paths(&carved.courses)))
    }

    fn reach(&self, header: &dyn Header) -> Reach {
        let samples = |reach: f64| Some(reach / Terrain::of(header)?.domain.spacing);
        let samples = self.reach.and_then(samples).unwrap_or(REACH);
        // Ground beside water is held by the samples next to it.
        Reach::Samples(samples.ceil() as u64 + 1)
    }

    /// Memory for the points of rivers, and for the bands of rows.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        maps(sizes, 2.0) + 40 * sizes.inputs[RIVERS]
    }
}

/// The index of the port `rivers`.
const RIVERS: usize = 1;

/// The lines of rivers, with what their points say.
fn lines(rivers: &Paths) -> Result<Vec<RiverLine>, NodeError> {
    let column = |name: &str| {
        rivers.points.column(name).ok_or_else(|| {
            let message = format!("the points of the lines at `rivers` have no `{name}`");
            let help =
                "connect a Rivers node, and the ground to its `height`; carved rivers cannot be carved again";
            NodeError::failed(message, help)
        })
    };
    if rivers.lines.is_empty() {
        return Ok(Vec::new());
    }
    let (heights, drainage, lake) = (column("z")?, column("drainage")?, column("lake")?);
    let order = rivers.attributes.column("order");
    let lines = rivers.lines.iter().zip(rivers.rows()).enumerate();
    Ok(lines
        .map(|(index, (line, rows))| RiverLine {
            points: line.points.clone(),
            heights: heights[rows.clone()].to_vec(),
            drainage: drainage[rows.clone()].to_vec(),
            in_lake: lake[rows].iter().map(|lake| *lake > 0.0).collect(),
            order: order.map_or(1.0, |order| order[index]),
        })
        .collect())
}

/// The warning about rivers that end on dry ground.
fn dry_ends(carved: &Carved, map: &Heightmap, water: Option<&Heightmap>) -> Option<String> {
    let domain = map.domain();
    let is_dry = |course: &&Course| {
        let Some(end) = course.stations.last().filter(|end| course.joins.is_none() && end.land > 0.0) else {
            return false;
        };
        let Some((column, row)) = domain.nearest(end.point) else { return false };
        let is_inside = column > 0 && row > 0 && column + 1 < domain.width() && row + 1 < domain.height();
        is_inside && water.is_none_or(|water| water[(column, row)].is_nan())
    };
    let mut dry = carved.courses.iter().filter(is_dry);
    let first = dry.next()?.stations.last()?.point;
    let count = dry.count() + 1;
    Some(format!(
        "{count} of {} rivers end on dry ground inside of the map, the first at {first:?}: connect lakes and \
         the sea to `water` of Rivers and of this node, or let lakes overflow",
        carved.courses.len()
    ))
}

/// The courses as lines.
fn paths(courses: &[Course]) -> Paths {
    let line = |course: &Course| Polyline {
        points: course.stations.iter().map(|station| station.point).collect(),
        closed: false,
    };
    let lines: Vec<Polyline> = courses.iter().map(line).collect();
    let most = |number: fn(&Station) -> f64| {
        courses.iter().map(|course| course.stations.iter().map(number).fold(0.0, f64::max)).collect()
    };
    let along = |number: fn(&Station) -> f64| {
        courses.iter().flat_map(|course| &course.stations).map(number).collect()
    };
    let attributes = Table::new(vec![
        ("order", most(|station| station.order)),
        ("discharge", most(|station| station.discharge)),
        ("width", most(|station| station.width)),
        ("length", lines.iter().map(Polyline::length).collect()),
    ]);
    let points = Table::new(vec![
        ("z", along(|station| station.level)),
        ("width", along(|station| station.width)),
        ("depth", along(|station| station.depth)),
        ("discharge", along(|station| station.discharge)),
        ("order", along(|station| station.order)),
    ]);
    Paths { points, ..Paths::new(lines, attributes) }
}
