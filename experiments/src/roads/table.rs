//! The book's road over hills of increasing height, and over models of Earth.

use terrane_grid::{Heightmap, PlanarGraph, Seed};
use terrane_kernels::Silent;
use terrane_kernels::noise::Fractal;
use terrane_kernels::transport::earth_movers_distance;
use terrane_paths::relax::earthworks;
use terrane_paths::relax::{Allowed, optimum};

use super::{Built, COSTS, SLOPE_TOLERANCE, SOLVERS, Scene, ground, range, square, steepest_step};
use crate::{Result, root, say};

/// Metres along a side of the book's map.
const EXTENT: f64 = 512.0;

/// The book's nodes.
const NODES: [(f64, f64); 5] = [(70.0, 90.0), (150.0, 400.0), (420.0, 440.0), (390.0, 120.0), (260.0, 260.0)];

/// The pairs of nodes that are connected.
const EDGES: [(u32, u32); 5] = [(0, 4), (1, 4), (2, 4), (3, 4), (0, 3)];

/// Models of Earth in `graphs/data`.
const MODELS: [&str; 4] = ["bigtujunga_30m", "jacksboro_3s", "front_range_3s", "maungawhau_2m"];

/// Maximum number of samples along a side for the exact optimum, which takes a minute at this size.
const MOST_OPTIMAL: usize = 129;

/// Prints the rows for ground whose name contains `only`, compared with the optimum if requested.
pub fn print(only: &str, optimum: bool) -> Result<()> {
    let beside = if optimum { " cut + fill / optimum's | earth x distance / optimum's |" } else { "" };
    say(&format!(
        "| ground | samples a side | solver | s | iterations | bounds missed | range before | after | \
        steepest step before | after | cut, m3 | fill, m3 | highest cut | fill |{beside}"
    ));
    say(&format!("|---{}|", "|---".repeat(if optimum { 15 } else { 13 })));
    for scene in scenes()?.iter().filter(|scene| scene.name.contains(only)) {
        rows(scene, optimum)?;
    }
    Ok(())
}

fn scenes() -> Result<Vec<Scene>> {
    let mut scenes = Vec::new();
    for amplitude in [40.0, 80.0, 120.0, 200.0, 400.0] {
        for side in [129, 257] {
            let domain = square(side, EXTENT / (side - 1) as f64);
            let map = ground::perlin(domain, Seed(3), Fractal::Fbm, (260.0, 7), amplitude)?;
            scenes.push(book(format!("Perlin, {amplitude} m"), map));
        }
    }
    scenes.extend(models()?);
    Ok(scenes)
}

/// The book's road over models of Earth.
pub fn models() -> Result<Vec<Scene>> {
    let model = |name: &str| {
        let path = root().join("graphs/data").join(name).with_extension("tif");
        Ok(book(name.to_owned(), ground::model(&path, 129)?))
    };
    MODELS.into_iter().map(model).collect()
}

/// The book's road, scaled to a map.
fn book(name: String, ground: Heightmap) -> Scene {
    let scale = (ground.width() - 1) as f64 * ground.spacing() / EXTENT;
    let nodes = NODES.iter().map(|&(x, y)| (x * scale, y * scale)).collect();
    Scene {
        name,
        ground,
        graph: PlanarGraph { nodes, edges: EDGES.to_vec() },
        width: 8.0 * scale,
        border: 16.0 * scale,
        max_slope: 0.1,
        slope_gain: 0.3,
        bank_slope: 0.7,
    }
}

fn rows(scene: &Scene, with_optimum: bool) -> Result<()> {
    let subdivision = scene.subdivision(COSTS)?;
    let side = scene.ground.width();
    let sigma = 2.0 * side as f64 * scene.ground.spacing();
    let moved_by = |after: &Heightmap| {
        let moved = earth_movers_distance(&scene.ground, after, sigma, &Silent);
        moved.map(|moved| moved.distance).map_err(|error| format!("{error:?}"))
    };
    let best = if with_optimum && side <= MOST_OPTIMAL {
        let allowed = Allowed {
            border: None,
            slope_tolerance: SLOPE_TOLERANCE,
            bank_slope: Some(scene.bank_slope),
            creation_cost: sigma,
            balanced: false,
        };
        let best = optimum(&scene.ground, &subdivision, &allowed, &Silent)?;
        let heights = best.heights.iter().map(|&height| height as f32).collect();
        let after = Heightmap::from_vec(scene.ground.domain(), heights);
        let moved = earthworks(&scene.ground, &after, &subdivision, &Silent).map_err(|_| "cancelled")?.0;
        Some((moved.cut + moved.fill, best.cost))
    } else {
        None
    };
    let (low, high) = range(&scene.ground);
    for solver in SOLVERS {
        let Built { height, seconds, iterations, missed, moved } = scene.build(&subdivision, solver)?;
        let (lowest, highest) = range(&height);
        let beside = match best {
            Some((volume, cost)) => {
                format!(" {:.3} | {:.3} |", (moved.cut + moved.fill) / volume, moved_by(&height)? / cost)
            }
            None if with_optimum => " | |".to_owned(),
            None => String::new(),
        };
        say(&format!(
            "| {} | {side} | {solver:?} | {seconds:.2} | {iterations} | {missed} | {low:.1} to {high:.1} | \
            {lowest:.1} to {highest:.1} | {:.2} | {:.2} | {:.0} | {:.0} | {:.1} | {:.1} |{beside}",
            scene.name,
            steepest_step(&scene.ground),
            steepest_step(&height),
            moved.cut,
            moved.fill,
            moved.highest_cut,
            moved.highest_fill,
        ));
    }
    Ok(())
}
