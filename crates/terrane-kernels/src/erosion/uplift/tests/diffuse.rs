//! Hillslopes that creep.

use super::*;

/// Only diffusion.
fn creeping(diffusivity: f32, iterations: u32) -> Uplift<'static> {
    Uplift {
        diffusivity: ScalarMap::Constant(diffusivity),
        erodibility: ScalarMap::Constant(0.0),
        uplift: ScalarMap::Constant(0.0),
        talus: None,
        time_step: 1000.0,
        border: Sides::all(Base::Wall),
        ..parameters(iterations)
    }
}

/// Ground between two fixed sides that rises is a parabola in the steady state: u / (2 · D) · x · (L − x).
#[test]
fn the_steady_state_of_a_ridge_is_a_parabola() {
    let domain = Domain::new(21, 5).with_spacing(10.0);
    let sides = Heightmap::from_fn(domain, |x, _| if x % 20 == 0 { 1.0 } else { 0.0 });
    let p = Uplift { uplift: ScalarMap::Constant(1.0e-3), outlets: Some(&sides), ..creeping(0.05, 4000) };
    let start = Heightmap::constant(domain, 0.0);
    let out = uplift_erosion(&domain, Some((&start).into()), &p, Seed(1), &Silent, None).unwrap();
    for (at, &height) in out.height.samples().iter().enumerate() {
        let x = 10.0 * (at % 21) as f64;
        let expected = 1.0e-3 / (2.0 * 0.05) * x * (200.0 - x);
        assert!((f64::from(height) - expected).abs() < 1e-3, "{at}: {height} {expected}");
    }
}

/// A wave on a torus loses, in each step, the share that the implicit scheme gives it by hand.
#[test]
fn a_wave_decays_as_by_hand() {
    let (side, spacing) = (24usize, 5.0);
    let domain = Domain::new(side, side).with_spacing(spacing);
    let turn = 2.0 * std::f64::consts::PI / side as f64;
    let wave = |x: usize, y: usize| libm::cos(turn * x as f64) * libm::cos(2.0 * turn * y as f64);
    let map = Heightmap::from_fn(domain, |x, y| 100.0 * wave(x, y) as f32);
    let low = Heightmap::from_fn(domain, |_, _| 0.0);
    let p = Uplift { boundary: Boundary::Wrap, outlets: Some(&low), ..creeping(0.02, 3) };
    let out = uplift_erosion(&domain, Some((&map).into()), &p, Seed(1), &Silent, None).unwrap();
    let rate = 0.02 * 1000.0 / (spacing * spacing);
    let share = |turn: f64| 1.0 / (1.0 + 2.0 * rate * (1.0 - libm::cos(turn)));
    let share = libm::pow(share(turn) * share(2.0 * turn), 3.0);
    // Water can leave nowhere, so the lowest sample is fixed, which the samples around it feel.
    let close = (0..side * side).filter(|&at| {
        let found = f64::from(out.height.samples()[at]);
        (found - 100.0 * share * wave(at % side, at / side)).abs() < 0.5
    });
    assert!(close.count() > side * side * 9 / 10);
}

#[test]
fn no_height_leaves_its_range() {
    for seed in 0..20 {
        let lattice = Seed(seed).lattice();
        let size = (3 + seed as usize, 24 - seed as usize);
        let domain = Domain::new(size.0, size.1).with_spacing(7.0);
        let map = Heightmap::from_fn(domain, |x, y| 100.0 * lattice.unit(x as i64, y as i64));
        let corner = Heightmap::from_fn(domain, |x, y| if (x, y) == (0, 0) { 1.0 } else { 0.0 });
        let rates = Heightmap::from_fn(domain, |x, y| lattice.unit(x as i64, y as i64 + 50));
        let p = Uplift { diffusivity: ScalarMap::Map(&rates), outlets: Some(&corner), ..creeping(0.0, 1) };
        let out = uplift_erosion(&domain, Some((&map).into()), &p, Seed(1), &Silent, None).unwrap();
        let range = |map: &Heightmap| {
            map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)))
        };
        let (before, after) = (range(&map), range(&out.height));
        assert!(before.0 - 1e-3 <= after.0 && after.1 <= before.1 + 1e-3, "{before:?} {after:?}");
        assert!(after.1 - after.0 < 0.9 * (before.1 - before.0));
    }
}
