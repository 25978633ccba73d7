//! Fields through graphs: what comes out, and what is said of what cannot be.

use std::sync::Arc;

use terrane::values::{Fields, Map, Table};
use terrane::{Evaluation, Wanted};
use terrane_tests::{engine, load_text};

fn text(graph: &str, more: &str) -> String {
    format!(
        r#"Graph(size: (65, 65), spacing: 2.0, seed: 4, nodes: {{
"graph": {graph},
"empty": Section(graph: "graph"),
{more}
}})"#
    )
}

const TERRAIN: &str = r#"
"named": AssignTerrain(fields: "empty", descriptions: [("High", Map()), ("Low", Map())], manual: [(0, "Low")]),
"high": Perlin(wavelength: 40, amplitude: 20, offset: 30),
"low": Perlin(wavelength: 30, amplitude: 5),
"a": DescribeTerrain(fields: "named", name: "High", height: "high"),
"b": DescribeTerrain(fields: "a", name: "Low", height: "low"),
"steps": PopulateFields(fields: "b"),
"whole": StitchFields(fields: "b", distance: 12),
"#;

fn run(text: &str, ports: &[&str]) -> Evaluation {
    let loaded = Arc::new(load_text(text).unwrap_or_else(|errors| panic!("{errors}")));
    let wanted: Vec<Wanted> = ports.iter().map(|port| terrane::flow::Reference::parse(port).into()).collect();
    engine(2, None).start(&loaded, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait()
}

fn value<T: terrane::flow::Data>(evaluation: &Evaluation, index: usize) -> Arc<T> {
    let value = evaluation.outputs[index].value.clone();
    value.and_then(terrane::flow::Value::downcast).unwrap_or_else(|| panic!("{:?}", evaluation.nodes))
}

/// What a node that fails says.
fn said(text: &str, port: &str) -> String {
    let evaluation = run(text, &[port]);
    let failed = evaluation.nodes.iter().filter_map(|node| match &node.outcome {
        terrane::flow::Outcome::Failed(error) => Some(format!("{error:?}")),
        _ => None,
    });
    failed.collect()
}

#[test]
fn fields_meet_along_edges_and_stay_far_from_them() {
    let out = run(
        &text("GridGraph(columns: 3, rows: 3, cell: 40, jitter: 0.2, corner: (4, 4))", TERRAIN),
        &["steps.height", "whole", "whole.seams", "whole.field_ids", "named.counts"],
    );
    let map = |index: usize| value::<Map>(&out, index);
    let (steps, whole, seams, ids) = (map(0), map(1), map(2), map(3));
    let (mut before, mut after, mut unchanged) = (0.0f32, 0.0f32, 0);
    for y in 0..65 {
        for x in 0..64 {
            if seams[(x, y)] >= 12.0 {
                assert_eq!(whole[(x, y)].to_bits(), steps[(x, y)].to_bits());
                unchanged += 1;
            }
            let (a, b) = (ids[(x, y)], ids[(x + 1, y)]);
            if a != b && a >= 0.0 && b >= 0.0 {
                before = before.max((steps[(x, y)] - steps[(x + 1, y)]).abs());
                after = after.max((whole[(x, y)] - whole[(x + 1, y)]).abs());
            }
        }
    }
    assert!(before > 20.0 && after < 0.35 * before && unchanged > 100, "{before} {after} {unchanged}");
    let counts = value::<Table>(&out, 4);
    let sum: f64 = ["High", "Low"].iter().filter_map(|name| Some(counts.column(name)?[0])).sum();
    assert_eq!(sum, 9.0);
}

#[test]
fn rules_hold_and_hands_are_heeded() {
    let more = r#""fields": AssignTerrain(
        fields: "empty", descriptions: [("Mountain", Map()), ("Lowland", Map()), ("Lake", Map())],
        rules: [("Lake", ["Lake", "Lowland"])], manual: [(0, "Lake"), (24, "Mountain")],
    ),"#;
    let out = run(&text("GridGraph(columns: 5, rows: 5, cell: 25)", more), &["fields"]);
    let fields = value::<Fields>(&out, 0);
    assert_eq!((fields.names[0].as_str(), fields.names[24].as_str()), ("Lake", "Mountain"));
    for [left, right] in &fields.sections.sides {
        if let (Some(a), Some(b)) = (*left, *right) {
            let pair = [&*fields.names[a as usize], &*fields.names[b as usize]];
            assert!(!(pair.contains(&"Lake") && pair.contains(&"Mountain")), "{a} {b}");
        }
    }
}

#[test]
fn mistakes_are_named() {
    let square = "GridGraph(columns: 2, rows: 1, cell: 60)";
    let says = |graph: &str, more: &str, port: &str, parts: &[&str]| {
        let said = said(&text(graph, more), port);
        parts.iter().for_each(|part| assert!(said.contains(part), "lacks {part}: {said}"));
    };
    let cross =
        "PlanarGraph(nodes: [(0, 0), (9, 9), (0, 9), (9, 0)], edges: [(0, 1), (2, 3)], planar: false)";
    says(cross, "", "empty", &["edges 0 and 1", "EditGraph"]);
    says("PlanarGraph(nodes: [(0, 0), (9, 9)], edges: [(0, 1)])", "", "empty", &["close in a field"]);
    says(square, TERRAIN, "whole", &[]);
    says(
        square,
        &TERRAIN.replace("name: \"Low\"", "name: \"Lwo\""),
        "whole",
        &["`Low`", "did you mean `Lwo`"],
    );
    says(square, &TERRAIN.replace("fields: \"named\"", "fields: \"empty\""), "whole", &["no description"]);
    says(square, &TERRAIN.replace("distance: 12", "field_distances: [(7, 3)]"), "whole", &["no field 7"]);
    let rules = r#""f": AssignTerrain(fields: "empty", descriptions: [("A", Map())], rules: [("A", [])]),"#;
    says(square, rules, "f", &["no description is left for field"]);
    says("EditGraph(graph: \"g\", without_nodes: [9])", "\"g\": GridGraph(),", "empty", &[]);
    says("EditGraph(graph: \"g\", without_nodes: [99])", "\"g\": GridGraph(),", "empty", &["no node 99"]);
    for (graph, more, part) in [
        (
            "PlanarGraph(nodes: [(0, 0), (9, 9), (0, 9), (9, 0)], edges: [(0, 1), (2, 3)])",
            "",
            "edges 0 and 1",
        ),
        ("PlanarGraph(nodes: [(0, 0), (0, 0)], edges: [])", "", "one place"),
        ("PlanarGraph(nodes: [(0, inf)], edges: [])", "", "finite"),
        ("GridGraph(jitter: 0.4)", "", "jitter"),
        (
            square,
            r#""f": AssignTerrain(fields: "empty", descriptions: [("A", Map())], manual: [(0, "B")]),"#,
            "`B`",
        ),
        (square, r#""f": AssignTerrain(fields: "empty"),"#, "no description is named"),
    ] {
        let errors = load_text(&text(graph, more)).err().map(|errors| errors.to_string()).unwrap_or_default();
        assert!(errors.contains(part) && errors.contains("test.ron:"), "lacks {part}: {errors}");
    }
}

/// Crossings become nodes, and what they close in is found.
#[test]
fn crossings_can_be_split() {
    let graph = r#"EditGraph(graph: "cross")"#;
    let more = r#""cross": PlanarGraph(
        nodes: [(10, 10), (118, 12), (115, 118), (12, 112)], planar: false,
        edges: [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)],
    ),"#;
    let out = run(&text(graph, more), &["empty"]);
    assert_eq!(value::<Fields>(&out, 0).sections.fields.len(), 4);
}
