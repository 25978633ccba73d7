//! Compares pictures with those of a slow reference, which tries every cell for every ray.

use proptest::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, Polyline};

use super::openness::openness;
use super::surface::{Ray, Surface, Trace};
use super::vector::{Vector, along, unit};
use super::{Camera, Look, Scene, Sun, View, Water, ambient_occlusion};
use crate::hydrology::level_of_depth;
use crate::shade::{Ramp, color_relief};
use crate::{Cancelled, Silent};
use terrane_compute::{Stop, simd};

/// A surface that tries every cell.
struct Slow(Surface);

impl Slow {
    fn every_cell(&self) -> impl Iterator<Item = [usize; 2]> {
        let [columns, rows] = self.0.cells();
        (0..rows).flat_map(move |row| (0..columns).map(move |column| [column, row]))
    }
}

/// The distances between which a line lies over a cell, or `None` if it does not.
fn over(cell: [usize; 2], from: [f64; 2], direction: [f64; 2]) -> Option<(f64, f64)> {
    let (mut enters, mut leaves) = (0.0f64, f64::INFINITY);
    for axis in 0..2 {
        let (low, high) = (cell[axis] as f64 - from[axis], cell[axis] as f64 + 1.0 - from[axis]);
        if direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let inverse = 1.0 / direction[axis];
        enters = enters.max((low * inverse).min(high * inverse));
        leaves = leaves.min((low * inverse).max(high * inverse));
    }
    (enters <= leaves).then_some((enters, leaves))
}

impl Trace for Slow {
    fn at(&self, x: f64, y: f64) -> f64 {
        self.0.at(x, y)
    }

    fn hit(&self, ray: &Ray, end: f64) -> Option<f64> {
        let [x, y, _] = ray.direction;
        let hits = self.every_cell().filter_map(|cell| {
            let (enters, leaves) = over(cell, [ray.from[0], ray.from[1]], [x, y])?;
            self.0.meets(cell, ray, enters, leaves)
        });
        hits.reduce(f64::min).filter(|hit| *hit < end)
    }

    fn horizon(&self, eye: [usize; 2], direction: [f64; 2], reach: f64, floor: f64, _: f64) -> f64 {
        let height = f64::from(self.0.samples[eye[1] * self.0.size.0 + eye[0]]);
        let sides = self.every_cell().filter_map(|cell| {
            let (_, leaves) = over(cell, [eye[0] as f64, eye[1] as f64], direction)?;
            let point = |axis: usize| eye[axis] as f64 + direction[axis] * leaves - cell[axis] as f64;
            let there = self.0.within(cell, [point(0), point(1)]);
            (leaves > 1e-9 && leaves <= reach).then(|| (there - height) / leaves)
        });
        sides.fold(floor, f64::max)
    }
}

fn hills(side: usize, steep: f64) -> Heightmap {
    let height = |x: usize, y: usize| {
        let (x, y) = (x as f64 * 0.61, y as f64 * 0.47);
        (steep * (libm::sin(x) + libm::cos(1.7 * y) + 0.4 * libm::sin(3.1 * x + 2.3 * y))) as f32
    };
    Heightmap::from_fn(Domain::new(side, side).with_spacing(2.0).with_origin(-30.0, 55.0), height)
}

fn look() -> Look {
    Look {
        sun: Sun { azimuth: 300.0, altitude: 25.0, size: 3.0 },
        haze: 0.3,
        water: Water { sea_level: None, clarity: 2.0, waves: 1.0 },
        exposure: 1.0,
        exaggeration: 1.0,
    }
}

fn view(camera: Camera) -> View {
    View { size: (48, 27), rays: 2, field_of_view: 50.0, camera }
}

const AROUND: Camera = Camera::Around { azimuth: 205.0, altitude: 25.0, zoom: Some(1.2), target: None };
const CLOSE: Camera = Camera::At { eye: (-20.0, 60.0, 1.0), target: (10.0, 90.0, 0.0) };

fn colors(map: &Heightmap) -> Grid<[u8; 3]> {
    color_relief(map, &Ramp::Terrain.into(), (-4.0, 4.0), None)
}

#[test]
fn pictures_are_those_of_the_slow_reference() {
    let map = hills(20, 2.0);
    let lake = Heightmap::from_fn(map.domain(), |x, y| if (5..11).contains(&x) && y > 9 { 1.5 } else { 0.0 });
    let lake = level_of_depth(&lake, &map);
    for sea_level in [None, Some(-0.5)] {
        let look = Look { water: Water { sea_level, ..look().water }, ..look() };
        let fast = Scene::new(&map, &colors(&map), Some(&lake), &look, &Silent).unwrap();
        for camera in [AROUND, CLOSE] {
            let view = view(camera);
            let camera = fast.camera(&view);
            let picture = fast.picture(&view, &camera, &Silent).unwrap();
            let slow = Scene::new(&map, &colors(&map), Some(&lake), &look, &Silent).unwrap().traced_by(Slow);
            let other = slow.picture(&view, &camera, &Silent).unwrap();
            let far = picture.as_slice().as_flattened().iter().zip(other.as_slice().as_flattened());
            let apart = far.filter(|(a, b)| a.abs_diff(**b) > 1).count();
            assert_eq!(apart, 0, "{sea_level:?} {camera:?}");
            assert!(picture.as_slice().iter().any(|color| *color != picture[(0, 0)]));
        }
    }
}

#[test]
fn a_lake_at_the_border_ends_in_the_wall_of_the_ground() {
    let map = Heightmap::constant(Domain::new(20, 20).with_spacing(2.0), 5.0);
    let lake = Heightmap::from_fn(map.domain(), |x, _| if x > 7 { 3.0 } else { 0.0 });
    let lake = level_of_depth(&lake, &map);
    let view = view(Camera::At { eye: (19.0, 90.0, 20.0), target: (19.0, 19.0, 0.0) });
    let scene = |lake| Scene::new(&map, &colors(&map), lake, &look(), &Silent).unwrap();
    let camera = scene(None).camera(&view);
    let [dry, wet] = [None, Some(&lake)].map(|lake| scene(lake).picture(&view, &camera, &Silent).unwrap());
    // The lowest row that shows more than sky.
    let sky = dry[(0, 26)].map(|channel| channel / 8);
    let is_sky = |row: &usize| dry.row(*row).iter().all(|color| color.map(|channel| channel / 8) == sky);
    let base = (0..27).rev().find(|row| !is_sky(row)).unwrap();
    assert!((10..25).contains(&base), "{base}");
    // The lake ends above the wall of the ground, and neither hides the wall nor hangs below it.
    assert_ne!(wet.row(base - 3), dry.row(base - 3));
    for row in base..27 {
        assert_eq!(wet.row(row), dry.row(row), "{row}");
    }
}

#[test]
fn a_river_is_seen_from_further_down_its_valley() {
    // A valley that descends to the south. The camera below it looks up at a smaller angle than the river's.
    let map = Heightmap::from_fn(Domain::new(33, 33), |x, y| (32 - y) as f32 + 0.3 * x.abs_diff(16) as f32);
    let river = Heightmap::from_fn(map.domain(), |x, _| if x.abs_diff(16) < 4 { 2.0 } else { 0.0 });
    let river = level_of_depth(&river, &map);
    let view = view(Camera::At { eye: (16.0, 48.0, 1.0), target: (16.0, 16.0, 2.0) });
    let look = Look { water: Water { clarity: 0.1, waves: 0.0, ..look().water }, ..look() };
    let colors = Grid::filled(33, 33, [255, 0, 0]);
    let scene = Scene::new(&map, &colors, Some(&river), &look, &Silent).unwrap();
    let picture = scene.picture(&view, &scene.camera(&view), &Silent).unwrap();
    // The river is deep and bluer than red ground, and its surface is not a mirror.
    let [red, _, blue] = picture[(24, 20)];
    assert!(blue > red, "{:?}", picture[(24, 20)]);
    assert_ne!(picture[(24, 20)].map(|channel| channel / 8), picture[(24, 0)].map(|channel| channel / 8));
    let [red, _, blue] = picture[(4, 20)];
    assert!(red > blue, "{:?}", picture[(4, 20)]);
}

#[test]
fn an_eye_at_sea_level_sees_the_sea() {
    let map = Heightmap::constant(Domain::new(9, 9), -3.0);
    let look = Look { water: Water { sea_level: Some(0.0), ..look().water }, ..look() };
    let scene = Scene::new(&map, &colors(&map), None, &look, &Silent).unwrap();
    let draw = |height: f64| {
        let view = view(Camera::At { eye: (-20.0, -20.0, height), target: (4.0, 4.0, 0.0) });
        scene.picture(&view, &scene.camera(&view), &Silent).unwrap()
    };
    let low = draw(0.0);
    assert_eq!(draw(-5.0), low);
    assert_ne!(low[(24, 26)].map(|channel| channel / 16), low[(24, 0)].map(|channel| channel / 16));
}

#[test]
fn shadows_and_the_sky_are_those_of_the_slow_reference() {
    let map = hills(24, 3.0);
    let surface = Surface::new(map.samples().to_vec(), map.domain().size);
    let slow = Slow(Surface::new(map.samples().to_vec(), map.domain().size));
    for (turn, reach) in [(0.0, 1e9), (0.4, 7.3), (1.9, 1e9), (3.0, 5.0), (4.71, 1e9), (5.5, 11.0)] {
        let direction = [libm::cos(turn), libm::sin(turn)];
        for at in 0..24 * 24 {
            let eye = [at % 24, at / 24];
            let fast = surface.horizon(eye, direction, reach, -9.0, f64::MAX);
            let found = slow.horizon(eye, direction, reach, -9.0, f64::MAX);
            assert!((fast - found).abs() <= 1e-9 * (1.0 + found.abs()), "{eye:?} {turn} {fast} {found}");
        }
    }
}

proptest! {
    #[test]
    fn rays_meet_the_first_of_all_hits(
        heights in prop::collection::vec(-3.0f32..3.0, 7 * 9),
        from in [-4.0..12.0f64, -4.0..12.0, -2.0..9.0],
        to in [-1.0..9.0f64, -1.0..9.0, -4.0..4.0],
    ) {
        let ray = Ray { from, direction: unit(std::array::from_fn(|axis| to[axis] - from[axis])) };
        let fast = Surface::new(heights.clone(), (7, 9)).hit(&ray, f64::INFINITY);
        let slow = Slow(Surface::new(heights, (7, 9))).hit(&ray, f64::INFINITY);
        match (fast, slow) {
            (Some(a), Some(b)) => prop_assert!((a - b).abs() < 1e-6, "{} {}", a, b),
            (None, None) => {}
            _ => prop_assert!(false, "{:?} {:?}", fast, slow),
        }
    }
}

#[test]
fn a_ray_meets_a_plane_where_it_is() {
    let surface = Surface::new((0..25).map(|at| (at % 5) as f32).collect(), (5, 5));
    // Straight down on the column 2.5, and level towards the rising ground.
    let down = Ray { from: [2.5, 2.0, 10.0], direction: [0.0, 0.0, -1.0] };
    assert_eq!(surface.hit(&down, f64::INFINITY), Some(7.5));
    let level = Ray { from: [-2.0, 1.3, 3.0], direction: [1.0, 0.0, 0.0] };
    assert_eq!(surface.hit(&level, f64::INFINITY), Some(5.0));
    assert_eq!(surface.hit(&level, 4.0), None);
    let away: Vector = along([9.0, 9.0, 9.0], [1.0, 0.0, 0.0], 1.0);
    assert_eq!(surface.hit(&Ray { from: away, direction: [1.0, 0.0, 0.0] }, f64::INFINITY), None);
}

#[test]
fn one_thread_and_eight_draw_the_same() {
    let map = hills(40, 2.0);
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let sea = Look { water: Water { sea_level: Some(0.0), ..look().water }, ..look() };
            let scene = Scene::new(&map, &colors(&map), None, &sea, &Silent).unwrap();
            let view = view(AROUND);
            scene.picture(&view, &scene.camera(&view), &Silent).unwrap()
        })
    };
    let one = draw(1);
    for threads in [2, 8] {
        assert_eq!(draw(threads), one);
    }
}

#[test]
fn a_hole_in_level_ground_is_dark_and_the_rest_is_open() {
    let mut map = Heightmap::constant(Domain::new(21, 21), 5.0);
    map.samples_mut()[10 * 21 + 10] = 0.0;
    let open = ambient_occlusion(&map, 16, 8.0, 1.0, &Silent).unwrap();
    assert!(open[(10, 10)] < 0.1, "{}", open[(10, 10)]);
    assert_eq!(open[(0, 0)], 1.0);
    for directions in 1..100 {
        let level = Heightmap::constant(Domain::new(3, 3), 5.0);
        let open = ambient_occlusion(&level, directions, 8.0, 1.0, &Silent).unwrap();
        assert!(open.samples().iter().all(|open| *open == 1.0), "{directions}: {:?}", open.samples());
    }
    // A wall to the east of a sample hides nearly half of the sky's light at its foot.
    let wall = Heightmap::from_fn(Domain::new(41, 41), |x, _| if x > 20 { 400.0 } else { 0.0 });
    let foot = ambient_occlusion(&wall, 64, 1e9, 1.0, &Silent).unwrap()[(20, 20)];
    assert!((foot - 0.5).abs() < 0.02, "{foot}");
}

#[test]
fn a_part_of_the_ground_has_the_bits_of_the_whole() {
    let whole = hills(64, 3.0);
    let reach = 9.0;
    let open = ambient_occlusion(&whole, 12, reach * 2.0, 1.0, &Silent).unwrap();
    let part = Heightmap::from_fn(Domain::new(40, 40).with_spacing(2.0), |x, y| whole[(x + 17, y + 13)]);
    let near = ambient_occlusion(&part, 12, reach * 2.0, 1.0, &Silent).unwrap();
    for row in 10..30 {
        for column in 10..30 {
            assert_eq!(near[(column, row)].to_bits(), open[(column + 17, row + 13)].to_bits());
        }
    }
}

/// The slow reference walks from every sample along each direction, in double precision.
#[test]
fn occlusion_agrees_with_walking_along_each_direction() {
    for seed in 0..20u64 {
        let lattice = terrane_grid::Seed(seed).lattice();
        let side = 9 + 7 * (seed as usize % 5);
        let (base, relief) = ([0.0, 300.0, 4000.0][seed as usize % 3], [0.5, 4.0, 60.0][seed as usize / 7]);
        let map = Heightmap::from_fn(Domain::new(side, side + 6).with_spacing(2.0), |x, y| {
            base + relief * lattice.unit(x as i64 / 3, y as i64 / 2)
        });
        let samples = map.samples().iter().map(|h| (f64::from(*h) * 0.75) as f32).collect();
        let surface = Surface::new(samples, map.domain().size);
        // Two roundings of the highest height, at a distance of at least one sample, and of 16 shares.
        let rounding = 2.0 * f32::EPSILON * (base + relief) * 0.75 + 16.0 * f32::EPSILON;
        // None of these directions is along an axis: there rounding decides whether a line along the border
        // of the map lies on it.
        for (directions, reach) in [(4, 1.0), (8, 2.5), (16, 9.0), (12, 1e9)] {
            let slow = openness(&surface, 1, directions, reach, &Silent).unwrap();
            let fast = ambient_occlusion(&map, directions, reach * 2.0, 1.5, &Silent).unwrap();
            for (at, (fast, slow)) in fast.samples().iter().zip(slow).enumerate() {
                assert!((fast - slow).abs() < rounding, "{seed} {directions} {reach} {at}: {fast} {slow}");
            }
        }
    }
}

#[test]
fn occlusion_has_the_same_bits_at_every_vector_level_and_on_any_number_of_threads() {
    let map = hills(75, 3.0);
    let make = || ambient_occlusion(&map, 16, 40.0, 1.0, &Silent).unwrap();
    let expected = make();
    simd::at_each_level(|level| {
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(make), expected, "{level:?} {threads}");
        }
    });
}

#[test]
fn occlusion_of_odd_maps() {
    for (width, height) in [(0, 0), (5, 0), (0, 5), (1, 1), (1, 9), (2, 1), (1030, 3)] {
        let flat = Heightmap::constant(Domain::new(width, height), 7.0);
        let open = ambient_occlusion(&flat, 5, f64::MAX, 1.0, &Silent).unwrap();
        assert!(open.samples().iter().all(|&open| open == 1.0));
    }
    let mut map = hills(20, 2.0);
    map.samples_mut()[63] = f32::NAN;
    map.samples_mut()[189] = f32::INFINITY;
    let open = ambient_occlusion(&map, 16, 30.0, 1.0, &Silent).unwrap();
    assert!(open.samples().iter().all(|open| (0.0..=1.0).contains(open)));
}

#[test]
fn a_flight_stays_above_the_ground() {
    let map = hills(48, 6.0);
    let scene = Scene::new(&map, &colors(&map), None, &look(), &Silent).unwrap();
    let line = Polyline { points: vec![(-25.0, 60.0), (20.0, 80.0), (50.0, 140.0)], closed: false };
    for camera in scene.flight(&view(AROUND), &line, 4.0, None, 100) {
        let [x, y, z] = camera.eye;
        // Between the points at which its height is read, the ground may rise a little.
        assert!(z > scene.top(x, y) + 0.2, "{:?}", camera.eye);
    }
}

#[test]
fn what_is_cancelled_stops() {
    let map = hills(20, 2.0);
    assert_eq!(Scene::new(&map, &colors(&map), None, &look(), &Stop).err(), Some(Cancelled));
    let scene = Scene::new(&map, &colors(&map), None, &look(), &Silent).unwrap();
    let view = view(AROUND);
    assert_eq!(scene.picture(&view, &scene.camera(&view), &Stop), Err(Cancelled));
}

#[test]
fn heights_that_are_not_finite_lie_low() {
    let mut map = hills(20, 2.0);
    map.samples_mut()[63] = f32::NAN;
    map.samples_mut()[189] = f32::INFINITY;
    let scene = Scene::new(&map, &colors(&map), None, &look(), &Silent).unwrap();
    let view = view(CLOSE);
    scene.picture(&view, &scene.camera(&view), &Silent).unwrap();
}

#[test]
fn a_turn_keeps_the_distance_and_four_quarters_come_back() {
    let start = Camera::At { eye: (10.0, 5.0, 3.0), target: (4.0, 5.0, 1.0) };
    // A quarter turn clockwise from the east leads to the south, seen from above with north up.
    let Camera::At { eye, .. } = start.turned(90.0) else { panic!("another camera") };
    assert!((eye.0 - 4.0).abs() < 1e-9 && (eye.1 - 11.0).abs() < 1e-9 && eye.2 == 3.0, "{eye:?}");
    let Camera::At { eye, .. } = (0..4).fold(start, |camera, _| camera.turned(90.0)) else {
        panic!("another camera")
    };
    assert!((eye.0 - 10.0).abs() < 1e-9 && (eye.1 - 5.0).abs() < 1e-9, "{eye:?}");
    let Camera::Around { azimuth, .. } = AROUND.turned(30.0) else { panic!("another camera") };
    assert_eq!(azimuth, 235.0);
}
