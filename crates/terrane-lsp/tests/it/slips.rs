//! Slips of authors: each is one mistake, and its quick fix writes what was meant.

use serde_json::{Value as Json, json};

use crate::session::{Session, applied};

const GRAPH: &str = r#"Graph(
    size: (257, 257),
    spacing: 8.0,
    params: { "amp": 200.0 },
    nodes: {
        "base hills": Perlin(amplitude: "$amp", wavelength: 900.0, octaves: 6),
        "worn": ThermalErosion(height: "base hills", talus: 0.6),
        "flow": Drainage(height: "worn"),
        "mask": Curve(height: "flow.area", points: [(0.0, 0.0), (9000.0, 1.0)]),
        "mix": Blend(a: "worn", b: "base hills", mask: "mask"),
        "shade": Hillshade(
            height: "mix",
            exaggeration: 1.5,
        ),
    },
    outputs: { "shade.png": "shade", "mix.tif": "mix" },
)
"#;

/// What is written instead of a part of [`GRAPH`].
const SLIPS: [(&str, &str); 41] = [
    // Names and wires.
    ("height: \"base hills\", t", "height: \"base hils\", t"),
    ("\"flow.area\"", "\"flow.aera\""),
    ("\"flow.area\"", "flow.area"),
    ("mask: \"mask\"", "mask: mask"),
    ("b: \"base hills\"", "b: base hills"),
    ("\"base hills\": P", "base hills\": P"),
    ("\"base hills\": P", "base hills: P"),
    ("\"base hills\": P", "'base hills': P"),
    ("\"base hills\": P", "“base hills”: P"),
    ("a: \"worn\"", "a: \"worn"),
    ("a: \"worn\"", "a: worn\""),
    ("a: \"worn\"", "a: \"worn\"\""),
    ("a: \"worn\"", "a: 'worn'"),
    ("\"shade.png\": ", "shade.png: "),
    // Parameters.
    ("\"$amp\"", "$amp"),
    ("\"$amp\"", "\"amp\""),
    ("\"$amp\"", "\"$ampl\""),
    // Types and fields.
    ("Perlin(", "perlin("),
    ("ThermalErosion(", "Thermal Erosion("),
    ("ThermalErosion(", "thermal_erosion("),
    ("Hillshade(", "Hilshade("),
    ("octaves", "octave"),
    ("talus: 0.6", "talus = 0.6"),
    ("talus: 0.6", "talus 0.6"),
    ("exaggeration: 1.5,", "exaggeration: 1.5,\n            exaggeration: 1.5,"),
    // Numbers.
    ("talus: 0.6", "talus: 0,6"),
    ("talus: 0.6", "talus: \"0.6\""),
    ("talus: 0.6", "talus: 60%"),
    ("spacing: 8.0", "spacing: 8.0 m"),
    ("octaves: 6", "octaves: 6.0"),
    ("(257, 257)", "[257, 257]"),
    ("[(0.0, 0.0), (9000.0, 1.0)]", "((0.0, 0.0), (9000.0, 1.0))"),
    // Brackets and commas.
    ("talus: 0.6)", "talus: 0.6"),
    ("1.0)])", "1.0)]}"),
    ("Drainage(height", "Drainage height"),
    ("Hillshade(\n", "Hillshade\n"),
    ("0.6),", "0.6)"),
    ("0.6),", "0.6);"),
    ("    nodes: {\n", ""),
    ("        ),\n", ""),
    ("    },\n", ""),
];

#[test]
fn each_is_one_mistake_and_its_fix_writes_what_was_meant() {
    let mut session = Session::new(&[]);
    let mut wrong = Vec::new();
    for (number, (meant, slip)) in SLIPS.into_iter().enumerate() {
        let file = format!("{number}.ron");
        assert!(GRAPH.contains(meant), "{meant}");
        let text = GRAPH.replacen(meant, slip, 1);
        session.open(&file, &text);
        let mistakes = session.mistakes(&file, 1);
        let found: Vec<_> = mistakes.iter().filter(|own| own["severity"] == 1).collect();
        let Some(first) = found.first() else {
            wrong.push(format!("{slip}: no mistake"));
            continue;
        };
        let params = json!({
            "textDocument": { "uri": session.uri(&file) },
            "range": first["range"],
            "context": { "diagnostics": [], "only": ["quickfix"] },
        });
        let actions = session.ask("textDocument/codeAction", params);
        let fixed = |action: &Json| {
            let edits = action["edit"]["changes"][&session.uri(&file)].as_array()?.clone();
            Some(applied(&text, edits))
        };
        let fixed = actions.as_array().unwrap().iter().find_map(fixed);
        if found.len() > 1 || fixed.as_deref() != Some(GRAPH) {
            let told: Vec<_> = found.iter().map(|own| own["message"].as_str().unwrap()).collect();
            wrong.push(format!("{slip}: {told:#?}\n{}", fixed.unwrap_or_default()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
