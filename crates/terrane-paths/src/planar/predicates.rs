//! Exact geometric predicates: on which side of a line a point lies, and whether two segments meet.

use robust::{Coord, orient2d};

/// Whether two segments meet at a point that is not an end of both.
pub fn meet_elsewhere([a, b]: [(f64, f64); 2], [c, d]: [(f64, f64); 2]) -> bool {
    let (of_c, of_d, of_a, of_b) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if of_c == 0.0 && of_d == 0.0 {
        // Collinear: their extents overlap in more than a point.
        let along = |p: (f64, f64)| if a.0 == b.0 { p.1 } else { p.0 };
        let (low, high) = (along(a).min(along(b)), along(a).max(along(b)));
        return along(c).min(along(d)) < high && low < along(c).max(along(d));
    }
    let apart = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    if apart(of_c, of_d) || apart(of_a, of_b) {
        return false;
    }
    // They meet at one point. A common end is allowed.
    !(a == c || a == d || b == c || b == d)
}

/// Positive if three points turn counter-clockwise (x to the right, y up), negative if clockwise, 0 if
/// collinear; the sign is exact.
pub fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    let coord = |(x, y): (f64, f64)| Coord { x, y };
    // Adding zero turns -0 into 0.
    orient2d(coord(a), coord(b), coord(c)) + 0.0
}
