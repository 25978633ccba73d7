//! Translation, rotation and scaling of a map.

use crate::parallel::{for_each, slices};
use terrane_grid::{Grid, Heightmap};

use super::resample::of_known;

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
        for (column, out) in out.iter_mut().enumerate() {
            // The inverse: from a sample's position to its source.
            let (dx, dy) = (column as f64 - mx - tx, row as f64 - my - ty);
            let (x, y) = ((cos * dx + sin * dy) / t.scale + mx, (cos * dy - sin * dx) / t.scale + my);
            *out = bilinear(map.grid(), x, y, t.outside);
        }
    });
    map.with_grid(Grid::from_vec(w, h, out))
}

fn bilinear(grid: &Grid<f32>, x: f64, y: f64, outside: Outside) -> f32 {
    let (w, h) = grid.size();
    let inside = x >= 0.0 && y >= 0.0 && x <= (w - 1) as f64 && y <= (h - 1) as f64;
    if let (Outside::Value(value), false) = (outside, inside) {
        return value;
    }
    let (x0, y0) = (x.floor(), y.floor());
    let (tx, ty) = ((x - x0) as f32, (y - y0) as f32);
    let at = |dx: f64, dy: f64| grid[(fold(x0 + dx, w, outside), fold(y0 + dy, h, outside))];
    let around = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0), at(1.0, 1.0)];
    let top = around[0] + (around[1] - around[0]) * tx;
    let bottom = around[2] + (around[3] - around[2]) * tx;
    let height = top + (bottom - top) * ty;
    if !height.is_nan() {
        return height;
    }
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
    use terrane_grid::Domain;

    use super::*;

    const NOTHING: Transform =
        Transform { translate: (0.0, 0.0), rotate: 0.0, scale: 1.0, outside: Outside::Clamp };

    fn map() -> Heightmap {
        Heightmap::from_fn(Domain::new(9, 9).with_spacing(2.0), |x, y| (x * 10 + y) as f32)
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
