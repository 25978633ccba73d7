//! Straight lines of samples (Bresenham 1965).

/// A sample, as column and row relative to some first sample.
pub type Place = (i64, i64);

/// A rectangle of samples, from `low` to `high` inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The first sample.
    pub low: Place,
    /// The last sample.
    pub high: Place,
}

impl Frame {
    /// Whether a sample is inside.
    #[must_use]
    pub const fn contains(&self, (x, y): Place) -> bool {
        self.low.0 <= x && x <= self.high.0 && self.low.1 <= y && y <= self.high.1
    }
}

/// The line between two samples, along the axis on which they are farther apart.
struct Line {
    steep: bool,
    from: Place,
    run: i128,
    rise: i128,
}

impl Line {
    /// The same for either order of the ends.
    fn new(a: Place, b: Place) -> Self {
        let steep = a.1.abs_diff(b.1) > a.0.abs_diff(b.0);
        let (a, b) = (turned(steep, a), turned(steep, b));
        let (from, to) = (a.min(b), a.max(b));
        Self { steep, from, run: i128::from(to.0 - from.0), rise: i128::from(to.1 - from.1) }
    }

    /// The sample at a position along the axis. If two are equally near, the one farther along the other
    /// axis.
    fn at(&self, along: i64) -> Place {
        let twice = 2 * i128::from(along - self.from.0) * self.rise + self.run;
        let across = if self.run > 0 { twice.div_euclid(2 * self.run) as i64 } else { 0 };
        turned(self.steep, (along, self.from.1 + across))
    }

    /// The sample nearest to where the line crosses a position on the other axis, which must lie between the
    /// ends.
    fn across(&self, across: i64) -> Place {
        let towards = i128::from(across - self.from.1) * self.rise.signum();
        let twice = 2 * towards * self.run + self.rise.abs();
        self.at(self.from.0 + twice.div_euclid(2 * self.rise.abs()) as i64)
    }
}

const fn turned(steep: bool, (x, y): Place) -> Place {
    if steep { (y, x) } else { (x, y) }
}

/// The samples nearest to the straight line between two samples, from the first to the second, as far as they
/// are inside a frame. There is one per column, or one per row of a steep line. They depend only on the ends,
/// in either order.
#[must_use]
pub fn straight(from: Place, to: Place, within: Frame) -> Vec<Place> {
    let line = Line::new(from, to);
    let axis = |place: Place| turned(line.steep, place).0;
    let (low, high) =
        (axis(within.low).max(axis(from).min(axis(to))), axis(within.high).min(axis(from).max(axis(to))));
    let mut samples: Vec<Place> =
        (low..=high).map(|along| line.at(along)).filter(|&place| within.contains(place)).collect();
    if axis(from) > axis(to) {
        samples.reverse();
    }
    samples
}

/// The sample where the line between two samples in different columns crosses a column.
#[must_use]
pub fn at_column(from: Place, to: Place, column: i64) -> Place {
    let line = Line::new(from, to);
    if line.steep { line.across(column) } else { line.at(column) }
}

/// The sample where the line between two samples in different rows crosses a row.
#[must_use]
pub fn at_row(from: Place, to: Place, row: i64) -> Place {
    let line = Line::new(from, to);
    if line.steep { line.at(row) } else { line.across(row) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ALL: Frame = Frame { low: (-1000, -1000), high: (1000, 1000) };

    #[test]
    fn lines_by_hand() {
        assert_eq!(straight((0, 0), (4, 2), ALL), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2)]);
        assert_eq!(straight((1, 3), (0, 0), ALL), [(1, 3), (1, 2), (0, 1), (0, 0)]);
        assert_eq!(straight((2, 2), (2, 2), ALL), [(2, 2)]);
        let right = Frame { low: (3, 0), high: (9, 9) };
        assert_eq!(straight((4, 2), (0, 0), right), [(4, 2), (3, 2)]);
    }

    proptest! {
        #[test]
        fn lines_are_close_and_the_same_in_both_directions(
            a in (-40i64..40, -40i64..40),
            b in (-40i64..40, -40i64..40),
            low in (-40i64..0, -40i64..0),
            high in (0i64..40, 0i64..40)
        ) {
            let line = straight(a, b, ALL);
            let mut back = straight(b, a, ALL);
            back.reverse();
            prop_assert_eq!(&line, &back);
            prop_assert_eq!((line[0], line[line.len() - 1]), (a, b));
            for pair in line.windows(2) {
                prop_assert!(pair[0].0.abs_diff(pair[1].0).max(pair[0].1.abs_diff(pair[1].1)) == 1);
            }
            // Each sample is off the line by half a sample at most, along the shorter axis.
            let (dx, dy) = ((b.0 - a.0) as f64, (b.1 - a.1) as f64);
            for &(x, y) in &line {
                let cross = ((x - a.0) as f64 * dy - (y - a.1) as f64 * dx).abs();
                prop_assert!(cross <= 0.5 * dx.abs().max(dy.abs()) + 1e-9);
            }
            let frame = Frame { low, high };
            let inside: Vec<Place> = line.into_iter().filter(|&place| frame.contains(place)).collect();
            prop_assert_eq!(straight(a, b, frame), inside);
        }
    }
}
