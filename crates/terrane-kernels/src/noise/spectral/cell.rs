//! Positions inside the cells of a lattice, and weights of interpolation.

/// The cell that holds a position measured in cells, and the position inside it.
pub fn locate(position: f64) -> (i64, f32) {
    let (cell, inside) = split(position);
    (cell.clamp(-4.0e18, 4.0e18) as i64, inside)
}

/// The start of the cell that holds a position measured in cells, and the position inside it.
#[inline(always)]
pub fn split(position: f64) -> (f64, f32) {
    let cell = position.floor();
    // A fraction that rounds up to 1 in f32 is the end of this cell, where values have the same bits as at
    // the start of the next cell.
    (cell, (position - cell) as f32)
}

/// The weights of four points in a row at the position `t` between the middle two.
#[inline(always)]
pub fn catmull_rom(t: f32) -> [f32; 4] {
    [
        ((-0.5 * t + 1.0) * t - 0.5) * t,
        (1.5 * t - 2.5) * t * t + 1.0,
        ((-1.5 * t + 2.0) * t + 0.5) * t,
        (0.5 * t - 0.5) * t * t,
    ]
}
