//! Terrain through known heights.

use super::*;

const CORNERS: [f64; 4] = [400.0, 0.0, 0.0, 400.0];

fn heights(corners: Option<[f64; 4]>, points: &[(f64, f64, f64)]) -> Heights {
    Heights { amplitude: 100.0, offset: 0.0, corners, points: points.to_vec() }
}

fn through(domain: &Domain, seed: Seed, p: &Midpoint, heights: &Heights) -> Heightmap {
    displacement_through(domain, seed, p, heights, &Silent).unwrap()
}

/// The maximum difference between a sample and the mean of its four neighbours.
fn bend(heights: &[f64], (w, h): (usize, usize)) -> f64 {
    let at = |x: usize, y: usize| heights[y * w + x];
    let inside = (1..h - 1).flat_map(|y| (1..w - 1).map(move |x| (x, y)));
    inside.fold(0.0, |most: f64, (x, y)| {
        let around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
        most.max((around / 4.0 - at(x, y)).abs())
    })
}

/// How much the terrain bends without known heights, and how much the known heights add.
fn bends(domain: &Domain, seed: Seed, p: &Midpoint, known: &Heights) -> (f64, f64) {
    let without = through(domain, seed, p, &Heights { corners: None, points: Vec::new(), ..known.clone() });
    let with = through(domain, seed, p, known);
    let own: Vec<f64> = without.samples().iter().map(|&h| f64::from(h)).collect();
    let added: Vec<f64> = with.samples().iter().zip(&own).map(|(&with, own)| f64::from(with) - own).collect();
    (bend(&own, domain.size), bend(&added, domain.size))
}

#[test]
fn corners_of_almost_flat_terrain_are_met() {
    for amplitude in [0.0, 1.0e-40, 1.0e-37, 1.0e-20] {
        let known = Heights { amplitude, ..heights(Some([10.0, 20.0, 30.0, 1.0e6]), &[]) };
        let map = through(&Domain::new(33, 33), Seed(5), &parameters(Boundary::Open), &known);
        assert!(map.samples().iter().all(|&height| (-1.0..1.001e6).contains(&height)), "{amplitude}");
        assert_eq!([map[(0, 0)], map[(32, 32)]], [10.0, 1.0e6]);
    }
}

/// With no offsets, every midpoint is the mean of its neighbours: computed by hand on one cell.
#[test]
fn one_cell_by_hand() {
    let p = Midpoint { persistence: 0.0, lattice: 2, ..parameters(Boundary::Open) };
    let known = Heights { amplitude: 1.0, ..heights(Some([0.0, 4.0, 8.0, 12.0]), &[]) };
    let map = through(&Domain::new(3, 3), Seed(5), &p, &known);
    // The diamond is (0 + 4 + 8 + 12) / 4 = 6; a border midpoint the mean of two corners and the diamond.
    let third = 1.0f32 / 3.0;
    assert_eq!(
        map.samples(),
        [0.0, 10.0 * third, 4.0, 14.0 * third, 6.0, 22.0 * third, 8.0, 26.0 * third, 12.0]
    );
}

/// A cell of flat ground at 1, with a known height of 9 in the middle of its left side. The four starting
/// points collect a move of 8: those on the left with a weight of 3/4 · 1/2, those on the right with 1/8 ·
/// 1/2. So those on the left move by 8, and those on the right by a quarter of it, 2.
#[test]
fn a_move_by_hand() {
    let p = Midpoint { persistence: 0.0, lattice: 2, ..parameters(Boundary::Open) };
    let flat = Heights { amplitude: 0.0, offset: 1.0, ..heights(None, &[(0.0, 1.0, 9.0)]) };
    // The samples of the left column move by 3/4 · 8 + 1/8 · (8 + 2) = 7.25, those of the right column by
    // 3/4 · 2 + 1/8 · (8 + 2) = 2.75. The known sample needs 8, so 3/32 of it are missing; three more passes
    // add them.
    let missing = 3.0 / 32.0;
    let times = 1.0 + missing + missing * missing + missing * missing * missing;
    let [left, middle, right] = [7.25, 5.0, 2.75].map(|by| 1.0 + by * times);
    assert_eq!(
        through(&Domain::new(3, 3), Seed(5), &p, &flat).samples(),
        [left, middle, right, 9.0, middle, right, left, middle, right]
    );
}

#[test]
fn corners_that_are_starting_points_start_the_terrain() {
    for boundary in [Boundary::Open, Boundary::Seamless] {
        let p = parameters(boundary);
        let known = heights(Some(CORNERS), &[]);
        let fine = through(&Domain::new(129, 65), Seed(9), &p, &known);
        let coarse = through(&Domain::new(65, 33).with_spacing(2.0), Seed(9), &p, &known);
        for (row, column) in (0..33).flat_map(|row| (0..65).map(move |column| (row, column))) {
            assert_eq!(coarse[(column, row)].to_bits(), fine[(2 * column, 2 * row)].to_bits());
        }
    }
}

/// Flat ground at 0 with a corner at 6: heights are the products of columns and rows.
#[test]
fn a_tilt_by_hand() {
    let p = Midpoint { lattice: 2, ..parameters(Boundary::Open) };
    let flat = Heights { amplitude: 0.0, ..heights(Some([0.0, 0.0, 0.0, 6.0]), &[]) };
    let map = through(&Domain::new(4, 3), Seed(1), &p, &flat);
    assert_eq!(map.samples(), [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 2.0, 4.0, 6.0]);
}

#[test]
fn corners_bend_terrain_of_any_size_less_than_it_bends_itself() {
    let p = Midpoint { lattice: 2, ..parameters(Boundary::Open) };
    let lattice = Seed(42).lattice();
    let side = |index, axis| 40 + (lattice.unit(index, axis) * 300.0) as usize;
    let random = (0..24).map(|index| ((side(index, 0), side(index, 1)), index as u64));
    let sizes = random.chain([((250, 170), 77), ((129, 130), 1), ((258, 257), 2), ((130, 130), 3)]);
    for ((w, h), seed) in sizes {
        let domain = Domain::new(w, h).with_spacing(2.0).with_origin(-7.0, 3.0);
        let known = heights(Some(CORNERS), &[]);
        let map = through(&domain, Seed(seed), &p, &known);
        let corners = [(0, 0), (w - 1, 0), (0, h - 1), (w - 1, h - 1)].map(|at| f64::from(map[at]));
        assert_eq!(corners, CORNERS, "{w} x {h}");
        let (own, added) = bends(&domain, Seed(seed), &p, &known);
        assert!(added < own, "{w} x {h}, seed {seed}: {added} added to {own}");
    }
}

/// Scattered points, with the heights of a smooth hill.
fn scattered(count: i64, domain: &Domain) -> Vec<(f64, f64, f64)> {
    let lattice = Seed(8).lattice();
    let (width, height) = domain.size;
    let position = |index, axis, samples: usize| f64::from(lattice.unit(index, axis)) * (samples - 1) as f64;
    let point = |index| {
        let (column, row) = (position(index, 0, width), position(index, 1, height));
        let far = (column - 120.0) * (column - 120.0) + (row - 140.0) * (row - 140.0);
        let (x, y) = (domain.x(0) + column * domain.spacing, domain.y(0) + row * domain.spacing);
        (x, y, 300.0 / (1.0 + far / 5000.0))
    };
    (0..count).map(point).collect()
}

#[test]
fn scattered_points_are_met_and_bend_terrain_less_than_it_bends_itself() {
    let domain = Domain::new(301, 257).with_spacing(0.5).with_origin(100.0, -50.0);
    for count in [1, 5, 30, 200] {
        let points = scattered(count, &domain);
        let known = heights(None, &points);
        let p = parameters(Boundary::Open);
        let map = through(&domain, Seed(3), &p, &known);
        for &(x, y, height) in &points {
            assert_eq!(map[domain.nearest((x, y)).unwrap()], height as f32);
        }
        let (own, added) = bends(&domain, Seed(3), &p, &known);
        assert!(added < own, "{count} points: {added} added to {own}");
    }
}

#[test]
fn points_and_corners_are_met_on_every_boundary() {
    for (boundary, size) in
        [(Boundary::Open, 129), (Boundary::Open, 100), (Boundary::Seamless, 129), (Boundary::Wrap, 96)]
    {
        for amplitude in [0.0, 77.7] {
            let domain = Domain::new(size, size);
            let points = [(31.0, 47.0, 12.1), (90.0, 13.0, -100.3), (64.0, 90.0, 50.7), (0.0, 77.0, 150.9)];
            let known = Heights { amplitude, offset: 12.3, ..heights(Some([1.1, 2.2, 3.3, 4.4]), &points) };
            let p = Midpoint { smoothed: true, ..parameters(boundary) };
            let map = through(&domain, Seed(5), &p, &known);
            for (x, y, height) in points {
                assert_eq!(map[(x as usize, y as usize)], height as f32, "{boundary:?} {size}");
            }
            let last = size - 1;
            let corners = [(0, 0), (last, 0), (0, last), (last, last)].map(|at| map[at]);
            assert_eq!(corners, [1.1, 2.2, 3.3, 4.4], "{boundary:?} {size}");
        }
    }
}

#[test]
fn a_point_leaves_terrain_beyond_four_starting_cells_as_it_was() {
    let p = Midpoint { lattice: 9, ..parameters(Boundary::Seamless) };
    let domain = Domain::new(129, 129);
    let (with, without) = (
        through(&domain, Seed(1), &p, &heights(None, &[(20.0, 30.0, 900.0)])),
        through(&domain, Seed(1), &p, &heights(None, &[])),
    );
    for (row, column) in (0usize..129).flat_map(|row| (0usize..129).map(move |column| (row, column))) {
        if column.abs_diff(20) > 64 || row.abs_diff(30) > 64 {
            assert_eq!(with[(column, row)], without[(column, row)]);
        }
    }
}

#[test]
fn a_wrapping_map_is_moved_across_its_seam() {
    let p = Midpoint { lattice: 4, ..parameters(Boundary::Wrap) };
    let domain = Domain::new(128, 128);
    let known = heights(None, &[(1.0, 60.0, 700.0)]);
    let (with, without) =
        (through(&domain, Seed(1), &p, &known), through(&domain, Seed(1), &p, &heights(None, &[])));
    let moved = |column| with[(column, 60)] - without[(column, 60)];
    let step = |column| (moved(column) - moved((column + 1) % 128)).abs();
    let inside = (0..127).map(step).fold(0.0, f32::max);
    assert!(moved(127) > 0.0 && step(127) <= inside, "{} across the seam, {inside} inside", step(127));
}

#[test]
fn points_outside_or_in_conflict_are_errors() {
    let with = |points: &[(f64, f64, f64)]| {
        let (domain, p) = (Domain::new(17, 17), parameters(Boundary::Open));
        let corners = Some([1.0, 2.0, 3.0, 4.0]);
        displacement_through(&domain, Seed(1), &p, &heights(corners, points), &Silent).unwrap_err()
    };
    assert_eq!(with(&[(17.0, 2.0, 1.0)]), MidpointError::Outside(17.0, 2.0));
    assert_eq!(with(&[(3.0, 2.0, 1.0), (3.2, 2.0, 0.0)]), MidpointError::Conflict(3.2, 2.0));
    assert_eq!(with(&[(16.0, 0.0, 2.0), (0.0, 0.0, 2.0)]), MidpointError::Conflict(0.0, 0.0));
}

#[test]
fn any_number_of_threads_moves_by_the_same_bits() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let domain = Domain::new(300, 200);
        let known = heights(Some(CORNERS), &scattered(40, &domain));
        pool.install(|| through(&domain, Seed(5), &parameters(Boundary::Open), &known))
    };
    assert_eq!(run(1), run(3));
}

proptest! {
    #[test]
    fn any_size_meets_any_points(
        w in 1usize..50, h in 1usize..50, lattice in 1u32..6, wrap: bool,
        points in proptest::collection::vec((0.0f64..1.0, 0.0f64..1.0, -500.0f64..500.0), 0..12)
    ) {
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let size = if wrap { (16 * lattice as usize, 32 * lattice as usize) } else { (w, h) };
        let domain = Domain::new(size.0, size.1).with_spacing(3.0);
        let extent = domain.extent();
        let points: Vec<_> = points.iter().map(|&(x, y, z)| (x * extent.0, y * extent.1, z)).collect();
        let p = Midpoint { lattice, ..parameters(boundary) };
        match displacement_through(&domain, Seed(4), &p, &heights(None, &points), &Silent) {
            Ok(map) => {
                for (x, y, height) in points {
                    prop_assert_eq!(map[domain.nearest((x, y)).unwrap()], height as f32);
                }
                // Moves are means of the differences.
                prop_assert!(map.samples().iter().all(|h| h.abs() < 1000.0));
            }
            Err(error) => prop_assert!(matches!(error, MidpointError::Conflict(..)), "{error}"),
        }
    }
}
