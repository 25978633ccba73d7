//! Perturbation of terrain by noise.

use std::sync::Arc;

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput};
use terrane_kernels::Boundary;
use terrane_kernels::noise::{Interpolation, Layout, Spectral, spectral_synthesis};
use terrane_kernels::warp::perturb;

use crate::support::{Report, cancelled, seed};
use crate::values::Map;

/// Perturbs terrain with noise: each sample is read from a randomly displaced position.
///
/// Let p be the noise at a sample, and q the transposed noise there. On a map of `width` by `height`, the
/// displacement is `magnitude * width * (p - 0.5)` along x and `magnitude * height * (q - 0.5)` along y.
/// Heights are read bilinearly. With noise in [0, 1] a sample therefore moves by at most half of `magnitude`
/// times the extent. At a magnitude of 0.25 the maximum is N/8 on a map of N x N samples. (The text of Olsen
/// 2004 says N/4.) Perturbation breaks up the straight lines of Voronoi terrain. The erosion score is highest
/// near a magnitude of 0.25.
///
/// If `noise` is absent, the node generates its own noise by spectral synthesis. The cells of the first
/// octave are a quarter of the map's width. With `boundary: Wrap` this noise tiles, so the result tiles if
/// `height` does. If a map is connected to `noise`, that map must tile as well.
///
/// With `boundary: Open`, maps of the same size get the same noise at the same world position. But the
/// transposed noise and the mirrored heights beyond the border depend on the size of the map, so patches of a
/// world do not meet.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "cells": Voronoi(regions: 5, amplitude: 100.0),
///         "rough": Perturb(height: "cells", magnitude: 0.25),
///     },
///     outputs: { "rough.png": "rough" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "shaping",
    words = "warp domain warping distort displace wobble natural jitter twist",
    tiles = Global, because = "samples move by a share of the map's extent, and the \
    noise is as wide as the map", version = 2, paper = "Olsen 2004, Combination and \
    perturbation", working_maps = 2.0)]
#[output(height: Map, unit = "world units", doc = "The perturbed terrain.")]
pub struct Perturb {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Displacement noise in [0, 1].
    #[input]
    pub noise: OptionalInput<Map>,
    /// Full range of the displacement, from end to end, as a share of the map's extent.
    #[param(default = 0.25, min = 0.0, max = 4.0)]
    pub magnitude: f64,
    /// What lies beyond the map's border: with `Open` the mirrored map, with `Wrap` the opposite side. On a
    /// map that does not tile, `Wrap` makes cliffs.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
    /// Seed of the node's own noise, mixed with the graph's.
    #[param(default = 0)]
    pub seed: u64,
}

impl Evaluate for Perturb {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let noise = match self.noise.get() {
            Some(noise) => noise,
            None => {
                let domain = height.domain();
                let wavelength = (domain.width().max(4) as f64 * domain.spacing) / 4.0;
                let own = Spectral {
                    octaves: 8,
                    wavelength,
                    persistence: 0.5,
                    interpolation: Interpolation::Cubic,
                    layout: match self.boundary {
                        Boundary::Wrap => Layout::Wrapped,
                        Boundary::Open => Layout::Straight,
                    },
                };
                Arc::new(Map(
                    spectral_synthesis(&domain, seed(cx, self.seed), &own, &Report(cx)).map_err(cancelled)?
                ))
            }
        };
        let out = perturb(&height, &noise, None, self.magnitude as f32, self.boundary, &Report(cx));
        Ok((Map(out.map_err(cancelled)?),))
    }
}

#[cfg(test)]
mod tests {
    use terrane_flow::{Cancel, Source, Value};
    use terrane_grid::{Domain, Heightmap};

    use super::*;
    use crate::terrain::Terrain;

    /// The largest steps between neighbours of perturbed terrain: inside, and across the seam.
    fn steps(height: Heightmap, boundary: Option<Boundary>, seed: u64) -> (f32, f32) {
        let (w, h) = height.domain().size;
        let (cancel, terrain) = (Cancel::new(), Terrain::new(height.domain()));
        let cx = Context::new(&terrain, seed, &cancel, &|_| {}, &|_| {});
        let height = Input::from_source(Source::Bound(Value::new(Map(height))));
        let mut node = Perturb { height, ..Perturb::default() };
        if let Some(boundary) = boundary {
            node.boundary = boundary;
        }
        let (map,) = node.evaluate(&cx).expect("`noise` is optional");
        let (mut inside, mut seam) = (0.0f32, 0.0f32);
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            for (ends, next) in [(x + 1 == w, map[((x + 1) % w, y)]), (y + 1 == h, map[(x, (y + 1) % h)])] {
                let most = if ends { &mut seam } else { &mut inside };
                *most = most.max((next - map[(x, y)]).abs());
            }
        }
        (inside, seam)
    }

    #[test]
    fn a_map_that_tiles_still_does_with_wrap() {
        for (w, h) in [(128, 128), (193, 64), (57, 200)] {
            let turn = |at: usize, of: usize| std::f64::consts::TAU * at as f64 / of as f64;
            let domain = Domain::new(w, h).with_spacing(2.0).with_origin(-31.0, 1000.0);
            let (mut inside, mut seam) = (0.0, 0.0);
            for seed in 0..4 {
                let wave = |x, y| (libm::sin(turn(x, w)) + libm::cos(turn(2 * y, h))) as f32;
                let found = steps(Heightmap::from_fn(domain, wave), Some(Boundary::Wrap), seed);
                (inside, seam) = (inside + found.0, seam + found.1);
            }
            // The seam has fewer samples than the inside, so its largest step is smaller on average.
            assert!(seam <= inside, "{w} x {h}: {seam} across the seam, {inside} inside");
        }
    }

    #[test]
    fn a_map_that_does_not_tile_gets_no_cliff_by_default() {
        let ramp = Heightmap::from_fn(Domain::new(128, 128), |x, _| x as f32);
        let (by_default, wrapped) = (steps(ramp.clone(), None, 5).0, steps(ramp, Some(Boundary::Wrap), 5).0);
        // The cliff is the ramp's height, 127, less the other differences of neighbours.
        assert!(wrapped > 64.0 && by_default < 64.0, "{by_default} by default, {wrapped} wrapped");
    }
}
