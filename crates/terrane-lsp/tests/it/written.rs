//! What a text is after a proposal was taken.

use crate::session::{Session, applied};

/// A text with a cursor, a proposal, and the text after it. In snippets, `$1` and `$0` are the cursor's
/// places.
type Case = (&'static str, &'static str, &'static str);

/// The text after a proposal was taken at `$0`.
fn taken(text: &str, label: &str, snippets: bool) -> String {
    let mut session = Session::with(&[("part.ron", PART)], snippets);
    let position = session.open("graph.ron", text);
    let items = session.at("completion", "graph.ron", &position)["items"].clone();
    let items = items.as_array().unwrap();
    let Some(item) = items.iter().find(|item| item["label"] == label) else {
        let labels: Vec<&str> = items.iter().take(20).filter_map(|item| item["label"].as_str()).collect();
        panic!("`{text}` has no proposal `{label}`: {labels:?}");
    };
    let mut edits = vec![item["textEdit"].clone()];
    edits.extend(item["additionalTextEdits"].as_array().cloned().unwrap_or_default());
    applied(&text.replacen("$0", "", 1), edits)
}

const PART: &str = "Graph(params: { \"relief\": 300.0 }, nodes: { \"x\": Perlin(amplitude: \"$relief\") }, \
    outputs: { \"x.png\": \"x\" })";

const SNIPPETS: &[Case] = &[
    ("$0", "Graph", "Graph(\n    nodes: {\n        $0\n    },\n    outputs: {},\n)"),
    ("// A comment.\n$0", "World", "// A comment.\nWorld(\n    $0\n)"),
    // All ports that must be connected.
    ("Graph(nodes: { \"a\": $0 })", "Combine", "Graph(nodes: { \"a\": Combine(a: $1, b: $2)$0 })"),
    ("Graph(nodes: { \"a\": $0 })", "Perlin", "Graph(nodes: { \"a\": Perlin($0) })"),
    // On a line of its own, an entry ends with a comma.
    (
        "Graph(nodes: {\n    \"a\": $0\n})",
        "Combine",
        "Graph(nodes: {\n    \"a\": Combine(a: $1, b: $2),$0\n})",
    ),
    (
        "Graph(nodes: {\n    \"a\": $0 // A ring.\n})",
        "Perlin",
        "Graph(nodes: {\n    \"a\": Perlin($0), // A ring.\n})",
    ),
    // So does a field of the file. The cursor stays where its value is written.
    ("Graph(\n    s$0\n)", "seed", "Graph(\n    seed: $0,\n)"),
    ("Graph(\n    no$0\n)", "nodes", "Graph(\n    nodes: {\n    $0\n},\n)"),
    // In a path, the cursor stays before the quote.
    (
        "Graph(nodes: { \"a\": Subgraph(file: \"$0\") })",
        "part.ron",
        "Graph(nodes: { \"a\": Subgraph(file: \"part.ron\") })",
    ),
    // A value that is there is replaced, or stays as it is.
    (
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: $0\"c\") })",
        "a",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"a\") })",
    ),
    (
        "Graph(nodes: { \"a\": Bl$0 (height: \"c\") })",
        "Blur",
        "Graph(nodes: { \"a\": Blur (height: \"c\") })",
    ),
    ("Graph(nodes: { $0 })", "\"name\"", "Graph(nodes: { \"${1:name}\": $0 })"),
    (
        "Graph(nodes: { \"a\": Ramp($0) })",
        "from",
        "Graph(nodes: { \"a\": Ramp(from: (${1:0.0}, ${2:0.0})) })",
    ),
    // A call and a value that are there already stay.
    (
        "Graph(nodes: { \"a\": Per$0lin(octaves: 3) })",
        "OpenSimplex",
        "Graph(nodes: { \"a\": OpenSimplex(octaves: 3) })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin(oct$0aves: 3) })",
        "wavelength",
        "Graph(nodes: { \"a\": Perlin(wavelength: 3) })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin(fractal: $0Ridged) })",
        "Fbm",
        "Graph(nodes: { \"a\": Perlin(fractal: Fbm) })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin() }, outputs: { $0: \"a\" })",
        "a.png",
        "Graph(nodes: { \"a\": Perlin() }, outputs: { \"a.png\": \"a\" })",
    ),
    (
        "Graph(nodes: { \"a\": Repeat(file: \"part.ron\", times: 2, carry: { \"x\": $0 }) })",
        "x",
        "Graph(nodes: { \"a\": Repeat(file: \"part.ron\", times: 2, carry: { \"x\": \"x\" }) })",
    ),
    // An open quote is closed.
    (
        "Graph(params: { \"n\": 3 }, nodes: { \"a\": Perlin(octaves: \"$$0\n) })",
        "$n",
        "Graph(params: { \"n\": 3 }, nodes: { \"a\": Perlin(octaves: \"$n\"\n) })",
    ),
    // Commas between entries.
    ("Graph($0\n    nodes: {})", "seed", "Graph(seed: $0,\n    nodes: {})"),
    (
        "Graph(nodes: { \"a\": Perlin($0octaves: 3) })",
        "seed",
        "Graph(nodes: { \"a\": Perlin(seed: $0,octaves: 3) })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin(octaves: 3 $0) })",
        "seed",
        "Graph(nodes: { \"a\": Perlin(octaves: 3, seed: $0) })",
    ),
    ("Graph(size: (9, 9)\n    $0)", "seed", "Graph(size: (9, 9),\n    seed: $0)"),
    // The cursor leaves the quotes.
    (
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"$0\") })",
        "a",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"a\") })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"$0",
        "a",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"a\"",
    ),
    // Arithmetic.
    (
        "Graph(params: { \"p\": 3, \"q\": 4 }, nodes: { \"a\": Perlin(amplitude: \"$p * $0\") })",
        "$q",
        "Graph(params: { \"p\": 3, \"q\": 4 }, nodes: { \"a\": Perlin(amplitude: \"$p * $q\") })",
    ),
    ("Graph(params: { \"p\": 3, \"q\": \"$$0\" })", "$p", "Graph(params: { \"p\": 3, \"q\": \"$p\" })"),
    // Files.
    (
        "Graph(nodes: { \"a\": Perlin() }, outputs: { $0 })",
        "a.png",
        "Graph(nodes: { \"a\": Perlin() }, outputs: { \"a.png\": \"a\" })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin() }, outputs: { \"b.tif\": $0 })",
        "Export",
        "Graph(nodes: { \"a\": Perlin() }, outputs: { \"b.tif\": Export(from: \"$0\") })",
    ),
    (
        "Graph(nodes: { \"a\": Subgraph(file: $0) })",
        "part.ron",
        "Graph(nodes: { \"a\": Subgraph(file: \"part.ron\") })",
    ),
    (
        "Graph(nodes: { \"a\": Subgraph(file: \"part.ron\", params: { \"relief\": $0 }) })",
        "300.0",
        "Graph(nodes: { \"a\": Subgraph(file: \"part.ron\", params: { \"relief\": 300.0 }) })",
    ),
    // Below brackets that are not closed.
    (
        "Graph(size: (9, 9\n    nodes: { \"a\": $0 })",
        "Perlin",
        "Graph(size: (9, 9\n    nodes: { \"a\": Perlin($0) })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin(octaves: ,\n    \"b\": $0 })",
        "Perlin",
        "Graph(nodes: { \"a\": Perlin(octaves: ,\n    \"b\": Perlin($0) })",
    ),
];

const PLAIN: &[Case] = &[
    // Such an editor inserts text at the cursor, and changes nothing behind it.
    (
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"$0\") })",
        "a",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"a\") })",
    ),
    (
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"$0",
        "a",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur(height: \"a\"",
    ),
    (
        "Graph(nodes: { \"a\": Perlin($0wavelength: 9) })",
        "octaves",
        "Graph(nodes: { \"a\": Perlin(octaves: wavelength: 9) })",
    ),
    ("$0", "Graph", "Graph(nodes: {}, outputs: {})"),
    ("Graph(nodes: { \"a\": $0 })", "Hillshade", "Graph(nodes: { \"a\": Hillshade() })"),
    ("Graph(nodes: { \"a\": Hillshade($0) })", "height", "Graph(nodes: { \"a\": Hillshade(height: ) })"),
    (
        "Graph(nodes: { \"a\": Perlin(), \"b\": Hillshade(height: $0) })",
        "a",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Hillshade(height: \"a\") })",
    ),
    ("Graph(nodes: { \"a\": Ramp($0) })", "from", "Graph(nodes: { \"a\": Ramp(from: ) })"),
    (
        "Graph(nodes: { \"a\": Ramp(from: $0) })",
        "(0.0, 0.0)",
        "Graph(nodes: { \"a\": Ramp(from: (0.0, 0.0)) })",
    ),
    ("Graph(nodes: { $0 })", "\"name\"", "Graph(nodes: { \"name\":  })"),
    (
        "Graph(params: { \"p\": 3 }, nodes: { \"a\": Perlin(amplitude: $0) })",
        "$p",
        "Graph(params: { \"p\": 3 }, nodes: { \"a\": Perlin(amplitude: \"$p\") })",
    ),
    (
        "Graph(params: { \"p\": 3 }, nodes: { \"a\": Perlin(amplitude: \"$$0\") })",
        "$p",
        "Graph(params: { \"p\": 3 }, nodes: { \"a\": Perlin(amplitude: \"$p\") })",
    ),
    // A call and a value that are there already stay, and an entry that follows gets a comma.
    ("Graph(nodes: { \"a\": Bl$0(height: \"c\") })", "Blur", "Graph(nodes: { \"a\": Blur(height: \"c\") })"),
    ("Graph(nodes: { \"a\": Perlin(oct$0: 3) })", "octaves", "Graph(nodes: { \"a\": Perlin(octaves: 3) })"),
    ("Gr$0(nodes: {})", "Graph", "Graph(nodes: {})"),
    (
        "Graph(nodes: { \"a\": Per$0 \"b\": Blur() })",
        "Perlin",
        "Graph(nodes: { \"a\": Perlin(), \"b\": Blur() })",
    ),
];

/// A parameter in a quoted text of two lines, where a field's name stands, is within the word before it.
#[test]
fn words_within_each_other_are_one() {
    for text in ["Graph(outputs: {\"$b\n+4\": \"a\"}, nodes:{})", "Graph(\"$a\nb\":", "//\n\"\":p(\"$ \nd\":"]
    {
        let mut session = Session::with(&[], true);
        session.open("graph.ron", text);
        let document = serde_json::json!({ "textDocument": { "uri": session.uri("graph.ron") } });
        let told = session.ask("textDocument/semanticTokens/full", document);
        assert!(told["data"].is_array(), "{text}: {told}");
    }
}

#[test]
fn proposals_write_what_can_stand_there() {
    for (cases, snippets) in [(SNIPPETS, true), (PLAIN, false)] {
        for (text, label, wanted) in cases {
            assert_eq!(taken(text, label, snippets), *wanted, "`{label}` in `{text}`");
        }
    }
}
