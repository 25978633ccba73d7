//! OpenSimplex2 noise.

use terrane_flow::Node;
use terrane_kernels::noise::Basis;

use super::noise::noise_node;
use crate::values::Map;

noise_node! {
    /// OpenSimplex2: bells with random slopes at the corners of triangles, in octaves.
    ///
    /// Heights lie in [0, 1] before `amplitude` and `offset`. Triangles leave fewer traces of the lattice's directions than
    /// squares do, for about four times the work. `wavelength` is the side of the square that, skewed, holds two triangles.
    /// The slope is continuous.
    ///
    /// Heights depend on the world position and the seed alone: patches meet to the bit. `persistence` and `amplitude` take
    /// a map as well as a number; `warp_x` and `warp_y` move every sample before noise is read there.
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
    #[node(category = "sources", tiles = Pointwise, version = 2, paper = "Thorimbert & Chopard 2018, section 5; K. Spencer, OpenSimplex2")]
    pub struct OpenSimplex {}
    basis: |_| Basis::OpenSimplex
}
