//! The lowest and the highest height of a map.

use terrane_grid::Heightmap;

use crate::dispatch;
use crate::parallel::collect;

/// Samples of a task.
const PART: usize = 1 << 16;

/// Samples that are compared together.
const LANES: usize = 32;

/// The lowest and the highest of the finite samples, if there are any. O(samples).
#[must_use]
pub fn extremes(map: &Heightmap) -> Option<(f32, f32)> {
    let samples = map.samples();
    let part = |at: usize| of_part(&samples[at * PART..samples.len().min((at + 1) * PART)]);
    let parts = collect(samples.len().div_ceil(PART), 1, part);
    let (low, high) = parts.into_iter().fold(NONE, |all, part| (all.0.min(part.0), all.1.max(part.1)));
    // A zero is positive, whichever sample it comes from.
    (low <= high).then_some((low + 0.0, high + 0.0))
}

/// The extremes of no samples.
const NONE: (f32, f32) = (f32::INFINITY, f32::NEG_INFINITY);

fn of_part(samples: &[f32]) -> (f32, f32) {
    let (mut low, mut high) = ([NONE.0; LANES], [NONE.1; LANES]);
    dispatch!(_ => {
        let (chunks, rest) = samples.as_chunks::<LANES>();
        for chunk in chunks {
            look(&mut low, &mut high, chunk);
        }
        look(&mut low, &mut high, rest);
    });
    (low.into_iter().fold(NONE.0, f32::min), high.into_iter().fold(NONE.1, f32::max))
}

#[inline(always)]
fn look(low: &mut [f32; LANES], high: &mut [f32; LANES], samples: &[f32]) {
    for ((low, high), &sample) in low.iter_mut().zip(high).zip(samples) {
        // Comparisons with not-a-number are false.
        *low = if sample < *low && sample > f32::NEG_INFINITY { sample } else { *low };
        *high = if sample > *high && sample < f32::INFINITY { sample } else { *high };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    proptest! {
        #[test]
        fn extremes_are_those_of_the_statistics(
            (w, h) in (0usize..90, 0usize..9), odd in prop::collection::vec(0usize..5, 1..7),
            shift in -9.0f32..9.0,
        ) {
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| match odd[(x + 3 * y) % odd.len()] {
                0 => f32::NAN,
                1 => [f32::INFINITY, f32::NEG_INFINITY][x % 2],
                2 => [0.0, -0.0][y % 2],
                _ => ((x * 7919 + y * 104_729) % 1009) as f32 * shift,
            });
            let all = crate::metric::statistics(&map);
            let expected = (all.count > 0).then_some((all.min as f32, all.max as f32));
            prop_assert_eq!(extremes(&map), expected);
        }
    }

    #[test]
    fn parts_are_joined() {
        let samples = 3 * PART + 5;
        let map =
            Heightmap::from_fn(Domain::new(samples, 1), |x, _| if x == 2 * PART { -4.0 } else { x as f32 });
        assert_eq!(extremes(&map), Some((-4.0, (samples - 1) as f32)));
        let zeros = Heightmap::constant(Domain::new(3, 1), -0.0);
        assert_eq!(extremes(&zeros).map(|(low, high)| (low.to_bits(), high.to_bits())), Some((0, 0)));
    }
}
