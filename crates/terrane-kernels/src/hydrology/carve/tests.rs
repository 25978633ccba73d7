//! Carved rivers by hand, and on random ground.

use proptest::prelude::*;
use terrane_grid::{DIRECTIONS, Domain, ScalarMap, Seed, Shape};

use super::*;
use crate::hydrology::{Draining, Falling, LakeFilling, drainage, level_over, rivers, standing_water};
use crate::{Boundary, Silent};

const CARVING: RiverCarving = RiverCarving {
    runoff: 1.0,
    width: 4.0,
    width_exponent: 0.5,
    depth: 0.5,
    depth_exponent: 0.4,
    banks: 0.4,
    floodplain: 3.0,
    side: 0.5,
    meanders: 0.0,
    reach: 40.0,
};

/// A plane that falls to the east, with a river along its middle.
fn plane() -> (Heightmap, RiverLine) {
    let map = Heightmap::from_fn(Domain::new(41, 61).with_spacing(2.0), |x, _| 20.0 - 0.2 * x as f32);
    let line = RiverLine {
        points: (0..41).map(|x| (f64::from(x) * 2.0, 60.0)).collect(),
        heights: (0..41).map(|x| 20.0 - 0.2 * f64::from(x)).collect(),
        drainage: vec![16.0; 41],
        in_lake: vec![false; 41],
        order: 2.0,
    };
    (map, line)
}

#[test]
fn a_straight_river_by_hand() {
    let (map, line) = plane();
    let carved = carve_rivers(&map, &[line], None, &CARVING, &Silent).unwrap();
    // Width 16, depth 0.5 · 16^0.4, and banks of 0.4 of it.
    let depth = 0.5 * libm::powf(16.0, 0.4);
    let bank = 0.4 * depth;
    for column in 3..38 {
        let ground = 20.0 - 0.2 * column as f32;
        let at = |row: usize| (carved.ground[(column, row)], carved.level[(column, row)]);
        assert!((at(30).1 - (ground - bank)).abs() < 0.01);
        assert!((at(30).0 - (ground - bank - depth)).abs() < 0.01);
        // Half way to the side, a quarter of the depth is lost.
        assert!((at(32).0 - (ground - bank - 0.75 * depth)).abs() < 0.01);
        assert!(at(33).1.is_finite() && at(35).1.is_nan());
        // Near the ends of the line, the mean of its floodplains is that of one side.
        if (15..26).contains(&column) {
            assert!((at(36).0 - ground).abs() < 0.02, "the floodplain is at the height of the banks");
        }
        assert_eq!(at(55).0, map[(column, 55)], "beyond the reach");
    }
    let course = &carved.courses[0];
    assert_eq!((course.joins, course.stations[0].width, course.stations[0].order), (None, 16.0, 2.0));
}

#[test]
fn a_river_ends_in_a_lake_without_a_step_and_keeps_its_level() {
    let (map, mut line) = plane();
    // The last ten points are in a lake with a level of 14.
    line.heights.iter_mut().skip(31).for_each(|height| *height = 14.0);
    line.in_lake.iter_mut().skip(31).for_each(|lake| *lake = true);
    let lake = Heightmap::constant(map.domain(), 14.0);
    let lake = level_over(&lake, &map);
    let carved = carve_rivers(&map, &[line], Some(&lake), &CARVING, &Silent).unwrap();
    for column in 1..31 {
        let [before, level] = [column - 1, column].map(|column| carved.level[(column, 30)]);
        assert!(before >= level && level >= 14.0, "{column}: {before} {level}");
    }
    let is_wet = |at: usize| lake.samples()[at] > map.samples()[at];
    for at in 0..map.samples().len() {
        let [before, after] = [&map, &carved.ground].map(|map| map.samples()[at]);
        assert!(!is_wet(at) || after <= before, "the bed of the lake is only dug");
    }
}

/// Hills with a slope, without equal heights.
fn hills(size: usize, seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    let phase = |at: i64| std::f64::consts::TAU * f64::from(lattice.unit(at, 0));
    Heightmap::from_fn(Domain::new(size, size).with_spacing(10.0), |x, y| {
        let wave = |at: i64, length: f64| {
            let turn = phase(at);
            libm::sin((x as f64 * libm::cos(turn) + y as f64 * libm::sin(turn)) / length + phase(at + 9))
        };
        let large = 40.0 * wave(1, 9.0) + 30.0 * wave(2, 7.0) + 18.0 * wave(3, 4.0) + 7.0 * wave(4, 2.2);
        (large + 3.0 * f64::from(lattice.unit(x as i64, y as i64 + 1)) + 0.8 * x as f64) as f32
    })
}

/// The rivers of a terrain with its lakes, as lines.
fn lines_of(map: &Heightmap, level: &Heightmap, threshold: f32) -> Vec<RiverLine> {
    let draining = Draining { lakes: true, sea_level: None, boundary: Boundary::Open };
    let flow = drainage(map, &draining, &Silent).unwrap();
    let hard = ScalarMap::Constant(0.0);
    let falling = Falling { ground: map, level: Some(level), hard, evened: 16 };
    let found = rivers(&flow.receivers, &flow.area, threshold, Some(&falling)).unwrap();
    let profiles = found.profiles.unwrap();
    found
        .rivers
        .into_iter()
        .map(|river| {
            let of =
                |number: &dyn Fn(usize) -> f64| river.samples.iter().map(|at| number(*at as usize)).collect();
            RiverLine {
                heights: of(&|at| f64::from(profiles.heights[at])),
                drainage: of(&|at| f64::from(flow.area.samples()[at])),
                in_lake: river.samples.iter().map(|at| profiles.is_wet[*at as usize]).collect(),
                points: river.line.points,
                order: f64::from(river.order),
            }
        })
        .collect()
}

const RANDOM: RiverCarving = RiverCarving { runoff: 2e-5, reach: 200.0, ..CARVING };

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn rivers_fall_end_and_stay_below_their_banks(seed: u64, meanders in 0.0f64..3.0) {
        let map = hills(65, seed);
        let filling = LakeFilling { least_area: 900.0, ..LakeFilling::default() };
        let level = standing_water(&map, None, &filling, &Silent).unwrap().level;
        let lines = lines_of(&map, &level, 4e3);
        let carving = RiverCarving { meanders, ..RANDOM };
        let carved = carve_rivers(&map, &lines, Some(&level), &carving, &Silent).unwrap();
        prop_assert!(carved.courses.len() > 8);
        for (index, course) in carved.courses.iter().enumerate() {
            let (first, end) = (course.stations[0], *course.stations.last().unwrap());
            prop_assert!(first.level.is_finite() && end.width > 0.0);
            for pair in course.stations.windows(2) {
                prop_assert!(pair[0].level >= pair[1].level, "course {} climbs", index);
            }
            match course.joins {
                Some(river) => {
                    let river = &carved.courses[river as usize].stations;
                    let mouth = river.iter().find(|station| station.point == end.point);
                    prop_assert_eq!(mouth.map(|mouth| mouth.level), Some(end.level));
                }
                None => {
                    let (column, row) = map.domain().nearest(end.point).unwrap();
                    let is_edge = [column, row].iter().any(|at| *at == 0 || *at == 64);
                    prop_assert!(is_edge || !level[(column, row)].is_nan(), "course {} ends dry", index);
                }
            }
        }
        let shape = Shape { width: 65, height: 65, wrap: false };
        for at in 0..65 * 65 {
            let river = carved.level.samples()[at];
            prop_assert!(river.is_nan() || river > carved.ground.samples()[at]);
            let own = if river.is_nan() { level.samples()[at] } else { river };
            for offset in &DIRECTIONS[1..] {
                let Some(to) = shape.neighbour(shape.position(at), *offset) else { continue };
                let is_dry = carved.level.samples()[to].is_nan() && level.samples()[to].is_nan();
                if is_dry && !own.is_nan() {
                    prop_assert!(carved.ground.samples()[to] >= own, "water above its bank");
                }
            }
        }
    }

    /// Patches of a world with the same lines meet.
    #[test]
    fn a_part_is_carved_like_the_whole(seed: u64) {
        let map = hills(65, seed);
        let level = Heightmap::constant(map.domain(), f32::NAN);
        let lines = lines_of(&map, &level, 4e3);
        let carving = RiverCarving { reach: 80.0, meanders: 1.0, ..RANDOM };
        let whole = carve_rivers(&map, &lines, None, &carving, &Silent).unwrap();
        let (first, size) = ((13, 20), (40, 33));
        let part = carve_rivers(&map.part(first, size), &lines, None, &carving, &Silent).unwrap();
        for row in 1..size.1 - 1 {
            for column in 1..size.0 - 1 {
                let at = (first.0 + column, first.1 + row);
                prop_assert_eq!(part.ground[(column, row)].to_bits(), whole.ground[at].to_bits());
                prop_assert_eq!(part.level[(column, row)].to_bits(), whole.level[at].to_bits());
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = hills(97, 5);
    let level = Heightmap::constant(map.domain(), f32::NAN);
    let lines = lines_of(&map, &level, 4e3);
    let carve = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let carved = pool.install(|| carve_rivers(&map, &lines, None, &RANDOM, &Silent)).unwrap();
        [carved.ground, carved.level].map(|map| map.samples().iter().map(|s| s.to_bits()).collect::<Vec<_>>())
    };
    assert_eq!(carve(1), carve(3));
}

#[test]
fn odd_lines_are_carved() {
    let (map, line) = plane();
    let one = RiverLine { points: vec![(4.0, 4.0)], ..RiverLine::default() };
    let none = RiverLine::default();
    // A ring, a line that ends where it begins, and one that repeats a point.
    let ring = |from: (f64, f64), to: (f64, f64)| RiverLine {
        points: vec![from, to],
        heights: vec![5.0, 5.0],
        drainage: vec![1.0, 1.0],
        in_lake: vec![false, false],
        order: 1.0,
    };
    let lines = [
        one,
        none,
        ring((4.0, 4.0), (8.0, 8.0)),
        ring((8.0, 8.0), (4.0, 4.0)),
        ring((2.0, 2.0), (2.0, 2.0)),
        line,
    ];
    let carved =
        carve_rivers(&map, &lines, None, &RiverCarving { meanders: 2.0, ..CARVING }, &Silent).unwrap();
    assert!(carved.ground.samples().iter().all(|height| height.is_finite()));
    let empty = Heightmap::constant(Domain::new(0, 0), 0.0);
    assert_eq!(carve_rivers(&empty, &lines, None, &CARVING, &Silent).unwrap().ground, empty);
}
