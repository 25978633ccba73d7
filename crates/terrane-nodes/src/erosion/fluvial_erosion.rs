//! Rivers that cut into a terrain which holds on to its shape.

use terrane_flow::{
    Context, Evaluate, Input, Node, NodeError, OptionalInput, OptionalScalarInput, ScalarInput, Sizes,
};
use terrane_kernels::erosion::{self, Fluvial, Sides, fluvial_erosion};

use super::history::{Record, frames_bytes, recorded};
use crate::support::{Boundary, Report, cancelled, choice, maps, same_size, scalar, scalar_size, seed};
use crate::values::{Frames, Map, Table};

choice! {
    /// How an iteration's cuts are found.
    Solver => erosion::Solver {
        /// From the outlets up, each sample against the new height of the one it drains to: stable on any
        /// slope.
        Implicit,
        /// All at once from the heights before; steps and combs where slopes exceed 0.7. The paper's.
        Explicit,
    }
}

choice! {
    /// What the sides of an open map are. In a corner the later in this list counts.
    Border => erosion::Border {
        /// A wall: water cannot leave. The paper's.
        Wall,
        /// Water leaves where no neighbour is lower, and over the border where a basin is lowest there.
        Outflow,
        /// Water leaves everywhere, and heights stay.
        Fixed,
    }
}

/// Rivers cut valleys and gorges into a terrain, while its height and its slopes hold on to what they were.
///
/// The height map is a graph: each sample is a node that stands somewhere in its tile and drains to that of
/// its neighbours to which the way is steepest. Each iteration rain (`moisture`) runs down, less
/// `1 - drainage_loss` of it at every step; a gorge is cut from every minimum above the sea over the lowest
/// divide of its basin, towards the straight line to the next minimum, the more the more water there is; then
/// each tile loses `erosion` times drainage times the square of its slope, but never sinks below the one it
/// drains to. At last `value_strength` of the way back to the original height is gone, and
/// `gradient_strength` of the way to where the neighbours would have the tile for the original differences;
/// gorges weaken the latter for good.
///
/// A high gradient strength (0.8) keeps what detail there is, a low one (0.02) lets rivers make their own.
/// All three take maps, and so does `erosion`: hard rock has little. 50 to 150 iterations are enough; there
/// is no end. Tiles below `sea_level` are under water: rivers do not wear them down, nor do constraints lower
/// them.
///
/// Rills of the defaults stay short, since a third of the water is lost at every step. With
/// `drainage_loss: 1.0, drainage_exponent: 0.5, gradient_strength: 0.02` rivers join to trees over the whole
/// map.
///
/// The paper's own scheme is
/// `solver: Explicit, border: Wall, diagonals: false, jitter: 1.0, erosion: 0.5, unevenness: 0.0` with a
/// little `noise`. There all tiles erode at once, which leaves terraces and combs on slopes above 0.7, water
/// leaves to the sea alone, and rills on even slopes follow the axes. By default each iteration is solved
/// from the outlets up, against new heights, so that any slope is stable; flat ground drains to where it is
/// left; constraints leave each tile some of the drop to where it drains, do not lower where water ends, and
/// hold differences steeper than a slope of 1 as many times less as they are steeper, since cliffs would else
/// stand as needles over a moat; water leaves over the border; and water also runs along diagonals. Where the
/// paper's formula for a gorge's weight has a maximum, a minimum is meant. A basin of one tile is left over
/// its lowest neighbour.
///
/// With `border: Outflow` a border that rivers run to keeps its height, but for gorges, and ground beside it
/// wears down to that. With `Fixed` every sample of the border keeps its height, so that ridges there end in
/// steps; wire a `talus`, and ground beside them wears down no further than that allows, or than it was or is
/// to be by an `ideal`. On a map that wraps there are no sides.
///
/// What happens depends on the spacing, since water runs from sample to sample.
///
/// # Stages
///
/// Strengths, moisture and all else can change while rivers are at work, in stages: `height` and `hold` of
/// one erosion become those of the next, and what the first began with is the `ideal` of all others. Stages
/// with the same parameters and the same `seed` are one erosion in pieces, to the bit: 50 iterations and 50
/// more are 100, where each stage has one at least. `gorges` and `history` are those of a stage. `Rain` of
/// the ground so far is the next one's moisture.
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
#[node(
    category = "erosion",
    tiles = Global,
    because = "water comes from all ground that lies above",
    paper = "Lim, Tan & Bhojan 2021",
    version = 5,
    working_maps = 16.0,
)]
#[output(height: Map, unit = "world units", doc = "The land after the last iteration.")]
#[output(water: Map, unit = "world units", doc = "Depth of the sea.")]
#[output(drainage: Map, doc = "Water that runs through each sample, its own rain included.")]
#[output(receivers: Map, doc = "Where each sample drains: 0 nowhere, 1 up (towards row 0), 2 left, 3 right, \
    4 down, 5 up and left, 6 up and right, 7 down and left, 8 down and right.")]
#[output(gorges: Map, unit = "world units", doc = "How much gorges have taken in all.")]
#[output(history: Table, doc = "Per `history_every` iterations: iteration, erosion score, mean change since \
    the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain per `history_every` iterations, for \
    `Animate`.")]
#[output(hold: Map, doc = "What gorges have left of the gradient strength, in [0, 1]: wire it to the port of \
    that name of the next stage.")]
pub struct FluvialErosion {
    /// The terrain, which is also what it holds on to.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// How strongly heights return to the original ones in an iteration; a map's values are brought into
    /// [0, 1].
    #[input(default = 0.02, min = 0.0, max = 1.0)]
    pub value_strength: ScalarInput<Map>,
    /// How strongly differences of neighbours return to the original ones in an iteration; a map's values are
    /// brought into [0, 1].
    #[input(default = 0.8, min = 0.0, max = 1.0)]
    pub gradient_strength: ScalarInput<Map>,
    /// What gorges of earlier stages have left of `gradient_strength`, by which that is multiplied; a map's
    /// values are brought into [0, 1].
    #[input(default = 1.0, min = 0.0, max = 1.0)]
    pub hold: ScalarInput<Map>,
    /// Rain on each sample; a map's values below 0 count as 0.
    #[input(default = 1.0, min = 0.0)]
    pub moisture: ScalarInput<Map>,
    /// Factor of erosion, the paper's k_e, in spacings an iteration: how soft the ground is. A map's values
    /// below 0 count as 0.
    #[input(default = 0.2, min = 0.0)]
    pub erosion: ScalarInput<Map>,
    /// What the terrain holds on to, where that is not its start: for a stage the terrain before the first
    /// one.
    #[input(unit = "world units")]
    pub ideal: OptionalInput<Map>,
    /// Greatest slope that stays, in all directions, but below what slopes of it down from a fixed border
    /// hold up, which stays as it was; None for any.
    #[input(min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Where this mask is above 0.5 water leaves the map, and heights stay.
    #[input]
    pub outlets: OptionalInput<Map>,
    /// Iterations.
    #[param(default = 100, max = 1_000_000_000)]
    pub iterations: u32,
    /// Height below which samples are under water.
    #[param(default = 0.0, unit = "world units")]
    pub sea_level: f64,
    /// Share of the water that goes on from sample to sample, the paper's k_d: 1 loses none.
    #[param(default = 0.68, min = 0.0, max = 1.0)]
    pub drainage_loss: f64,
    /// Exponent of drainage, the paper's n.
    #[param(default = 1.0, min = 0.0, max = 8.0)]
    pub drainage_exponent: f64,
    /// Exponent of slope, the paper's m.
    #[param(default = 2.0, min = 0.0, max = 8.0)]
    pub slope_exponent: f64,
    /// Strength of gorges over the root of the drainage, the paper's k_g; 0 cuts none.
    #[param(default = 0.1, min = 0.0)]
    pub gorge: f64,
    /// Whether water also runs to the four neighbours on diagonals, which the paper's does not.
    #[param(default = true)]
    pub diagonals: bool,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile, as in the paper.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub jitter: f64,
    /// Greatest random height added to the terrain at the start, or taken off it, as a share of the mean
    /// difference between a sample and its four neighbours: it lets rivers wander. None is added where there
    /// are no iterations, nor under the sea, and no land is brought below that.
    #[param(default = 0.1, min = 0.0)]
    pub unevenness: f64,
    /// The same in spacings, whatever the terrain.
    #[param(default = 0.0, min = 0.0, unit = "spacings")]
    pub noise: f64,
    /// How an iteration's cuts are found.
    #[param(default = Solver::Implicit)]
    pub solver: Solver,
    /// What the sides of an open map are.
    #[param(default = Border::Outflow)]
    pub border: Border,
    /// What the side of row 0 is; None for `border`.
    #[param(default = None)]
    pub top: Option<Border>,
    /// What the side of column 0 is; None for `border`.
    #[param(default = None)]
    pub left: Option<Border>,
    /// What the side of the last column is; None for `border`.
    #[param(default = None)]
    pub right: Option<Border>,
    /// What the side of the last row is; None for `border`.
    #[param(default = None)]
    pub bottom: Option<Border>,
    /// What lies beyond the border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Iterations between rows of `history`; 0 keeps none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

impl Evaluate for FluvialErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let (value, gradient, moisture) =
            (self.value_strength.get(), self.gradient_strength.get(), self.moisture.get());
        scalar_size("value_strength", &value, &height)?;
        scalar_size("gradient_strength", &gradient, &height)?;
        scalar_size("moisture", &moisture, &height)?;
        let hold = self.hold.get();
        scalar_size("hold", &hold, &height)?;
        let (erosion, talus) = (self.erosion.get(), self.talus.get());
        scalar_size("erosion", &erosion, &height)?;
        let (ideal, outlets) = (self.ideal.get(), self.outlets.get());
        for (name, map) in [("ideal", &ideal), ("outlets", &outlets)] {
            map.as_ref().map_or(Ok(()), |map| same_size("height", &height, name, map))?;
        }
        talus.as_ref().map_or(Ok(()), |talus| scalar_size("talus", talus, &height))?;
        let side = |own: Option<Border>| own.unwrap_or(self.border).into();
        let parameters = Fluvial {
            value_strength: scalar(&value),
            gradient_strength: scalar(&gradient),
            hold: scalar(&hold),
            moisture: scalar(&moisture),
            iterations: self.iterations,
            sea_level: self.sea_level as f32,
            drainage_loss: self.drainage_loss as f32,
            erosion: scalar(&erosion),
            ideal: ideal.as_ref().map(|map| &map.0),
            talus: talus.as_ref().map(scalar),
            outlets: outlets.as_ref().map(|map| &map.0),
            drainage_exponent: self.drainage_exponent as f32,
            slope_exponent: self.slope_exponent as f32,
            gorge: self.gorge as f32,
            diagonals: self.diagonals,
            jitter: self.jitter as f32,
            noise: self.noise as f32,
            unevenness: self.unevenness as f32,
            solver: self.solver.into(),
            border: Sides {
                top: side(self.top),
                left: side(self.left),
                right: side(self.right),
                bottom: side(self.bottom),
            },
            boundary: self.boundary.into(),
        };
        let record = Record::new(&height, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (rivers, history, frames) = recorded(&height, parameters.boundary, record, &[], |observer| {
            fluvial_erosion(&height, &parameters, seed(cx, self.seed), &Report(cx), observer)
        })
        .map_err(cancelled)?;
        Ok((
            Map(rivers.height),
            Map(rivers.water),
            Map(rivers.drainage),
            Map(rivers.receivers),
            Map(rivers.gorges),
            history,
            frames,
            Map(rivers.hold),
        ))
    }

    /// What `history` compares.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if self.history_every > 0 { maps(sizes, 2.0) } else { 0 }
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }
}
