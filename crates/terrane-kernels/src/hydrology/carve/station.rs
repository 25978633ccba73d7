//! Points of courses.

/// A point of a course.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Station {
    /// World x and y.
    pub point: (f64, f64),
    /// The level of the water.
    pub level: f64,
    /// The width of the water.
    pub width: f64,
    /// The depth of the water in the middle.
    pub depth: f64,
    /// The discharge.
    pub discharge: f64,
    /// The order of the river.
    pub order: f64,
    /// Whether it is on land (1), in a lake (0), or between.
    pub land: f64,
}

impl Station {
    /// The station between two others.
    pub(super) fn between(&self, other: &Self, share: f64) -> Self {
        let mix = |a: f64, b: f64| a + (b - a) * share;
        Self {
            point: (mix(self.point.0, other.point.0), mix(self.point.1, other.point.1)),
            level: mix(self.level, other.level),
            width: mix(self.width, other.width),
            depth: mix(self.depth, other.depth),
            discharge: mix(self.discharge, other.discharge),
            order: if share < 0.5 { self.order } else { other.order },
            land: mix(self.land, other.land),
        }
    }

    /// The distance to another one.
    pub(super) fn distance(&self, other: &Self) -> f64 {
        let (x, y) = (other.point.0 - self.point.0, other.point.1 - self.point.1);
        (x * x + y * y).sqrt()
    }
}
