//! A world with many roads: the time from its file to a first patch.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use terrane::world::LoadedWorld;
use terrane::{Engine, EngineOptions, LoadOptions};
use terrane_grid::Seed;

use crate::{Result, say};

/// The side of the world, in world units.
const SIDE: f64 = 1e4;

/// The graph of the patches. There are 79 along a side of the world.
const PATCH: &str = r#"Graph(
    size: (129, 129),
    spacing: 1.0,
    seed: 11,
    nodes: {
        "ground": Perlin(wavelength: 160, octaves: 8, amplitude: 24.0),
        "graph": PathGraph(nodes: [(20, 20), (100, 30), (64, 110)], edges: [(0, 1), (1, 2)], cut: false),
        "bounds": SubdividePath(
            height: "ground",
            graph: "graph",
            width: 6.0,
            border: 8.0,
            max_slope: 0.1,
            slope_gain: 0.3,
            borders: Shared,
        ),
        "height": RelaxPath(height: "ground", subdivision: "bounds", solver: Draft),
    },
    outputs: { "height.tif": "height", "ways.geojson": "bounds.paths" },
)
"#;

/// Writes the world into a folder and prints a table of times. `high` is the maximum height of the ground.
/// The higher, the farther away is the ground that a patch depends on.
pub fn run(edges: usize, high: f64, out: &Path) -> Result<()> {
    std::fs::create_dir_all(out)?;
    std::fs::write(out.join("patch.ron"), PATCH)?;
    let file = out.join("world.ron");
    let count = write(&file, edges, high)?;
    let options = LoadOptions::default();
    let started = Instant::now();
    let world = LoadedWorld::load(&file, &terrane::registry(), &options)?;
    let loaded = started.elapsed().as_secs_f64();
    let engine = Engine::new(EngineOptions::default())?;
    let mut seconds = Vec::new();
    for patch in [(0, 0), (1, 0), (40, 40)] {
        let started = Instant::now();
        let _graph = world.patch(&engine, patch)?;
        seconds.push(started.elapsed().as_secs_f64());
    }
    say("| edges | file, MB | loaded, s | first patch, s | its neighbour, s | one far away, s |");
    say("|---|---|---|---|---|---|");
    let bytes = std::fs::metadata(&file)?.len() as f64 / 1e6;
    let [first, next, far] = seconds[..] else { return Err("a patch is missing".into()) };
    say(&format!("| {count} | {bytes:.1} | {loaded:.3} | {first:.3} | {next:.3} | {far:.3} |"));
    say(&format!(
        "the world is {}: time `terrane check` and `terrane run … --patch 0,0` with it",
        file.display()
    ));
    Ok(())
}

/// A grid of roads with crooked streets, which meet only at common ends; returns the number of edges.
fn write(file: &Path, edges: usize, high: f64) -> Result<usize> {
    let lattice = Seed(7).lattice();
    let drawn = |at: (i64, i64), what: i64| f64::from(lattice.unit(at.0 * 2 + what, at.1));
    // The largest number of nodes along a side for which there are at most this many edges.
    let side = (1.0 + (1.0 + 2.0 * edges as f64).sqrt()) as i64 / 2;
    let cell = SIDE / (side - 1).max(1) as f64;
    let all = || (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let mut text =
        format!("World(\n    patch: \"patch.ron\",\n    heights: (-{high:?}, {high:?}),\n    nodes: [\n");
    for at in all() {
        let position = |along: i64, what: i64| cell * (along as f64 + 0.3 * drawn(at, what));
        writeln!(text, "        ({:.3}, {:.3}),", position(at.0, 0), position(at.1, 1))?;
    }
    text.push_str("    ],\n    edges: [\n");
    let mut count = 0;
    for (x, y) in all() {
        for (to, number) in [((x + 1, y), y * side + x + 1), ((x, y + 1), (y + 1) * side + x)] {
            if to.0 < side && to.1 < side {
                writeln!(text, "        ({}, {number}),", y * side + x)?;
                count += 1;
            }
        }
    }
    text.push_str("    ],\n)\n");
    std::fs::write(file, text)?;
    Ok(count)
}
