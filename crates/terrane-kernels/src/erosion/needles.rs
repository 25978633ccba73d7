//! Needles: samples that stand high above all their neighbours.

use terrane_grid::{Heightmap, Shape};

use super::Neighbourhood;
use crate::{Boundary, Cancelled, ScalarMap};
use terrane_compute::Alive;

/// What happens to samples that erosion leaves far above all neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Needles {
    /// Their tops slide to their neighbours.
    Remove,
    /// They remain, as in the paper.
    Keep,
}

/// How far a sample stands above the highest of its four neighbours along the axes, and how many there are.
fn prominence<T: Copy + Into<f64>>(heights: &[T], shape: Shape, at: usize) -> (f64, usize) {
    let (mut highest, mut count) = (f64::NEG_INFINITY, 0);
    for offset in Neighbourhood::VonNeumann.offsets() {
        if let Some(to) = shape.neighbour_at(at, shape.position(at), *offset) {
            highest = highest.max(heights[to].into());
            count += 1;
        }
    }
    (heights[at].into() - highest, count)
}

/// Removes needles: lets no sample stand above all its four neighbours by more than the talus, by more than a
/// slope of 1, and by more than it did `before`. What it loses, its neighbours gain in equal parts, so mass
/// is conserved. Each such move makes the map more even, so the number of moves is finite; in single
/// precision, rounding could undo it.
pub fn remove_needles(
    before: &Heightmap,
    after: &mut Heightmap,
    talus: ScalarMap<'_>,
    boundary: Boundary,
    alive: &Alive<'_>,
) -> Result<(), Cancelled> {
    let ((width, height), wrap) = (before.domain().size, boundary == Boundary::Wrap);
    let (shape, spacing) = (Shape { width, height, wrap }, before.spacing());
    let before = before.samples();
    let mut heights: Vec<f64> = after.samples().iter().map(|&height| f64::from(height)).collect();
    let mut moved = true;
    while moved {
        moved = false;
        for at in 0..heights.len() {
            if at.is_multiple_of(1 << 16) {
                alive()?;
            }
            let (above, count) = prominence(&heights, shape, at);
            let talus = f64::from(talus.at(at));
            // This comparison turns NaN into 1.
            let allowed = spacing * if talus < 1.0 { talus.max(0.01) } else { 1.0 };
            if above <= allowed || count == 0 {
                continue;
            }
            let allowed = allowed.max(prominence(before, shape, at).0);
            if above <= allowed {
                continue;
            }
            // So much less than allowed that the rounding of results cannot make it more.
            let rounding = 2.0 * f64::from(f32::EPSILON) * heights[at].abs();
            let lost = (above - allowed + rounding.max(0.01 * allowed).min(0.5 * allowed))
                / (1.0 + 1.0 / count as f64);
            heights[at] -= lost;
            for offset in Neighbourhood::VonNeumann.offsets() {
                if let Some(to) = shape.neighbour_at(at, shape.position(at), *offset) {
                    heights[to] += lost / count as f64;
                }
            }
            moved = true;
        }
    }
    after.samples_mut().iter_mut().zip(heights).for_each(|(to, height)| *to = height as f32);
    alive()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Seed};

    use super::*;

    fn removed(before: &Heightmap, after: &Heightmap, boundary: Boundary) -> Heightmap {
        let mut map = after.clone();
        remove_needles(before, &mut map, ScalarMap::Constant(2.0), boundary, &|| Ok(())).unwrap();
        map
    }

    #[test]
    fn a_needle_by_hand() {
        // The needle may stand 1 above its neighbours. It loses x and they gain x / 4: 11 − x − x / 4 = 0.99.
        let flat = Heightmap::constant(Domain::new(5, 5), 0.0);
        let needle = Heightmap::from_fn(Domain::new(5, 5), |x, y| if (x, y) == (2, 2) { 11.0 } else { 0.0 });
        let map = removed(&flat, &needle, Boundary::Open);
        let lost: f32 = (11.0 - 0.99) / 1.25;
        for (at, expected) in
            [((2, 2), 11.0 - lost), ((2, 1), lost / 4.0), ((3, 2), lost / 4.0), ((3, 3), 0.0)]
        {
            assert!((map[at] - expected).abs() < 1e-5, "{at:?}: {}", map[at]);
        }
        // One that was there before stays.
        assert_eq!(removed(&needle, &needle, Boundary::Open), needle);
    }

    proptest! {
        #[test]
        fn none_is_left_and_mass_is_conserved(
            w in 1usize..9,
            h in 1usize..9,
            wrap: bool,
            seed: u64,
            base in prop_oneof![Just(0.0f32), Just(8800.0f32)],
            spacing in prop_oneof![Just(1.0), Just(0.05)],
        ) {
            let map = |part: u64| {
                let lattice = Seed(seed).part(part).lattice();
                Heightmap::from_fn(Domain::new(w, h).with_spacing(spacing), |x, y| {
                    let unit = lattice.unit(x as i64, y as i64);
                    base + 30.0 * unit * unit * unit
                })
            };
            let (before, rough) = (map(0), map(1));
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let after = removed(&before, &rough, boundary);
            let shape = Shape { width: w, height: h, wrap };
            for at in 0..w * h {
                let [own, left] = [&before, &after].map(|map| prominence(map.samples(), shape, at).0);
                prop_assert!(left <= own.max(spacing) || w * h == 1, "{at}: {left} {own}");
            }
            let mass = |map: &Heightmap| map.samples().iter().map(|&height| f64::from(height)).sum::<f64>();
            let (old, new) = (mass(&rough), mass(&after));
            prop_assert!((old - new).abs() <= 1e-6 * old.max(1.0), "{old} {new}");
        }
    }
}
