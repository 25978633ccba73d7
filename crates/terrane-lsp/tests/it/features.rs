//! What editors show besides text, and the edits that they offer.

use serde_json::{Value as Json, json};

use crate::session::Session;

const GRAPH: &str = "// Two hills.
Graph(
    size: (65, 65),
    params: { \"height\": 40.0 },
    nodes: {
        \"hills\": Perlin(amplitude: \"$height\", wavelength: 30.0),
        \"worn\": ThermalErosion(height: \"hills\", talus: 0.6),
        \"lit\": Overlay(picture: \"shade\", mask: \"worn\", color: (255, 128, 0)),
        \"shade\": Hillshade(height: \"worn\"),
        \"both\": Combine(a: \"worn\", b: \"hills\", mode: Max),
    },
    outputs: { \"both.png\": \"both\" },
)
";

fn opened() -> Session {
    let session = Session::new(&[]);
    session.open("graph.ron", GRAPH);
    session
}

fn about(session: &Session) -> Json {
    json!({ "textDocument": { "uri": session.uri("graph.ron") } })
}

/// The text of a range of [`GRAPH`].
fn text(line: u64, from: u64, length: u64) -> &'static str {
    &GRAPH.lines().nth(line as usize).unwrap()[from as usize..(from + length) as usize]
}

#[test]
fn words_have_meanings() {
    let mut session = opened();
    let params = about(&session);
    let tokens = session.ask("textDocument/semanticTokens/full", params);
    let data: Vec<u64> = tokens["data"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let kinds = terrane_lsp::semantic::KINDS;
    let (mut line, mut column, mut told) = (0, 0, String::new());
    for token in data.chunks(5) {
        column = if token[0] == 0 { column + token[1] } else { token[1] };
        line += token[0];
        let declares = if token[4] == 1 { " (declared)" } else { "" };
        let kind = kinds[token[3] as usize];
        told += &format!("{line}: {} {kind}{declares}\n", text(line, column, token[2]));
    }
    insta::assert_snapshot!("words", told);
    // A part of the text has the same words there.
    let range = json!({ "start": { "line": 5, "character": 0 }, "end": { "line": 6, "character": 0 } });
    let params = json!({ "textDocument": { "uri": session.uri("graph.ron") }, "range": range });
    let part = session.ask("textDocument/semanticTokens/range", params);
    let within = told.lines().filter(|own| own.starts_with("5: ")).count();
    assert_eq!(part["data"].as_array().unwrap().len(), within * 5);
}

#[test]
fn units_and_defaults_are_hints() {
    let mut session = opened();
    let end = json!({ "line": 99, "character": 0 });
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
    let params = json!({ "textDocument": { "uri": session.uri("graph.ron") }, "range": range });
    let hints = session.ask("textDocument/inlayHint", params);
    let mut lines: Vec<String> = GRAPH.lines().map(str::to_owned).collect();
    for hint in hints.as_array().unwrap().iter().rev() {
        let line = &mut lines[hint["position"]["line"].as_u64().unwrap() as usize];
        let at = hint["position"]["character"].as_u64().unwrap() as usize;
        line.insert_str(at, &format!("<{}>", hint["label"].as_str().unwrap()));
    }
    insta::assert_snapshot!("hints", lines.join("\n"));
}

#[test]
fn colours_are_found_and_written() {
    let mut session = opened();
    let params = about(&session);
    let colours = session.ask("textDocument/documentColor", params);
    let [colour] = &colours.as_array().unwrap()[..] else { panic!("{colours}") };
    assert_eq!(colour["range"]["start"]["line"], 7);
    assert_eq!(colour["color"]["red"], 1.0);
    let chosen = json!({ "red": 0.0, "green": 1.0, "blue": 0.5, "alpha": 1.0 });
    let params = json!({
        "textDocument": { "uri": session.uri("graph.ron") }, "color": chosen, "range": colour["range"],
    });
    let written = session.ask("textDocument/colorPresentation", params);
    assert_eq!(written[0]["textEdit"]["newText"], "(0, 255, 128)");
}

#[test]
fn without_a_program_there_are_no_commands() {
    let mut session = opened();
    let params = about(&session);
    assert_eq!(session.ask("textDocument/codeLens", params), json!([]));
    let uri = session.uri("graph.ron");
    let said =
        session.ask("workspace/executeCommand", json!({ "command": "terrane.run", "arguments": [uri] }));
    assert_eq!(said, "this server has no commands");
}

/// The titles of the actions at `$0`, or at what is between two `$0`, and the edit of one.
fn actions(session: &mut Session, text: &str, title: &str) -> (Vec<String>, Option<Json>) {
    let (plain, positions) = {
        let mut plain = text.to_owned();
        let mut positions = Vec::new();
        while let Some(at) = plain.find("$0") {
            plain = plain.replacen("$0", "", 1);
            let before = &plain[..at];
            let line = before.matches('\n').count();
            positions.push(json!({ "line": line, "character": before.rsplit('\n').next().unwrap().len() }));
        }
        (plain, positions)
    };
    session.open("graph.ron", &plain);
    session.mistakes("graph.ron", 1);
    let range = json!({ "start": positions[0], "end": positions[positions.len() - 1] });
    let params = json!({
        "textDocument": { "uri": session.uri("graph.ron") }, "range": range, "context": { "diagnostics": [] },
    });
    let actions = session.ask("textDocument/codeAction", params);
    let actions = actions.as_array().unwrap().clone();
    let titles = actions.iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect();
    let found = actions.into_iter().find(|action| action["title"].as_str().unwrap().starts_with(title));
    (titles, found)
}

/// A text after the edits of an action.
fn applied(text: &str, edits: &Json) -> String {
    let mut text = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        let offset = |at: &Json| {
            let line = at["line"].as_u64().unwrap() as usize;
            let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
            start + at["character"].as_u64().unwrap() as usize
        };
        let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
        text.replace_range(start..end, edit["newText"].as_str().unwrap());
    }
    text
}

#[test]
fn a_value_becomes_a_parameter_and_back() {
    let mut session = Session::new(&[]);
    let (_, action) = actions(&mut session, &GRAPH.replace("talus: 0.6", "talus: 0$0.6"), "Extract `talus`");
    let uri = session.uri("graph.ron");
    let extracted = applied(GRAPH, &action.unwrap()["edit"]["changes"][&uri]);
    assert!(extracted.contains("talus: \"$talus\""), "{extracted}");
    assert!(extracted.contains("params: { \"height\": 40.0, \"talus\": 0.6 },"), "{extracted}");
    let mut session = Session::new(&[]);
    let with = extracted.replace("talus: \"$talus\"", "talus: \"$ta$0lus\"");
    let with = with.replace("\"$ta$0lus\"", "\"$ta\u{0}lus\"").replace("$0", "").replace('\u{0}', "$0");
    let (_, action) = actions(&mut session, &with, "Inline the parameter");
    let uri = session.uri("graph.ron");
    assert_eq!(applied(&extracted, &action.unwrap()["edit"]["changes"][&uri]), GRAPH);
}

/// A comment behind a parameter moves to the node that the value moves to.
#[test]
fn an_inlined_parameter_keeps_its_comment() {
    let params = "params: {\n        \"height\": 40.0, // Of the hills.\n        \"other\": 1.0,\n    },";
    let text = GRAPH.replace("params: { \"height\": 40.0 },", params);
    let mut session = Session::new(&[]);
    let (_, action) = actions(&mut session, &text.replace("$height", "$hei$0ght"), "Inline the parameter");
    let inlined = applied(&text, &action.unwrap()["edit"]["changes"][&session.uri("graph.ron")]);
    let node = "        // Of the hills.\n        \"hills\": Perlin(amplitude: 40.0, wavelength: 30.0),\n";
    assert!(inlined.contains(node), "{inlined}");
}

#[test]
fn nodes_become_a_subgraph_and_back() {
    let edits = json!({ "documentChanges": true, "resourceOperations": ["create"] });
    let mut session = Session::with_capabilities(&[], json!({ "workspace": { "workspaceEdit": edits } }));
    let selected = GRAPH
        .replace("        \"hills\": Perlin", "        $0\"hills\": Perlin")
        .replace("talus: 0.6),\n", "talus: 0.6),$0\n");
    let (titles, action) = actions(&mut session, &selected, "Extract the 2 nodes");
    let action = action.unwrap_or_else(|| panic!("{titles:?}"));
    let changes = &action["edit"]["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert!(changes[0]["uri"].as_str().unwrap().ends_with("/worn.ron"), "{changes}");
    let part = changes[1]["edits"][0]["newText"].as_str().unwrap();
    let outer = applied(GRAPH, &changes[2]["edits"]);
    for text in [part, &outer] {
        assert_eq!(terrane_flow::format_text("graph", text).unwrap(), text, "the usual layout stays");
    }
    assert!(
        part.contains("ThermalErosion") && outer.contains("Subgraph(file: \"worn.ron\""),
        "{part}{outer}"
    );
    // An editor that makes no files is not offered this.
    let mut plain = Session::new(&[("worn.ron", part)]);
    assert!(actions(&mut plain, &selected, "Extract the").1.is_none());
    let mut back = Session::new(&[("worn.ron", part)]);
    let with = outer.replace("Subgraph(", "Sub$0graph(");
    let (titles, action) = actions(&mut back, &with, "Inline the subgraph");
    let uri = back.uri("graph.ron");
    let edits = &action.unwrap_or_else(|| panic!("{titles:?}"))["edit"]["changes"][&uri];
    let inlined = applied(&outer, edits);
    assert!(inlined.contains("ThermalErosion(height: \"hills\", talus: 0.6)"), "{inlined}");
}

/// What a text does not need has no action, and a text with mistakes has fixes only.
#[test]
fn a_broken_text_is_mended_first() {
    let mut session = Session::new(&[]);
    let broken = GRAPH.replace("talus: 0.6)", "talus: 0$0.6");
    let (titles, _) = actions(&mut session, &broken, "");
    assert!(titles.iter().all(|title| !title.starts_with("Extract")), "{titles:?}");
}

/// Where nothing is known to be meant, the likeliest wires are offered.
#[test]
fn a_wire_that_means_nothing_can_be_connected() {
    for wrong in ["\"$0zzzzzz\"", "\"$0lit\""] {
        let mut session = Session::new(&[]);
        let broken =
            GRAPH.replace("ThermalErosion(height: \"hills\"", &format!("ThermalErosion(height: {wrong}"));
        let (titles, action) = actions(&mut session, &broken, "Connect to `hills`");
        assert_eq!(titles.iter().filter(|title| title.starts_with("Connect to")).count(), 3, "{titles:?}");
        let edits = &action.unwrap()["edit"]["changes"][&session.uri("graph.ron")];
        assert_eq!(applied(&broken.replace("$0", ""), edits), GRAPH);
    }
}

#[test]
fn a_copied_node_gets_a_name_of_its_own() {
    let mut session = Session::new(&[]);
    let line = "        \"worn\": ThermalErosion(height: \"hills\", talus: 0.6),\n";
    let copied = GRAPH.replace(line, &format!("{line}{}", line.replace("\"worn", "\"wo$0rn")));
    let (titles, action) = actions(&mut session, &copied, "Rename this one to `worn_2`");
    let edits = &action.unwrap_or_else(|| panic!("{titles:?}"))["edit"]["changes"][&session.uri("graph.ron")];
    let renamed = applied(&copied.replace("$0", ""), edits);
    assert_eq!(renamed, GRAPH.replace(line, &format!("{line}{}", line.replace("worn", "worn_2"))));
}

#[test]
fn a_field_that_is_given_twice_is_removed() {
    let mut session = Session::new(&[]);
    let twice = GRAPH.replace("talus: 0.6", "talus: 0.6, ta$0lus: 0.5");
    let (titles, action) = actions(&mut session, &twice, "Remove this `talus: 0.5`");
    let edits = &action.unwrap_or_else(|| panic!("{titles:?}"))["edit"]["changes"][&session.uri("graph.ron")];
    assert_eq!(applied(&twice.replace("$0", ""), edits), GRAPH);
}
