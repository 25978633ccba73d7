//! Ground that comes to meet the heights given on its border.

use std::borrow::Cow;

use terrane_grid::Heightmap;

use super::subdivision::Subdivision;

/// The ground, shifted along its border by what the heights given there differ from it, and ever less up to [`Subdivision::fade`] away from it: so
/// that it does not break off. Slopes across the border stay what they were. As it is where nothing fades.
#[must_use]
pub fn faded<'a>(map: &'a Heightmap, subdivision: &Subdivision) -> Cow<'a, Heightmap> {
    let reach = subdivision.fade / map.spacing();
    if reach < 1.0 {
        return Cow::Borrowed(map);
    }
    let (width, height) = map.domain().size;
    let (right, bottom) = (width - 1, height - 1);
    let shift = |x: usize, y: usize| {
        let at = y * width + x;
        let given = f64::from(subdivision.given[at]);
        if given.is_nan() { 0.0 } else { given - f64::from(map.samples()[at]) }
    };
    let weights = |count: usize| -> Vec<[f64; 2]> {
        (0..count).map(|at| [fading(at as f64 / reach), fading((count - 1 - at) as f64 / reach)]).collect()
    };
    let (across, down) = (weights(width), weights(height));
    Cow::Owned(Heightmap::from_fn(map.domain(), |x, y| {
        let ([left, to_right], [top, to_bottom]) = (across[x], down[y]);
        let mut by = 0.0;
        for (weight, column) in [(left, 0), (to_right, right)] {
            by += if weight > 0.0 { weight * shift(column, y) } else { 0.0 };
        }
        for (weight, row) in [(top, 0), (to_bottom, bottom)] {
            by += if weight > 0.0 { weight * shift(x, row) } else { 0.0 };
            // Corners were counted twice.
            for (other, column) in [(left, 0), (to_right, right)] {
                by -= if weight * other > 0.0 { weight * other * shift(column, row) } else { 0.0 };
            }
        }
        (f64::from(map[(x, y)]) + by) as f32
    }))
}

/// From 1 at 0 to 0 at 1 and beyond, level at both ends.
pub fn fading(part: f64) -> f64 {
    let left = (1.0 - part).max(0.0);
    left * left * (3.0 - 2.0 * left)
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Seed};

    use super::*;
    use crate::path::{Borders, Costs, Subdivide, Surround, subdivide};

    #[test]
    fn the_border_is_met_and_what_is_far_from_it_stays() {
        let lattice = Seed(3).lattice();
        let map = Heightmap::from_fn(Domain::new(41, 33).with_spacing(2.0), |x, y| {
            lattice.unit(x as i64, y as i64)
        });
        let parameters = Subdivide {
            costs: Costs { alpha: 1.0, beta: 1.0 },
            width: 0.0,
            node_width: 0.0,
            border: 20.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.0,
            surround: Surround::Directional,
            borders: Borders::Shared,
            anchors: &[],
        };
        let mut s =
            subdivide(&map, &terrane_grid::PlanarGraph::default(), &parameters, &crate::Silent).unwrap();
        assert_eq!(s.fade, 20.0);
        assert_eq!(*faded(&map, &s), map, "nothing is given that is not there");
        let on_border = |x: usize, y: usize| x == 0 || y == 0 || x == 40 || y == 32;
        for at in (0..41 * 33).filter(|at| on_border(at % 41, at / 41)) {
            s.given[at] = lattice.unit(at as i64, -1);
        }
        let out = faded(&map, &s);
        for y in 0..33 {
            for x in 0..41 {
                let from_border = x.min(y).min(40 - x).min(32 - y);
                if from_border == 0 {
                    let off = (out[(x, y)] - s.given[y * 41 + x]).abs();
                    assert!(off < 1e-6, "{x} {y}: {off}");
                } else if from_border >= 10 {
                    assert_eq!(out[(x, y)], map[(x, y)]);
                }
            }
        }
        s.fade = 0.0;
        assert!(matches!(faded(&map, &s), Cow::Borrowed(_)));
    }
}
