//! `terrane diff`.

use crate::running::{self, told};

const BEFORE: &str = "Graph(
    size: (65, 65),
    params: { \"high\": 40.0 },
    nodes: {
        \"hills\": Perlin(amplitude: \"$high\", wavelength: 30.0),
        \"worn\": ThermalErosion(height: \"hills\", talus: 0.6, iterations: 5),
        \"soft\": Blur(height: \"worn\"),
    },
    outputs: { \"soft.npy\": \"soft\", \"hills.npy\": \"hills\" },
)
";

/// The exit code and what is printed for two texts.
fn compared(after: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder =
        running::folder(&[("a.ron", BEFORE.as_bytes().to_vec()), ("b.ron", after.as_bytes().to_vec())]);
    let mut arguments = vec!["diff", "a.ron", "b.ron"];
    arguments.extend(more);
    let (output, said) = told(folder.path(), arguments);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), if printed.is_empty() { said } else { printed })
}

#[test]
fn the_same_graph_has_no_differences() {
    let commented = BEFORE.replace("    nodes", "    // A comment.\n\n    nodes");
    let (code, said) = compared(&commented, &[]);
    assert_eq!((code, said.as_str()), (Some(0), "soft.npy: the same\nhills.npy: the same\n"));
    assert_eq!(compared(&commented, &["--text"]).0, Some(0));
}

#[test]
fn a_parameter_changes_what_is_downstream() {
    let (code, said) = compared(&BEFORE.replace("talus: 0.6", "talus: 0.4"), &[]);
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "node worn.talus: 0.6 -> 0.4");
    assert!(lines[1].starts_with("soft.npy: ") && lines[1].contains("of the samples differ, by "), "{said}");
    assert_eq!(lines[2..], ["hills.npy: the same"]);
}

#[test]
fn a_node_that_is_renamed_is_one_difference() {
    let after = BEFORE.replace("\"worn\"", "\"slid\"");
    let (code, said) = compared(&after, &[]);
    assert_eq!(code, Some(1), "the text differs");
    assert_eq!(said, "node slid.name: worn -> slid\nsoft.npy: the same\nhills.npy: the same\n");
}

#[test]
fn everything_else_that_can_differ() {
    let after = BEFORE
        .replace("(65, 65)", "(33, 33)")
        .replace("40.0", "50.0")
        .replace("\"soft\": Blur(height: \"worn\")", "\"soft\": Blur(height: \"hills\", radius: 9.0)")
        .replace("\"hills.npy\": \"hills\"", "\"hills.png\": Export(from: \"hills\", depth: U8)");
    let (code, said) = compared(&after, &["--text"]);
    assert_eq!(code, Some(1));
    insta::assert_snapshot!("all_differences", said);
    let (_, json) = compared(&after, &["--text", "--json"]);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first["of"], "header");
    assert_eq!((&first["name"], &first["before"]), (&"size".into(), &"(65, 65)".into()));
}
