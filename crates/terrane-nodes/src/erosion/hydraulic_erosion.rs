//! Rain that carries ground away.

use terrane_flow::{Context, Evaluate, Header, Input, Node, NodeError, Reach, Sizes};
use terrane_kernels::erosion::{self, Hydraulic, hydraulic_erosion};
use terrane_kernels::metric::statistics;

use super::history::{Record, frames_bytes, recorded};
use crate::reaches::{IN_ORDER, jacobi, unless_wrapped};
use crate::support::{Boundary, Report, cancelled, choice, maps};
use crate::values::{Frames, Map, Table};

choice! {
    /// How water and sediment are moved.
    HydraulicScheme => erosion::HydraulicScheme {
        /// Every lower one of the eight neighbours gets a share, all samples at once; the paper's text.
        Reference,
        /// All to the lowest of the four on a side, no map of sediment, in place; the paper's fast variant.
        Fast,
        /// What the program behind the paper's figures does for its Reference.
        Published,
        /// What that program does for its fast variant.
        PublishedFast,
    }
}

/// Rain falls, dissolves ground, flows downhill with it, and leaves it where it evaporates.
///
/// Each iteration `rain` falls on every sample and the water dissolves `solubility` times its depth. Water
/// runs to the lower neighbours by how much lower they stand, water included, until it is level with their
/// mean or all gone, and takes its share of the sediment along. Then `evaporation` of it is gone, and what
/// sediment is more than `capacity` times the rest goes back to the ground. The paper's constants,
/// `rain: 0.01, solubility: 0.01, capacity: 0.01` for heights in [0, 1], change real ground hardly more than
/// can be seen; the defaults have five times as much dissolve. About 100 iterations are enough. Ground moves
/// a few samples at most, so that ridges wear down and hollows fill as under a blur: for valleys with rivers
/// take `FluvialErosion`.
///
/// `Reference` works from the heights before the iteration, with maps of water and sediment. `Fast` visits
/// samples in index order and changes them at once (on a map that wraps, those on the border last, where a
/// crease may show); water always holds as much as it can carry, so there `solubility` has no meaning. The
/// order shows: level ground drifts a little across the map, to a lip along the first column and a step along
/// the last, and even slopes get a fine diagonal pattern. Ground and sediment together are kept.
///
/// The figures of the paper come from a program that differs from its text: `Published` leaves a sample's own
/// altitude out of the mean, sends no more than lies between it and the highest of the lower neighbours, and
/// lets water carry its own depth of ground (`capacity` has no meaning); `PublishedFast` dissolves and
/// settles one to one, with rain of 0.0003, and lets what was there before water flowed off evaporate, so
/// that water may fall below zero. Both leave the samples on the map's border unvisited: no rain falls there,
/// what flows there stays, and ground beside it wears down while it does not: it stands as a wall at the rim.
/// On real ground, as that program does, `Published` leaves single samples high and low, most of all at the
/// foot of slopes, and `PublishedFast` blurs the ground: with these two one gets the paper's figures rather
/// than terrain.
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
///         "eroded": HydraulicErosion(height: "hills"),
///     },
///     outputs: { "eroded.png": "eroded", "water.png": "eroded.water" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "erosion", tiles = Global, because = "`rain: None` is a part of the whole map's range of \
    heights", paper = "Olsen 2004, Hydraulic erosion", version = 3, working_maps = 6.0)]
#[output(height: Map, unit = "world units", doc = "The ground after the last iteration.")]
#[output(water: Map, unit = "world units", doc = "Depth of the water that is left.")]
#[output(sediment: Map, unit = "world units", doc = "Ground that the water holds, as height.")]
#[output(history: Table, doc = "Per `history_every` iterations: iteration, erosion score, mean change since \
    the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain per `history_every` iterations, for \
    `Animate`.")]
pub struct HydraulicErosion {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Water that falls on each sample in an iteration, the paper's Kr; None for a hundredth of the terrain's
    /// range, as in the paper.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub rain: Option<f64>,
    /// Ground that water dissolves in an iteration, over its depth, the paper's Ks.
    #[param(default = 0.05, min = 0.0, max = 1.0)]
    pub solubility: f64,
    /// Share of the water that evaporates in an iteration, the paper's Ke.
    #[param(default = 0.5, min = 0.0, max = 1.0)]
    pub evaporation: f64,
    /// Ground that water can carry, over its depth, the paper's Kc.
    #[param(default = 0.05, min = 0.0, max = 1.0)]
    pub capacity: f64,
    /// Iterations.
    #[param(default = 100, max = 1_000_000_000)]
    pub iterations: u32,
    /// How water and sediment are moved.
    #[param(default = HydraulicScheme::Reference)]
    pub scheme: HydraulicScheme,
    /// What lies beyond the border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Iterations between rows of `history`; 0 keeps none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

impl Evaluate for HydraulicErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let rain = self.rain.unwrap_or_else(|| {
            let found = statistics(&height);
            0.01 * (found.max - found.min)
        });
        let parameters = Hydraulic {
            rain: rain as f32,
            solubility: self.solubility as f32,
            evaporation: self.evaporation as f32,
            capacity: self.capacity as f32,
            iterations: self.iterations,
            scheme: self.scheme.into(),
            boundary: self.boundary.into(),
        };
        let record = Record::new(&height, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (eroded, history, frames) = recorded(&height, parameters.boundary, record, &[], |observer| {
            hydraulic_erosion(&height, &parameters, &Report(cx), observer)
        })
        .map_err(cancelled)?;
        Ok((Map(eroded.height), Map(eroded.water), Map(eroded.sediment), history, frames))
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
            HydraulicScheme::Fast | HydraulicScheme::PublishedFast => Reach::map(IN_ORDER),
            _ if self.rain.is_none() => Reach::of(self.spec()),
            HydraulicScheme::Reference => unless_wrapped(self.boundary, jacobi(self.iterations, 0)),
            // No rain falls on the border.
            HydraulicScheme::Published => unless_wrapped(self.boundary, jacobi(self.iterations, 1)),
        }
    }
}
