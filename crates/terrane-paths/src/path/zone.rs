//! The transition zone beside a path, as it suits the ground.

use terrane_grid::Heightmap;

/// The width of the zone beside a path, and how much steeper than the path its ground may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zone {
    /// Width on each side of the path, in world units.
    pub border: f64,
    /// How much steeper than the path the ground may be at the zone's outer end (γ), rise over run.
    pub slope_gain: f64,
}

/// The slope gain of hills, and the upper quartile of slopes from which ground counts as hills.
const HILLS: f64 = 0.3;

/// The narrowest path whose width determines the zone's, in world units.
const NARROWEST: f64 = 4.0;

impl Zone {
    /// The thesis's zone, which suits gentle ground.
    pub const GENTLE: Self = Self { border: 16.0, slope_gain: 0.05 };

    /// The zone that suits a terrain and a path of a width, in world units.
    ///
    /// The slope gain is the upper quartile of the terrain's slopes: a quarter of the samples is steeper.
    /// It is at least 0.05 and at most 0.3. The border is twice the path's width where the gain is 0.05,
    /// and falls to the path's width where the gain is 0.3; paths narrower than 4 count as 4 wide. So
    /// gentle ground and a path 8 wide get [`Self::GENTLE`]. A sample's slope is the length of its
    /// gradient by central differences, one-sided beside the map's border and beside samples that are not
    /// numbers. Samples that are not numbers do not count. O(samples).
    #[must_use]
    pub fn suiting(map: &Heightmap, width: f64) -> Self {
        let gentle = Self::GENTLE.slope_gain;
        let slope_gain = upper_quartile(map).clamp(gentle, HILLS);
        let hilly = (slope_gain - gentle) / (HILLS - gentle);
        Self { border: (2.0 - hilly) * width.max(NARROWEST), slope_gain }
    }
}

/// The upper quartile of the slopes of all samples that are numbers; 0 if there are none.
fn upper_quartile(map: &Heightmap) -> f64 {
    let (width, height) = map.domain().size;
    let rise = |heights: [Option<f32>; 3]| {
        let [before, here, after] = heights.map(|height| height.map(f64::from).filter(|h| h.is_finite()));
        let steps = [(before, here), (here, after)].map(|(a, b)| Some(b? - a?));
        let count = steps.iter().flatten().count().max(1);
        steps.iter().flatten().sum::<f64>() / count as f64
    };
    let mut slopes: Vec<f32> = Vec::with_capacity(map.samples().len());
    for y in 0..height {
        for x in (0..width).filter(|&x| map[(x, y)].is_finite()) {
            let here = Some(map[(x, y)]);
            let left = x.checked_sub(1).map(|x| map[(x, y)]);
            let right = (x + 1 < width).then(|| map[(x + 1, y)]);
            let above = y.checked_sub(1).map(|y| map[(x, y)]);
            let below = (y + 1 < height).then(|| map[(x, y + 1)]);
            let (along_x, along_y) = (rise([left, here, right]), rise([above, here, below]));
            slopes.push(((along_x * along_x + along_y * along_y).sqrt() / map.spacing()) as f32);
        }
    }
    let quartile = 3 * slopes.len() / 4;
    if slopes.is_empty() {
        return 0.0;
    }
    f64::from(*slopes.select_nth_unstable_by(quartile, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    /// A plane that rises by `slope` along x, with a cliff that the quartile ignores, and a hole.
    fn plane(slope: f32) -> Heightmap {
        Heightmap::from_fn(Domain::new(33, 17).with_spacing(2.0), |x, y| match (x, y) {
            (9, 5) => f32::NAN,
            (x, _) if x > 28 => 500.0 + 2.0 * slope * x as f32,
            (x, _) => 2.0 * slope * x as f32,
        })
    }

    #[test]
    fn zones_by_hand() {
        let close = |zone: Zone, border: f64, slope_gain: f64| {
            assert!(
                (zone.border - border).abs() < 1e-4 && (zone.slope_gain - slope_gain).abs() < 1e-6,
                "{zone:?}"
            );
        };
        for gentle in [0.0, 0.02, 0.049] {
            assert_eq!(Zone::suiting(&plane(gentle), 8.0), Zone::GENTLE);
        }
        close(Zone::suiting(&plane(0.175), 8.0), 12.0, 0.175);
        close(Zone::suiting(&plane(0.3), 8.0), 8.0, 0.3);
        close(Zone::suiting(&plane(0.9), 20.0), 20.0, 0.3);
        close(Zone::suiting(&plane(0.9), 0.0), 4.0, 0.3);
        let none = Heightmap::constant(Domain::new(4, 4), f32::NAN);
        assert_eq!(Zone::suiting(&none, 8.0), Zone::GENTLE);
    }
}
