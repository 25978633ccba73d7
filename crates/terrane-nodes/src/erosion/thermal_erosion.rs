//! Slopes that slide.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Scalar, ScalarInput, Sizes};
use terrane_grid::Heightmap;
use terrane_kernels::erosion::{self, Thermal, talus_excess, thermal_erosion};
use terrane_kernels::metric::height_difference;

use super::history::{Record, frames_bytes, recorded};
use crate::reaches::{IN_ORDER, jacobi, unless_wrapped};
use crate::support::{Boundary, Report, cancelled, choice, maps, scalar, scalar_size};
use crate::values::{Frames, Map, Table};

choice! {
    /// How material is moved.
    Scheme => erosion::Scheme {
        /// Every neighbour that is too low gets a share, all samples at once; the paper's text.
        Reference,
        /// All to the neighbour on the steepest way down, half of how much lower that is per spacing, in
        /// place; the paper's fast variant.
        Fast,
        /// What the program behind the paper's figures does for its Reference; makes material from nothing.
        Published,
        /// What that program does for its fast variant.
        PublishedFast,
    }
}

choice! {
    /// How far neighbours on a diagonal are apart, where slopes are compared with the talus.
    Distance => erosion::Distance {
        /// One spacing, as on a side: the paper's. A cone becomes a square pyramid in time.
        Steps,
        /// As far as they are.
        True,
    }
}

choice! {
    /// Which samples are neighbours.
    Neighbourhood => erosion::Neighbourhood {
        /// All eight; the paper's choice for the Reference.
        Moore,
        /// The four on a side.
        VonNeumann,
        /// The four on a diagonal; the paper's choice for Fast.
        Rotated,
    }
}

/// Material on slopes steeper than the talus slides down until they are not.
///
/// Two neighbouring samples may differ by `talus` times their distance; with `distance: Steps`, as in the
/// paper, a diagonal counts as one spacing. `Reference` moves, at each iteration, the share `fraction` of the
/// steepest excess to the neighbours that are too low, in proportion to how low, from the heights before the
/// iteration. The paper's share, 0.5, moves so much that even slopes keep a fine checked pattern; more than
/// that oscillates. `Fast` moves half of the greatest difference per spacing to the neighbour on that way at
/// once, in place. Long slopes take many iterations: what slides off their middle must pass their foot.
///
/// Both keep mass. `Published` and `PublishedFast` are what the program behind the paper's figures does
/// instead: the first gives every lower neighbour a share by a total that counts only those too low, and so
/// makes material from nothing; the second moves a quarter, from 15/16 of the talus on. Neither visits the
/// samples on the map's border: these take what slides onto them and send nothing on. So a rim piles up along
/// the border, which the erosion score counts: that the score rises in the paper's figure 15 is the rim's
/// doing. Inside it falls by every scheme.
///
/// `Fast` visits samples in index order, and what one visit moves the next can move on, so that material can
/// travel far within one iteration, down and to the right further than up and to the left; on even slopes
/// this leaves fine diagonal streaks, and it looks at the four diagonal neighbours alone, which makes square
/// pyramids. On a map that wraps, samples on the map's border are visited after the others, and there a
/// crease may show. The erosion score of the Reference falls, as it must when slopes are cut off at the
/// talus.
///
/// What slides keeps its shape with `Reference` and true distances, but for an octagon that a cone tends to.
/// By `Steps` a cone becomes a square pyramid in time, and a fine pattern of rings and dots stays on even
/// slopes.
///
/// What happens depends on the spacing: a coarser preview erodes further in as many iterations.
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
#[node(
    category = "erosion",
    tiles = Halo,
    paper = "Olsen 2004, Thermal erosion",
    version = 4,
    working_maps = 1.5,
)]
#[output(height: Map, unit = "world units", doc = "The terrain after the last iteration.")]
#[output(moved: Map, unit = "world units", doc = "What each sample gained, or lost where negative.")]
#[output(history: Table, doc = "Per `history_every` iterations: iteration, erosion score, mean change since \
    the last row, mean height, mean excess over the talus of the steepest way down to a neighbour.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain per `history_every` iterations, for \
    `Animate`.")]
pub struct ThermalErosion {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Slope above which material slides.
    #[input(default = 1.0, min = 0.0, unit = "rise over run")]
    pub talus: ScalarInput<Map>,
    /// Iterations; it ends early when nothing moves any more.
    #[param(default = 50, max = 1_000_000_000)]
    pub iterations: u32,
    /// How material is moved.
    #[param(default = Scheme::Reference)]
    pub scheme: Scheme,
    /// Share of the excess that the Reference moves, the paper's c; None for 0.33 with true distances, and
    /// for the paper's 0.5 with Steps.
    #[param(default = None, min = 0.0, max = 1.0)]
    pub fraction: Option<f64>,
    /// Which samples are neighbours; without, the scheme's own in the paper: Moore for Reference, Rotated for
    /// Fast.
    #[param(default = None)]
    pub neighbourhood: Option<Neighbourhood>,
    /// How far neighbours on a diagonal are apart; None for True, and for Steps in the published schemes.
    #[param(default = None)]
    pub distance: Option<Distance>,
    /// What lies beyond the border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Iterations between rows of `history`; 0 keeps none, which is fastest.
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
        let talus = self.talus.get();
        scalar_size("talus", &talus, &height)?;
        let parameters = Thermal {
            talus: scalar(&talus),
            distance: distance.into(),
            iterations: self.iterations,
            scheme: self.scheme.into(),
            fraction: self.fraction.unwrap_or(fraction) as f32,
            neighbourhood: neighbourhood.into(),
            boundary: self.boundary.into(),
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
        Ok((Map(eroded), Map(moved), history, frames))
    }

    /// What `history` compares.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if self.history_every > 0 { maps(sizes, 2.0) } else { 0 }
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
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
    fn it_says_when_nothing_slides() {
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
