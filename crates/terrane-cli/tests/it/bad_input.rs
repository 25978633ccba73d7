//! Broken graphs and files. Each command exits with code 1 or 2, reports the position, the cause and the
//! remedy, and writes nothing.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::running::{flat, terrane};

/// The text inside `nodes: { … }`, with parts that the message must contain. One of them may be the
/// position: the line and column in the case's text.
const NODES: &[(&str, &[&str])] = &[
    // Unknown names.
    (r#""a": Voronio()"#, &["no node type `Voronio`", "did you mean `Voronoi`", ":2:6"]),
    (r#""a": Spline()"#, &["no node type `Spline`", "terrane nodes"]),
    (r#""a": Voronoi(region: 3)"#, &["no field `region`", "did you mean `regions`", ":2:14"]),
    (r#""a": Voronoi(metric: Euclidian)"#, &["`metric` is `Euclidian`", "did you mean `Euclidean`"]),
    (r#""a": Blur(height: "b")"#, &["no node `b`", ":2:19"]),
    (r#""hills": Constant(), "a": Blur(height: "hill")"#, &["no node `hill`", "did you mean `hills`"]),
    (r#""a": Constant(), "b": Blur(height: "a.heigth")"#, &["no output `heigth`", "did you mean `height`"]),
    (r#""a": Constant(value: "$nothing")"#, &["`\"$nothing\"` is not known", "parameters are: none"]),
    // Wrong kinds.
    (
        r#""a": Voronoi(), "b": Blur(height: "a.feature_points")"#,
        &["takes a map", "is of kind points", "height, cells"],
    ),
    (
        r#""a": Constant(), "s": Statistics(height: "a"), "b": Blur(height: "s")"#,
        &["takes a map", "is of kind table"],
    ),
    (
        r#""a": Constant(), "s": ColorRelief(height: "a"), "b": Hillshade(height: "s")"#,
        &["takes a map", "is of kind picture"],
    ),
    (r#""a": Constant(), "b": Contours(height: "a", picture: "a")"#, &["takes a picture", "is of kind map"]),
    (r#""a": Blur(height: 3.0)"#, &["`height` is a port", "in quotes"]),
    (r#""a": Blur(height: true)"#, &["`height` is a port"]),
    (
        r#""a": Constant(), "b": Combine(a: "a", b: "a", weight: Lots)"#,
        &["`weight` is a port", "or a number"],
    ),
    (r#""a": Blur(height: "")"#, &["`height` is a port"]),
    (r#""=cmd|' calc'!A0": Constant()"#, &["is not a valid node name", "a formula"]),
    // Values of the wrong type.
    (r#""a": Constant(value: "high")"#, &["`value` is `\"high\"`", "a number"]),
    (r#""a": Constant(value: high)"#, &["expected a number"]),
    (r#""a": Constant(value: [1.0])"#, &["expected a number"]),
    (r#""a": Voronoi(regions: 2.5)"#, &["expected a whole number"]),
    (r#""a": Voronoi(regions: -3)"#, &["expected a whole number"]),
    (r#""a": Voronoi(regions: 99999999999)"#, &["expected a whole number"]),
    (r#""a": Voronoi(wrap: yes)"#, &["true or false"]),
    (r#""a": Voronoi(coefficients: 1.0)"#, &["a list"]),
    (r#""a": Voronoi(coefficients: ["a"])"#, &["a list"]),
    (r#""a": Ramp(from: 1.0)"#, &["`from` is `1.0`", "(a number, a number)"]),
    (r#""a": Ramp(from: (1.0, 2.0, 3.0))"#, &["`from`"]),
    (r#""a": Import(file: 3)"#, &["path of a file"]),
    (r#""a": MidpointDisplacement(corners: (1.0, 2.0))"#, &["`corners`"]),
    // Values out of range.
    (r#""a": Voronoi(regions: 0)"#, &["`regions` is 0", "from 1 to 65536"]),
    (r#""a": SpectralSynthesis(octaves: 33)"#, &["`octaves` is 33", "from 1 to 32"]),
    (r#""a": SpectralSynthesis(wavelength: 0.0)"#, &["greater than 0"]),
    (r#""a": SpectralSynthesis(wavelength: inf)"#, &["out of range"]),
    (
        r#""a": Perlin(amplitude: 1e39)"#,
        &["`amplitude` is 1e39", "at most 1e30 and, except for 0, at least 1e-30 in size"],
    ),
    (r#""a": Perlin(wavelength: 1e-300)"#, &["`wavelength` is 1e-300", "at least 1e-30"]),
    (r#""a": GridGraph(columns: 16384, rows: 16384)"#, &["are 268435456 fields", "at most 4194304 fields"]),
    (r#""a": Constant(value: NaN)"#, &["out of range", "finite"]),
    (r#""a": Constant(), "b": ThermalErosion(height: "a", talus: -1)"#, &["`talus` is -1", "at least 0"]),
    (
        r#""a": Constant(), "b": ThermalErosion(height: "a", iterations: 2000000000)"#,
        &["out of range", "1000000000"],
    ),
    (r#""a": Constant(), "b": Flatten(height: "a", mask: 2.0)"#, &["`mask` is 2", "from 0 to 1"]),
    // Values that conflict.
    (r#""a": Voronoi(coefficients: [])"#, &["`coefficients` has 0 numbers", "1 to 8"]),
    (r#""a": Constant(), "b": Clamp(height: "a", min: 2, max: 1)"#, &["above `max`", "swap the two"]),
    (
        r#""a": Constant(), "b": Curve(height: "a", points: [(1, 0), (0, 1)])"#,
        &["do not form a curve", "greater than the one before"],
    ),
    (r#""a": Constant(), "b": Transform(height: "a", scale: 0)"#, &["leaves nothing of the map"]),
    (r#""a": Ramp(from: (1, 1), to: (1, 1))"#, &["same point"]),
    (r#""a": Perlin(z: 1, wrap: true)"#, &["`z` and `wrap` are both set"]),
    (r#""a": PolynomialNoise(z: 1, model: D2M2)"#, &["no form in space", "leave `z` out"]),
    (r#""a": Constant(), "b": Histogram(height: "a", range: Some((3, 1)))"#, &["not below its end"]),
    // Missing inputs and values.
    (r#""a": Blur()"#, &["needs `height`, a map"]),
    (
        r#""a": Constant(), "b": Overlay(picture: "a", paths: "a")"#,
        &["`paths` of `b` takes paths, but", "a node that outputs paths:"],
    ),
    (r#""a": Import()"#, &["needs `file`"]),
    (r#""a": Terrace"#, &["needs parentheses", "write Terrace()"]),
    (r#""a": "b""#, &["expected a node here"]),
    (r#""a": 3"#, &["expected a node here"]),
    // Duplicates and cycles.
    (r#""a": Constant(), "a": Constant()"#, &["`a` appears twice"]),
    (r#""a": Constant(value: 1, value: 2)"#, &["twice"]),
    (r#""a": Blur(height: "a")"#, &["a cycle of 1 node: a -> a"]),
    (
        r#""a": Blur(height: "b"), "b": Blur(height: "c"), "c": Blur(height: "a")"#,
        &["a cycle of 3 nodes", "->"],
    ),
    // Invalid names.
    (r#""": Constant()"#, &["it is empty"]),
    (r#""a.b": Constant()"#, &["names an output"]),
    // Files.
    (r#""a": Import(file: "missing.tif")"#, &["cannot read `missing.tif`", "relative to the graph"]),
    (r#""a": Import(file: "")"#, &["no file is named"]),
    (r#""a": Import(file: "/etc/hostname")"#, &["is outside the graph's folder", "--allow-outside"]),
    (r#""a": Import(file: "../outside.tif")"#, &["../outside.tif"]),
    (r#""a": Import(file: ".")"#, &["is a folder"]),
    (r#""a": Subgraph()"#, &["needs `file`"]),
    (r#""a": Subgraph(file: "case.ron")"#, &["uses itself"]),
    (r#""a": Subgraph(file: "missing.ron")"#, &["cannot read `missing.ron`"]),
    (r#""a": Subgraph(file: "case.ron", what: 3)"#, &["no field `what`"]),
];

/// Whole files, each with parts that the message must contain.
const FILES: &[(&str, &[&str])] = &[
    ("", &["the file is empty", "Graph("]),
    ("   // nothing\n", &["the file is empty"]),
    ("Hello", &["needs parentheses"]),
    ("Terrain(nodes: {})", &["not a graph", "Graph("]),
    ("Graph(nodes: {", &["`{` is not closed", "cut off", ":1:14"]),
    ("Graph(nodes: {\"a\": Constant(value: 1.0}", &["`(` is not closed before the `}` on line 1", ":1:28"]),
    ("graph(nodes: {})", &["case-sensitive", "write Graph("]),
    ("Graph(nodes: {a: Constant()})", &["need quotes", "write \"a\":", ":1:15"]),
    ("Graph(nodes: {\"a\": Constant(value: 1,5)})", &["decimals follow a point", ":1:38"]),
    ("Graph(nodes: {\"a\": Constant(value: $k)})", &["write \"$k\"", ":1:36"]),
    ("Graph(nodes: {\"a\": Constant()\n\"b\": Constant()})", &["expected a comma", "before \"b\"", ":1:"]),
    ("Graph(nodes: [])", &[":1:14"]),
    ("Graph(node: {})", &["no field `node`", "did you mean `nodes`"]),
    ("Graph(seed: 1, seed: 2)", &["`seed` appears twice"]),
    ("Graph(seed: -1)", &["`seed` is `-1`"]),
    ("Graph(size: 3)", &["such as size: (513,513)"]),
    ("Graph(size: (0, 5))", &["at least 1"]),
    ("Graph(size: (1000000, 1000000))", &["GiB", "spacing"]),
    ("Graph(size: (18446744073709551615, 18446744073709551615))", &["GiB"]),
    ("Graph(spacing: 0)", &["from 1e-12 to 1e12"]),
    ("Graph(spacing: inf)", &["from 1e-12 to 1e12"]),
    ("Graph(origin: (1e300, 0))", &["from -1e12 to 1e12"]),
    ("Graph(spacing: 1e308)", &["from 1e-12 to 1e12"]),
    ("Graph#![enable(implicit_some)](size: (9, 9))", &["graphs do not take `#![...]`", ":1:6"]),
    ("Graph(params: {\"+1\": 2.0})", &["`+1` is not a valid"]),
    (
        "Graph(nodes: {\"a\": Constant()}, outputs: {\"a.xyz\": \"a\"})",
        &["cannot be written to `a.xyz`", ".png"],
    ),
    ("Graph(nodes: {\"a\": Constant()}, outputs: {\"a.obj\": \"a\"})", &["cannot be written"]),
    ("Graph(nodes: {\"a\": Constant()}, outputs: {\"a.png\": \"b\"})", &["no node `b`"]),
    ("Graph(nodes: {\"a\": Constant()}, outputs: {\"../a.png\": \"a\"})", &["outside the folder"]),
    ("Graph(nodes: {\"a\": Constant()}, outputs: {\"/tmp/a.png\": \"a\"})", &["outside the folder"]),
    ("Graph(nodes: {\"a\": Constant()}, outputs: {\"a.png\": 3})", &["Export"]),
    (
        "Graph(nodes: {\"a\": Constant()}, outputs: {\"a.png\": Export(from: \"a\", range: (5, 1))})",
        &["`range`", "(lowest, highest)"],
    ),
    (
        "Graph(nodes: {\"a\": Constant()}, outputs: {\"a.png\": Export(from: \"a\", deep: 3)})",
        &["no field `deep`", "depth"],
    ),
    ("Graph(nodes: {\"a\": Constant()})", &["no outputs", "terrane eval"]),
];

/// Files that make their node fail when it runs, each with a part that the message must contain.
fn rasters() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let tiff =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs/data/bigtujunga_30m.tif")).unwrap();
    let npy = |values: &[f32]| {
        let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {}), }}", values.len());
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        bytes
    };
    let mut flipped = tiff.clone();
    flipped[4..8].copy_from_slice(&[255; 4]);
    vec![
        ("a.tif", Vec::new(), "the file is empty"),
        ("a.tif", tiff[..tiff.len() / 2].to_vec(), "ends before its content does"),
        ("a.tif", tiff[..9].to_vec(), "damaged"),
        ("a.tif", flipped, "damaged"),
        ("a.tif", b"this is text".to_vec(), "named as TIFF, but the content"),
        ("a.png", b"\x89PNG\r\n\x1a\n".to_vec(), "damaged"),
        ("a.exr", b"\x76\x2f\x31\x01\x02\0\0\0".to_vec(), "damaged"),
        ("a.npy", npy(&[f32::NAN, f32::INFINITY]), "all 2 samples are missing"),
        ("a.npy", b"\x93NUMPY\x01".to_vec(), "ends before its content does"),
        ("a.r16", vec![1; 7], "columns and rows are unknown"),
    ]
}

fn refused(folder: &Path, case: &str, output: &Output, code: i32, expected: &[&str]) {
    let text = flat(output);
    assert_eq!(output.status.code(), Some(code), "{case}\n{text}");
    assert!(!text.contains("panicked") && !text.contains("internal error"), "{case}\n{text}");
    for part in expected {
        assert!(text.contains(part), "{case}\nlacks: {part}\n{text}");
    }
    assert!(!folder.join("out").exists(), "{case}: something was written");
}

#[test]
fn broken_graphs_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.ron");
    let nodes = NODES.iter().map(|(nodes, expected)| (format!("Graph(nodes: {{\n{nodes}\n}})"), expected));
    let files = FILES.iter().map(|(text, expected)| ((*text).to_owned(), expected));
    let mut count = 0;
    for (text, expected) in nodes.chain(files) {
        fs::write(&file, &text).unwrap();
        refused(folder.path(), &text, &terrane(folder.path(), ["run", "case.ron"]), 2, expected);
        count += 1;
    }
    assert!(count >= 60, "{count} cases");
}

#[test]
fn check_loads_each_profile() {
    let folder = tempfile::tempdir().unwrap();
    let text = |value: &str| {
        format!(
            "Graph(params: {{ \"n\": 3 }}, profiles: {{ \"fine\": {{ \"n\": 9 }}, \"odd\": {{ \"n\": {value} \
            }} }}, nodes: {{ \"a\": Perlin(octaves: \"$n\") }}, outputs: {{ \"a.png\": \"a\" }})"
        )
    };
    fs::write(folder.path().join("case.ron"), text("\"x\"")).unwrap();
    let output = terrane(folder.path(), ["check", "case.ron"]);
    refused(folder.path(), "profiles", &output, 2, &["with the profile `odd`", "octaves"]);
    fs::write(folder.path().join("case.ron"), text("5")).unwrap();
    assert!(terrane(folder.path(), ["check", "case.ron"]).status.success());
}

/// A dependent of a node with an error does not cause a second error.
#[test]
fn one_wrong_node_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let nodes = r#""a": Voronio(), "b": Blur(height: "a"), "c": Blur(height: "a.cells")"#;
    let text = format!("Graph(nodes: {{ {nodes} }}, outputs: {{ \"a.png\": \"a\", \"b.png\": \"b\" }})");
    fs::write(folder.path().join("case.ron"), text).unwrap();
    let output = terrane(folder.path(), ["check", "case.ron"]);
    refused(folder.path(), "one", &output, 2, &["no node type `Voronio`"]);
    assert_eq!(flat(&output).matches('×').count(), 1, "{}", flat(&output));
}

#[test]
fn broken_rasters_fail_only_their_node() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, expected) in rasters() {
        fs::write(folder.path().join(name), bytes).unwrap();
        let graph = format!(
            "Graph(size: (9, 9), nodes: {{ \"a\": Import(file: \"{name}\") }}, outputs: {{ \"a.png\": \"a\" \
            }})"
        );
        fs::write(folder.path().join("case.ron"), graph).unwrap();
        let output = terrane(folder.path(), ["run", "case.ron"]);
        refused(folder.path(), expected, &output, 1, &["case.ron:1:", name, expected, "help:"]);
    }
}

#[test]
fn files_that_are_not_text_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.ron");
    fs::write(&file, b"Graph(nodes: {\n\xff\xfe})").unwrap();
    refused(
        folder.path(),
        "UTF-8",
        &terrane(folder.path(), ["run", "case.ron"]),
        2,
        &["not UTF-8", "line 2"],
    );
    fs::write(&file, format!("Graph(nodes: {{ \"a\": {}", "[".repeat(10_000))).unwrap();
    refused(folder.path(), "deep", &terrane(folder.path(), ["run", "case.ron"]), 2, &["nested too deep"]);
    fs::write(&file, "(".repeat(1_000_000)).unwrap();
    refused(folder.path(), "very deep", &terrane(folder.path(), ["run", "case.ron"]), 2, &["help:"]);
    let cycle: String =
        (0..60_000).map(|i| format!("\"n{i}\": Blur(height: \"n{}\"),", (i + 1) % 60_000)).collect();
    fs::write(&file, format!("Graph(nodes: {{{cycle}}})")).unwrap();
    refused(
        folder.path(),
        "long cycle",
        &terrane(folder.path(), ["run", "case.ron"]),
        2,
        &["a cycle of 60000 nodes", "more"],
    );
    refused(
        folder.path(),
        "none",
        &terrane(folder.path(), ["run", "none.ron"]),
        2,
        &["none.ron", "terrane new"],
    );
    refused(folder.path(), "folder", &terrane(folder.path(), ["run", "."]), 2, &["help:"]);
}

#[test]
fn bad_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let graph = "Graph(size: (9, 9), params: { \"p\": 1.0 }, nodes: { \"a\": Constant(value: \"$p\") }, \
        outputs: { \"a.png\": \"a\" })";
    fs::write(folder.path().join("case.ron"), graph).unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["run", "case.ron", "--set", "q=1"], &["no parameter `q`", "its parameters are: p"]),
        (&["run", "case.ron", "--set", "p"], &["has no `=`"]),
        (&["run", "case.ron", "--set", "p=("], &["cannot be read"]),
        (&["run", "case.ron", "--set", "p=high"], &["expected a number"]),
        (&["run", "case.ron", "--size", "9"], &["--size 257x257"]),
        (&["run", "case.ron", "--size", "0x4"], &["at least 1"]),
        (&["run", "case.ron", "--only", "b.png"], &["no output `b.png`", "a.png"]),
        (&["eval", "case.ron", "b", "-o", "b.png"], &["no node `b`"]),
        (&["eval", "case.ron", "a", "-o", "-"], &["has no JSON form to print"]),
        (&["eval", "case.ron", "a", "-o", "a.doc"], &["cannot be written", ".png"]),
        (&["nodes", "Voronio"], &["did you mean `Voronoi`"]),
        (&["run", "case.ron", "--cache-size", "much"], &["not a size"]),
    ];
    for (arguments, expected) in cases {
        refused(folder.path(), &format!("{arguments:?}"), &terrane(folder.path(), *arguments), 2, expected);
    }
}
