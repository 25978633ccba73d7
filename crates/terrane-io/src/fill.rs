//! Missing samples, filled smoothly.
//!
//! Coarser and coarser means of what is known are made, and gaps are filled from the finest level that knows something,
//! coarse to fine and smoothed once a level. Linear in samples, and the same on every machine.

use terrane_grid::Grid;

/// Fills samples whose mask is false; `None` when all are missing.
pub fn fill(grid: Grid<f32>, known: &Grid<bool>) -> Option<Grid<f32>> {
    if known.as_slice().iter().all(|known| *known) {
        return Some(grid);
    }
    if !known.as_slice().iter().any(|known| *known) {
        return None;
    }
    let (w, h) = grid.size();
    if w == 1 && h == 1 {
        return Some(grid);
    }
    let (coarse, coarse_known) = halve(&grid, known);
    let coarse = fill(coarse, &coarse_known)?;
    let mut out = grid;
    for row in 0..h {
        for column in 0..w {
            if !known[(column, row)] {
                out[(column, row)] = between(&coarse, column, row);
            }
        }
    }
    Some(out)
}

/// Means of two by two samples, where any of them is known.
fn halve(grid: &Grid<f32>, known: &Grid<bool>) -> (Grid<f32>, Grid<bool>) {
    let (w, h) = grid.size();
    let size = (w.div_ceil(2), h.div_ceil(2));
    let mut coarse_known = Grid::filled(size.0, size.1, false);
    let coarse = Grid::from_fn(size.0, size.1, |column, row| {
        let (mut sum, mut count) = (0.0f64, 0u32);
        for y in 2 * row..(2 * row + 2).min(h) {
            for x in 2 * column..(2 * column + 2).min(w) {
                if known[(x, y)] {
                    sum += f64::from(grid[(x, y)]);
                    count += 1;
                }
            }
        }
        coarse_known[(column, row)] = count > 0;
        if count > 0 { (sum / f64::from(count)) as f32 } else { 0.0 }
    });
    (coarse, coarse_known)
}

/// The coarse grid at a fine sample, bilinearly: coarse samples stand in the middle of two by two fine ones.
fn between(coarse: &Grid<f32>, column: usize, row: usize) -> f32 {
    let place = |fine: usize, count: usize| {
        let near = fine / 2;
        let far = if fine.is_multiple_of(2) { near.saturating_sub(1) } else { (near + 1).min(count - 1) };
        (near, far)
    };
    let ((x, far_x), (y, far_y)) = (place(column, coarse.width()), place(row, coarse.height()));
    0.5625 * coarse[(x, y)]
        + 0.1875 * (coarse[(far_x, y)] + coarse[(x, far_y)])
        + 0.0625 * coarse[(far_x, far_y)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_lie_between_their_surroundings_and_the_rest_stays() {
        let grid = Grid::from_fn(33, 20, |x, _| if (8..20).contains(&x) { -9999.0 } else { x as f32 });
        let known = grid.map(|h| *h != -9999.0);
        let filled = fill(grid.clone(), &known).unwrap();
        for row in 0..20 {
            for column in 0..33 {
                let value = filled[(column, row)];
                if known[(column, row)] {
                    assert_eq!(value, grid[(column, row)]);
                } else {
                    assert!((0.0..=32.0).contains(&value), "{value}");
                }
            }
        }
    }

    #[test]
    fn nothing_known_is_nothing() {
        assert_eq!(fill(Grid::filled(3, 3, 0.0), &Grid::filled(3, 3, false)), None);
    }
}
