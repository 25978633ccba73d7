//! Histograms of heights.

use rayon::prelude::*;
use terrane_grid::Heightmap;

use super::statistics;

/// Counts of samples in bins of equal width.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// Lower edge of the first bin.
    pub low: f64,
    /// Upper edge of the last bin.
    pub high: f64,
    /// Samples per bin. A bin includes its lower edge; the last one also its upper edge.
    pub counts: Vec<u64>,
    /// Finite samples below the first bin.
    pub below: u64,
    /// Finite samples above the last bin.
    pub above: u64,
}

impl Histogram {
    /// Lower edge of a bin, or for `bin = counts.len()` the upper edge of the last.
    #[must_use]
    pub fn edge(&self, bin: usize) -> f64 {
        self.low + (self.high - self.low) * bin as f64 / self.counts.len().max(1) as f64
    }
}

/// A histogram of `bins` bins over `range`. Default range: the map's minimum to maximum. Samples that are not
/// finite are ignored. O(samples).
///
/// # Panics
/// When there are no bins.
#[must_use]
pub fn histogram(map: &Heightmap, bins: usize, range: Option<(f64, f64)>) -> Histogram {
    assert!(bins > 0, "a histogram needs bins");
    let (low, high) = range.unwrap_or_else(|| {
        let s = statistics(map);
        (s.min, s.max)
    });
    let scale = if high > low { bins as f64 / (high - low) } else { 0.0 };
    // One part per thread, each with at least as many samples as bins.
    let parts = rayon::current_num_threads().min(map.samples().len() / bins).max(1);
    let part = map.samples().len().div_ceil(parts).max(1);
    let counted = map.samples().par_chunks(part).map(|samples| {
        let (mut counts, mut below, mut above) = (vec![0u64; bins], 0, 0);
        for &sample in samples.iter().filter(|sample| sample.is_finite()) {
            let sample = f64::from(sample);
            if sample < low {
                below += 1;
            } else if sample > high {
                above += 1;
            } else {
                counts[(((sample - low) * scale) as usize).min(bins - 1)] += 1;
            }
        }
        (counts, below, above)
    });
    let counted: Vec<_> = counted.collect();
    let mut total = Histogram { low, high, counts: vec![0; bins], below: 0, above: 0 };
    for (counts, below, above) in counted {
        total.counts.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        total.below += below;
        total.above += above;
    }
    total
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn by_hand() {
        let map = Heightmap::from_vec(Domain::new(4, 2), vec![0.0, 0.5, 1.0, 2.0, 3.9, 4.0, 5.0, f32::NAN]);
        let h = histogram(&map, 4, Some((0.0, 4.0)));
        assert_eq!((h.counts.as_slice(), h.below, h.above), (&[2, 1, 1, 2][..], 0, 1));
        assert_eq!((h.edge(0), h.edge(3), h.edge(4)), (0.0, 3.0, 4.0));
    }

    #[test]
    fn a_flat_map_is_one_bin() {
        let h = histogram(&Heightmap::constant(Domain::new(5, 5), 2.0), 3, None);
        assert_eq!(h.counts, [25, 0, 0]);
    }
}
