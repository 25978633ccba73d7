//! Untrusted graphs that expand without bound, or need more than any machine has: each is rejected with a
//! reason, within bounds on memory and time.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::running::folder;

/// Runs the command in a folder with 2 GiB of address space beyond what threads reserve.
fn terrane(folder: &Path, arguments: &str) -> Output {
    let threads = if arguments.starts_with("run") { "--threads 2" } else { "" };
    let limited =
        format!("ulimit -v 4194304; exec '{}' {arguments} {threads}", env!("CARGO_BIN_EXE_terrane"));
    let mut command = Command::new("sh");
    command.args(["-c", &limited]).current_dir(folder);
    command.env("NO_COLOR", "1").env("TERRANE_CACHE_DIR", folder.join("cache")).output().unwrap()
}

/// The messages of a command that must fail, without line breaks.
fn refused(folder: &Path, arguments: &str, code: i32) -> String {
    let output = terrane(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(output.status.code(), Some(code), "{arguments}: {said:.2000}");
    said.replace(" │ ", " ")
}

fn graph(nodes: &str) -> String {
    format!("Graph(size: (9, 9), nodes: {{{nodes}}}, outputs: {{\"h.npy\": \"h\"}})")
}

#[test]
fn doubling_subgraphs_stop_at_the_limit() {
    let folder = folder(&[("s30.ron", graph("\"h\": Perlin()"))]);
    for level in 0..30 {
        let file = format!("s{}.ron", level + 1);
        let text = graph(&format!("\"h\": Subgraph(file: \"{file}\"), \"b\": Subgraph(file: \"{file}\")"));
        fs::write(folder.path().join(format!("s{level}.ron")), text).unwrap();
    }
    let said = refused(folder.path(), "run s0.ron", 2);
    assert!(said.contains("more than the 100000 nodes that a graph can have"), "{said:.2000}");
    // Ten levels have a thousand nodes.
    assert!(terrane(folder.path(), "run s20.ron").status.success());
}

#[test]
fn subgraphs_are_nested_at_most_64_deep() {
    let folder = folder(&[("d3000.ron", graph("\"h\": Perlin()"))]);
    for level in 0..3000 {
        let text = graph(&format!("\"h\": Subgraph(file: \"d{}.ron\")", level + 1));
        fs::write(folder.path().join(format!("d{level}.ron")), text).unwrap();
    }
    assert!(refused(folder.path(), "run d0.ron", 2).contains("64 deep"));
    assert!(terrane(folder.path(), "run d2936.ron").status.success());
    assert!(refused(folder.path(), "run d2935.ron", 2).contains("`d3000.ron` is nested"));
}

#[test]
fn parameters_expand_text_within_a_limit() {
    let long = format!("1.{}", "0".repeat(80_000));
    let numbers = vec!["\"$p\""; 16_000].join(",");
    let once = graph(&format!("\"h\": Voronoi(coefficients: [{numbers}])"));
    let once = once.replacen("nodes", &format!("params: {{\"p\": {long}}}, nodes"), 1);
    let many: Vec<String> = (0..400)
        .map(|at| format!("\"h{at}\": Voronoi(coefficients: [{}])", vec!["\"$p\""; 100].join(",")))
        .collect();
    let many = graph(&many.join(",")).replacen("nodes", &format!("params: {{\"p\": {long}}}, nodes"), 1);
    let folder = folder(&[("once.ron", once), ("many.ron", many)]);
    assert!(refused(folder.path(), "check once.ron", 2).contains("longer than 16 MiB"));
    assert!(refused(folder.path(), "check many.ron", 2).contains("more than 64 MiB of text"));
}

/// Parameters that each name the one before twice.
fn doubling(steps: usize) -> String {
    let step = |at: usize| format!("\"p{at}\": [\"$p{}\", \"$p{}\"]", at - 1, at - 1);
    std::iter::once("\"p0\": [1, 1]".to_owned()).chain((1..=steps).map(step)).collect::<Vec<_>>().join(", ")
}

#[cfg(target_os = "linux")]
#[test]
fn the_values_of_all_parameters_are_limited_together() {
    let each = |count: usize, f: &dyn Fn(usize) -> String| (0..count).map(f).collect::<Vec<_>>().join(", ");
    let with = |params: &str, nodes: &str| {
        graph(nodes).replacen("nodes", &format!("params: {{{params}}}, nodes"), 1)
    };
    let params = doubling(17);
    let copies = each(100, &|at| format!("\"q{at}\": [\"$p17\"]"));
    let options = each(100, &|at| format!("\"h{at}.npy\": Export(from: \"h\", range: [\"$p17\"])"));
    let options =
        with(&params, "\"h\": Perlin()").replacen("outputs: {", &format!("outputs: {{{options}, "), 1);
    let uses = each(300, &|at| format!("\"a{at}\": Subgraph(file: \"s.ron\", params: {{\"z\": \"$p17\"}})"));
    let long = format!("\"z\": [{}]", vec!["1"; 500_000].join(","));
    let long_uses = each(60, &|at| format!("\"a{at}\": Subgraph(file: \"long.ron\")"));
    let refused_files =
        [("copies.ron", with(&format!("{params}, {copies}"), "\"h\": Perlin()")), ("options.ron", options)];
    let accepted_files = [
        // A parameter that is passed on is shared, and so is a value that a subgraph's file gives.
        ("uses.ron", with(&params, &format!("{uses}, \"h\": Perlin()"))),
        ("long_uses.ron", graph(&format!("{long_uses}, \"h\": Perlin()"))),
    ];
    let folder = folder(&[
        ("s.ron", with("\"z\": 1", "\"h\": Perlin()")),
        ("long.ron", with(&long, "\"h\": Perlin()")),
    ]);
    for (name, text) in refused_files.iter().chain(&accepted_files) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let limited = |name: &str| {
        let line = format!("ulimit -v 1500000; exec {} check {name}", env!("CARGO_BIN_EXE_terrane"));
        let output = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
        (output.status.code(), crate::running::flat(&output))
    };
    for (name, _) in &refused_files {
        let (code, said) = limited(name);
        assert!(
            code == Some(2) && said.contains("more than 8 MiB together"),
            "{name}: {code:?} {said:.2000}"
        );
        assert!(said.contains(&format!("{name}:1:")) && said.contains("less often"), "{said:.2000}");
    }
    for (name, _) in &accepted_files {
        let (code, said) = limited(name);
        assert_eq!(code, Some(0), "{name}: {said:.2000}");
    }
    let (code, said) = {
        fs::write(folder.path().join("one.ron"), with(&doubling(20), "\"h\": Perlin()")).unwrap();
        limited("one.ron")
    };
    assert!(code == Some(2) && said.contains("longer than 4 MiB"), "{said:.2000}");
}

#[test]
fn loading_takes_time_in_proportion_to_the_text() {
    let each = |count: usize, f: &dyn Fn(usize) -> String| (0..count).map(f).collect::<Vec<_>>().join(",");
    let all = |value: &str| each(500, &|at| format!("\"p{at}\": {value}"));
    let with = |head: &str| graph("\"h\": Perlin()").replacen("nodes", &format!("{head}, nodes"), 1);
    let outputs = each(20_000, &|at| format!("\"h{at}.npy\": \"q{at}\""));
    let unknown = |what: &str, value: &str| {
        format!("{what}: {{{}}}", each(20_000, &|at| format!("\"z{at}\": {value}")))
    };
    let texts = [
        ("wires.ron", graph(&each(30_000, &|at| format!("\"h{at}\": Invert(height: \"g{at}\")"))), 2),
        (
            "profiles.ron",
            with(&format!(
                "params: {{{}}}, profiles: {{{}}}",
                all("1.0"),
                each(200, &|at| format!("\"f{at}\": {{{}}}", all("2.0")))
            )),
            0,
        ),
        (
            "chain.ron",
            with(&format!(
                "params: {{\"p0\": 1.0, {}}}",
                each(60_000, &|at| format!("\"p{}\": \"$p{at} + 1\"", at + 1))
            )),
            0,
        ),
        (
            "names.ron",
            with(&format!("params: {{{}}}", each(30_000, &|at| format!("\"p{at}\": \"$q{at}\"")))),
            2,
        ),
        (
            "given.ron",
            graph(&format!(
                "\"h\": Perlin(), \"s\": Subgraph(file: \"sub.ron\", {}, {})",
                unknown("params", "1"),
                unknown("inputs", "\"h\"")
            )),
            2,
        ),
        (
            "sub.ron",
            graph("\"h\": Perlin()").replacen("outputs: {", &format!("outputs: {{{outputs}, "), 1),
            2,
        ),
        ("inside.ron", graph("\"h\": Subgraph(file: \"sub.ron\")"), 2),
        (
            "none.ron",
            graph(&format!(
                "\"s\": Subgraph(file: \"small.ron\"), {}",
                each(20_000, &|at| format!("\"h{at}\": Invert(height: \"s.none{at}\")"))
            )),
            2,
        ),
        ("small.ron", graph("\"h\": Perlin()"), 0),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (file, text, _) in &texts {
        fs::write(folder.path().join(file), text).unwrap();
    }
    for (file, _, code) in texts {
        let before = std::time::Instant::now();
        let output = terrane(folder.path(), &format!("check {file}"));
        assert_eq!(output.status.code(), Some(code), "{file}: {:.2000}", crate::running::errors(&output));
        // In proportion to the square, each takes minutes.
        assert!(before.elapsed().as_secs() < 40, "{file} took {:?}", before.elapsed());
    }
}

#[test]
fn many_errors_are_shortened() {
    let each = |count: usize, f: &dyn Fn(usize) -> String| (0..count).map(f).collect::<Vec<_>>().join(",");
    let texts = [
        ("fields.ron", graph(&format!("\"h\": Perlin({})", each(8000, &|at| format!("x{at}: 1"))))),
        (
            "top.ron",
            graph("\"h\": Perlin()").replacen(
                "nodes",
                &format!("{}, nodes", each(8000, &|at| format!("x{at}: 1"))),
                1,
            ),
        ),
        ("types.ron", graph(&each(8000, &|at| format!("\"h{at}\": Parlin{at}()")))),
        ("wires.ron", graph(&each(2000, &|at| format!("\"h{at}\": Invert(height: \"g{at}\")")))),
        ("names.ron", graph(&each(2000, &|at| format!("\"h{at}\": Perlin(amplitude: \"$q{at}\")")))),
        ("long.ron", graph(&format!("\"h\": {}()", "P".repeat(1_000_000)))),
    ];
    let folder = folder(&texts);
    for (file, _) in texts {
        let said = refused(folder.path(), &format!("check {file}"), 2);
        assert!(file == "long.ron" || said.contains("more mistakes not shown"), "{file}: {said:.2000}");
        assert!(said.len() < 100_000, "{file}");
        let output = terrane(folder.path(), &format!("check {file} --json"));
        assert!(output.stdout.ends_with(b"\n"), "{file}");
    }
}

#[test]
fn pipes_and_devices_are_rejected() {
    let import = graph("\"h\": Import(file: \"pipe\")");
    let lines = graph("\"h\": Import(file: \"x.npy\"), \"g\": PlanarGraph(file: \"pipe\")");
    let inside = graph("\"h\": Subgraph(file: \"pipe\")");
    let folder = folder(&[("import.ron", import), ("lines.ron", lines), ("inside.ron", inside)]);
    let made = Command::new("mkfifo").arg(folder.path().join("pipe")).status().unwrap();
    assert!(made.success());
    for (arguments, code) in [
        ("check pipe", 2),
        ("run pipe", 2),
        ("check /dev/zero", 2),
        ("fmt pipe", 2),
        ("check import.ron", 2),
        ("check lines.ron", 2),
        ("check inside.ron", 2),
    ] {
        let said = refused(folder.path(), arguments, code);
        assert!(said.contains("not a regular file"), "{arguments}: {said}");
    }
}

#[test]
fn parameters_in_their_range_do_not_end_the_process() {
    let voronoi = graph("\"h\": Voronoi(regions: 65536)");
    let points =
        graph("\"v\": Voronoi(regions: 65536), \"h\": MidpointDisplacement(points: \"v.feature_points\")");
    let folder = folder(&[("voronoi.ron", voronoi), ("points.ron", points)]);
    let run = terrane(folder.path(), "run voronoi.ron");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(refused(folder.path(), "run points.ron", 1).contains("has 4295098369 feature points"));
    for kind in ["GridGraph", "HexGraph"] {
        let nodes = format!("\"g\": {kind}(columns: 16384, rows: 16384), \"h\": Perlin()");
        fs::write(folder.path().join("g.ron"), graph(&nodes)).unwrap();
        let said = refused(folder.path(), "run g.ron", 2);
        assert!(said.contains("16384 columns and 16384 rows are 268435456 fields"), "{said}");
    }
    for width in ["1e5", "1e12", "1e19"] {
        for field in ["border", "width", "node_width"] {
            let ways = "\"g\": Perlin(), \"p\": PathGraph(nodes: [(2, 2), (6, 6)], edges: [(0, 1)])";
            let nodes = format!(
                "{ways}, \"h\": SubdividePath(height: \"g\", graph: \"p\", borders: Shared, {field}: {width})"
            );
            fs::write(folder.path().join("g.ron"), graph(&nodes).replace("\"h\"}", "\"h.mask\"}")).unwrap();
            let said = refused(folder.path(), "run g.ron", 1);
            assert!(said.contains("around the patch can be read"), "{field} {width}: {said}");
        }
    }
}
