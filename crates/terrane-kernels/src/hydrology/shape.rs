//! A raster's neighbours.

/// Ways out of a sample: none; up (towards row 0), left, right, down; then up and down along the diagonals,
/// left before right. Their places in this list are what maps of receivers hold.
pub const WAYS: [(isize, isize); 9] =
    [(0, 0), (0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];

/// A map's shape, for walking over it.
#[derive(Clone, Copy)]
pub struct Shape {
    pub width: usize,
    pub height: usize,
    pub wrap: bool,
}

impl Shape {
    /// Column and row of a tile.
    #[inline]
    pub fn place(self, at: usize) -> (usize, usize) {
        // Division of 32 bits is much faster; maps have fewer tiles than that.
        ((at as u32 % self.width as u32) as usize, (at as u32 / self.width as u32) as usize)
    }

    /// The tile beside another, if there is one.
    #[inline]
    pub fn beside(self, (column, row): (usize, usize), (dx, dy): (isize, isize)) -> Option<usize> {
        let (x, y) = (column.wrapping_add_signed(dx), row.wrapping_add_signed(dy));
        if x < self.width && y < self.height {
            return Some(y * self.width + x);
        }
        let around = |at: usize, count: usize| if at == count { 0 } else { at.min(count - 1) };
        self.wrap.then(|| around(y, self.height) * self.width + around(x, self.width))
    }

    /// The same where the place's index is known as well: most have all their neighbours, which are found by
    /// adding up.
    #[inline]
    pub fn beside_at(
        self,
        at: usize,
        (column, row): (usize, usize),
        (dx, dy): (isize, isize),
    ) -> Option<usize> {
        let inner = column > 0 && row > 0 && column + 1 < self.width && row + 1 < self.height;
        if inner {
            return Some(at.wrapping_add_signed(dy * self.width as isize + dx));
        }
        self.beside((column, row), (dx, dy))
    }

    /// The sample any offset away, where there is one inside the map.
    pub fn inside(self, (column, row): (usize, usize), (dx, dy): (isize, isize)) -> Option<usize> {
        let (x, y) = (column.checked_add_signed(dx)?, row.checked_add_signed(dy)?);
        (x < self.width && y < self.height).then(|| y * self.width + x)
    }

    /// Whether a tile lies on the border of a map that has one.
    #[inline]
    pub fn on_border(self, (column, row): (usize, usize)) -> bool {
        !self.wrap && (column == 0 || row == 0 || column + 1 == self.width || row + 1 == self.height)
    }
}
