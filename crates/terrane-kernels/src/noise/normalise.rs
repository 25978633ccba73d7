//! Noise scaled from its minimum and maximum.

use crate::parallel::{for_each, slices};
use rayon::prelude::*;

use crate::ScalarMap;

/// Samples per task.
const PIECE: usize = 1 << 14;

/// Maps heights from their minimum and maximum to [0, 1], or to 0 if all are equal. Then multiplies them by
/// the amplitude and adds the offset. Slopes, if any, are scaled alike. O(samples).
pub fn normalise([heights, along_x, along_y]: [&mut [f32]; 3], amplitude: ScalarMap<'_>, offset: f32) {
    let ends = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
    let piece = |piece: &[f32]| piece.iter().fold((f32::MAX, f32::MIN), |most, &h| ends(most, (h, h)));
    let (lowest, highest) = heights.par_chunks(PIECE).map(piece).reduce(|| (f32::MAX, f32::MIN), ends);
    // If the minimum is 0, its sign depends on the order of comparisons. Adding 0 makes the sign positive.
    let (lowest, range) = (lowest + 0.0, highest - lowest);
    let unit = if range > 0.0 { range } else { f32::INFINITY };
    change(heights, amplitude, |height, amplitude| (height - lowest) / unit * amplitude + offset);
    for slopes in [along_x, along_y] {
        change(slopes, amplitude, |slope, amplitude| slope / unit * amplitude);
    }
}

/// Changes each value by a function of the value and the amplitude at its sample.
fn change(values: &mut [f32], amplitude: ScalarMap<'_>, by: impl Fn(f32, f32) -> f32 + Sync) {
    for_each(slices(values, PIECE), 1, |piece, values| match amplitude {
        ScalarMap::Constant(amplitude) => values.iter_mut().for_each(|value| *value = by(*value, amplitude)),
        ScalarMap::Map(map) => {
            let amplitudes = &map.samples()[piece * PIECE..];
            values.iter_mut().zip(amplitudes).for_each(|(value, &amplitude)| *value = by(*value, amplitude));
        }
    });
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap};

    use super::*;

    #[test]
    fn a_row_by_hand() {
        let (mut heights, mut along_x, mut along_y) = ([0.25, 0.5, 0.375], [1.0, -2.0, 0.0], [0.0, 0.5, 1.0]);
        normalise([&mut heights, &mut along_x, &mut along_y], ScalarMap::Constant(10.0), 3.0);
        assert_eq!(heights, [3.0, 13.0, 8.0]);
        // Normalising makes the slopes four times as steep, before the amplitude.
        assert_eq!((along_x, along_y), ([40.0, -80.0, 0.0], [0.0, 20.0, 40.0]));
    }

    #[test]
    fn the_amplitude_comes_after() {
        let amplitude = Heightmap::from_fn(Domain::new(3, 1), |x, _| x as f32);
        let mut heights = [0.25, 0.5, 0.375];
        normalise([&mut heights, &mut [], &mut []], ScalarMap::Map(&amplitude), -1.0);
        assert_eq!(heights, [-1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_constant_map_becomes_zero() {
        let (mut heights, mut along_x, mut along_y) = ([0.7; 4], [0.0; 4], [0.0; 4]);
        normalise([&mut heights, &mut along_x, &mut along_y], ScalarMap::Constant(10.0), 2.0);
        assert_eq!((heights, along_x, along_y), ([2.0; 4], [0.0; 4], [0.0; 4]));
        normalise([&mut [], &mut [], &mut []], ScalarMap::Constant(10.0), 2.0);
    }
}
