//! The cost of erosion by rivers: Lim et al.'s Table 1, the cost per sample for several map sizes, and uplift
//! compared with fastscapelib.

use std::process::Command;
use std::time::Instant;

use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::erosion::{
    Base, Border, Fluvial, Routing, Sides, Solver, Uplift, fluvial_erosion, uplift_erosion,
};
use terrane_kernels::noise::{Basis, Drive, Fractal, Layout, Noise, Smoothstep};
use terrane_kernels::{Boundary, ScalarMap, Silent};

use crate::{Result, root, say};

/// The paper's seconds for 100 iterations, by side.
const TABLE1: &[(usize, f64)] = &[(256, 7.5), (512, 31.3), (1024, 115.6)];

/// Prints tables. `python` is an interpreter that has fastscapelib.
pub fn rivers(python: &str) -> Result<()> {
    let two = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    say(
        "| n | fluvial, 100 iterations, 2 threads, explicit, s | implicit, s | over the explicit | paper, s \
        | ratio |\n|---|---|---|---|---|---|",
    );
    for &(side, paper) in TABLE1 {
        // Alternates, since the machine's speed varies from minute to minute; the minimum counts.
        let [mut explicit, mut implicit] = [f64::MAX; 2];
        for _ in 0..3 {
            explicit = explicit.min(two.install(|| fluvial(side, 100, Solver::Explicit)));
            implicit = implicit.min(two.install(|| fluvial(side, 100, Solver::Implicit)));
        }
        say(&format!(
            "| {side} | {explicit:.2} | {implicit:.2} | {:.2} | {paper} | {:.0} |",
            implicit / explicit,
            paper / explicit
        ));
    }
    say("\n| n | fluvial, ns a sample and iteration, 2 threads |\n|---|---|");
    for side in [256, 512, 1024, 2048, 4096] {
        let iterations = 40;
        let seconds = two.install(|| fluvial(side, iterations, Solver::Implicit));
        say(&format!("| {side} | {:.1} |", seconds * 1e9 / (side * side) as f64 / f64::from(iterations)));
    }
    say("\n| n | uplift with lakes, ms a step, 2 threads | fastscapelib, sinks left | sinks resolved \
        |\n|---|---|---|---|");
    for side in [256, 512, 1024] {
        let ours = two.install(|| uplift(side, 40)) * 1000.0 / 40.0;
        let script = root().join("experiments/src/fastscapelib_step.py");
        let peer = Command::new(python).arg(script).arg(side.to_string()).output();
        let peer = match peer {
            Ok(output) if output.status.success() => String::from_utf8(output.stdout)?,
            _ => "-\n".repeat(2),
        };
        let peer: Vec<&str> = peer.lines().map(|line| line.get(..5).unwrap_or(line)).collect();
        say(&format!("| {side} | {ours:.1} | {} |", peer.join(" | ")));
    }
    Ok(())
}

fn hills(side: usize) -> Heightmap {
    let noise = Noise {
        basis: Basis::Perlin(Smoothstep::CUBIC),
        fractal: Fractal::Fbm,
        octaves: 8,
        wavelength: 512.0,
        lacunarity: 2.0,
        layout: Layout::Straight,
    };
    let drive = Drive { amplitude: ScalarMap::Constant(200.0), offset: -60.0, ..Drive::default() };
    let domain = Domain::new(side, side);
    noise.heights(&domain, Seed(7), &drive, &Silent).unwrap_or_else(|_| Heightmap::constant(domain, 0.0))
}

/// Seconds that fluvial erosion takes.
fn fluvial(side: usize, iterations: u32, solver: Solver) -> f64 {
    let map = hills(side);
    let parameters = Fluvial {
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
        iterations,
        solver,
        sea_level: 0.0,
        passed_on: 0.68,
        drainage_exponent: 1.0,
        slope_exponent: 2.0,
        gorge: 0.1,
        diagonals: false,
        jitter: 1.0,
        noise: 0.01,
        unevenness: 0.0,
        drain: false,
        border: Sides::all(Border::Wall),
        boundary: Boundary::Open,
    };
    let start = Instant::now();
    drop(fluvial_erosion(&map, &parameters, Seed(1), &Silent, None));
    start.elapsed().as_secs_f64()
}

/// Seconds that uplift takes.
fn uplift(side: usize, iterations: u32) -> f64 {
    let parameters = Uplift {
        uplift: ScalarMap::Constant(5.0e-4),
        iterations,
        time_step: 2.5e5,
        erodibility: ScalarMap::Constant(5.61e-7),
        routing: Routing::Lowest,
        talus: None,
        border: Sides::all(Base::Sea),
        jitter: 0.0,
        ..Uplift::default()
    };
    let domain = Domain::new(side, side).with_spacing(50.0);
    let start = Instant::now();
    drop(uplift_erosion(&domain, None, &parameters, Seed(1), &Silent, None));
    start.elapsed().as_secs_f64()
}
