//! The stream power law in a steady state.

use super::*;
use terrane_grid::DIRECTIONS;

/// Slopes to receivers in a steady state, as shares of those of the law: ((1 + G)·u / k)^(1/n)·A^(−m/n). Only
/// samples that drain at least 100 cells and are clearly less steep than the talus count. The second number
/// is the number of these samples that drain to the border.
fn shares_of_the_law(
    (area_exponent, slope_exponent): (f32, f32),
    deposition: f64,
    jitter: f32,
    (iterations, seed): (u32, u64),
) -> (Vec<f32>, usize) {
    // An area of 10 km² has a slope of 0.05, whatever the exponents.
    let erodibility = 5.0e-4 / (libm::powf(1.0e7, area_exponent) * libm::powf(0.05, slope_exponent));
    let p = Uplift {
        area_exponent,
        slope_exponent,
        erodibility: ScalarMap::Constant(erodibility),
        talus: Some(ScalarMap::Constant(1.0)),
        border: Sides::all(Base::Fixed),
        deposition,
        jitter,
        time_step: 1.0e6,
        ..parameters(iterations)
    };
    let side = 121;
    let domain = domain(side);
    let out = uplift_erosion(&domain, None, &p, Seed(seed), &Silent, None).unwrap();
    let shape = Shape { width: side, height: side, wrap: false };
    let (heights, areas) = (out.height.samples(), out.drainage.samples());
    let (mut shares, mut beside) = (Vec::new(), 0);
    for at in 0..side * side {
        let to = receiver(&out, shape, at);
        let (dx, dy) = shape.step(at, to);
        let run = if dx != 0 && dy != 0 { 2.0f32.sqrt() } else { 1.0 };
        let slope = (heights[at] - heights[to]) / (run * domain.spacing as f32);
        let cells = areas[at] / (domain.spacing * domain.spacing) as f32;
        if to == at || cells < 100.0 || slope >= 0.9 {
            continue;
        }
        let eroded = erodibility * libm::powf(areas[at], area_exponent);
        shares.push(slope / libm::powf((1.0 + deposition as f32) * 5.0e-4 / eroded, 1.0 / slope_exponent));
        beside += usize::from(shape.on_border(shape.position(to)));
    }
    shares.sort_by(f32::total_cmp);
    (shares, beside)
}

/// Beside the border too. There are few rivers there, since those that form first on rolling ground are long.
#[test]
fn in_the_steady_state_rivers_erode_what_rises() {
    for exponents in [(0.5, 1.0), (0.4, 1.0), (0.9, 2.0), (0.6, 1.5), (0.4, 0.8)] {
        let mut at_border = 0;
        for seed in [3, 5] {
            let (shares, beside) = shares_of_the_law(exponents, 0.0, 0.0, (400, seed));
            assert!(shares.len() > 500, "{}", shares.len());
            at_border += beside;
            let right = shares.iter().filter(|&share| (share - 1.0).abs() <= 0.01).count();
            assert!(right * 100 >= shares.len() * 99, "{exponents:?}: {right} of {}", shares.len());
        }
        assert!(at_border >= 20, "{exponents:?}: {at_border}");
    }
}

/// On a slope where water flows side by side, a strip of a valley's width has the water of as many samples as
/// it is wide. At the upper border, a third of its weight lies a sample lower.
#[test]
fn a_slope_with_wide_valleys_by_hand() {
    let map = Heightmap::from_fn(Domain::new(5, 21).with_spacing(100.0), |x, _| 10.0 * x as f32);
    let (uplift, time_step) = (ScalarMap::Constant(0.0), 1.0e4);
    let border = Sides { left: Base::Fixed, ..Sides::all(Base::Wall) };
    let (erodibility, valley_width) = (ScalarMap::Constant(1.0e-6), Some(200.0));
    let p = Uplift { uplift, time_step, border, erodibility, valley_width, talus: None, ..parameters(1) };
    let out = uplift_erosion(&map.domain(), Some((&map).into()), &p, Seed(0), &Silent, None).unwrap();
    let mut below = 0.0;
    for (x, samples) in [(1, 2.0 * 4.0), (2, 2.0 * 3.0), (3, 2.0 * 2.0), (4, 2.0 * (1.0 + 0.5 * 2.0) / 1.5)] {
        let area: f32 = samples * 1.0e4;
        let factor = 1.0e4 * 1.0e-6 * area.sqrt() / 100.0;
        below = (10.0 * x as f32 + factor * below) / (1.0 + factor);
        assert!((out.height[(x, 10)] - below).abs() < 1e-4, "{x}: {} {below}", out.height[(x, 10)]);
    }
}

/// Divides move slowly: much ground is steady only after more than 200 steps.
#[test]
fn after_more_steps_rivers_erode_what_rises_on_any_ground() {
    for seed in 4..8 {
        let (shares, _) = shares_of_the_law((0.5, 1.0), 0.0, 0.0, (400, seed));
        let right = shares.iter().filter(|&share| (share - 1.0).abs() <= 0.01).count();
        assert!(right * 100 >= shares.len() * 99, "{seed}: {right} of {}", shares.len());
    }
}

/// In a steady state all that rises is carried, so that a river erodes what rises and what it leaves: 1 + G
/// times the uplift (Yuan et al. 2019, equation 15).
#[test]
fn in_the_steady_state_rivers_that_deposit_are_steeper() {
    for (exponents, deposition) in [((0.5, 1.0), 0.5), ((0.4, 1.0), 1.0), ((0.6, 1.5), 1.0)] {
        let (shares, beside) = shares_of_the_law(exponents, deposition, 0.0, (600, 3));
        assert!(shares.len() > 300 && beside >= 10, "{} {beside}", shares.len());
        let right = shares.iter().filter(|&share| (share - 1.0).abs() <= 0.01).count();
        assert!(right * 100 >= shares.len() * 99, "{exponents:?}: {right} of {}", shares.len());
    }
}

/// The claim on the page of UpliftErosion.
#[test]
fn jitter_changes_slopes_as_documented() {
    let (shares, _) = shares_of_the_law((0.5, 1.0), 0.0, 1.0, (200, 3));
    let [quarter, half, rest] = [1, 2, 3].map(|part| shares[part * shares.len() / 4]);
    assert!((0.7..0.85).contains(&quarter) && (0.95..1.1).contains(&half), "{quarter} {half}");
    assert!((1.2..1.35).contains(&rest), "{rest}");
}

/// The sample that `at` drains to.
fn receiver(out: &Mountains, shape: Shape, at: usize) -> usize {
    let direction = DIRECTIONS[out.receivers.samples()[at] as usize];
    shape.neighbour(shape.position(at), direction).unwrap()
}
