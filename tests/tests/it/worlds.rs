//! Worlds: patches that are made in any order, separately or together, meet bit for bit, can be walked across
//! borders, and show no seam.

mod grids;
mod pads;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use terrane::values::{Map, Table};
use terrane::world::{LoadedWorld, Mosaic};
use terrane::{Engine, EngineOptions, LoadOptions, Wanted, registry};

const PATCH: &str = r#"Graph(size: (65, 65), spacing: 0.7, seed: 5, nodes: {
    "ground": Perlin(wavelength: 40, octaves: 6, amplitude: 6.0),
    "graph": PathGraph(nodes: [(8, 8), (30, 30)], edges: [(0, 1)]),
    "bounds": SubdividePath(height: "ground", graph: "graph", width: 3.0, border: 4.0, max_slope: 0.1,
        slope_gain: 0.3, borders: Shared),
    "height": RelaxPath(height: "ground", subdivision: "bounds", solver: Draft),
}, outputs: { "height.tif": "height", "mask.npy": "bounds.mask", "report.json": "height.report" })"#;

/// Roads over four patches by four: across corners, along a border, near one, and one far away.
const WORLD: &str = r#"World(patch: "patch.ron", heights: (0, 6),
    nodes: [(12, 15), (95, 70), (60, 130), (140, 20), (46, 60), (300, 300), (330, 310)],
    edges: [(0, 1), (1, 2), (1, 3), (0, 4), (5, 6)], slopes: [0.1, 0.15, 0.1, 0.08, 0.1])"#;

type Patch = (i64, i64);

fn write(folder: &Path) {
    std::fs::write(folder.join("patch.ron"), PATCH).unwrap();
    std::fs::write(folder.join("world.ron"), WORLD).unwrap();
}

fn load(folder: &Path) -> LoadedWorld {
    LoadedWorld::load(&folder.join("world.ron"), &registry(), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors}"))
}

/// Heights and paths of patches, in the requested order, by a fresh engine.
fn made(folder: &Path, patches: &[Patch], threads: usize) -> BTreeMap<Patch, (Arc<Map>, Arc<Map>)> {
    let engine = Engine::new(EngineOptions { threads, ..EngineOptions::default() }).unwrap();
    let world = load(folder);
    let one = |&patch: &Patch| {
        let loaded = Arc::new(world.patch(&engine, patch).unwrap());
        let wanted: Vec<Wanted> =
            loaded.graph.outputs[..2].iter().map(|output| output.from.clone().into()).collect();
        let evaluation = engine.start(&loaded, wanted).unwrap().wait();
        assert!(evaluation.warnings.is_empty(), "{patch:?}: {:?}", evaluation.warnings);
        let map = |index: usize| evaluation.outputs[index].value.clone().unwrap().downcast::<Map>().unwrap();
        (patch, (map(0), map(1)))
    };
    patches.iter().map(one).collect()
}

fn bits(map: &Map) -> Vec<u32> {
    map.samples().iter().map(|height| height.to_bits()).collect()
}

fn all() -> Vec<Patch> {
    (0..4).flat_map(|j| (0..4).map(move |i| (i, j))).collect()
}

#[test]
fn patches_are_the_same_in_any_order_and_alone() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let whole = made(folder.path(), &all(), 2);
    // An order that jumps between patches: 7 and 16 have no common factor.
    let jumping: Vec<Patch> = (0..16).map(|step| all()[(step * 7 + 3) % 16]).collect();
    let again = made(folder.path(), &jumping, 1);
    for patch in all() {
        assert_eq!(bits(&whole[&patch].0), bits(&again[&patch].0), "{patch:?}");
    }
    for patch in [(1, 1), (3, 0)] {
        assert_eq!(bits(&made(folder.path(), &[patch], 2)[&patch].0), bits(&whole[&patch].0));
    }
    let mut mosaic = Mosaic::new(load(folder.path()).tiling(), (0, 0), (3, 3));
    for (patch, (heights, _)) in &whole {
        mosaic.put(*patch, heights.grid()).unwrap_or_else(|seam| panic!("{seam}"));
    }
    assert_eq!(mosaic.finished().unwrap().domain().size, (257, 257));
}

/// A patch in which spreading the earth misses bounds, and repairing them takes long. When the repair was
/// abandoned early, the result had a ditch of sixteen units.
#[test]
fn earth_next_to_a_path_forms_no_walls() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/world/world.ron");
    let world = LoadedWorld::load(&file, &registry(), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors}"));
    let engine = Engine::new(EngineOptions::default()).unwrap();
    let loaded = Arc::new(world.patch(&engine, (0, 1)).unwrap());
    let ports = ["height", "ground"].map(Wanted::from);
    let evaluation = engine.start(&loaded, ports).unwrap().wait();
    assert!(evaluation.warnings.is_empty(), "{:?}", evaluation.warnings);
    let map = |index: usize| evaluation.outputs[index].value.clone().unwrap().downcast::<Map>().unwrap();
    let (height, ground) = (map(0), map(1));
    let moved = height.samples().iter().zip(ground.samples()).map(|(now, then)| (now - then).abs());
    // A path is cut into the ground by at most a hill's height, and nothing next to the path needs more.
    assert!(moved.fold(0.0, f32::max) < 8.0);
}

/// The number of missed bounds of a patch, and its heights.
fn missed(world: &LoadedWorld, engine: &Engine, patch: Patch) -> (f64, Arc<Map>) {
    let loaded = Arc::new(world.patch(engine, patch).unwrap());
    let ports = ["height", "height.report"].map(Wanted::from);
    let evaluation = engine.start(&loaded, ports).unwrap().wait();
    let value = |index: usize| evaluation.outputs[index].value.clone().unwrap();
    let report = value(1).downcast::<Table>().unwrap();
    (report.column("missed").unwrap()[0], value(0).downcast().unwrap())
}

/// Roads run up to borders and along them, over ground that is steeper than allowed: heights there must
/// leave room for the relaxation inside.
#[test]
fn every_border_can_be_met() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/world/world.ron");
    let options = LoadOptions { seed: Some(12), ..LoadOptions::default() };
    let world = LoadedWorld::load(&file, &registry(), &options).unwrap_or_else(|errors| panic!("{errors}"));
    let engine = Engine::new(EngineOptions::default()).unwrap();
    assert_eq!(missed(&world, &engine, (1, 1)).0, 0.0);
    let patch = r#"Graph(size: (129, 129), spacing: 1.0, seed: 0, nodes: {
        "ground": Perlin(wavelength: 160, octaves: 8, amplitude: 40.0),
        "graph": PathGraph(nodes: [(20, 20), (100, 30)], edges: [(0, 1)], cut: false),
        "bounds": SubdividePath(height: "ground", graph: "graph", width: 6.0, border: 8.0, slope_gain: 0.3,
            borders: Shared),
        "height": RelaxPath(height: "ground", subdivision: "bounds", solver: Draft),
    }, outputs: { "height.tif": "height" })"#;
    let (mut inside, mut across) = (Vec::new(), Vec::new());
    for (seed, roads) in grids::GRIDS {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("patch.ron"), patch).unwrap();
        let text = format!("World(patch: \"patch.ron\", heights: (-40, 40), {roads})");
        std::fs::write(folder.path().join("world.ron"), text).unwrap();
        let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
        let world = LoadedWorld::load(&folder.path().join("world.ron"), &registry(), &options).unwrap();
        let mut mosaic = Mosaic::new(world.tiling(), (0, 0), (2, 2));
        for patch in (0..3).flat_map(|j| (0..3).map(move |i| (i, j))) {
            let (missed, heights) = missed(&world, &engine, patch);
            assert_eq!(missed, 0.0, "seed {seed}, patch {patch:?}");
            mosaic.put(patch, heights.grid()).unwrap_or_else(|seam| panic!("{seam}"));
        }
        let heights = mosaic.finished().unwrap();
        inside.extend(sharpest(&heights, |x| x % 128 != 0));
        across.extend(sharpest(&heights, |x| x % 128 == 0));
    }
    // The ground bends on borders as it does elsewhere.
    for part in [0.5, 0.99] {
        let of = |all: &mut Vec<f32>| {
            all.sort_by(f32::total_cmp);
            all[(all.len() as f64 * part) as usize]
        };
        let (inside, across) = (of(&mut inside), of(&mut across));
        assert!(across <= 1.1 * inside, "{part}: {across} across borders, {inside} inside");
    }
}

/// The differences between the slopes on both sides of a sample, across columns, in ascending order. `chosen`
/// selects columns.
fn sharpest(map: &terrane::Heightmap, chosen: impl Fn(usize) -> bool) -> Vec<f32> {
    let mut all = Vec::new();
    for y in 0..map.height() {
        for x in (1..map.width() - 1).filter(|&x| chosen(x)) {
            all.push((map[(x - 1, y)] - 2.0 * map[(x, y)] + map[(x + 1, y)]).abs());
        }
    }
    all.sort_by(f32::total_cmp);
    all
}

#[test]
fn borders_can_be_walked_across_and_are_invisible() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let (tiling, patches) = (load(folder.path()).tiling(), made(folder.path(), &all(), 2));
    let (mut heights, mut paths) = (Mosaic::new(tiling, (0, 0), (3, 3)), Mosaic::new(tiling, (0, 0), (3, 3)));
    for (patch, (height, path)) in &patches {
        heights.put(*patch, height.grid()).unwrap();
        paths.put(*patch, path.grid()).unwrap();
    }
    let (heights, paths) = (heights.finished().unwrap(), paths.finished().unwrap());
    // From the first node to the last of the first component, over steps no steeper than its steepest edge.
    let station = |x: f64, y: f64| ((x / 0.7).round() as usize, (y / 0.7).round() as usize);
    let (from, to) = (station(12.0, 15.0), station(60.0, 130.0));
    let mut reached = vec![false; heights.samples().len()];
    let mut open = vec![from];
    while let Some((x, y)) = open.pop() {
        if std::mem::replace(&mut reached[y * 257 + x], true) {
            continue;
        }
        for (u, v) in [(x + 1, y), (x.wrapping_sub(1), y), (x, y + 1), (x, y.wrapping_sub(1))] {
            if u < 257 && v < 257 && paths[(u, v)] == 1.0 {
                let slope = f64::from(heights[(u, v)] - heights[(x, y)]).abs() / heights.spacing();
                if slope <= 0.15 + 2e-5 {
                    open.push((u, v));
                }
            }
        }
    }
    assert!(reached[to.1 * 257 + to.0], "the road leads over four borders");
    let on_border = sharpest(&heights, |x| x % 64 == 0);
    let inside = sharpest(&heights, |x| x % 64 != 0);
    let share = |all: &[f32], part: f64| all[((all.len() - 1) as f64 * part) as usize];
    for part in [0.5, 0.9, 0.99] {
        let (border, inside) = (share(&on_border, part), share(&inside, part));
        assert!(border <= 1.1 * inside, "{part}: {border} on borders, {inside} inside");
    }
    assert!(on_border[on_border.len() - 1] <= inside[inside.len() - 1]);
}

#[test]
fn mistakes_in_worlds_have_locations() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let patch = |text: &str| std::fs::write(folder.path().join("patch.ron"), text).unwrap();
    let said = |world: &str| {
        std::fs::write(folder.path().join("world.ron"), world).unwrap();
        let errors =
            LoadedWorld::load(&folder.path().join("world.ron"), &registry(), &LoadOptions::default());
        errors.err().unwrap().to_string().replace("\n  │ ", " ")
    };
    let has = |text: String, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(text.contains(part), "lacks {part}: {text}"));
    };
    has(said("Graph()"), &["world.ron:1:1", "this is a `Graph`, not a `World`"]);
    has(said("World(patch: \"patch.ron\", nodse: [])"), &["world.ron:1:27", "nodse", "nodes"]);
    has(said("World(patch: \"other.ron\")"), &["world.ron:1:14", "other.ron"]);
    has(said("World(patch: \"../patch.ron\")"), &["world.ron:1:14"]);
    let cross =
        "World(patch: \"patch.ron\", nodes: [(0, 0), (9, 9), (0, 9), (9, 0)], edges: [(0, 1), (2, 3)])";
    has(said(cross), &["world.ron:1:75", "edges 0 and 1"]);
    has(said("World(patch: \"patch.ron\", heights: (2, 1))"), &["world.ron:1:36", "is not a range"]);
    has(said("World(patch: \"patch.ron\", nodes: [(0, 0), (1e20, 0)], edges: [(0, 1)])"), &["too far"]);
    has(
        said("World(patch: \"patch.ron\", nodes: [(0, 0), (3e11, 0)], edges: [(0, 1)])"),
        &["borders of patches"],
    );
    let good = "World(patch: \"patch.ron\")";
    patch(&PATCH.replace(", borders: Shared", ""));
    has(
        said("World(patch: \"patch.ron\", nodes: [(5, 5), (60, 20)], edges: [(0, 1)])"),
        &["world.ron:1:14", "no SubdividePath with borders: Shared"],
    );
    // Without paths it is like a world of any other graph.
    has(said(good), &["patch.ron:4:15", "`bounds` (SubdividePath) depends on the whole map"]);
    let eroded = "\"ground\": ThermalErosion(height: \"raw\"),\n    \"raw\": Perlin(";
    patch(&PATCH.replace("\"ground\": Perlin(", eroded));
    has(said(good), &["world.ron:1:14", "`ground` (ThermalErosion)", "pointwise"]);
    for (ground, culprit) in [
        ("Perlin(normalise: true, ", ["`ground` (Perlin)", "`normalise: true`"]),
        ("OpenSimplex(wrap: true, ", ["`ground` (OpenSimplex)", "`wrap: true`"]),
        ("Voronoi(wrap: true), \"unused\": Perlin(", ["`ground` (Voronoi)", "`wrap: true`"]),
        (
            "SpectralSynthesis(wrap: true), \"unused\": Perlin(",
            ["`ground` (SpectralSynthesis)", "`wrap: true`"],
        ),
    ] {
        patch(&PATCH.replace("Perlin(", ground));
        has(said(good), &["world.ron:1:14", culprit[0], culprit[1], "the whole map"]);
    }
    patch(&PATCH.replace("(65, 65)", "(1, 65)"));
    has(said(good), &["one column or row"]);
    patch(&PATCH.replace("wavelength: 40", "wavelength: -40"));
    has(said(good), &["patch.ron:2:"]);
}
