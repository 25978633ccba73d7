//! `terrane run` for worlds: patches, files, and what is computed again.

use std::fs;
use std::io::{BufRead, BufReader};
use std::time::Duration;

use crate::running::{self, command, told};

const PATCH: &str = r#"Graph(size: (33, 33), seed: 5, nodes: {
    "ground": Perlin(wavelength: 40, octaves: 4),
    "graph": PathGraph(),
    "bounds": SubdividePath(height: "ground", graph: "graph", width: 2.0, border: 3.0, borders: Shared),
    "height": RelaxPath(height: "ground", subdivision: "bounds"),
}, outputs: { "height.tif": "height", "report.json": "height.report" })"#;

const WORLD: &str = r#"World(patch: "patch.ron", nodes: [(5, 5), (60, 20)], edges: [(0, 1)])"#;

#[test]
fn patches_have_their_own_folders_and_are_not_made_twice() {
    let folder = running::folder(&[("patch.ron", PATCH), ("world.ron", WORLD)]);
    let at = |path: &str| folder.path().join("out").join(path);
    let (output, said) = told(folder.path(), ["run", "world.ron", "--patch", "-1,0"]);
    assert!(output.status.success(), "{said}");
    assert!(at("-1_0/height.tif").exists() && !at("height.vrt").exists());
    // As if the run had been interrupted after one patch: only the others are computed.
    let (output, said) = told(folder.path(), ["run", "world.ron", "--patches", "-1..2,0..1"]);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("patch -1,0: 0 nodes ran") && said.contains("patch 1,0:"), "{said}");
    let text = fs::read_to_string(at("height.vrt")).unwrap();
    assert!(text.contains("rasterXSize=\"97\"") && text.contains("-1_0/height.tif"), "{text}");
    assert!(!at("height.tif").exists());
    let before = fs::read(at("0_0/height.tif")).unwrap();
    let (output, said) =
        told(folder.path(), ["run", "world.ron", "--patches", "-1..2,0..1", "--mosaic", "--no-cache"]);
    assert!(output.status.success(), "{said}");
    assert_eq!(fs::read(at("0_0/height.tif")).unwrap(), before);
    assert!(at("height.tif").exists(), "{said}");
    let (output, _) = told(folder.path(), ["run", "world.ron", "--patch", "0,0", "--json"]);
    let lines = String::from_utf8(output.stdout).unwrap();
    let events: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["patch"], serde_json::json!([0, 0]));
    assert_eq!(events[1]["event"], "done");
}

#[test]
fn a_mosaic_of_one_patch_is_written() {
    let folder = running::folder(&[("patch.ron", PATCH), ("world.ron", WORLD)]);
    let (output, said) = told(folder.path(), ["run", "world.ron", "--patches", "0..1,0..1", "--mosaic"]);
    assert!(output.status.success(), "{said}");
    let at = |path: &str| folder.path().join("out").join(path);
    assert!(at("height.vrt").exists() && said.contains("height.tif"), "{said}");
    assert_eq!(fs::read(at("height.tif")).unwrap(), fs::read(at("0_0/height.tif")).unwrap());
}

#[test]
fn invalid_requests_are_refused() {
    let folder = running::folder(&[("patch.ron", PATCH), ("world.ron", WORLD)]);
    for (args, part) in [
        (&["world.ron"][..], "name the patches to compute"),
        (&["world.ron", "--patch", "1"], "is not a patch"),
        (&["world.ron", "--patch", "1,9999999999999"], "is too far away"),
        (&["world.ron", "--patches", "0..2"], "is not a pair of ranges"),
        (&["world.ron", "--patches", "2..2,0..1"], "contains no patch"),
        (&["world.ron", "--patches", "0..9999,0..9999"], "more than"),
        (&["world.ron", "--patch", "0,0", "--mosaic"], "--mosaic"),
        (&["world.ron", "--patch", "0,0", "--only", "heigth.tif"], "height.tif"),
        (&["world.ron", "--patch", "0,0", "--profile"], "--profile"),
        (&["patch.ron", "--patch", "0,0"], "not a world"),
        (&["nowhere.ron", "--patch", "0,0"], "nowhere.ron"),
    ] {
        let (output, said) = told(folder.path(), [&["run"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?} {said}");
        assert!(said.contains(part) && !said.contains("panicked"), "{args:?} lacks {part}: {said}");
        assert!(!folder.path().join("out").exists(), "{args:?}");
    }
}

/// If heights differ across a border, this is reported and the mosaic is not written.
#[test]
fn patches_that_do_not_match_are_reported() {
    let folder = running::folder(&[("patch.ron", PATCH), ("world.ron", WORLD)]);
    let text = PATCH.replace("Perlin(wavelength: 40, octaves: 4)", "MidpointDisplacement()");
    fs::write(folder.path().join("patch.ron"), text).unwrap();
    let (output, said) = told(folder.path(), ["run", "world.ron", "--patches", "0..2,0..1", "--mosaic"]);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("depends on more than the position") && said.contains("help:"), "{said}");
    assert!(!folder.path().join("out/height.tif").exists());
}

#[test]
fn one_patch_is_evaluated_explained_and_drawn() {
    let folder = running::folder(&[("patch.ron", PATCH), ("world.ron", WORLD)]);
    let at = |args: &[&str]| {
        let (output, said) = told(folder.path(), args);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    assert!(told(folder.path(), ["run", "world.ron", "--patch", "1,0"]).0.status.success());
    let (code, _, said) = at(&["eval", "world.ron", "height", "--patch", "1,0", "-o", "height.tif"]);
    assert_eq!(code, Some(0), "{said}");
    let path = |file: &str| fs::read(folder.path().join(file)).unwrap();
    assert_eq!(path("height.tif"), path("out/1_0/height.tif"));
    let (code, printed, said) = at(&["explain", "world.ron", "--patch", "1,0"]);
    assert!(
        code == Some(0) && printed.lines().any(|line| line.contains("height (RelaxPath)")),
        "{printed}{said}"
    );
    let (code, printed, _) = at(&["graph", "world.ron", "--patch", "-1,0"]);
    assert!(code == Some(0) && printed.contains("RelaxPath"), "{printed}");
    // A world without --patch, and a graph with --patch.
    let (code, _, said) = at(&["explain", "world.ron"]);
    assert!(code == Some(2) && said.contains("unbounded") && said.contains("--patch 3,-2"), "{said}");
    let (code, _, said) = at(&["eval", "patch.ron", "height", "--patch", "1,0", "-o", "x.tif"]);
    assert!(code == Some(2) && said.contains("is a graph, not a world"), "{said}");
}

#[test]
fn paths_out_of_geojson_are_those_that_are_written() {
    let hills = PATCH.replace("octaves: 4", "octaves: 4, amplitude: 30");
    let folder = running::folder(&[("patch.ron", &*hills), ("world.ron", WORLD)]);
    let line = |slope: &str| {
        format!(
            r#"{{"type": "FeatureCollection", "features": [{{"type": "Feature", "properties": {slope},
            "geometry": {{"type": "LineString", "coordinates": [[5, -5], [60, -20]]}}}}]}}"#
        )
    };
    fs::write(folder.path().join("roads.geojson"), line("{}")).unwrap();
    fs::write(folder.path().join("lines.ron"), r#"World(patch: "patch.ron", file: "roads.geojson")"#)
        .unwrap();
    fs::write(folder.path().join("none.ron"), r#"World(patch: "patch.ron")"#).unwrap();
    for (world, out) in [("world.ron", "written"), ("lines.ron", "read"), ("none.ron", "none")] {
        let (output, said) = told(folder.path(), ["run", world, "--patches", "0..2,0..1", "-o", out]);
        assert!(output.status.success(), "{said}");
    }
    for patch in ["0_0", "1_0"] {
        let file = |out: &str| fs::read(folder.path().join(out).join(patch).join("height.tif")).unwrap();
        assert_eq!(file("written"), file("read"));
        assert_ne!(file("written"), file("none"));
    }
    let told = |text: &str, why: &str| {
        fs::write(folder.path().join("lines.ron"), text).unwrap();
        let (output, said) = told(folder.path(), ["run", "lines.ron", "--patch", "0,0", "-o", "wrong"]);
        assert!(
            output.status.code() == Some(2) && said.contains(why) && said.contains("lines.ron:1:"),
            "{said}"
        );
    };
    told(r#"World(patch: "patch.ron", file: "nowhere.geojson")"#, "nowhere.geojson");
    told(r#"World(patch: "patch.ron", file: "roads.geojson", nodes: [(1, 1)])"#, "are both given");
    fs::write(folder.path().join("roads.geojson"), "{").unwrap();
    told(r#"World(patch: "patch.ron", file: "roads.geojson")"#, "roads.geojson:1:");
}

#[test]
fn a_patch_is_watched_with_all_files_that_it_is_made_from() {
    let folder = running::folder(&[("patch.ron", PATCH), ("world.ron", WORLD)]);
    let mut child =
        command(folder.path(), ["watch", "world.ron", "--patch", "1,0", "--json"]).spawn().unwrap();
    let (sent, heard) = std::sync::mpsc::channel();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sent.send(line)));
    let until = |word: &str| loop {
        let line = heard.recv_timeout(Duration::from_secs(60)).unwrap();
        if line.contains(word) {
            return;
        }
    };
    until(r#""event":"done""#);
    let height = || fs::read(folder.path().join("out/height.tif")).unwrap();
    let first = height();
    fs::write(folder.path().join("patch.ron"), PATCH.replace("seed: 5", "seed: 6")).unwrap();
    until(r#""event":"done""#);
    let second = height();
    assert!(first != second, "another seed");
    // A mistake in the world, and then its correction.
    fs::write(folder.path().join("world.ron"), WORLD.replace("(0, 1)", "(0, 7)")).unwrap();
    until("edges");
    fs::write(folder.path().join("world.ron"), WORLD.replace("edges", "slopes: [0.001], edges")).unwrap();
    until(r#""event":"done""#);
    assert!(second != height(), "a flatter road");
    child.kill().unwrap();
    child.wait().unwrap();
}
