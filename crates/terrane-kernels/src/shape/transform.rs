//! Translation, rotation and scaling of a map.

use terrane_grid::{Grid, Heightmap};

use super::resample::of_known;
use crate::dispatch;
use crate::parallel::{for_each, slices};

/// Samples whose places are computed together.
const LANES: usize = 64;

/// What fills the area that the moved map does not cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// The nearest border's height.
    Clamp,
    /// The map, repeated.
    Wrap,
    /// The map mirrored at its border.
    Mirror,
    /// A constant height.
    Value(f32),
}

/// The transform of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// World units along x and y.
    pub translate: (f64, f64),
    /// Degrees about the centre of the map, clockwise as seen on a picture.
    pub rotate: f64,
    /// Scale factor about the centre, not 0.
    pub scale: f64,
    /// What fills the area that the map does not cover.
    pub outside: Outside,
}

impl Default for Transform {
    /// The map as it is.
    fn default() -> Self {
        Self { translate: (0.0, 0.0), rotate: 0.0, scale: 1.0, outside: Outside::Clamp }
    }
}

/// Translates, rotates and scales a map's content, bilinearly; its domain stays. An identity transform
/// returns finite maps unchanged. O(samples).
#[must_use]
pub fn transform(map: &Heightmap, t: &Transform) -> Heightmap {
    let (w, h) = map.domain().size;
    let radians = t.rotate.to_radians();
    let (sin, cos) = if t.rotate == 0.0 { (0.0, 1.0) } else { (libm::sin(radians), libm::cos(radians)) };
    let (mx, my) = ((w as f64 - 1.0) / 2.0, (h as f64 - 1.0) / 2.0);
    let (tx, ty) = (t.translate.0 / map.spacing(), t.translate.1 / map.spacing());
    let mut out = vec![0.0f32; w * h];
    for_each(slices(&mut out, w.max(1)), 1, |row, out| {
        dispatch!(_ => for (block, out) in out.chunks_mut(LANES).enumerate() {
            let mut places = [Place::default(); LANES];
            for (lane, place) in places.iter_mut().enumerate() {
                // The inverse: from a sample's position to its source.
                let (dx, dy) = ((block * LANES + lane) as f64 - mx - tx, row as f64 - my - ty);
                *place = Place {
                    x: (cos * dx + sin * dy) / t.scale + mx,
                    y: (cos * dy - sin * dx) / t.scale + my,
                };
            }
            for (out, place) in out.iter_mut().zip(places) {
                *out = bilinear(map.grid(), place, t.outside);
            }
        });
    });
    map.with_grid(Grid::from_vec(w, h, out))
}

/// Column and row of the place that a sample is read from.
#[derive(Clone, Copy, Default)]
struct Place {
    x: f64,
    y: f64,
}

#[inline(always)]
fn bilinear(grid: &Grid<f32>, Place { x, y }: Place, outside: Outside) -> f32 {
    let (w, h) = grid.size();
    let inside = x >= 0.0 && y >= 0.0 && x <= (w - 1) as f64 && y <= (h - 1) as f64;
    if let (Outside::Value(value), false) = (outside, inside) {
        return value;
    }
    let (x0, y0) = (x.floor(), y.floor());
    let (tx, ty) = ((x - x0) as f32, (y - y0) as f32);
    let around = if inside && x0 < (w - 1) as f64 && y0 < (h - 1) as f64 {
        let at = y0 as usize * w + x0 as usize;
        let (above, below) = (&grid.as_slice()[at..at + 2], &grid.as_slice()[at + w..at + w + 2]);
        [above[0], above[1], below[0], below[1]]
    } else {
        let at = |dx: f64, dy: f64| grid[(fold(x0 + dx, w, outside), fold(y0 + dy, h, outside))];
        [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)]
    };
    let top = around[0] + (around[1] - around[0]) * tx;
    let bottom = around[2] + (around[3] - around[2]) * tx;
    let height = top + (bottom - top) * ty;
    if height.is_nan() { known(around, (f64::from(tx), f64::from(ty))) } else { height }
}

/// The height between four samples of which some are holes.
#[cold]
fn known(around: [f32; 4], (tx, ty): (f64, f64)) -> f32 {
    of_known(around.into_iter().zip([(1.0 - tx) * (1.0 - ty), tx * (1.0 - ty), (1.0 - tx) * ty, tx * ty]))
}

/// The sample used for an index outside.
fn fold(index: f64, count: usize, outside: Outside) -> usize {
    let count = count as i64;
    let index = index as i64;
    let folded = match outside {
        Outside::Clamp | Outside::Value(_) => index.clamp(0, count - 1),
        Outside::Wrap => index.rem_euclid(count),
        Outside::Mirror => {
            let period = (2 * (count - 1)).max(1);
            let index = index.rem_euclid(period);
            index.min(period - index).min(count - 1)
        }
    };
    folded as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::Domain;

    use super::*;

    const NOTHING: Transform =
        Transform { translate: (0.0, 0.0), rotate: 0.0, scale: 1.0, outside: Outside::Clamp };

    fn map() -> Heightmap {
        Heightmap::from_fn(Domain::new(9, 9).with_spacing(2.0), |x, y| (x * 10 + y) as f32)
    }

    proptest! {
        /// Places inside are read without folding their indices.
        #[test]
        fn every_sample_is_between_four_folded_ones(
            (w, h) in (1usize..80, 1usize..20), translate in (-90.0f64..90.0, -90.0f64..90.0),
            rotate in -400.0f64..400.0, scale in 0.05f64..20.0,
            whole: bool, outside in 0usize..4, holes: bool,
        ) {
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                let mixed = (x * 7919 + y * 104_729) % 1009;
                if holes && mixed % 13 == 0 { f32::NAN } else { mixed as f32 * 0.37 }
            });
            let outside = [Outside::Clamp, Outside::Wrap, Outside::Mirror, Outside::Value(3.0)][outside];
            let t = if whole {
                Transform { translate: (translate.0.round(), translate.1.round()), outside, ..NOTHING }
            } else {
                Transform { translate, rotate, scale, outside }
            };
            let out = transform(&map, &t);
            let (sin, cos) = (libm::sin(t.rotate.to_radians()), libm::cos(t.rotate.to_radians()));
            let (mx, my) = ((w as f64 - 1.0) / 2.0, (h as f64 - 1.0) / 2.0);
            for row in 0..h {
                for column in 0..w {
                    let (dx, dy) = (column as f64 - mx - t.translate.0, row as f64 - my - t.translate.1);
                    let x = (cos * dx + sin * dy) / t.scale + mx;
                    let y = (cos * dy - sin * dx) / t.scale + my;
                    let is_outside = x < 0.0 || y < 0.0 || x > (w - 1) as f64 || y > (h - 1) as f64;
                    let expected = match outside {
                        Outside::Value(value) if is_outside => value,
                        _ => {
                            let at = |dx: f64, dy: f64| {
                                let (x, y) = (x.floor() + dx, y.floor() + dy);
                                map[(fold(x, w, outside), fold(y, h, outside))]
                            };
                            let (tx, ty) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
                            let around = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)];
                            let top = around[0] + (around[1] - around[0]) * tx;
                            let bottom = around[2] + (around[3] - around[2]) * tx;
                            let height = top + (bottom - top) * ty;
                            if height.is_nan() { known(around, (tx.into(), ty.into())) } else { height }
                        }
                    };
                    prop_assert_eq!(out[(column, row)].to_bits(), expected.to_bits());
                }
            }
        }
    }

    #[test]
    fn nothing_is_the_identity() {
        assert_eq!(transform(&map(), &NOTHING), map());
    }

    #[test]
    fn moves_turns_and_scales_by_hand() {
        let moved = transform(&map(), &Transform { translate: (4.0, 2.0), ..NOTHING });
        assert_eq!(moved[(5, 4)], map()[(3, 3)]);
        assert_eq!(moved[(0, 4)], map()[(0, 3)]);
        // A quarter turn clockwise moves what was above the centre to its right.
        let turned = transform(&map(), &Transform { rotate: 90.0, ..NOTHING });
        assert!((turned[(6, 4)] - map()[(4, 2)]).abs() < 1e-4);
        let scaled = transform(&map(), &Transform { scale: 2.0, ..NOTHING });
        assert_eq!(scaled[(6, 4)], map()[(5, 4)]);
    }

    #[test]
    fn a_hole_stays_one_hole_under_whole_turns() {
        let mut map = map();
        map.samples_mut()[9 + 1] = f32::NAN;
        for (rotate, at) in [(360.0, 9 + 1), (180.0, 7 * 9 + 7), (270.0, 7 * 9 + 1), (90.0, 9 + 7)] {
            let turned = transform(&map, &Transform { rotate, ..NOTHING });
            let holes: Vec<usize> = (0..81).filter(|&at| turned.samples()[at].is_nan()).collect();
            assert_eq!(holes, [at], "{rotate}");
        }
    }

    #[test]
    fn outside_follows_the_parameter() {
        let at =
            |outside| transform(&map(), &Transform { translate: (6.0, 0.0), outside, ..NOTHING })[(0, 0)];
        assert_eq!(at(Outside::Clamp), 0.0);
        assert_eq!(at(Outside::Wrap), 60.0);
        assert_eq!(at(Outside::Mirror), 30.0);
        assert_eq!(at(Outside::Value(-7.0)), -7.0);
    }
}
