//! The order of directions around a point, without trigonometry (Mijailovic, section 2.5).

use std::cmp::Ordering;
use std::f64::consts::{PI, TAU};

use terrane_paths::planar::turn;

/// The diamond angle of the direction (x, y), in [0, 4): its position along the diamond |x| + |y| = 1,
/// counter-clockwise from the x axis (y up). `None` for (0, 0), and if a component is infinite or not a
/// number.
///
/// It increases with the direction's angle, but its differences are not angles. Exact on the axes (0, 1,
/// 2, 3) and on the diagonals; elsewhere within 6 · 2⁻⁵³. Directions closer together than about that get
/// equal values, or values whose order is wrong in the last bits. [`compare_directions`] orders such
/// directions exactly.
#[must_use]
pub fn diamond_angle(x: f64, y: f64) -> Option<f64> {
    if !(x.is_finite() && y.is_finite()) || (x == 0.0 && y == 0.0) {
        return None;
    }
    // Halves both where the sum would overflow.
    let (x, y) = if (x.abs() + y.abs()).is_finite() { (x, y) } else { (x / 2.0, y / 2.0) };
    Some(match (y >= 0.0, x >= 0.0) {
        (true, true) => y / (x + y),
        (true, false) => 1.0 - x / (y - x),
        (false, false) if x < 0.0 => 2.0 - y / (-x - y),
        // Just below the x axis the nearest number is 4, which would be 0 again.
        _ => (3.0 + x / (x - y)).min(LAST),
    })
}

/// The largest number below 4.
const LAST: f64 = 4.0f64.next_down();

/// The point on the diamond |x| + |y| = 1 at a diamond angle, within 2⁻⁵³. `None` outside [0, 4).
#[must_use]
pub fn diamond_direction(angle: f64) -> Option<(f64, f64)> {
    match angle {
        a if !(0.0..4.0).contains(&a) => None,
        a if a < 1.0 => Some((1.0 - a, a)),
        a if a < 2.0 => Some((1.0 - a, 2.0 - a)),
        a if a < 3.0 => Some((a - 3.0, 2.0 - a)),
        a => Some((a - 3.0, a - 4.0)),
    }
}

/// Converts a diamond angle to an angle in radians, in [0, 2π). `None` outside [0, 4).
#[must_use]
pub fn diamond_to_radians(angle: f64) -> Option<f64> {
    let (x, y) = diamond_direction(angle)?;
    let radians = libm::atan2(y, x);
    Some(if angle > 2.0 { (radians + TAU).min(TAU.next_down()) } else { radians.clamp(0.0, PI) })
}

/// Converts an angle in radians to a diamond angle. `None` if it is infinite or not a number.
#[must_use]
pub fn diamond_from_radians(radians: f64) -> Option<f64> {
    diamond_angle(libm::cos(radians), libm::sin(radians))
}

/// Diamond angles of rounded differences of points are each within 7 · 2⁻⁵³: if two are farther apart than
/// `CLOSE`, their order is correct.
const CLOSE: f64 = 32.0 / (1u64 << 53) as f64;

/// The order of two points around a third, counter-clockwise from the x axis (y up), decided exactly;
/// `angles` are the diamond angles of the differences to the third. Equal only for identical directions.
#[must_use]
pub fn compare_directions(
    around: (f64, f64),
    positions: ((f64, f64), (f64, f64)),
    angles: (f64, f64),
) -> Ordering {
    if (angles.0 - angles.1).abs() > CLOSE {
        return angles.0.total_cmp(&angles.1);
    }
    // The directions are so close that the sign of the turn is their order. They are on the same side of the
    // x axis: just above it angles are near 0, just below it near 4.
    turn(around, positions.1, positions.0).total_cmp(&0.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn axes_and_diagonals_are_exact() {
        let round = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
        for (at, (x, y)) in round.into_iter().enumerate() {
            let direction = (f64::from(x) * 3.7, f64::from(y) * 3.7);
            assert_eq!(diamond_angle(direction.0, direction.1), Some(at as f64 / 2.0));
        }
        assert_eq!(diamond_angle(-1.0, -0.0), Some(2.0));
        assert_eq!(diamond_angle(1.0, -0.0), Some(0.0));
    }

    #[test]
    fn the_zero_vector_has_no_angle() {
        for (x, y) in [(0.0, 0.0), (-0.0, 0.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
            assert_eq!(diamond_angle(x, y), None);
        }
        for angle in [-1e-9, 4.0, f64::NAN] {
            assert_eq!((diamond_direction(angle), diamond_to_radians(angle)), (None, None));
        }
        assert_eq!(diamond_from_radians(f64::INFINITY), None);
    }

    #[test]
    fn the_ends_of_the_range_stay_inside() {
        assert_eq!(diamond_angle(1.0, -1e-300), Some(4.0f64.next_down()));
        assert!(diamond_angle(f64::MAX, -f64::MAX).is_some_and(|angle| angle == 3.5));
        assert!(
            diamond_to_radians(4.0f64.next_down()).is_some_and(|angle| angle < TAU && angle > TAU - 1e-9)
        );
    }

    /// The angle of a vector in [0, 2π) by libm.
    fn radians((x, y): (f64, f64)) -> f64 {
        let angle = libm::atan2(y, x);
        if angle < 0.0 { angle + TAU } else { angle }
    }

    /// Integers up to slightly beyond this are exact.
    const LARGE: i64 = 9_007_199_254_740_000;

    proptest! {
        #[test]
        fn it_orders_as_angles_do(a in (-1e3..1e3, -1e3..1e3), b in (-1e3..1e3, -1e3..1e3)) {
            let (of_a, of_b) = (diamond_angle(a.0, a.1).unwrap(), diamond_angle(b.0, b.1).unwrap());
            prop_assert!((0.0..4.0).contains(&of_a));
            if (radians(a) - radians(b)).abs() > 1e-14 {
                prop_assert_eq!(of_a < of_b, radians(a) < radians(b));
            }
        }

        /// Vectors that differ in the last bit: rounded angles tie or swap, the comparison does not, and it
        /// agrees with exact integers.
        #[test]
        fn nearly_parallel_directions_are_distinguished(
            x in -LARGE..LARGE,
            y in -LARGE..LARGE,
            by in -2i64..=2,
            up in -2i64..=2,
        ) {
            prop_assume!((x, y) != (0, 0) && (x + by, y + up) != (0, 0));
            let (a, b) = ((x as f64, y as f64), ((x + by) as f64, (y + up) as f64));
            let angles = (diamond_angle(a.0, a.1).unwrap(), diamond_angle(b.0, b.1).unwrap());
            let half = |x: i64, y: i64| y < 0 || (y == 0 && x < 0);
            let cross = i128::from(x) * i128::from(y + up) - i128::from(y) * i128::from(x + by);
            let exact = half(x, y).cmp(&half(x + by, y + up)).then(0.cmp(&cross));
            prop_assert_eq!(compare_directions((0.0, 0.0), (a, b), angles), exact);
        }

        #[test]
        fn it_converts_both_ways(angle in 0.0..4.0f64, turned in 0.0..TAU) {
            let (x, y) = diamond_direction(angle).unwrap();
            prop_assert!((diamond_angle(x, y).unwrap() - angle).abs() < 1e-12);
            prop_assert!(
                (diamond_from_radians(diamond_to_radians(angle).unwrap()).unwrap() - angle).abs() < 1e-12
            );
            prop_assert!(
                (diamond_to_radians(diamond_from_radians(turned).unwrap()).unwrap() - turned).abs() < 1e-12
            );
        }
    }
}
