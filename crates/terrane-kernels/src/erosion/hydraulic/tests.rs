use proptest::prelude::*;
use terrane_grid::{Domain, Seed};

use super::super::Neighbourhood;
use super::super::test_maps::{adversarial, elevation_models, normalised};
use super::*;
use crate::{Boundary, Silent};
use terrane_compute::Stop;

const SCHEMES: [HydraulicScheme; 4] = [
    HydraulicScheme::Reference,
    HydraulicScheme::Fast,
    HydraulicScheme::Published,
    HydraulicScheme::PublishedFast,
];

/// The paper's constants.
fn parameters(scheme: HydraulicScheme, iterations: u32) -> Hydraulic {
    let boundary = Boundary::Wrap;
    Hydraulic { rain: 0.01, solubility: 0.01, evaporation: 0.5, capacity: 0.01, iterations, scheme, boundary }
}

fn hills(w: usize, h: usize) -> Heightmap {
    let lattice = Seed(5).lattice();
    Heightmap::from_fn(Domain::new(w, h).with_spacing(1.0 / w as f64), |x, y| {
        let octave = |cell: usize| lattice.unit((x / cell) as i64, (y / cell + 1000 * cell) as i64);
        0.5 * octave(16) + 0.3 * octave(4) + 0.2 * octave(1)
    })
}

fn sum(map: &Heightmap) -> f64 {
    map.samples().iter().map(|&h| f64::from(h)).sum()
}

/// The sum of all samples that are not on the border.
fn inside(map: &Heightmap) -> f64 {
    let (w, h) = map.domain().size;
    (1..h - 1).flat_map(|y| (1..w - 1).map(move |x| f64::from(map[(x, y)]))).sum()
}

/// Neighbours of a sample, in the order of their offsets.
fn around(at: usize, (w, h): (usize, usize), boundary: Boundary) -> impl Iterator<Item = usize> {
    Neighbourhood::Moore.offsets().iter().filter_map(move |&(dx, dy)| {
        let (x, y) = ((at % w) as isize + dx, (at / w) as isize + dy);
        let inside = (0..w as isize).contains(&x) && (0..h as isize).contains(&y);
        let around = y.rem_euclid(h as isize) as usize * w + x.rem_euclid(w as isize) as usize;
        (inside || boundary == Boundary::Wrap).then_some(around)
    })
}

/// Runs the paper's four steps sample by sample, in double precision, with difference maps.
fn literal(map: &Heightmap, p: &Hydraulic) -> [Vec<f64>; 3] {
    let count = map.samples().len();
    let [rain, solubility, evaporation, capacity] =
        [p.rain, p.solubility, p.evaporation, p.capacity].map(f64::from);
    let mut ground: Vec<f64> = map.samples().iter().map(|&h| f64::from(h)).collect();
    let (mut water, mut sediment) = (vec![0.0; count], vec![0.0; count]);
    for _ in 0..p.iterations {
        for at in 0..count {
            water[at] += rain;
            ground[at] -= solubility * water[at];
            sediment[at] += solubility * water[at];
        }
        let a: Vec<f64> = ground.iter().zip(&water).map(|(h, w)| h + w).collect();
        let (mut more_water, mut more_sediment) = (vec![0.0; count], vec![0.0; count]);
        for at in 0..count {
            let lower: Vec<usize> =
                around(at, map.domain().size, p.boundary).filter(|&n| a[n] < a[at]).collect();
            if lower.is_empty() || water[at] == 0.0 {
                continue;
            }
            let mean = (a[at] + lower.iter().map(|&n| a[n]).sum::<f64>()) / (lower.len() + 1) as f64;
            let total: f64 = lower.iter().map(|&n| a[at] - a[n]).sum();
            for n in lower {
                let moved = water[at].min(a[at] - mean) * (a[at] - a[n]) / total;
                let carried = sediment[at] * moved / water[at];
                more_water[at] -= moved;
                more_water[n] += moved;
                more_sediment[at] -= carried;
                more_sediment[n] += carried;
            }
        }
        for at in 0..count {
            water[at] = (water[at] + more_water[at]) * (1.0 - evaporation);
            sediment[at] += more_sediment[at];
            let excess = (sediment[at] - capacity * water[at]).max(0.0);
            sediment[at] -= excess;
            ground[at] += excess;
        }
    }
    [ground, water, sediment]
}

/// Like `literal`, but with the kernel's rounding. Rounding can change which of two samples is lower, and
/// this changes results by more than a millionth. The formula of the mean altitude is that of the kernel, a −
/// d_total / (count + 1).
fn literal_rounded(map: &Heightmap, p: &Hydraulic) -> [Vec<f32>; 3] {
    let count = map.samples().len();
    let mut ground = map.samples().to_vec();
    let (mut water, mut sediment) = (vec![0.0f32; count], vec![0.0f32; count]);
    for _ in 0..p.iterations {
        for at in 0..count {
            water[at] += p.rain;
            let below = ground[at] - p.solubility * water[at];
            sediment[at] += ground[at] - below;
            ground[at] = below;
        }
        let a: Vec<f32> = ground.iter().zip(&water).map(|(h, w)| h + w).collect();
        let sides = |at| around(at, map.domain().size, p.boundary);
        // The water and sediment that leave each sample per unit of difference.
        let sent: Vec<[f32; 2]> = (0..count)
            .map(|at| {
                let drops: Vec<f32> = sides(at).map(|n| a[at] - a[n]).filter(|&d| d > 0.0).collect();
                let total: f32 = drops.iter().sum();
                if drops.is_empty() || water[at] <= 0.0 {
                    return [0.0; 2];
                }
                let moved = water[at].min(total / (drops.len() as f32 + 1.0));
                [moved / total, sediment[at] * (moved / water[at]) / total]
            })
            .collect();
        for at in 0..count {
            let change = |layer: usize| {
                let down: f32 = sides(at).map(|n| sent[at][layer] * (a[at] - a[n]).max(0.0)).sum();
                let up: f32 = sides(at).map(|n| sent[n][layer] * (a[n] - a[at]).max(0.0)).sum();
                (down, up)
            };
            let [(leaves, comes), (taken, brought)] = [change(0), change(1)];
            water[at] = ((water[at] - leaves).max(0.0) + comes) * (1.0 - p.evaporation);
            sediment[at] = (sediment[at] - taken).max(0.0) + brought;
            let above = ground[at] + (sediment[at] - p.capacity * water[at]).max(0.0);
            sediment[at] = (sediment[at] - (above - ground[at])).max(0.0);
            ground[at] = above;
        }
    }
    [ground, water, sediment]
}

#[test]
fn reference_agrees_with_a_literal_implementation() {
    for (w, h) in [(33, 20), (64, 70), (1, 9), (9, 1), (2, 2), (257, 3)] {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            // With much rain, levelling limits the flow as often as the amount of water does. Each choice of
            // the lower sample then increases rounding differences, so this case has fewer iterations.
            for (rain, iterations) in [(0.01, 20), (0.2, 4)] {
                let p = Hydraulic { boundary, rain, ..parameters(HydraulicScheme::Reference, iterations) };
                let found = hydraulic_erosion(&hills(w, h), &p, &Silent, None).unwrap();
                let expected = literal(&hills(w, h), &p);
                for (found, expected) in [found.height, found.water, found.sediment].iter().zip(expected) {
                    for (at, (&a, b)) in found.samples().iter().zip(expected).enumerate() {
                        assert!(
                            (f64::from(a) - b).abs() < 1e-6,
                            "{w} x {h} {boundary:?} {rain} {at}: {a} {b}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn reference_agrees_with_the_paper_on_real_ground() {
    let real = elevation_models();
    for map in real.iter().map(normalised).chain([hills(257, 257)]) {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            let p = Hydraulic { boundary, ..parameters(HydraulicScheme::Reference, 20) };
            let found = hydraulic_erosion(&map, &p, &Silent, None).unwrap();
            let expected = literal_rounded(&map, &p);
            for (found, expected) in [found.height, found.water, found.sediment].iter().zip(expected) {
                assert!(found.samples() == expected, "{:?} {boundary:?}", map.domain().size);
            }
        }
    }
}

/// Runs the published program's rules sample by sample, in double precision. The border only receives flow.
fn literal_published(map: &Heightmap, p: &Hydraulic) -> [Vec<f64>; 3] {
    let (w, h) = map.domain().size;
    let [rain, solubility, evaporation] = [p.rain, p.solubility, p.evaporation].map(f64::from);
    let mut ground: Vec<f64> = map.samples().iter().map(|&h| f64::from(h)).collect();
    let (mut water, mut sediment) = (vec![0.0; w * h], vec![0.0; w * h]);
    let visited: Vec<usize> = (0..w * h)
        .filter(|at| (1..w.max(1) - 1).contains(&(at % w)) && (1..h.max(1) - 1).contains(&(at / w)))
        .collect();
    for _ in 0..p.iterations {
        for &at in &visited {
            water[at] += rain;
            ground[at] -= solubility * water[at];
            sediment[at] += solubility * water[at];
        }
        let a: Vec<f64> = ground.iter().zip(&water).map(|(h, w)| h + w).collect();
        let (mut more_water, mut more_sediment) = (vec![0.0; w * h], vec![0.0; w * h]);
        for &at in &visited {
            let lower: Vec<usize> = around(at, (w, h), p.boundary).filter(|&n| a[n] < a[at]).collect();
            let drops: Vec<f64> = lower.iter().map(|&n| a[at] - a[n]).collect();
            let total: f64 = drops.iter().sum();
            let mean = lower.iter().map(|&n| a[n]).sum::<f64>() / (lower.len() + 1) as f64;
            let least = drops.iter().copied().fold(f64::MAX, f64::min);
            let moved = water[at].min(a[at] - mean).min(least).max(0.0);
            if lower.is_empty() || water[at] == 0.0 {
                continue;
            }
            let rest: f64 = drops.iter().map(|d| d - moved).sum();
            for (n, d) in lower.into_iter().zip(drops) {
                let flows = if rest > 0.0 { moved * (d - moved) / rest } else { moved * d / total };
                let carried = sediment[at] * moved / water[at] * d / total;
                more_water[at] -= flows;
                more_water[n] += flows;
                more_sediment[at] -= carried;
                more_sediment[n] += carried;
            }
        }
        for at in 0..w * h {
            water[at] += more_water[at];
            sediment[at] += more_sediment[at];
        }
        for &at in &visited {
            water[at] *= 1.0 - evaporation;
            let excess = (sediment[at] - water[at]).max(0.0);
            sediment[at] -= excess;
            ground[at] += excess;
        }
    }
    [ground, water, sediment]
}

#[test]
fn the_published_scheme_agrees_with_its_literal_rules() {
    for (w, h) in [(33, 20), (64, 70), (3, 3), (2, 9), (257, 3), (17, 40)] {
        for boundary in [Boundary::Open, Boundary::Wrap] {
            let p = Hydraulic { boundary, ..parameters(HydraulicScheme::Published, 6) };
            let found = hydraulic_erosion(&hills(w, h), &p, &Silent, None).unwrap();
            let expected = literal_published(&hills(w, h), &p);
            for (found, expected) in [found.height, found.water, found.sediment].iter().zip(expected) {
                for (at, (&a, b)) in found.samples().iter().zip(expected).enumerate() {
                    assert!((f64::from(a) - b).abs() < 1e-5, "{w} x {h} {boundary:?} {at}: {a} {b}");
                }
            }
        }
    }
}

/// A column of height 4 stands on a plain at 0. Rain is 1, and nothing dissolves. All water of the column
/// runs off evenly, because it is less than the amount that would level the ground.
#[test]
fn a_column_by_hand() {
    let mut map = Heightmap::constant(Domain::new(5, 5), 0.0);
    map.grid_mut()[(2, 2)] = 4.0;
    let open = Hydraulic {
        rain: 1.0,
        solubility: 0.0,
        boundary: Boundary::Open,
        ..parameters(HydraulicScheme::Reference, 1)
    };
    let out = hydraulic_erosion(&map, &open, &Silent, None).unwrap();
    assert_eq!(out.height, map);
    assert_eq!((out.water[(2, 2)], out.water[(1, 1)], out.water[(0, 0)]), (0.0, 0.5 * (1.0 + 0.125), 0.5));
    // The column is now 0.25 above its eight neighbours. Moving 0.25·8/9 of water levels all nine samples.
    map.grid_mut()[(2, 2)] = 0.25;
    let out = hydraulic_erosion(&map, &open, &Silent, None).unwrap();
    assert!((out.water[(2, 2)] - 0.5 * (1.0 - 0.25 * 8.0 / 9.0)).abs() < 1e-6);
    // All water of the first sample flows to the second sample. During the visit to the second sample, half
    // of its water evaporates.
    let fast = Hydraulic { scheme: HydraulicScheme::Fast, ..open };
    let step = Heightmap::from_fn(Domain::new(2, 1), |x, _| if x == 0 { 8.0 } else { 0.0 });
    let out = hydraulic_erosion(&step, &Hydraulic { capacity: 0.5, ..fast }, &Silent, None).unwrap();
    // Each sample loses half as much ground as it gets rain. The water of both samples joins, and half of it
    // remains, with half as much sediment.
    assert_eq!((out.water.samples(), out.sediment.samples()), (&[0.0, 1.0][..], &[0.0, 0.5][..]));
    assert_eq!(out.height.samples(), [7.5, 0.0]);
}

#[test]
fn water_is_rain_minus_evaporation() {
    for scheme in SCHEMES {
        let p = Hydraulic { evaporation: 0.0, ..parameters(scheme, 50) };
        let out = hydraulic_erosion(&hills(60, 50), &p, &Silent, None).unwrap();
        let visited = if scheme.published() { 58.0 * 48.0 } else { 3000.0 };
        let fallen = visited * 50.0 * f64::from(p.rain);
        assert!((sum(&out.water) - fallen).abs() < 1e-5 * fallen, "{scheme:?}: {}", sum(&out.water));
        let p = parameters(scheme, 50);
        let out = hydraulic_erosion(&hills(60, 50), &p, &Silent, None).unwrap();
        // Each iteration adds rain r to a sample's water w, then half evaporates: w converges to r. If some
        // water evaporates twice in an iteration, w stays lower. Nothing evaporates on an unvisited border.
        let most = visited * f64::from(p.rain) * 2.0;
        let left = if scheme.published() { inside(&out.water) } else { sum(&out.water) };
        assert!(left < most && sum(&out.water) > 0.3 * most, "{scheme:?}: {left}");
    }
}

#[test]
fn ground_plus_sediment_is_conserved() {
    let map = hills(128, 100);
    for scheme in SCHEMES {
        let out = hydraulic_erosion(&map, &parameters(scheme, 500), &Silent, None).unwrap();
        let all = sum(&out.height) + sum(&out.sediment);
        // Schemes that work in place have no difference map. Each iteration rounds a sample only four times,
        // by at most half a unit in the last place.
        let fast = matches!(scheme, HydraulicScheme::Fast | HydraulicScheme::PublishedFast);
        let most = if fast { 500.0 * 2.0 * f64::from(f32::EPSILON) } else { 1e-6 };
        assert!((all - sum(&map)).abs() < most * sum(&map), "{scheme:?}: {all} {}", sum(&map));
        assert_ne!(out.height, map);
    }
}

#[test]
fn any_number_of_threads_and_any_level_gives_the_same_bits() {
    let map = hills(150, 200);
    for scheme in SCHEMES {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| hydraulic_erosion(&map, &parameters(scheme, 12), &Silent, None).unwrap())
        };
        let one = run(1);
        for threads in [2, 5] {
            assert_eq!(run(threads), one, "{scheme:?}");
        }
        crate::simd::at_each_level(|level| assert_eq!(run(2), one, "{scheme:?} {level:?}"));
    }
}

#[test]
fn a_plain_remains_a_plain_and_a_cancelled_run_stops() {
    for scheme in SCHEMES {
        let plain = Heightmap::constant(Domain::new(20, 20), 3.0);
        let out = hydraulic_erosion(&plain, &parameters(scheme, 30), &Silent, None).unwrap();
        if scheme == HydraulicScheme::Reference {
            assert!(out.water.samples().iter().all(|w| w.to_bits() == out.water[(0, 0)].to_bits()));
        }
        // In the published schemes the border gets no rain, so the rain next to the border flows to it.
        assert!(scheme.published() || out.height.samples().iter().all(|h| (h - 3.0).abs() < 0.02));
        let cancelled = hydraulic_erosion(&plain, &parameters(scheme, 1_000_000_000), &Stop, None);
        assert_eq!(cancelled, Err(Cancelled));
    }
}

proptest! {
    #[test]
    fn adversarial_maps_keep_mass_and_signs(
        map in adversarial(),
        scheme in prop::sample::select(&SCHEMES[..]),
        wrap: bool,
        iterations in 1u32..40,
        rain in 0.0f32..5.0,
        evaporation in 0.0f32..=1.0,
    ) {
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let p = Hydraulic { rain, evaporation, boundary, ..parameters(scheme, iterations) };
        let out = hydraulic_erosion(&map, &p, &Silent, None).unwrap();
        for carried in [&out.water, &out.sediment] {
            let least = if scheme == HydraulicScheme::PublishedFast { f32::MIN } else { 0.0 };
            prop_assert!(
                carried.samples().iter().all(|&v| v.is_finite() && v >= least),
                "{:?}",
                carried.samples()
            );
        }
        prop_assert!(out.height.samples().iter().all(|h| h.is_finite()));
        let size: f64 = map.samples().iter().map(|&h| f64::from(h.abs() + rain)).sum();
        let kept = sum(&out.height) + sum(&out.sediment) - sum(&map);
        // Each iteration rounds a sample a dozen times, by at most half a unit in the last place.
        let rounding = f64::from(iterations) * 12.0 * f64::from(f32::EPSILON) * size;
        prop_assert!(kept.abs() <= rounding, "{kept} {rounding}");
    }
}
