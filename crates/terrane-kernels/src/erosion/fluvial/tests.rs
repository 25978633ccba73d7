use proptest::prelude::*;
use terrane_grid::Domain;

use super::super::test_maps::{adversarial, elevation_models, range};
use super::*;
use crate::Silent;
use crate::progress::Stop;

/// The paper's numbers.
fn parameters(iterations: u32) -> Fluvial<'static> {
    Fluvial {
        value_strength: ScalarMap::Constant(0.02),
        gradient_strength: ScalarMap::Constant(0.8),
        moisture: ScalarMap::Constant(1.0),
        iterations,
        sea_level: 0.0,
        drainage_loss: 0.68,
        erosion: 0.5,
        drainage_exponent: 1.0,
        slope_exponent: 2.0,
        gorge: 0.1,
        diagonals: false,
        jitter: 1.0,
        noise: 0.01,
        boundary: Boundary::Open,
    }
}

fn hills(w: usize, h: usize, seed: u64) -> Heightmap {
    let lattice = Seed(seed).lattice();
    Heightmap::from_fn(Domain::new(w, h), |x, y| {
        let octave = |cell: usize| {
            lattice.unit((x / cell) as i64, (y / cell + 1000 * cell) as i64) * (cell as f32).sqrt()
        };
        octave(16) + octave(4) + octave(1) - 2.0
    })
}

/// Where the paper's words are followed tile by tile. Rounding is the kernel's, so that it chooses as the kernel does; sums of drainage are not.
struct Slow<'a> {
    p: &'a Fluvial<'a>,
    w: usize,
    h: usize,
    spacing: f32,
    nearness: Nearness,
    land: Vec<f32>,
    ideal: Vec<f32>,
    strength: Vec<f32>,
}

impl<'a> Slow<'a> {
    fn new(map: &Heightmap, p: &'a Fluvial<'a>, seed: Seed) -> Self {
        let (w, h) = map.domain().size;
        // The same offsets and the same noise.
        let state = State::new(map, p, seed, &|| Ok(())).unwrap();
        let State { nearness, ideal, gradient_strength: strength, .. } = state;
        let spacing = map.spacing() as f32;
        Self { p, w, h, spacing, nearness, land: ideal.clone(), ideal, strength }
    }

    fn total(&self) -> Vec<f32> {
        self.land.iter().map(|&land| land.max(self.p.sea_level)).collect()
    }

    /// Neighbours in the order of their indices on an open map, with one over their distances.
    fn around(&self, at: usize) -> Vec<(usize, f32)> {
        self.neighbours(at, self.p.ways())
    }

    fn neighbours(&self, at: usize, ways: usize) -> Vec<(usize, f32)> {
        let (x, y, w, h) = ((at % self.w) as isize, (at / self.w) as isize, self.w as isize, self.h as isize);
        let mut all = Vec::new();
        for (way, (dx, dy)) in WAYS.into_iter().enumerate().take(ways + 1).skip(1) {
            let inside = (0..w).contains(&(x + dx)) && (0..h).contains(&(y + dy));
            if inside || self.p.boundary == Boundary::Wrap {
                let to = (((y + dy).rem_euclid(h)) * w + (x + dx).rem_euclid(w)) as usize;
                all.push((to, self.nearness.along(way, self.nearness.place((x as usize, y as usize)))[0]));
            }
        }
        all
    }

    fn receivers(&self, total: &[f32]) -> Vec<usize> {
        let receiver = |at: usize| {
            let mut best = (0.0, at);
            for (to, near) in self.around(at) {
                let slope = (total[at] - total[to]) * near;
                if slope > best.0 {
                    best = (slope, to);
                }
            }
            best.1
        };
        (0..total.len()).map(receiver).collect()
    }

    /// By recursion over tributaries, as the paper has it.
    fn drainage(&self, at: usize, receivers: &[usize]) -> f32 {
        let tributaries =
            self.around(at).into_iter().filter(|&(from, _)| from != at && receivers[from] == at);
        let mut from: Vec<usize> = tributaries.map(|(from, _)| from).collect();
        from.sort_unstable();
        from.dedup();
        (self.p.moisture.at(at))
            + self.p.drainage_loss * from.iter().map(|&from| self.drainage(from, receivers)).sum::<f32>()
    }

    fn tick(&mut self) {
        let total = self.total();
        let count = total.len();
        let receivers = self.receivers(&total);
        let drainage: Vec<f32> = (0..count).map(|at| self.drainage(at, &receivers)).collect();
        let downstream = |mut at: usize| {
            let mut path = vec![at];
            while receivers[at] != at {
                at = receivers[at];
                path.push(at);
            }
            path
        };
        let roots: Vec<usize> = (0..count).map(|at| *downstream(at).last().unwrap()).collect();
        let root = |at: usize| roots[at];
        let is_leaf =
            |leaf: usize| self.around(leaf).iter().all(|&(from, _)| from == leaf || receivers[from] != leaf);
        let mut leaves_of = vec![Vec::new(); count];
        (0..count).filter(|&at| is_leaf(at)).for_each(|leaf| leaves_of[root(leaf)].push(leaf));
        let dry: Vec<bool> = self.land.iter().map(|&land| land >= self.p.sea_level).collect();
        for minimum in (0..count).filter(|&at| receivers[at] == at && dry[at]) {
            let across = |leaf: usize| {
                if receivers[leaf] == leaf {
                    let around = self.around(leaf);
                    let lowest = around.iter().map(|&(to, _)| total[to]).fold(f32::MAX, f32::min);
                    return around.iter().map(|&(to, _)| to).filter(|&to| total[to] == lowest).min();
                }
                let (x, y) = ((leaf % self.w) as isize, (leaf / self.w) as isize);
                let to = receivers[leaf];
                let offset = WAYS[1..].iter().copied().find(|&(dx, dy)| {
                    let at = ((x + dx).rem_euclid(self.w as isize), (y + dy).rem_euclid(self.h as isize));
                    at == ((to % self.w) as isize, (to / self.w) as isize)
                });
                let (dx, dy) = offset.unwrap();
                let (x, y) = (x - dx, y - dy);
                let inside = (0..self.w as isize).contains(&x) && (0..self.h as isize).contains(&y);
                (inside || self.p.boundary == Boundary::Wrap).then(|| {
                    y.rem_euclid(self.h as isize) as usize * self.w + x.rem_euclid(self.w as isize) as usize
                })
            };
            let mut best: Option<(usize, usize)> = None;
            for &leaf in &leaves_of[minimum] {
                let Some(other) = across(leaf).filter(|&other| root(other) != minimum) else { continue };
                if best.is_none_or(|(lowest, _)| total[leaf] < total[lowest]) {
                    best = Some((leaf, other));
                }
            }
            let Some((leaf, other)) = best else { continue };
            let mut path = downstream(leaf);
            path.reverse();
            path.extend(downstream(other));
            let mut along = vec![0.0f32];
            for pair in path.windows(2) {
                let step = self.around(pair[0]).into_iter().find(|&(to, _)| to == pair[1]).unwrap().1;
                along.push(along.last().unwrap() + 1.0 / step);
            }
            let (length, from, to) = (*along.last().unwrap(), total[minimum], total[root(other)]);
            let weight = (self.p.gorge * drainage[minimum].sqrt()).min(1.0);
            for (&tile, along) in path.iter().zip(along) {
                let ideal = from + (to - from) * (along / length);
                if self.land[tile] > ideal {
                    self.land[tile] -= weight * (self.land[tile] - ideal);
                }
                self.strength[tile] *= 1.0 - weight;
            }
        }
        let total = self.total();
        let mut lost = vec![0.0; count];
        for at in 0..count {
            let to = receivers[at];
            if to == at || self.land[at] < self.p.sea_level {
                continue;
            }
            let near = self.around(at).into_iter().find(|&(n, _)| n == to).unwrap().1;
            let drop = (total[at] - total[to]).max(0.0);
            // In tile sides.
            let carried = (self.p.erosion * self.spacing)
                * libm::powf(drainage[at], self.p.drainage_exponent)
                * libm::powf(drop * near, self.p.slope_exponent);
            lost[at] = carried.min(drop);
        }
        // What is left above the ideal height, after the value constraint.
        let left = |at: usize| {
            let above = self.land[at] - lost[at] - self.ideal[at];
            above - self.p.value_strength.at(at) * above
        };
        let left: Vec<f32> = (0..count).map(left).collect();
        for at in 0..count {
            let around = self.neighbours(at, 4);
            // A neighbour wants the tile as far above its ideal height as it is itself: h_n + (ideal − ideal_n) − ideal.
            let wanted: f32 = around.iter().map(|&(n, _)| left[n]).sum();
            let wanted = wanted * if around.is_empty() { 0.0 } else { 1.0 / around.len() as f32 };
            self.land[at] = self.ideal[at] + (left[at] + self.strength[at] * (wanted - left[at]));
        }
    }
}

/// Heights to a millionth of the relief, drainage to a hundred-thousandth: sums are added up in another order.
fn agrees_with_slow(map: &Heightmap, p: &Fluvial<'_>) {
    let mut slow = Slow::new(map, p, Seed(8));
    (0..p.iterations).for_each(|_| slow.tick());
    let fast = fluvial_erosion(map, p, Seed(8), &Silent, None).unwrap();
    let (low, high) = range(map);
    let size = map.domain().size;
    for (at, (a, b)) in fast.height.samples().iter().zip(&slow.land).enumerate() {
        assert!((a - b).abs() <= 1e-6 * (high - low), "{size:?} {:?} {at}: {a} {b}", p.boundary);
    }
    let receivers = slow.receivers(&slow.total());
    for (at, &found) in fast.drainage.samples().iter().enumerate() {
        let expected = slow.drainage(at, &receivers);
        assert!((found - expected).abs() < 1e-5 * expected, "{size:?} {at}: {found} {expected}");
    }
}

#[test]
fn agrees_with_the_paper_read_literally() {
    for (w, h) in [(24, 17), (40, 33), (257, 257), (1, 9), (9, 1), (3, 3)] {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            for (n, m) in [(1.0, 2.0), (0.5, 1.0)] {
                if boundary == Boundary::Wrap && w.min(h) < 3 {
                    continue;
                }
                let p = Fluvial { boundary, drainage_exponent: n, slope_exponent: m, ..parameters(4) };
                for diagonals in [false, true] {
                    agrees_with_slow(&hills(w, h, 3), &Fluvial { diagonals, ..p });
                }
            }
        }
    }
}

#[test]
fn agrees_with_the_paper_on_real_ground() {
    for map in elevation_models() {
        let (low, high) = range(&map);
        // A third is under water; a river cuts in proportion to the paper's tiles.
        let sea_level = low + (high - low) / 3.0;
        for gradient_strength in [0.02, 0.8] {
            let gradient_strength = ScalarMap::Constant(gradient_strength);
            for diagonals in [false, true] {
                agrees_with_slow(&map, &Fluvial { sea_level, gradient_strength, diagonals, ..parameters(3) });
            }
        }
    }
}

/// A slope of 1 over 4 tiles, ½·D·s² with D = 1, 1 + 0.68, …, nothing that holds.
#[test]
fn a_slope_by_hand() {
    let map = Heightmap::from_fn(Domain::new(4, 1), |x, _| 1.0 + x as f32);
    let free = Fluvial {
        value_strength: ScalarMap::Constant(0.0),
        gradient_strength: ScalarMap::Constant(0.0),
        gorge: 0.0,
        jitter: 0.0,
        noise: 0.0,
        erosion: 0.25,
        ..parameters(1)
    };
    let out = fluvial_erosion(&map, &free, Seed(0), &Silent, None).unwrap();
    let drainage = [1.0, 1.68, 1.0 + 0.68 * 1.68];
    let expected = [1.0, 2.0 - 0.25 * drainage[2], 3.0 - 0.25 * drainage[1], 4.0 - 0.25];
    for (found, expected) in out.height.samples().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert_eq!(out.receivers.samples(), [0.0, 2.0, 2.0, 2.0]);
    // Steep enough, the cap holds: no tile ends below where its receiver was.
    let out = fluvial_erosion(&map, &Fluvial { erosion: 100.0, ..free }, Seed(0), &Silent, None).unwrap();
    assert_eq!(out.height.samples(), [1.0, 1.0, 2.0, 3.0]);
}

#[test]
fn a_ridge_between_two_basins_is_cut() {
    // Two pits, one lower, and a ridge between: with a weight of 1 the path becomes the straight line between both.
    let map = Heightmap::from_fn(Domain::new(5, 1), |x, _| [2.0, 4.0, 6.0, 3.0, 1.0][x]);
    let cut = Fluvial {
        value_strength: ScalarMap::Constant(0.0),
        gradient_strength: ScalarMap::Constant(0.0),
        erosion: 0.0,
        gorge: 1.0e3,
        jitter: 0.0,
        noise: 0.0,
        ..parameters(1)
    };
    let out = fluvial_erosion(&map, &cut, Seed(0), &Silent, None).unwrap();
    assert_eq!(out.height.samples(), [2.0, 1.75, 1.5, 1.25, 1.0]);
    assert_eq!(out.gorges.samples(), [0.0, 2.25, 4.5, 1.75, 0.0]);
}

#[test]
fn any_number_of_threads_and_any_level_gives_the_same_bits() {
    let map = hills(130, 90, 1);
    for boundary in [Boundary::Open, Boundary::Wrap] {
        let p = Fluvial { boundary, ..parameters(6) };
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap())
        };
        let one = run(1);
        for threads in [2, 5] {
            assert_eq!(run(threads), one);
        }
        for level in crate::simd::Level::available() {
            crate::simd::limit(level);
            assert_eq!(run(2), one, "{level:?}");
        }
    }
}

#[test]
fn strengths_and_rain_beyond_their_range_count_as_its_ends() {
    let map = hills(40, 30, 6);
    let of = |value: f32| Heightmap::constant(map.domain(), value);
    let run = |value: f32, gradient: f32, rain: f32| {
        let (value, gradient, rain) = (of(value), of(gradient), of(rain));
        let p = Fluvial {
            value_strength: ScalarMap::Map(&value),
            gradient_strength: ScalarMap::Map(&gradient),
            moisture: ScalarMap::Map(&rain),
            ..parameters(20)
        };
        fluvial_erosion(&map, &p, Seed(1), &Silent, None).unwrap()
    };
    assert_eq!(run(7.0, 5.0, -2.0), run(1.0, 1.0, 0.0));
    assert_eq!(run(-3.0, f32::NAN, f32::NAN), run(0.0, 0.0, 0.0));
    assert_eq!(run(f32::NAN, f32::INFINITY, 1.0), run(0.0, 1.0, 1.0));
}

#[test]
fn a_cancelled_run_stops() {
    assert_eq!(fluvial_erosion(&hills(20, 20, 1), &parameters(1), Seed(0), &Stop, None), Err(Cancelled));
}

proptest! {
    #[test]
    fn adversarial_maps_stay_within_their_heights(map in adversarial(), wrap: bool, iterations in 0u32..12, jitter in 0.0f32..=1.0, hold in 0.0f32..=1.0) {
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let p = Fluvial { boundary, jitter, noise: 0.0, value_strength: ScalarMap::Constant(hold), gradient_strength: ScalarMap::Constant(0.0), ..parameters(iterations) };
        let out = fluvial_erosion(&map, &p, Seed(2), &Silent, None).unwrap();
        let (low, high) = map.samples().iter().fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        let slack = 1e-5 * low.abs().max(high.abs());
        // Without the gradient constraint nothing rises above the ideal heights, and nothing sinks below the lowest.
        prop_assert!(out.height.samples().iter().all(|&h| h >= low - slack && h <= high + slack));
        prop_assert!(out.drainage.samples().iter().all(|&d| d >= 1.0 && d.is_finite()));
        prop_assert!(out.water.samples().iter().all(|&w| w >= 0.0));
        // Rivers run downhill and end.
        let count = map.samples().len();
        for start in 0..count {
            let (mut at, mut steps) = (start, 0);
            while out.receivers.samples()[at] != 0.0 {
                let way = WAYS[out.receivers.samples()[at] as usize];
                let shape = Shape { width: map.width(), height: map.height(), wrap };
                at = shape.beside(shape.place(at), way).unwrap();
                steps += 1;
                prop_assert!(steps <= count);
            }
        }
    }
}
