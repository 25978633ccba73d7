//! `terrane sweep` of a patch of a world.

use std::collections::HashSet;
use std::fs;

use serde_json::Value as Json;

use crate::running::Folder;

/// `worn` reads neighbouring samples, so patches are computed over a larger area. Its history is that of the
/// patch alone.
const HILLS: &str = "Graph(
    size: (33, 17), spacing: 2.0, seed: 3,
    params: { \"high\": 50.0 },
    nodes: {
        \"hills\": Perlin(wavelength: 40.0, octaves: 3, amplitude: \"$high\"),
        \"worn\": ThermalErosion(height: \"hills\", talus: 0.5, iterations: 4, history_every: 2),
        \"facts\": Statistics(height: \"worn\"),
        \"range\": Remap(height: \"hills\"),
    },
    outputs: { \"worn.npy\": \"worn\" },
)
";
const WORLD: &str = "World(patch: \"hills.ron\")";

const PATCH: &str = "Graph(size: (33, 33), seed: 5, params: { \"slope\": 0.1 }, nodes: {
    \"ground\": Perlin(wavelength: 40, octaves: 4, amplitude: 4),
    \"graph\": PathGraph(),
    \"bounds\": SubdividePath(
        height: \"ground\", graph: \"graph\", width: 2.0, border: 3.0, max_slope: \"$slope\", borders: Shared,
    ),
    \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\"),
    \"facts\": Statistics(height: \"height\"),
}, outputs: { \"height.tif\": \"height\" })";
const ROADS: &str =
    "World(patch: \"patch.ron\", nodes: [(5, 5), (60, 20)], heights: (0, 4), edges: [(0, 1)])";

fn folder() -> Folder {
    Folder::new(&[("hills.ron", HILLS), ("w.ron", WORLD), ("patch.ron", PATCH), ("roads.ron", ROADS)])
}

/// Runs a sweep, checks its exit code and returns standard error.
fn sweep(folder: &Folder, code: i32, arguments: &str) -> String {
    folder.says(code, format!("sweep {arguments}").split_whitespace())
}

fn rows_of(folder: &Folder, table: &str) -> Vec<Json> {
    serde_json::from_slice(&fs::read(folder.path(table)).unwrap()).unwrap()
}

/// A number from a table of a patch.
fn eval(folder: &Folder, arguments: &str, column: &str) -> f64 {
    let output = folder.command(&format!("eval {arguments} -o -")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let json: Json = serde_json::from_slice(&output.stdout).unwrap();
    json[column].as_f64().or(json[column][0].as_f64()).unwrap()
}

#[test]
fn rows_match_the_patch_with_those_values() {
    let folder = folder();
    let metrics = "--metric facts.mean --metric worn.max --metric facts.max";
    sweep(&folder, 0, &format!("w.ron --patch 3,-2 --set high=10,80 --seeds 1..3 {metrics} -o t.json"));
    let rows = rows_of(&folder, "t.json");
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let with = format!("w.ron facts --patch 3,-2 --set high={} --seed {}", row["high"], row["seed"]);
        assert_eq!(row["facts.mean"].as_f64(), Some(eval(&folder, &with, "mean")), "{row}");
        assert_eq!(row["worn.max"], row["facts.max"], "of the patch's own samples: {row}");
    }
    // The size is the size of the patch, also at other levels of detail.
    sweep(&folder, 0, "w.ron --patch -1,0 --level 2 --size 17x9,65x33 --metric facts.mean -o s.json");
    for row in rows_of(&folder, "s.json") {
        let size = row["size"].as_str().unwrap();
        let with = format!("w.ron facts --patch -1,0 --level 2 --size {size}");
        assert_eq!(row["facts.mean"].as_f64(), Some(eval(&folder, &with, "mean")), "{row}");
    }
    // A world with roads, whose heights agree across patches.
    sweep(&folder, 0, "roads.ron --patch 1,0 --set slope=0.02,0.5 --metric facts.mean -o r.json");
    let rows = rows_of(&folder, "r.json");
    for row in &rows {
        let with = format!("roads.ron facts --patch 1,0 --set slope={}", row["slope"]);
        assert_eq!(row["facts.mean"].as_f64(), Some(eval(&folder, &with, "mean")), "{row}");
    }
    assert_ne!(rows[0]["facts.mean"], rows[1]["facts.mean"]);
}

#[test]
fn rows_are_kept_only_for_their_patch_and_level() {
    let folder = folder();
    let swept = |code, what: &str| sweep(&folder, code, &format!("{what} --metric facts.mean -o t.json"));
    swept(0, "w.ron --patch 3,-2 --seeds 0..2");
    let mut rows = rows_of(&folder, "t.json");
    // A number that no run computes shows that the row is taken from the table.
    rows[1]["facts.mean"] = 77.0.into();
    fs::write(folder.path("t.json"), serde_json::to_vec(&rows).unwrap()).unwrap();
    let said = swept(0, "w.ron --patch 3,-2 --seeds 0..4");
    assert_eq!(said, "4 rows, 2 already in the table; wrote t.json\n");
    assert_eq!(rows_of(&folder, "t.json")[1]["facts.mean"], 77.0);
    // Sweeps of another patch, level or file do not use these rows, even for the same seeds.
    for other in ["w.ron --patch 3,-1", "w.ron --patch 3,-2 --level 1", "hills.ron"] {
        let said = swept(2, &format!("{other} --seeds 0..4"));
        assert!(
            said.contains("4 rows that this sweep would lose") && said.contains("another patch"),
            "{said}"
        );
    }
    assert_eq!(rows_of(&folder, "t.json")[1]["facts.mean"], 77.0);
    // Comments and layout of the world's file do not matter.
    fs::write(folder.path("w.ron"), "// A world.\nWorld(\n    patch: \"hills.ron\",\n)\n").unwrap();
    assert!(swept(0, "w.ron --patch 3,-2 --seeds 0..4").contains("4 already in the table"));
    fs::write(folder.path("hills.ron"), HILLS.replace("octaves: 3", "octaves: 2")).unwrap();
    assert_eq!(swept(0, "w.ron --patch 3,-2 --seeds 0..4"), "4 rows; wrote t.json\n");
    // Rows of other worlds, patches and levels have different keys.
    let moved = ROADS.replace("(60, 20)", "(60, 21)");
    fs::write(folder.path("moved.ron"), &moved).unwrap();
    let mut keys = HashSet::new();
    let all = ["roads.ron --patch 0,0", "roads.ron --patch 1,0", "moved.ron --patch 1,0"];
    for (at, what) in all.iter().chain(&["roads.ron --patch 1,0 --level 1"]).enumerate() {
        sweep(&folder, 0, &format!("{what} --metric facts.mean -o {at}.json"));
        let key = rows_of(&folder, &format!("{at}.json"))[0]["key"].as_str().unwrap().to_owned();
        keys.insert(key.rsplit('-').next().unwrap().to_owned());
    }
    assert_eq!(keys.len(), 4);
    fs::write(folder.path("roads.ron"), moved).unwrap();
    let said = sweep(&folder, 0, "roads.ron --patch 1,0 --metric facts.mean -o 1.json");
    assert_eq!(said, "1 row; wrote 1.json\n", "another world makes it again");
}

#[test]
fn charts_curves_and_sheets_are_of_the_patch() {
    let folder = folder();
    let sweep = |patch: &str, to: &str| {
        let files =
            format!("-o {to}.json --plot {to}.svg --curves {to}.csv --sheet {to}.png --summary {to}.md");
        let metrics = "--metric worn.history@last --metric worn.mean --metric worn.seconds";
        let with = format!("--patch {patch} --set high=10,80 --seeds 0..2 --picture worn.npy --no-cache");
        sweep(&folder, 0, &format!("w.ron {with} {metrics} {files}"));
        rows_of(&folder, &format!("{to}.json"))
    };
    let (here, there) = (sweep("3,-2", "here"), sweep("0,0", "there"));
    assert_ne!(here[0]["worn.mean"], there[0]["worn.mean"]);
    assert!(
        here.iter().all(|row| row["worn.seconds"].as_f64().is_some_and(|seconds| seconds > 0.0)),
        "{here:?}"
    );
    for file in ["svg", "csv", "png", "md"] {
        let read = |name: &str| fs::read(folder.path(&format!("{name}.{file}"))).unwrap();
        assert_ne!(read("here"), read("there"), "{file}");
    }
    let size = terrane::io::read_picture(&folder.path("here.png"), 1 << 24).unwrap().size();
    assert_eq!(size, (2 * 168 + 8, 2 * (17 + 20 + 8) + 8), "four pictures of 33 by 17 under two lines");
}

#[test]
fn invalid_patches_are_reported_before_anything_runs() {
    let folder = folder();
    for (arguments, part) in [
        ("w.ron --metric facts.mean", "choose one of its patches, such as --patch 3,-2"),
        ("w.ron --level 1 --metric facts.mean", "is unbounded"),
        ("hills.ron --patch 0,0 --metric facts.mean", "is a graph, not a world"),
        ("w.ron --patch 1 --metric facts.mean", "is not a patch"),
        ("w.ron --patch 536870912,0 --metric facts.mean", "where coordinates are rounded"),
        ("w.ron --patch 0,0 --metric fatcs.mean", "did you mean `facts`?"),
        ("w.ron --patch 0,0 --metric range.mean", "depends on the whole map"),
        ("w.ron --patch 0,0 --metric facts.mean --set hihg=1", "did you mean `high`?"),
        ("w.ron --patch 0,0 --metric worn --sheet s.png --picture sun.npy", "--picture sun.npy"),
    ] {
        let said = sweep(&folder, 2, &format!("{arguments} -o t.csv"));
        assert!(said.contains(part), "{arguments} lacks {part}: {said}");
        assert!(!folder.path("t.csv").exists() && !folder.path("cache").exists(), "nothing ran");
    }
}
