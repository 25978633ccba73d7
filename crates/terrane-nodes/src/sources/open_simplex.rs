//! OpenSimplex2 noise.

use terrane_flow::Node;
use terrane_kernels::noise::Basis;

use super::noise::noise_node;
use crate::values::Map;

noise_node! {
    /// OpenSimplex2: bells with random slopes at the corners of triangles, in octaves.
    ///
    /// Triangles leave fewer traces of the lattice's directions than squares do, for about four times the
    /// work. `wavelength` is the side of the square that, skewed, holds two triangles. The slope is
    /// continuous.
    ///
    /// Heights lie within [0, 1] before `amplitude` and `offset`, but do not fill it. This is what the lowest
    /// and the highest sample of a map are at the defaults, over eight wavelengths a side and on average; in
    /// brackets, the lowest and the highest of 20 such maps. `normalise` brings each map to 0 to `amplitude`.
    ///
    /// | fractal | reached |
    /// |---|---|
    /// | `Fbm` | 0.06 to 0.93 (0.04 to 0.96) |
    /// | `Ridged` | 0.00 to 0.94 (0.00 to 0.95) |
    /// | `Billow` | 0.06 to 0.99 (0.04 to 0.99) |
    /// | `Turbulence` | 0.04 to 0.92 (0.03 to 0.95) |
    ///
    /// With `wrap` the map tiles with itself: one side of all triangles lies along x then, since the lattice
    /// comes onto itself only along a side and at right angles to it. `rotate` turns each octave's triangles
    /// by an angle of its own.
    ///
    /// With `z` it is simplex noise in space (Perlin 2001), bells around the corners of tetrahedra. A cut
    /// through these shows their lattice as straight creases, most of all with the fractal `Ridged`: `rotate`
    /// turns each octave's, so that they do not add up.
    ///
    /// Unless `wrap` or `normalise` is set, heights depend on the world position and the seed alone: patches
    /// meet to the bit. `persistence` and `amplitude` take a map as well as a number; `warp_x` and `warp_y`
    /// move every sample before noise is read there.
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
    #[node(category = "sources", tiles = Pointwise, version = 2, paper = "Thorimbert & Chopard 2018, section \
        5; K. Spencer, OpenSimplex2", header)]
    pub struct OpenSimplex {}
    basis: |_| Basis::OpenSimplex
}
