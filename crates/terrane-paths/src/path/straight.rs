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

/// Where the line between two samples crosses the position of another on the axis along which they are
/// farther apart. Patches that share the line find the same position, to rounding.
pub fn beside(from: Place, to: Place, place: Place) -> (f64, f64) {
    let steep = Line::new(from, to).steep;
    let along = turned(steep, place).0;
    let across = crossing(turned(steep, from), turned(steep, to), along);
    if steep { (across, along as f64) } else { (along as f64, across) }
}

/// The position across an axis at which the line between two samples has a position along it. The whole and
/// the rest are exact.
fn crossing(a: Place, b: Place, along: i64) -> f64 {
    let (a, b) = (a.min(b), a.max(b));
    let (run, rise) = (i128::from(b.0 - a.0), i128::from(b.1 - a.1));
    let over = i128::from(along - a.0) * rise;
    let whole = i128::from(a.1) + over.div_euclid(run.max(1));
    whole as f64 + over.rem_euclid(run.max(1)) as f64 / run.max(1) as f64
}

/// The ends of the part of the line between two samples that lies in a frame, from the first to the second.
/// `None` if no part does.
pub fn clipped(from: Place, to: Place, within: Frame) -> Option<[(f64, f64); 2]> {
    let whole = |(x, y): Place| (x as f64, y as f64);
    let flip = |(x, y): Place| (y, x);
    let between = |at: i64, a: i64, b: i64| a.min(b) <= at && at <= a.max(b);
    let mut ends: Vec<(f64, f64)> =
        [from, to].into_iter().filter(|&end| within.contains(end)).map(whole).collect();
    for column in [within.low.0, within.high.0].into_iter().filter(|&at| between(at, from.0, to.0)) {
        let y = crossing(from, to, column);
        if from.0 != to.0 && within.low.1 as f64 <= y && y <= within.high.1 as f64 {
            ends.push((column as f64, y));
        }
    }
    for row in [within.low.1, within.high.1].into_iter().filter(|&at| between(at, from.1, to.1)) {
        let x = crossing(flip(from), flip(to), row);
        if from.1 != to.1 && within.low.0 as f64 <= x && x <= within.high.0 as f64 {
            ends.push((x, row as f64));
        }
    }
    let (dx, dy) = ((to.0 - from.0) as f64, (to.1 - from.1) as f64);
    let along = |&(x, y): &(f64, f64)| x * dx + y * dy;
    let first = *ends.iter().min_by(|a, b| along(a).total_cmp(&along(b)))?;
    let last = *ends.iter().max_by(|a, b| along(a).total_cmp(&along(b)))?;
    (first != last).then_some([first, last])
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

    #[test]
    fn parts_in_a_frame_by_hand() {
        let frame = Frame { low: (0, 0), high: (10, 10) };
        assert_eq!(clipped((-4, 1), (12, 9), frame), Some([(0.0, 3.0), (10.0, 8.0)]));
        assert_eq!(clipped((12, 9), (-4, 1), frame), Some([(10.0, 8.0), (0.0, 3.0)]));
        assert_eq!(clipped((3, 4), (3, 90), frame), Some([(3.0, 4.0), (3.0, 10.0)]));
        assert_eq!(clipped((2, 2), (4, 5), frame), Some([(2.0, 2.0), (4.0, 5.0)]));
        assert_eq!(clipped((-5, 6), (2, 13), frame), None);
        // A corner alone is no part.
        assert_eq!(clipped((-5, 5), (5, -5), frame), None);
        assert_eq!(beside((0, 0), (10, 4), (5, 2)), (5.0, 2.0));
        assert_eq!(beside((0, 0), (4, 10), (1, 3)), (1.2, 3.0));
    }

    proptest! {
        /// Neighbouring patches find the same crossing of their border.
        #[test]
        fn crossings_are_the_same_in_both_patches(
            a in (-90i64..-1, -40i64..40),
            b in (1i64..90, -40i64..40),
        ) {
            let left = Frame { low: (-64, -64), high: (0, 64) };
            let right = Frame { low: (0, 0), high: (64, 128) };
            let moved = |(x, y): Place| (x, y + 64);
            let [_, end] = clipped(a, b, left).unwrap();
            let [start, _] = clipped(moved(a), moved(b), right).unwrap();
            prop_assert_eq!(end.0, start.0);
            prop_assert!((end.1 + 64.0 - start.1).abs() < 1e-12);
        }

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
