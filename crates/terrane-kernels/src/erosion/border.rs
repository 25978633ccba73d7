//! How water behaves at an open map's border.

/// How water behaves at one side of an open map. In a corner, where two sides meet, the later variant in this
/// list applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Border {
    /// A wall: water cannot leave, as in the paper.
    Wall,
    /// Water leaves where no neighbour is lower, and where the lowest pass of a basin is on the border.
    Outflow,
    /// Water leaves everywhere, and heights do not change.
    Fixed,
}

/// A value for each side of a map; the top is row 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides<T> {
    /// Row 0.
    pub top: T,
    /// Column 0.
    pub left: T,
    /// The last column.
    pub right: T,
    /// The last row.
    pub bottom: T,
}

impl<T: Copy + Ord> Sides<T> {
    /// The same value on all sides.
    pub const fn all(side: T) -> Self {
        Self { top: side, left: side, right: side, bottom: side }
    }

    /// The value of the side that a sample lies on: the maximum if it lies on several sides, `None` if on
    /// none.
    pub fn of(&self, (column, row): (usize, usize), (width, height): (usize, usize)) -> Option<T> {
        let sides = [
            (row == 0, self.top),
            (column == 0, self.left),
            (column + 1 == width, self.right),
            (row + 1 == height, self.bottom),
        ];
        sides.into_iter().filter(|(here, _)| *here).map(|(_, side)| side).max()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_belong_to_the_later_side() {
        let sides =
            Sides { top: Border::Wall, left: Border::Fixed, right: Border::Outflow, bottom: Border::Wall };
        let of = |column, row| sides.of((column, row), (4, 3));
        assert_eq!(of(1, 1), None);
        assert_eq!([of(0, 0), of(0, 1), of(0, 2)], [Some(Border::Fixed); 3]);
        assert_eq!([of(1, 0), of(2, 2)], [Some(Border::Wall); 2]);
        assert_eq!([of(3, 0), of(3, 1), of(3, 2)], [Some(Border::Outflow); 3]);
        // A map of one sample lies on all sides.
        assert_eq!(sides.of((0, 0), (1, 1)), Some(Border::Fixed));
    }
}
