//! Promises of SECURITY.md that no other file attacks. `strangers_graphs.rs` attacks reads and writes,
//! `writers.rs` links and pipes, `bounds.rs` loading, `view_command.rs` the preview.

#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::running::{command, errors, flat, folder, terrane};

/// A graph with a node of many lines, which takes long to write.
const LINES: &str = "Graph(size: (9, 9), nodes: {\"g\": GridGraph(columns: 400, rows: 400), \"f\": \
    Section(graph: \"g\"), \"s\": Perlin()}, outputs: {\"e.geojson\": \"f.edges\", \"f.json\": \"f\", \
    \"g.json\": \"g\"})";

/// Characters that control a terminal, or the direction of a text.
fn is_hidden(c: char) -> bool {
    c.is_control() && c != '\n' || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[test]
fn control_characters_are_neither_printed_nor_written_to_tables() {
    let graph = "Graph(size: (9, 9), nodes: {\"g\": GridGraph(), \"f\": Section(graph: \"g\"), \"as\": \
        AssignTerrain(fields: \"f\", descriptions: [(\"L\u{9b}31m;=1+1\", Noise(amplitude: 5)), \
        (\" =2+2\", Noise()), (\"＝3\u{202e}\", Noise())])}, outputs: {\"c.csv\": \"as.counts\", \"c.json\": \
        \"as.counts\"})";
    let folder = folder(&[("g.ron", graph)]);
    assert!(terrane(folder.path(), ["test", "g.ron", "--accept"]).status.success());
    let snapshot = folder.path().join("snapshots/g__c.csv.snap");
    let text = fs::read_to_string(&snapshot).unwrap();
    fs::write(&snapshot, format!("{text}\u{1b}]0;title\u{7}\u{9b}2J\u{7f}\u{2066}\n")).unwrap();
    for arguments in [
        &["eval", "g.ron", "as.counts", "-o", "-"][..],
        &["eval", "g.ron", "as.counts", "-o", "-", "--json"],
        &["run", "g.ron"],
        &["run", "g.ron", "--json"],
        &["check", "g.ron"],
        &["test", "g.ron"],
        &["test", "g.ron", "--json"],
        &["explain", "g.ron"],
        &["graph", "g.ron"],
        &["sweep", "g.ron", "--metric", "as.counts", "-o", "t.csv", "--summary", "s.md"],
    ] {
        let output = terrane(folder.path(), arguments);
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(!said.contains(is_hidden), "{arguments:?}: {said:?}");
    }
    // Values in JSON stay the same.
    let output = terrane(folder.path(), ["eval", "g.ron", "as.counts", "-o", "-"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json.get("L\u{9b}31m;=1+1").is_some(), "{json}");
    for file in ["out/c.json", "out/manifest.json", "snapshots/g__c.json.snap"] {
        let text = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{file}: {text:?}");
    }
    let written = fs::read(folder.path().join("out/c.json")).unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).unwrap(), json);
    let head = fs::read_to_string(folder.path().join("out/c.csv")).unwrap();
    let head = head.lines().next().unwrap();
    for cell in ["L¿31m;'=1+1", " '=2+2", "'＝3？"] {
        assert!(head.split(',').any(|other| other == cell), "{cell}: {head}");
    }
    let table = fs::read_to_string(folder.path().join("t.csv")).unwrap();
    assert!(table.contains(";'=1+1") && !table.contains(is_hidden), "{table:?}");
    // The sweep finds its own row again.
    let again = terrane(folder.path(), ["sweep", "g.ron", "--metric", "as.counts", "-o", "t.csv"]);
    assert!(errors(&again).contains("1 already in the table"), "{}", errors(&again));
}

#[test]
fn outputs_that_are_one_file_on_some_system_are_refused() {
    let graph =
        |outputs: &str| format!("Graph(size: (9, 9), nodes: {{\"h\": Perlin()}}, outputs: {{{outputs}}})");
    for (outputs, reason) in [
        ("\"a\u{308}.npy\": \"h\", \"\u{e4}.npy\": \"h\"", "would overwrite each other"),
        ("\"a\u{308}.npy\": \"h\", \"\u{c4}.npy\": \"h\"", "would overwrite each other"),
        ("\"CON.npy\": \"h\"", "`CON` is a device on Windows"),
        ("\"a:b.npy\": \"h\"", "does not allow `:`"),
        ("\"x /b.npy\": \"h\"", "dot or a space"),
        ("\"x\u{202e}ypn.npy\": \"h\"", "control characters"),
    ] {
        let folder = folder(&[("g.ron", graph(outputs))]);
        let output = terrane(folder.path(), ["check", "g.ron"]);
        let said = flat(&output);
        assert!(output.status.code() == Some(2) && said.contains(reason), "{outputs}: {said}");
        assert!(said.contains("help:"), "{said}");
    }
    for (outputs, arguments, reason) in [
        ("\"h.npy\": \"h\", \"0_0/h.npy\": \"h\"", &["--mosaic"][..], "among the files of a patch"),
        ("\"level_2/h.npy\": \"h\"", &["--mosaic"], "among the files of a patch"),
        ("\"h.tif\": \"h\", \"h.tiff\": \"h\"", &[], "would both be joined into h.vrt"),
        ("\"h.tif\": \"h\", \"H.TIFF\": \"h\"", &["--mosaic"], "would both be joined into H.vrt"),
    ] {
        let folder = folder(&[("g.ron", graph(outputs)), ("w.ron", "World(patch: \"g.ron\")".to_owned())]);
        let run = [&["run", "w.ron", "--patches", "0..2,0..2"], arguments].concat();
        let output = terrane(folder.path(), run);
        let said = flat(&output);
        assert!(output.status.code() == Some(2) && said.contains(reason), "{outputs}: {said}");
        assert!(said.contains("help:") && !folder.path().join("out").exists(), "{said}");
    }
}

#[test]
fn slopes_that_are_not_finite_are_warned_of() {
    let graph = "Graph(size: (33, 33), nodes: {\"a\": OpenSimplex(octaves: 28, lacunarity: 103.0), \"n\": \
        Perlin(amplitude: \"a.slope_x\")}, outputs: {\"h.npy\": \"a\", \"sx.npy\": \"a.slope_x\", \
        \"n.npy\": \"n\"})";
    let folder = folder(&[("g.ron", graph)]);
    let output = terrane(folder.path(), ["run", "g.ron"]);
    let said = errors(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("warning: a: 1089 of 1089 samples of `slope_x` are not finite"), "{said}");
    // `n` has unknown heights because it reads them, and `height` of `a` is finite.
    assert!(!said.contains("warning: n:") && !said.contains("of `height`"), "{said}");
}

/// Nodes that make samples which are not finite of finite ones.
#[test]
fn samples_that_are_not_finite_are_warned_of() {
    for (node, name) in [
        ("Remap(height: \"p\", from: (0, 1e-30), to: (0, 1e30))", "height"),
        ("Combine(a: \"p\", b: 1e30, mode: Multiply)", "height"),
        ("Terrace(height: \"steep\", step: 1e-30)", "height"),
        ("Voronoi(amplitude: 1e30, coefficients: [1e30, 1])", "height"),
    ] {
        let graph = format!(
            "Graph(size: (17, 17), nodes: {{\"p\": Perlin(wavelength: 5.0, amplitude: 1e20), \"steep\": \
            Perlin(wavelength: 5.0, amplitude: 1e30), \"a\": {node}, \
            \"b\": Clamp(height: \"a\", max: 1e30)}}, outputs: {{\"a.npy\": \"a\", \"b.npy\": \"b\"}})"
        );
        let folder = folder(&[("g.ron", &graph)]);
        // The second run takes the results from the cache.
        for _ in 0..2 {
            let output = terrane(folder.path(), ["run", "g.ron"]);
            let said = flat(&output);
            assert!(output.status.success(), "{node}: {said}");
            assert!(said.contains(&format!(" of `{name}` are not finite")), "{node}: {said}");
            assert_eq!(said.matches("are not finite").count(), 1, "{node}: {said}");
        }
    }
}

#[test]
fn world_verify_ends_whatever_the_records_say() {
    let graph = "Graph(size: (9, 9), nodes: {\"h\": Perlin()}, outputs: {\"h.npy\": \"h\"})";
    let folder = folder(&[("g.ron", graph), ("w.ron", "World(patch: \"g.ron\")")]);
    let share = ["run", "w.ron", "--patches", "0..2,0..2", "--share", "1/2"];
    assert!(terrane(folder.path(), share).status.success());
    let shares = folder.path().join("out/shares");
    let record = fs::read_to_string(shares.join("0_0-1_1/1-of-2.json")).unwrap();
    let mut page: serde_json::Value = serde_json::from_str(&record).unwrap();
    page["share"] = serde_json::json!([u32::MAX, u32::MAX]);
    let last = page["patches"]["1_1"].clone();
    page["patches"] = serde_json::json!({ "1_1": last });
    let huge = |number: u32| format!("{number}-of-{}.json", u32::MAX);
    fs::write(shares.join("0_0-1_1").join(huge(u32::MAX)), page.to_string()).unwrap();
    // An empty share of the largest range.
    page["share"] = serde_json::json!([1, u32::MAX]);
    page["of"] = serde_json::json!([[0, 0], [1023, 1023]]);
    page["patches"] = serde_json::json!({});
    fs::create_dir(shares.join("0_0-1023_1023")).unwrap();
    fs::write(shares.join("0_0-1023_1023").join(huge(1)), page.to_string()).unwrap();
    let started = Instant::now();
    let output = terrane(folder.path(), ["world", "verify", "out"]);
    let said = flat(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    assert!(said.contains("of 1048576 patches are missing") && said.contains("and others"), "{said}");
}

#[test]
fn graphs_and_lines_are_in_the_forecast_and_are_written_in_a_stream() {
    let large = LINES.replace("400", "1000");
    let folder = folder(&[("g.ron", LINES), ("large.ron", &large)]);
    let output = terrane(folder.path(), ["run", "large.ron", "--memory", "200M"]);
    let said = flat(&output);
    assert!(output.status.code() == Some(2) && said.contains("the limit is 200.0 MiB"), "{said}");
    assert!(!folder.path().join("out").exists(), "nothing was evaluated");
    // The text of the lines has 90 MB, and as a tree it would take a gigabyte.
    let limited = format!(
        "ulimit -v 700000; exec '{}' run g.ron --threads 1 --no-cache",
        env!("CARGO_BIN_EXE_terrane")
    );
    let output = Command::new("sh").args(["-c", &limited]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", errors(&output));
    assert!(fs::metadata(folder.path().join("out/e.geojson")).unwrap().len() > 50_000_000);
}

/// Waits until a file with this beginning of its name is in the folder.
fn wait_for(folder: &Path, begins: &str) {
    let started = Instant::now();
    let is_there = || {
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .any(|entry| entry.file_name().to_string_lossy().starts_with(begins))
    };
    while !is_there() {
        assert!(started.elapsed() < Duration::from_secs(60), "no {begins}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Reads the events of `watch` until a run has written this file. A save may be noticed twice, by the regular
/// check of the files and by its events. Then the first of its runs is stopped before it writes.
fn wait_for_written(lines: &mut impl Iterator<Item = std::io::Result<String>>, name: &str) {
    let is_done = |line: &String| line.contains("\"event\":\"done\"");
    let runs = lines.map(Result::unwrap).filter(is_done).take(3);
    assert!(runs.into_iter().any(|run| run.contains(name)), "{name} was not written");
}

/// Programs that a shell starts in the background ignore Ctrl-C.
fn ignores_ctrl_c() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored =
        status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    ignored.is_some_and(|ignored| ignored & 2 == 2)
}

#[test]
fn writing_is_stopped_by_a_save_under_watch_and_by_ctrl_c() {
    let start = LINES.find("outputs: {").unwrap();
    let graph = format!("{}outputs: {{\"e.geojson\": \"f.edges\"}})", &LINES[..start]);
    let folder = folder(&[("g.ron", &graph)]);
    let out = folder.path().join("out");
    let mut watch =
        command(folder.path(), ["watch", "g.ron", "--json"]).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
    wait_for(&out, ".terrane-");
    fs::write(folder.path().join("g.ron"), graph.replace("f.edges", "f.dangling")).unwrap();
    let saved = Instant::now();
    let done = lines.find(|line| line.as_ref().unwrap().contains("\"event\":\"done\""));
    let first = done.unwrap().unwrap();
    assert!(!first.contains("e.geojson"), "the file was finished: {first}");
    assert!(saved.elapsed() < Duration::from_secs(5), "{:?}", saved.elapsed());
    assert!(!out.join("e.geojson").exists());
    wait_for_written(&mut lines, "e.geojson");
    watch.kill().unwrap();
    watch.wait().unwrap();
    fs::remove_dir_all(&out).unwrap();
    fs::write(folder.path().join("g.ron"), &graph).unwrap();
    if ignores_ctrl_c() {
        return;
    }
    let mut run = command(folder.path(), ["run", "g.ron"]).spawn().unwrap();
    wait_for(&out, ".terrane-");
    let stopped = Instant::now();
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert!(!run.wait().unwrap().success());
    assert!(stopped.elapsed() < Duration::from_secs(5), "{:?}", stopped.elapsed());
    assert!(!out.join("e.geojson").exists());
}

/// Maps and pictures take long to write. A save under `watch` stops this, and the old file stays.
#[test]
fn writing_of_maps_and_pictures_is_stopped_by_a_save() {
    let graph = |outputs: &str| {
        format!(
            "Graph(size: (5000, 5000), nodes: {{\"h\": Perlin(octaves: 1, wavelength: 3.0), \"r\": \
            ColorRelief(height: \"h\"), \"p\": Points(points: [(1, 1, 1)])}}, outputs: {{{outputs}}})"
        )
    };
    for (name, from) in [("h.tif", "h"), ("r.png", "r")] {
        let folder = folder(&[("g.ron", graph(&format!("\"{name}\": \"{from}\"")))]);
        let out = folder.path().join("out");
        fs::create_dir(&out).unwrap();
        fs::write(out.join(name), "old").unwrap();
        let arguments = ["watch", "g.ron", "--json", "--no-cache"];
        let mut watch = command(folder.path(), arguments).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(watch.stdout.take().unwrap()).lines();
        wait_for(&out, ".terrane-");
        fs::write(folder.path().join("g.ron"), graph("\"p.json\": \"p\"")).unwrap();
        let done = lines.find(|line| line.as_ref().unwrap().contains("\"event\":\"done\""));
        let first = done.unwrap().unwrap();
        assert!(!first.contains(name), "the file was finished: {first}");
        wait_for_written(&mut lines, "p.json");
        watch.kill().unwrap();
        watch.wait().unwrap();
        assert_eq!(fs::read(out.join(name)).unwrap(), b"old", "{name}");
        let names = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with(".terrane-")).collect();
        assert!(left.is_empty(), "{name}: {left:?}");
    }
}
