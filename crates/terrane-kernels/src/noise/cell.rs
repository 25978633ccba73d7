//! The polynomial through heights and slopes at the corners of a cell, in any number of dimensions.

/// The corners of a cell of `D` dimensions with their heights and slopes.
///
/// Corner `i` is at 1 along axis `a` if bit `a` of `i` is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell<const D: usize, const CORNERS: usize> {
    /// Height of each corner.
    pub heights: [f32; CORNERS],
    /// Slopes of each corner along each axis, per cell side.
    pub slopes: [[f32; D]; CORNERS],
}

/// D1M1N3: the cubic through heights and slopes at both ends.
pub type Cell1 = Cell<1, 2>;

/// D2M1N3: the paper's polynomial.
pub type Cell2 = Cell<2, 4>;

/// D3M1N3: the same in space.
pub type Cell3 = Cell<3, 8>;

impl<const D: usize, const CORNERS: usize> Cell<D, CORNERS> {
    /// Asserts that `CORNERS` is 2ᴰ.
    const CUBE: () = assert!(CORNERS == 1 << D, "a cell of D dimensions has 2ᴰ corners");

    /// The height at a position in [0, 1] along each axis.
    ///
    /// This is DdM1N3 (Thorimbert & Chopard 2018, sections 2 and 3.4) in a form without coefficients. For
    /// each axis, the cubics along the edges parallel to the axis are blended linearly along the other axes.
    /// The sum over all axes contains the multilinear blend of heights D times. All but one of these are
    /// subtracted.
    #[must_use]
    pub fn at(&self, position: [f32; D]) -> f32 {
        let () = Self::CUBE;
        let mut sum = 0.0;
        for corner in 0..CORNERS {
            let share =
                |axis: usize| if corner >> axis & 1 == 1 { position[axis] } else { 1.0 - position[axis] };
            let all: f32 = (0..D).map(share).product();
            sum -= (D as f32 - 1.0) * all * self.heights[corner];
            for axis in 0..D {
                let across: f32 = (0..D).filter(|&other| other != axis).map(share).product();
                // The parts of the cubic along this axis that the corner's height and slope contribute.
                let (near, away) = (share(axis), 1.0 - share(axis));
                let direction = if corner >> axis & 1 == 1 { -1.0 } else { 1.0 };
                let height = near * near * (3.0 - 2.0 * near) * self.heights[corner];
                let slope = away * near * near * direction * self.slopes[corner][axis];
                sum += across * (height + slope);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_a_line_by_hand() {
        // The heights give ½·0 + ½·1. The slopes 1 and −2 add ⅛·(1 + 2).
        let line = Cell1 { heights: [0.0, 1.0], slopes: [[1.0], [-2.0]] };
        assert_eq!(line.at([0.5]), 0.5 + 3.0 / 8.0);
        assert_eq!((line.at([0.0]), line.at([1.0])), (0.0, 1.0));
    }
}
