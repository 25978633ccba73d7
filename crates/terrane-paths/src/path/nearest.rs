//! The nearest marked sample of every sample (Felzenszwalb & Huttenlocher 2012).

use crate::parallel::{slices, try_for_each_with};

use crate::{Cancelled, Progress};
use terrane_compute::filled;

/// No sample.
pub const NONE: u32 = u32::MAX;

/// Per sample, the nearest of the `marked` samples by Euclidean distance, or [`NONE`] if none is marked. Ties
/// are resolved the same way on any number of threads. O(samples).
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn nearest(
    (width, height): (usize, usize),
    marked: impl Fn(usize) -> bool + Sync,
    progress: &dyn Progress,
) -> Result<Vec<u32>, Cancelled> {
    // Rows of the nearest marked sample in the same column.
    let mut rows = filled(width * height, NONE, progress)?;
    let check = |row: usize| if row.is_multiple_of(ROWS) { progress.check() } else { Ok(()) };
    for row in 0..height {
        check(row)?;
        for at in row * width..(row + 1) * width {
            rows[at] = match marked(at) {
                true => row as u32,
                false if row > 0 => rows[at - width],
                false => NONE,
            };
        }
    }
    for row in (0..height.saturating_sub(1)).rev() {
        check(row)?;
        let (above, below) = rows[row * width..(row + 2) * width].split_at_mut(width);
        for (nearest, &next) in above.iter_mut().zip(&*below) {
            // The nearest sample of the row below may lie above that row. Then this row has already found the
            // same sample.
            let apart = |marked: u32| marked.abs_diff(row as u32);
            if next != NONE && (*nearest == NONE || apart(next) <= apart(*nearest)) {
                *nearest = next;
            }
        }
    }
    let mut nearest = filled(width * height, NONE, progress)?;
    try_for_each_with(
        slices(&mut nearest, width.max(1)),
        1,
        || Vec::with_capacity(width),
        |envelope, row, nearest| {
            check(row)?;
            along_row(row, &rows[row * width..(row + 1) * width], envelope, nearest);
            Ok(())
        },
    )?;
    Ok(nearest)
}

/// Rows between two checks for cancellation.
const ROWS: usize = 64;

/// A parabola of the lower envelope: its column, the squared distance there, and where it becomes the lowest.
struct Parabola {
    column: i64,
    least: i64,
    from: f64,
}

/// Computes the nearest samples of a row: each column's marked sample is a parabola of squared distances, and
/// the lowest parabola wins.
fn along_row(row: usize, rows: &[u32], envelope: &mut Vec<Parabola>, nearest: &mut [u32]) {
    envelope.clear();
    for (column, &marked) in rows.iter().enumerate().filter(|(_, marked)| **marked != NONE) {
        let (column, apart) = (column as i64, i64::from(marked) - row as i64);
        let least = apart * apart;
        let mut from = f64::NEG_INFINITY;
        while let Some(last) = envelope.last() {
            let numerator = (least + column * column) - (last.least + last.column * last.column);
            from = numerator as f64 / (2 * (column - last.column)) as f64;
            if from > last.from {
                break;
            }
            envelope.pop();
            from = f64::NEG_INFINITY;
        }
        envelope.push(Parabola { column, least, from });
    }
    let mut at = 0;
    for (column, nearest) in nearest.iter_mut().enumerate() {
        while envelope.get(at + 1).is_some_and(|next| next.from <= column as f64) {
            at += 1;
        }
        if let Some(parabola) = envelope.get(at) {
            let column = parabola.column as usize;
            *nearest = rows[column] * rows.len() as u32 + column as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn none_is_nearer(
            w in 1usize..20,
            h in 1usize..20,
            marks in proptest::collection::vec(0usize..400, 0..12),
        ) {
            let marks: Vec<usize> = marks.into_iter().map(|mark| mark % (w * h)).collect();
            let found = nearest((w, h), |at| marks.contains(&at), &crate::Silent).unwrap();
            let apart = |a: usize, b: usize| {
                let (dx, dy) = ((a % w).abs_diff(b % w), (a / w).abs_diff(b / w));
                dx * dx + dy * dy
            };
            for (at, &found) in found.iter().enumerate() {
                match marks.iter().map(|&mark| apart(at, mark)).min() {
                    None => prop_assert_eq!(found, NONE),
                    Some(least) => {
                        prop_assert!(marks.contains(&(found as usize)));
                        prop_assert_eq!(apart(at, found as usize), least);
                    }
                }
            }
        }
    }
}
