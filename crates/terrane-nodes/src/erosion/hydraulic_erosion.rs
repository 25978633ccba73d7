//! Hydraulic erosion.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_kernels::Boundary;
use terrane_kernels::erosion::{Hydraulic, HydraulicScheme, hydraulic_erosion};
use terrane_kernels::metric::extremes;

use super::changes::changes;
use super::history::{Record, frames_bytes, recorded};
use crate::reaches::{IN_ORDER, jacobi, unless_wrapped};
use crate::support::{Report, cancelled, maps};
use crate::values::{Frames, Map, Table};

/// Hydraulic erosion: good for worn, softened ground; for valleys and rivers use `FluvialErosion`.
///
/// Rain dissolves ground, flows downhill and deposits it where it evaporates.
/// In each iteration `rain` falls on every sample, and the water dissolves a layer of ground `solubility`
/// times as thick as the water is deep. Water flows to the lower neighbours in proportion to the difference
/// in altitude (the height of ground and water together). The flow stops when the sample is level with the
/// mean altitude of itself and those neighbours, or when all its water has left. The water carries its share
/// of the sediment along. Then the share `evaporation` of the water evaporates, and sediment in excess of
/// `capacity` times the remaining depth is deposited.
///
/// The paper's constants for heights in [0, 1], `rain: 0.01, solubility: 0.01, capacity: 0.01`, have hardly
/// any visible effect. On 24 grounds of 65 × 65 samples, 100 iterations change heights by 0.5 to 1.5 % of
/// their range (root mean square). The defaults dissolve five times as much, and change these heights by 1.5
/// to 5.5 %; on other sizes and reliefs it is less or more. The erosion does not converge: 200 iterations
/// change heights 1.3 to 1.8 times as much as 100. Ground moves by 3 to 10 samples on average, so ridges wear
/// down and hollows fill as under a blur.
///
/// `Reference` works from the heights before the iteration, with maps of water and sediment. `Fast` visits
/// samples in index order and changes them in place. On a map that wraps, it visits the border last, and a
/// crease may appear there. With `Fast` the water always carries as much as it can, so `solubility` has no
/// effect. The order of visits is visible. Level ground drifts slightly across the map, which leaves a lip
/// along the first column and a step along the last. Uniform slopes get a fine diagonal pattern. `Reference`
/// and `Fast` conserve the sum of ground and sediment.
///
/// The paper's figures come from a program that differs from its text. In computing the mean, `Published`
/// does not add the sample's own altitude to the sum, but counts the sample in the divisor. `Published` moves
/// at most the difference between the sample and the highest of the lower neighbours. The water can carry a
/// layer of ground as thick as the water is deep, so `capacity` has no effect. With `PublishedFast` the water
/// always carries such a layer, so neither `solubility` nor `capacity` has an effect. The program uses `rain:
/// 0.0003`. `PublishedFast` computes evaporation from the water before the outflow, so the depth of the
/// water may fall below zero.
///
/// `Published` and `PublishedFast` do not visit the samples on the map's border. No rain falls on these
/// samples, and water that flows in stays. The border remains as a wall while the ground beside it wears
/// down. On real terrain, `Published` leaves single samples too high or too low, mostly at the foot of
/// slopes, and `PublishedFast` blurs the ground, as that program does. Use these two to reproduce the paper's
/// figures rather than to make terrain.
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
///         "eroded": HydraulicErosion(height: "hills"),
///     },
///     outputs: { "eroded.png": "eroded", "water.png": "eroded.water" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "erosion",
    words = "rain water erode droplets sediment weathering gullies wear soften deposit",
    tiles = Global, because = "`rain: None` is a share of the map's range of \
    heights", paper = "Olsen 2004, Hydraulic erosion", version = 4, working_maps = 6.0,
    main(iterations, rain, solubility, evaporation))]
#[output(height: Map, unit = "world units", doc = "The ground after the last iteration.")]
#[output(water: Map, unit = "world units", doc = "Depth of the remaining water.")]
#[output(sediment: Map, unit = "world units", doc = "Sediment in the water, as height.")]
#[output(eroded: Map, unit = "world units", lazy, doc = "How far each sample lies below `height`, or 0.")]
#[output(deposited: Map, unit = "world units", lazy, doc = "How far each sample lies above `height`, or 0.")]
#[output(history: Table, doc = "A row per `history_every` iterations: iteration, erosion score, mean change \
    since the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain every `history_every` iterations, \
    for `Animate`.")]
pub struct HydraulicErosion {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Depth of water that falls on each sample in an iteration, the paper's Kr. Default: a hundredth of the
    /// terrain's range of heights, as in the paper.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub rain: Option<f64>,
    /// Thickness of ground that water dissolves in an iteration, relative to the water's depth, the paper's
    /// Ks.
    #[param(default = 0.05, min = 0.0, max = 1.0)]
    pub solubility: f64,
    /// Share of the water that evaporates in an iteration, the paper's Ke.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub evaporation: f64,
    /// Thickness of ground that water can carry, relative to the water's depth, the paper's Kc.
    #[param(default = 0.05, min = 0.0, max = 1.0)]
    pub capacity: f64,
    /// Number of iterations.
    #[param(default = 100, max = 1_000_000_000)]
    pub iterations: u32,
    /// How water and sediment are moved.
    #[param(default = HydraulicScheme::Reference)]
    pub scheme: HydraulicScheme,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Iterations between rows of `history`; 0 records none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

impl Evaluate for HydraulicErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let rain = self.rain.unwrap_or_else(|| {
            let (low, high) = extremes(&height).unwrap_or_default();
            0.01 * (f64::from(high) - f64::from(low))
        });
        let parameters = Hydraulic {
            rain: rain as f32,
            solubility: self.solubility as f32,
            evaporation: self.evaporation as f32,
            capacity: self.capacity as f32,
            iterations: self.iterations,
            scheme: self.scheme,
            boundary: self.boundary,
        };
        let record = Record::new(&height, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (eroded, history, frames) = recorded(&height, parameters.boundary, record, &[], |observer| {
            hydraulic_erosion(&height, &parameters, &Report(cx), observer)
        })
        .map_err(cancelled)?;
        let before = height.samples();
        let asked = [Self::ERODED, Self::DEPOSITED];
        let [lowered, raised] = changes(cx, asked, |at| before[at], &eroded.height);
        Ok((Map(eroded.height), Map(eroded.water), Map(eroded.sediment), lowered, raised, history, frames))
    }

    /// Memory for the maps that `history` compares.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if self.history_every > 0 { maps(sizes, 2.0) } else { 0 }
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.scheme {
            HydraulicScheme::Fast | HydraulicScheme::PublishedFast => Reach::map(IN_ORDER),
            _ if self.rain.is_none() => Reach::of(self.spec()),
            HydraulicScheme::Reference => unless_wrapped(self.boundary, jacobi(self.iterations, 0)),
            // No rain falls on the border.
            HydraulicScheme::Published => unless_wrapped(self.boundary, jacobi(self.iterations, 1)),
        }
    }
}
