//! Masks of fields with soft borders.

use crate::parallel::{slices, try_for_each};
use terrane_grid::{Domain, Grid, Heightmap};

use crate::{Cancelled, Progress};

/// A line between two points of the world.
pub type Line = ((f64, f64), (f64, f64));

/// Rows per task.
const ROWS: usize = 16;

/// A mask that changes smoothly across a border: 1 at a distance inside of it, 1/2 on it, 0 at the same
/// distance outside, with slope 0 at both ends.
///
/// `within` marks the samples inside, `lines` are the border. With a distance of 0 the mask is 1 inside and 0
/// outside. A value depends only on a sample's position and on lines within the distance. O(samples + samples
/// within the distance · lines in reach).
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
///
/// # Panics
/// If `within` does not have the domain's size.
pub fn faded(
    within: &Grid<bool>,
    lines: &[Line],
    distance: f64,
    domain: &Domain,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    assert_eq!(within.size(), domain.size, "mask and domain differ in size");
    let (width, height) = domain.size;
    let mut mask = vec![0.0f32; domain.len()];
    if mask.is_empty() {
        return Ok(Heightmap::from_vec(*domain, mask));
    }
    let index = |world: f64, origin: f64, count: usize| {
        ((world - origin) / domain.spacing).floor().clamp(-1.0, count as f64) as i64
    };
    // Columns or rows that a line can reach, with one extra on each side.
    let span = |a: f64, b: f64, origin: f64, count: usize| {
        let first = index(a.min(b) - distance, origin, count).max(0) as usize;
        let last = (index(a.max(b) + distance, origin, count) + 2).clamp(0, count as i64) as usize;
        first.min(last)..last
    };
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); height.div_ceil(ROWS)];
    for (&(a, b), line) in lines.iter().zip(0..) {
        let rows = span(a.1, b.1, domain.origin.1, height);
        if !rows.is_empty() {
            near[rows.start / ROWS..=(rows.end - 1) / ROWS].iter_mut().for_each(|list| list.push(line));
        }
    }
    try_for_each(slices(&mut mask, width * ROWS), 1, |chunk, mask| {
        let mut squares = vec![0.0f64; width];
        for (row, mask) in mask.chunks_mut(width).enumerate() {
            let row = chunk * ROWS + row;
            let y = domain.y(row);
            squares.fill(distance * distance);
            for &(a, b) in near[chunk].iter().map(|&line| &lines[line as usize]) {
                for column in span(a.0, b.0, domain.origin.0, width) {
                    let square = &mut squares[column];
                    *square = square.min(apart((domain.x(column), y), a, b));
                }
            }
            for ((mask, square), within) in mask.iter_mut().zip(&squares).zip(within.row(row)) {
                let far = if distance > 0.0 { square.sqrt() / distance } else { 1.0 };
                let across = if *within { 0.5 + 0.5 * far } else { 0.5 - 0.5 * far };
                *mask = (across * across * (3.0 - 2.0 * across)) as f32;
            }
        }
        progress.report(((chunk + 1) * ROWS).min(height) as f64 / height as f64)
    })?;
    Ok(Heightmap::from_vec(*domain, mask))
}

/// The squared distance of a point from a line.
fn apart((x, y): (f64, f64), a: (f64, f64), b: (f64, f64)) -> f64 {
    let ((dx, dy), (px, py)) = ((b.0 - a.0, b.1 - a.1), (x - a.0, y - a.1));
    let long = dx * dx + dy * dy;
    let along = if long > 0.0 { ((px * dx + py * dy) / long).clamp(0.0, 1.0) } else { 0.0 };
    let (ex, ey) = (px - along * dx, py - along * dy);
    ex * ex + ey * ey
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Silent;

    #[test]
    fn a_border_is_a_half() {
        let domain = Domain::new(9, 1);
        let within = Grid::from_fn(9, 1, |column, _| column >= 4);
        let line = ((4.0, -50.0), (4.0, 50.0));
        let mask = faded(&within, &[line], 2.0, &domain, &Silent).unwrap();
        // Half-way to the side: a quarter of the way across, 3/16 − 2/64.
        assert_eq!(mask.samples(), [0.0, 0.0, 0.0, 0.15625, 0.5, 0.84375, 1.0, 1.0, 1.0]);
        let hard = faded(&within, &[line], 0.0, &domain, &Silent).unwrap();
        assert_eq!(hard.samples(), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
        assert!(
            faded(&Grid::from_fn(0, 3, |_, _| true), &[line], 1.0, &Domain::new(0, 3), &Silent)
                .unwrap()
                .samples()
                .is_empty()
        );
    }

    proptest! {
        /// Compares with a check of all lines for every sample, and a window with the whole map.
        #[test]
        fn all_lines_are_seen(
            ends in proptest::collection::vec((-9.0..40.0f64, -9.0..40.0f64), 2..12),
            distance in 0.0..15.0f64, window in (0usize..30, 0usize..30),
        ) {
            let domain = Domain::new(41, 37).with_spacing(0.5).with_origin(3.0, -2.0);
            let lines: Vec<Line> = ends.windows(2).map(|pair| (pair[0], pair[1])).collect();
            let inside = |x: f64, y: f64| x + y > 15.0;
            let of = |domain: &Domain| {
                let within = Grid::from_fn(domain.width(), domain.height(), |column, row| {
                    inside(domain.x(column), domain.y(row))
                });
                faded(&within, &lines, distance, domain, &Silent).unwrap()
            };
            let mask = of(&domain);
            for row in 0..37 {
                for column in 0..41 {
                    let at = (domain.x(column), domain.y(row));
                    let near = lines.iter().map(|&(a, b)| apart(at, a, b).sqrt()).fold(distance, f64::min);
                    let far = if distance > 0.0 { near / distance } else { 1.0 };
                    let across = if inside(at.0, at.1) { 0.5 + 0.5 * far } else { 0.5 - 0.5 * far };
                    let expected = across * across * (3.0 - 2.0 * across);
                    prop_assert!((f64::from(mask[(column, row)]) - expected).abs() < 1e-6);
                }
            }
            let part =
                of(&Domain::new(7, 5).with_spacing(0.5).with_origin(domain.x(window.0), domain.y(window.1)));
            for row in 0..5 {
                for column in 0..7 {
                    prop_assert_eq!(
                        part[(column, row)].to_bits(),
                        mask[(column + window.0, row + window.1)].to_bits()
                    );
                }
            }
        }
    }
}
