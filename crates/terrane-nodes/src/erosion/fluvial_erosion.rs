//! Fluvial erosion that preserves a terrain's shape.

use terrane_flow::{
    Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, OptionalScalarInput, ScalarInput,
    Sizes,
};
use terrane_kernels::Boundary;
use terrane_kernels::erosion::{Border, Fluvial, Solver, fluvial_erosion};

use super::changes::changes;
use super::history::{Record, frames_bytes, recorded};
use super::hollows;
use super::sides::OwnSides;
use super::valley_width::{is_wide, valley_width};
use crate::support::{Report, cancelled, maps, scalar, seed};
use crate::values::{Frames, Map, Table};

/// Fluvial erosion: rivers cut valleys and gorges into a terrain, while constraints preserve its heights and
/// slopes.
///
/// Each sample has a tile, the square around it, and counts as lying at a random position within this tile.
/// It drains to the neighbour with the steepest descent. Each iteration has four parts, in this order:
///
/// - Rain (`moisture`) flows downhill. Over each `valley_width`, the share `1 - passed_on` is lost.
/// - From every minimum above the sea, a gorge is cut to the next minimum. It crosses the divide around the
///   first minimum's basin at the lowest point. Along this path the ground is lowered towards a straight
///   profile between both minima. The more water, the deeper the gorge.
/// - Each tile loses `erosion` times drainage times the square of its slope, but never falls below the tile
///   it drains to.
/// - Heights move towards the original ones by the share `value_strength`. Differences between neighbours
///   move towards the original ones by the share `gradient_strength`. Gorges permanently reduce the second
///   share along their path.
///
/// A high gradient strength (0.8) keeps the existing detail. With a low one (0.02), rivers create new detail.
/// Both strengths, `moisture` and `erosion` accept maps: hard rock has a low `erosion`. 50 to 150 iterations
/// are enough; the erosion does not converge. Tiles below `sea_level` are under water: rivers do not erode
/// them. Unless the solver is `Explicit`, constraints do not lower them either.
///
/// With the defaults rills stay short, because a third of the water is lost over each `valley_width`. With
/// `passed_on: 1.0, drainage_exponent: 0.5, gradient_strength: 0.02` rivers join into trees over the
/// whole map.
///
/// The paper's scheme is
/// `solver: Explicit, border: Wall, diagonals: false, jitter: 1.0, erosion: 0.5, gorge: 0.1` with
/// `unevenness: 0.0, valley_width: 0.0` and a little `noise`. In that scheme all tiles erode at once, which
/// leaves terraces and comb patterns on slopes above 0.7. Water leaves the map only into the sea. Rills on
/// uniform slopes follow the axes. The defaults differ from that scheme:
///
/// - Each iteration is solved from the outlets up: each tile erodes against the new height of the tile it
///   drains to. This is stable on any slope.
/// - Flat ground drains towards its outlet.
/// - The gradient constraint never lowers a tile all the way to the tile it drains to, and does not lower the
///   ends of rivers. With `held_slope: None`, the gradient strength is divided by the original slope where
///   this slope exceeds 1.
/// - Where the original slope exceeds `held_slope`, heights return to the original ones faster. So mountains
///   with a mean slope of 1 or more keep at least nine tenths of their summit's height, and four fifths of
///   their mean height. Gentle ground can lose three tenths of its summit's height;
///   `value_strength: 0.1` keeps more. Gullies appear on slopes up to about 1. Noise with a mean slope above
///   2 hardly changes: by less than 3 % of its range of heights (root mean square). With `held_slope: None`,
///   mountains lose more, and such noise is carved into smooth ridges. Off the border, no tile is left higher
///   than all its eight neighbours by more than its side, or lower than all by more than a quarter of its
///   side, unless it was so before, with its `unevenness`.
/// - Water leaves over the border, and also flows along diagonals.
///
/// In the paper's formula for a gorge's weight this node takes a minimum where the paper prints a maximum. If
/// a basin is a single tile, water leaves the basin over that tile's lowest neighbour.
///
/// With `border: Outflow` water leaves over those samples of the border that drain to no neighbour. In an
/// iteration, only gorges lower these outlets, and the ground beside an outlet erodes down to its height;
/// another sample can then be an outlet in the next iteration. With `Fixed` every sample of the border keeps
/// its height, so ridges end in steps at the border. To avoid this, set `talus`. The ground beside the border
/// is then not eroded below a surface that descends from the border at the slope `talus`. Where the original
/// (or `ideal`) height is lower than that surface, the original height is the limit instead. A map that wraps
/// has no sides.
///
/// # Scale
///
/// Rivers and gorges are `valley_width` wide, and this width takes the spacing's place in all parameters:
/// the paper's tiles have this side. So a map of the same ground with more samples has the same valleys, as
/// long as the spacing is at most `valley_width`, and a small map is a draft of a large one.
///
/// On 20 random grounds, maps of 513² samples eroded 0.82 to 1.07 times as much as those of 257², and maps of
/// 1,025² 0.94 to 1.05 times as much as those of 513². The change of height (means over 5 `valley_width`) had
/// a correlation of at least 0.68, 0.95 in the median, and at least three quarters of the rivers lay within 2
/// `valley_width` of those of the other map. Most of the difference is in where gorges leave hollows: with
/// `drain: true` the correlation was at least 0.96, and nine tenths of the rivers were near. They eroded 1.02
/// to 1.19 times as much.
///
/// A smaller `valley_width` gives narrower and shorter valleys, and erodes less. For both, erode twice, the
/// second time with the smaller width and without `ideal` and `hold`. With `valley_width: 0.0` rivers are one
/// sample wide, and the result depends on the spacing. A draft needs 257 samples along its longer side; with
/// fewer, rivers are as wide as the spacing.
///
/// # Stages
///
/// Erode in stages to change strengths, moisture or any other parameter over time. Connect `height` and
/// `hold` of one stage to the next, and the terrain before the first stage to `ideal` of all later ones.
/// Stages with the same parameters and the same `seed` equal one longer erosion, to the bit: 50 iterations
/// and 50 more equal 100. Each stage must have at least one iteration. `gorges` and `history` cover a single
/// stage. `Rain` on the result of one stage provides the moisture of the next.
///
/// ```ron,fragment
/// "early": FluvialErosion(height: "hills", iterations: 50),
/// "rain": Rain(height: "early"),
/// "late": FluvialErosion(
///     height: "early",
///     hold: "early.hold",
///     ideal: "hills",
///     moisture: "rain.moisture",
///     gradient_strength: 0.02,
///     iterations: 50,
/// ),
/// ```
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 100.0, offset: -30.0),
///         "rivers": FluvialErosion(
///             height: "hills",
///             gradient_strength: 0.02,
///             diagonals: true,
///             iterations: 50,
///         ),
///         "shade": Hillshade(height: "rivers"),
///     },
///     outputs: { "rivers.png": "rivers", "shade.png": "shade", "drainage.exr": "rivers.drainage" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "erosion",
    words = "rivers valleys gorges canyons stream power erode water carve realistic ravine drainage \
        natural channels",
    tiles = Global, because = "water comes from the whole drainage area \
    upstream", paper = "Lim, Tan & Bhojan 2021", version = 11, working_maps = 20.0,
    main(gradient_strength, value_strength, erosion, passed_on, iterations, talus),
    presets(
        valleys(
            gradient_strength = "0.1", value_strength = "0.04", erosion = "1.0", passed_on = "0.4",
            iterations = "50"
        ),
        gullies(gradient_strength = "0.35"),
    ))]
#[output(height: Map, unit = "world units", doc = "The land after the last iteration.")]
#[output(water: Map, unit = "world units", doc = "Depth of the sea.")]
#[output(drainage: Map, doc = "Water that flows through each sample, including its own rain, relative to \
    rain of 1 on a square of `valley_width`.")]
#[output(receivers: Map, doc = "Direction in which each sample drains: 0 nowhere, 1 up (towards row 0), 2 \
    left, 3 right, 4 down, 5 up and left, 6 up and right, 7 down and left, 8 down and right.")]
#[output(gorges: Map, unit = "world units", doc = "Total depth that gorges have cut.")]
#[output(eroded: Map, unit = "world units", lazy, doc = "How far each sample lies below `height`, or 0.")]
#[output(deposited: Map, unit = "world units", lazy, doc = "How far each sample lies above `height`, or 0.")]
#[output(history: Table, doc = "A row per `history_every` iterations: iteration, erosion score, mean change \
    since the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain every `history_every` iterations, \
    for `Animate`.")]
#[output(hold: Map, doc = "Share of the gradient strength that gorges have left, in [0, 1]; connect it to \
    `hold` of the next stage.")]
pub struct FluvialErosion {
    /// Terrain to erode. Constraints preserve its shape, unless `ideal` is connected.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Share by which heights return to the original ones in an iteration; a map's values are clamped to
    /// [0, 1].
    #[input(default = 0.02, min = 0.0, max = 1.0)]
    pub value_strength: ScalarInput<Map>,
    /// Share by which differences between neighbours return to the original ones in an iteration; a map's
    /// values are clamped to [0, 1].
    #[input(default = 0.8, min = 0.0, max = 1.0)]
    pub gradient_strength: ScalarInput<Map>,
    /// Factor on `gradient_strength` that the gorges of earlier stages have left; a map's values are clamped
    /// to [0, 1].
    #[input(default = 1.0, min = 0.0, max = 1.0)]
    pub hold: ScalarInput<Map>,
    /// Rain on each sample; a map's values below 0 count as 0.
    #[input(default = 1.0, min = 0.0)]
    pub moisture: ScalarInput<Map>,
    /// Erosion rate, the paper's k_e, in `valley_width` per iteration: the softer the ground, the higher. A
    /// map's values below 0 count as 0.
    #[input(default = 0.2, min = 0.0)]
    pub erosion: ScalarInput<Map>,
    /// Terrain whose shape constraints preserve. In later stages, connect the terrain before the first stage.
    /// Default: `height`.
    #[input(unit = "world units")]
    pub ideal: OptionalInput<Map>,
    /// Maximum slope of the result in all directions, above the sea. Exception: ground at or below a surface
    /// that descends from a fixed border at the slope `talus` keeps its original shape. Default: no limit.
    #[input(min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Mask of outlets: where it is above 0.5, water leaves the map and heights do not change.
    #[input]
    pub outlets: OptionalInput<Map>,
    /// Width of rivers, and the length to which other parameters refer. At least the spacing counts, and at
    /// most 256 spacings are allowed. Default: a 256th of the map's longer side.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub valley_width: Option<f64>,
    /// Number of iterations.
    #[param(default = 100, max = 1_000_000_000)]
    pub iterations: u32,
    /// Height below which samples are under water.
    #[param(default = 0.0, unit = "world units")]
    pub sea_level: f64,
    /// Share of the water that is passed on over each `valley_width`, the paper's k_d; 1 loses none.
    #[param(default = 0.68, min = 0.0, max = 1.0)]
    pub passed_on: f64,
    /// Exponent of the drainage, the paper's n.
    #[param(default = 1.0, min = 0.0, max = 8.0)]
    pub drainage_exponent: f64,
    /// Exponent of the slope, the paper's m.
    #[param(default = 2.0, min = 0.0, max = 8.0)]
    pub slope_exponent: f64,
    /// Slope above which ground is held near its original (or `ideal`) height: where the mean original slope
    /// within about 8 `valley_width` is n times this slope, `value_strength` counts as applied n² times.
    /// `None`, or the solver `Explicit`: all ground is held alike.
    #[param(default = Some(0.3), above = 0.0, unit = "rise over run")]
    pub held_slope: Option<f64>,
    /// Strength of gorges relative to the square root of the drainage, the paper's k_g (there 0.1, which
    /// leaves slots with steep walls in gentle ground); 0 cuts none.
    #[param(default = 0.05, min = 0.0)]
    pub gorge: f64,
    /// Whether water also flows to the four neighbours on the diagonals, unlike in the paper.
    #[param(default = true)]
    pub diagonals: bool,
    /// Maximum random displacement of samples within their tiles: 0 leaves them at the centres, 1 allows any
    /// position in the tile, as in the paper.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub jitter: f64,
    /// Amplitude of random heights, as a share of the mean difference in height over a `valley_width`; with
    /// `held_slope`, the difference counts as at most this width. They are added to the
    /// terrain at the start, so that rivers meander. Nothing is added under the sea or if `iterations` is 0,
    /// and no land is lowered below sea level.
    #[param(default = 0.1, min = 0.0)]
    pub unevenness: f64,
    /// Amplitude of random heights that are added at the start, independent of the terrain.
    #[param(default = 0.0, min = 0.0, unit = "valley_width")]
    pub noise: f64,
    /// Whether all water leaves the result. Before the erosion, hollows above the sea are removed from
    /// `height` and `ideal` as by `Depressions(method: Least)`, and the sides of channels are lowered to
    /// twice the mean slope of the ground, at most 0.5, unless the ground was steeper. During the erosion, no
    /// river is raised above the ground that drains to it. Beside fixed samples that a `talus` meets, shallow
    /// hollows can remain. Requires `solver: Implicit` and `diagonals: true`.
    #[param(default = false)]
    pub drain: bool,
    /// How the erosion of an iteration is computed.
    #[param(default = Solver::Implicit)]
    pub solver: Solver,
    /// Boundary condition at the sides of an open map.
    #[param(default = Border::Outflow)]
    pub border: Border,
    /// Boundary conditions of single sides.
    #[group]
    pub sides: OwnSides<Border>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Iterations between rows of `history`; 0 records none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

impl Evaluate for FluvialErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let (value, gradient, moisture) =
            (self.value_strength.get(), self.gradient_strength.get(), self.moisture.get());
        let hold = self.hold.get();
        let (erosion, talus) = (self.erosion.get(), self.talus.get());
        let (ideal, outlets) = (self.ideal.get(), self.outlets.get());
        let parameters = Fluvial {
            value_strength: scalar(&value),
            gradient_strength: scalar(&gradient),
            hold: scalar(&hold),
            moisture: scalar(&moisture),
            valley_width: Some(valley_width(cx, self.valley_width, &height.domain())?),
            iterations: self.iterations,
            sea_level: self.sea_level as f32,
            passed_on: self.passed_on as f32,
            erosion: scalar(&erosion),
            ideal: ideal.as_ref().map(|map| &map.0),
            talus: talus.as_ref().map(scalar),
            outlets: outlets.as_ref().map(|map| &map.0),
            drainage_exponent: self.drainage_exponent as f32,
            slope_exponent: self.slope_exponent as f32,
            held_slope: self.held_slope.map(|slope| slope as f32),
            gorge: self.gorge as f32,
            diagonals: self.diagonals,
            jitter: self.jitter as f32,
            noise: self.noise as f32,
            unevenness: self.unevenness as f32,
            drain: self.drain,
            solver: self.solver,
            border: self.sides.or(self.border),
            boundary: self.boundary,
        };
        let record = Record::new(&height, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (rivers, history, frames) = recorded(&height, parameters.boundary, record, &[], |observer| {
            fluvial_erosion(&height, &parameters, seed(cx, self.seed), &Report(cx), observer)
        })
        .map_err(cancelled)?;
        if !self.drain {
            let can_drain = self.diagonals && self.solver == Solver::Implicit;
            let remedy = if can_drain { "`drain: true` removes them" } else { "`Depressions` removes them" };
            hollows::warn(cx, rivers.hollows, remedy);
        }
        let before = height.samples();
        let asked = [Self::ERODED, Self::DEPOSITED];
        let [lowered, raised] = changes(cx, asked, |at| before[at], &rivers.height);
        Ok((
            Map(rivers.height),
            Map(rivers.water),
            Map(rivers.drainage),
            Map(rivers.receivers),
            Map(rivers.gorges),
            lowered,
            raised,
            history,
            frames,
            Map(rivers.hold),
        ))
    }

    fn check(&self) -> Result<(), Invalid> {
        if !self.drain || (self.diagonals && self.solver == Solver::Implicit) {
            return Ok(());
        }
        let other = if self.diagonals { "solver: Implicit" } else { "diagonals: true" };
        Err(Invalid {
            field: "drain",
            message: format!("`drain: true` requires `{other}`"),
            help: format!("write `{other}` or leave out `drain`"),
        })
    }

    /// Memory for the maps that `history` compares, and for wide rivers.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let history = if self.history_every > 0 { maps(sizes, 2.0) } else { 0 };
        history + if is_wide(self.valley_width, sizes) { maps(sizes, 8.0) } else { 0 }
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }
}
