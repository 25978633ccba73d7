//! What an editor gets, for each thing that it can ask.

use serde_json::{Value as Json, json};

use terrane_runs::lint::Warning;

use crate::session::{Session, applied};

const GRAPH: &str = "Graph(
    size: (65, 65),
    params: { \"height\": 40.0 },
    nodes: {
        \"hills\": Perlin(amplitude: \"$height\"),
        \"worn\": ThermalErosion(height: \"hills\"),
        \"mask\": Select(height: \"worn\", range: (10.0, 40.0)),
        \"both\": Combine(a: \"worn\", b: \"hills\", mode: Max),
    },
    outputs: { \"both.png\": \"both\" },
)
";

/// The labels of proposals with their details.
pub fn labels(items: &Json, most: usize) -> Vec<String> {
    let items = items["items"].as_array().unwrap();
    let of = |item: &Json| {
        let detail = item["detail"].as_str().map(|detail| format!(" ({detail})")).unwrap_or_default();
        format!("{}{detail}", item["label"].as_str().unwrap())
    };
    items.iter().take(most).map(of).collect()
}

/// What is proposed where `$0` replaces a part of the graph.
fn proposals(part: &str, with: &str, most: usize) -> Vec<String> {
    assert!(GRAPH.contains(part), "{part}");
    let mut session = Session::new(&[]);
    let position = session.open("graph.ron", &GRAPH.replacen(part, with, 1));
    let items = session.at("completion", "graph.ron", &position);
    labels(&items, most)
}

#[test]
fn completion_proposes_what_may_stand_there() {
    assert_eq!(proposals("Graph(", "Gr$0", 9), ["Graph", "World"]);
    let fields = proposals("size: (65, 65)", "$0", 9);
    let names: Vec<&str> = fields.iter().map(|label| label.split(' ').next().unwrap()).collect();
    assert_eq!(names, ["size", "spacing", "origin", "seed", "profiles"], "what is given is left out");
    let types = proposals("Perlin(amplitude: \"$height\")", "$0", 200);
    assert!(types.len() > 70 && types.iter().any(|own| own == "Subgraph (files)"), "{types:?}");
    // Ports that must be connected come first, then what matters most.
    let fields = proposals("ThermalErosion(height: \"hills\")", "ThermalErosion($0)", 3);
    assert!(fields[0] == "height (map)" && fields[1].starts_with("talus"), "{fields:?}");
    // A wire that fits, without a cycle, the likeliest first.
    let wires = proposals("b: \"hills\"", "b: \"$0\"", 20);
    assert_eq!(wires[0], "hills (map, world units)", "{wires:?}");
    assert!(!wires.iter().any(|own| own.starts_with("both")), "{wires:?}");
    let wires = proposals("height: \"hills\"", "height: $0", 9);
    assert_eq!(wires[0], "hills (map, world units)");
    assert!(!wires.iter().any(|own| own.starts_with("mask") || own.starts_with("both")), "cycles: {wires:?}");
    // The default, and what the type's example has.
    assert_eq!(proposals("mode: Max", "mode: $0", 2), ["Add", "Lerp"]);
    assert_eq!(proposals("\"both.png\": \"both\"", "\"both.png\": \"$0\"", 1), ["both (map, world units)"]);
    assert_eq!(proposals("\"$height\"", "\"$$0\"", 1), ["$height (parameter, 40.0)"]);
    // In a comment, and for names that the author chooses, nothing.
    assert_eq!(proposals("size: (65, 65),", "size: (65, 65), // $0", 9), Vec::<String>::new());
    assert_eq!(proposals("\"hills\": Perlin", "\"$0\": Perlin", 9), Vec::<String>::new());
    // Behind a value the next field, behind a key nothing.
    assert_eq!(proposals("mode: Max", "mode: Max $0", 1), ["radius (a number)"]);
    assert_eq!(proposals("mode: Max", "mode $0: Max", 9), Vec::<String>::new());
}

/// A proposal replaces what is begun, and closes a quote that is open.
#[test]
fn a_proposal_is_an_edit() {
    let mut session = Session::new(&[]);
    let position = session
        .open("graph.ron", &GRAPH.replacen("\"hills\"),\n        \"mask\"", "\"hi$0),\n        \"mask\"", 1));
    let items = session.at("completion", "graph.ron", &position);
    let edit = &items["items"][0]["textEdit"];
    assert_eq!(edit["newText"], "hills\"");
    assert_eq!(edit["range"]["start"]["character"], 40, "{edit}");
    assert_eq!(edit["range"]["end"], position);
}

#[test]
fn hovers() {
    let hover = |part: &str, with: &str| {
        let mut session = Session::new(&[]);
        let position = session.open("graph.ron", &GRAPH.replacen(part, with, 1));
        let hover = session.at("hover", "graph.ron", &position);
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let all = [
        ("Perlin", "Per$0lin"),
        ("amplitude", "am$0plitude"),
        ("\"$height\"", "\"$he$0ight\""),
        ("height: \"hills\"", "hei$0ght: \"hills\""),
        ("height: \"hills\"", "height: \"hi$0lls\""),
        ("mode: Max", "mode: M$0ax"),
        ("range: (10.0", "range: (1$00.0"),
        ("size", "si$0ze"),
        ("\"mask\"", "\"ma$0sk\""),
        ("Graph(", "Gr$0aph("),
    ];
    let told: Vec<String> =
        all.iter().map(|(part, with)| format!("== {with}\n{}\n", first(&hover(part, with)))).collect();
    insta::assert_snapshot!("hovers", told.join("\n"));
}

/// The first lines of a text.
fn first(text: &str) -> String {
    text.lines().take(6).collect::<Vec<_>>().join("\n")
}

const STORM: &str = "Graph(
    params: { \"share\": 0.5 },
    nodes: {
        \"ground\": Perlin(),
        \"slid\": ThermalErosion(height: \"ground\", talus: \"$share\"),
    },
    outputs: { \"slid.png\": \"slid\" },
)
";

const OUTER: &str = "Graph(
    nodes: {
        \"dem\": Perlin(),
        \"worn\": Repeat(
            file: \"storm.ron\",
            times: 3,
            inputs: { \"ground\": \"dem\" },
            carry: { \"slid\": \"ground\" },
            params: { \"share\": 0.25 },
        ),
        \"once\": Subgraph(file: \"storm.ron\"),
        \"both\": Combine(a: \"worn\", b: \"once/ground\"),
    },
    outputs: { \"both.png\": \"both\", \"slid.png\": \"once.slid\" },
)
";

#[test]
fn definitions_lead_into_other_files() {
    let mut session = Session::new(&[("storm.ron", STORM), ("outer.ron", OUTER)]);
    let mut told = String::new();
    for (version, (part, with)) in [
        ("file: \"storm.ron\"", "file: \"sto$0rm.ron\""),
        ("{ \"ground\"", "{ \"gro$0und\""),
        ("\"dem\" },", "\"de$0m\" },"),
        ("\"share\": 0.25", "\"sha$0re\": 0.25"),
        ("once/ground", "on$0ce/ground"),
        ("once/ground", "once/gro$0und"),
        ("once.slid", "once.sl$0id"),
        ("\"both.png\": \"both\"", "\"both.png\": \"bo$0th\""),
        ("times", "ti$0mes"),
    ]
    .into_iter()
    .enumerate()
    {
        let text = OUTER.replacen(part, with, 1);
        let version = version as i32 + 1;
        let position = if version == 1 {
            session.open("outer.ron", &text)
        } else {
            session.set("outer.ron", version, &text)
        };
        let found = session.at("definition", "outer.ron", &position);
        let uri = found["uri"].as_str().unwrap_or("none").rsplit('/').next().unwrap().to_owned();
        told += &format!("{with} -> {uri} {}\n", range(&found["range"]));
    }
    insta::assert_snapshot!("definitions", told);
}

/// A range in short.
fn range(range: &Json) -> String {
    let at = |end: &Json| format!("{}:{}", end["line"], end["character"]);
    if range.is_null() { String::new() } else { format!("{}-{}", at(&range["start"]), at(&range["end"])) }
}

/// A rename changes the declaration and all uses, also in files that use this one as a subgraph, and the
/// graphs still load.
#[test]
fn renames_reach_the_files_that_use_this_one() {
    let mut session =
        Session::new(&[("storm.ron", STORM), ("outer.ron", OUTER), ("other.ron", "Graph(nodes: {})")]);
    for (file, text, part, with, expected) in [
        ("storm.ron", STORM, "\"ground\": Perlin", "\"gro$0und\": Perlin", 5),
        ("storm.ron", STORM, "\"share\": 0.5", "\"sh$0are\": 0.5", 3),
        ("outer.ron", OUTER, "\"once\": Subgraph", "\"on$0ce\": Subgraph", 3),
    ] {
        let position = session.open(file, &text.replacen(part, with, 1));
        let uri = session.uri(file);
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": "new" });
        let edit = session.ask("textDocument/rename", params);
        let mut texts = vec![("storm.ron", STORM.to_owned()), ("outer.ron", OUTER.to_owned())];
        let mut count = 0;
        for (name, text) in &mut texts {
            let edits = edit["changes"][session.uri(name)].as_array().cloned().unwrap_or_default();
            count += edits.len();
            apply(text, &edits);
        }
        assert_eq!(count, expected, "{with}: {edit}");
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in &texts {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let registry = terrane_nodes::registry();
        for (name, text) in &texts {
            let checked = terrane_runs::check(&folder.path().join(name), &registry, &Default::default());
            assert!(checked.mistakes.0.is_empty(), "{text}\n{}", checked.mistakes);
        }
        session.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    // A name that is taken, and a place without a name.
    let position = session.open("outer.ron", &OUTER.replacen("\"once\": S", "\"on$0ce\": S", 1));
    let uri = session.uri("outer.ron");
    let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": "dem" });
    let refused = session.ask("textDocument/rename", params);
    assert!(refused.as_str().is_some_and(|words| words.contains("dem")), "{refused}");
}

/// Applies the edits of an editor.
fn apply(text: &mut String, edits: &[Json]) {
    let lines = terrane_lsp::lines::Lines::new(text.as_str().into(), terrane_lsp::lines::Encoding::Utf16);
    let offset = |end: &Json| lines.offset(serde_json::from_value(end.clone()).unwrap());
    let mut all: Vec<(usize, usize, String)> = edits
        .iter()
        .map(|edit| {
            let new = edit["newText"].as_str().unwrap().to_owned();
            (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), new)
        })
        .collect();
    all.sort();
    for (start, end, new) in all.into_iter().rev() {
        text.replace_range(start..end, &new);
    }
}

#[test]
fn references_symbols_folds_and_formatting() {
    let mut session = Session::new(&[("storm.ron", STORM), ("outer.ron", OUTER)]);
    let position = session.open("storm.ron", &STORM.replacen("\"ground\": P", "\"gr$0ound\": P", 1));
    let uri = session.uri("storm.ron");
    let context = json!({ "includeDeclaration": true });
    let params = json!({ "textDocument": { "uri": uri }, "position": position, "context": context });
    let found = session.ask("textDocument/references", params);
    let places: Vec<String> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            format!("{} {}", one["uri"].as_str().unwrap().rsplit('/').next().unwrap(), range(&one["range"]))
        })
        .collect();
    assert_eq!(
        places,
        [
            "storm.ron 3:9-3:15",
            "storm.ron 4:40-4:46",
            "outer.ron 6:23-6:29",
            "outer.ron 7:30-7:36",
            "outer.ron 11:44-11:50"
        ]
    );
    let of = json!({ "textDocument": { "uri": uri } });
    let symbols = session.ask("textDocument/documentSymbol", of.clone());
    let told: Vec<String> = symbols
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|part| {
            let name = part["name"].as_str().unwrap();
            let inner = part["children"].as_array().unwrap().iter();
            inner.map(move |one| format!("{name} {} {}", one["name"], one["detail"])).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(
        told,
        [
            "params \"share\" \"0.5\"",
            "nodes \"ground\" \"Perlin\"",
            "nodes \"slid\" \"ThermalErosion\"",
            "outputs \"slid.png\" \"\\\"slid\\\"\""
        ]
    );
    let folds = session.ask("textDocument/foldingRange", of);
    let lines: Vec<String> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| format!("{}-{}", fold["startLine"], fold["endLine"]))
        .collect();
    assert_eq!(lines, ["0-6", "2-4"]);
    // Formatting a text that is formatted changes nothing.
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": uri }, "options": options });
    assert_eq!(session.ask("textDocument/formatting", params.clone()), json!([]));
    let narrow = STORM.replace("    ", " ");
    session.set("storm.ron", 2, &narrow);
    let edits = session.ask("textDocument/formatting", params);
    // The first and the last line stay.
    assert_eq!((edits.as_array().unwrap().len(), &edits[0]["range"]["start"]["line"]), (1, &json!(1)));
    assert_eq!(applied(&narrow, edits.as_array().unwrap().clone()), STORM);
}

#[test]
fn mistakes_are_shown_and_mended() {
    let mut session = Session::new(&[]);
    let broken = GRAPH.replace("Perlin", "Perlinn").replace("(65, 65)", "(65 65)");
    session.open("graph.ron", &broken);
    let found = session.mistakes("graph.ron", 1);
    let told: Vec<String> = found
        .iter()
        .map(|one| format!("{} {} {}", range(&one["range"]), one["code"], one["message"]))
        .collect();
    insta::assert_snapshot!("mistakes", told.join("\n"));
    // Each mistake with a fix has an action. After all of them, there is none.
    let mut text = broken.clone();
    for version in 2..9 {
        let uri = session.uri("graph.ron");
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
        let params =
            json!({ "textDocument": { "uri": uri }, "range": whole, "context": { "diagnostics": [] } });
        let actions = session.ask("textDocument/codeAction", params);
        let mut preferred = actions.as_array().unwrap().iter().filter(|own| own["isPreferred"] == true);
        let Some(action) = preferred.next().cloned() else { break };
        apply(&mut text, action["edit"]["changes"][&uri].as_array().unwrap());
        session.set("graph.ron", version, &text);
        session.mistakes("graph.ron", version);
    }
    assert_eq!(text, GRAPH);
    // A warning names its node.
    let flat = GRAPH.replace("amplitude: \"$height\"", "").replace("(65, 65),", "(65, 65), spacing: 40.0,");
    session.set("graph.ron", 20, &flat);
    let found = session.mistakes("graph.ron", 20);
    assert!(found.iter().any(|one| one["severity"] == 2 && one["range"]["start"]["line"] == 5), "{found:?}");
}

/// Random edits, sent in parts, end in the text and in the mistakes that `terrane check` finds.
#[test]
fn storms_of_edits_end_in_the_mistakes_of_check() {
    let mut session = Session::new(&[]);
    session.open("graph.ron", GRAPH);
    let mut text = GRAPH.to_owned();
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    let parts = ["\"", "(", ")", ",", "}", "ä𝄞", "\n", "height: ", "\"hills\"", "Blur(", "$", "", "", ""];
    for version in 2..302 {
        let lines = terrane_lsp::lines::Lines::new(text.as_str().into(), Default::default());
        let start = text.floor_char_boundary(random(text.len() + 1));
        let end = text.ceil_char_boundary((start + random(12)).min(text.len()));
        let part = parts[random(parts.len())];
        let change = json!({ "range": lines.range(&(start..end)), "text": part });
        // Now and then back to a text without mistakes.
        let changes = if version % 60 == 0 { vec![change, json!({ "text": GRAPH })] } else { vec![change] };
        text.replace_range(start..end, part);
        if version % 60 == 0 {
            text = GRAPH.to_owned();
        }
        let document = json!({ "uri": session.uri("graph.ron"), "version": version });
        session
            .tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
        if version % 7 == 0 {
            session.at("completion", "graph.ron", &json!({ "line": random(10), "character": random(40) }));
        }
        if version % 20 == 1 {
            let shown = session.mistakes("graph.ron", version);
            std::fs::write(session.path("graph.ron"), &text).unwrap();
            let registry = terrane_nodes::registry();
            let checked = terrane_runs::check(&session.path("graph.ron"), &registry, &Default::default());
            let mut wanted: Vec<String> = checked.mistakes.0.iter().map(|one| one.message.clone()).collect();
            let warning = |one: &Warning| match &*one.node {
                "" => one.diagnostic.message.clone(),
                node => format!("{node}: {}", one.diagnostic.message),
            };
            wanted.extend(checked.warnings.iter().map(warning));
            let shown: Vec<String> = shown
                .iter()
                .map(|one| one["message"].as_str().unwrap().split("\nhelp: ").next().unwrap().to_owned())
                .collect();
            for message in &wanted {
                assert!(shown.contains(message), "{message}\n{shown:#?}\n{text}");
            }
            assert!(shown.len() <= wanted.len(), "{shown:#?} {wanted:#?}");
        }
    }
}

/// Files of the kind that is read are proposed, and only below the graph's folder.
#[test]
fn files_are_proposed_below_the_folder() {
    let files = [("in/parts/storm.ron", STORM), ("in/data.tif", ""), ("outside.ron", STORM)];
    let mut session = Session::new(&files);
    let ask_of = |session: &mut Session, kind: &str, path: &str, version| {
        let text =
            format!("Graph(nodes: {{ \"a\": {kind}(file: \"{path}$0\"), \"b\": Blur(height: \"a\") }})");
        let position = if version == 1 {
            session.open("in/graph.ron", &text)
        } else {
            session.set("in/graph.ron", version, &text)
        };
        let items = session.at("completion", "in/graph.ron", &position);
        let definition = session.at("definition", "in/graph.ron", &position);
        (labels(&items, 9), definition)
    };
    assert_eq!(ask_of(&mut session, "Import", "", 1).0, ["data.tif", "parts/"]);
    let ask = |session: &mut Session, path: &str, version| ask_of(session, "Subgraph", path, version);
    assert_eq!(ask(&mut session, "", 2).0, ["parts/", "parts/storm.ron"]);
    assert_eq!(ask(&mut session, "parts/", 3).0, ["parts/storm.ron"]);
    assert!(
        ask(&mut session, "parts/storm.ron", 4).1["uri"].as_str().unwrap().ends_with("in/parts/storm.ron")
    );
    for path in ["../", "../outside.ron", "/", "/etc/hostname"] {
        let (labels, definition) = ask(&mut session, path, 5);
        assert!(labels.is_empty() && definition.is_null(), "{path}: {labels:?} {definition}");
    }
}
