//! Every file that the program writes: never through a link that leads outside, and never waiting for a pipe.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::running::{command, errors, files, terrane};

const GRAPH: &str = "Graph(size: (9, 9), seed: 1, nodes: {\"h\": Perlin(wavelength: 4.0), \"c\": Hillshade(\
    height: \"h\"), \"s\": Statistics(height: \"h\"), \"e\": ThermalErosion(height: \"h\", iterations: 2, \
    history_every: 1)}, outputs: {\"h.tif\": \"h\", \"h.png\": \"h\", \
    \"sub/c.npy\": \"c\", \"s.csv\": \"s\"})\n";
const WORLD: &str = "World(patch: \"g.ron\")\n";

/// The commands by name. Each runs in a folder with `g.ron`, the world `w.ron` and `f.ron`.
const COMMANDS: &[(&str, &str)] = &[
    ("run", "run g.ron"),
    ("run to", "run g.ron --out results/new"),
    ("watch", "watch g.ron"),
    ("patch", "run w.ron --patch 0,0"),
    ("level", "run w.ron --patch 0,0 --level 1"),
    ("mosaic", "run w.ron --patches 0..2,0..1 --mosaic"),
    ("share", "run w.ron --patches 0..2,0..2 --share 1/2"),
    ("vrt", "world vrt done h.tif"),
    (
        "sweep",
        "sweep g.ron --seeds 1..3 --metric s.mean -o t.csv --summary s.md --plot p.svg --sheet i.png \
        --picture h.png",
    ),
    ("sweep to", "sweep g.ron --metric s.mean -o results/t.csv"),
    ("curves", "sweep g.ron --seeds 1..3 --metric e.history.score@last -o t.csv --curves c.svg"),
    ("store", "run w.ron --patches 0..1,0..1 -o new.zarr"),
    ("geotiff", "world geotiff done.zarr h -o geo.tif"),
    ("geotiff to", "world geotiff done.zarr h -o results/geo.tif"),
    ("accept", "test g.ron --accept"),
    ("test", "test g.ron"),
    ("eval", "eval g.ron h -o e.png"),
    ("eval to", "eval g.ron h -o results/e.png"),
    ("new", "new n"),
    ("new in", "new results/n"),
    ("fmt", "fmt f.ron"),
    ("explained", "run g.ron --cache-dir kept"),
];

/// What a writer does about a link or a pipe in its way.
#[derive(Clone, Copy, PartialEq)]
enum Then {
    /// The command fails.
    Fails,
    /// The command works without the file, which only saves work or keeps other processes waiting.
    GoesOn,
}
use Then::{Fails, GoesOn};

/// The paths that each command writes. A path that ends with a slash is a folder.
const WRITERS: &[(&str, &str, Then)] = &[
    // Outputs, their sidecars, the manifest and its lock: `outputs/writing.rs`.
    ("run", "out/", Fails),
    ("run", "out/h.tif", Fails),
    ("run", "out/h.png.json", Fails),
    ("run", "out/sub/", Fails),
    ("run", "out/sub/c.npy", Fails),
    ("run", "out/s.csv", Fails),
    ("run", "out/manifest.json", Fails),
    ("run", "out/manifest.json.lock", GoesOn),
    ("run to", "results/", Fails),
    ("run to", "results/new/", Fails),
    ("watch", "out/", GoesOn),
    ("watch", "out/h.tif", GoesOn),
    // Patches: `patches/make.rs`, `mosaics.rs`, `records.rs` and `virtual_dataset.rs`.
    ("patch", "out/", Fails),
    ("patch", "out/0_0/", Fails),
    ("patch", "out/0_0/h.tif", Fails),
    ("patch", "out/0_0/manifest.json", Fails),
    ("level", "out/level_1/", Fails),
    ("level", "out/level_1/0_0/", Fails),
    ("mosaic", "out/h.vrt", Fails),
    ("mosaic", "out/h.tif", Fails),
    ("mosaic", "out/h.png.json", Fails),
    ("share", "out/world.json", Fails),
    ("share", "out/shares/", Fails),
    ("share", "out/shares/0_0-1_1/", Fails),
    ("share", "out/shares/0_0-1_1/1-of-2.json", Fails),
    ("vrt", "done/h.vrt", Fails),
    // Sweeps: `sweep/table.rs`, `charts.rs`, `sheet.rs` and `lock.rs`.
    ("sweep", "t.csv", Fails),
    ("sweep", "t.csv.lock", Fails),
    ("sweep", "s.md", Fails),
    ("sweep", "p.svg", Fails),
    ("sweep", "i.png", Fails),
    ("sweep to", "results/", Fails),
    ("curves", "t.csv", Fails),
    ("curves", "c.svg", Fails),
    // Stores: `terrane-stores/folder.rs` and `geotiff.rs`.
    ("store", "new.zarr/", Fails),
    ("store", "new.zarr/zarr.json", Fails),
    ("store", "new.zarr/0/", Fails),
    ("store", "new.zarr/0/h/", Fails),
    ("store", "new.zarr/0/h/zarr.json", Fails),
    ("store", "new.zarr/0/h/c/0/", Fails),
    ("store", "new.zarr/0/h/c/0/0", Fails),
    ("store", "new.zarr/terrane/", Fails),
    ("store", "new.zarr/terrane/zarr.json", Fails),
    ("store", "new.zarr/terrane/blocks/0_0.json", Fails),
    ("geotiff", "geo.tif", Fails),
    ("geotiff to", "results/", Fails),
    // Snapshots: `snapshots/store.rs`.
    ("accept", "snapshots/", Fails),
    ("accept", "snapshots/g__h.tif.snap", Fails),
    ("accept", "snapshots/g__h.tif-picture.snap.png", Fails),
    ("test", "snapshots/g__s.csv.snap.new", Fails),
    ("test", "snapshots/g__h.tif.diff.png", Fails),
    // Files that the user names: `eval.rs`, `starter.rs` and `fmt.rs`.
    ("eval", "e.png", Fails),
    ("eval", "e.png.json", Fails),
    ("eval to", "results/", Fails),
    ("new", "n.ron", Fails),
    ("new in", "results/", Fails),
    ("fmt", "f.ron", Fails),
    // The cache: `engine/cache/disk.rs`, `outputs/ledger.rs` and `explain/mod.rs`.
    ("explained", "kept/tmp/", GoesOn),
    ("explained", "kept/objects-3/", GoesOn),
    ("explained", "kept/index-3/", GoesOn),
    ("explained", "kept/outputs/", GoesOn),
    ("explained", "kept/explain/", GoesOn),
];

/// A folder in which all commands work.
fn folder() -> tempfile::TempDir {
    let folder = crate::running::folder(&[("g.ron", GRAPH), ("w.ron", WORLD), ("f.ron", GRAPH)]);
    let share = "run w.ron --patches 0..1,0..1 --share 1/1 -o done".split(' ');
    assert!(terrane(folder.path(), share).status.success());
    let store = "run w.ron --patches 0..1,0..1 -o done.zarr".split(' ');
    assert!(terrane(folder.path(), store).status.success());
    folder
}

/// Runs a command, for at most 20 seconds; `watch` for one. Returns its success and its messages.
fn run(folder: &Path, name: &str) -> (bool, String) {
    let (_, line) = COMMANDS.iter().find(|(other, _)| *other == name).unwrap();
    let mut child = command(folder, line.split_whitespace()).spawn().unwrap();
    let (started, ends) = (Instant::now(), name != "watch");
    let limit = Duration::from_secs(if ends { 20 } else { 1 });
    while child.try_wait().unwrap().is_none() && started.elapsed() < limit {
        std::thread::sleep(Duration::from_millis(10));
    }
    let waits = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!(waits && ends), "{line}: it never ends");
    (output.status.success(), errors(&output))
}

/// What an attacked folder outside holds.
fn outside() -> (tempfile::TempDir, BTreeMap<PathBuf, Vec<u8>>) {
    let outside = crate::running::folder(&[
        ("precious", "mine"),
        ("graph.ron", GRAPH),
        ("h.tif", "mine"),
        ("t.csv", "seed,key\n"),
        ("manifest.json", "{\n  \"manifest\": 1,\n  \"runs\": []\n}\n"),
    ]);
    let before = files(outside.path());
    (outside, before)
}

#[test]
fn nothing_is_written_through_a_link() {
    for (name, path, then) in WRITERS {
        let is_folder = path.ends_with('/');
        let targets: &[&str] = if is_folder {
            &["", "not there"]
        } else {
            &["precious", "not there", "manifest.json", "graph.ron"]
        };
        for target in targets {
            let (folder, (outside, before)) = (folder(), outside());
            let at = folder.path().join(path.trim_end_matches('/'));
            fs::create_dir_all(at.parent().unwrap()).unwrap();
            if at.is_file() {
                fs::remove_file(&at).unwrap();
            }
            symlink(outside.path().join(target), &at).unwrap();
            let (succeeded, said) = run(folder.path(), name);
            let case = format!("{name}: {path} -> {target}\n{said}");
            assert_eq!(files(outside.path()), before, "{case}");
            assert!(!outside.path().join("not there").exists(), "{case}");
            // A link to nothing may be replaced; a link to a file may not.
            assert!(at.is_symlink() || *then == GoesOn, "{case}");
            assert!(*then == GoesOn || !succeeded && said.contains("help:"), "{case}");
        }
    }
}

#[test]
fn nothing_waits_for_a_pipe() {
    for (name, path, then) in WRITERS {
        let folder = folder();
        let at = folder.path().join(path.trim_end_matches('/'));
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        if at.exists() {
            fs::remove_file(&at).unwrap();
        }
        assert!(Command::new("mkfifo").arg(&at).status().unwrap().success());
        let (succeeded, said) = run(folder.path(), name);
        assert!(
            fs::symlink_metadata(&at).unwrap().file_type().is_fifo(),
            "{name}: {path} was replaced: {said}"
        );
        assert!(*then == GoesOn || !succeeded, "{name}: {path}: {said}");
    }
}

#[test]
fn every_writer_and_every_opening_is_known() {
    // A new entry here needs a case in `WRITERS`, or goes through one of the listed functions.
    const WRITING: [&str; 12] = [
        "fs::write(",
        "File::create",
        "File::options(",
        "OpenOptions::new(",
        "fs::rename(",
        "fs::copy(",
        "hard_link(",
        "tempfile_in(",
        ".persist(",
        "persist_noclobber(",
        "create_dir(",
        "create_dir_all(",
    ];
    const CALLING: [&str; 5] =
        ["write_atomic(", "write_atomic_if(", "write_atomic_until(", "create_atomic(", "Staged::new("];
    const OPENING: [&str; 5] =
        ["File::open", "fs::read(", "fs::read_to_string(", "::from_path(", "BufReader::open("];
    const KNOWN: &[(&str, usize)] = &[
        ("terrane-cli/src/cli/fmt.rs", 1),
        ("terrane-cli/src/cli/starter.rs", 1),
        // Files of the cache; `touch` opens a file that was just read or that is a file.
        ("terrane-flow/src/engine/cache/disk.rs", 6),
        ("terrane-flow/src/model/files/disk.rs", 1),
        ("terrane-io/src/animation.rs", 1),
        ("terrane-io/src/atomic.rs", 10),
        ("terrane-io/src/cog.rs", 1),
        // Temporary files that are regular files.
        ("terrane-io/src/leftover.rs", 1),
        ("terrane-io/src/mesh.rs", 1),
        ("terrane-io/src/open.rs", 1),
        ("terrane-io/src/picture.rs", 1),
        ("terrane-io/src/sidecar.rs", 1),
        ("terrane-io/src/stop.rs", 2),
        ("terrane-io/src/vrt.rs", 1),
        ("terrane-io/src/write.rs", 1),
        // Below the folder of the server alone; `terrane-mcp/tests/it/files.rs` attacks it.
        ("terrane-mcp/src/tools/edit.rs", 2),
        ("terrane-nodes/src/values/text.rs", 1),
        ("terrane-runs/src/explain/mod.rs", 1),
        ("terrane-runs/src/lock.rs", 2),
        ("terrane-runs/src/outputs/ledger.rs", 1),
        ("terrane-runs/src/outputs/manifest/format.rs", 1),
        ("terrane-runs/src/patches/records.rs", 2),
        ("terrane-runs/src/snapshots/store.rs", 1),
        ("terrane-runs/src/sweep/charts.rs", 1),
        ("terrane-runs/src/sweep/table.rs", 1),
        ("terrane-stores/src/folder.rs", 2),
        // `write.rs` of the preview writes only files that the graph was read from; `view_command.rs` attacks
        // it.
        ("terrane-view/src/set_text.rs", 2),
    ];
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = BTreeMap::new();
    for (path, bytes) in files(crates) {
        let name = path.to_string_lossy().replace('\\', "/");
        let is_source = name.ends_with(".rs") && name.contains("/src/") && !name.contains("test");
        if !is_source {
            continue;
        }
        let text = String::from_utf8(bytes).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap().split("#[cfg(all(test").next().unwrap();
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let all = || WRITING.iter().chain(&CALLING).chain(&OPENING);
        let count: usize =
            lines.map(|line| all().map(|call| line.matches(call).count()).sum::<usize>()).sum();
        if count > 0 {
            found.insert(name, count);
        }
    }
    let known: BTreeMap<String, usize> =
        KNOWN.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect();
    assert_eq!(found, known);
}
