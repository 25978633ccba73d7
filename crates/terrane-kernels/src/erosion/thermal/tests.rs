use std::num::NonZeroU32;

use proptest::prelude::*;
use terrane_grid::{Domain, Seed};

use super::super::test_maps::{adversarial, elevation_models};
use super::super::{Distance, Neighbourhood};
use super::*;
use crate::{Boundary, ScalarMap, Silent};

fn base(w: usize, h: usize) -> Heightmap {
    let lattice = Seed(11).lattice();
    Heightmap::from_fn(Domain::new(w, h).with_spacing(1.0 / w as f64), |x, y| {
        let (mut sum, mut amplitude) = (0.0, 0.5);
        for octave in 0..5u32 {
            let cell = ((w / 4) >> octave).max(1);
            sum += amplitude * lattice.unit((x / cell) as i64, (y / cell + 1000 * octave as usize) as i64);
            amplitude *= 0.5;
        }
        sum
    })
}

fn parameters(scheme: Scheme, iterations: u32) -> Thermal<'static> {
    let neighbourhood = if scheme == Scheme::Fast { Neighbourhood::Rotated } else { Neighbourhood::Moore };
    let distance = Distance::Steps;
    Thermal {
        talus: ScalarMap::Constant(4.0),
        distance,
        iterations,
        scheme,
        fraction: 0.5,
        neighbourhood,
        boundary: Boundary::Wrap,
    }
}

fn mass(map: &Heightmap) -> f64 {
    map.samples().iter().map(|&h| f64::from(h)).sum()
}

/// Follows the paper's text, sample by sample: first computes the amounts that each sample sends, then the
/// difference map. For the published scheme, follows the program's rules: samples on the border send nothing,
/// and all lower neighbours receive a share.
fn literal_reference(map: &Heightmap, p: &Thermal<'_>) -> Vec<f32> {
    let (w, h) = map.domain().size;
    let limit = |at: usize| (f64::from(p.talus.at(at)) * map.spacing()) as f32;
    let offsets = p.neighbourhood.offsets();
    let neighbour = |at: usize, (dx, dy): (isize, isize)| {
        let (x, y) = ((at % w) as isize + dx, (at / w) as isize + dy);
        let inside = (0..w as isize).contains(&x) && (0..h as isize).contains(&y);
        let around = y.rem_euclid(h as isize) as usize * w + x.rem_euclid(w as isize) as usize;
        (inside || p.boundary == Boundary::Wrap).then_some(around)
    };
    let mut heights = map.samples().to_vec();
    for _ in 0..p.iterations {
        let mut sent = vec![vec![0.0f32; offsets.len()]; w * h];
        let mut leaves = sent.clone();
        for at in 0..w * h {
            let d: Vec<f32> = offsets
                .iter()
                .map(|&o| {
                    neighbour(at, o).map_or(f32::MIN, |n| (heights[at] - heights[n]) * p.distance.inverse(o))
                })
                .collect();
            let total: f32 = d.iter().filter(|&&d| d > limit(at)).sum();
            let greatest = d.iter().fold(0.0f32, |a, &b| a.max(b));
            let published = p.scheme == Scheme::Published;
            if published && on_border(at, (w, h)) || greatest <= limit(at) {
                continue;
            }
            for (i, d) in d.into_iter().enumerate() {
                let part = p.fraction * (greatest - limit(at)) / total * d;
                sent[at][i] = if d > if published { 0.0 } else { limit(at) } { part } else { 0.0 };
                leaves[at][i] = if d > limit(at) { part } else { 0.0 };
            }
        }
        for at in 0..w * h {
            let mut difference = 0.0;
            for (i, &offset) in offsets.iter().enumerate() {
                // Offsets are listed so that the opposite of the i-th is the i-th from the end.
                let comes = neighbour(at, offset).map_or(0.0, |n| sent[n][offsets.len() - 1 - i]);
                difference += comes - leaves[at][i];
            }
            heights[at] += difference;
        }
    }
    heights
}

/// As in the paper's figure 12, one column is 4 above its neighbours, and the limit is 2.5. Half of the
/// excess, 0.75, is shared among the neighbours.
#[test]
fn a_column_by_hand() {
    let mut map = Heightmap::constant(Domain::new(5, 5), 0.0);
    map.grid_mut()[(2, 2)] = 4.0;
    let p = Thermal {
        talus: ScalarMap::Constant(2.5),
        boundary: Boundary::Open,
        ..parameters(Scheme::Reference, 1)
    };
    let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
    assert_eq!(out[(2, 2)], 3.25);
    assert_eq!(out[(1, 1)], 0.75 / 8.0);
    let p = Thermal { scheme: Scheme::Fast, neighbourhood: Neighbourhood::Rotated, ..p };
    let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
    assert_eq!((out[(2, 2)], out[(1, 1)], out[(3, 1)]), (2.0, 2.0, 0.0), "all to the first of equals");
}

/// The same column with one neighbour raised to 3 and a talus of 3.5. Half of the excess, 0.25, leaves for
/// the seven other neighbours, but the raised neighbour also receives a share.
#[test]
fn the_published_variant_creates_material() {
    let mut map = Heightmap::constant(Domain::new(5, 5), 0.0);
    map.grid_mut()[(2, 2)] = 4.0;
    map.grid_mut()[(2, 1)] = 3.0;
    // With a talus of 3.5 the raised neighbour sends nothing, since none of its slopes is too steep.
    let p = Thermal {
        talus: ScalarMap::Constant(3.5),
        boundary: Boundary::Open,
        ..parameters(Scheme::Published, 1)
    };
    let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
    let share = 0.5 * (4.0 - 3.5) / (7.0 * 4.0);
    assert_eq!(out[(2, 2)], 4.0 - 0.25);
    assert_eq!((out[(1, 1)], out[(2, 1)]), (4.0 * share, 3.0 + share));
    assert!(mass(&out) > mass(&map));
    // A quarter of the difference moves to the first of the lowest diagonal neighbours.
    let p = Thermal { neighbourhood: Neighbourhood::Rotated, ..parameters(Scheme::PublishedFast, 1) };
    let p = Thermal { talus: ScalarMap::Constant(4.2), boundary: Boundary::Open, ..p };
    let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
    assert_eq!((out[(2, 2)], out[(1, 1)]), (3.0, 1.0), "the limit is 15/16 of the talus: 3.94");
}

#[test]
fn reference_agrees_with_a_literal_implementation() {
    for (w, h) in [(33, 20), (64, 64), (257, 257), (1, 9), (9, 1), (2, 2)] {
        for neighbourhood in [Neighbourhood::Moore, Neighbourhood::VonNeumann, Neighbourhood::Rotated] {
            for boundary in [Boundary::Open, Boundary::Wrap] {
                let p = Thermal {
                    neighbourhood,
                    boundary,
                    talus: ScalarMap::Constant(1.0),
                    ..parameters(Scheme::Reference, 12)
                };
                let map = base(w, h);
                let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
                assert_eq!(
                    out.samples(),
                    literal_reference(&map, &p),
                    "{w} x {h} {neighbourhood:?} {boundary:?}"
                );
            }
        }
    }
}

fn on_border(at: usize, (w, h): (usize, usize)) -> bool {
    let (x, y) = (at % w, at / w);
    x == 0 || y == 0 || x + 1 == w || y + 1 == h
}

/// Follows the fast scheme sample by sample, in index order. On a torus the border comes last. Half of the
/// difference moves. The program's variant does not visit the border, and moves a quarter of the difference.
fn literal_fast(map: &Heightmap, p: &Thermal<'_>) -> Vec<f32> {
    let (w, h) = map.domain().size;
    let mut heights = map.samples().to_vec();
    let (border, inner): (Vec<usize>, Vec<usize>) = (0..w * h).partition(|&at| on_border(at, (w, h)));
    let published = p.scheme == Scheme::PublishedFast;
    let (part, of_talus) = if published { (0.25, 15.0 / 16.0) } else { (0.5, 1.0) };
    let order: Vec<usize> = if published {
        inner
    } else if p.boundary == Boundary::Wrap {
        inner.into_iter().chain(border).collect()
    } else {
        (0..w * h).collect()
    };
    for _ in 0..p.iterations {
        for &at in &order {
            let (mut greatest, mut to) = (0.0, at);
            for &(dx, dy) in p.neighbourhood.offsets() {
                let (x, y) = ((at % w) as isize + dx, (at / w) as isize + dy);
                let inside = (0..w as isize).contains(&x) && (0..h as isize).contains(&y);
                if inside || p.boundary == Boundary::Wrap {
                    let there = y.rem_euclid(h as isize) as usize * w + x.rem_euclid(w as isize) as usize;
                    let d = (heights[at] - heights[there]) * p.distance.inverse((dx, dy));
                    if d > greatest {
                        (greatest, to) = (d, there);
                    }
                }
            }
            if greatest > (f64::from(p.talus.at(at)) * map.spacing()) as f32 * of_talus {
                heights[at] -= part * greatest;
                heights[to] += part * greatest;
            }
        }
    }
    heights
}

#[test]
fn true_distances_and_a_talus_map_agree_with_visiting_one_sample_at_a_time() {
    for (w, h) in [(33, 20), (64, 64), (150, 130), (13, 12)] {
        let map = base(w, h);
        let hard = Heightmap::from_fn(map.domain(), |x, y| 0.5 + ((x / 5 + y / 3) % 4) as f32);
        for talus in [ScalarMap::Constant(1.0), ScalarMap::Map(&hard)] {
            for distance in [Distance::Steps, Distance::True] {
                for neighbourhood in [Neighbourhood::Moore, Neighbourhood::VonNeumann, Neighbourhood::Rotated]
                {
                    for boundary in [Boundary::Open, Boundary::Wrap] {
                        let p = |scheme| Thermal {
                            talus,
                            distance,
                            neighbourhood,
                            boundary,
                            ..parameters(scheme, 7)
                        };
                        let (reference, fast) = (p(Scheme::Reference), p(Scheme::Fast));
                        let run = |p| thermal_erosion(&map, p, &Silent, None).unwrap().samples().to_vec();
                        let what = format!("{w} x {h} {distance:?} {neighbourhood:?} {boundary:?}");
                        assert_eq!(run(&reference), literal_reference(&map, &reference), "{what}");
                        assert_eq!(run(&fast), literal_fast(&map, &fast), "{what}");
                        let (published, quick) = (p(Scheme::Published), p(Scheme::PublishedFast));
                        assert_eq!(run(&published), literal_reference(&map, &published), "{what}");
                        assert_eq!(run(&quick), literal_fast(&map, &quick), "{what}");
                    }
                }
            }
        }
    }
}

/// With true distances a sliding cone remains a cone; with steps it becomes a pyramid.
#[test]
fn true_distances_keep_a_cone_round() {
    let cone = Heightmap::from_fn(Domain::new(129, 129), |x, y| {
        let (dx, dy) = (x as f32 - 64.0, y as f32 - 64.0);
        (32.0 - (dx * dx + dy * dy).sqrt()).max(0.0)
    });
    // Compares heights at about the same distance from the centre along an axis and along a diagonal: the
    // offsets (20, 0) and (14, 14) are 20 and 19.8 long.
    let apart = |distance| {
        let p = Thermal {
            talus: ScalarMap::Constant(0.4),
            distance,
            boundary: Boundary::Open,
            ..parameters(Scheme::Reference, 3000)
        };
        let out = thermal_erosion(&cone, &p, &Silent, None).unwrap();
        f64::from((out[(84, 64)] - out[(78, 78)]).abs())
    };
    let (steps, round) = (apart(Distance::Steps), apart(Distance::True));
    assert!(round < 0.5 * steps, "{round} {steps}");
}

#[test]
fn reference_agrees_with_the_paper_on_real_ground() {
    for map in elevation_models() {
        // The talus is steep enough for much ground to remain, and gentle enough for much to fall.
        let p = Thermal {
            talus: ScalarMap::Constant(0.3),
            boundary: Boundary::Open,
            ..parameters(Scheme::Reference, 12)
        };
        let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
        assert_ne!(out, map);
        assert_eq!(out.samples(), literal_reference(&map, &p));
    }
}

#[test]
fn mass_is_conserved_and_slopes_end_at_the_talus() {
    let map = base(128, 128);
    for scheme in [Scheme::Reference, Scheme::Fast] {
        let p = parameters(scheme, 500);
        let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
        assert!((mass(&out) - mass(&map)).abs() < 1e-6 * mass(&map), "{scheme:?}");
    }
    let out = thermal_erosion(&map, &parameters(Scheme::Reference, 3000), &Silent, None).unwrap();
    let limit = 4.0 / 128.0;
    let excess = crate::metric::slope_map(&out, crate::metric::SlopeKind::Olsen, Boundary::Wrap);
    let worst = excess.samples().iter().fold(0.0f32, |worst, s| worst.max(s / 128.0 - limit));
    assert!(worst < 1e-4, "{worst}");
}

#[test]
fn a_settled_map_is_unchanged_and_ends_early() {
    let map = Heightmap::from_fn(Domain::new(20, 20), |x, _| x as f32 * 0.5);
    let mut calls = 0;
    let p = Thermal {
        talus: ScalarMap::Constant(1.0),
        boundary: Boundary::Open,
        iterations: 1000,
        ..parameters(Scheme::Fast, 0)
    };
    let out = thermal_erosion(
        &map,
        &p,
        &Silent,
        Some(Observer { every: NonZeroU32::MIN, told: &mut |_, _| calls += 1 }),
    )
    .unwrap();
    assert_eq!(out, map);
    assert_eq!(calls, 1);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    for scheme in [Scheme::Reference, Scheme::Fast] {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| thermal_erosion(&base(200, 170), &parameters(scheme, 20), &Silent, None).unwrap())
        };
        assert_eq!(run(1), run(3));
        assert_eq!(run(1), run(5));
    }
}

#[test]
fn cancels_within_a_huge_number_of_iterations() {
    struct Third(std::sync::atomic::AtomicU32);
    impl Progress for Third {
        fn report(&self, _: f64) -> Result<(), Cancelled> {
            if self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 2 {
                Err(Cancelled)
            } else {
                Ok(())
            }
        }

        fn check(&self) -> Result<(), Cancelled> {
            self.report(0.0)
        }
    }
    let p = parameters(Scheme::Reference, 1_000_000_000);
    assert_eq!(thermal_erosion(&base(64, 64), &p, &Third(0.into()), None), Err(Cancelled));
}

proptest! {
    #[test]
    fn adversarial_maps_keep_mass_and_stay_finite(
        map in adversarial(),
        fast: bool,
        wrap: bool,
        iterations in 1u32..40,
    ) {
        let scheme = if fast { Scheme::Fast } else { Scheme::Reference };
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let p = Thermal { talus: ScalarMap::Constant(0.75), boundary, ..parameters(scheme, iterations) };
        let out = thermal_erosion(&map, &p, &Silent, None).unwrap();
        let size: f64 = map.samples().iter().map(|&h| f64::from(h).abs()).sum();
        prop_assert!(out.samples().iter().all(|h| h.is_finite()));
        // Each iteration rounds every sample up to nine times, by at most half a unit in the last place.
        let rounding = f64::from(iterations) * 9.0 * f64::from(f32::EPSILON) * size;
        prop_assert!((mass(&out) - mass(&map)).abs() <= rounding.max(1e-9), "{} {}", mass(&out), mass(&map));
        let (low, high) = map.samples().iter().fold((f32::MAX, f32::MIN), |(l, h), &v| (l.min(v), h.max(v)));
        if fast {
            prop_assert!(out.samples().iter().all(|&h| h >= low && h <= high), "Fast never overshoots");
        }
    }
}
