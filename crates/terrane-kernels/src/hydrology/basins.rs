//! Basins: the samples whose water ends in the same place.

use terrane_compute::parallel::{slices, try_for_each};
use terrane_compute::{Alive, Cancelled, chunks};

/// Rows of a band. Within a band water is followed by one thread.
const ROWS: usize = 32;

/// Marks the number of a basin among indices of samples, which are less than this.
const NUMBER: u32 = 1 << 31;

/// Replaces each sample's receiver in `receivers` by the number of its basin. Samples that are their own
/// receivers are ends of water: those of the `sea` are in basin 0, and each other has a basin, numbered from
/// 1 in the order of their indices. Returns these ends by number; the first entry stands for the sea and is
/// no sample. O(samples).
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn number_basins(
    receivers: &mut [u32],
    width: usize,
    sea: &[bool],
    alive: &Alive<'_>,
) -> Result<Vec<u32>, Cancelled> {
    let bottoms = number_ends(receivers, sea, alive)?;
    if bottoms.len() == 1 {
        receivers.fill(0);
        return Ok(bottoms);
    }
    let band = width * ROWS;
    try_for_each(slices(receivers, band), 1, |number, numbers| {
        follow(numbers, number * band);
        alive()
    })?;
    let edges = edges(receivers, width);
    alive()?;
    try_for_each(slices(receivers, band), 1, |_, numbers| {
        for number in numbers {
            *number = if *number < NUMBER { edges.of(*number as usize) } else { *number } & !NUMBER;
        }
        alive()
    })?;
    Ok(bottoms)
}

/// Replaces the receivers of ends by the marked numbers of their basins.
fn number_ends(receivers: &mut [u32], sea: &[bool], alive: &Alive<'_>) -> Result<Vec<u32>, Cancelled> {
    let mut bottoms: Vec<u32> = vec![u32::MAX];
    for samples in chunks(receivers.len()) {
        for at in samples {
            if receivers[at] as usize == at {
                let number = if sea[at] { 0 } else { bottoms.len() as u32 };
                receivers[at] = NUMBER | number;
                if number > 0 {
                    bottoms.push(at as u32);
                }
            }
        }
        alive()?;
    }
    Ok(bottoms)
}

/// Follows the water of each sample of a band to its end, or to the first sample outside of the band.
fn follow(band: &mut [u32], first: usize) {
    for start in 0..band.len() {
        let mut end = band[start];
        // Indices of samples before the band wrap around to large ones.
        while let Some(next) = band.get((end as usize).wrapping_sub(first))
            && end < NUMBER
        {
            end = *next;
        }
        let mut at = start;
        while band[at] != end {
            at = std::mem::replace(&mut band[at], end) as usize - first;
        }
    }
}

/// The marked numbers of the samples at the edges of bands, which water from other bands enters.
struct Edges {
    width: usize,
    /// For each band, those of its first and of its last row.
    numbers: Vec<u32>,
}

impl Edges {
    /// The place of a sample at an edge.
    fn place(&self, at: usize) -> usize {
        let (row, column) = (at / self.width, at % self.width);
        let side = usize::from(!row.is_multiple_of(ROWS));
        (2 * (row / ROWS) + side) * self.width + column
    }

    fn of(&self, at: usize) -> u32 {
        self.numbers[self.place(at)]
    }
}

/// Follows water from band to band.
fn edges(ends: &[u32], width: usize) -> Edges {
    let bands = ends.chunks(width * ROWS);
    let rows = bands.flat_map(|band| [&band[..width], &band[band.len() - width..]]);
    let mut edges = Edges { width, numbers: rows.flatten().copied().collect() };
    for start in 0..edges.numbers.len() {
        let mut end = edges.numbers[start];
        while end < NUMBER {
            end = edges.of(end as usize);
        }
        let mut at = start;
        while edges.numbers[at] != end {
            let next = std::mem::replace(&mut edges.numbers[at], end);
            at = edges.place(next as usize);
        }
    }
    edges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares with following each sample's water. Receivers are any neighbour that comes before in a
        /// random order, also across the border.
        #[test]
        fn samples_have_the_number_of_their_end(
            width in 1usize..9, height in 1usize..150, seed: u64, ends in 0.0f32..0.2,
        ) {
            let lattice = terrane_grid::Seed(seed).lattice();
            let count = width * height;
            let random = |at: usize, part: i64| lattice.unit(at as i64, part);
            let to = |at: usize| {
                let (dx, dy) = terrane_grid::DIRECTIONS[(8.0 * random(at, 1)) as usize + 1];
                let x = (at % width + width).wrapping_add_signed(dx) % width;
                let y = (at / width + height).wrapping_add_signed(dy) % height;
                let to = y * width + x;
                if random(to, 0) < random(at, 0) && random(at, 2) >= ends { to } else { at }
            };
            let receivers: Vec<u32> = (0..count).map(|at| to(at) as u32).collect();
            let sea: Vec<bool> = (0..count).map(|at| random(at, 3) < 0.2).collect();
            let mut numbers = receivers.clone();
            let bottoms = number_basins(&mut numbers, width, &sea, &|| Ok(())).unwrap();
            for (at, number) in numbers.into_iter().enumerate() {
                let mut end = at;
                while receivers[end] as usize != end {
                    end = receivers[end] as usize;
                }
                let place = || bottoms.iter().position(|&bottom| bottom as usize == end).unwrap();
                prop_assert_eq!(number as usize, if sea[end] { 0 } else { place() });
            }
            prop_assert!(bottoms[1..].is_sorted());
        }
    }
}
