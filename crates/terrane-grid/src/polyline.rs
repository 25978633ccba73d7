//! Lines in world coordinates.

/// A line through points in world coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Polyline {
    /// The points in order.
    pub points: Vec<(f64, f64)>,
    /// Whether the last point connects to the first.
    pub closed: bool,
}

impl Polyline {
    /// The pairs of consecutive points, in order.
    pub fn segments(&self) -> impl Iterator<Item = ((f64, f64), (f64, f64))> {
        let back = match (&self.points[..], self.closed) {
            ([first, .., last], true) => Some((*last, *first)),
            _ => None,
        };
        self.points.windows(2).map(|pair| (pair[0], pair[1])).chain(back)
    }

    /// The length of the line.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.segments()
            .map(|((ax, ay), (bx, by))| ((bx - ax) * (bx - ax) + (by - ay) * (by - ay)).sqrt())
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_line_returns_to_its_start() {
        let mut line = Polyline { points: vec![(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)], closed: false };
        assert_eq!(line.length(), 7.0);
        line.closed = true;
        assert_eq!(line.length(), 12.0);
        assert_eq!(line.segments().last(), Some(((3.0, 4.0), (0.0, 0.0))));
        assert_eq!(Polyline { points: vec![(1.0, 1.0)], closed: true }.length(), 0.0);
    }
}
