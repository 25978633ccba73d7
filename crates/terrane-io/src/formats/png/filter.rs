//! Filters of PNG's rows: each byte minus a prediction from its neighbours.

/// Filters by their numbers in the file: none, left, above, mean of both, and Paeth.
const KINDS: [u8; 5] = [0, 1, 2, 3, 4];

/// Filters rows, each with the filter that leaves the smallest sum of bytes.
pub(super) struct Filter {
    pixel: usize,
    best: Vec<u8>,
    tried: Vec<u8>,
}

impl Filter {
    /// A filter for rows of `line` bytes, with `pixel` bytes per pixel.
    pub fn new(pixel: usize, line: usize) -> Self {
        Self { pixel, best: vec![0; line], tried: vec![0; line] }
    }

    /// Appends the filtered row, preceded by the kind of its filter.
    pub fn push(&mut self, above: &[u8], row: &[u8], out: &mut Vec<u8>) {
        let (mut smallest, mut chosen) = (u64::MAX, 0);
        for kind in KINDS {
            filter(kind, self.pixel, above, row, &mut self.tried);
            let sum = sum(&self.tried);
            if sum < smallest {
                (smallest, chosen) = (sum, kind);
                std::mem::swap(&mut self.best, &mut self.tried);
            }
        }
        out.push(chosen);
        out.extend_from_slice(&self.best);
    }
}

/// The sum of the absolute values of bytes taken as signed numbers. The smaller it is, the better a row
/// usually deflates.
fn sum(bytes: &[u8]) -> u64 {
    // Sums of 128 bytes fit into 16 bits, which suits vector instructions.
    let of = |part: &[u8]| part.iter().map(|&byte| u16::from(byte.cast_signed().unsigned_abs())).sum::<u16>();
    bytes.chunks(128).map(|part| u64::from(of(part))).sum()
}

/// Applies one filter to a row.
fn filter(kind: u8, pixel: usize, above: &[u8], row: &[u8], out: &mut [u8]) {
    match kind {
        0 => out.copy_from_slice(row),
        1 => each(pixel, above, row, out, |left, _, _| left),
        2 => each(pixel, above, row, out, |_, above, _| above),
        3 => each(pixel, above, row, out, |left, above, _| mean(left, above)),
        _ => each(pixel, above, row, out, paeth),
    }
}

/// Each byte minus its prediction from the neighbours left, above and above left. Slices of equal length, and
/// one loop per filter, let the compiler vectorise.
#[inline(always)]
fn each(pixel: usize, above: &[u8], row: &[u8], out: &mut [u8], predicted: impl Fn(u8, u8, u8) -> u8) {
    let (first, rest) = out.split_at_mut(pixel);
    for (i, out) in first.iter_mut().enumerate() {
        // Bytes left of the row count as zeros.
        *out = row[i].wrapping_sub(predicted(0, above[i], 0));
    }
    let length = rest.len();
    let (left, above_left) = (&row[..length], &above[..length]);
    let (row, above) = (&row[pixel..][..length], &above[pixel..][..length]);
    for i in 0..length {
        rest[i] = row[i].wrapping_sub(predicted(left[i], above[i], above_left[i]));
    }
}

const fn mean(left: u8, above: u8) -> u8 {
    (left & above) + ((left ^ above) >> 1)
}

/// The one of three neighbours that is closest to left + above − above left.
const fn paeth(left: u8, above: u8, above_left: u8) -> u8 {
    let (a, b, c) = (left as i16, above as i16, above_left as i16);
    let (from_left, from_above, from_both) = ((b - c).abs(), (a - c).abs(), (a + b - c - c).abs());
    let of_two = if from_above <= from_both { above } else { above_left };
    if from_left <= from_above && from_left <= from_both { left } else { of_two }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_match_a_slow_reference(bytes in proptest::collection::vec(any::<u8>(), 0..700)) {
            let slow: u64 = bytes.iter().map(|&byte| u64::from(byte.min(0u8.wrapping_sub(byte)))).sum();
            prop_assert_eq!(sum(&bytes), slow);
        }

        #[test]
        fn filtered_rows_are_restored(
            pixel in 1usize..7,
            data in proptest::collection::vec((any::<u8>(), any::<u8>()), 6..100),
        ) {
            let (above, row): (Vec<u8>, Vec<u8>) = data.into_iter().unzip();
            for kind in KINDS {
                let mut filtered = vec![0; row.len()];
                filter(kind, pixel, &above, &row, &mut filtered);
                // As in the standard: from left to right, with zeros outside.
                let mut back = Vec::new();
                for i in 0..row.len() {
                    let before = |of: &[u8]| if i < pixel { 0 } else { of[i - pixel] };
                    let [a, b, c] = [before(&back), above[i], before(&above)].map(i32::from);
                    let p = a + b - c;
                    let order = [a, b, c].into_iter().min_by_key(|n| (p - n).abs()).unwrap();
                    let by = [0, a, b, (a + b) / 2, order][usize::from(kind)];
                    back.push(filtered[i].wrapping_add(by as u8));
                }
                prop_assert_eq!(&back, &row);
            }
        }
    }
}
