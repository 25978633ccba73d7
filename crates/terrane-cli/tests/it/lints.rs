//! Warnings of `terrane check`: each finds its case, and leaves what is meant alone.

use crate::running::{self, told};

/// A lint, a graph that it finds, and one that it does not find.
type Case = (&'static str, &'static str, &'static str);

const HILLS: &str = "\"hills\": Perlin(amplitude: 40.0, wavelength: 30.0)";

/// An array of 2 x 2 heights, as numpy writes it.
fn heights() -> Vec<u8> {
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }";
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(118_u16.to_le_bytes());
    bytes.extend(format!("{header:<117}\n").bytes());
    bytes.extend([10.0_f32, 20.0, 30.0, 40.0].iter().flat_map(|height| height.to_le_bytes()));
    bytes
}

/// A folder with a graph, and with files for it to import.
fn folder(text: String) -> tempfile::TempDir {
    running::folder(&[("g.ron", text.into_bytes()), ("con.npy", heights()), ("cone.npy", heights())])
}

/// What `terrane check` says about a graph with 65 x 65 samples.
fn checked(body: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = folder(format!("Graph(size: (65, 65), {body})"));
    let mut arguments = vec!["check", "g.ron"];
    arguments.extend(more);
    let (output, said) = told(folder.path(), arguments);
    (output.status.code(), said)
}

const CASES: [Case; 10] = [
    (
        "unused-node",
        "nodes: { HILLS, \"spare\": Blur(height: \"hills\") }, outputs: { \"a.png\": \"hills\" }",
        "nodes: { HILLS, \"soft\": Blur(height: \"hills\") }, outputs: { \"a.png\": \"soft\" }",
    ),
    (
        "unused-parameter",
        "params: { \"high\": 3.0 }, nodes: { HILLS }, outputs: { \"a.png\": \"hills\" }",
        "params: { \"high\": 3.0 }, nodes: { \"hills\": Perlin(amplitude: \"$high * 4\") }, \
            outputs: { \"a.png\": \"hills\" }",
    ),
    (
        "slope-in-degrees",
        "nodes: { HILLS, \"slid\": ThermalErosion(height: \"hills\", talus: 35) }, \
            outputs: { \"a.png\": \"slid\" }",
        "nodes: { HILLS, \"slid\": ThermalErosion(height: \"hills\", talus: 0.7) }, \
            outputs: { \"a.png\": \"slid\" }",
    ),
    (
        "slope-in-degrees",
        "nodes: { \"hills\": Perlin(amplitude: 4000.0, wavelength: 30.0), \
            \"m\": Select(height: \"hills\", by: Slope, range: (0, 35)) }, outputs: { \"a.npy\": \"m\" }",
        "nodes: { HILLS, \"m\": Select(height: \"hills\", by: Slope, range: (0.6, 20.0)) }, \
            outputs: { \"a.npy\": \"m\" }",
    ),
    (
        "height-unit",
        "spacing: 0.0003, nodes: { HILLS }, outputs: { \"a.tif\": \"hills\" }",
        "spacing: 2.0, nodes: { HILLS }, outputs: { \"a.tif\": \"hills\" }",
    ),
    (
        "similar-names",
        "nodes: { HILLS, \"Hills\": Blur(height: \"hills\") }, outputs: { \"a.png\": \"Hills\" }",
        "nodes: { HILLS, \"hills_2\": Blur(height: \"hills\") }, outputs: { \"a.png\": \"hills_2\" }",
    ),
    (
        "file-names",
        "nodes: { \"a\": Import(file: \"con.npy\") }, outputs: { \"a.png\": \"a\" }",
        "nodes: { \"a\": Import(file: \"cone.npy\") }, outputs: { \"a.png\": \"a\" }",
    ),
    (
        "constant-mask",
        "nodes: { HILLS, \"m\": Select(height: \"hills\", range: (5000.0, 6000.0)) }, \
            outputs: { \"a.npy\": \"m\" }",
        "nodes: { HILLS, \"m\": Select(height: \"hills\", range: (10.0, 25.0)) }, \
            outputs: { \"a.npy\": \"m\" }",
    ),
    (
        "clipped-export",
        "nodes: { HILLS }, outputs: { \"a.png\": Export(from: \"hills\", range: (1000, 2000)) }",
        "nodes: { HILLS }, outputs: { \"a.png\": Export(from: \"hills\", range: (-40, 40)) }",
    ),
    (
        "coarse-export",
        "nodes: { HILLS }, outputs: { \"a.png\": Export(from: \"hills\", range: (-90000, 90000)) }",
        "nodes: { HILLS }, outputs: { \"a.png\": Export(from: \"hills\", range: (-90, 90)) }",
    ),
];

#[test]
fn each_lint_finds_its_case_and_no_other() {
    for (lint, wrong, right) in CASES {
        let [wrong, right] = [wrong, right].map(|text| text.replace("HILLS", HILLS));
        let values: &[&str] = &["--values"];
        let (code, said) = checked(&wrong, values);
        assert!(code == Some(0) && said.matches("warning: ").count() == 1, "{lint}: {said}");
        assert!(
            said.contains(&format!(", {lint})")) || said.contains(&format!("({lint})")),
            "{lint}: {said}"
        );
        let (code, said) = checked(&right, values);
        assert!(code == Some(0) && !said.contains("warning: "), "{lint}: {said}");
        // A comment allows it: for the file, and for the entry that follows.
        let (_, said) = checked(&wrong, &[&["--deny", "warnings"], values].concat());
        assert!(said.contains("--deny warnings refuses"), "{said}");
        let folder = folder(format!("// allow: {lint}\nGraph(size: (65, 65), {wrong})"));
        let mut arguments = vec!["check", "g.ron", "--deny", "warnings"];
        arguments.extend(values);
        let (output, said) = told(folder.path(), arguments);
        assert!(output.status.success(), "{lint}: {said}");
    }
}

#[test]
fn a_comment_allows_what_it_stands_at() {
    let graph = |first: &str, second: &str, line: &str| {
        format!(
            "size: (65, 65), nodes: {{\n    {HILLS},\n{first}    \"a\": Blur(height: \"hills\"),{line}\n\
            {second}    \"b\": Blur(\n        height: \"hills\",\n    ),\n}},\n\
            outputs: {{ \"a.png\": \"hills\" }}"
        )
        .replace("size: (65, 65), ", "")
    };
    let found = |text: &str| {
        let (_, said) = checked(text, &[]);
        ["`a`", "`b`"].map(|node| said.contains(&format!("no output needs {node}")))
    };
    assert_eq!(found(&graph("", "", "")), [true, true]);
    assert_eq!(found(&graph("    // allow: unused-node\n", "", "")), [false, true]);
    assert_eq!(found(&graph("", "    // allow: unused-node\n", "")), [true, false]);
    assert_eq!(found(&graph("", "", " // allow: unused-node")), [false, true]);
    assert_eq!(found(&graph("    // allow: height-unit\n", "", "")), [true, true]);
    let (_, said) = checked(&graph("    // allow: unused-nodes\n", "", ""), &[]);
    assert!(said.contains("there is no warning `unused-nodes`; did you mean `unused-node`?"), "{said}");
}

/// Mistakes of the same text are not warnings; JSON has the place, the name and the edit.
#[test]
fn warnings_are_json_with_their_edits() {
    let text = CASES[2].1.replace("HILLS", HILLS);
    let folder = folder(format!("Graph(size: (65, 65), {text})"));
    let (output, _) = told(folder.path(), ["check", "g.ron", "--json"]);
    let said = String::from_utf8(output.stdout).unwrap();
    let line: serde_json::Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!(line["code"], "slope-in-degrees");
    assert_eq!((&line["file"], &line["line"]), (&"g.ron".into(), &1.into()), "{line}");
    assert_eq!(line["fix"]["text"], "0.7", "35 degrees");
    assert_eq!(line["node"], "slid");
}

#[test]
fn no_graph_of_this_project_has_warnings() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut graphs = Vec::new();
    let mut folders = vec![root.join("graphs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "ron") {
                graphs.push(path);
            }
        }
    }
    assert!(graphs.len() > 50);
    let mut arguments: Vec<String> = ["check", "--deny", "warnings"].map(str::to_owned).to_vec();
    arguments.extend(graphs.iter().map(|path| path.display().to_string()));
    let (output, said) = told(&root, arguments.iter().map(String::as_str));
    assert!(output.status.success(), "{said}");
}

#[test]
fn the_book_lists_all_warnings() {
    let (output, _) = told(std::path::Path::new("."), ["check", "--warnings"]);
    let listed = String::from_utf8(output.stdout).unwrap();
    let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/language.md");
    let book = std::fs::read_to_string(book).unwrap();
    assert!(listed.lines().count() >= 10);
    for line in listed.lines() {
        let (name, finds) = line.split_once(' ').unwrap();
        assert!(book.contains(&format!("| `{name}` | {} |", finds.trim())), "{line}");
    }
}
