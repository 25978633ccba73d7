//! OpenSimplex2 noise.

use terrane_flow::Node;
use terrane_kernels::noise::Basis;

use super::noise::noise_node;
use crate::values::Map;

noise_node! {
    /// OpenSimplex2 noise in octaves: bell-shaped bumps with random gradients at the corners of triangles.
    ///
    /// The directions of a triangular lattice are less visible than those of a square one. On a map that is
    /// not warped, the node takes seven to ten times as long as `Perlin`. On a warped map both take about the
    /// same time. `wavelength` is the side of a square cell before it is skewed and split into two triangles.
    /// The slope is continuous.
    ///
    /// Heights lie within [0, 1] before `amplitude` and `offset`, but do not fill that range. The table shows
    /// the lowest and the highest sample of a map with default parameters and eight wavelengths per side: the
    /// mean over 20 maps and, in brackets, their extremes. `normalise` stretches each map to the range from 0
    /// to `amplitude`.
    ///
    /// | fractal | heights reached |
    /// |---|---|
    /// | `Fbm` | 0.06 to 0.93 (0.04 to 0.96) |
    /// | `Ridged` | 0.00 to 0.94 (0.00 to 0.98) |
    /// | `Billow` | 0.06 to 0.99 (0.02 to 0.99) |
    /// | `Turbulence` | 0.03 to 0.92 (0.01 to 0.95) |
    ///
    /// With `wrap` the map tiles with itself. A triangular lattice repeats over rectangles. The smallest of
    /// them have one side along the sides of the triangles. With `wrap` one side of every triangle therefore
    /// lies along x. Otherwise, with fractals other than `Fbm`, each octave's triangles are turned by a
    /// different angle unless `rotate` is false.
    ///
    /// With `z` the node evaluates simplex noise in three dimensions (Perlin 2001): bumps around the corners
    /// of tetrahedra. A section through them shows their lattice as straight creases, most visibly with the
    /// fractal `Ridged`. Since each octave's lattice is turned, the creases of different octaves do not
    /// coincide.
    ///
    /// Unless `wrap` or `normalise` is set, heights depend only on the world position and the seed, so the
    /// patches of a world meet exactly. `persistence` and `amplitude` accept a map or a number. `warp_x` and
    /// `warp_y` displace each sample before its noise is evaluated.
    ///
    /// # Example
    ///
    /// ```ron
    /// Graph(
    ///     size: (129, 129), spacing: 4.0, seed: 7,
    ///     nodes: {
    ///         "bends": OpenSimplex(octaves: 3, amplitude: 120.0, offset: -60.0, seed: 1),
    ///         "noise": OpenSimplex(amplitude: 150.0, warp_x: "bends"),
    ///     },
    ///     outputs: { "noise.png": "noise" },
    /// )
    /// ```
    #[derive(Clone, Debug, Node)]
    #[node(category = "sources",
    words = "simplex noise fbm random hills ridges ridged dunes billow terrain generate create",
    tiles = Pointwise, version = 3, paper = "Thorimbert & Chopard 2018, section \
        5; K. Spencer, OpenSimplex2", header, suits(wavelength = 0.5, amplitude = 0.08),
    main(wavelength, amplitude, offset, octaves, fractal, seed),
    presets(
        hills(fractal = "Fbm", octaves = "8"),
        ridges(fractal = "Ridged", octaves = "9"),
        billows(fractal = "Billow", octaves = "8"),
    ))]
    pub struct OpenSimplex {}
    basis: |_| Basis::OpenSimplex
}
