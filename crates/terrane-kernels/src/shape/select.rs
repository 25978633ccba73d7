//! Masks from the shape of terrain.

use terrane_grid::Heightmap;

use super::each::{each, from_rows};
use crate::hydrology::{Draining, drainage};
use crate::metric::{SlopeKind, slope_with_holes};
use crate::{Boundary, Cancelled, Progress, dispatch};

/// The quantity that a mask is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Select {
    /// Height, in world units.
    Height,
    /// Slope, as rise over run.
    ///
    /// Of the steeper side, as by [`SlopeKind::Steepest`], so that crests are as steep as their sides.
    Slope,
    /// Curvature, in 1 / world units: positive in hollows, negative on ridges.
    ///
    /// The Laplacian of the height.
    Curvature,
    /// Aspect, the direction that a slope faces, in degrees from 0 to 360, clockwise from north, which is
    /// up on a map; -1 on flat ground.
    Aspect,
    /// Drainage area of a sample, in square world units, like the output `area` of a `Drainage` node with
    /// default parameters.
    ///
    /// [`drainage`] with flow to the steepest of eight neighbours, overflowing lakes, no sea, and an open
    /// border. It includes the sample's own area.
    Drainage,
}

/// The quantity that a mask is derived from, per sample, also of a map with holes. A neighbour that is a hole
/// counts like one beyond the border. O(samples), and for drainage also O(lakes · log lakes).
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn quantity(map: &Heightmap, by: Select, progress: &dyn Progress) -> Result<Heightmap, Cancelled> {
    Ok(match by {
        Select::Height => map.clone(),
        Select::Slope => slope_with_holes(map, SlopeKind::Steepest, Boundary::Open),
        Select::Curvature => curvature(map),
        Select::Aspect => each_cross(map, aspect),
        Select::Drainage => {
            let draining = Draining { lakes: true, sea_level: None, boundary: Boundary::Open };
            drainage(map, &draining, progress)?.area
        }
    })
}

/// A mask of a quantity, as [`selected`]. O(samples).
#[must_use]
pub fn in_range(quantity: Heightmap, range: (f32, f32), falloff: f32) -> Heightmap {
    each(quantity, selected(range, falloff))
}

/// 1 where a quantity lies in [low, high], falling smoothly to 0 over `falloff` beyond either end. Samples
/// that are not numbers become 0.
pub fn selected((low, high): (f32, f32), falloff: f32) -> impl Fn(f32) -> f32 + Copy + Send + Sync {
    move |value| {
        let beyond = (low - value).max(value - high);
        if beyond <= 0.0 {
            1.0
        } else if falloff > 0.0 && beyond < falloff {
            let t = 1.0 - beyond / falloff;
            t * t * (3.0 - 2.0 * t)
        } else {
            0.0
        }
    }
}

/// The minimum and the maximum of samples; those that are not numbers do not count.
#[must_use]
pub fn span(samples: &[f32]) -> (f32, f32) {
    const LANES: usize = 16;
    let join = |(low, high): (f32, f32), sample: f32| (low.min(sample), high.max(sample));
    dispatch!(_ => {
        let (chunks, rest) = samples.as_chunks::<LANES>();
        let mut lanes = [(f32::MAX, f32::MIN); LANES];
        for chunk in chunks {
            for (lane, &sample) in lanes.iter_mut().zip(chunk) {
                *lane = join(*lane, sample);
            }
        }
        let lanes = lanes.into_iter().fold((f32::MAX, f32::MIN), |(low, high), lane| {
            (low.min(lane.0), high.max(lane.1))
        });
        rest.iter().fold(lanes, |span, &sample| join(span, sample))
    })
}

/// `f(here, neighbours)` of every sample. Neighbours are left, right, up, down. Beyond the border and in a
/// hole, they have the height that continues the slope from the opposite neighbour: 2 · here - opposite.
fn each_cross(map: &Heightmap, f: impl Fn(f32, [f32; 4]) -> f32 + Sync) -> Heightmap {
    let (width, height) = map.domain().size;
    let out = from_rows(map.domain(), |row, out| {
        let beside = |known: bool, row: usize| known.then(|| map.grid().row(row));
        let here = map.grid().row(row);
        let up = beside(row > 0, row.wrapping_sub(1)).unwrap_or(&[]);
        let down = beside(row + 1 < height, row + 1).unwrap_or(&[]);
        let known = |row: &[f32], column: usize| row.get(column).copied().unwrap_or(f32::NAN);
        let at_border = |column: usize| {
            let (left, right) = (known(here, column.wrapping_sub(1)), known(here, column + 1));
            f(here[column], continued(here[column], [left, right, known(up, column), known(down, column)]))
        };
        if up.is_empty() || down.is_empty() || width < 3 {
            return out.iter_mut().enumerate().for_each(|(column, out)| *out = at_border(column));
        }
        let inside = here.windows(3).zip(up[1..].iter().zip(&down[1..]));
        for (out, (along, (up, down))) in out[1..].iter_mut().zip(inside) {
            *out = f(along[1], continued(along[1], [along[0], along[2], *up, *down]));
        }
        for column in [0, width - 1] {
            out[column] = at_border(column);
        }
    });
    map.with_grid(out.into_grid())
}

/// Neighbours, of which those that are not numbers continue the slope from the opposite one.
#[inline(always)]
fn continued(here: f32, [left, right, up, down]: [f32; 4]) -> [f32; 4] {
    let pair = |a: f32, b: f32| {
        let beside = |near: f32, far: f32| {
            let on = if far.is_nan() { here } else { 2.0 * here - far };
            if near.is_nan() { on } else { near }
        };
        (beside(a, b), beside(b, a))
    };
    let ((left, right), (up, down)) = (pair(left, right), pair(up, down));
    [left, right, up, down]
}

fn curvature(map: &Heightmap) -> Heightmap {
    let area = (map.spacing() * map.spacing()) as f32;
    each_cross(map, |here, [left, right, up, down]| ((left + right) + (up + down) - 4.0 * here) / area)
}

fn aspect(_: f32, [left, right, up, down]: [f32; 4]) -> f32 {
    // Downhill: against the gradient; north is up, towards row 0.
    let (east, north) = (left - right, down - up);
    if east == 0.0 && north == 0.0 {
        return -1.0;
    }
    let degrees = libm::atan2f(east, north).to_degrees();
    if degrees < 0.0 { degrees + 360.0 } else { degrees }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrane_grid::{Domain, GeoReference, Seed};

    use super::*;
    use crate::Silent;

    fn tilted(east: f32, south: f32) -> Heightmap {
        Heightmap::from_fn(Domain::new(6, 5).with_spacing(2.0), |x, y| {
            2.0 * (east * x as f32 + south * y as f32)
        })
    }

    fn mask(map: &Heightmap, by: Select, range: (f32, f32), falloff: f32) -> Heightmap {
        in_range(quantity(map, by, &Silent).unwrap(), range, falloff)
    }

    fn all(map: &Heightmap, by: Select, range: (f32, f32)) -> bool {
        mask(map, by, range, 0.0).samples().iter().all(|&m| m == 1.0)
    }

    #[test]
    fn planes_have_one_slope_aspect_and_no_curvature() {
        assert!(all(&tilted(0.6, 0.8), Select::Slope, (0.9999, 1.0001)));
        assert!(all(&tilted(0.0, 1.0), Select::Aspect, (0.0, 0.01)), "rising southward faces north");
        assert!(all(&tilted(-1.0, 0.0), Select::Aspect, (89.9, 90.1)), "falling eastward faces east");
        assert!(all(&tilted(0.0, -1.0), Select::Aspect, (179.9, 180.1)));
        assert!(all(&tilted(0.3, -0.2), Select::Curvature, (-1e-5, 1e-5)));
    }

    #[test]
    fn quantities_lie_where_their_map_does() {
        let georef = GeoReference { pixel_scale: vec![10.0; 3], ..GeoReference::default() };
        let map = tilted(0.3, 0.1).with_georef(Some(Arc::new(georef)));
        for by in [Select::Height, Select::Slope, Select::Curvature, Select::Aspect, Select::Drainage] {
            let quantity = quantity(&map, by, &Silent).unwrap();
            assert_eq!((quantity.domain(), quantity.georef()), (map.domain(), map.georef()), "{by:?}");
        }
    }

    #[test]
    fn hollows_curve_upward() {
        let bowl = Heightmap::from_fn(Domain::new(7, 7), |x, y| {
            ((x as f32 - 3.0).powi_2() + (y as f32 - 3.0).powi_2()) * 0.5
        });
        assert_eq!(mask(&bowl, Select::Curvature, (1.9, 2.1), 0.0)[(3, 3)], 1.0);
    }

    trait Square {
        fn powi_2(self) -> f32;
    }
    impl Square for f32 {
        fn powi_2(self) -> f32 {
            self * self
        }
    }

    #[test]
    fn a_valley_gathers_all_water() {
        let valley = Heightmap::from_fn(Domain::new(5, 4).with_spacing(2.0), |x, y| {
            x.abs_diff(2) as f32 * 4.0 + (3 - y) as f32
        });
        let mask = mask(&valley, Select::Drainage, (79.0, 81.0), 0.0);
        assert_eq!(mask[(2, 3)], 1.0, "20 samples of 4 square units");
        assert_eq!(mask.samples().iter().sum::<f32>(), 1.0);
    }

    #[test]
    fn drainage_is_that_of_hydrology_with_lakes() {
        let lattice = Seed(3).lattice();
        let map = Heightmap::from_fn(Domain::new(40, 30).with_spacing(3.0), |x, y| {
            lattice.unit(x as i64 / 4, y as i64 / 4) + lattice.unit(x as i64, y as i64) / 4.0
        });
        let with = |lakes| {
            let draining = Draining { lakes, sea_level: None, boundary: Boundary::Open };
            drainage(&map, &draining, &Silent).unwrap().area
        };
        assert_eq!(quantity(&map, Select::Drainage, &Silent).unwrap(), with(true));
        assert_ne!(with(true), with(false), "there are lakes");
    }

    #[test]
    fn falloff_is_smooth_and_not_a_number_is_out() {
        let map = Heightmap::from_vec(Domain::new(5, 1), vec![0.0, 0.5, 1.0, 2.0, f32::NAN]);
        assert_eq!(mask(&map, Select::Height, (1.0, 1.5), 1.0).samples(), [0.0, 0.5, 1.0, 0.5, 0.0]);
    }
}
