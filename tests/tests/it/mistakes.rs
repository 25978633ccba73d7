//! Diagnostics of broken graphs: whole messages, as snapshots. Most graphs have two or more mistakes, and
//! all of them are reported.

use std::path::Path;

use terrane::flow::syntax::apply;
use terrane::flow::{Diagnostic, Setting, load};
use terrane::{LoadOptions, registry};

/// A graph with these nodes and one output.
fn nodes(nodes: &str) -> String {
    format!(
        "Graph(\n    size: (65, 65),\n    params: {{ \"talus\": 0.5, \"n\": 3 }},\n    nodes: {{\n        \
        {nodes}\n    }},\n    outputs: {{ \"h.png\": \"a\" }},\n)\n"
    )
}

/// All diagnostics of a text.
fn diagnostics(text: &str) -> String {
    match load("graph.ron", text, Path::new(env!("CARGO_MANIFEST_DIR")), &registry(), &LoadOptions::default())
    {
        Ok(_) => "no mistake\n".to_owned(),
        Err(mistakes) => mistakes.render(false),
    }
}

const P: &str = "\"a\": Perlin()";

fn cases() -> Vec<(&'static str, String)> {
    let graph = |text: &str| text.to_owned();
    vec![
        (
            "quote of a node's name",
            nodes("\"a: Perlin(octaves: 3),\n        \"b\": Clamp(height: \"a\", min: 0, maxx: 1),"),
        ),
        (
            "quote of a reference",
            nodes(
                "\"a\": Perlin(),\n        \"b\": ThermalErosion(height: \"a, talus: \"$talus\", iteration: \
                3),",
            ),
        ),
        (
            "quote at the end of a line",
            nodes(
                "\"a\": Perlin(),\n        \"b\": Invert(height: \"a),\n        \"c\": Invert(height: \
                \"nope\"),",
            ),
        ),
        ("equals sign", nodes("\"a\": Perlin(octaves = 8, wavelenght: 3),")),
        ("comment with a hash", nodes("# my seed\n        \"a\": Perlin(octaves: 3.5),")),
        ("arithmetic without quotes", nodes("\"a\": Perlin(wavelength: 900.0 / 2, octaves: true),")),
        ("arithmetic without blanks", nodes("\"a\": Perlin(wavelength: 900/2),")),
        (
            "arithmetic of an unknown parameter",
            nodes("\"a\": Perlin(wavelength: \"$tallus * 2\", amplitude: \"$talus * (2\"),"),
        ),
        ("arithmetic that is not whole", nodes("\"a\": Perlin(octaves: \"$n / 2\"),")),
        (
            "arithmetic with other signs",
            nodes("\"a\": Perlin(wavelength: \"$talus ^ 2\", amplitude: \"$talus % 2\", octaves: \"$n^2\"),"),
        ),
        ("arithmetic out of range", nodes("\"a\": Perlin(octaves: \"$n * -2\"),")),
        ("units", nodes("\"a\": Perlin(wavelength: 900m, amplitude: 30%, rotate: 30deg),")),
        ("curly quotes", nodes("“a”: Perlin(),\n        \"b\": Invert(height: “a”),")),
        ("wrong brackets of a node", nodes("\"a\": Perlin{\"wavelength\": 9},")),
        (
            "list of nodes",
            graph(
                "Graph(\n    size: (65, 65),\n    nodes: [Perlin()],\n    outputs: { \"h.png\": \"a\" },\n)",
            ),
        ),
        ("comment that is not closed", nodes("\"a\": Perlin(), /* hi")),
        ("reference without quotes", nodes("\"a\": Perlin(),\n        \"b\": Invert(height: a),")),
        ("choice in quotes", nodes("\"a\": Perlin(),\n        \"b\": Select(height: \"a\", by: \"Slope\"),")),
        ("node in a parameter", nodes("\"steep\": Perlin(octaves: \"steep\"),")),
        ("number in quotes", nodes("\"a\": Perlin(octaves: \"3\"),")),
        ("number at a port", nodes("\"a\": Hillshade(height: 3.0),")),
        ("unknown parameter", nodes("\"a\": Perlin(octaves: \"$ocaves\", amplitude: \"$tallus\"),")),
        (
            "two options of an export",
            graph(
                "Graph(\n    nodes: { \"a\": Perlin() },\n    outputs: { \"h.png\": Export(from: \"a\", wat: \
                1, depth: U12) },\n)",
            ),
        ),
        (
            "missing colon in a later entry",
            nodes(
                "\"a\": Perlin(),\n        \"b\": Invert(height: \"a\"),\n        \"f\" Clamp(height: \
                    \"a\"),",
            ),
        ),
        ("missing colon of a field", nodes("\"a\": Perlin(octaves 3, amplitude: \"x\"),")),
        ("missing comma between nodes", nodes("\"a\": Perlin()\n        \"b\": Invert(height: \"c\"),")),
        (
            "missing comma between fields",
            nodes("\"a\": Perlin(octaves: 3\n            amplitude: 2 wavelength: 9),"),
        ),
        (
            "missing bracket of a node",
            nodes("\"a\": Perlin(octaves: 3,\n        \"b\": Invert(height: \"a\"),"),
        ),
        (
            "missing bracket of nodes",
            graph("Graph(\n    nodes: {\n        \"a\": Perlin(),\n    outputs: { \"h.png\": \"a\" },\n)"),
        ),
        (
            "missing bracket of a size",
            graph("Graph(\n    size: (65, 65,\n    seed: 1,\n    nodes: { \"a\": Perlin() },\n)"),
        ),
        ("bracket too many", nodes("\"a\": Perlin(octaves: 3)),\n        \"b\": Invert(height: \"x\"),")),
        (
            "wrong closing bracket",
            nodes("\"a\": Curve(height: \"b\", points: [(0, 1), (1, 2)),\n        \"b\": Perlin(),"),
        ),
        (
            "file cut off",
            graph("Graph(\n    size: (65, 65),\n    nodes: {\n        \"a\": Perlin(octaves: 3, wave"),
        ),
        ("empty file", graph("")),
        ("blank file", graph("  // nothing\n")),
        ("another type", graph("World(size: (1, 1))")),
        ("small letter", graph("graph(nodes: {})")),
        ("text behind the graph", graph("Graph(nodes: { \"a\": Perlin() }, outputs: {})\n)")),
        ("two graphs", graph("Graph(nodes: {})\nGraph(nodes: {})\n")),
        ("names without quotes", nodes("a: Perlin(),\n        b: Invert(height: \"a\"),")),
        ("names in single quotes", nodes("'ab': Perlin(),\n        \"b\": Invert(height: 'ab'),")),
        ("fields in quotes", nodes("\"a\": Perlin(\"octaves\": 3, \"wavelength\": 9),")),
        ("fields without names", nodes("\"a\": Perlin(3, 9),")),
        ("decimal comma", nodes("\"a\": Perlin(wavelength: 600,5, amplitude: 3),")),
        ("bare parameter", nodes("\"a\": Perlin(wavelength: $n, amplitude: $m),")),
        ("semicolons", nodes("\"a\": Perlin(octaves: 3; wavelength: 9);")),
        ("nothing behind a colon", nodes("\"a\": Perlin(octaves: , wavelength:),")),
        ("two commas", nodes("\"a\": Perlin(octaves: 3,, wavelength: 9),,")),
        ("node without brackets", nodes("\"a\": Perlin,\n        \"b\": Invert,")),
        ("text for a node", nodes("\"a\": \"Perlin\",\n        \"b\": 3,")),
        ("unknown type", nodes("\"a\": Perlim(),\n        \"b\": Erosion(height: \"a\"),")),
        ("unknown node", nodes("\"a\": Invert(height: \"hils\"),\n        \"hills\": Perlin(),")),
        ("unknown output", nodes("\"a\": Perlin(),\n        \"b\": Invert(height: \"a.heigth\"),")),
        ("cycle", nodes("\"a\": Invert(height: \"b\"),\n        \"b\": Invert(height: \"a\"),")),
        (
            "nested values",
            nodes(
                "\"a\": Curve(height: \"p\", points: [(0, 1), (0.5, \"x\"), (1, 2, 3)]),\n        \"p\": \
                Perlin(),",
            ),
        ),
        (
            "wrong number of values",
            nodes(
                "\"a\": Curve(height: \"p\", points: [(0, 1, 2)]),\n        \"b\": Curve(height: \"p\", \
                points: [(0,)]),\n        \"p\": Perlin(),",
            ),
        ),
        ("values out of range", nodes("\"a\": Perlin(octaves: 900, wavelength: -1, amplitude: inf),")),
        ("choice that is none", nodes("\"a\": Perlin(fractal: Rigded),")),
        ("names twice", nodes("\"a\": Perlin(octaves: 3, octaves: 4),\n        \"a\": Perlin(),")),
        (
            "header",
            graph(
                "Graph(\n    size: (0, 65),\n    spacing: \"x\",\n    seed: -1,\n    sead: 1,\n    nodes: { \
                \"a\": Perlin() },\n)",
            ),
        ),
        (
            "parameters in the header",
            graph(
                "Graph(\n    size: \"$n\",\n    seed: \"$s\",\n    params: { \"n\": (65, true), \"m\": \
                \"$q\" },\n    nodes: { \"a\": Perlin() },\n)",
            ),
        ),
        (
            "depth of a format",
            graph(
                "Graph(\n    nodes: { \"a\": Perlin() },\n    outputs: { \"h.exr\": Export(from: \"a\", \
                depth: U8), \"t.json\": \"a\" },\n)",
            ),
        ),
        (
            "parameter in a comment",
            nodes(
                "\"a\": Curve(height: \"p\", points: [(0, 1) /* not \"$nope\" */, (1, \"$nope\")]),\n        \
                \"p\": Perlin(),",
            ),
        ),
        (
            "a slip of every sort at once",
            nodes(
                "\"a\" Perlin(octaves = 3, valu: 1, wavelength: \"x\"),\n        b: Clamp(height: \"a\" min: \
                0),\n        \"c\": Invert(height: \"nope\"),",
            ),
        ),
        (
            "subgraph",
            nodes(&format!(
                "{P},\n        \"s\": Subgraph(fil: \"x.ron\"),\n        \"t\": Subgraph(file: 3),"
            )),
        ),
        (
            "repeat",
            nodes(&format!(
                "{P},\n        \"s\": Repeat(file: \"tests/mistakes/step.ron\", inputs: {{ \"grond\": \"a\" \
                }}, carry: {{ \"slit\": \"ground\", \"slid\": \"grund\" }}),\n        \"t\": Repeat(file: \
                \"tests/mistakes/step.ron\", times: 100000),\n        \"u\": Repeat(file: \
                \"tests/mistakes/step.ron\", times: 2, inputs: {{ \"ground\": \"a\" }}),\n        \"v\": \
                Blur(height: \"u/slid\"),"
            )),
        ),
    ]
}

#[test]
fn every_message_is_complete() {
    let cases = cases();
    assert!(cases.len() >= 60, "{}", cases.len());
    insta::with_settings!({
        snapshot_path => "../mistakes", prepend_module_to_snapshot => false, omit_expression => true,
    }, {
        for (name, text) in cases {
            let name = name.replace([' ', '\''], "_");
            insta::assert_snapshot!(name, format!("{text}\n{}", diagnostics(&text)));
        }
    });
}

/// The mistakes of a text.
fn mistakes(text: &str) -> Vec<Diagnostic> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    load("graph.ron", text, folder, &registry(), &LoadOptions::default()).err().unwrap_or_default().0
}

#[test]
fn every_mistake_has_a_code_and_every_fix_removes_it() {
    let mut fixes = 0;
    for (name, text) in cases() {
        let found = mistakes(&text);
        for mistake in &found {
            assert!(!mistake.code.is_empty(), "{name}: {}", mistake.message);
            let Some(fix) = &mistake.fix else { continue };
            fixes += 1;
            let mended = mistakes(&apply(&text, std::slice::from_ref(fix)));
            let same = |all: &[Diagnostic]| {
                all.iter()
                    .filter(|other| (other.code, &other.message) == (mistake.code, &mistake.message))
                    .count()
            };
            assert!(same(&mended) < same(&found), "{name}: {} is still there after {fix:?}", mistake.message);
        }
    }
    assert!(fixes >= 30, "{fixes}");
}

#[test]
fn formerly_rejected_valid_graphs_load() {
    for text in [
        "Graph(size: \"$size\", spacing: \"$n / 2\", seed: \"$n\", params: { \"size\": (65, 65), \"n\": 3, \
        \"m\": \"$n * 2\" }, nodes: { \"a\": Perlin(octaves: \"$m\") }, outputs: { \"h.png\": \"a\" })",
        "Graph(params: { \"low\": 0, \"range\": (\"$low\", \"$low + 100\") }, nodes: { \"a\": Perlin() }, \
        outputs: { \"h.tif\": Export(from: \"a\", range: \"$range\"), \"i.tif\": Export(from: \"a\", range: \
        (\"$low\", 9)) })",
        "Graph(params: { \"node\": \"a\" }, nodes: { \"a\": Perlin(), \"b\": Invert(height: \"$node\") }, \
        outputs: { \"h.png\": \"$node\" })",
        "Graph(nodes: { \"a\": Curve(height: \"p\", points: [(0, \"1 + 1\"), /* not \"$nope\" */ (1, 2)]), \
        \"p\": Perlin() }, outputs: { \"h.png\": \"a\" })",
    ] {
        assert_eq!(diagnostics(text), "no mistake\n", "{text}");
    }
}

fn setting((name, value): &(&str, &str)) -> Setting {
    match name.strip_prefix('@') {
        Some(profile) => Setting::Profile(profile.to_owned()),
        None => Setting::param(*name, *value),
    }
}

#[test]
fn profiles_set_parameters_together() {
    let text = "Graph(params: { \"a\": 1, \"b\": 2, \"c\": 3 }, profiles: { \"low\": { \"a\": 7, \"b\": 8 }, \
        \"high\": { \"b\": 9 } }, nodes: { \"n\": Perlin(octaves: \"$a\", wavelength: \"$b\", lacunarity: \
        \"$c\") })";
    let params = |set: &[(&str, &str)]| {
        let set = set.iter().map(setting).collect();
        let options = LoadOptions { set, ..LoadOptions::default() };
        let loaded = load("graph.ron", text, Path::new("."), &registry(), &options);
        loaded.map(|loaded| {
            let node = loaded.graph.nodes["n"].node();
            let value = |name: &str| {
                let at = node.spec().params.iter().position(|param| param.name == name).unwrap();
                node.param(at)
            };
            (value("octaves"), value("wavelength"), value("lacunarity"))
        })
    };
    let values = |a: &str, b: &str, c: &str| (a.to_owned(), b.to_owned(), c.to_owned());
    assert_eq!(params(&[]).unwrap(), values("1", "2.0", "3.0"));
    assert_eq!(params(&[("@low", ""), ("c", "4")]).unwrap(), values("7", "8.0", "4.0"));
    assert_eq!(params(&[("@low", ""), ("@high", "")]).unwrap(), values("7", "9.0", "3.0"));
    assert_eq!(params(&[("b", "5"), ("@high", "")]).unwrap(), values("1", "9.0", "3.0"));
    assert!(params(&[("@hihg", "")]).unwrap_err().to_string().contains("did you mean `high`?"));
    // A profile's values can refer to earlier parameters.
    let named = text.replace("\"b\": 9", "\"b\": \"$a * 4\"");
    let options = LoadOptions { set: vec![Setting::Profile("high".to_owned())], ..LoadOptions::default() };
    let loaded = load("graph.ron", &named, Path::new("."), &registry(), &options).unwrap();
    let node = loaded.graph.nodes["n"].node();
    assert!((0..node.spec().params.len()).any(|at| node.param(at) == "4.0"));
    let diagnostics = diagnostics(&text.replace("\"b\": 9", "\"d\": 9"));
    assert!(diagnostics.contains("the graph has no parameter `d`"), "{diagnostics}");
}

#[test]
fn values_from_outside_are_evaluated_in_the_receiving_graph() {
    let folder = tempfile::tempdir().unwrap();
    let inner = "Graph(params: { \"a\": 100.0, \"k\": 1.0 }, nodes: { \"c\": Constant(value: \"$k\") }, \
        outputs: { \"c.npy\": \"c\" })";
    std::fs::write(folder.path().join("in.ron"), inner).unwrap();
    let text = "\u{feff}Graph(size: (\"$side\", \"$side\"), params: { \"side\": 33, \"a\": 2.0, \"t\": 5.0, \
        \"l\": [1.0, 2.0] }, profiles: { \"up\": { \"t\": \"$a * 10\" } }, nodes: { \"s\": Subgraph(file: \
        \"in.ron\", params: { \"k\": \"$t\" }), \"d\": Constant(value: \"$t\") }, outputs: {})";
    let values = |set: &[(&str, &str)]| {
        let set = set.iter().map(setting).collect();
        let options = LoadOptions { set, ..LoadOptions::default() };
        let loaded = load("graph.ron", text, folder.path(), &registry(), &options)?;
        let value = |name: &str| loaded.graph.nodes[name].node().param(0);
        Ok::<_, terrane::flow::Diagnostics>((value("d"), value("s/c")))
    };
    let both = |value: &str| (value.to_owned(), value.to_owned());
    assert_eq!(values(&[]).unwrap(), both("5.0"));
    assert_eq!(values(&[("t", "\"$a * 3\"")]).unwrap(), both("6.0"));
    assert_eq!(values(&[("t", "\"$t * 2\"")]).unwrap(), both("10.0"));
    assert_eq!(values(&[("@up", "")]).unwrap(), both("20.0"));
    assert!(values(&[("side", "\"$side * 2 - 1\"")]).is_ok());
    let said = values(&[("t", "\"$nope * 2\"")]).unwrap_err().to_string();
    assert!(said.contains("for `t` is invalid: `\"$nope\"` is not known"), "{said}");
    // Doubled with each parameter, its length would be unbounded.
    let doubled: Vec<String> =
        (1..60).map(|at| format!("\"p{at}\": [\"$p{0}\", \"$p{0}\"]", at - 1)).collect();
    let endless = format!("Graph(params: {{ \"p0\": [1], {} }}, nodes: {{}})", doubled.join(", "));
    assert!(diagnostics(&endless).contains("longer than 4 MiB"));
}
