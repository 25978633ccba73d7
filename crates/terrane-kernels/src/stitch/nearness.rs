//! How near a border is to a point, all of it within reach together.

use super::line::{Line, Seen};

/// Below this part of the reach distances do not matter.
const TINY: f64 = 1e-9;

/// Below this there is next to nothing of a border within reach, and rounding would speak.
const LEAST: f64 = 1e-13;

/// Two integrals along a border, of ρ⁻³ and of ρ⁻⁵, ρ being the distance from a point as a part of the reach and lengths counted in reaches. From both
/// a polynomial of ρ² is taken away, so that they and their slopes are 0 at the reach.
///
/// Integrals of pieces add up to that of the whole, so that it does not matter with how many nodes a border was drawn; they are smooth
/// everywhere but on the border, and grow beyond bounds towards it. So means weighted by the first are what is on the border where it is near, and
/// pass smoothly, and never faster than what is on the border does, from one piece to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nearness {
    pub third: f64,
    pub fifth: f64,
}

impl Nearness {
    /// That of a line to a point which it has seen, with a reach of 1 / `per_unit`.
    #[inline(always)]
    pub fn of(line: &Line, seen: &Seen, per_unit: f64) -> Self {
        let (foot, off) = ((seen.along + seen.past) * per_unit, seen.before * per_unit);
        let square = off * off + TINY * TINY;
        let inside = 1.0 - square;
        // The part of the line within reach, counted from the point's foot; without branches, for vectors.
        let half = (if inside > 0.0 { inside } else { 0.0 }).sqrt();
        let (start, end) = (-foot, line.length * per_unit - foot);
        let a = if start > -half { start } else { -half };
        let b = if end < half { end } else { half };
        let (square_a, square_b) = (a * a + square, b * b + square);
        let both = (square_a * square_b).sqrt();
        let (to_a, to_b) = (square_a.sqrt(), square_b.sqrt());
        let across = b * to_a - a * to_b;
        // Beyond an end the difference of sines is next to 0: without cancelling.
        let beyond = (b - a) * (a + b) / (both * (b * to_a + a * to_b));
        let beside = across / (square * both);
        let whole = if a * b > 0.0 { beyond } else { beside };
        let (apart, cubes) = (b - a, (b * b * b - a * a * a) / 3.0 + square * (b - a));
        let inverse = 0.5 * (square_a + square_b) / (square_a * square_b);
        let third = whole - 2.5 * apart + 1.5 * cubes;
        let fifth = whole * (inverse + whole * whole * square / 6.0) - 3.5 * apart + 2.5 * cubes;
        let within = a < b && inside > 0.0;
        Self { third: if within { third } else { 0.0 }, fifth: if within { fifth } else { 0.0 } }
    }

    /// How far the border is as a part of the reach, from 0 on it to 1 where all of it is out of reach: exactly the distance of a straight line that goes on beyond the
    /// reach on both sides; seen from beyond its end up to 1.2 times the distance, in a corner a little less, and smooth everywhere.
    #[inline(always)]
    pub fn distance(self) -> f64 {
        if self.fifth > LEAST && self.third > LEAST {
            let square = 2.0 * self.third / (3.0 * self.fifth - 5.0 * self.third);
            if square < 1.0 { square.sqrt() } else { 1.0 }
        } else {
            1.0
        }
    }
}

impl std::ops::AddAssign for Nearness {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.third += other.third;
        self.fifth += other.fifth;
    }
}

/// From 0 at 0 to 1 at 1, level at both, and so beyond.
#[inline(always)]
pub fn rise(x: f64) -> f64 {
    let x = if x > 0.0 { x } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ends: [(f64, f64); 2], at: (f64, f64), reach: f64) -> Nearness {
        let line = Line::new(ends).unwrap();
        Nearness::of(&line, &line.see(0, at), 1.0 / reach)
    }

    /// The same by small pieces.
    fn slow([a, b]: [(f64, f64); 2], at: (f64, f64), reach: f64) -> Nearness {
        let pieces = 200_000;
        let length = libm::hypot(b.0 - a.0, b.1 - a.1) / reach / f64::from(pieces);
        let mut sum = Nearness::default();
        for piece in 0..pieces {
            let t = (f64::from(piece) + 0.5) / f64::from(pieces);
            let rho = libm::hypot(a.0 + t * (b.0 - a.0) - at.0, a.1 + t * (b.1 - a.1) - at.1) / reach;
            if rho < 1.0 {
                sum.third += length * (1.0 / (rho * rho * rho) - 2.5 + 1.5 * rho * rho);
                sum.fifth += length * (1.0 / (rho * rho * rho * rho * rho) - 3.5 + 2.5 * rho * rho);
            }
        }
        sum
    }

    #[test]
    fn integrals_are_those_of_small_pieces() {
        let ends = [(1.0, 2.0), (9.0, 5.0)];
        for at in [(4.0, 5.0), (4.0, 2.0), (-1.0, 1.5), (12.0, 6.5), (11.0, 5.75), (3.0, 8.0), (5.0, 3.6)] {
            for reach in [4.0, 6.0, 50.0] {
                let (found, slow) = (of(ends, at, reach), slow(ends, at, reach));
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs() + 1e-9;
                assert!(
                    near(found.third, slow.third) && near(found.fifth, slow.fifth),
                    "{at:?} {found:?} {slow:?}"
                );
            }
        }
    }

    #[test]
    fn a_long_straight_line_is_as_far_as_it_is() {
        for far in [0.001, 0.1, 0.5, 0.9, 0.99] {
            let found = of([(-40.0, 0.0), (40.0, 0.0)], (1.0, 10.0 * far), 10.0).distance();
            assert!((found - far).abs() < 1e-6, "{far} {found}");
            let mut parts = Nearness::default();
            for i in -20..20 {
                parts += of([(f64::from(i), 0.0), (f64::from(i + 1), 0.0)], (0.3, 10.0 * far), 10.0);
            }
            assert!((parts.distance() - far).abs() < 1e-6, "{far}");
            // Beyond its end, and beside a short one.
            let end = of([(0.0, 0.0), (40.0, 0.0)], (-10.0 * far, 0.0), 10.0).distance() / far;
            let short = of([(0.0, 0.0), (1e-3, 0.0)], (0.0, 10.0 * far), 10.0).distance() / far;
            assert!((0.99..1.2).contains(&end) && (0.8..1.01).contains(&short), "{far} {end} {short}");
        }
        assert_eq!(of([(0.0, 0.0), (1.0, 0.0)], (0.0, 3.0), 3.0), Nearness::default());
        assert_eq!(Nearness::default().distance(), 1.0);
    }
}
