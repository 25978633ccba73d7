//! Rivers that erode and deposit.

use super::*;

/// The defaults of these tests without a talus, so that rivers alone move ground.
fn building(deposition: f64, iterations: u32) -> Uplift<'static> {
    Uplift { deposition, talus: None, border: Sides::all(Base::Fixed), ..parameters(iterations) }
}

/// What rises and is not there any more has left the map, in each step.
#[test]
fn no_sediment_is_lost() {
    for (seed, deposition, n, jitter, widths) in [
        (1, 0.2, 1.0, 0.0, 0.0),
        (2, 1.0, 1.0, 1.0, 0.0),
        (3, 10.0, 1.0, 0.0, 0.0),
        (4, 1.0, 2.0, 0.0, 0.0),
        (5, 1.0, 0.7, 1.0, 0.0),
        (3, 10.0, 1.0, 0.0, 2.5),
        (4, 1.0, 2.0, 0.0, 1.5),
        (5, 1.0, 0.7, 1.0, 4.0),
    ] {
        let side = 60;
        let lattice = Seed(seed).lattice();
        let start = Heightmap::from_fn(domain(side), |x, y| {
            if x % (side - 1) * (y % (side - 1)) == 0 {
                0.0
            } else {
                900.0 * lattice.unit(x as i64 / 5, y as i64 / 5)
            }
        });
        let rises = Heightmap::from_fn(domain(side), |x, _| if x < side / 2 { 5.0e-4 } else { 0.0 });
        // The erosion of 10 km² at a slope of 0.05, whatever the exponent.
        let erodibility = 5.61e-7 * libm::powf(0.05, 1.0 - n);
        let p = Uplift {
            uplift: ScalarMap::Map(&rises),
            erodibility: ScalarMap::Constant(erodibility),
            slope_exponent: n,
            jitter,
            valley_width: Some(widths * domain(side).spacing),
            ..building(deposition, 1)
        };
        let mut now =
            uplift_erosion(&start.domain(), Some((&start).into()), &p, Seed(1), &Silent, None).unwrap();
        for step in 0..12 {
            let before = now;
            let state = Start {
                height: &before.height,
                remainder: Some(&before.remainder),
                floor: Some(&before.floor),
            };
            now = uplift_erosion(&start.domain(), Some(state), &p, Seed(1), &Silent, None).unwrap();
            let height = |of: &Mountains, at: usize| {
                f64::from(of.height.samples()[at]) + f64::from(of.remainder.samples()[at])
            };
            let shape = Shape { width: side, height: side, wrap: false };
            let (mut lost, mut left, mut rose) = (0.0, 0.0, 0.0);
            for at in 0..side * side {
                if shape.on_border(shape.position(at)) {
                    left += f64::from(now.flux.samples()[at]) * p.time_step;
                } else {
                    let risen = f64::from(rises.samples()[at]) * p.time_step;
                    rose += risen;
                    lost += height(&before, at) + risen - height(&now, at);
                }
            }
            let cell = start.spacing() * start.spacing();
            assert!(
                (lost * cell - left).abs() <= 1e-6 * rose * cell,
                "{seed} {step}: {} {left}",
                lost * cell
            );
        }
    }
}

/// Without steps nothing leaves, however wide rivers are.
#[test]
fn without_steps_there_is_no_flux() {
    let start = Heightmap::constant(domain(5), 1.0);
    for valley_width in [None, Some(2.0 * start.spacing())] {
        let p = Uplift { valley_width, ..building(1.0, 0) };
        let out = uplift_erosion(&start.domain(), Some((&start).into()), &p, Seed(1), &Silent, None).unwrap();
        assert!(out.flux.samples().iter().all(|&flux| flux == 0.0));
    }
}

/// Two samples between the border and a cliff, by hand: the upper one drains to the lower one.
#[test]
fn a_step_of_two_samples_by_hand() {
    let heights = [[0.0f32, 0.0, 0.0, 0.0], [0.0, 10.0, 30.0, 0.0], [0.0; 4]];
    // The walls above and below are out of reach, since only the left side is an outlet.
    let map = Heightmap::from_fn(Domain::new(4, 1).with_spacing(1000.0), |x, _| heights[1][x]);
    let left = Heightmap::from_fn(map.domain(), |x, _| if x == 0 { 1.0 } else { 0.0 });
    let p = Uplift {
        uplift: ScalarMap::Constant(0.0),
        outlets: Some(&left),
        border: Sides::all(Base::Wall),
        ..building(2.0, 1)
    };
    // The last sample, a pit, is filled by none, and drains over sample 2 as a lake.
    let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(0), &Silent, None).unwrap();
    let factor = |cells: f64| 2.5e5 * f64::from(5.61e-7f32) * (cells * 1.0e6).sqrt() / 1000.0;
    // Unknown are the heights a and b of samples 1 and 2, which drain 3 and 2 cells:
    // b = 30 - f(2)·(b - a) + 2 · (30 - b) / 2, a = 10 - f(3)·a + 2 · (30 - b + 10 - a) / 3.
    let (f2, f3) = (factor(2.0), factor(3.0));
    // b = (60 + f2·a) / (2 + f2), put into a · (5 / 3 + f3) = 10 + 2 / 3 · (40 - b).
    let a = (10.0 + 2.0 / 3.0 * (40.0 - 60.0 / (2.0 + f2))) / (5.0 / 3.0 + f3 + 2.0 / 3.0 * f2 / (2.0 + f2));
    let b = (60.0 + f2 * a) / (2.0 + f2);
    for (at, expected) in [(1, a), (2, b), (3, 0.0)] {
        let found = f64::from(out.height.samples()[at]);
        assert!((found - expected).abs() < 1e-5, "{at}: {found} {expected}");
    }
    let flux = f64::from(out.flux.samples()[0]);
    assert!((flux - (40.0 - a - b) * 1.0e6 / 2.5e5).abs() < 1e-3 * flux, "{flux}");
}
