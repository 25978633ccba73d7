//! `terrane lsp` as an editor runs it: commands, and results of earlier runs.

use std::path::Path;

use serde_json::json;

use crate::editor::{Editor, uri};
use crate::running;

const GRAPH: &str = "Graph(
    size: (65, 65),
    nodes: {
        \"hills\": Perlin(amplitude: 40.0, wavelength: 30.0),
        \"worn\": ThermalErosion(height: \"hills\", talus: 0.6),
    },
    outputs: { \"worn.png\": \"worn\" },
)
";

fn open(editor: &mut Editor, path: &Path) -> String {
    let uri = uri(path);
    let item = json!({ "uri": uri, "languageId": "ron", "version": 1, "text": GRAPH });
    let params = json!({ "textDocument": item });
    editor.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params }));
    uri
}

#[test]
fn a_graph_is_run_and_its_results_are_shown() {
    let folder = running::folder(&[("g.ron", GRAPH.as_bytes().to_vec())]);
    let folder = folder.path();
    let mut editor = Editor::start(folder);
    let uri = open(&mut editor, &folder.join("g.ron"));
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let titles: Vec<&str> =
        lenses.as_array().unwrap().iter().map(|lens| lens["command"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Preview", "Run", "Accept snapshots"]);
    let hover = json!({ "textDocument": { "uri": uri }, "position": { "line": 4, "character": 11 } });
    let before = editor.ask("textDocument/hover", hover.clone());
    let text = before["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("runs next time: the graph has not run before"), "{text}");
    let done = editor.execute("terrane.run", json!([uri]));
    assert_eq!(done["ok"], true, "{done}");
    assert!(folder.join("out/worn.png").exists());
    let shown = editor.told.iter().find(|told| told["method"] == "window/showMessage").unwrap();
    assert!(shown["params"]["message"].as_str().unwrap().contains("nodes ran"), "{shown}");
    let after = editor.ask("textDocument/hover", hover);
    let text = after["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("![height](data:image/png;base64,"), "{text:.100}");
    assert!(text.contains("\n\ncached, took "), "{text}");
    let done = editor.execute("terrane.accept", json!([uri]));
    assert_eq!(done["ok"], true, "{done}");
    assert!(folder.join("snapshots").is_dir());
    // A graph that fails says so.
    std::fs::write(folder.join("g.ron"), GRAPH.replace("Perlin", "Perlim")).unwrap();
    let done = editor.execute("terrane.run", json!([uri]));
    assert_eq!(done["ok"], false, "{done}");
    let said = done["message"].as_str().unwrap();
    assert!(said.contains("did you mean `Perlin`") && said.contains("unsaved changes"), "{said}");
}

#[test]
fn the_preview_is_opened_once() {
    let folder = running::folder(&[("g.ron", GRAPH.as_bytes().to_vec())]);
    let folder = folder.path();
    let mut editor = Editor::start(folder);
    let uri = open(&mut editor, &folder.join("g.ron"));
    let place = json!({ "line": 4, "character": 20 });
    let closed = editor.execute("terrane.show", json!([uri, place]));
    assert_eq!(closed, "the preview is not open: open it first");
    let first = editor.execute("terrane.preview", json!([uri]));
    assert!(first["address"].as_str().unwrap().starts_with("http://127.0.0.1:"), "{first}");
    let shown = editor.told.iter().find(|told| told["method"] == "window/showDocument").unwrap();
    assert_eq!((&shown["params"]["uri"], &shown["params"]["external"]), (&first["address"], &json!(true)));
    assert_eq!(editor.execute("terrane.preview", json!([uri])), first);
    assert_eq!(editor.execute("terrane.show", json!([uri, place])), json!({ "node": "worn" }));
}

/// After `shutdown`, only `exit` is taken; without `shutdown`, `exit` is a failure.
#[test]
fn a_server_ends_as_the_protocol_says() {
    let folder = running::folder(&[("g.ron", GRAPH.as_bytes().to_vec())]);
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let mut editor = Editor::start(folder.path());
    assert_eq!(editor.ask("shutdown", json!(null)), json!(null));
    assert_eq!(editor.ask("textDocument/foldingRange", json!({})), "the server was shut down");
    editor.send(exit.clone());
    assert_eq!(editor.ended(), Some(0));
    let mut editor = Editor::start(folder.path());
    editor.send(exit);
    assert_eq!(editor.ended(), Some(1));
}

/// A server that is killed cannot end its previews. They end by themselves.
#[test]
fn a_preview_ends_with_the_server() {
    let folder = running::folder(&[("g.ron", GRAPH.as_bytes().to_vec())]);
    let mut editor = Editor::start(folder.path());
    let uri = open(&mut editor, &folder.path().join("g.ron"));
    let opened = editor.execute("terrane.preview", json!([uri]));
    let address = opened["address"].as_str().unwrap().strip_prefix("http://").unwrap();
    let host = address.split('/').next().unwrap().to_owned();
    let is_there = || std::net::TcpStream::connect(&host).is_ok();
    assert!(is_there());
    drop(editor);
    let began = std::time::Instant::now();
    while is_there() {
        assert!(began.elapsed().as_secs() < 60, "the preview goes on");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}

#[test]
fn what_is_outside_the_open_folder_is_refused() {
    let folder = running::folder(&[("h.ron", GRAPH.as_bytes().to_vec())]);
    let folder = folder.path();
    std::fs::create_dir(folder.join("in")).unwrap();
    std::fs::write(folder.join("in/g.ron"), GRAPH).unwrap();
    let mut editor = Editor::start(&folder.join("in"));
    let outside = uri(&folder.join("h.ron"));
    for command in ["terrane.run", "terrane.accept", "terrane.preview", "terrane.show"] {
        let said = editor.execute(command, json!([outside]));
        assert!(said.as_str().unwrap().contains("is outside the folder that is open"), "{command}: {said}");
    }
    let said = editor.execute("terrane.delete", json!([uri(&folder.join("in/g.ron"))]));
    assert_eq!(said, "terrane does not know the command `terrane.delete`");
}

/// After a run, an editor shows what values tell, without another run; an edit of the output changes it.
#[test]
fn warnings_of_values_are_shown_after_a_run() {
    let text = GRAPH.replace("\"worn\" },", "Export(from: \"worn\", range: (1000, 2000)) },");
    let folder = running::folder(&[("g.ron", text.as_bytes().to_vec())]);
    let folder = folder.path();
    let mut editor = Editor::start(folder);
    let uri = uri(&folder.join("g.ron"));
    let item = json!({ "uri": uri, "languageId": "ron", "version": 1, "text": text });
    let open = json!({ "textDocument": item });
    editor.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open }));
    assert_eq!(shown(&mut editor, 1), Vec::<String>::new(), "nothing has run");
    assert_eq!(editor.execute("terrane.run", json!([uri]))["ok"], true);
    let change = |editor: &mut Editor, version: i32, range: &str| {
        let text = text.replace("(1000, 2000)", range);
        let document = json!({ "uri": uri, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
        editor.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params }));
        shown(editor, version)
    };
    assert_eq!(change(&mut editor, 2, "(1000, 2001)"), ["clipped-export"]);
    assert_eq!(change(&mut editor, 3, "(-90000, 90000)"), ["coarse-export"]);
    assert_eq!(change(&mut editor, 4, "(-50, 50)"), Vec::<String>::new());
}

/// The names of the warnings of a version.
fn shown(editor: &mut Editor, version: i32) -> Vec<String> {
    loop {
        let told = editor.told.iter().rfind(|told| told["params"]["version"] == version);
        if let Some(told) = told {
            let all = told["params"]["diagnostics"].as_array().unwrap().iter();
            return all.map(|own| own["code"].as_str().unwrap_or_default().to_owned()).collect();
        }
        let told = editor.read();
        editor.told.push(told);
    }
}

#[test]
fn a_text_that_is_no_message_is_answered_and_the_next_one_too() {
    let folder = running::folder(&[("g.ron", GRAPH.as_bytes().to_vec())]);
    let mut editor = Editor::start(folder.path());
    for text in ["", "{", "[1]", "\u{1b}", "{\"jsonrpc\": 2}"] {
        editor.write(text);
        let answer = editor.read();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(null), &json!(-32700)), "{text:?}");
    }
    let uri = open(&mut editor, &folder.path().join("g.ron"));
    let folds = editor.ask("textDocument/foldingRange", json!({ "textDocument": { "uri": uri } }));
    assert!(!folds.as_array().unwrap().is_empty());
}
