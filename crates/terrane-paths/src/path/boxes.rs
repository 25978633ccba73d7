//! A spatial index of boxes of samples.

use super::straight::Frame;

/// Boxes of samples, indexed by position.
#[derive(Clone, Debug, Default)]
pub struct Boxes {
    levels: Vec<Level>,
}

/// Boxes of similar size, indexed by the square that contains their first sample. The sides of squares are
/// two to the power `power`, and no box is larger.
#[derive(Clone, Debug)]
struct Level {
    power: u32,
    /// Row and column of the square, and the box's number; sorted.
    squares: Vec<(i64, i64, u32)>,
}

/// Boxes smaller than two to this power, in samples, are in squares of that side.
const MIN_POWER: u32 = 6;

impl Boxes {
    /// Indexes boxes, numbered in their order. O(boxes · log boxes).
    #[must_use]
    pub fn new(boxes: impl IntoIterator<Item = Frame>) -> Self {
        let mut levels: Vec<Level> = Vec::new();
        for (Frame { low, high }, number) in boxes.into_iter().zip(0..) {
            let side = high.0.abs_diff(low.0).max(high.1.abs_diff(low.1));
            let power = (u64::BITS - side.leading_zeros()).max(MIN_POWER);
            let at = levels.iter().position(|level| level.power == power).unwrap_or_else(|| {
                levels.push(Level { power, squares: Vec::new() });
                levels.len() - 1
            });
            levels[at].squares.push((low.1 >> power, low.0 >> power, number));
        }
        levels.iter_mut().for_each(|level| level.squares.sort_unstable());
        Self { levels }
    }

    /// Numbers, in order, of all boxes that share a sample with a frame. Some boxes that do not may be
    /// included.
    #[must_use]
    pub fn near(&self, frame: Frame) -> Vec<u32> {
        let mut found: Vec<u32> = self.levels.iter().flat_map(|level| level.near(frame)).collect();
        found.sort_unstable();
        found
    }
}

impl Level {
    fn near(&self, Frame { low, high }: Frame) -> Vec<u32> {
        // A box extends at most into the next square.
        let square = |place: i64| place >> self.power;
        let rows = square(low.1).saturating_sub(1)..=square(high.1);
        let columns = square(low.0).saturating_sub(1)..=square(high.0);
        let mut found = Vec::new();
        let mut rest = &self.squares[self.squares.partition_point(|at| at.0 < *rows.start())..];
        // Goes from one row with boxes to the next, however far apart they are.
        while let Some(&(row, ..)) = rest.first().filter(|at| rows.contains(&at.0)) {
            let here = &rest[rest.partition_point(|at| (at.0, at.1) < (row, *columns.start()))..];
            let inside = here.iter().take_while(|at| at.0 == row && columns.contains(&at.1));
            found.extend(inside.map(|at| at.2));
            rest = &rest[rest.partition_point(|at| at.0 <= row)..];
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn far_and_huge_boxes_are_found() {
        let far = 1 << 40;
        let boxes = [
            Frame { low: (-far, -far), high: (far, far) },
            Frame { low: (5, 5), high: (5, 5) },
            Frame { low: (far, 7), high: (far, 7) },
        ];
        let found = Boxes::new(boxes);
        assert_eq!(found.near(Frame { low: (0, 0), high: (9, 9) }), [0, 1]);
        assert_eq!(found.near(Frame { low: (far - 3, 0), high: (far + 3, 9) }), [0, 2]);
        assert_eq!(found.near(Frame { low: (-far, -far), high: (far, far) }), [0, 1, 2]);
        assert!(Boxes::default().near(boxes[0]).is_empty());
    }

    proptest! {
        #[test]
        fn all_that_share_a_sample_are_found(
            boxes in proptest::collection::vec((-300i64..300, -300i64..300, 0i64..200, 0i64..90), 0..40),
            frame in (-300i64..300, -300i64..300, 0i64..300, 0i64..300),
        ) {
            let of = |(x, y, w, h): (i64, i64, i64, i64)| Frame { low: (x, y), high: (x + w, y + h) };
            let (boxes, frame) = (boxes.into_iter().map(of).collect::<Vec<_>>(), of(frame));
            let found = Boxes::new(boxes.iter().copied()).near(frame);
            prop_assert!(found.is_sorted());
            let along = |a: (i64, i64), b: (i64, i64)| a.0 <= b.1 && b.0 <= a.1;
            for (at, one) in boxes.iter().enumerate() {
                let meets = along((one.low.0, one.high.0), (frame.low.0, frame.high.0))
                    && along((one.low.1, one.high.1), (frame.low.1, frame.high.1));
                prop_assert!(!meets || found.contains(&(at as u32)));
            }
        }
    }
}
