//! On which side of a line a place lies, and whether two segments meet: decided exactly.

use robust::{Coord, orient2d};

/// Whether two segments meet at a place that is not an end of both.
pub fn meet_elsewhere([a, b]: [(f64, f64); 2], [c, d]: [(f64, f64); 2]) -> bool {
    let (of_c, of_d, of_a, of_b) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if of_c == 0.0 && of_d == 0.0 {
        // On one line: their extents overlap by more than a place.
        let along = |p: (f64, f64)| if a.0 == b.0 { p.1 } else { p.0 };
        let (low, high) = (along(a).min(along(b)), along(a).max(along(b)));
        return along(c).min(along(d)) < high && low < along(c).max(along(d));
    }
    let apart = |p: f64, q: f64| (p > 0.0 && q > 0.0) || (p < 0.0 && q < 0.0);
    if apart(of_c, of_d) || apart(of_a, of_b) {
        return false;
    }
    // They meet at one place. At a common end nothing is wrong.
    !(a == c || a == d || b == c || b == d)
}

/// Above 0 if three places turn counter-clockwise (x to the right, y up), below 0 if clockwise, 0 on one
/// line: exact in its sign.
pub fn turn(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    let coord = |(x, y): (f64, f64)| Coord { x, y };
    // Adding zero makes -0 the same as 0.
    orient2d(coord(a), coord(b), coord(c)) + 0.0
}
