use std::collections::HashMap;

use super::super::refine::Level;
use super::*;

fn on_plane(domain: &Domain, cell: f64, smoothed: bool, levels: u32) -> Heightmap {
    let distribution = Distribution::Uniform;
    let parameters = PlaneMidpoint { cell, persistence: 0.6, distribution, smoothed, levels };
    displacement_on_plane(domain, Seed(9), &parameters, &Silent).unwrap()
}

/// A point computed recursively from its neighbours, as in the definition. The offsets come from the
/// kernel, one point at a time.
struct Slow {
    levels: u32,
    smoothed: bool,
    known: HashMap<(u32, i64, i64), f32>,
}

impl Slow {
    /// The height of a point of a level's lattice.
    fn height(&mut self, level: u32, x: i64, y: i64) -> f32 {
        if level == 0 {
            return Seed(9).part(0).lattice().unit(x, y);
        }
        if x % 2 == 0 && y % 2 == 0 {
            return self.height(level - 1, x / 2, y / 2);
        }
        if let Some(&known) = self.known.get(&(level, x, y)) {
            return known;
        }
        let mut at = |dx: i64, dy: i64| self.height(level, x + dx, y + dy);
        // Adds in the kernel's order: coarse points first.
        let mean = match (x.rem_euclid(2), y.rem_euclid(2)) {
            (1, 1) => 0.25 * ((at(-1, -1) + at(1, -1)) + (at(-1, 1) + at(1, 1))),
            (1, _) => 0.25 * ((at(-1, 0) + at(1, 0)) + (at(0, -1) + at(0, 1))),
            _ => 0.25 * ((at(0, -1) + at(0, 1)) + (at(-1, 0) + at(1, 0))),
        };
        let mut range = 1.0f32;
        (0..level).for_each(|_| range *= 0.6);
        let parameters = Midpoint { smoothed: self.smoothed, ..parameters(Boundary::Open) };
        let point = Level {
            seed: Seed(9).part(level.into()),
            origin: (x, y),
            range,
            step: 1,
            parameters: &parameters,
        };
        let mut out = [mean];
        point.displace(&mut out, 0, 0);
        self.known.insert((level, x, y), out[0]);
        out[0]
    }
}

#[test]
fn heights_are_those_of_the_definition() {
    for (smoothed, cell) in [(false, 16.0), (true, 9.0), (false, 1.0), (true, 3.0)] {
        let domain = Domain::new(23, 17).with_spacing(0.5).with_origin(-5.5, 40.0);
        let map = on_plane(&domain, cell, smoothed, 99);
        let levels = (0..).find(|&level| f64::from(1u32 << level) * 0.5 >= cell).unwrap();
        let mut slow = Slow { levels, smoothed, known: HashMap::new() };
        for row in 0..17 {
            for column in 0..23 {
                let expected = slow.height(slow.levels, column as i64 - 11, row as i64 + 80);
                assert_eq!(map[(column, row)].to_bits(), expected.to_bits(), "{cell} {column} {row}");
            }
        }
    }
}

/// A cell of thousands of kilometres costs no more than the window.
#[test]
fn any_window_has_the_same_bits() {
    for cell in [40.0, 1e9, 1e30] {
        for smoothed in [false, true] {
            let whole = Domain::new(150, 120).with_spacing(2.0).with_origin(-100.0, 5000.0);
            let map = on_plane(&whole, cell, smoothed, 99);
            for (column, row, width, height) in
                [(0, 0, 1, 1), (149, 119, 1, 1), (31, 64, 77, 3), (1, 2, 148, 118)]
            {
                let part =
                    Domain::new(width, height).with_spacing(2.0).with_origin(whole.x(column), whole.y(row));
                let part = on_plane(&part, cell, smoothed, 99);
                for y in 0..height {
                    for x in 0..width {
                        assert_eq!(part[(x, y)].to_bits(), map[(column + x, row + y)].to_bits());
                    }
                }
            }
        }
    }
    let far = Domain::new(3, 3).with_origin(1e30, -1e30);
    assert!(on_plane(&far, 1e30, false, 99).samples().iter().all(|height| height.is_finite()));
    assert!(on_plane(&Domain::new(0, 5), 8.0, false, 99).samples().is_empty());
}

#[test]
fn half_the_spacing_is_every_second_sample() {
    let fine = Domain::new(81, 61).with_spacing(0.25).with_origin(-3.0, 7.0);
    let coarse = Domain::new(41, 31).with_spacing(0.5).with_origin(-3.0, 7.0);
    let (fine, coarse) = (on_plane(&fine, 30.0, true, 99), on_plane(&coarse, 30.0, true, 99));
    for row in 0..31 {
        for column in 0..41 {
            assert_eq!(coarse[(column, row)].to_bits(), fine[(2 * column, 2 * row)].to_bits());
        }
    }
}

/// When later levels have no offsets, steps between samples are smaller, and points of the earlier levels do
/// not change.
#[test]
fn later_levels_are_means_alone() {
    let domain = Domain::new(129, 129);
    let (rough, even) = (on_plane(&domain, 64.0, false, 99), on_plane(&domain, 64.0, false, 2));
    let steps =
        |map: &Heightmap| -> f32 { map.samples().windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum() };
    assert!(steps(&even) < 0.6 * steps(&rough), "{} {}", steps(&even), steps(&rough));
    for row in (0..129).step_by(16) {
        for column in (0..129).step_by(16) {
            assert_eq!(rough[(column, row)].to_bits(), even[(column, row)].to_bits());
        }
    }
}
