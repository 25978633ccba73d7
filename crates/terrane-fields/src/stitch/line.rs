//! Straight lines between nodes.

use super::outline::Point;

/// A straight line between two points.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub ends: [Point; 2],
    /// Unit vector from the first end to the second.
    pub along: Point,
    pub length: f64,
}

/// The position of a sample relative to one side of a line.
#[derive(Clone, Copy, Debug)]
pub struct FromLine {
    /// Distance along the line of the point nearest to the sample.
    pub along: f64,
    /// Distance in front of the line, negative behind it.
    pub before: f64,
    /// Square of the distance to the nearest point.
    pub square: f64,
    /// Distance past the last end, or negative before the first, in the line's direction.
    pub past: f64,
}

impl Line {
    /// The line between two points; `None` if it has no length.
    pub fn new(ends: [Point; 2]) -> Option<Self> {
        let [a, b] = ends;
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = (dx * dx + dy * dy).sqrt();
        (length > 0.0 && length.is_finite()).then_some(Self {
            ends,
            along: (dx / length, dy / length),
            length,
        })
    }

    /// The point at a distance along the line.
    pub fn point(&self, along: f64) -> Point {
        (self.ends[0].0 + along * self.along.0, self.ends[0].1 + along * self.along.1)
    }

    /// The unit vector from the line towards a side: 0 is the left, 1 the right.
    pub fn inward(&self, side: usize) -> Point {
        if side == 0 { (-self.along.1, self.along.0) } else { (self.along.1, -self.along.0) }
    }

    /// Whether the boxes around two lines are within a distance of each other.
    pub fn within(&self, other: &Self, distance: f64) -> bool {
        let apart = |of: fn(Point) -> f64| {
            let [a, b] = [self, other].map(|line| line.ends.map(of));
            (a[0].min(a[1]) - b[0].max(b[1])).max(b[0].min(b[1]) - a[0].max(a[1]))
        };
        apart(|end| end.0) <= distance && apart(|end| end.1) <= distance
    }

    /// A point as seen from a side.
    #[inline(always)]
    pub fn see(&self, side: usize, (x, y): Point) -> FromLine {
        let (dx, dy) = (x - self.ends[0].0, y - self.ends[0].1);
        let at = dx * self.along.0 + dy * self.along.1;
        let left = self.along.0 * dy - self.along.1 * dx;
        let before = if side == 0 { left } else { -left };
        let low = if at > 0.0 { at } else { 0.0 };
        let along = if low < self.length { low } else { self.length };
        let past = at - along;
        FromLine { along, before, square: before * before + past * past, past }
    }

    /// A point relative to one side of a line, measured within the field on that side: a point behind the
    /// line counts around the nearer end.
    #[inline(always)]
    pub fn see_around(&self, side: usize, at: Point, behind: f64) -> FromLine {
        let seen = self.see(side, at);
        let end = if seen.along + seen.along < self.length { 0.0 } else { self.length };
        let around = seen.before < behind && seen.past == 0.0;
        let along = if around { end } else { seen.along };
        let past = seen.along + seen.past - along;
        FromLine { along, past, square: seen.before * seen.before + past * past, ..seen }
    }

    /// The interval of world x in which a row at `y` is within `distance`; `None` if empty.
    pub fn span(&self, y: f64, distance: f64) -> Option<(f64, f64)> {
        let mut span: Option<(f64, f64)> = None;
        let mut reach = |x: f64| {
            let (low, high) = span.unwrap_or((x, x));
            span = Some((low.min(x), high.max(x)));
        };
        for end in self.ends {
            let down = y - end.1;
            if down.abs() <= distance {
                let half = (distance * distance - down * down).max(0.0).sqrt();
                reach(end.0 - half);
                reach(end.0 + half);
            }
        }
        let normal = (-self.along.1 * distance, self.along.0 * distance);
        for sign in [-1.0, 1.0] {
            let [a, b] = self.ends.map(|end| (end.0 + sign * normal.0, end.1 + sign * normal.1));
            if (a.1 <= y) != (b.1 <= y) {
                reach(a.0 + (b.0 - a.0) * ((y - a.1) / (b.1 - a.1)));
            }
        }
        span
    }
}
