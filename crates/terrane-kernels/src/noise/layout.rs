//! Placement of the octaves' lattices in the world.

/// How the octaves' lattices are placed in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Aligned with the world's axes, unbounded.
    #[default]
    Straight,
    /// Unbounded. Each octave is rotated about the world's origin by a different angle, so that noise shows
    /// no preferred direction. Lattices of squares then take several times as long, since columns and rows
    /// share less work.
    Turned,
    /// Aligned with the window's axes and stretched so that a whole number of cells fits into the window. The
    /// lattice repeats after these cells, so the window tiles with itself. A window of w × h samples has the
    /// extent w · spacing × h · spacing. OpenSimplex's triangles have one side along x.
    Wrapped,
}

/// The fractional part of the golden ratio: no other number's multiples modulo 1 are spread more evenly.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// An octave's rotation, as a fraction of the smallest angle that maps its lattice onto itself. The fractions
/// of the first eight octaves are at least 0.09 apart, those of 32 octaves at least 0.02.
fn share(octave: u32) -> f64 {
    let multiple = GOLDEN * f64::from(octave + 1);
    multiple - multiple.floor()
}

/// The rotation matrix of an octave whose lattice maps onto itself `times` times in a full turn.
pub fn turn(octave: u32, times: f64) -> [[f64; 2]; 2] {
    let (sin, cos) = libm::sincos(std::f64::consts::TAU / times * share(octave));
    [[cos, sin], [-sin, cos]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_octaves_lie_alike() {
        let least = |octaves: u32| {
            let pairs = (0..octaves).flat_map(|a| (0..a).map(move |b| (share(a) - share(b)).abs()));
            pairs.map(|apart| apart.min(1.0 - apart)).fold(1.0, f64::min)
        };
        assert!(least(8) > 0.09 && least(32) > 0.02, "{} {}", least(8), least(32));
        // The first octaves, which are the strongest, are not aligned with the axes either.
        assert!((0..4).all(|octave| share(octave).min(1.0 - share(octave)) > 0.14));
    }

    #[test]
    fn turns_keep_lengths() {
        let [[a, b], [c, d]] = turn(3, 4.0);
        assert!((a * a + b * b - 1.0).abs() < 1e-15 && (a * d - b * c - 1.0).abs() < 1e-15);
    }
}
