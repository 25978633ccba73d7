//! Flattens ground to one level.

use terrane_grid::Heightmap;

use super::each::blocks_with;
use crate::{ScalarMap, dispatch};

/// Moves heights towards one level as far as the mask says: 0 leaves them, 1 sets them to the level. Default
/// level: the mean height weighted by the mask, at which cut and fill balance. Samples that are not numbers
/// do not count. O(samples).
#[must_use]
pub fn flatten(map: Heightmap, mask: ScalarMap<'_>, level: Option<f32>) -> Heightmap {
    let level = level.unwrap_or_else(|| weighted_mean(&map, mask));
    blocks_with(map, [mask], |block, [mask]| {
        let heights = block.to_vec();
        flatten_samples(block, &heights, mask, level);
    })
}

/// Writes the heights of a block, moved towards `level` as in [`flatten`].
pub fn flatten_samples(block: &mut [f32], heights: &[f32], mask: &[f32], level: f32) {
    dispatch!(_ => {
        for ((sample, h), mask) in block.iter_mut().zip(heights).zip(mask) {
            *sample = h + (level - h) * mask.clamp(0.0, 1.0);
        }
    });
}

fn weighted_mean(map: &Heightmap, mask: ScalarMap<'_>) -> f32 {
    let (mut sum, mut weight) = (0.0f64, 0.0f64);
    for (i, &h) in map.samples().iter().enumerate() {
        let m = f64::from(mask.at(i).clamp(0.0, 1.0));
        if m.is_nan() || h.is_nan() {
            continue;
        }
        sum += m * f64::from(h);
        weight += m;
    }
    if weight > 0.0 { (sum / weight) as f32 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn by_hand() {
        let map = Heightmap::from_vec(Domain::new(4, 1), vec![0.0, 2.0, 6.0, 9.0]);
        let mask = Heightmap::from_vec(Domain::new(4, 1), vec![0.0, 1.0, 1.0, 0.0]);
        assert_eq!(flatten(map.clone(), ScalarMap::Map(&mask), None).samples(), [0.0, 4.0, 4.0, 9.0]);
        assert_eq!(
            flatten(map.clone(), ScalarMap::Constant(0.5), Some(10.0)).samples(),
            [5.0, 6.0, 8.0, 9.5]
        );
        assert_eq!(flatten(map.clone(), ScalarMap::Constant(0.0), None), map);
    }
}
