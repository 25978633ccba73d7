//! Olsen's erosion for computer games.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalScalarInput, Scalar, Sizes};
use terrane_kernels::Boundary;
use terrane_kernels::erosion::{Needles, Olsen, OlsenScheme, olsen_erosion};
use terrane_kernels::metric::{SlopeKind, slope_map, statistics};

use super::changes::changes;
use super::history::{Record, frames_bytes, recorded};
use crate::support::{Report, cancelled, maps, scalar};
use crate::values::{Frames, Map, Table};

/// Olsen's erosion for games: good for flat building ground that ends at cliffs; for natural slopes use
/// `FluvialErosion`.
///
/// Gentle slopes are levelled and steep ones stay. The algorithm is thermal erosion with the condition
/// inverted. If the lowest of the four neighbours along the axes is lower by no more than `talus` times the
/// spacing, half of the difference moves to that neighbour. Samples are visited in index order and changed in
/// place. On a map that wraps, the samples on the border come last. Mass is conserved. After 50 iterations
/// the erosion score is at least six tenths of its value after 1000 iterations. In the paper the talus is a
/// difference in height between neighbours. With N samples per side and heights in [0, 1], it is 16/N, within
/// a range of 8/N to 20/N. On a map with a side length of 1 that is `talus: 16.0`. A larger talus levels
/// steeper slopes, too. The paper's tables come from `Published`, whose unvisited border lowers the scores.
/// On rough ground without cliffs apply `Perturb` first: it creates steep places, which this erosion keeps.
/// Diagonal neighbours are not considered, so round shapes become angular.
///
/// On rough mountains, the paper's rule makes needles of 0.5 to 3 % of the samples. With `needles: Remove`,
/// no sample stands more than one spacing above its four neighbours along the axes that did not before.
///
/// The result depends on the spacing: a coarser preview erodes further in the same number of iterations.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 500.0, smoothed: true),
///         "cells": Voronoi(amplitude: 500.0, regions: 4),
///         "base": Combine(a: "hills", b: "cells", mode: Lerp, weight: 0.333),
///         "rough": Perturb(height: "base", magnitude: 0.25, boundary: Open),
///         "eroded": OlsenErosion(height: "rough"),
///     },
///     outputs: { "eroded.png": "eroded" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "erosion",
    words = "games cliffs plateaus erode fast buildable strategy flat",
    tiles = Global, because = "samples change one after the other, so material can \
    travel far within one iteration", paper = "Olsen 2004, Erosion for computer \
    games", version = 5, working_maps = 4.6, main(talus, iterations))]
#[output(height: Map, unit = "world units", doc = "The terrain after the last iteration.")]
#[output(eroded: Map, unit = "world units", lazy, doc = "How far each sample lies below `height`, or 0.")]
#[output(deposited: Map, unit = "world units", lazy, doc = "How far each sample lies above `height`, or 0.")]
#[output(history: Table, doc = "A row per `history_every` iterations: iteration, erosion score, mean change \
    since the last row, mean height.")]
#[output(frames: Frames, unit = "world units", lazy, doc = "The terrain every `history_every` iterations, \
    for `Animate`.")]
pub struct OlsenErosion {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Slope up to which material slides. Default: 1.2 times the mean slope of the terrain, where a sample's
    /// slope is the steepest to its four neighbours along the axes.
    #[input(min = 0.0, unit = "rise over run")]
    pub talus: OptionalScalarInput<Map>,
    /// Maximum number of iterations; the erosion ends early when nothing moves.
    #[param(default = 50, max = 1_000_000_000)]
    pub iterations: u32,
    /// Which samples are visited.
    #[param(default = OlsenScheme::Text)]
    pub scheme: OlsenScheme,
    /// What happens to samples that the erosion leaves higher above all four neighbours than `talus`, than a
    /// slope of 1 and than they were before. Default: `Remove`, but `Keep` with `scheme: Published`.
    #[param(default = None)]
    pub needles: Option<Needles>,
    /// What lies beyond the map's border.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Iterations between rows of `history`; 0 records none, which is fastest.
    #[param(default = 0)]
    pub history_every: u32,
}

impl Evaluate for OlsenErosion {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let talus = self.talus.get().unwrap_or_else(|| {
            let slopes = slope_map(&height, SlopeKind::Olsen, self.boundary);
            Scalar::Constant(1.2 * statistics(&slopes).mean)
        });
        let (iterations, scheme) = (self.iterations, self.scheme);
        let needles = self.needles.unwrap_or(match scheme {
            OlsenScheme::Text => Needles::Remove,
            OlsenScheme::Published => Needles::Keep,
        });
        let parameters =
            Olsen { talus: scalar(&talus), iterations, boundary: self.boundary, scheme, needles };
        let record = Record::new(&height, self.iterations, self.history_every, cx.asked(Self::FRAMES))?;
        let (eroded, history, frames) = recorded(&height, parameters.boundary, record, &[], |observer| {
            olsen_erosion(&height, &parameters, &Report(cx), observer)
        })
        .map_err(cancelled)?;
        let before = height.samples();
        let asked = [Self::ERODED, Self::DEPOSITED];
        let [lowered, raised] = changes(cx, asked, |at| before[at], &eroded);
        Ok((Map(eroded), lowered, raised, history, frames))
    }

    /// Memory for the maps that `history` compares.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if self.history_every > 0 { maps(sizes, 2.0) } else { 0 }
    }

    fn output_bytes(&self, output: usize, sizes: &Sizes<'_>) -> Option<u64> {
        (output == Self::FRAMES).then(|| frames_bytes(sizes, self.iterations, self.history_every))
    }
}
