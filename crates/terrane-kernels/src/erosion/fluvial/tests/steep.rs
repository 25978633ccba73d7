//! Steep ground: mountains keep their height, and neither needles nor pits remain.

use super::super::ideal::value_strength;
use super::*;
use crate::erosion::valleys::ValleyWidth;

/// The median slope to which [`mountains`] are stretched.
const MEDIAN: f32 = 1.1;

/// Six grounds that start at height 1, with a median slope of 1.1: three elevation models, ridges, hills and
/// a cone.
fn mountains() -> Vec<(&'static str, Heightmap)> {
    let mut models = elevation_models().into_iter();
    let mut model = || models.next().unwrap();
    let domain = Domain::new(257, 257).with_spacing(2.0);
    let far = |x: usize, y: usize| libm::hypotf(x as f32 - 128.0, y as f32 - 128.0);
    let made = |height: &dyn Fn(usize, usize) -> f32| Heightmap::from_fn(domain, height);
    let grounds = [
        ("Jacksboro", model()),
        ("Maungawhau", model()),
        ("Front Range", model()),
        ("ridges", made(&|x, y| octaves(x, y, |value| 1.0 - (2.0 * value - 1.0).abs()))),
        ("hills", made(&|x, y| octaves(x, y, |value| value))),
        ("cone", made(&|x, y| (128.0 - far(x, y)).max(0.0))),
    ];
    grounds.map(|(name, map)| (name, stretched(&map))).into()
}

/// Value noise in seven octaves, each changed by `shape`.
fn octaves(x: usize, y: usize, shape: impl Fn(f32) -> f32) -> f32 {
    let lattice = Seed(3).lattice();
    let octave = |octave: i64| {
        let cell = 80.0 / (1 << octave) as f32;
        let [(i, u), (j, v)] = [x, y].map(|at| {
            let at = at as f32 / cell;
            let t = at - at.floor();
            (at.floor() as i64, t * t * (3.0 - 2.0 * t))
        });
        let value = |di: i64, dj: i64| lattice.unit(i + di, j + dj + 1000 * octave);
        let along = |dj: i64| value(0, dj) * (1.0 - u) + value(1, dj) * u;
        cell * shape(along(0) * (1.0 - v) + along(1) * v)
    };
    (0..7).map(octave).sum()
}

/// The map from a height of 1 up, stretched to the median slope.
fn stretched(map: &Heightmap) -> Heightmap {
    let (width, height) = map.domain().size;
    let inside = (0..height - 1).flat_map(|y| (0..width - 1).map(move |x| (x, y)));
    let slope = |(x, y): (usize, usize)| {
        libm::hypotf(map[(x + 1, y)] - map[(x, y)], map[(x, y + 1)] - map[(x, y)]) / map.spacing() as f32
    };
    let mut slopes: Vec<f32> = inside.map(slope).collect();
    slopes.sort_by(f32::total_cmp);
    let factor = MEDIAN / slopes[slopes.len() / 2];
    let low = range(map).0;
    Heightmap::from_fn(map.domain(), |x, y| 1.0 + (map[(x, y)] - low) * factor)
}

fn mean(map: &Heightmap) -> f64 {
    map.samples().iter().map(|&height| f64::from(height)).sum::<f64>() / map.samples().len() as f64
}

/// How far each sample stands above the highest of its neighbours; with the sign -1, how far it lies below
/// the lowest.
fn prominences(map: &Heightmap, sign: f32) -> Vec<f32> {
    let (width, height) = map.domain().size;
    let shape = Shape { width, height, wrap: false };
    let above = |at: usize| {
        let around = DIRECTIONS[1..].iter().filter_map(|&way| shape.neighbour(shape.position(at), way));
        let highest = around.map(|to| sign * map.samples()[to]).fold(f32::NEG_INFINITY, f32::max);
        sign * map.samples()[at] - highest
    };
    (0..width * height).map(above).collect()
}

#[test]
fn mountains_keep_nine_tenths_of_their_height_without_needles_or_pits() {
    for (name, map) in mountains() {
        let out = fluvial_erosion(&map, &Fluvial::default(), Seed(1), &Silent, None).unwrap().height;
        let (summit, whole) = (range(&out).1 / range(&map).1, mean(&out) / mean(&map));
        assert!(summit > 0.9 && whole > 0.9, "{name}: summit {summit}, mean {whole}");
        let side = map.spacing() as f32;
        let rough = Fluvial::default().unevenness * side;
        let extremes = |map: &Heightmap| [1.0, -1.0].map(|sign| prominences(map, sign));
        for (sign, (before, after)) in extremes(&map).into_iter().zip(extremes(&out)).enumerate() {
            let most = [1.0, 0.25][sign] * side;
            for (at, (before, after)) in before.into_iter().zip(after).enumerate() {
                assert!(after <= before.max(most) + 2.0 * rough, "{name} {sign} {at}: {before} {after}");
            }
        }
    }
}

/// Strengths by hand on a plane of slope 0.6, twice the held slope: the value constraint counts as applied
/// four times.
#[test]
fn the_value_constraint_counts_more_on_a_slope() {
    let map = Heightmap::from_fn(Domain::new(40, 30).with_spacing(2.0), |x, _| 1.0 + 1.2 * x as f32);
    let p = Fluvial { value_strength: ScalarMap::Constant(0.02), ..Fluvial::default() };
    let valleys = ValleyWidth::new(None, map.domain(), Boundary::Open);
    let found = value_strength(map.samples(), &p, valleys, &|| Ok(())).unwrap().unwrap();
    let expected = 1.0 - 0.98f32 * 0.98 * 0.98 * 0.98;
    assert!(found.samples().iter().all(|found| (found - expected).abs() < 1e-5), "{found:?}");
    let p = Fluvial { solver: Solver::Explicit, ..p };
    assert_eq!(value_strength(map.samples(), &p, valleys, &|| Ok(())).unwrap(), None);
}
