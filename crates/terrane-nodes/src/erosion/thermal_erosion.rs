//! Thermal erosion.

use terrane_flow::{
    Context, Evaluate, Header, Input, Node, NodeError, OptionalScalarInput, Port, Reach, Scalar, Sizes,
    Source,
};
use terrane_grid::Heightmap;
use terrane_kernels::Boundary;
use terrane_kernels::erosion::{Distance, Neighbourhood, Scheme, Thermal, talus_excess, thermal_erosion};
use terrane_kernels::metric::{SlopeKind, height_difference, slope_map, upper_quartile};

use super::changes::changes;
use super::history::{Record, frames_bytes, recorded};
use crate::reaches::{IN_ORDER, jacobi, unless_wrapped};
use crate::support::{Report, cancelled, maps, scalar};
use crate::values::{Frames, Map, Table};

/// Thermal erosion: good for slopes of debris and to limit steepness; for valleys use `FluvialErosion`.
///
/// Material slides down slopes that are steeper than the talus, until none are. Neighbouring samples may
/// differ by at most `talus` times their distance. With `distance: Steps`, as in the paper, a diagonal counts
/// as one spacing. A neighbour that lies lower than this limit allows is too low; the difference beyond the
/// limit is the excess. In each iteration, `Reference` moves the share `fraction` of the largest excess to
/// the neighbours that are too low, in proportion to their difference in height divided by their distance.
/// `Reference` works from the heights before the iteration. The paper's share of 0.5 moves so much that
/// uniform slopes keep a fine checkerboard pattern; a larger share oscillates. `Fast` finds the neighbour
/// with the steepest descent. If the slope to that neighbour exceeds `talus`, half of this slope times the
/// spacing moves there, in place. Long slopes need many iterations, because material from their middle must
/// pass their foot.
///
/// Both schemes conserve mass. `Published` and `PublishedFast` reproduce the program behind the paper's
/// figures. `Published` divides the excess among the neighbours that are too low, but gives a share to every
/// lower neighbour. The shares add up to more than 1, so this scheme creates material. `PublishedFast` moves
/// a quarter of the difference where the slope exceeds 15/16 of the talus. Neither visits the samples on the
/// map's border, which receive material but pass none on. The rim that piles up along the border counts in
/// the erosion score: it causes the rise of the score in the paper's figure 15. Inside the rim the score
/// falls with both.
///
/// `Fast` visits samples in index order and changes them in place, so material can travel far within one
/// iteration: farther down and to the right than up and to the left. On uniform slopes this leaves fine
/// diagonal streaks. By default `Fast` checks only the four diagonal neighbours, which produces square
/// pyramids. On a map that wraps, samples on the map's border are visited last, and a crease may appear
/// there. At the default talus, the erosion score of `Reference` falls.
///
/// With `Reference` and true distances, shapes are kept, except that a cone tends towards an octagon. With
/// `Steps` a cone turns into a square pyramid over time, and a fine pattern of rings and dots remains on
/// uniform slopes.
///
/// The result depends on the spacing: a coarser preview erodes further in the same number of iterations.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "eroded": ThermalErosion(height: "hills", talus: 0.6, iterations: 50),
///     },
///     outputs: { "eroded.png": "eroded" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "erosion",
    words = "talus scree debris slide landslide weathering repose angle steepness erode crumble rubble",
    tiles = Global, because = "`talus: None` uses the slopes of the whole map",
    paper = "Olsen 2004, Thermal erosion", version = 6, working_maps = 1.5,
    main(talus, iterations),
    presets(
        scree(talus = "0.7", iterations = "100"),
        smooth_slopes(talus = "0.4", iterations = "200"),
    ))]
#[output(height: Map, unit = "world units", doc = "The terrain after the last iteration.")]
#[output(moved: Map, unit = "world units", doc = "Change in height of each sample.")]
#[output(eroded: Map, unit = "world units", lazy, doc = "How far each sample lies below `height`, or 0.")]
#[output(deposited: Map, unit = "world units", lazy, doc = "How far each sample lies above `height`, or 0.")]
#[output(history: Table, doc = "A row per `history_every` iterations: iteration, erosion score, mean change \
    since the last row, mean height, mean excess of the steepest descent to a neighbour over the talus.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain every `history_every` iterations, \
    for `Animate`.")]
pub struct ThermalErosion {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Slope above which material slides. Default: the upper quartile of the terrain's slopes, each towards
    /// the neighbour along an axis to which the difference is largest, so that a quarter of the samples is
    /// steeper. Patches of a world then do not meet.
    #[input(min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Maximum number of iterations; the erosion ends early when nothing moves.
    #[param(default = 50, max = 1_000_000_000)]
    pub iterations: u32,
    /// How material is moved.
    #[param(default = Scheme::Reference)]
    pub scheme: Scheme,
    /// Share of the excess that `Reference` moves, the paper's c. Default: 0.33 with true distances, and the
    /// paper's 0.5 with `Steps`.
    #[param(default = None, min = 0.0, max = 1.0)]
    pub fraction: Option<f64>,
    /// Which samples are neighbours. Default: the paper's choice for the scheme, `Moore` for the reference
    /// variants and `Rotated` for the fast ones.
    #[param(default = None)]
    pub neighbourhood: Option<Neighbourhood>,
    /// Distance of diagonal neighbours. Default: `True`, and `Steps` in the published schemes.
    #[param(default = None)]
    pub distance: Option<Distance>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Iterations between rows of `history`; 0 records none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

impl Evaluate for ThermalErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let neighbourhood = self.neighbourhood.unwrap_or(match self.scheme {
            Scheme::Reference | Scheme::Published => Neighbourhood::Moore,
            Scheme::Fast | Scheme::PublishedFast => Neighbourhood::Rotated,
        });
        let distance = self.distance.unwrap_or(match self.scheme {
            Scheme::Reference | Scheme::Fast => Distance::True,
            Scheme::Published | Scheme::PublishedFast => Distance::Steps,
        });
        let fraction = match distance {
            Distance::Steps => 0.5,
            Distance::True => 0.33,
        };
        let talus = self.talus.get().unwrap_or_else(|| {
            let slopes = slope_map(&height, SlopeKind::Olsen, self.boundary);
            Scalar::Constant(f64::from(upper_quartile(&slopes)))
        });
        let parameters = Thermal {
            talus: scalar(&talus),
            distance,
            iterations: self.iterations,
            scheme: self.scheme,
            fraction: self.fraction.unwrap_or(fraction) as f32,
            neighbourhood,
            boundary: self.boundary,
        };
        let excess = |now: &Heightmap| talus_excess(now, &parameters);
        let record = Record::new(&height, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (eroded, history, frames) =
            recorded(&height, parameters.boundary, record, &[("excess", &excess)], |observer| {
                thermal_erosion(&height, &parameters, &Report(cx), observer)
            })
            .map_err(cancelled)?;
        let moved = height_difference(&height, &eroded).map;
        if self.iterations > 0 && moved.samples().iter().all(|&moved| moved == 0.0) {
            let talus = match &talus {
                Scalar::Constant(talus) => format!("the talus of {talus}"),
                Scalar::Map(_) => "its talus".to_owned(),
            };
            let degrees = "the talus is rise over run: 35 degrees are 0.7";
            cx.warn(format!("nothing slides: no slope is steeper than {talus} ({degrees})"));
        }
        let before = height.samples();
        let asked = [Self::ERODED, Self::DEPOSITED];
        let [lowered, raised] = changes(cx, asked, |at| before[at], &eroded);
        Ok((Map(eroded), Map(moved), lowered, raised, history, frames))
    }

    /// Memory for the maps that `history` compares.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if self.history_every > 0 { maps(sizes, 2.0) } else { 0 }
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if matches!(self.talus.source(), Source::Unset) {
            return Reach::map("`talus: None` uses the slopes of the whole map");
        }
        match self.scheme {
            Scheme::Reference | Scheme::Published => {
                unless_wrapped(self.boundary, jacobi(self.iterations, 0))
            }
            Scheme::Fast | Scheme::PublishedFast => Reach::map(IN_ORDER),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;

    #[test]
    fn a_talus_above_every_slope_causes_a_warning() {
        let warnings = |talus: &str| {
            let text = format!(
                "Graph(size: (9, 9), spacing: 2.0, nodes: {{
                    \"g\": Ramp(from: (0, 0), to: (16, 0), high: 16.0),
                    \"n\": ThermalErosion(height: \"g\", talus: {talus}),
                }}, outputs: {{ \"n.npy\": \"n\" }})"
            );
            Run::of(&text, std::path::Path::new(".")).unwrap_or_else(|e| panic!("{e}")).warnings()
        };
        assert_eq!(warnings("0.5"), "");
        let warning = warnings("35");
        assert!(warning.contains("no slope is steeper than the talus of 35"), "{warning}");
    }
}
