//! The path of a straight line over the cells of a map, and over blocks of 2 × 2, 4 × 4, … of them.

/// A line over a map, and the cell that it has reached.
///
/// A block of level `l` has 2ˡ × 2ˡ cells, and starts at a multiple of 2ˡ in both axes.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The corner of a cell. Positions are counted from it, so that rounding does not depend on where in the
    /// map the line starts.
    origin: [usize; 2],
    from: [f64; 2],
    direction: [f64; 2],
    inverse: [f64; 2],
    /// Cells of the map in columns and rows.
    cells: [usize; 2],
    /// The cell that the line is in.
    pub cell: [usize; 2],
    /// The distance along the line at which it leaves the map.
    pub end: f64,
}

/// Where a line leaves a block.
#[derive(Clone, Copy, Debug)]
pub struct Exit {
    /// The distance along the line.
    pub at: f64,
    /// The axis that is perpendicular to the side through which the line leaves.
    axis: usize,
}

impl Walk {
    /// A line from the position `from`, counted from the corner `origin`, or `None` if the line misses the
    /// map.
    #[inline]
    pub fn new(cells: [usize; 2], origin: [usize; 2], from: [f64; 2], direction: [f64; 2]) -> Option<Self> {
        let inverse = direction.map(|d| 1.0 / d);
        let mut walk = Self { origin, from, direction, inverse, cells, cell: [0, 0], end: f64::INFINITY };
        let mut begin = 0.0f64;
        for axis in 0..2 {
            let (low, high) =
                (walk.counted(axis, 0) - from[axis], walk.counted(axis, cells[axis]) - from[axis]);
            if direction[axis] == 0.0 {
                if low > 0.0 || high < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (low * inverse[axis], high * inverse[axis]);
            begin = begin.max(a.min(b));
            walk.end = walk.end.min(a.max(b));
        }
        walk.cell = [walk.nearest(0, begin, 0, cells[0]), walk.nearest(1, begin, 0, cells[1])];
        (begin < walk.end).then_some(walk)
    }

    /// The column or row of the cell at a point of the line, clamped to those of a block.
    #[inline]
    fn nearest(&self, axis: usize, at: f64, first: usize, after: usize) -> usize {
        let position = (self.from[axis] + self.direction[axis] * at)
            .clamp(self.counted(axis, first), self.counted(axis, after));
        // Rounds down without a function call, because the baseline of x86-64 has no instruction for it.
        let whole = position as i64 - i64::from((position as i64) as f64 > position);
        (whole + self.origin[axis] as i64).clamp(first as i64, after as i64 - 1) as usize
    }

    /// The position of the boundary before a column or row, counted from the origin.
    #[inline]
    fn counted(&self, axis: usize, line: usize) -> f64 {
        (line as i64 - self.origin[axis] as i64) as f64
    }

    /// The position within the cell at a point of the line: from 0 to 1 on each axis, except for rounding.
    #[inline]
    pub fn within(&self, at: f64) -> [f64; 2] {
        [0, 1].map(|axis| self.from[axis] + self.direction[axis] * at - self.counted(axis, self.cell[axis]))
    }

    /// The distance along the line to one of a block's two sides that are perpendicular to an axis: the side
    /// that the line reaches first or, if `far`, last.
    #[inline]
    fn side(&self, axis: usize, level: u32, far: bool) -> f64 {
        if self.direction[axis] == 0.0 {
            return if far { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        let block = self.cell[axis] >> level;
        let line = block + usize::from((self.direction[axis] > 0.0) == far);
        (self.counted(axis, (line << level).min(self.cells[axis])) - self.from[axis]) * self.inverse[axis]
    }

    /// Where the line enters the cell.
    #[inline]
    pub fn enters(&self) -> f64 {
        self.side(0, 0, false).max(self.side(1, 0, false))
    }

    /// Where the line leaves its current block of a level.
    #[inline]
    pub fn exit(&self, level: u32) -> Exit {
        let (x, y) = (self.side(0, level, true), self.side(1, level, true));
        if x <= y { Exit { at: x, axis: 0 } } else { Exit { at: y, axis: 1 } }
    }

    /// Moves to the cell beyond the exit of a block, or returns `None` at the end of the map.
    #[inline]
    pub fn pass(&mut self, level: u32, exit: Exit) -> Option<()> {
        let (axis, other) = (exit.axis, 1 - exit.axis);
        let first = self.cell[axis] >> level << level;
        self.cell[axis] =
            if self.direction[axis] > 0.0 { first + (1 << level) } else { first.checked_sub(1)? };
        let first = self.cell[other] >> level << level;
        let after = (first + (1 << level)).min(self.cells[other]);
        self.cell[other] = self.nearest(other, exit.at, first, after);
        (self.cell[axis] < self.cells[axis]).then_some(())
    }
}
