//! Velzel's Figures 6 and 9 to 11, and how the parallel form of relaxation comes to its end beside sweeps.

use terrane_grid::Heightmap;
use terrane_kernels::Silent;
use terrane_kernels::path::{Borders, Subdivision, Surround};
use terrane_kernels::relax::{
    Field, Given, Outcome, Relaxation, Relaxed, Solver, bounds, optimum, relax, survey,
};
use terrane_kernels::transport::earth_movers_distance;

use crate::velzel::{TOLERANCE, ground, paths};
use crate::{Result, plot, root, say};

/// The slope of all figures but the fourth and the eighth.
const SLOPE: f64 = 0.0035;

/// The most iterations, as in the thesis up to 129².
const MOST: u64 = 100_000;

/// Prints the tables for resolutions from 9² up to `largest`, and writes the curve where it is asked for.
pub fn plots(seeds: u64, largest: usize, curve: bool) -> Result<()> {
    let sides: Vec<usize> =
        (3..=8).map(|level| (1usize << level) + 1).filter(|&side| side <= largest).collect();
    configurations(seeds, &sides)?;
    tolerances(seeds, &sides)?;
    match sides.last() {
        Some(&side) if curve => convergence(side),
        _ => Ok(()),
    }
}

/// Relaxes a map; also the share of bounds that is missed at the end.
fn run(
    map: &Heightmap,
    subdivision: &Subdivision,
    tolerance: f64,
    parameters: &Relaxation,
) -> Result<(Relaxed, f64, Heightmap)> {
    let mut field = Field::new(map);
    let given = Given {
        border: None,
        slope_tolerance: tolerance,
        roughness_tolerance: 0.04,
        scales: &[1],
        border_slope: false,
    };
    let constraints = bounds(&field, subdivision, &given);
    let out = relax(&mut field, &constraints, parameters, &Silent).map_err(|_| "cancelled")?;
    let (surveys, _) = survey(&constraints, &field, map);
    let bound: usize = surveys.iter().map(|survey| survey.bound).sum();
    let share = out.missed as f64 / bound.max(1) as f64;
    Ok((out, share, map.with_grid(field.grid())))
}

const fn sweeps(solver: Solver, early_exit: bool, history_every: u64) -> Relaxation {
    Relaxation { solver, max_iterations: MOST, early_exit, history_every, spread: 0.0 }
}

/// Figures 6 and 11: the four configurations, how long they take where all bounds are met, and what is left where they are not.
fn configurations(seeds: u64, sides: &[usize]) -> Result<()> {
    say(
        "\nFigures 6 and 11\n\n| beside the path | border | n | met | iterations where met | bounds missed at the end, % |\n|---|---|---|---|---|---|",
    );
    for (borders, border) in [(Borders::Free, "free"), (Borders::Stitched, "stitched")] {
        for (surround, beside) in [(Surround::Directional, "slope"), (Surround::Roughness, "roughness")] {
            for &side in sides {
                let (mut met, mut iterations, mut missed) = (0u64, 0u64, 0.0);
                for seed in 0..seeds {
                    let map = ground(side, seed)?;
                    let subdivision = paths(&map, SLOPE, surround, borders)?;
                    let (out, share, _) =
                        run(&map, &subdivision, TOLERANCE, &sweeps(Solver::Reference, true, 0))?;
                    missed += 100.0 * share / seeds as f64;
                    if out.outcome == Outcome::Met {
                        met += 1;
                        iterations += out.iterations;
                    }
                }
                let mean = match met {
                    0 => "none".to_owned(),
                    _ => format!("{:.1}", iterations as f64 / met as f64),
                };
                say(&format!("| {beside} | {border} | {side} | {met} of {seeds} | {mean} | {missed:.2} |"));
            }
        }
    }
    Ok(())
}

/// Figures 9 and 10: the tolerance of slopes, earth moved over that of the exact optimum, which has none, and iterations.
fn tolerances(seeds: u64, sides: &[usize]) -> Result<()> {
    say(
        "\nFigures 9 and 10\n\n| tolerance | n | earth moved over the optimum's | iterations |\n|---|---|---|---|",
    );
    for tolerance in [1e-3, 1e-4, 1e-5, 1e-6] {
        for &side in sides.iter().filter(|&&side| side <= 33) {
            let (mut ratio, mut iterations) = (0.0, 0.0);
            for seed in 0..seeds {
                let map = ground(side, seed)?;
                let subdivision = paths(&map, SLOPE, Surround::Directional, Borders::Free)?;
                let (out, _, relaxed) =
                    run(&map, &subdivision, tolerance, &sweeps(Solver::Reference, false, 0))?;
                let sigma = 2.0 * side as f64 * map.spacing();
                let moved =
                    earth_movers_distance(&map, &relaxed, sigma, &Silent).map_err(|e| format!("{e:?}"))?;
                let best = optimum(&map, &subdivision, None, 0.0, sigma)?;
                ratio += moved.distance / best.cost / seeds as f64;
                iterations += out.iterations as f64 / seeds as f64;
            }
            say(&format!("| {tolerance:e} | {side} | {ratio:.3} | {iterations:.1} |"));
        }
    }
    Ok(())
}

/// What is missed, iteration after iteration, by sweeps and by all samples at once.
fn convergence(side: usize) -> Result<()> {
    let map = ground(side, 0)?;
    let subdivision = paths(&map, SLOPE, Surround::Directional, Borders::Free)?;
    let mut curves = Vec::new();
    for (name, solver) in [("sweeps", Solver::Reference), ("all samples at once", Solver::Parallel)] {
        let long = Relaxation { max_iterations: 10 * MOST, ..sweeps(solver, false, 1) };
        let (out, _, _) = run(&map, &subdivision, TOLERANCE, &long)?;
        say(&format!("\n{name}: {:?} after {} iterations", out.outcome, out.iterations));
        // Points as far apart as can be told on a scale of powers.
        let (mut points, mut next) = (Vec::new(), 0.0);
        for row in &out.history {
            if row.iteration as f64 >= next || row.missed == 0 {
                next = row.iteration as f64 * 1.02;
                points.push((libm::log10(row.iteration as f64), row.missed as f64));
            }
        }
        curves.push((name, points));
    }
    let path = root().join("graphs/velzel/convergence.svg");
    plot(&path, ["iterations, power of ten", "bounds missed"], &curves, ("", &[]))
}
