//! Uplift and stream power erosion.

use terrane_flow::{
    Context, Evaluate, Node, NodeError, OptionalInput, OptionalScalarInput, Port as _, Scalar, ScalarInput,
    Sizes, Source,
};
use terrane_grid::Domain;
use terrane_kernels::Boundary;
use terrane_kernels::erosion::{Base, Routing, Start, Uplift, uplift_erosion};

use super::changes::changes;
use super::history::{Record, frames_bytes, recorded};
use super::hollows;
use super::sides::OwnSides;
use super::valley_width::{is_wide, valley_width};
use crate::support::{Report, cancelled, domain, graph_size, maps, scalar, seed};
use crate::terrain::Terrain;
use crate::values::{Frames, Map, Table};

/// Mountain ranges from tectonic uplift and river erosion over geological time.
///
/// In each step the ground rises by `uplift`, and rivers erode it by the stream power law: `erodibility`
/// times the drainage area to the power of `area_exponent` times the slope to the power of `slope_exponent`.
/// Each sample drains to the neighbour with the steepest descent, or with `routing: Lowest` to the lowest of
/// its eight neighbours, as in the paper. The law is solved implicitly, from the outlets up, which allows
/// steps as long as 250,000 years. Rivers are `valley_width` wide. With `lakes`, water crosses each hollow
/// and flows over its lowest pass towards the sea. Without `lakes`, rivers end at minima, and many minima
/// remain.
///
/// With `deposition` rivers also build: below a range they leave fans and plains, and lakes fill. Each sample
/// gains `deposition` times the sediment that leaves it over the water that leaves it, in every step, as in
/// Yuan et al. (2019). What rivers erode is counted exactly: it is deposited, or leaves the map at an outlet
/// (`flux`). What the talus removes between rivers is not counted. Without `deposition` no ground rises but
/// by `uplift`.
///
/// No step makes the ground steeper than `talus`, or than it was before the step if that is steeper. The
/// slope of a sample is the gradient to its lowest neighbours along x and along y or, if that is steeper, the
/// steepest descent along a diagonal. Ground at the `floor`, near a fixed border, is an exception. Without a
/// talus, divides that no river wears down remain as needles, if the spacing is small (see below).
///
/// By default this builds a range from almost flat ground in 150 steps, 37.5 million years. With a `height`
/// the defaults are 25 steps of 10,000 years without uplift: rivers cut gullies and valleys into the given
/// terrain, whose form remains: on 24 grounds of 65 × 65 samples, heights change by 1 to 7 % of their range
/// (root mean square). After tens of millions of years, only the border and the `floor` beside it are left.
/// Inland water is treated as ground. To keep the water, connect a mask of it to `outlets`.
///
/// With `border: Fixed`, the border keeps its heights, or is at sea level without a `height`. The ground
/// beside it is not eroded below the `floor`, a surface that descends from the border at the slope `talus`.
/// Where the original height is lower than that surface, the floor is the original height. Each side can be
/// the sea, fixed or a wall, and `outlets` lets water leave anywhere. A map that wraps has no sides. If water
/// can leave nowhere, as on a torus, it ends in the sample that is lowest at the start, which keeps its
/// height.
///
/// Units are those of the paper: world units and years. On a map of 50 km by 50 km, mountains reach 6 to 10
/// times `uplift` / `erodibility` at the defaults. After twice as many steps, their mean height differs by
/// less than 5 %, but divides have moved. The paper's erodibility is 5.61e-7 and its talus 0.577; on small
/// maps these make broad slopes without valleys.
///
/// # Scale
///
/// A river is `valley_width` wide, and erodes with its water within this width. On slopes, where water flows
/// side by side, the drainage area that erodes is that of a strip of this width. So a map of the same ground
/// with more samples has the same valleys, as long as the spacing is at most `valley_width`, and a small map
/// is a draft of a large one. Rivers also deposit over their width.
///
/// On 20 random grounds given as `height`, maps of 513² samples eroded 1.16 to 1.26 times as much as those of
/// 257², on which rivers are one sample wide, and maps of 1,025² 1.04 to 1.07 times as much as those of 513².
/// The change of height (means over 5 `valley_width`) had a correlation of at least 0.83, and at least 87 %
/// of the rivers lay within 2 `valley_width` of those of the other map. Ranges that rise from flat ground had
/// 0.96 to 0.99 times the mean height of those with fewer samples and a correlation of at least 0.81, and 64
/// % of their rivers were near in the median, at least 49 %: the larger rivers are the same. These figures
/// are without `deposition`. Where rivers are wider than a sample, they spread their sediment before they
/// erode; where they are not, both are solved in one equation, and the ground is about a tenth higher.
///
/// A draft needs 257 samples along its longer side; with fewer, rivers are as wide as the spacing. In a given
/// terrain, rivers much wider than its valleys cut flat floors between straight walls.
///
/// With `valley_width: 0.0` rivers are one sample wide, and the result depends on the spacing. If the spacing
/// is more than `uplift` / (`erodibility` × `talus`), 500 m by default, each ridge is one sample wide.
///
/// # For research
///
/// With `jitter: 0.0` and `valley_width: 0.0` the channels of a steady state obey the law on the raster: the
/// slope to the receiver is ((1 + deposition) · uplift / erodibility)^(1/n) · area^(-m/n), as far as it is
/// below the talus. With `jitter` the law holds between the displaced nodes: in a steady state, a quarter of
/// the slopes between samples is below about 0.8 times the law and a quarter above 1.25 times. In exchange,
/// ridges and valleys follow the axes and diagonals less. Divides move slowly, so a steady state takes longer
/// than the default run: on 121 × 121 samples, 200 to 400 steps of a million years.
///
/// A step routes the water over the ground as it is. Then the ground rises, rivers erode it from the outlets
/// up, hillslopes diffuse (implicitly, along rows, then along columns), the talus limits its slopes, and
/// ground below the `floor` is set to it. Other models often route after the uplift. A sample erodes if its
/// receiver, already eroded in this step, is lower. In a lake, the path from the lowest pass down to the
/// deepest sample is reversed, so that the lake's bed erodes only once the pass has sunk below it. For stream
/// power alone, set `jitter: 0.0`, `valley_width: 0.0` and `talus: None`, which also leaves out the default
/// `floor`, and give the
/// start as `height`, with `uplift`, `iterations` and `time_step`, in metres and years.
///
/// A run may be divided. Connect `height`, `remainder` and `floor` of one node to the same ports of the next,
/// and write the same parameters in each, `uplift`, `iterations` and `time_step` included: 20 steps, 4 nodes
/// of 5 steps and 20 nodes of 1 step then give the same bits. A node whose `floor` is connected does not
/// drain its start again. Between two nodes, other nodes may change the ground, and each node may have its
/// own uplift, rain and erodibility. Heights are computed with more digits than single precision holds.
/// `remainder` is what `height` lacks, so that steps of a year lose no uplift.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 390.0, seed: 7,
///     nodes: {
///         "plates": PolynomialNoise(wavelength: 30000.0, octaves: 3, amplitude: 0.001),
///         "mountains": UpliftErosion(uplift: "plates", iterations: 100),
///         "shade": Hillshade(height: "mountains"),
///     },
///     outputs: { "mountains.png": "mountains", "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "erosion",
    words = "tectonic mountains ranges geology alps stream power erode plate orogeny realistic \
        evolution age",
    tiles = Global, because = "water comes from the whole drainage area \
    upstream", paper = "Cordonnier et al. 2016; Yuan et al. 2019", version = 8, working_maps = 19.0, header,
    main(uplift, erodibility, iterations, time_step, talus, sea_level))]
#[output(height: Map, unit = "world units", doc = "The ground after the last step.")]
#[output(drainage: Map, unit = "square world units", doc = "Drainage area of each sample, including its \
    own, weighted by `moisture`.")]
#[output(basins: Map, doc = "Number of each sample's drainage basin. Basins are numbered from 1, in the \
    order of their outlets.")]
#[output(receivers: Map, doc = "Direction in which each sample drains: 0 nowhere, 1 up (towards row 0), 2 \
    left, 3 right, 4 down, 5 up and left, 6 up and right, 7 down and left, 8 down and right.")]
#[output(remainder: Map, unit = "world units", doc = "What single precision drops of each height; connect \
    it to `remainder` of a run that continues this one.")]
#[output(floor: Map, unit = "world units", doc = "Heights below which no step lowers the ground: \
    -1e30 for no limit, and 1e30 where all water ends if it can leave nowhere; connect it to `floor` of a \
    run that continues this one.")]
#[output(flux: Map, unit = "cubic world units a year", lazy, doc = "Sediment that leaves each sample in \
    the last step; on fixed samples, what leaves the map there. 0 without `deposition`.")]
#[output(eroded: Map, unit = "world units", lazy, doc = "How far each sample lies below its start after \
    `uplift`, or 0.")]
#[output(deposited: Map, unit = "world units", lazy, doc = "How far each sample lies above its start after \
    `uplift`, or 0.")]
#[output(history: Table, doc = "A row per `history_every` steps: iteration, erosion score, mean change since \
    the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain every `history_every` steps, for \
    `Animate`.")]
pub struct UpliftErosion {
    /// Uplift rate. Default: 0 with a `height`, otherwise the paper's 0.0005, reduced in proportion on maps
    /// whose longer side is less than 50 km.
    #[input(unit = "world units a year")]
    pub uplift: OptionalScalarInput<Map>,
    /// Initial terrain. Default: ground at `sea_level`, with an unevenness of a thousandth of `valley_width`,
    /// which directs the first rivers.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// What single precision drops of each height of `height`. Default: nothing.
    #[input(unit = "world units")]
    pub remainder: OptionalInput<Map>,
    /// Heights below which neither rivers nor a negative `uplift` lower the ground. Default: see above.
    #[input(unit = "world units")]
    pub floor: OptionalInput<Map>,
    /// Erodibility of the ground, k in the paper; a map's values below 0 count as 0.
    #[input(default = 1.0e-6, min = 0.0, unit = "world units^(1 - 2m) a year")]
    pub erodibility: ScalarInput<Map>,
    /// Factor on each sample's area in drainage areas, such as its rain relative to the mean; a map's values
    /// below 0 count as 0.
    #[input(default = 1.0, min = 0.0)]
    pub moisture: ScalarInput<Map>,
    /// Diffusivity of hillslopes, which creep and round their crests; about 0.01 in nature. A map's values
    /// below 0 count as 0.
    #[input(default = 0.0, min = 0.0, unit = "square world units a year")]
    pub diffusivity: ScalarInput<Map>,
    /// Slope above which no step makes the ground steeper; `None` for no limit.
    #[input(default = 1.0, min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Mask of outlets: where it is above 0.5, water leaves the map and heights do not change.
    #[input]
    pub outlets: OptionalInput<Map>,
    /// Number of steps. Default: 150, or 25 with a `height`.
    #[param(default = None, max = 1_000_000_000)]
    pub iterations: Option<u32>,
    /// Length of a step. Default: 250,000 years, or 10,000 years with a `height`.
    #[param(default = None, above = 0.0, unit = "years")]
    pub time_step: Option<f64>,
    /// Exponent of the drainage area, the paper's m.
    #[param(default = 0.5, min = 0.0, max = 4.0)]
    pub area_exponent: f64,
    /// Exponent of the slope, the paper's n.
    #[param(default = 1.0, above = 0.0, max = 8.0)]
    pub slope_exponent: f64,
    /// Width of rivers. At least the spacing counts, and at most 256 spacings are allowed. Default: a 256th
    /// of the map's longer side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub valley_width: Option<f64>,
    /// Coefficient of deposition by rivers, the dimensionless G of Yuan et al. (2019), who find about 1 in
    /// nature. With 0, rivers carry all that they erode out of the map.
    #[param(default = 0.0, min = 0.0, max = 1000.0)]
    pub deposition: f64,
    /// Which of its eight neighbours a sample drains to.
    #[param(default = Routing::Steepest)]
    pub routing: Routing,
    /// Whether lakes overflow.
    #[param(default = true)]
    pub lakes: bool,
    /// Whether hollows are removed from `height` before the first step, as by `Depressions(method: Least)`,
    /// but with the sides of channels lowered to twice the mean slope of the ground, at most 0.5, unless the
    /// ground was steeper. A channel can leave the map through a fixed side, which is lowered there.
    #[param(default = false)]
    pub drain: bool,
    /// Boundary condition at the sides of an open map.
    #[param(default = Base::Fixed)]
    pub border: Base,
    /// Boundary conditions of single sides.
    #[group]
    pub sides: OwnSides<Base>,
    /// Height of the sea.
    #[param(default = 0.0, unit = "world units")]
    pub sea_level: f64,
    /// Maximum random displacement of samples within their tiles, the squares around them: 0 leaves them at
    /// the centres, 1 allows any position in the tile.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub jitter: f64,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Steps between rows of `history`; 0 records none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

/// The paper's rate, reduced on maps smaller than the paper's. At the full rate, mountains on a small map
/// would be as high as on a large one, and the talus would reduce them to a pyramid.
fn default_uplift(domain: &Domain) -> f64 {
    const PAPER: f64 = 0.0005;
    const SIDE: f64 = 50_000.0;
    let side = domain.width().max(domain.height()) as f64 * domain.spacing;
    PAPER * (side / SIDE).min(1.0)
}

impl UpliftErosion {
    /// The number of steps, fewer for a given terrain.
    fn steps(&self, given: bool) -> u32 {
        self.iterations.unwrap_or(if given { 25 } else { 150 })
    }
}

impl Evaluate for UpliftErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let start = self.height.get();
        let domain = start.as_ref().map_or_else(|| domain(cx), |start| start.domain());
        let uplift = self
            .uplift
            .get()
            .unwrap_or_else(|| Scalar::Constant(if start.is_some() { 0.0 } else { default_uplift(&domain) }));
        let (erodibility, moisture) = (self.erodibility.get(), self.moisture.get());
        let diffusivity = self.diffusivity.get();
        let (remainder, floor) = (self.remainder.get(), self.floor.get());
        if start.is_none() && (remainder.is_some() || floor.is_some()) {
            let message = "`remainder` and `floor` belong to heights, but `height` is not connected";
            return Err(NodeError::failed(
                message,
                "connect the output `height` of the same node to `height`",
            ));
        }
        let iterations = self.steps(start.is_some());
        let flat = terrane_grid::Heightmap::constant(domain, self.sea_level as f32);
        let (talus, outlets) = (self.talus.get(), self.outlets.get());
        let map = |value| match value {
            Some(Scalar::Map(map)) => Some(map),
            _ => None,
        };
        let maps = [
            ("uplift", map(Some(uplift.clone()))),
            ("talus", map(talus.clone())),
            ("outlets", outlets.clone()),
            ("erodibility", map(Some(erodibility.clone()))),
            ("moisture", map(Some(moisture.clone()))),
            ("diffusivity", map(Some(diffusivity.clone()))),
            ("remainder", remainder.clone()),
            ("floor", floor.clone()),
        ];
        if let Some((name, map)) = maps.into_iter().find_map(|(name, map)| Some((name, map?))) {
            // All maps have one size, and `height` may be one of them.
            graph_size(&domain, name, map.domain().size)?;
        }
        let parameters = Uplift {
            uplift: scalar(&uplift),
            iterations,
            time_step: self.time_step.unwrap_or(if start.is_some() { 10_000.0 } else { 250_000.0 }),
            erodibility: scalar(&erodibility),
            moisture: scalar(&moisture),
            routing: self.routing,
            area_exponent: self.area_exponent as f32,
            slope_exponent: self.slope_exponent as f32,
            valley_width: Some(valley_width(cx, self.valley_width, &domain)?),
            deposition: self.deposition,
            diffusivity: scalar(&diffusivity),
            lakes: self.lakes,
            drain: self.drain,
            talus: talus.as_ref().map(scalar),
            outlets: outlets.as_ref().map(|map| &map.0),
            border: self.sides.or(self.border),
            sea_level: self.sea_level as f32,
            jitter: self.jitter as f32,
            boundary: self.boundary,
        };
        let begin = start.as_ref().map_or(&flat, |start| &start.0);
        let record = Record::new(begin, iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (mountains, history, frames) = recorded(begin, parameters.boundary, record, &[], |observer| {
            let start = start.as_ref().map(|start| Start {
                height: &start.0,
                remainder: remainder.as_ref().map(|map| &map.0),
                floor: floor.as_ref().map(|map| &map.0),
            });
            uplift_erosion(&domain, start, &parameters, seed(cx, self.seed), &Report(cx), observer)
        })
        .map_err(cancelled)?;
        if !self.drain && start.is_some() {
            hollows::warn(cx, mountains.hollows, "`drain: true` removes them");
        }
        let years = f64::from(iterations) * parameters.time_step;
        let (fixed, first) = (&mountains.fixed, begin.samples());
        let risen = |at: usize| if fixed[at] { 0.0 } else { years * f64::from(parameters.uplift.at(at)) };
        let before = |at: usize| (f64::from(first[at]) + risen(at)) as f32;
        let [lowered, raised] = changes(cx, [Self::ERODED, Self::DEPOSITED], before, &mountains.height);
        let flux = if cx.asked(Self::FLUX) {
            mountains.flux
        } else {
            terrane_grid::Heightmap::constant(Domain::new(0, 0), 0.0)
        };
        Ok((
            Map(mountains.height),
            Map(mountains.drainage),
            Map(mountains.basins),
            Map(mountains.receivers),
            Map(mountains.remainder),
            Map(mountains.floor),
            Map(flux),
            lowered,
            raised,
            history,
            frames,
        ))
    }

    /// Memory for the maps that `history` compares, for wide rivers, for what rivers carry, for diffusion,
    /// and for the outflow of pits. If the sea level is so far from 0 that rounding removes the unevenness of
    /// the ground, the ground is full of pits.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let spacing = Terrain::of(sizes.header).map_or(1.0, |terrain| terrain.domain.spacing);
        let flat = self.sea_level.abs() * f64::from(f32::EPSILON) > 1.0e-4 * spacing;
        let history = if self.history_every > 0 { 2.0 } else { 0.0 };
        let is_wide = is_wide(self.valley_width, sizes);
        let wide = if is_wide { 2.0 } else { 0.0 };
        let carried = match self.deposition > 0.0 {
            true if is_wide => 25.0,
            true => 20.0,
            false => 0.0,
        };
        let diffused = if matches!(self.diffusivity.source(), Source::Unset) { 0.0 } else { 4.0 };
        maps(sizes, history + wide + carried + diffused + if flat { 36.0 } else { 0.0 })
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.steps(false), self.history_every))
    }
}
