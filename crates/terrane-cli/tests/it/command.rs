//! The `terrane` command from a user's point of view.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::running::{command, terrane, told};

fn fine(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn invalid_limits_are_refused_with_what_was_expected() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "first"]));
    for (option, value, told) in [
        ("--threads", "100000", "expected a whole number from 0 (one per core) to 1024"),
        ("--threads", "two", "expected a whole number from 0 (one per core) to 1024"),
        ("--memory", "10X", "write 500M, 8G or 1T"),
        ("--memory", "1", "the limit is 1 B"),
        ("--keep", "some", "possible values: worth, all"),
    ] {
        let output = terrane(folder.path(), ["run", "first.ron", option, value]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.contains(told), "{option} {value}: {error}");
    }
    assert!(!folder.path().join("out").exists(), "nothing is written");
}

#[test]
fn an_output_can_request_compression() {
    let folder = tempfile::tempdir().unwrap();
    let text = |table: &str| {
        format!(
            r#"Graph(
                size: (257, 257),
                nodes: {{ "p": Perlin(), "r": ColorRelief(height: "p"), "s": Statistics(height: "p") }},
                outputs: {{
                    "fast.png": "r",
                    "small.png": Export(from: "r", compression: Small),
                    "fast.tif": "p",
                    "small.tif": Export(from: "p", compression: Small),
                    "s.json": {table},
                }},
            )"#
        )
    };
    fs::write(folder.path().join("g.ron"), text(r#""s""#)).unwrap();
    fine(&terrane(folder.path(), ["run", "g.ron"]));
    let size = |name: &str| fs::metadata(folder.path().join("out").join(name)).unwrap().len();
    assert!(size("small.png") < size("fast.png") && size("small.tif") < size("fast.tif"));
    fs::write(folder.path().join("g.ron"), text(r#"Export(from: "s", compression: Small)"#)).unwrap();
    let error = String::from_utf8_lossy(&terrane(folder.path(), ["run", "g.ron"]).stderr).into_owned();
    assert!(error.contains("a table takes no option `compression`"), "{error}");
}

#[test]
fn an_output_is_written_while_later_nodes_run() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"Graph(
        size: (257, 257),
        nodes: { "quick": Perlin(), "slow": ThermalErosion(height: "quick", talus: 0.0, iterations: 1000) },
        outputs: { "slow.png": "slow", "quick.png": "quick" },
    )"#;
    fs::write(folder.path().join("g.ron"), text).unwrap();
    let told = fine(&terrane(folder.path(), ["run", "g.ron", "--json", "--threads", "2"]));
    let line = |event: &str, of: &str| {
        let is = |line: &&str| line.contains(&format!("\"event\":\"{event}\"")) && line.contains(of);
        told.lines().position(|line| is(&line)).unwrap()
    };
    assert!(line("written", "quick.png") < line("finished", "slow"), "{told}");
    // The summary is in the graph's order, whichever output was written first.
    let done = told.lines().last().unwrap();
    assert!(done.find("slow.png").unwrap() < done.find("quick.png").unwrap(), "{done}");
}

#[test]
fn the_starter_graph_runs_and_a_second_run_does_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "first"]));
    assert!(!terrane(folder.path(), ["new", "first"]).status.success(), "nothing is overwritten");
    for name in ["", "..", "a/.."] {
        assert!(told(folder.path(), ["new", name]).1.contains("is not the name of a file"), "{name}");
    }
    assert!(told(folder.path(), ["run", "first.ron", "--level", "3"]).1.contains("not a world"));
    fine(&terrane(folder.path(), ["run", "first.ron", "--size", "129x129", "--profile"]));
    let picture = folder.path().join("out/height.png");
    let before = (fs::read(&picture).unwrap(), fs::metadata(&picture).unwrap().modified().unwrap());
    let json = fine(&terrane(folder.path(), ["run", "first.ron", "--size", "129x129", "--json"]));
    assert!(json.lines().last().unwrap().contains("\"ran\":0"), "{json}");
    assert_eq!(before, (fs::read(&picture).unwrap(), fs::metadata(&picture).unwrap().modified().unwrap()));
    fs::remove_file(&picture).unwrap();
    fine(&terrane(folder.path(), ["run", "first.ron", "--size", "129x129"]));
    assert_eq!(fs::read(&picture).unwrap(), before.0, "a lost output comes back");
    fs::write(&picture, "spoiled").unwrap();
    fine(&terrane(folder.path(), ["run", "first.ron", "--size", "129x129"]));
    assert_eq!(fs::read(&picture).unwrap(), before.0, "a spoiled output is mended");
}

#[test]
fn explain_names_what_changed() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "g"]));
    fine(&terrane(folder.path(), ["run", "g.ron", "--size", "65x65"]));
    let text = fine(&terrane(folder.path(), ["explain", "g.ron", "--size", "65x65"]));
    assert!(text.lines().all(|line| line.starts_with("cached")), "{text}");
    let graph = fs::read_to_string(folder.path().join("g.ron")).unwrap();
    let fewer = graph.replace("FluvialErosion(", "FluvialErosion(iterations: 90, ");
    fs::write(folder.path().join("g.ron"), fewer).unwrap();
    let text = fine(&terrane(folder.path(), ["explain", "g.ron", "--size", "65x65"]));
    assert!(text.contains("iterations: 100 -> 90"), "{text}");
    fine(&terrane(folder.path(), ["run", "g.ron", "--size", "65x65"]));
    let text = fine(&terrane(folder.path(), ["explain", "g.ron", "--size", "65x33"]));
    assert!(text.contains("because the graph's size: (65, 65) -> (65, 33)\n"), "{text}");
    let both = graph.replace("FluvialErosion(", "FluvialErosion(iterations: 80, ").replace("250.0", "260.0");
    fs::write(folder.path().join("g.ron"), both).unwrap();
    let text = fine(&terrane(folder.path(), ["explain", "g.ron", "--size", "65x65"]));
    let both = "because iterations: 90 -> 80; `ground` changed (amplitude: 250 -> 260)\n";
    assert!(text.contains(both), "{text}");
}

#[test]
fn the_starter_graph_suits_its_extent() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "first"]));
    let first = fs::read_to_string(folder.path().join("first.ron")).unwrap();
    assert_eq!(first, include_str!("../../src/cli/starter.ron"));
    for (name, extent, spacing, source) in [
        ("hill", "512", "spacing: 1.0,", "Perlin(wavelength: 120.0, amplitude: 60.0)"),
        ("range", "40000", "spacing: 78.125,", "OpenSimplex(wavelength: 20000.0, amplitude: 3000.0)"),
        ("cells", "4096", "spacing: 8.0,", "Voronoi(regions: 5, amplitude: 200.0)"),
    ] {
        let kind = source.split('(').next().unwrap();
        fine(&terrane(folder.path(), ["new", name, "--extent", extent, "--source", kind]));
        let text = fs::read_to_string(folder.path().join(name).with_extension("ron")).unwrap();
        assert!(text.contains(spacing) && text.contains(source), "{text}");
        let (checked, said) = told(folder.path(), ["check", &format!("{name}.ron")]);
        assert!(checked.status.success() && !said.contains("warning"), "{said}");
        fine(&terrane(folder.path(), ["fmt", "--check", &format!("{name}.ron")]));
    }
    for (option, value, told) in [
        ("--extent", "0", "expected a length from 0.001 to 1e9"),
        ("--extent", "4km", "expected a length from 0.001 to 1e9"),
        ("--source", "perlin", "did you mean `Perlin`?"),
        ("--source", "Import", "choose one of"),
    ] {
        let refused = terrane(folder.path(), ["new", "other", option, value]);
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && error.contains(told), "{option} {value}: {error}");
    }
    assert!(!folder.path().join("other.ron").exists());
}

#[test]
fn tables_are_printed_and_files_written() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "g"]));
    let json =
        fine(&terrane(folder.path(), ["eval", "g.ron", "score", "-o", "-", "--json", "--size", "65x65"]));
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(value["score"].as_f64().unwrap() > 0.0);
    for file in ["a.png", "a.tif", "a.exr", "a.npy", "a.r16", "a.r32"] {
        fine(&terrane(folder.path(), ["eval", "g.ron", "eroded", "-o", file, "--size", "65x65"]));
        assert!(folder.path().join(file).is_file());
    }
    let events = fine(&terrane(folder.path(), ["eval", "g.ron", "eroded", "-o", "b.png", "--json"]));
    let names: Vec<String> = events
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["event"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(names[names.len() - 2..], ["written", "done"], "{events}");
}

#[test]
fn catalogue_pictures_completions_and_cache_answer() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "g"]));
    assert!(fine(&terrane(folder.path(), ["nodes"])).contains("ThermalErosion"));
    assert!(fine(&terrane(folder.path(), ["nodes", "ThermalErosion"])).contains("talus [rise over run]"));
    let found = fine(&terrane(folder.path(), ["nodes", "thermal"]));
    assert!(found.contains("ThermalErosion") && !found.contains("Voronoi"), "{found}");
    let page: serde_json::Value =
        serde_json::from_str(&fine(&terrane(folder.path(), ["nodes", "Voronoi", "--json"]))).unwrap();
    assert_eq!(page["outputs"][0]["name"], "height");
    let schema: serde_json::Value =
        serde_json::from_str(&fine(&terrane(folder.path(), ["nodes", "--schema"]))).unwrap();
    assert_eq!(schema["title"], "Graph");
    let catalogue: serde_json::Value =
        serde_json::from_str(&fine(&terrane(folder.path(), ["nodes", "--json"]))).unwrap();
    let types = schema["properties"]["nodes"]["additionalProperties"]["oneOf"].as_array().unwrap();
    for node in catalogue.as_array().unwrap() {
        let known = types.iter().find(|known| known["title"] == node["type"]).unwrap();
        for field in ["inputs", "parameters"].iter().flat_map(|list| node[list].as_array().unwrap()) {
            let name = field["name"].as_str().unwrap();
            assert!(known["properties"][name].is_object(), "{}: {name}", node["type"]);
        }
    }
    for (format, part) in [("dot", "digraph"), ("mermaid", "flowchart"), ("svg", "<svg")] {
        assert!(fine(&terrane(folder.path(), ["graph", "g.ron", "--format", format])).contains(part));
    }
    assert!(fine(&terrane(folder.path(), ["completions", "bash"])).contains("terrane"));
    fine(&terrane(folder.path(), ["run", "g.ron", "--size", "33x33"]));
    assert!(fine(&terrane(folder.path(), ["cache", "stat"])).contains("keys"));
    assert!(fine(&terrane(folder.path(), ["cache", "verify"])).contains("0 damaged"));
    fine(&terrane(folder.path(), ["cache", "gc"]));
    fine(&terrane(folder.path(), ["cache", "clear"]));
    assert!(fine(&terrane(folder.path(), ["cache", "stat"])).contains("0 results"));
}

#[test]
fn subgraphs_take_inputs_and_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let inner = "Graph(params: { \"by\": 1.0 }, nodes: { \"in\": Constant(value: 1.0), \"out\": \
        Remap(height: \"in\", from: Some((0.0, 1.0)), to: (0.0, 1.0)),
        \"more\": Constant(value: \"$by\"), \"sum\": Combine(a: \"out\", b: \"more\") }, outputs: { \
        \"sum.png\": \"sum\" })";
    fs::write(folder.path().join("inner.ron"), inner).unwrap();
    let outer = "Graph(size: (3, 3), params: { \"p\": 5.0 }, nodes: { \"ten\": Constant(value: 10.0),
        \"sub\": Subgraph(file: \"inner.ron\", inputs: { \"in\": \"ten\" }, params: { \"by\": \"$p\" }),
        \"numbers\": Statistics(height: \"sub\"), \"same\": Statistics(height: \"sub.sum\") })";
    fs::write(folder.path().join("outer.ron"), outer).unwrap();
    for node in ["numbers", "same"] {
        let json = fine(&terrane(folder.path(), ["eval", "outer.ron", node, "-o", "-", "--json"]));
        assert!(json.contains("\"mean\":15.0"), "{json}");
    }
}

/// Reads lines of a watch until one contains `wanted`.
fn wait_for(lines: &mut impl Iterator<Item = std::io::Result<String>>, wanted: &str) -> String {
    let started = Instant::now();
    for line in lines {
        let line = line.unwrap();
        if line.contains(wanted) {
            return line;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "no {wanted}");
    }
    panic!("the watch ended before {wanted}");
}

#[test]
fn watch_follows_saves_and_survives_broken_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.ron");
    let graph = |value: f64| {
        format!(
            "Graph(size: (9, 9), nodes: {{ \"a\": Constant(value: {value:.1}), \"n\": Statistics(height: \
            \"a\") }}, outputs: {{ \"n.json\": \"n\" }})"
        )
    };
    fs::write(&file, graph(1.0)).unwrap();
    let mut child = command(folder.path(), ["watch", "g.ron", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mean = || fs::read_to_string(folder.path().join("out/n.json")).unwrap();
    wait_for(&mut lines, "\"done\"");
    assert!(mean().contains("\"mean\": 1.0"));
    fs::write(&file, graph(2.0)).unwrap();
    assert!(wait_for(&mut lines, "\"done\"").contains("[\"a\",\"n\"]"));
    assert!(mean().contains("\"mean\": 2.0"));
    fs::write(&file, "Graph(nodes: {").unwrap();
    wait_for(&mut lines, "\"broken\"");
    assert!(mean().contains("\"mean\": 2.0"), "the last good output stays");
    let renamed = folder.path().join("new.ron");
    fs::write(&renamed, graph(3.0)).unwrap();
    fs::rename(&renamed, &file).unwrap();
    wait_for(&mut lines, "\"done\"");
    assert!(mean().contains("\"mean\": 3.0"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn no_option_is_accepted_and_ignored() {
    let folder = tempfile::tempdir().unwrap();
    fine(&terrane(folder.path(), ["new", "first"]));
    for arguments in [
        "explain first.ron --profile",
        "explain first.ron --threads 2",
        "explain first.ron --no-cache",
        "cache stat --profile",
        "cache stat --threads 2",
        "cache stat --no-cache",
        "cache stat --cache-size 1G",
        "graph first.ron --seed 3",
    ] {
        let output = terrane(folder.path(), arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let flag = arguments.split(' ').find(|word| word.starts_with("--")).unwrap();
        assert!(said.contains(flag), "{arguments}: {said}");
    }
    for action in ["stat", "verify", "gc", "clear"] {
        let text = fine(&terrane(folder.path(), ["cache", action, "--json"]));
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{action}: {text}");
    }
}
