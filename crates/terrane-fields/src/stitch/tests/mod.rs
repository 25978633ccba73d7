mod appearance;
mod drawn;
mod slow;
mod steep;
mod steepness;
mod worlds;

use proptest::prelude::*;
use terrane_grid::{Heightmap, Seed};

use super::*;
use terrane_compute::Stop;
use worlds::{World, flats, hills};

const METHODS: [Method; 2] = [Method::Linear, Method::Smooth];

fn within(method: Method, distance: f64) -> Stitch<'static> {
    Stitch { method, distance, ..Stitch::default() }
}

fn assert_bits(a: &Heightmap, b: &Heightmap) {
    let differs = a.samples().iter().zip(b.samples()).position(|(a, b)| a.to_bits() != b.to_bits());
    assert_eq!(differs, None);
}

/// Pairs of neighbouring samples with their fields.
fn steps(world: &World, map: &Heightmap) -> (Vec<f32>, Vec<f32>) {
    let ids = world.ids();
    let (mut inside, mut across) = (Vec::new(), Vec::new());
    let (w, h) = world.domain.size;
    for (column, row) in (0..h).flat_map(|row| (0..w).map(move |column| (column, row))) {
        for other in [(column + 1, row), (column, row + 1)].into_iter().filter(|&(x, y)| x < w && y < h) {
            let (a, b) = (ids[(column, row)], ids[other]);
            if a != NONE && b != NONE {
                let step = (map[(column, row)] - map[other]).abs();
                if a == b { inside.push(step) } else { across.push(step) }
            }
        }
    }
    inside.sort_by(f32::total_cmp);
    across.sort_by(f32::total_cmp);
    (inside, across)
}

#[test]
fn the_worked_example_of_the_thesis() {
    // Distance 10, Difference 5, element 3 from the edge: 0.7 · 5 = 3.5, when one field moves alone.
    let world = World::pair(|field, _, _| 5.0 * field as f32);
    let found = world.stitched(&Stitch { shares: &[1.0, 0.0], ..within(Method::Linear, 10.0) });
    assert_eq!(found.heights[(37, 60)], 3.5);
    assert_eq!(found.seam_distance[(37, 60)], 3.0);
    assert_eq!(found.heights[(30, 60)], 0.0);
    assert!((40..81).all(|column| found.heights[(column, 60)] == 5.0));
}

#[test]
fn two_fields_by_hand() {
    let world = World::pair(|field, _, _| 8.0 * field as f32);
    let linear = world.stitched(&within(Method::Linear, 8.0));
    let smooth = world.stitched(&within(Method::Smooth, 8.0));
    for away in 0..=12 {
        let far = away as f64 / 8.0;
        let (weight, even) =
            if away < 8 { (1.0 - far, 1.0 - 1.5 * far + 0.5 * far * far * far) } else { (0.0, 0.0) };
        for (found, weight) in [(&linear, weight), (&smooth, even)] {
            assert_eq!(
                found.heights[(40 - away.max(1), 60)] as f64 * f64::from(away > 0),
                4.0 * weight * f64::from(away > 0)
            );
            assert!((f64::from(found.heights[(40 + away, 60)]) - (8.0 - 4.0 * weight)).abs() < 1e-6);
        }
    }
}

#[test]
fn half_the_difference_is_left_by_half_the_amount_and_shares_divide_the_rest() {
    let world = World::pair(|field, _, y| (field as f64 * (3.0 + libm::sin(y * 0.1))) as f32);
    for method in METHODS {
        let all = Stitch { shares: &[3.0, 1.0], ..within(method, 16.0) };
        let half = world.stitched(&Stitch { amount: 0.5, ..all });
        let full = world.stitched(&all);
        for row in 20..100 {
            let height = f64::from(world.terrains[1][(40, row)]);
            assert!((f64::from(full.heights[(40, row)]) - 0.75 * height).abs() < 1e-5, "{method:?} {row}");
            assert!((f64::from(half.heights[(40, row)]) - 0.875 * height).abs() < 1e-5);
        }
    }
}

#[test]
fn fields_and_edges_have_distances_of_their_own() {
    let mut world = World::pair(|field, _, _| 8.0 * field as f32);
    world.graph.edges = vec![(0, 1), (4, 1)];
    let farthest = |found: &Stitched, right: bool| {
        let base = if right { 8.0 } else { 0.0 };
        let moved = |away: &usize| found.heights[(if right { 40 + away } else { 40 - away }, 60)] != base;
        (1..40).filter(moved).max().unwrap()
    };
    for method in METHODS {
        let fields = Stitch { field_distances: &[None, Some(20.0)], ..within(method, 10.0) };
        let found = world.stitched(&fields);
        assert_eq!((farthest(&found, false), farthest(&found, true)), (9, 19));
        let found = world.stitched(&Stitch { edge_distances: &[Some(3.0), Some(5.0)], ..fields });
        assert_eq!((farthest(&found, false), farthest(&found, true)), (4, 4));
    }
}

#[test]
fn the_linear_stitch_matches_the_slow_one() {
    for (world, distance) in
        [(World::odd(1.0, hills), 6.0), (World::odd(0.5, hills), 3.0), (World::grid(3, 1.0, 4, hills), 9.0)]
    {
        let parameters = within(Method::Linear, distance);
        let found = world.stitched(&parameters);
        for (index, (found, slow)) in
            found.heights.samples().iter().zip(slow::linear(&world, &parameters)).enumerate()
        {
            let at = (index % world.domain.width(), index / world.domain.width());
            assert!((f64::from(*found) - slow).abs() < 1e-6, "{at:?}: {found} {slow}");
        }
    }
}

#[test]
fn the_smooth_stitch_matches_the_slow_one() {
    for (world, distance) in [
        (World::odd(1.0, hills), 6.0),
        (World::odd(0.5, hills), 3.0),
        (World::grid(3, 1.0, 4, hills), 5.0),
        (World::island(hills), 4.0),
    ] {
        let parameters = within(Method::Smooth, distance);
        let found = world.stitched(&parameters);
        for (index, (found, slow)) in
            found.heights.samples().iter().zip(slow::smooth(&world, &parameters)).enumerate()
        {
            let at = (index % world.domain.width(), index / world.domain.width());
            // Tables along edges are single precision.
            assert!((f64::from(*found) - slow).abs() < 2e-6, "{at:?}: {found} {slow}");
        }
    }
}

/// A border drawn with many nodes acts as one border: heights differ by less than 0.01.
#[test]
fn nodes_in_a_straight_border_change_nothing() {
    let plain = World::pair(hills);
    let nodes: Vec<(f64, f64)> = (1..40).map(|i| (40.0, 3.0 * f64::from(i))).collect();
    let mut many = plain.clone();
    many.graph.nodes.extend(&nodes);
    let down: Vec<u32> = (6..6 + nodes.len() as u32).collect();
    let up: Vec<u32> = down.iter().rev().copied().collect();
    many.outlines[0].rings[0] = [&[0, 1], down.as_slice(), &[4, 5]].concat();
    many.outlines[1].rings[0] = [&[1, 2, 3, 4], up.as_slice()].concat();
    let parameters = within(Method::Smooth, 14.0);
    let (plain, many) = (plain.stitched(&parameters), many.stitched(&parameters));
    for (a, b) in plain.heights.samples().iter().zip(many.heights.samples()) {
        assert!((a - b).abs() < 0.01, "{a} {b}");
    }
}

/// Fields that almost meet in one node: the border between two of them is far shorter than a sample, and
/// needs no more memory than others.
#[test]
fn a_border_shorter_than_a_sample_is_one_like_others() {
    let nodes = |gap: f64| {
        [(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0), (20.5, 15.25 - gap), (20.5, 15.25 + gap)]
    };
    let rings: [&[u32]; 4] = [&[0, 1, 4], &[1, 2, 5, 4], &[2, 3, 5], &[3, 0, 4, 5]];
    let stitched = |gap: f64| {
        World::new(&nodes(gap), &rings, Domain::new(41, 31), hills)
            .stitched(&within(Method::Smooth, 9.0))
            .heights
    };
    let (tiny, small) = (stitched(1e-9), stitched(1e-4));
    for (a, b) in tiny.samples().iter().zip(small.samples()) {
        assert!((a - b).abs() < 1e-3, "{a} {b}");
    }
}

#[test]
fn steps_across_edges_become_like_those_inside() {
    for method in METHODS {
        let world = World::grid(4, 0.5, 2, |field, x, y| hills(field, x, y) + (field % 3) as f32);
        let (_, before) = steps(&world, &world.before());
        let (inside, after) = steps(&world, &world.stitched(&within(method, 6.0)).heights);
        let part = |steps: &[f32], part: usize| steps[(steps.len() - 1) * part / 100];
        assert!(part(&before, 50) > 2.0 * part(&inside, 100));
        assert!(part(&after, 50) < 2.0 * part(&inside, 50));
        assert!(part(&after, 100) < part(&inside, 100));
    }
}

#[test]
fn all_fields_meet_at_nodes() {
    let world = World::grid(4, 0.5, 6, hills);
    for method in METHODS {
        let found = world.stitched(&within(method, 5.0));
        for (node, &(x, y)) in world.graph.nodes.iter().enumerate() {
            let at = ((x / 0.5) as usize, (y / 0.5) as usize);
            let around = world
                .outlines
                .iter()
                .zip(&world.terrains)
                .filter(|(outline, _)| outline.rings[0].contains(&(node as u32)));
            let heights: Vec<f64> = around.map(|(_, map)| f64::from(map[at])).collect();
            let mean = heights.iter().sum::<f64>() / heights.len() as f64;
            assert!((f64::from(found.heights[at]) - mean).abs() < 1e-6, "{method:?} {node}");
        }
    }
}

#[test]
fn samples_beyond_the_distance_keep_their_bits() {
    for world in [World::odd(0.5, hills), World::grid(4, 0.5, 1, |field, x, y| hills(field, x, y) - 0.4)] {
        for method in METHODS {
            let found = world.stitched(&within(method, 2.0));
            let (ids, before) = (world.ids(), world.before());
            let mut moved = 0;
            for (at, (&found, &before)) in found.heights.samples().iter().zip(before.samples()).enumerate() {
                let (column, row) = (at % world.domain.width(), at / world.domain.width());
                let far =
                    slow::to_seam(&world, ids[(column, row)], (world.domain.x(column), world.domain.y(row)));
                assert!(far < 2.0 || found.to_bits() == before.to_bits());
                moved += usize::from(found != before);
            }
            assert!(moved > before.samples().len() / 10);
        }
    }
}

#[test]
fn seam_distance_is_to_the_nearest_seam() {
    let world = World::odd(0.5, flats);
    let found = world.stitched(&within(Method::Smooth, 4.0)).seam_distance;
    let ids = world.ids();
    for (at, &found) in found.samples().iter().enumerate() {
        let (column, row) = (at % world.domain.width(), at / world.domain.width());
        let slow = slow::to_seam(&world, ids[(column, row)], (world.domain.x(column), world.domain.y(row)));
        assert!((f64::from(found) - slow.min(4.0)).abs() < 1e-6);
    }
}

#[test]
fn orders_and_threads_do_not_matter() {
    let world = World::grid(4, 0.7, 8, hills);
    let count = world.outlines.len();
    let mut other = world.clone();
    let position = |field: usize| (field * 5 + 3) % count;
    for field in 0..count {
        other.terrains[position(field)] = world.terrains[field].clone();
        let mut ring = world.outlines[field].rings[0].clone();
        ring.rotate_left(field % 4);
        if field % 2 == 0 {
            ring.reverse();
        }
        other.outlines[position(field)].rings[0] = ring;
    }
    // Nodes in a different order, too.
    let nodes = world.graph.nodes.len();
    other.graph.nodes.reverse();
    other.outlines.iter_mut().for_each(|o| o.rings[0].iter_mut().for_each(|n| *n = (nodes - 1) as u32 - *n));
    let shares: Vec<f64> = (0..count).map(|field| [1.0, 2.0, 0.5, 0.0][field % 4]).collect();
    let mut other_shares = shares.clone();
    (0..count).for_each(|field| other_shares[position(field)] = shares[field]);
    for method in METHODS {
        let parameters = within(method, 5.0);
        let found = world.stitched(&Stitch { shares: &shares, ..parameters });
        let swapped = other.stitched(&Stitch { shares: &other_shares, ..parameters });
        assert_bits(&found.heights, &swapped.heights);
        assert_bits(&found.seam_distance, &swapped.seam_distance);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let same = pool.install(|| world.stitched(&Stitch { shares: &shares, ..parameters }));
            assert_bits(&found.heights, &same.heights);
        }
    }
}

#[test]
fn tiles_are_the_whole() {
    let world = World::grid(4, 0.5, 5, hills);
    for method in METHODS {
        let whole = world.stitched(&within(method, 5.0));
        for (x, y) in [(0, 0), (40, 9), (56, 56)] {
            let origin = (world.domain.x(x), world.domain.y(y));
            let tile = World {
                domain: Domain { size: (41, 41), ..world.domain }.with_origin(origin.0, origin.1),
                ..world.clone()
            };
            let found = tile.stitched(&within(method, 5.0));
            for row in 0..41 {
                assert_eq!(found.heights.grid().row(row), &whole.heights.grid().row(y + row)[x..x + 41]);
            }
        }
    }
}

#[test]
fn a_field_needs_its_own_window_only() {
    let world = World::grid(3, 0.5, 5, hills);
    let mut small = world.clone();
    for (outline, terrain) in small.outlines.iter().zip(&mut small.terrains) {
        let nodes = outline.rings[0].iter().map(|&node| world.graph.nodes[node as usize]);
        let low =
            nodes.clone().fold((f64::MAX, f64::MAX), |low, node| (low.0.min(node.0), low.1.min(node.1)));
        let high = nodes.fold((0.0f64, 0.0f64), |high, node| (high.0.max(node.0), high.1.max(node.1)));
        let first = ((low.0 / 0.5) as usize, (low.1 / 0.5) as usize);
        let size = (((high.0 - low.0) / 0.5) as usize + 2, ((high.1 - low.1) / 0.5) as usize + 2);
        let domain = Domain { size, spacing: 0.5, origin: low };
        let whole = terrain.clone();
        let last = whole.width() - 1;
        *terrain =
            Heightmap::from_fn(domain, |x, y| whole[((first.0 + x).min(last), (first.1 + y).min(last))]);
    }
    for method in METHODS {
        let (all, own) = (world.stitched(&within(method, 5.0)), small.stitched(&within(method, 5.0)));
        for (all, own) in all.heights.samples().iter().zip(own.heights.samples()) {
            assert!((all - own).abs() < 1e-6);
        }
    }
}

#[test]
fn not_a_number_stays_not_a_number() {
    let mut world = World::grid(3, 0.5, 5, hills);
    for (field, bad) in [(0, f32::NAN), (4, f32::INFINITY), (5, f32::NAN)] {
        let lattice = Seed(field as u64).lattice();
        for (at, height) in world.terrains[field].samples_mut().iter_mut().enumerate() {
            *height = if lattice.unit(at as i64, 1) < 0.02 { bad } else { *height };
        }
    }
    // A node of four fields, which all read it.
    let (x, y) = world.graph.nodes[5];
    world.terrains[0].grid_mut()[((x / 0.5) as usize, (y / 0.5) as usize)] = f32::NAN;
    for method in METHODS {
        let found = world.stitched(&within(method, 5.0)).heights;
        for (found, before) in found.samples().iter().zip(world.before().samples()) {
            assert_eq!(found.is_finite(), before.is_finite());
        }
    }
}

#[test]
fn nothing_to_stitch_changes_nothing() {
    let world = World::grid(2, 1.0, 5, |field, x, y| hills(field, x, y) * 0.0 - 0.0);
    let mut alone = world.clone();
    alone.outlines.truncate(1);
    let far = Stitch { outside: -7.0, ..within(Method::Smooth, 5.0) };
    for (world, parameters) in [
        (&alone, far.clone()),
        (&world, Stitch { distance: 0.0, ..far.clone() }),
        (&world, Stitch { distance: f64::NAN, ..far.clone() }),
        (&world, Stitch { shares: &[0.0; 4], ..far.clone() }),
        (&world, Stitch { method: Method::Linear, shares: &[0.0; 4], ..far.clone() }),
    ] {
        let before = populate(&world.ids(), &world.maps(), &world.domain, -7.0);
        assert_bits(&world.stitched(&parameters).heights, &before);
    }
    assert_eq!(alone.stitched(&far).heights[(24, 24)], -7.0);
    for size in [(0, 5), (5, 0)] {
        let none = World { domain: Domain { size, ..world.domain }, ..world.clone() };
        assert!(METHODS.iter().all(|&method| none.stitched(&within(method, 5.0)).heights.grid().is_empty()));
    }
    let ids = world.ids();
    let stopped = stitch(&world.graph, &world.outlines, &ids, &world.maps(), &world.domain, &far, &Stop);
    assert_eq!(stopped.err(), Some(Cancelled));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn grids_match_the_slow_stitch_and_close_all_steps(seed in 0u64..1000, distance in 2.0f64..14.0) {
        let world = World::grid(3, 1.0, seed, hills);
        let parameters = within(Method::Linear, distance);
        let found = world.stitched(&parameters);
        for (found, slow) in found.heights.samples().iter().zip(slow::linear(&world, &parameters)) {
            prop_assert!((f64::from(*found) - slow).abs() < 1e-6);
        }
        let (low, high) = world
            .terrains
            .iter()
            .flat_map(Heightmap::samples)
            .fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        let smooth = world.stitched(&Stitch { method: Method::Smooth, ..parameters });
        let room = high - low;
        prop_assert!(smooth.heights.samples().iter().all(|&h| h > low - 0.5 * room && h < high + 0.5 * room));
    }
}
