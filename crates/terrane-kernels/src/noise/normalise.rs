//! Noise from its own lowest to its own highest.

use rayon::prelude::*;

use crate::ScalarMap;

/// Samples that are worked on at once.
const PIECE: usize = 1 << 14;

/// Brings heights from between their lowest and their highest to [0, 1], where all are the same to 0; then multiplies them by
/// the amplitude and adds the offset. Slopes, where there are any, change alike.
pub fn normalise([heights, along_x, along_y]: [&mut [f32]; 3], amplitude: ScalarMap<'_>, offset: f32) {
    // By total order, so that it does not matter which of two zeros is found first.
    let lowest = heights.par_iter().copied().min_by(f32::total_cmp).unwrap_or(0.0);
    let highest = heights.par_iter().copied().max_by(f32::total_cmp).unwrap_or(0.0);
    let range = highest - lowest;
    let at = |index: usize| match amplitude {
        ScalarMap::Constant(amplitude) => amplitude,
        ScalarMap::Map(map) => map.samples()[index],
    };
    let each = |values: &mut [f32], change: &(dyn Fn(f32, f32) -> f32 + Sync)| {
        values.par_chunks_mut(PIECE).enumerate().for_each(|(piece, values)| {
            for (index, value) in values.iter_mut().enumerate() {
                *value = change(*value, at(piece * PIECE + index));
            }
        });
    };
    let flat = range == 0.0;
    each(heights, &|height, amplitude| {
        if flat { offset } else { (height - lowest) / range * amplitude + offset }
    });
    for slopes in [along_x, along_y] {
        each(slopes, &|slope, amplitude| if flat { 0.0 } else { slope / range * amplitude });
    }
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
        // Four times as steep before the amplitude.
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
