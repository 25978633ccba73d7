//! For every sample the nearest of some samples (Felzenszwalb & Huttenlocher 2012).

use rayon::prelude::*;

/// No sample.
pub const NONE: u32 = u32::MAX;

/// Per sample, the nearest of `marked` by Euclidean distance, or [`NONE`] where nothing is marked; of equally near ones the same on any
/// number of threads. O(samples).
pub fn nearest(width: usize, height: usize, marked: impl Fn(usize) -> bool + Sync) -> Vec<u32> {
    // Rows of the nearest marked sample in the same column.
    let mut rows = vec![NONE; width * height];
    for column in 0..width {
        let mut last = NONE;
        for row in 0..height {
            let at = row * width + column;
            if marked(at) {
                last = row as u32;
            }
            rows[at] = last;
        }
        let mut next = NONE;
        for row in (0..height).rev() {
            let at = row * width + column;
            if marked(at) {
                next = row as u32;
            }
            let nearer = next != NONE && (rows[at] == NONE || next - row as u32 <= row as u32 - rows[at]);
            rows[at] = if nearer { next } else { rows[at] };
        }
    }
    let mut nearest = vec![NONE; width * height];
    nearest.par_chunks_mut(width.max(1)).enumerate().for_each_init(
        || Vec::with_capacity(width),
        |envelope, (row, nearest)| {
            along_row(row, &rows[row * width..(row + 1) * width], envelope, nearest);
        },
    );
    nearest
}

/// A parabola of the lower envelope: its column, the squared distance there, and where it becomes the lowest.
struct Parabola {
    column: i64,
    least: i64,
    from: f64,
}

/// The nearest in a row: each column's marked sample is a parabola of squared distances, and the lowest parabola wins.
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
        fn none_is_nearer(w in 1usize..20, h in 1usize..20, marks in proptest::collection::vec(0usize..400, 0..12)) {
            let marks: Vec<usize> = marks.into_iter().map(|mark| mark % (w * h)).collect();
            let found = nearest(w, h, |at| marks.contains(&at));
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
