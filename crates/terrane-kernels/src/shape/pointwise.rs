//! Functions that map each height independently.

use terrane_grid::Heightmap;

use super::each::each;

/// Maps heights linearly so that `from` becomes `to`. If `from` is a single height, everything becomes
/// `to.0`.
pub fn remapped(from: (f32, f32), to: (f32, f32)) -> impl Fn(f32) -> f32 + Copy + Send + Sync {
    let (low, high) = (f64::from(from.0), f64::from(from.1));
    let scale = if high == low { 0.0 } else { (f64::from(to.1) - f64::from(to.0)) / (high - low) };
    // In f64, so that both ends are mapped exactly.
    move |h| (f64::from(to.0) + (f64::from(h) - low) * scale) as f32
}

/// Limits heights to [low, high].
pub fn clamped(low: f32, high: f32) -> impl Fn(f32) -> f32 + Copy + Send + Sync {
    move |h| h.max(low).min(high)
}

/// Mirrors heights about `level`.
pub fn inverted(level: f32) -> impl Fn(f32) -> f32 + Copy + Send + Sync {
    move |h| level - (h - level)
}

/// Steps of `step` height units, counted from `offset`. A `sharpness` of 0 leaves the slope unchanged, 0.5
/// applies one smoothstep to each step, and 1 applies two: the risers become steep and the treads flat.
/// Heights at `offset` plus a multiple of `step` are unchanged.
pub fn terraced(step: f32, sharpness: f32, offset: f32) -> impl Fn(f32) -> f32 + Copy + Send + Sync {
    move |h| {
        let position = (h - offset) / step;
        let tread = position.floor();
        let t = position - tread;
        let once = t * t * (3.0 - 2.0 * t);
        let twice = once * once * (3.0 - 2.0 * once);
        let riser = if sharpness < 0.5 {
            t + (once - t) * (2.0 * sharpness)
        } else {
            once + (twice - once) * (2.0 * sharpness - 1.0)
        };
        offset + (tread + riser) * step
    }
}

/// The map with heights as [`remapped`].
#[must_use]
pub fn remap(map: Heightmap, from: (f32, f32), to: (f32, f32)) -> Heightmap {
    each(map, remapped(from, to))
}

/// The map with heights as [`inverted`].
#[must_use]
pub fn invert(map: Heightmap, level: f32) -> Heightmap {
    each(map, inverted(level))
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    fn row(values: &[f32]) -> Heightmap {
        Heightmap::from_vec(Domain::new(values.len(), 1), values.to_vec())
    }

    #[test]
    fn by_hand() {
        assert_eq!(remap(row(&[10.0, 15.0, 30.0]), (10.0, 30.0), (0.0, 1.0)).samples(), [0.0, 0.25, 1.0]);
        assert_eq!(remap(row(&[5.0, 5.0]), (5.0, 5.0), (2.0, 9.0)).samples(), [2.0, 2.0]);
        assert_eq!(each(row(&[-1.0, 0.5, 9.0]), clamped(0.0, 1.0)).samples(), [0.0, 0.5, 1.0]);
        assert_eq!(invert(row(&[0.0, 3.0]), 1.0).samples(), [2.0, -1.0]);
        assert_eq!(
            each(row(&[0.0, 5.0, 10.0, 7.5]), terraced(10.0, 0.0, 0.0)).samples(),
            [0.0, 5.0, 10.0, 7.5]
        );
        assert_eq!(
            each(row(&[0.0, 5.0, 10.0, 2.5]), terraced(10.0, 0.5, 0.0)).samples(),
            [0.0, 5.0, 10.0, 1.5625]
        );
    }

    #[test]
    fn terraces_keep_the_order_of_heights() {
        let heights: Vec<f32> = (0..400).map(|i| i as f32 * 0.1).collect();
        let map = each(row(&heights), terraced(7.0, 1.0, 1.5));
        assert!(map.samples().windows(2).all(|pair| pair[0] <= pair[1]));
    }
}
