//! Ground that blends into the heights prescribed on its border.

use std::borrow::Cow;

use terrane_grid::Heightmap;

use super::subdivision::Subdivision;

/// The ground, shifted so that it meets the prescribed heights on its border without a break. The shift fades
/// out up to [`Subdivision::fade`] away from the border. Slopes across the border do not change or, if
/// [`Subdivision::world`] is given, become the slopes of these heights. Without fading the ground is returned
/// unchanged.
#[must_use]
pub fn faded<'a>(map: &'a Heightmap, subdivision: &Subdivision) -> Cow<'a, Heightmap> {
    let reach = subdivision.fade / map.spacing();
    if reach < 1.0 {
        return Cow::Borrowed(map);
    }
    let (width, height) = map.domain().size;
    let (right, bottom) = (width - 1, height - 1);
    if !subdivision.world.is_empty() {
        let towards = |at: usize, last: usize| fading(at.min(last - at) as f64 / reach);
        return Cow::Owned(Heightmap::from_fn(map.domain(), |x, y| {
            let (ground, world) = (map[(x, y)], subdivision.world[y * width + x]);
            let part = 1.0 - (1.0 - towards(x, right)) * (1.0 - towards(y, bottom));
            (f64::from(ground) + (f64::from(world) - f64::from(ground)) * part) as f32
        }));
    }
    let shift = |x: usize, y: usize| {
        let at = y * width + x;
        let given = f64::from(subdivision.given[at]);
        (!given.is_nan()).then(|| given - f64::from(map.samples()[at]))
    };
    let (across, down): (Vec<_>, Vec<_>) = (
        (0..width).map(|x| sides(x, right, reach)).collect(),
        (0..height).map(|y| sides(y, bottom, reach)).collect(),
    );
    Cow::Owned(Heightmap::from_fn(map.domain(), |x, y| {
        let mut blend = Blend::default();
        for (side, column) in across[x].iter().zip([0, right]) {
            blend.add(side, || shift(column, y));
        }
        for (side, row) in down[y].iter().zip([0, bottom]) {
            blend.add(side, || shift(x, row));
        }
        (f64::from(map[(x, y)]) + blend.shift()) as f32
    }))
}

/// The influence of a border at a sample.
#[derive(Clone, Copy)]
struct Side {
    fading: f64,
    weight: f64,
}

/// The two borders at the ends of a row or column, at a position in it.
fn sides(at: usize, last: usize, reach: f64) -> [Side; 2] {
    [at, last - at].map(|apart| {
        let (apart, fading) = (apart as f64, fading(apart as f64 / reach));
        // A border's own samples follow that border alone.
        Side { fading, weight: fading / (apart * apart).max(1e-9) }
    })
}

/// Shifts from several borders.
///
/// A border has weight 1/n² at distance n. So on a border the other borders have no influence, and away from
/// it their influence starts with slope 0. If shifts were simply added, a crease would form on borders that
/// change towards their corner.
struct Blend {
    sum: f64,
    weights: f64,
    rest: f64,
}

impl Default for Blend {
    fn default() -> Self {
        Self { sum: 0.0, weights: 0.0, rest: 1.0 }
    }
}

impl Blend {
    /// Adds the shift of a border; adds nothing if no height is prescribed there.
    fn add(&mut self, side: &Side, shift: impl Fn() -> Option<f64>) {
        if side.fading > 0.0
            && let Some(shift) = shift()
        {
            self.sum += side.weight * shift;
            self.weights += side.weight;
            self.rest *= 1.0 - side.fading;
        }
    }

    fn shift(&self) -> f64 {
        if self.weights > 0.0 { self.sum / self.weights * (1.0 - self.rest) } else { 0.0 }
    }
}

/// Falls from 1 at 0 to 0 at 1 and beyond, with slope 0 at both ends.
pub fn fading(part: f64) -> f64 {
    let rest = (1.0 - part).max(0.0);
    rest * rest * (3.0 - 2.0 * rest)
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Seed};

    use super::*;
    use crate::path::{Borders, Costs, Details, Search, Subdivide, Surround, subdivide};

    #[test]
    fn the_border_is_met_and_distant_ground_stays() {
        let lattice = Seed(3).lattice();
        let map = Heightmap::from_fn(Domain::new(41, 33).with_spacing(2.0), |x, y| {
            lattice.unit(x as i64, y as i64)
        });
        let parameters = Subdivide {
            search: Search::by(Costs::Thesis { alpha: 1.0, beta: 1.0 }),
            width: 0.0,
            node_width: 0.0,
            border: 20.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.0,
            surround: Surround::Directional,
            borders: Borders::Shared,
            anchors: &[],
            details: Details::default(),
        };
        let mut s =
            subdivide(&map, &terrane_grid::PlanarGraph::default(), &parameters, &crate::Silent).unwrap();
        assert_eq!(s.fade, 20.0);
        assert_eq!(*faded(&map, &s), map, "prescribed heights equal to the ground change nothing");
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

    /// Both borders descend towards their corner by 1 per sample; the ground begins flat across them.
    #[test]
    fn no_crease_forms_on_borders_that_change_towards_a_corner() {
        let sunk = |x: usize, y: usize| -(8.0 - (x + y) as f64).max(0.0);
        let side = |at: usize| sides(at, 40, 20.0);
        let shift = |x: usize, y: usize| {
            let mut blend = Blend::default();
            for (side, column) in side(x).iter().zip([0, 40]) {
                blend.add(side, || Some(if column == 0 { sunk(0, y) } else { 0.0 }));
            }
            for (side, row) in side(y).iter().zip([0, 40]) {
                blend.add(side, || Some(if row == 0 { sunk(x, 0) } else { 0.0 }));
            }
            blend.shift()
        };
        for y in 3..8 {
            assert!((shift(0, y) - sunk(0, y)).abs() < 1e-6);
            let across = (shift(1, y) - shift(0, y)).abs();
            assert!(across < 0.25, "{y}: {across}");
        }
    }
}
