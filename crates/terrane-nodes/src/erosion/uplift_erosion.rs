//! Uplift and stream power erosion.

use terrane_flow::{Context, Evaluate, Node, NodeError, OptionalInput, OptionalScalarInput, Scalar, Sizes};
use terrane_grid::Domain;
use terrane_kernels::Boundary;
use terrane_kernels::erosion::{Base, Uplift, uplift_erosion};

use super::history::{Record, frames_bytes, recorded};
use super::sides::OwnSides;
use crate::support::{Report, cancelled, domain, graph_size, maps, scalar, seed};
use crate::values::{Frames, Map, Table};

/// Mountain ranges from tectonic uplift and river erosion over geological time.
///
/// In each step the ground rises by `uplift`, and rivers erode it by the stream power law: `erodibility`
/// times the drainage area to the power of `area_exponent` times the slope to the power of `slope_exponent`.
/// Each sample drains to the lowest of its eight neighbours, as in the paper. The lowest neighbour is on a
/// diagonal more often than not, so valleys tend to run along diagonals. The law is solved implicitly, from
/// the outlets up, which allows steps as long as 250,000 years. With `lakes`, water that collects in a hollow
/// flows over the lowest pass towards the sea. Without `lakes`, rivers end at minima, and many minima remain.
///
/// After each step the slope from each sample to the one it drains to is at most `talus`, and no ground in
/// the result is steeper. There is an exception near a fixed border, below a surface that descends from the
/// border at the slope `talus`. Ground that was lower than this surface is not changed, even if it is
/// steeper. Without a talus, divides that no river wears down remain as needles.
///
/// The default 150 steps are 37.5 million years. After that time, only the border is left of an initial
/// `height`. To erode a given terrain, use fewer and shorter steps:
/// `uplift: 0.0, time_step: 20000.0, iterations: 5`. Inland water is treated as ground. To keep the water,
/// connect a mask of it to `outlets`.
///
/// With an initial `height`, the border keeps its heights (`border: Fixed`), and the ground beside it is not
/// eroded below a surface that descends from the border at the slope `talus`. Where the original height is
/// lower than that surface, the original height is the limit instead. Without an initial `height`, the ground
/// is at first almost flat and the border is at sea level. Each side can be the sea, fixed or a wall, and
/// `outlets` lets water leave anywhere. A map that wraps has no sides. If water can leave nowhere, as on a
/// torus, it ends in the sample that is lowest at the start, which is treated as the sea.
///
/// Units are those of the paper: world units and years. On a map of 50 km by 50 km, mountains reach 4 to 6.5
/// times `uplift` / `erodibility` at the default `talus` (2.2 times in the paper). 100 to 300 steps are
/// enough.
///
/// The result depends on the spacing, because water flows from sample to sample. If the spacing is more than
/// `uplift` / (`erodibility` × `talus`), 1.5 km by default, each ridge is one sample wide.
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
#[node(category = "erosion", tiles = Global, because = "water comes from the whole drainage area \
    upstream", paper = "Cordonnier et al. 2016", version = 3, working_maps = 15.0, header)]
#[output(height: Map, unit = "world units", doc = "The ground after the last step.")]
#[output(drainage: Map, unit = "square world units", doc = "Drainage area of each sample, including its \
    own.")]
#[output(basins: Map, doc = "Number of each sample's drainage basin. Basins are numbered from 1, in the \
    order of their outlets.")]
#[output(history: Table, doc = "A row per `history_every` steps: iteration, erosion score, mean change since \
    the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain every `history_every` steps, for \
    `Animate`.")]
pub struct UpliftErosion {
    /// Uplift rate. Default: the paper's 0.0005, reduced in proportion on maps whose longer side is less than
    /// 50 km.
    #[input(unit = "world units a year")]
    pub uplift: OptionalScalarInput<Map>,
    /// Initial terrain.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// Maximum slope towards the sample that the ground drains to; `None` for no limit.
    #[input(default = 0.577, min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Mask of outlets: where it is above 0.5, water leaves the map and heights do not change.
    #[input]
    pub outlets: OptionalInput<Map>,
    /// Number of steps.
    #[param(default = 150, max = 1_000_000_000)]
    pub iterations: u32,
    /// Length of a step.
    #[param(default = 250_000.0, above = 0.0, unit = "years")]
    pub time_step: f64,
    /// Erodibility of the ground, the paper's k.
    #[param(default = 5.61e-7, min = 0.0)]
    pub erodibility: f64,
    /// Exponent of the drainage area, the paper's m.
    #[param(default = 0.5, min = 0.0, max = 4.0)]
    pub area_exponent: f64,
    /// Exponent of the slope, the paper's n.
    #[param(default = 1.0, above = 0.0, max = 8.0)]
    pub slope_exponent: f64,
    /// Whether lakes overflow.
    #[param(default = true)]
    pub lakes: bool,
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

impl Evaluate for UpliftErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let start = self.height.get();
        let domain = start.as_ref().map_or_else(|| domain(cx), |start| start.domain());
        let uplift = self.uplift.get().unwrap_or_else(|| Scalar::Constant(default_uplift(&domain)));
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
        ];
        if let Some((name, map)) = maps.into_iter().find_map(|(name, map)| Some((name, map?))) {
            // All maps have one size, and `height` may be one of them.
            graph_size(&domain, name, map.domain().size)?;
        }
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
            border: self.sides.or(self.border),
            sea_level: self.sea_level as f32,
            jitter: self.jitter as f32,
            boundary: self.boundary,
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

    /// Memory for the maps that `history` compares, and for the outflow of pits. If the sea level is so far
    /// from 0 that rounding removes the unevenness of the ground, the ground is full of pits.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let flat = self.sea_level.abs() * f64::from(f32::EPSILON) > 1.0;
        let history = if self.history_every > 0 { 2.0 } else { 0.0 };
        maps(sizes, history + if flat { 36.0 } else { 0.0 })
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }
}
