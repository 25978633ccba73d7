//! Arbitrary messages: the server answers each request, does not panic, and writes nothing outside its
//! folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use crate::client::{HILLS, answers, setup};

/// Any JSON.
fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        "[a-z./]{0,12}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map("[a-z_]{0,8}", inner, 0..4)
                .prop_map(|map| map.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

/// A path that may lead out.
fn path() -> impl Strategy<Value = Json> {
    let known =
        ["g.ron", "new.ron", "../g.ron", "out", "link/x.ron", "/etc/passwd", "", ".", "..", "sub/g.ron"];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(Json::from), any_json()]
}

/// Arguments that are often meant.
fn arguments() -> impl Strategy<Value = Json> {
    let fields = [
        "text", "digest", "edits", "create", "out", "port", "ports", "only", "set", "size", "words", "accept",
    ];
    let more = prop::collection::btree_map(
        prop::sample::select(fields.to_vec()),
        prop_oneof![any_json(), path(), Just(json!(HILLS)), Just(json!([9, 9])), Just(json!(true))],
        0..4,
    );
    (path(), more).prop_map(|(path, more)| {
        let mut all = json!({ "path": path });
        more.into_iter().for_each(|(name, value)| all[name] = value);
        all
    })
}

/// A line of a client.
fn message() -> impl Strategy<Value = String> {
    let tools =
        ["find_nodes", "node", "catalogue", "read", "check", "edit", "run", "digest", "picture", "explain"];
    let tool = prop::sample::select(tools.to_vec());
    let called = (tool, prop_oneof![arguments(), any_json()], 0..4_u8).prop_map(|(tool, arguments, id)| {
        let params = json!({ "name": tool, "arguments": arguments });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    });
    let methods = ["initialize", "ping", "tools/list", "resources/read", "notifications/cancelled", "x"];
    let other =
        (prop::sample::select(methods.to_vec()), any_json(), any_json()).prop_map(|(method, id, params)| {
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
        });
    let any = any_json().prop_map(|json| json.to_string());
    prop_oneof![4 => called, 2 => other, 1 => any, 1 => "[^\n]{0,40}"]
}

/// The files below a folder, with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            found.insert(path.display().to_string(), fs::read(&path).unwrap());
        } else if path.is_dir() && !path.is_symlink() && !path.ends_with("inside") {
            found.extend(files(&path));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_messages_are_survived_and_nothing_is_written_outside(
        messages in prop::collection::vec(message(), 1..12)
    ) {
        let outer = tempfile::tempdir().unwrap();
        let inside = outer.path().join("inside");
        fs::create_dir(&inside).unwrap();
        fs::write(outer.path().join("g.ron"), HILLS).unwrap();
        fs::write(inside.join("g.ron"), HILLS).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path(), inside.join("link")).unwrap();
        let before = files(outer.path());
        let answers = answers(setup(&inside), &(messages.join("\n") + "\n"));
        prop_assert!(answers.iter().all(|answer| answer["jsonrpc"] == "2.0"));
        let told = answers.iter().map(Json::to_string).collect::<String>();
        prop_assert!(!told.contains("failed within the program"), "{told}");
        prop_assert_eq!(files(outer.path()), before);
        // A text that was not read in the session is as it was, unless a message read it before.
        let was_read = messages.iter().any(|message| message.contains("read") || message.contains("check"));
        if !was_read {
            prop_assert_eq!(fs::read_to_string(inside.join("g.ron")).unwrap(), HILLS);
        }
    }
}
