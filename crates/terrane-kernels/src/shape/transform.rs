//! Translation, rotation and scaling of a map.

use terrane_grid::{Grid, Heightmap};

use super::resample::of_known;
use crate::dispatch;
use crate::parallel::{for_each, slices};
use crate::simd::whole;

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
        for (block, out) in out.chunks_mut(LANES).enumerate() {
            let (mut x, mut y) = ([0.0; LANES], [0.0; LANES]);
            dispatch!(_ => {
                // Copies, so that stores do not make the compiler load them anew.
                let (sin, cos, scale, first) = (sin, cos, t.scale, block * LANES);
                let (mx, my, tx, dy) = (mx, my, tx, row as f64 - my - ty);
                for (lane, (x, y)) in x.iter_mut().zip(&mut y).enumerate() {
                    // The inverse: from a sample's position to its source.
                    let dx = (first + lane) as f64 - mx - tx;
                    *x = (cos * dx + sin * dy) / scale + mx;
                    *y = (cos * dy - sin * dx) / scale + my;
                }
            });
            // Positions grow or fall along the row.
            let ends = [0, out.len() - 1];
            let is_within =
                |place: &[f64; LANES], count| ends.iter().all(|&end| is_between(place[end], count));
            if is_within(&x, w) && is_within(&y, h) {
                within(map.grid(), (&x, &y), out);
            } else {
                for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
                    *out = at_border(map.grid(), (x, y), t.outside);
                }
            }
        }
    });
    map.with_grid(Grid::from_vec(w, h, out))
}

/// Whether there is a sample at or before a position and another one after it.
fn is_between(position: f64, count: usize) -> bool {
    position >= 0.0 && position < (count - 1) as f64
}

/// Reads a block of places within the map.
fn within(grid: &Grid<f32>, (x, y): (&[f64; LANES], &[f64; LANES]), out: &mut [f32]) {
    let (width, samples) = (grid.width(), grid.as_slice());
    let (mut tx, mut ty, mut at) = ([0.0f32; LANES], [0.0f32; LANES], [0u64; LANES]);
    dispatch!(_ => {
        let width = width as f64;
        for lane in 0..LANES {
            let (x0, y0) = (x[lane].floor(), y[lane].floor());
            (tx[lane], ty[lane]) = ((x[lane] - x0) as f32, (y[lane] - y0) as f32);
            at[lane] = whole(y0 * width + x0);
        }
    });
    let mut around = [[0.0f32; LANES]; 4];
    for (lane, &at) in at.iter().enumerate().take(out.len()) {
        let (above, below) = (&samples[at as usize..][..2], &samples[at as usize + width..][..2]);
        (around[0][lane], around[1][lane]) = (above[0], above[1]);
        (around[2][lane], around[3][lane]) = (below[0], below[1]);
    }
    let mut heights = [0.0f32; LANES];
    let [above_left, above, below_left, below] = &around;
    dispatch!(_ => for lane in 0..LANES {
        let top = above_left[lane] + (above[lane] - above_left[lane]) * tx[lane];
        let bottom = below_left[lane] + (below[lane] - below_left[lane]) * tx[lane];
        heights[lane] = top + (bottom - top) * ty[lane];
    });
    out.copy_from_slice(&heights[..out.len()]);
    for (lane, out) in out.iter_mut().enumerate().filter(|(_, out)| out.is_nan()) {
        *out = known(around.map(|around| around[lane]), (tx[lane], ty[lane]));
    }
}

/// Reads a place whose samples may lie outside.
fn at_border(grid: &Grid<f32>, (x, y): (f64, f64), outside: Outside) -> f32 {
    let (w, h) = grid.size();
    let inside = x >= 0.0 && y >= 0.0 && x <= (w - 1) as f64 && y <= (h - 1) as f64;
    if let (Outside::Value(value), false) = (outside, inside) {
        return value;
    }
    let (x0, y0) = (x.floor(), y.floor());
    let t = ((x - x0) as f32, (y - y0) as f32);
    let at = |dx: f64, dy: f64| grid[(fold(x0 + dx, w, outside), fold(y0 + dy, h, outside))];
    let around = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)];
    let top = around[0] + (around[1] - around[0]) * t.0;
    let bottom = around[2] + (around[3] - around[2]) * t.0;
    let height = top + (bottom - top) * t.1;
    if height.is_nan() { known(around, t) } else { height }
}

/// The height between four samples of which some are holes.
#[cold]
fn known(around: [f32; 4], (tx, ty): (f32, f32)) -> f32 {
    let (tx, ty) = (f64::from(tx), f64::from(ty));
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
                            if height.is_nan() { known(around, (tx, ty)) } else { height }
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
