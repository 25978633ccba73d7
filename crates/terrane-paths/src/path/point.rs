//! Points of lines that need not be samples.

/// A column and a row, which need not be whole.
pub type Point = (f64, f64);

/// The distance between two points, in samples.
pub fn apart(a: Point, b: Point) -> f64 {
    ((b.0 - a.0) * (b.0 - a.0) + (b.1 - a.1) * (b.1 - a.1)).sqrt()
}
