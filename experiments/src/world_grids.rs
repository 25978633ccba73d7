//! Evaluates many worlds, and checks whether all patches meet their bounds and whether their borders are
//! visible.

use std::path::Path;

use terrane::LoadOptions;
use terrane::world::LoadedWorld;
use terrane_grid::Seed;
use terrane_io::{WriteOptions, write_heightmap};

use crate::world::{Made, bends_of, of_world, shares};
use crate::{Result, root, say};

/// Patches along a side of a random world.
const SIDE: i64 = 3;

/// Prints a table.
pub fn run(worlds: u64, seeds: u64, out: Option<&Path>) -> Result<()> {
    say("| worlds | patches | bounds missed in | borders that differ | seconds per patch | bends, median / \
        90 % / 99 % / most: inside | across borders |");
    say("|---|---|---|---|---|---|---|");
    for amplitude in [24, 40, 60].into_iter().filter(|_| worlds > 0) {
        let made = (0..worlds).map(|seed| random(seed, amplitude, out)).collect::<Result<Vec<_>>>()?;
        row(&format!("{worlds} of random roads, amplitude {amplitude}"), SIDE, made);
    }
    let file = root().join("graphs/world/world.ron");
    let seeded = |seed: u64| {
        let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
        of_world(&LoadedWorld::load(&file, &terrane::registry(), &options)?, 8)
    };
    if seeds > 0 {
        row("graphs/world, all seeds", 8, (0..seeds).map(seeded).collect::<Result<Vec<_>>>()?);
    }
    Ok(())
}

fn row(name: &str, side: i64, made: Vec<Made>) {
    let sum = |number: fn(&Made) -> usize| made.iter().map(number).sum::<usize>();
    let (patches, met, seams) = (sum(|made| made.patches), sum(|made| made.met), sum(|made| made.seams));
    let seconds = made.iter().map(|made| made.seconds).sum::<f64>() / patches.max(1) as f64;
    let bends = |on_border: bool| {
        let maps = made.iter().filter_map(|made| made.map.as_ref());
        shares(maps.flat_map(|map| bends_of(map, side, on_border)).collect())
    };
    say(&format!(
        "| {name} | {patches} | {} | {seams} | {seconds:.3} | {} | {} |",
        patches - met,
        bends(false),
        bends(true)
    ));
}

/// A world with a crooked grid of roads. A fifth of the roads are left out.
fn random(seed: u64, amplitude: u32, out: Option<&Path>) -> Result<Made> {
    let temporary = tempfile::tempdir()?;
    let folder = match out {
        Some(out) => out.join(format!("{amplitude}-{seed}")),
        None => temporary.path().to_path_buf(),
    };
    std::fs::create_dir_all(&folder)?;
    write(&folder, seed, amplitude)?;
    let made = of_world(
        &LoadedWorld::load(&folder.join("world.ron"), &terrane::registry(), &LoadOptions::default())?,
        SIDE,
    )?;
    if let (Some(_), Some(map)) = (out, &made.map) {
        write_heightmap(&folder.join("height.tif"), map, &WriteOptions::default())?;
    }
    Ok(made)
}

fn write(folder: &Path, seed: u64, amplitude: u32) -> Result<()> {
    let lattice = Seed(seed).lattice();
    // From -1 to 1, by position and purpose.
    let drawn = |at: (i64, i64), what: i64| f64::from(lattice.unit(at.0 * 4 + what, at.1));
    let cell = 96.0;
    let all = || (0..5i64).flat_map(|y| (0..5i64).map(move |x| (x, y)));
    let nodes: Vec<(f64, f64)> = all()
        .map(|at| (cell * (at.0 as f64 + 0.3 * drawn(at, 0)), cell * (at.1 as f64 + 0.3 * drawn(at, 1))))
        .collect();
    let number = |(x, y): (i64, i64)| y * 5 + x;
    let edges: Vec<(i64, i64)> = all()
        .flat_map(|(x, y)| [((x, y), (x + 1, y), 2), ((x, y), (x, y + 1), 3)])
        .filter(|&(at, to, what)| to.0 < 5 && to.1 < 5 && drawn(at, what) < 0.6)
        .map(|(at, to, _)| (number(at), number(to)))
        .collect();
    let patch = format!(
        "Graph(size: (129, 129), spacing: 1.0, seed: {seed}, nodes: {{
    \"ground\": Perlin(wavelength: 160, octaves: 8, amplitude: {amplitude}.0),
    \"graph\": PathGraph(nodes: [(20, 20), (100, 30)], edges: [(0, 1)], cut: false),
    \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", width: 6.0, border: 8.0, slope_gain: \
    0.3, borders: Shared),
    \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\", solver: Draft),
}}, outputs: {{ \"height.tif\": \"height\" }})"
    );
    let world = format!(
        "World(patch: \"patch.ron\", heights: (-{amplitude}, {amplitude}), nodes: {nodes:?}, edges: \
        {edges:?})"
    );
    std::fs::write(folder.join("patch.ron"), patch)?;
    std::fs::write(folder.join("world.ron"), world)?;
    Ok(())
}
