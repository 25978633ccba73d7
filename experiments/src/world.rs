//! A world of 64 patches with shared borders, compared with patches stitched as in the thesis.

use std::sync::Arc;
use std::time::Instant;

use terrane::nodes::paths::PathGraph;
use terrane::values::{Map, Table};
use terrane::world::{LoadedWorld, Mosaic};
use terrane::{Engine, EngineOptions, Heightmap, LoadOptions, Loaded, Terrain, Wanted, load_file};
use terrane_flow::{Described, Setting, load_described};

use crate::{Result, root, say};

/// Patches made by one method.
pub struct Made {
    pub name: &'static str,
    pub seconds: f64,
    pub met: usize,
    pub patches: usize,
    pub seams: usize,
    pub map: Option<Heightmap>,
}

/// Prints a table of both methods.
pub fn run(side: i64, sweeps: u64) -> Result<()> {
    let folder = root().join("graphs/world");
    let ours = shared(&folder.join("world.ron"), side)?;
    let thesis = stitched(&folder.join("world.ron"), &folder.join("stitched.ron"), side, sweeps)?;
    say(
        "| borders | patches | all bounds met | seconds | borders that differ | bend along rows, median / 90 \
        % / 99 % / most: inside | across borders |",
    );
    say("|---|---|---|---|---|---|---|");
    for made in [ours, thesis] {
        let Made { name, seconds, met, patches, seams, map } = made;
        let columns = map.map_or_else(|| "| ".to_owned(), |map| bends(&map, side));
        say(&format!("| {name} | {patches} | {met} | {seconds:.1} | {seams} | {columns} |"));
    }
    Ok(())
}

fn engine() -> Result<Engine> {
    Ok(Engine::new(EngineOptions { reuse: false, ..EngineOptions::default() })?)
}

fn shared(file: &std::path::Path, side: i64) -> Result<Made> {
    of_world(&LoadedWorld::load(file, &terrane::registry(), &LoadOptions::default())?, side)
}

/// The patches of a world.
pub fn of_world(world: &LoadedWorld, side: i64) -> Result<Made> {
    let engine = engine()?;
    all("shared", side, world, |patch| Ok(world.patch(&engine, patch)?), &engine)
}

/// Makes each patch with its part of the paths. The ground's heights on its border and the roughness near the
/// border are preserved: sections 4.1.1 and 6 of the thesis.
fn stitched(file: &std::path::Path, graph: &std::path::Path, side: i64, sweeps: u64) -> Result<Made> {
    let world = LoadedWorld::load(file, &terrane::registry(), &LoadOptions::default())?;
    let described: Described<terrane::world::World> =
        load_described(&LoadOptions::default().files, file, false, terrane::world::World::check)?;
    let set = vec![Setting::param("sweeps", sweeps.to_string())];
    let template = load_file(graph, &terrane::registry(), &LoadOptions { set, ..LoadOptions::default() })?;
    let engine = engine()?;
    let patch = |patch: (i64, i64)| {
        let mut loaded = template.clone();
        loaded.graph.header = Arc::new(Terrain::at(&*loaded.graph.header, world.tiling().domain(patch)));
        let (nodes, edges) = (described.value.nodes.clone(), described.value.edges.clone());
        loaded.replace("graph", Box::new(PathGraph { nodes, edges, cut: true, ..PathGraph::default() }))?;
        Ok(loaded)
    };
    all("stitched", side, &world, patch, &engine)
}

fn all(
    name: &'static str,
    side: i64,
    world: &LoadedWorld,
    patch: impl Fn((i64, i64)) -> Result<Loaded>,
    engine: &Engine,
) -> Result<Made> {
    let mut mosaic = Mosaic::new(world.tiling(), (0, 0), (side - 1, side - 1));
    let mut made = Made { name, seconds: 0.0, met: 0, patches: 0, seams: 0, map: None };
    let started = Instant::now();
    for patch_position in (0..side).flat_map(|j| (0..side).map(move |i| (i, j))) {
        let loaded = Arc::new(patch(patch_position)?);
        let wanted =
            ["height", "height.report"].map(|port| Wanted::from(terrane_flow::Reference::parse(port)));
        let evaluation = engine.start(&loaded, wanted)?.wait();
        let value = |index: usize| evaluation.outputs[index].value.clone();
        let map = value(0).and_then(terrane_flow::Value::downcast::<Map>).ok_or("a patch failed")?;
        let report =
            value(1).and_then(terrane_flow::Value::downcast::<Table>).ok_or("a report is missing")?;
        made.patches += 1;
        made.met += usize::from(report.column("met").is_some_and(|met| met[0] == 1.0));
        made.seams += usize::from(mosaic.put(patch_position, map.grid()).is_err());
    }
    made.seconds = started.elapsed().as_secs_f64();
    made.map = mosaic.finished();
    Ok(made)
}

/// The change of the slope along rows between adjacent samples: inside patches, and at their borders.
fn bends(map: &Heightmap, side: i64) -> String {
    format!("{} | {}", shares(bends_of(map, side, false)), shares(bends_of(map, side, true)))
}

/// All bends along rows, inside patches or on their borders.
pub fn bends_of(map: &Heightmap, side: i64, on_border: bool) -> Vec<f64> {
    let step = (map.width() - 1) / side as usize;
    let mut all = Vec::new();
    for y in 0..map.height() {
        for x in (1..map.width() - 1).filter(|x| x.is_multiple_of(step) == on_border) {
            let bend = map[(x - 1, y)] - 2.0 * map[(x, y)] + map[(x + 1, y)];
            all.push(f64::from(bend.abs()) / map.spacing());
        }
    }
    all
}

/// Median, 90 %, 99 % and maximum.
pub fn shares(mut all: Vec<f64>) -> String {
    all.sort_by(f64::total_cmp);
    let part = |part: f64| all[((all.len() - 1) as f64 * part) as usize];
    format!("{:.3} / {:.3} / {:.3} / {:.3}", part(0.5), part(0.9), part(0.99), part(1.0))
}
