//! The neighbours of a raster's samples.

/// Directions of drainage: none; up (towards row 0), left, right, down; then the diagonals, up before down
/// and left before right. Maps of receivers hold indices into this list.
pub const DIRECTIONS: [(isize, isize); 9] =
    [(0, 0), (0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A raster's size, and whether the raster wraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// Whether opposite borders are adjacent.
    pub wrap: bool,
}

impl Shape {
    /// Column and row of a sample.
    #[must_use]
    #[inline]
    pub fn position(self, at: usize) -> (usize, usize) {
        // 32-bit division is much faster; maps have fewer samples than 2³².
        ((at as u32 % self.width as u32) as usize, (at as u32 / self.width as u32) as usize)
    }

    /// The neighbour at an offset; `None` beyond the border of an open map.
    #[must_use]
    #[inline]
    pub fn neighbour(self, (column, row): (usize, usize), (dx, dy): (isize, isize)) -> Option<usize> {
        let (x, y) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
        if x < self.width && y < self.height {
            return Some(y * self.width + x);
        }
        let around = |at: usize, count: usize| if at == count { 0 } else { at.min(count - 1) };
        self.wrap.then(|| around(y, self.height) * self.width + around(x, self.width))
    }

    /// Like [`neighbour`](Self::neighbour), but faster, for callers that also know the sample's index.
    /// Samples that are not on the border have all neighbours, whose indices are found by addition.
    #[must_use]
    #[inline]
    pub fn neighbour_at(
        self,
        at: usize,
        (column, row): (usize, usize),
        (dx, dy): (isize, isize),
    ) -> Option<usize> {
        let inner = column > 0 && row > 0 && column + 1 < self.width && row + 1 < self.height;
        if inner {
            return Some(at.wrapping_add_signed(dy * self.width as isize + dx));
        }
        self.neighbour((column, row), (dx, dy))
    }

    /// The offset from a sample to its neighbour `to`, across the seam of a torus too.
    #[must_use]
    #[inline]
    pub fn step(self, at: usize, to: usize) -> (isize, isize) {
        let apart = to as isize - at as isize;
        let width = self.width as isize;
        // Far from a seam, a neighbour is at most one row and one column away.
        if width > 2 && !self.wrap {
            let dy = if apart > 1 { 1 } else { -isize::from(apart < -1) };
            return (apart - dy * width, dy);
        }
        let (a, b) = (self.position(at), self.position(to));
        let along = |a: usize, b: usize, count: usize| {
            let apart = b as isize - a as isize;
            let round = self.wrap && 2 * apart.unsigned_abs() > count;
            if round { apart - apart.signum() * count as isize } else { apart }
        };
        (along(a.0, b.0, self.width), along(a.1, b.1, self.height))
    }

    /// The sample at any offset, without wrapping: `None` beyond the border.
    #[must_use]
    pub fn inside(self, (column, row): (usize, usize), (dx, dy): (isize, isize)) -> Option<usize> {
        let (x, y) = (column.checked_add_signed(dx)?, row.checked_add_signed(dy)?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Whether a sample lies on the border of an open map.
    #[must_use]
    #[inline]
    pub fn on_border(self, (column, row): (usize, usize)) -> bool {
        !self.wrap && (column == 0 || row == 0 || column + 1 == self.width || row + 1 == self.height)
    }
}
