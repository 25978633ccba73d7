//! Isotropy: how round a cone remains under each scheme, to bound the influence of the grid's axes.

use terrane_grid::{Domain, Heightmap, Seed};

use super::*;
use crate::{Boundary, ScalarMap, Silent};

const SIDE: usize = 129;

fn cone() -> Heightmap {
    let middle = (SIDE / 2) as f32;
    Heightmap::from_fn(Domain::new(SIDE, SIDE).with_spacing(1.0), |x, y| {
        let (dx, dy) = (x as f32 - middle, y as f32 - middle);
        (middle - (dx * dx + dy * dy).sqrt()).max(0.0)
    })
}

/// Amplitudes of the first eight angular waves of the height around the cone's centre. They are shares of the
/// cone's height, averaged over several radii.
fn waves(map: &Heightmap) -> [f64; 8] {
    let middle = (SIDE / 2) as f64;
    let mut amplitudes = [0.0; 8];
    for radius in 16..48 {
        const STEPS: usize = 720;
        let heights: Vec<(f64, f64)> = (0..STEPS)
            .map(|step| {
                let angle = step as f64 / STEPS as f64 * std::f64::consts::TAU;
                let (x, y) = (
                    middle + f64::from(radius) * libm::cos(angle),
                    middle + f64::from(radius) * libm::sin(angle),
                );
                let (column, row) = (x as usize, y as usize);
                let (u, v) = (x - column as f64, y - row as f64);
                let at = |dx, dy| f64::from(map[(column + dx, row + dy)]);
                let top = at(0, 0) * (1.0 - u) + at(1, 0) * u;
                let bottom = at(0, 1) * (1.0 - u) + at(1, 1) * u;
                (angle, top * (1.0 - v) + bottom * v)
            })
            .collect();
        for (wave, amplitude) in amplitudes.iter_mut().enumerate() {
            let number = (wave + 1) as f64;
            let part = |f: fn(f64) -> f64| {
                heights.iter().map(|(angle, height)| height * f(number * angle)).sum::<f64>() * 2.0 / 720.0
            };
            let (cosine, sine) = (part(libm::cos), part(libm::sin));
            *amplitude += (cosine * cosine + sine * sine).sqrt() / 32.0 / middle;
        }
    }
    amplitudes
}

/// Thermal erosion with the node's defaults, but ten times as many iterations.
fn thermal_by_default() -> Heightmap {
    let p = Thermal {
        talus: ScalarMap::Constant(0.7),
        distance: Distance::True,
        iterations: 500,
        scheme: Scheme::Reference,
        fraction: 0.33,
        neighbourhood: Neighbourhood::Moore,
        boundary: Boundary::Open,
    };
    thermal_erosion(&cone(), &p, &Silent, None).unwrap()
}

fn thermal(scheme: Scheme, neighbourhood: Neighbourhood) -> Heightmap {
    let boundary = Boundary::Open;
    let (talus, distance) = (ScalarMap::Constant(0.7), Distance::Steps);
    let p = Thermal { talus, distance, iterations: 50, scheme, fraction: 0.5, neighbourhood, boundary };
    thermal_erosion(&cone(), &p, &Silent, None).unwrap()
}

fn hydraulic(scheme: HydraulicScheme) -> Heightmap {
    let (rain, iterations, boundary) = (0.5, 100, Boundary::Open);
    let p =
        Hydraulic { rain, solubility: 0.01, evaporation: 0.5, capacity: 0.01, iterations, scheme, boundary };
    hydraulic_erosion(&cone(), &p, &Silent, None).unwrap().height
}

fn olsen() -> Heightmap {
    let p = Olsen { talus: ScalarMap::Constant(1.5), needles: Needles::Keep, ..Olsen::default() };
    olsen_erosion(&cone(), &p, &Silent, None).unwrap()
}

fn fluvial(jitter: f32, diagonals: bool) -> Heightmap {
    let p = Fluvial {
        valley_width: None,
        ideal: None,
        value_strength: ScalarMap::Constant(0.02),
        gradient_strength: ScalarMap::Constant(0.02),
        hold: ScalarMap::Constant(1.0),
        moisture: ScalarMap::Constant(1.0),
        erosion: ScalarMap::Constant(0.5),
        held_slope: None,
        talus: None,
        outlets: None,
        iterations: 50,
        solver: Solver::Explicit,
        sea_level: 0.0,
        passed_on: 0.68,
        drainage_exponent: 1.0,
        slope_exponent: 2.0,
        gorge: 0.1,
        diagonals,
        jitter,
        noise: 0.01,
        unevenness: 0.0,
        drain: false,
        border: Sides::all(Border::Wall),
        boundary: Boundary::Open,
    };
    fluvial_erosion(&cone(), &p, Seed(1), &Silent, None).unwrap().height
}

fn uplift(jitter: f32) -> Heightmap {
    let p = Uplift {
        uplift: ScalarMap::Constant(0.5),
        iterations: 30,
        time_step: 1.0,
        erodibility: ScalarMap::Constant(0.05),
        talus: None,
        border: Sides::all(Base::Sea),
        jitter,
        ..Uplift::default()
    };
    uplift_erosion(&cone().domain(), Some((&cone()).into()), &p, Seed(1), &Silent, None).unwrap().height
}

/// With the settings above, no angular wave exceeds `bias` times the cone's height.
#[test]
fn cones_remain_as_round_as_documented() {
    use Neighbourhood::{Moore, Rotated};
    for (name, map, bias) in [
        ("cone", cone(), 1e-4),
        ("thermal, Reference", thermal(Scheme::Reference, Moore), 0.004),
        ("thermal, by default", thermal_by_default(), 0.007),
        ("thermal, Fast", thermal(Scheme::Fast, Rotated), 0.025),
        ("hydraulic, Reference", hydraulic(HydraulicScheme::Reference), 0.001),
        ("hydraulic, Fast", hydraulic(HydraulicScheme::Fast), 0.002),
        ("Olsen's", olsen(), 0.006),
        ("fluvial, in the middle", fluvial(0.0, false), 0.008),
        ("fluvial, anywhere", fluvial(1.0, false), 0.008),
        ("fluvial, eight directions", fluvial(1.0, true), 0.008),
        // On a square map the border's basins differ in length, so the fourth wave comes from the map itself.
        ("uplift, in the middle", uplift(0.0), 0.04),
        ("uplift, anywhere", uplift(1.0), 0.04),
    ] {
        let waves = waves(&map);
        assert!(waves.iter().all(|&wave| wave <= bias), "{name}: {waves:?}");
    }
}
