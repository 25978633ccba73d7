use proptest::prelude::*;
use terrane_grid::{DIRECTIONS, Domain, Seed, Shape};

use super::super::{Draining, drainage};
use super::*;
use crate::{Boundary, Silent};

const FILL: DepressionRemoval = DepressionRemoval {
    method: Method::Fill,
    max_depth: f32::INFINITY,
    max_length: f64::INFINITY,
    sea_level: None,
    boundary: Boundary::Open,
};
const BREACH: DepressionRemoval = DepressionRemoval { method: Method::Breach, ..FILL };
const LEAST: DepressionRemoval = DepressionRemoval { method: Method::Least, ..FILL };

/// The middle row of a valley between two rows of walls, and what becomes of it.
fn valley(heights: &[f32], parameters: &DepressionRemoval) -> (Vec<f32>, Depressions) {
    let domain = Domain::new(heights.len(), 3).with_spacing(2.0);
    let map = Heightmap::from_fn(domain, |x, y| if y == 1 { heights[x] } else { 100.0 });
    let out = depressions(&map, parameters, &Silent).unwrap();
    (out.ground.samples()[heights.len()..2 * heights.len()].to_vec(), out)
}

/// Two hollows: that at sample 5 lies in that at sample 3, whose water spills over sample 1.
const NESTED: [f32; 8] = [0.0, 6.0, 3.0, 1.0, 4.0, 2.0, 9.0, 9.5];

#[test]
fn nested_hollows_by_hand() {
    let (row, out) = valley(&NESTED, &FILL);
    assert_eq!(row, [0.0, 6.0, 6.0, 6.0, 6.0, 6.0, 9.0, 9.5]);
    assert_eq!(out.depth.samples()[8..16], [0.0, 0.0, 3.0, 5.0, 2.0, 4.0, 0.0, 0.0]);
    let outer = Hollow {
        bottom: 8 + 3,
        level: 6.0,
        spill: 8 + 1,
        parent: None,
        samples: 4,
        volume: 3.0 + 5.0 + 2.0 + 4.0,
    };
    let inner = Hollow { bottom: 8 + 5, level: 4.0, spill: 8 + 4, parent: Some(0), samples: 1, volume: 2.0 };
    assert_eq!(out.hollows, [(outer, Fate::Fill), (inner, Fate::Fill)]);
}

#[test]
fn channels_by_hand() {
    let (row, out) = valley(&NESTED, &BREACH);
    // The outer channel falls from 1 at sample 3 across samples 2 and 1 to sample 0, by a thousandth; the
    // inner one from 2 at sample 5 across sample 4.
    let expected = [0.0, 1.0 - 0.004, 1.0 - 0.002, 1.0, 2.0 - 0.002, 2.0, 9.0, 9.5];
    assert_eq!(row, expected);
    assert_eq!(out.hollows[0].1, Fate::Breach);
    assert_eq!(out.hollows[1].1, Fate::Breach);
}

#[test]
fn the_cheaper_way_by_hand() {
    // The inner hollow is as deep as its channel. The outer one has a volume of 14, and its channel takes
    // away 2 + 5, so with the inner one it costs 9.
    let (row, out) = valley(&NESTED, &LEAST);
    assert_eq!(row, [0.0, 1.0 - 0.004, 1.0 - 0.002, 1.0, 4.0, 4.0, 9.0, 9.5]);
    assert_eq!([out.hollows[0].1, out.hollows[1].1], [Fate::Breach, Fate::Fill]);
    // A channel may not be deeper than 4, and nothing may be filled deeper.
    let (row, out) = valley(&NESTED, &DepressionRemoval { max_depth: 4.0, ..LEAST });
    assert_eq!(row, [0.0, 6.0, 3.0, 1.0, 4.0, 4.0, 9.0, 9.5]);
    assert_eq!([out.hollows[0].1, out.hollows[1].1], [Fate::Keep, Fate::Fill]);
    // Two steps of 2 are too long.
    let (row, _) = valley(&NESTED, &DepressionRemoval { max_length: 3.0, ..LEAST });
    assert_eq!(row[1..6], [6.0; 5]);
    let (row, _) = valley(&NESTED, &DepressionRemoval { max_length: 3.0, ..BREACH });
    assert_eq!(row, [0.0, 6.0, 3.0, 1.0, 2.0 - 0.002, 2.0, 9.0, 9.5]);
}

#[test]
fn a_channel_is_no_deeper_than_allowed() {
    let (row, _) = valley(&NESTED, &DepressionRemoval { max_depth: 5.002, ..BREACH });
    assert!(NESTED[1] - row[1] <= 5.002 && row[1] < 1.0, "{row:?}");
}

#[test]
fn channels_go_round_higher_ground() {
    // A wall of 9 with a gap of 5 at its upper end: the channel through the wall would cut 8 + 8, the way to
    // the gap cuts less.
    let map = Heightmap::from_fn(Domain::new(9, 9), |x, y| match (x, y) {
        (0, _) | (_, 0) | (8, _) | (_, 8) => 50.0,
        (4, 2) => 5.0,
        (4 | 5, _) => 30.0,
        (1..4, _) => 1.0 + 0.01 * y as f32,
        _ => 0.5,
    });
    let out = depressions(&map, &BREACH, &Silent).unwrap();
    assert!(out.ground[(4, 2)] <= 1.01);
    assert_eq!(out.ground[(4, 5)], 30.0);
}

/// The lowest level at which water from each sample reaches the border, a hole or the sea, by repeated
/// passes.
fn flooded(map: &Heightmap, parameters: &DepressionRemoval) -> Vec<f32> {
    let (width, height) = map.domain().size;
    let shape = Shape { width, height, wrap: parameters.boundary == Boundary::Wrap };
    let heights = map.samples();
    let lowest = (0..heights.len()).min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
    let has_sea = heights.iter().any(|&height| parameters.sea_level.is_some_and(|sea| height < sea));
    let has_hole = heights.iter().any(|height| height.is_nan());
    let ends = |at: usize| {
        let is_hole = |to: usize| heights[to].is_nan();
        shape.on_border(shape.position(at))
            || parameters.sea_level.is_some_and(|sea| heights[at] < sea)
            || (shape.wrap && !has_sea && !has_hole && lowest == Some(at))
            || DIRECTIONS[1..]
                .iter()
                .any(|&offset| shape.neighbour(shape.position(at), offset).is_some_and(is_hole))
    };
    let mut level: Vec<f32> =
        (0..heights.len()).map(|at| if ends(at) { heights[at] } else { f32::INFINITY }).collect();
    for _ in 0..heights.len() {
        for at in 0..heights.len() {
            for offset in &DIRECTIONS[1..] {
                if let Some(to) = shape.neighbour(shape.position(at), *offset) {
                    level[at] = level[at].min(level[to].max(heights[at]));
                }
            }
        }
    }
    level
}

/// A map of random whole heights or fractions, with holes.
fn random(size: (usize, usize), levels: u32, holes: bool, whole: bool, seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    Heightmap::from_fn(Domain::new(size.0, size.1).with_spacing(3.0), |x, y| {
        let unit = lattice.unit(x as i64, y as i64);
        let is_hole = holes && lattice.unit(x as i64 + 100, y as i64) < 0.06;
        let height = unit * levels as f32;
        if is_hole {
            f32::NAN
        } else if whole {
            height.floor()
        } else {
            height
        }
    })
}

/// The hollows that are left.
fn left(map: &Heightmap, parameters: &DepressionRemoval) -> usize {
    depressions(map, &DepressionRemoval { method: Method::Fill, ..*parameters }, &Silent)
        .unwrap()
        .hollows
        .len()
}

proptest! {
    #[test]
    fn any_method_lets_all_water_leave(
        size in (1usize..16, 1usize..16),
        levels in 1u32..20,
        holes: bool,
        whole: bool,
        wrap: bool,
        sea_level in proptest::option::of(0.0f32..3.0),
        seed: u64,
    ) {
        let map = random(size, levels, holes, whole, seed);
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let parameters = DepressionRemoval { sea_level, boundary, ..FILL };
        let flood = flooded(&map, &parameters);
        let run = |method| depressions(&map, &DepressionRemoval { method, ..parameters }, &Silent).unwrap();
        let change = |out: &Depressions| -> f64 {
            let pairs = out.ground.samples().iter().zip(map.samples());
            pairs.filter(|(_, old)| !old.is_nan()).map(|(new, old)| f64::from((new - old).abs())).sum()
        };

        let filled = run(Method::Fill);
        for (at, (&ground, &height)) in filled.ground.samples().iter().zip(map.samples()).enumerate() {
            let is_sea = sea_level.is_some_and(|sea| height < sea);
            let expected = if is_sea { height } else { flood[at] };
            prop_assert!(height.is_nan() || ground == expected);
            let depth = filled.depth.samples()[at];
            prop_assert!(height.is_nan() == depth.is_nan() && (depth.is_nan() || depth == ground - height));
        }
        let outer = filled.hollows.iter().filter(|hollow| hollow.0.parent.is_none());
        let volume: f64 = outer.map(|hollow| hollow.0.volume).sum();
        prop_assert!((volume - change(&filled)).abs() < 1e-3);
        for (hollow, _) in &filled.hollows {
            prop_assert_eq!(map.samples()[hollow.spill as usize], hollow.level);
            if let Some(parent) = hollow.parent {
                let parent = filled.hollows[parent as usize].0;
                prop_assert!(parent.level >= hollow.level && parent.samples > hollow.samples);
                prop_assert!(map.samples()[parent.bottom as usize] <= map.samples()[hollow.bottom as usize]);
            }
        }

        let breached = run(Method::Breach);
        prop_assert!(
            breached.ground.samples().iter().zip(map.samples()).all(|(new, old)| new <= old || old.is_nan())
        );
        prop_assert!(breached.hollows.iter().all(|hollow| hollow.1 == Fate::Breach));
        let least = run(Method::Least);
        prop_assert!(least.hollows.iter().all(|hollow| hollow.1 != Fate::Keep));
        for out in [&filled, &breached, &least] {
            prop_assert_eq!(left(&out.ground, &parameters), 0);
            prop_assert_eq!(&out.depth.samples().len(), &map.samples().len());
        }
    }

    /// Limits hold, and what they allow is done.
    #[test]
    fn limits_hold(
        size in (3usize..16, 3usize..16),
        max_depth in 0.5f32..6.0,
        max_length in 1.0f64..20.0,
        whole: bool,
        seed: u64,
    ) {
        let map = random(size, 10, false, whole, seed);
        for method in [Method::Fill, Method::Breach, Method::Least] {
            let parameters = DepressionRemoval { method, max_depth, max_length, ..FILL };
            let out = depressions(&map, &parameters, &Silent).unwrap();
            let pairs = out.ground.samples().iter().zip(map.samples());
            let most = pairs.map(|(new, old)| (new - old).abs()).fold(0.0, f32::max);
            prop_assert!(most <= max_depth * 1.000_001, "{most} {max_depth}");
            let kept = out.hollows.iter().filter(|hollow| hollow.1 == Fate::Keep).count();
            // Others are gone. Those that are kept may have got an exit by a channel of another.
            prop_assert!(left(&out.ground, &parameters) <= kept);
        }
    }
}

/// Smooth hills with hollows of all sizes.
fn hills(seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    Heightmap::from_fn(Domain::new(120, 90).with_spacing(10.0), |x, y| {
        let octave = |size: usize, height: f32| {
            let (tx, ty) = ((x % size) as f32 / size as f32, (y % size) as f32 / size as f32);
            let corner = |i: usize, j: usize| {
                lattice.unit((x / size + i) as i64, (y / size + j) as i64 + 500 * size as i64)
            };
            let mix = |a: f32, b: f32, t: f32| a + (b - a) * t * t * (3.0 - 2.0 * t);
            height * mix(mix(corner(0, 0), corner(1, 0), tx), mix(corner(0, 1), corner(1, 1), tx), ty)
        };
        octave(30, 300.0) + octave(15, 120.0) + octave(5, 30.0) + octave(2, 4.0)
    })
}

/// Channels between pits that are equally low are short.
#[test]
fn equally_low_pits_lead_to_each_other() {
    let pit = |x: usize, y: usize| x % 3 == 1 && y % 3 == 1;
    let map = Heightmap::from_fn(Domain::new(60, 60), |x, y| if pit(x, y) { 0.0 } else { 10.0 });
    let out = depressions(&map, &BREACH, &Silent).unwrap();
    let changed = out.ground.samples().iter().zip(map.samples()).filter(|(new, old)| new != old).count();
    // Two samples lie between two pits, and one between a pit and the border.
    assert!(changed <= 2 * 400, "{changed}");
    assert_eq!(left(&out.ground, &BREACH), 0);
}

/// Hollows in hollows, each a little larger, are found by jumps.
#[test]
fn a_tower_of_hollows() {
    let width = 601;
    let heights: Vec<f32> = (0..width)
        .map(|x| {
            let rise = 10.0 + 0.01 * x as f32;
            if x % 2 == 0 { -rise } else { rise }
        })
        .collect();
    let map = Heightmap::from_fn(Domain::new(width, 3), |x, y| if y == 1 { heights[x] } else { 100.0 });
    let out = depressions(&map, &FILL, &Silent).unwrap();
    let flood = flooded(&map, &FILL);
    assert_eq!(out.ground.samples(), flood);
}

#[test]
fn the_least_change_is_less_than_that_of_filling() {
    for seed in 0..40 {
        // The same hills, and hills so flat that channels could fall more than the hills are high.
        let map = hills(seed / 2);
        let flat = seed % 2 == 1;
        let domain = map.domain().with_spacing(if flat { 1000.0 } else { 10.0 });
        let scale = if flat { 1e-4 } else { 1.0 };
        let map = Heightmap::from_fn(domain, |x, y| scale * map[(x, y)]);
        let change = |method| {
            let out = depressions(&map, &DepressionRemoval { method, ..FILL }, &Silent).unwrap();
            let pairs = out.ground.samples().iter().zip(map.samples());
            pairs.map(|(new, old)| f64::from((new - old).abs())).sum::<f64>()
        };
        let [fill, least] = [Method::Fill, Method::Least].map(change);
        assert!(least <= fill, "{seed}: {fill} {least}");
    }
}

#[test]
fn water_leaves_ground_without_hollows() {
    let map = hills(7);
    for method in [Method::Fill, Method::Breach, Method::Least] {
        let out = depressions(&map, &DepressionRemoval { method, ..FILL }, &Silent).unwrap();
        let drained =
            drainage(&out.ground, &Draining { lakes: false, ..Draining::default() }, &Silent).unwrap();
        let shape = Shape { width: 120, height: 90, wrap: false };
        let ends = |at: usize| drained.receivers.samples()[at] == 0.0;
        assert!((0..120 * 90).all(|at| !ends(at) || shape.on_border(shape.position(at))), "{method:?}");
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let map = hills(3);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| depressions(&map, &LEAST, &Silent).unwrap())
    };
    assert_eq!(run(1), run(3));
}
