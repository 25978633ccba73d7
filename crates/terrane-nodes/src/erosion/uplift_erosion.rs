//! Mountains that rise while rivers cut them down.

use terrane_flow::{Context, Evaluate, Node, NodeError, OptionalInput, OptionalScalarInput, Scalar, Sizes};
use terrane_grid::Domain;
use terrane_kernels::erosion::{self, Sides, Uplift, uplift_erosion};

use super::history::{Record, frames_bytes, recorded};
use crate::support::{Boundary, Report, cancelled, choice, domain, maps, same_size, scalar, seed};
use crate::values::{Frames, Map, Table};

choice! {
    /// What the sides of an open map are. In a corner the later in this list counts.
    Base => erosion::Base {
        /// A wall: water cannot leave.
        Wall,
        /// Water leaves, and heights stay as they are; without a `height` they are the sea's.
        Fixed,
        /// The sea, at `sea_level`. The paper's.
        Sea,
    }
}

/// Mountains: the ground rises, rivers cut it down, for ages.
///
/// Each step the ground rises by `uplift` and rivers take `erodibility` times the drained area to
/// `area_exponent` times the slope to `slope_exponent`: the stream power law. Each sample drains to the
/// lowest of its eight neighbours, as in the paper, which lies on a diagonal more often than not, and so do
/// valleys. The law is solved implicitly, from the outlets up, so that steps can be as long as 250,000 years.
/// With `lakes`, water that gathers runs over the lowest pass towards the sea; without, rivers end at minima
/// and many remain. Steps leave no node steeper than `talus` above the one it drains to, and in the result
/// the ground is nowhere steeper, but for what slopes of the talus down from a fixed border hold up, which
/// stays as it was. Without a talus, divides that no river wears down stand as needles.
///
/// The default 150 steps are 37.5 million years, after which nothing but the border is left of a `height` to
/// begin with. To wear a terrain down take fewer and shorter steps:
/// `uplift: 0.0, time_step: 20000.0, iterations: 5`. Inland water is ground like any other; to keep it, wire
/// a mask of it to `outlets`.
///
/// With a `height` to begin with, the border keeps its heights (`border: Fixed`), and ground beside it does
/// not wear down further than a slope of `talus` from there allows, or than it was; without one the ground is
/// all but flat, and the border is the sea. Each side can be the sea, fixed or a wall, and `outlets` lets
/// water leave anywhere. On a map that wraps there are no sides. Where it leaves nowhere, as on a torus, it
/// ends in the lowest sample at the start, which is the sea.
///
/// Units are those of the paper, world units and years. On 50 km by 50 km mountains get 4 to 6.5 times
/// `uplift` over `erodibility` high at the default `talus` (the paper has 2.2 times); 100 to 300 steps are
/// enough.
///
/// What happens depends on the spacing, since water runs from sample to sample. Where it is more than
/// `uplift` over `erodibility` and `talus`, 1.5 km by default, each ridge is one sample wide.
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
#[node(
    category = "erosion",
    tiles = Global,
    because = "water comes from all ground that lies above",
    paper = "Cordonnier et al. 2016",
    version = 3,
    working_maps = 15.0,
    header,
)]
#[output(height: Map, unit = "world units", doc = "The ground after the last step.")]
#[output(drainage: Map, unit = "square world units", doc = "Area that drains through each sample, its own \
    included.")]
#[output(basins: Map, doc = "The river system that each sample belongs to: outlets are numbered from 1 in \
    the order of samples.")]
#[output(history: Table, doc = "Per `history_every` steps: iteration, erosion score, mean change since the \
    last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain per `history_every` steps, for \
    `Animate`.")]
pub struct UpliftErosion {
    /// How fast the ground rises; None for the paper's 0.0005, and on maps whose longer side is less than 50
    /// km for as many times less as they are smaller.
    #[input(unit = "world units a year")]
    pub uplift: OptionalScalarInput<Map>,
    /// The terrain to begin with.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// Slope that the ground cannot exceed towards where it drains; None for any.
    #[input(default = 0.577, min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Where this mask is above 0.5 water leaves the map, and heights stay.
    #[input]
    pub outlets: OptionalInput<Map>,
    /// Steps.
    #[param(default = 150, max = 1_000_000_000)]
    pub iterations: u32,
    /// Length of a step.
    #[param(default = 250_000.0, above = 0.0, unit = "years")]
    pub time_step: f64,
    /// How fast rivers cut, the paper's k.
    #[param(default = 5.61e-7, min = 0.0)]
    pub erodibility: f64,
    /// Exponent of the drained area, the paper's m.
    #[param(default = 0.5, min = 0.0, max = 4.0)]
    pub area_exponent: f64,
    /// Exponent of slope, the paper's n.
    #[param(default = 1.0, above = 0.0, max = 8.0)]
    pub slope_exponent: f64,
    /// Whether lakes run over.
    #[param(default = true)]
    pub lakes: bool,
    /// What the sides of an open map are.
    #[param(default = Base::Fixed)]
    pub border: Base,
    /// What the side of row 0 is; None for `border`.
    #[param(default = None)]
    pub top: Option<Base>,
    /// What the side of column 0 is; None for `border`.
    #[param(default = None)]
    pub left: Option<Base>,
    /// What the side of the last column is; None for `border`.
    #[param(default = None)]
    pub right: Option<Base>,
    /// What the side of the last row is; None for `border`.
    #[param(default = None)]
    pub bottom: Option<Base>,
    /// Height of the sea.
    #[param(default = 0.0, unit = "world units")]
    pub sea_level: f64,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile.
    #[param(default = 1.0, min = 0.0, max = 1.0)]
    pub jitter: f64,
    /// What lies beyond the border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Seed, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
    /// Steps between rows of `history`; 0 keeps none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

/// The paper's number, and less on maps smaller than the paper's: mountains would be as high as on those, and
/// the talus would leave nothing of them but a pyramid.
fn default_uplift(domain: &Domain) -> f64 {
    const PAPER: f64 = 0.0005;
    const SIDE: f64 = 50_000.0;
    let side = domain.width().max(domain.height()) as f64 * domain.spacing;
    PAPER * (side / SIDE).min(1.0)
}

impl Evaluate for UpliftErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let start = self.height.get();
        let domain = start.as_ref().map_or_else(|| domain(cx), |start| start.domain());
        let uplift = self.uplift.get().unwrap_or_else(|| Scalar::Constant(default_uplift(&domain)));
        let flat = terrane_grid::Heightmap::constant(domain, self.sea_level as f32);
        let (talus, outlets) = (self.talus.get(), self.outlets.get());
        let base = if start.is_some() { "height" } else { "graph" };
        let fits = |name: &str, value: Option<&Scalar<Map>>| match value {
            Some(Scalar::Map(map)) => same_size(base, &flat, name, map),
            _ => Ok(()),
        };
        fits("uplift", Some(&uplift))?;
        fits("talus", talus.as_ref())?;
        outlets.as_ref().map_or(Ok(()), |map| same_size(base, &flat, "outlets", map))?;
        let side = |own: Option<Base>| own.unwrap_or(self.border).into();
        let parameters = Uplift {
            uplift: scalar(&uplift),
            iterations: self.iterations,
            time_step: self.time_step,
            erodibility: self.erodibility,
            area_exponent: self.area_exponent as f32,
            slope_exponent: self.slope_exponent as f32,
            lakes: self.lakes,
            talus: talus.as_ref().map(scalar),
            outlets: outlets.as_ref().map(|map| &map.0),
            border: Sides {
                top: side(self.top),
                left: side(self.left),
                right: side(self.right),
                bottom: side(self.bottom),
            },
            sea_level: self.sea_level as f32,
            jitter: self.jitter as f32,
            boundary: self.boundary.into(),
        };
        let begin = start.as_ref().map_or(&flat, |start| &start.0);
        let record = Record::new(begin, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (mountains, history, frames) = recorded(begin, parameters.boundary, record, &[], |observer| {
            let start = start.as_ref().map(|start| &start.0);
            uplift_erosion(&domain, start, &parameters, seed(cx, self.seed), &Report(cx), observer)
        })
        .map_err(cancelled)?;
        Ok((Map(mountains.height), Map(mountains.drainage), Map(mountains.basins), history, frames))
    }

    /// What `history` compares; ground so far from 0 that its unevenness is lost in rounding is full of pits,
    /// each with its way out.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let flat = self.sea_level.abs() * f64::from(f32::EPSILON) > 1.0;
        let history = if self.history_every > 0 { 2.0 } else { 0.0 };
        maps(sizes, history + if flat { 36.0 } else { 0.0 })
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }
}
