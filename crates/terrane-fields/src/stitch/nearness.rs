//! How near a border is to a point, integrated over the part in reach.

use super::line::{FromLine, Line};

/// Distances below this fraction of the reach are ignored.
const TINY: f64 = 1e-9;

/// The integral of ρ⁻³ − 1 along the part of a border in reach, where ρ is the distance from a point and
/// lengths are in units of the reach. The integral and its slope are 0 at the distance of the reach.
///
/// Integrals of pieces add up to that of the whole, so the number of nodes in a border does not matter. They
/// are smooth everywhere except on the border, and grow without bound towards it. So a mean weighted by them
/// equals a border's value close to that border. It passes smoothly from piece to piece of a border, never
/// faster than the border's value does.
///
/// The integral for a line and a point's view of it, with a reach of 1 / `per_unit`.
#[inline(always)]
pub fn nearness(line: &Line, seen: &FromLine, per_unit: f64) -> f64 {
    let (foot, off) = ((seen.along + seen.past) * per_unit, seen.before * per_unit);
    let square = off * off + TINY * TINY;
    let inside = 1.0 - square;
    // The part of the line within reach, relative to the point's foot; branch-free for vectorisation.
    let half = (if inside > 0.0 { inside } else { 0.0 }).sqrt();
    let (start, end) = (-foot, line.length * per_unit - foot);
    let a = if start > -half { start } else { -half };
    let b = if end < half { end } else { half };
    let (square_a, square_b) = (a * a + square, b * b + square);
    let both = (square_a * square_b).sqrt();
    let (to_a, to_b) = (square_a.sqrt(), square_b.sqrt());
    // Beyond an end the difference of sines is almost 0, so this form avoids cancellation.
    let beyond = (b - a) * (a + b) / (both * (b * to_a + a * to_b));
    let beside = (b * to_a - a * to_b) / (square * both);
    let whole = if a * b > 0.0 { beyond } else { beside };
    let sum = whole - (b - a);
    if a < b && sum > 0.0 { sum } else { 0.0 }
}

/// The presence for a nearness: 1 at distance 0, with slope 0; 0 out of reach. In front of a long straight
/// line at the fraction x of the reach it is 1 / (1 + 2 x² (1 − x²)^(−3/2)), and falls by no more than 1.6
/// times x.
#[inline(always)]
pub fn presence(nearness: f64) -> f64 {
    nearness / (nearness + 4.0)
}

/// A smooth step from 0 at 0 to 1 at 1, constant outside.
#[inline(always)]
pub fn rise(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ends: [(f64, f64); 2], at: (f64, f64), reach: f64) -> f64 {
        let line = Line::new(ends).unwrap();
        nearness(&line, &line.see(0, at), 1.0 / reach)
    }

    /// The same integral by small pieces.
    fn slow([a, b]: [(f64, f64); 2], at: (f64, f64), reach: f64) -> f64 {
        let pieces = 200_000;
        let length = libm::hypot(b.0 - a.0, b.1 - a.1) / reach / f64::from(pieces);
        (0..pieces)
            .map(|piece| {
                let t = (f64::from(piece) + 0.5) / f64::from(pieces);
                let rho = libm::hypot(a.0 + t * (b.0 - a.0) - at.0, a.1 + t * (b.1 - a.1) - at.1) / reach;
                if rho < 1.0 { length * (1.0 / (rho * rho * rho) - 1.0) } else { 0.0 }
            })
            .sum()
    }

    #[test]
    fn integrals_are_those_of_small_pieces() {
        let ends = [(1.0, 2.0), (9.0, 5.0)];
        for at in [(4.0, 5.0), (4.0, 2.0), (-1.0, 1.5), (12.0, 6.5), (11.0, 5.75), (3.0, 8.0), (5.0, 3.6)] {
            for reach in [4.0, 6.0, 50.0] {
                let (found, slow) = (of(ends, at, reach), slow(ends, at, reach));
                assert!((found - slow).abs() <= 1e-6 * slow + 1e-9, "{at:?} {found:?} {slow:?}");
            }
        }
    }

    #[test]
    fn pieces_are_the_whole_and_presence_falls_to_nothing() {
        for far in [0.001, 0.1, 0.5, 0.9, 0.99] {
            let whole = of([(-40.0, 0.0), (40.0, 0.0)], (1.0, 10.0 * far), 10.0);
            let pieces = (-40..40)
                .map(|i| of([(f64::from(i), 0.0), (f64::from(i + 1), 0.0)], (1.0, 10.0 * far), 10.0));
            assert!((pieces.sum::<f64>() - whole).abs() < 1e-9 * whole, "{far}");
            let wanted = 1.0 / (1.0 + 2.0 * far * far * libm::pow(1.0 - far * far, -1.5));
            assert!((presence(whole) - wanted).abs() < 1e-9, "{far}");
        }
        let at = |far: f64| presence(of([(-40.0, 0.0), (40.0, 0.0)], (1.0, 10.0 * far), 10.0));
        assert!((0..100).all(|i| at(f64::from(i) * 0.01) - at(f64::from(i + 1) * 0.01) < 0.016));
        assert_eq!(of([(0.0, 0.0), (1.0, 0.0)], (0.0, 3.0), 3.0), 0.0);
        assert_eq!(presence(0.0), 0.0);
    }
}
