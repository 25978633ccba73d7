//! How octaves' lattices lie in the world.

/// How octaves' lattices lie in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Along the world's axes, without an end.
    #[default]
    Straight,
    /// Each octave's turned about the world's origin by an angle of its own, without an end, so that noise
    /// shows no direction. Lattices of squares take several times as long, since columns and rows have
    /// nothing in common.
    Turned,
    /// Along the window's axes, stretched so that a whole number of cells fits into the window, where the
    /// lattice begins anew: the window tiles with itself. A window of w × h samples has the extent w ·
    /// spacing × h · spacing. OpenSimplex's triangles have one side along x.
    Wrapped,
}

/// Multiples of it, modulo 1, stay as far from each other as any number's can.
const GOLDEN: f64 = 0.618_033_988_749_894_8;

/// By what share of the angle that brings a lattice onto itself an octave's is turned. Shares of the first
/// eight octaves are 0.09 apart at least, of 32 octaves 0.02.
fn share(octave: u32) -> f64 {
    let multiple = GOLDEN * f64::from(octave + 1);
    multiple - multiple.floor()
}

/// What an octave's lattice is turned by, as a matrix, where it comes onto itself `times` in a full turn.
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
        // The first octaves, which are the strongest, stand off the axes too.
        assert!((0..4).all(|octave| share(octave).min(1.0 - share(octave)) > 0.14));
    }

    #[test]
    fn turns_keep_lengths() {
        let [[a, b], [c, d]] = turn(3, 4.0);
        assert!((a * a + b * b - 1.0).abs() < 1e-15 && (a * d - b * c - 1.0).abs() < 1e-15);
    }
}
