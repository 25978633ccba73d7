//! Lim, Tan & Bhojan's figure 4 in numbers: how connected basins are, and how straight rivers and ridges are,
//! compared with uplift.

use std::fmt::Write as _;
use std::sync::Arc;

use terrane::values::Map;
use terrane_flow::{Engine, EngineOptions, LoadOptions, Reference, Wanted, load_file};
use terrane_grid::{Heightmap, Polyline};
use terrane_kernels::hydrology::{Drainage, Draining, drainage, rivers};
use terrane_kernels::shape::invert;
use terrane_kernels::{Boundary, Silent};

use crate::{Result, root, say};

/// The nodes of the graph that are compared.
const NODES: [&str; 11] = [
    "input",
    "ours_50",
    "ours_100",
    "ours_150",
    "eight_50",
    "default_50",
    "default_100",
    "uplift_50",
    "uplift_100",
    "uplift_150",
    "lakes_150",
];

/// Prints the table of means over seeds.
pub fn lim(seeds: u64) -> Result<()> {
    let engine = Engine::new(EngineOptions { memory: 0, reuse: false, ..EngineOptions::default() })?;
    let mut sums = [[0.0; 5]; NODES.len()];
    for seed in 1..=seeds {
        let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
        let graph = root().join("graphs/lim/compare.ron");
        let loaded = Arc::new(load_file(&graph, &terrane::registry(), &options)?);
        let wanted = NODES.iter().map(|node| Wanted::from(Reference::parse(node)));
        let evaluation = engine.start(&loaded, wanted)?.wait();
        for (sums, output) in sums.iter_mut().zip(&evaluation.outputs) {
            let map = output.value.as_ref().and_then(|value| value.get::<Map>());
            let numbers = numbers(map.ok_or("a node failed")?)?;
            sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number / seeds as f64);
        }
    }
    let mut text = String::from(
        "| | inland basins | land that drains to the sea | river mouths | straightness of rivers | of ridges \
        |\n|---|---|---|---|---|---|\n",
    );
    for (name, [inland, reach, mouths, rivers, ridges]) in NODES.iter().zip(sums) {
        let _infallible = writeln!(
            text,
            "| {name} | {inland:.0} | {:.0} % | {mouths:.0} | {rivers:.3} | {ridges:.3} |",
            100.0 * reach
        );
    }
    say(&text);
    Ok(())
}

/// Minimum area of a basin or river that counts, in samples.
const LEAST: f32 = 64.0;

/// The number of basins above the minimum area that end inland; the fraction of land that drains to the sea
/// or the border if lakes do not overflow; the number of river mouths above the minimum area if lakes
/// overflow; the straightness of rivers and of ridges.
fn numbers(map: &Heightmap) -> Result<[f64; 5]> {
    let draining = Draining { lakes: false, sea_level: Some(0.001), boundary: Boundary::Open };
    let cancelled = |_| "cancelled";
    let left = drainage(map, &draining, &Silent).map_err(cancelled)?;
    let over = drainage(map, &Draining { lakes: true, ..draining }, &Silent).map_err(cancelled)?;
    let upside_down =
        drainage(&invert(map.clone(), 0.0), &Draining { lakes: true, sea_level: None, ..draining }, &Silent);
    let (mut inland, mut mouths, mut land, mut reach) = (0.0, 0.0, 0.0, 0.0);
    let [width, height] = [map.width(), map.height()];
    let least = LEAST * (map.spacing() * map.spacing()) as f32;
    let mouth = |water: &Drainage, at: usize| is_mouth(water, at, width);
    for at in 0..width * height {
        let (x, y) = (at % width, at / width);
        let border = x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        let (basin, area) = (left.basins.samples()[at], f64::from(left.area.samples()[at]));
        land += f64::from(u8::from(basin > 0.0)) * map.spacing() * map.spacing();
        if basin > 0.0 && mouth(&left, at) {
            let ends_inland = left.receivers.samples()[at] == 0.0 && !border;
            inland += f64::from(u8::from(ends_inland && left.area.samples()[at] >= least));
            reach += if ends_inland { 0.0 } else { area };
        }
        let large = over.basins.samples()[at] > 0.0 && over.area.samples()[at] >= least;
        mouths += f64::from(u8::from(large && mouth(&over, at)));
    }
    let straight = |water: &Drainage| -> Result<f64> {
        let found = rivers(&water.receivers, &water.area, least, None).map_err(|_| "a circle")?;
        Ok(straightness(found.rivers.iter().filter(|river| river.order >= 2).map(|river| &river.line)))
    };
    Ok([inland, reach / land, mouths, straight(&over)?, straight(&upside_down.map_err(cancelled)?)?])
}

/// Whether a sample is the last one before the sea on its route.
fn is_mouth(water: &Drainage, at: usize, width: usize) -> bool {
    const WAYS: [(isize, isize); 9] =
        [(0, 0), (0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)];
    let (dx, dy) = WAYS[water.receivers.samples()[at] as usize];
    let to = at.wrapping_add_signed(dy * width as isize + dx);
    to == at || water.basins.samples()[to] == 0.0
}

/// The ratio of chord to length over all stretches of 24 steps. Four steps count as one, so that a straight
/// line on the raster has 1 in spite of its stairs.
fn straightness<'a>(lines: impl Iterator<Item = &'a Polyline>) -> f64 {
    const STEPS: usize = 24;
    const STAIR: usize = 4;
    let apart = |a: (f64, f64), b: (f64, f64)| ((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)).sqrt();
    let (mut sum, mut count) = (0.0, 0.0);
    for line in lines {
        for stretch in line.points.windows(STEPS + 1).step_by(STAIR) {
            let length: f64 = (0..STEPS).step_by(STAIR).map(|i| apart(stretch[i], stretch[i + STAIR])).sum();
            sum += apart(stretch[0], stretch[STEPS]) / length;
            count += 1.0;
        }
    }
    sum / f64::max(count, 1.0)
}
