//! Fields in graphs: their outputs, and the messages for mistakes.

use std::sync::Arc;

use terrane::Wanted;
use terrane::values::{Fields, Map, Table};
use terrane_tests::{engine, load_text, run, said, value};

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
"named": AssignTerrain(fields: "empty", descriptions: [("High", Map()), ("Low", Map())],
    manual: [(0, "Low")]),
"high": Perlin(wavelength: 40, amplitude: 20, offset: 30),
"low": Perlin(wavelength: 30, amplitude: 5),
"a": DescribeTerrain(fields: "named", name: "High", height: "high"),
"b": DescribeTerrain(fields: "a", name: "Low", height: "low"),
"steps": PopulateFields(fields: "b"),
"whole": StitchFields(fields: "b", distance: 12),
"#;

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
fn rules_and_manual_kinds_are_respected() {
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
    says("PlanarGraph(nodes: [(0, 0), (9, 9)], edges: [(0, 1)])", "", "empty", &["do not enclose any field"]);
    says(square, TERRAIN, "whole", &[]);
    says(
        square,
        &TERRAIN.replace("name: \"Low\"", "name: \"Lwo\""),
        "whole",
        &["`Low`", "did you mean `Lwo`"],
    );
    says(square, &TERRAIN.replace("fields: \"named\"", "fields: \"empty\""), "whole", &["no description"]);
    says(square, &TERRAIN.replace("distance: 12", "field_distances: [(7, 3)]"), "whole", &["no field 7"]);
    says(square, &TERRAIN.replace("distance: 12", "distance: 9e9"), "whole", &["is too large for the map"]);
    let mask = r#""f": FieldMask(fields: "named", described: ["Hihg"]),"#;
    says(
        square,
        &format!("{TERRAIN}{mask}"),
        "f",
        &["there is no description `Hihg`", "did you mean `High`"],
    );
    let rules = r#""f": AssignTerrain(fields: "empty", descriptions: [("A", Map())], rules: [("A", [])]),"#;
    says(square, rules, "f", &["leave no description for field"]);
    says("EditGraph(graph: \"g\", without_nodes: [9])", "\"g\": GridGraph(),", "empty", &[]);
    says("EditGraph(graph: \"g\", without_nodes: [99])", "\"g\": GridGraph(),", "empty", &["no node 99"]);
    for (graph, more, part) in [
        (
            "PlanarGraph(nodes: [(0, 0), (9, 9), (0, 9), (9, 0)], edges: [(0, 1), (2, 3)])",
            "",
            "edges 0 and 1",
        ),
        ("PlanarGraph(nodes: [(0, 0), (0, 0)], edges: [])", "", "the same position"),
        // Three collinear nodes enclose nothing, since one edge overlaps the others.
        ("PlanarGraph(nodes: [(0, 0), (9, 0), (4, 0)], edges: [(0, 1), (1, 2), (2, 0)])", "", "edges 0 and "),
        ("PlanarGraph(nodes: [(0, inf)], edges: [])", "", "finite"),
        ("GridGraph(jitter: 0.4)", "", "jitter"),
        (
            square,
            r#""f": AssignTerrain(fields: "empty", descriptions: [("A", Map())], manual: [(0, "B")]),"#,
            "`B`",
        ),
        (square, r#""f": AssignTerrain(fields: "empty"),"#, "`descriptions` is empty"),
        (
            square,
            r#""f": AssignTerrain(fields: "empty", descriptions: [("A", Noise(wavelenght: 4))]),"#,
            "Noise(amplitude, offset, wavelength",
        ),
        (
            square,
            r#""f": AssignTerrain(fields: "empty", descriptions: [("A", Noise(octaves: 0))]),"#,
            "in `A`, `octaves` is 0",
        ),
        (square, r#""f": EdgeFeature(height: "x", fields: "empty"),"#, "no edge is selected"),
    ] {
        let errors = load_text(&text(graph, more)).err().map(|errors| errors.to_string()).unwrap_or_default();
        assert!(errors.contains(part) && errors.contains("test.ron:"), "lacks {part}: {errors}");
    }
}

/// Crossings become nodes, and the fields that they enclose are found.
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

/// Descriptions by parameters: noise is one terrain for all its fields. Midpoint displacement is a separate
/// terrain for each field, in the field's bounding box.
#[test]
fn descriptions_define_terrain_by_parameters() {
    let more = r#"
"noise": AssignTerrain(fields: "empty",
    descriptions: [("Hills", Noise(amplitude: 20, wavelength: 40, octaves: 5, offset: 3))]),
"seen": PopulateFields(fields: "noise"),
"same": Perlin(amplitude: 20, wavelength: 40, octaves: 5, offset: 3),
"mixed": AssignTerrain(
    fields: "empty", manual: [(0, "Rocks"), (1, "Rocks")],
    descriptions: [("Hills", Noise(amplitude: 20, wavelength: 40)),
        ("Rocks", MidpointDisplacement(amplitude: 30, offset: 9, weight: 0))],
),
"two": PopulateFields(fields: "mixed"),
"after": StitchFields(fields: "two", distance: 10),
"at once": StitchFields(fields: "mixed", distance: 10),
"rocks": FieldMask(fields: "mixed", described: ["Rocks"]),
"first": FieldMask(fields: "mixed", numbers: [0]),
"#;
    let graph = "GridGraph(columns: 2, rows: 2, cell: 64)";
    let out = run(
        &text(graph, more),
        &[
            "seen.height",
            "seen.fields",
            "two.height",
            "after",
            "at once",
            "rocks",
            "first",
            "two.field_ids",
            "mixed.kinds",
        ],
    );
    let map = |index: usize| value::<Map>(&out, index);
    let fields = value::<Fields>(&out, 1);
    assert_eq!(fields.maps.len(), 4);
    // Each box extends one sample beyond the field on every side that is inside the map.
    assert_eq!(fields.maps[0].domain().size, (34, 34));
    // All four fields share one terrain: no step across edges is higher than those inside.
    let seen = map(0);
    let step = |x: usize, y: usize| (seen[(x, y)] - seen[(x + 1, y)]).abs();
    let across = (0..65).map(|y| step(31, y).max(step(32, y))).fold(0.0, f32::max);
    let inside =
        (0..65).flat_map(|y| (0..31).map(move |x| (x, y))).map(|(x, y)| step(x, y)).fold(0.0, f32::max);
    assert!(across <= inside, "{across} {inside}");
    let (two, rocks, ids) = (map(2), map(5), map(7));
    assert!((0..65).all(|i| map(6)[(i, i)] == f32::from(u8::from(ids[(i, i)] == 0.0))));
    assert!((0..65).all(|i| rocks[(i, 40)] == f32::from(u8::from(ids[(i, 40)] < 2.0))));
    assert!((0..65).all(|i| map(8)[(i, 9)] == f32::from(u8::from(ids[(i, 9)] < 2.0))));
    // Fields have separate seeds: the second differs from the first.
    let differ = (2..30).filter(|&i| (two[(i, i)] - two[(i, i + 32)]).abs() > 1e-3).count();
    assert!(differ > 20, "{differ}");
    // The stitched terrain is the same whether the fields are populated first or not.
    assert_eq!(map(3).samples(), map(4).samples());
}

#[test]
fn without_pinching_steps_stay_at_nodes() {
    let terrain = TERRAIN.replace("distance: 12", "distance: 12, method: Linear, pinch: $pinch");
    let terrain =
        terrain.replace("(0, \"Low\")", "(0, \"Low\"), (1, \"High\"), (2, \"High\"), (3, \"High\")");
    let at_node = |pinch: &str| {
        let more = terrain.replace("$pinch", pinch);
        let graph = "GridGraph(columns: 2, rows: 2, cell: 64)";
        let out = run(&text(graph, &more), &["whole", "whole.separators"]);
        let map = value::<Map>(&out, 0);
        let lines = value::<terrane::values::Paths>(&out, 1).lines.len();
        ((map[(31, 31)] - map[(32, 32)]).abs().max((map[(32, 31)] - map[(31, 32)]).abs()), lines)
    };
    let ((step, lines), (pinched, _)) = (at_node("false"), at_node("true"));
    // With pinching, slopes do not exceed the difference over the distance, here between samples on a
    // diagonal of 2 x 2 units.
    let asked = step * 8.0f32.sqrt() / 12.0;
    assert!(pinched < 1.5 * asked && step > 3.0 * pinched, "{step} {pinched} {asked}");
    assert_eq!(lines, 4, "one for each field at the node in the middle");
}

#[test]
fn edges_become_rivers_by_number_and_by_adjacent_fields() {
    let more = r#"
"fields": AssignTerrain(fields: "empty", descriptions: [("A", Noise(amplitude: 6)), ("B", Noise(weight: 0))],
    manual: [(0, "B"), (1, "B")]),
"ground": PopulateFields(fields: "fields"),
"by number": EdgeFeature(height: "ground.height", fields: "fields", numbers: [$edge], size: -9, width: 12),
"by name": EdgeFeature(height: "ground.height", fields: "fields", between: [("B", "B")], size: -9, width: 12),
"#;
    let graph = "GridGraph(columns: 2, rows: 2, cell: 64)";
    let out = run(&text(graph, &more.replace("$edge", "0")), &["fields"]);
    let fields = value::<Fields>(&out, 0);
    let both = |sides: &[Option<u32>; 2]| *sides == [Some(0), Some(1)] || *sides == [Some(1), Some(0)];
    let edge = fields.sections.sides.iter().position(both).expect("0 and 1 share an edge");
    let ports = ["by number", "by name", "ground.height", "by name.mask"];
    let out = run(&text(graph, &more.replace("$edge", &edge.to_string())), &ports);
    let map = |index: usize| value::<Map>(&out, index);
    assert_eq!(map(0).samples(), map(1).samples());
    let changed = (0..65 * 65).filter(|&i| map(1).samples()[i] != map(2).samples()[i]).count();
    let masked = map(3).samples().iter().filter(|&&part| part > 0.0).count();
    assert!(changed > 100 && changed <= masked && masked < 65 * 8, "{changed} {masked}");
    let said = said(&text(graph, &more.replace("$edge", "99")), "by number");
    assert!(said.contains("there is no edge 99"), "{said}");
}

/// A field that contains no sample is still a field: it has a number and a description, and its neighbours
/// meet next to it.
#[test]
fn fields_thinner_than_a_sample_have_no_samples() {
    let graph = "PlanarGraph(
        nodes: [(0, 0), (64.3, 0), (65.1, 0), (128, 0), (128, 128), (65.1, 128), (64.3, 128), (0, 128)],
        edges: [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 0), (1, 6), (2, 5)],
    )";
    for method in ["Smooth", "Linear"] {
        let more = TERRAIN.replace("distance: 12", &format!("distance: 12, method: {method}"));
        let out = run(&text(graph, &more), &["whole", "whole.field_ids", "named"]);
        assert_eq!(value::<Fields>(&out, 2).names.len(), 3);
        let (map, ids) = (value::<Map>(&out, 0), value::<Map>(&out, 1));
        let mut found: Vec<i32> = ids.samples().iter().map(|&id| id as i32).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(map.samples().iter().all(|height| height.is_finite() && (-20.0..80.0).contains(height)));
    }
}

#[test]
fn a_drawing_is_a_graph() {
    let registry = terrane::registry();
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../graphs/mijailovic/island.ron");
    let loaded = terrane::flow::load_file(&file, &registry, &terrane::flow::LoadOptions::default());
    let loaded = Arc::new(loaded.unwrap_or_else(|errors| panic!("{errors}")));
    let wanted = vec![Wanted::from("fields")];
    let out = engine(2, None).start(&loaded, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait();
    let fields = value::<Fields>(&out, 0);
    // The sea, and four fields of the island.
    assert_eq!(fields.sections.fields.len(), 5);
    let area = |field: &terrane::fields::sectioning::Field| field.area(&fields.plane);
    let all: f64 = fields.sections.fields.iter().map(area).sum();
    assert!((all / (2048.0 * 1536.0) - 1.0).abs() < 1e-6, "{all}");
    assert_eq!(fields.names[0], "Sea");
}
