//! Worlds with many roads: how far a patch depends on them, and how long that takes.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::running::{self, says};

const PATCH: &str = r#"Graph(size: (33, 33), seed: 5, nodes: {
    "ground": GROUND,
    "graph": PathGraph(),
    "bounds": SubdividePath(
        height: "ground", graph: "graph", width: 2.0, border: 3.0, max_slope: 0.1, borders: Shared,
    ),
    "height": RelaxPath(height: "ground", subdivision: "bounds", solver: Draft),
}, outputs: { "height.npy": "height" })"#;

const PERLIN: &str = "Perlin(wavelength: 40, octaves: 4, amplitude: 9)";

/// A grid of `side` by `side` road nodes, `apart` from each other, with roads that are not quite straight.
fn world(side: i64, apart: f64, high: f64) -> String {
    let bent = |x: i64, y: i64| ((x * 7 + y * 13) % 11) as f64 * 0.02 * apart;
    let mut text = format!("World(patch: \"patch.ron\", heights: (-{high:?}, {high:?}), nodes: [");
    let all = || (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    for (x, y) in all() {
        write!(text, "({:?}, {:?}),", x as f64 * apart + bent(x, y), y as f64 * apart + bent(y, x)).unwrap();
    }
    text.push_str("], edges: [");
    for (x, y) in all() {
        let from = y * side + x;
        if x + 1 < side {
            write!(text, "({from}, {}),", from + 1).unwrap();
        }
        if y + 1 < side {
            write!(text, "({from}, {}),", from + side).unwrap();
        }
    }
    text + "])"
}

fn folder(ground: &str, world: &str) -> tempfile::TempDir {
    running::folder(&[("patch.ron", &*PATCH.replace("GROUND", ground)), ("world.ron", world)])
}

fn run(folder: &Path, args: &[&str]) -> String {
    says(folder, 0, [&["run", "world.ron"], args].concat())
}

/// The range of heights is so large that each crossing of a border depends on all others. The search must
/// continue from each crossing only once.
#[test]
fn a_patch_that_depends_on_all_roads_is_made_quickly() {
    let folder = folder(PERLIN, &world(80, 20.0, 1e4));
    let started = Instant::now();
    run(folder.path(), &["--patch", "3,3"]);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    // The cache keeps only the heights at roads, not the terrain of all patches.
    let bytes = |path: &Path| -> u64 {
        let files = fs::read_dir(path.join("cache")).unwrap().map(|entry| entry.unwrap().path());
        let mut open: Vec<_> = files.collect();
        let mut bytes = 0;
        while let Some(path) = open.pop() {
            match path.is_dir() {
                true => open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path())),
                false => bytes += fs::metadata(path).unwrap().len(),
            }
        }
        bytes
    };
    let first = bytes(folder.path());
    assert!(first < 3 << 20, "{first} bytes are kept for one patch of 4 KiB");
    // Patches are the same with and without the cache.
    let height = |out: &str| fs::read(folder.path().join(out).join("3_3/height.npy")).unwrap();
    run(folder.path(), &["--patch", "3,3", "-o", "again"]);
    run(folder.path(), &["--patch", "3,3", "-o", "anew", "--no-cache"]);
    assert_eq!(height("out"), height("again"));
    assert_eq!(height("out"), height("anew"));
    // Other patches on the same roads reuse the heights found before, and patches agree at their borders.
    run(folder.path(), &["--patches", "3..5,3..5", "--mosaic", "-o", "all"]);
    assert_eq!(height("out"), height("all"));
}

/// Nodes whose values depend on the size of the map are evaluated patch by patch.
#[test]
fn patches_of_any_terrain_agree_at_borders() {
    for ground in [PERLIN, "Voronoi()"] {
        let folder = folder(ground, &world(8, 20.0, 40.0));
        run(folder.path(), &["--patches", "0..3,1..3", "--mosaic"]);
        run(folder.path(), &["--patch", "1,1", "--no-cache", "-o", "alone"]);
        let height = |out: &str| fs::read(folder.path().join(out).join("1_1/height.npy")).unwrap();
        assert_eq!(height("out"), height("alone"), "{ground}");
    }
}
