//! The mistakes of a file have the same words and the same place in the command, in an editor and on the
//! page.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::editor::{Editor, uri};
use crate::preview::Preview;
use crate::remedies::{Broken, broken};
use crate::running::terrane;

/// A mistake: its message and its help, and its line and column, both counted from 1.
type Mistake = (String, String, u64, u64);

/// What the command says of a file, except about its subgraphs' files.
fn commanded(case: &Broken) -> BTreeSet<Mistake> {
    let output = terrane(case.folder.path(), ["check", "--json", &case.file]);
    let lines = String::from_utf8(output.stdout).unwrap();
    let all = lines.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    all.filter(|own| own["warning"].is_null() && own["note"].is_null())
        .filter(|own| own["file"].is_null() || own["file"] == case.file)
        .map(|own| mistake(&own, case.folder.path()))
        .collect()
}

fn mistake(own: &Json, folder: &Path) -> Mistake {
    let folder = folder.canonicalize().unwrap().display().to_string();
    let relative = |text: &str| text.replace(&format!("{folder}/"), "").replace(&folder, ".");
    let text = |name: &str| relative(own[name].as_str().unwrap_or_default());
    // What has no place is said of the file.
    let place = |name: &str| own[name].as_u64().unwrap_or(1);
    (text("message"), text("help"), place("line"), place("column"))
}

/// What an editor shows in the file.
fn edited(editor: &mut Editor, case: &Broken) -> BTreeSet<Mistake> {
    let path = case.folder.path().join(&case.file);
    let (text, uri) = (fs::read_to_string(&path).unwrap(), uri(&path));
    let item = json!({ "uri": uri, "languageId": "ron", "version": 1, "text": text });
    editor.told.clear();
    let open = json!({ "textDocument": item });
    editor.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open }));
    let is_own = |told: &Json| told["params"]["uri"] == uri && told["params"]["version"] == 1;
    while !editor.told.iter().any(is_own) {
        let told = editor.read();
        editor.told.push(told);
    }
    let told = editor.told.iter().rfind(|told| is_own(told)).unwrap();
    let lines: Vec<&str> = text.split('\n').collect();
    let errors = told["params"]["diagnostics"].as_array().unwrap().iter().filter(|own| own["severity"] == 1);
    // The name of a file with mistakes is marked too: that file may not be open.
    let errors = errors.filter(|own| own["relatedInformation"].is_null());
    let all = errors.map(|own| {
        let (message, help) = own["message"]
            .as_str()
            .unwrap()
            .split_once("\nhelp: ")
            .unwrap_or_else(|| (own["message"].as_str().unwrap(), ""));
        let start = &own["range"]["start"];
        let (line, character) = (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap());
        // An editor counts units of UTF-16.
        let before: Vec<u16> = lines[line as usize].encode_utf16().take(character as usize).collect();
        let column = String::from_utf16(&before).unwrap().chars().count() as u64;
        // An editor knows the whole path; the command was given the file's name in its folder.
        let folder = case.folder.path().canonicalize().unwrap().display().to_string();
        let [message, help] =
            [message, help].map(|text| text.replace(&format!("{folder}/"), "").replace(&folder, "."));
        (message, help, line + 1, column + 1)
    });
    all.collect()
}

/// The cases whose file is a text.
fn texts() -> Vec<Broken> {
    broken()
        .into_iter()
        .filter(|case| fs::read_to_string(case.folder.path().join(&case.file)).is_ok())
        .collect()
}

#[test]
fn an_editor_says_what_the_command_says() {
    let cases = texts();
    assert!(cases.len() >= 200, "{}", cases.len());
    let mut editor = Editor::start(&std::env::temp_dir());
    let mut wrong = Vec::new();
    for case in &cases {
        let (told, wanted) = (edited(&mut editor, case), commanded(case));
        if told != wanted {
            wrong.push(format!("{}:\n  command {wanted:?}\n  editor  {told:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The page shows nodes that lack a wire as they are, with what they need, and the mistakes of all others.
#[test]
fn the_page_says_what_the_command_says() {
    let cases: Vec<Broken> = texts().into_iter().filter(|case| case.file == "g.ron").collect();
    assert!(cases.len() >= 150, "{}", cases.len());
    let preview = Preview::of(&[("g.ron", "Graph(nodes: {}, outputs: {})")], &[]);
    let mut page = preview.page();
    page.until(|_, state| state["phase"] == "done");
    let mut wrong = Vec::new();
    for case in &cases {
        clear(preview.folder.path());
        copy(case.folder.path(), preview.folder.path());
        let wanted = commanded(case);
        let shown = |state: &Json| -> BTreeSet<Mistake> {
            let errors = state["errors"].as_array().unwrap().iter();
            let own = errors.filter(|own| own["file"].is_null() || own["file"] == "g.ron");
            own.map(|own| mistake(own, preview.folder.path())).collect()
        };
        let is_same = |graph: &Json, state: &Json| {
            let shown = shown(state);
            shown == wanted || shown.is_empty() && wanted.iter().all(|mistake| waits(graph, mistake))
        };
        if !page.becomes(is_same, 4.0) {
            wrong.push(format!("{}:\n  command {wanted:?}\n  page    {:?}", case.name, shown(&page.state)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Whether a node of the page's graph shows that it lacks what a mistake names.
fn waits(graph: &Json, (message, ..): &Mistake) -> bool {
    let nodes = graph["nodes"].as_array();
    nodes.into_iter().flatten().any(|node| {
        let open = node["open"].as_array().unwrap().iter().filter_map(Json::as_str);
        let lacks = node["lacks"].as_str().is_some_and(|lacks| lacks.contains(&**message));
        lacks || open.into_iter().any(|port| message.contains(&format!("needs `{port}`")))
    })
}

/// Removes the files of a case.
fn clear(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_name().to_str() {
            Some("cache" | "g.ron") => {}
            _ if entry.path().is_dir() => fs::remove_dir_all(entry.path()).unwrap(),
            _ => fs::remove_file(entry.path()).unwrap(),
        }
    }
}

/// Copies the files of a case, the graph last.
fn copy(from: &Path, to: &Path) {
    let mut all: Vec<_> = fs::read_dir(from).unwrap().map(Result::unwrap).collect();
    all.sort_by_key(|entry| entry.file_name() == "g.ron");
    for entry in all.into_iter().filter(|entry| entry.file_name() != "cache") {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
