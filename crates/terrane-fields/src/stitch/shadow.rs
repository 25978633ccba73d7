//! The part of the surroundings of a point that lies behind a line.

use super::line::{FromLine, Line};

/// The weighted part of the disc around a point that lies in the shadow of a line: behind it as seen from
/// the centre. The disc's radius is the reach, 1 / `per_unit`, and its weight is √(1 − ρ²) at the fraction
/// ρ of the radius.
///
/// The shadows of a field's edges give the field's part of the disc: shadows of edges that the field is
/// behind are added, shadows of edges that the field is in front of are subtracted. It is smooth everywhere,
/// at corners and nodes too, and all fields' parts sum to 1. The part behind a long straight line, at a
/// distance of the fraction h of the reach, is (1 − 3/2 h + 1/2 h³) / 2. With s along the line from the
/// point's foot, Green's theorem gives h / 2π · ∫ (1 − ρ²)^(3/2) ρ⁻² ds: the angle from atan(s / h√(1 − ρ²))
/// at one end to that at the other, less the part beyond the reach.
#[inline(always)]
pub fn shadow(line: &Line, seen: &FromLine, per_unit: f64) -> f64 {
    if goes_through(line, seen, per_unit) {
        of_long_line(seen, per_unit)
    } else {
        of_part(line, seen, per_unit)
    }
}

/// Whether a line goes through the disc from side to side, or is out of reach.
#[inline(always)]
pub fn goes_through(line: &Line, seen: &FromLine, per_unit: f64) -> bool {
    let (foot, off) = ((seen.along + seen.past) * per_unit, seen.before * per_unit);
    let square = 1.0 - off * off;
    let rest = line.length * per_unit - foot;
    square <= 0.0 || (foot > 0.0 && rest > 0.0 && foot * foot >= square && rest * rest >= square)
}

/// The shadow of a line that goes through the disc.
#[inline(always)]
pub fn of_long_line(seen: &FromLine, per_unit: f64) -> f64 {
    let off = seen.before.abs() * per_unit;
    if off < 1.0 { 0.5 - 0.75 * off + 0.25 * (off * off * off) } else { 0.0 }
}

/// The shadow of any line.
#[inline(always)]
fn of_part(line: &Line, seen: &FromLine, per_unit: f64) -> f64 {
    let (foot, off) = ((seen.along + seen.past) * per_unit, seen.before.abs() * per_unit);
    let inside = 1.0 - off * off;
    let square = if inside > 0.0 { inside } else { 0.0 };
    let half = square.sqrt();
    let (start, end) = (-foot, line.length * per_unit - foot);
    let a = if start > -half { start } else { -half };
    let b = if end < half { end } else { half };
    // √(1 − ρ²) at both ends.
    let root = |s: f64| {
        let rest = square - s * s;
        (if rest > 0.0 { rest } else { 0.0 }).sqrt()
    };
    let (root_a, root_b) = (root(a), root(b));
    let across = root_a * b - root_b * a;
    let seen_angle = angle(off * across, off * off * root_a * root_b + a * b);
    let turn = angle(across, root_a * root_b + a * b);
    let behind = seen_angle - off * (turn * (1.0 + 0.5 * square) + 0.5 * (b * root_b - a * root_a));
    if a < b && behind > 0.0 { behind / std::f64::consts::TAU } else { 0.0 }
}

/// The angle in [0, π] of a vector whose second coordinate is at least 0; 0 at the origin. Branch-free,
/// accurate to 10⁻¹¹.
#[inline(always)]
fn angle(across: f64, ahead: f64) -> f64 {
    let across = if across > 0.0 { across } else { 0.0 };
    let far = (across * across + ahead * ahead).sqrt();
    // The tangents of half, a quarter and an eighth of the angle, then the series of the last to 10⁻¹².
    let half = across / (far + ahead.abs() + f64::MIN_POSITIVE);
    let quarter = half / (1.0 + (1.0 + half * half).sqrt());
    let eighth = quarter / (1.0 + (1.0 + quarter * quarter).sqrt());
    let square = eighth * eighth;
    let mut sum = 0.0;
    for odd in [15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = 1.0 / odd - square * sum;
    }
    let acute = 8.0 * eighth * sum;
    if ahead < 0.0 { std::f64::consts::PI - acute } else { acute }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ends: [(f64, f64); 2], at: (f64, f64), reach: f64) -> f64 {
        let line = Line::new(ends).unwrap();
        shadow(&line, &line.see(0, at), 1.0 / reach)
    }

    #[test]
    fn angles_are_those_of_the_library() {
        for i in 0..=1000 {
            let wanted = std::f64::consts::PI * f64::from(i) / 1000.0;
            for far in [1e-9, 1.0, 7.0] {
                let found = angle(far * libm::sin(wanted), far * libm::cos(wanted));
                assert!((found - wanted).abs() < 1e-11, "{wanted} {found}");
            }
        }
        assert_eq!(angle(0.0, 0.0), 0.0);
    }

    /// Integrates the disc by small pieces.
    #[test]
    fn a_shadow_is_the_part_of_the_disc_behind_the_line() {
        let ends = [(1.0, 2.0), (9.0, 5.0)];
        let line = Line::new(ends).unwrap();
        for at in [(4.0, 5.0), (4.0, 2.0), (-1.0, 1.5), (12.0, 6.5), (3.0, 8.0), (5.0, 3.6)] {
            for reach in [4.0, 6.0, 50.0] {
                let (count, seen) = (600, line.see(0, at));
                let (mut behind, mut all) = (0.0, 0.0);
                for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
                    let part = |i: i32| (f64::from(i) + 0.5) / f64::from(count) * 2.0 - 1.0;
                    let (dx, dy) = (part(i), part(j));
                    let weight = (1.0 - dx * dx - dy * dy).max(0.0).sqrt();
                    all += weight;
                    // Where the ray crosses the line.
                    let there = line.see(0, (at.0 + reach * dx, at.1 + reach * dy));
                    let t = seen.before / (seen.before - there.before);
                    let along = |of: &FromLine| of.along + of.past;
                    let cross = along(&seen) + t * (along(&there) - along(&seen));
                    if (0.0..1.0).contains(&t) && (0.0..line.length).contains(&cross) {
                        behind += weight;
                    }
                }
                let found = of(ends, at, reach);
                assert!((found - behind / all).abs() < 2e-3, "{at:?} {reach} {found} {}", behind / all);
            }
        }
    }

    /// A line through the disc follows a cubic, which agrees with the rule for any line.
    #[test]
    fn behind_a_long_line_is_a_cubic() {
        let line = Line::new([(-40.0, 0.0), (40.0, 0.0)]).unwrap();
        for far in [0.0, 0.125, 0.5, 0.75, 0.99, 1.0, 1.5] {
            let seen = line.see(0, (1.0, 10.0 * far));
            let (found, other) = (shadow(&line, &seen, 0.1), of_part(&line, &seen, 0.1));
            assert!(goes_through(&line, &seen, 0.1));
            let wanted = if far < 1.0 { 0.5 * (1.0 - 1.5 * far + 0.5 * far * far * far) } else { 0.0 };
            assert!((found - wanted).abs() < 1e-15 && (found - other).abs() < 1e-11, "{far} {found} {other}");
        }
    }

    /// A triangle's part of the disc around points inside, outside and at its corners follows from its
    /// sides' shadows.
    #[test]
    fn shadows_of_all_sides_around_are_all_that_is_outside() {
        let corners = [(0.0, 0.0), (7.0, 1.0), (2.0, 5.0)];
        for (x, y) in [(3.0, 2.0), (1.0, 0.6), (0.01, 0.008)] {
            let outside = |reach: f64| {
                let sides = (0..3).map(|i| of([corners[i], corners[(i + 1) % 3]], (x, y), reach));
                sides.sum::<f64>()
            };
            // All of a disc far larger than the triangle, none of one within.
            assert!((outside(1e4) - 1.0).abs() < 1e-6 && outside(0.001) == 0.0);
        }
    }
}
