//! Keys: what results depend on.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use terrane_flow::Outcome;
use terrane_flow::testing::{Toys, number};

use super::support::{engine, outcome, run};

#[test]
fn a_change_runs_exactly_the_downstream_nodes() {
    let toys = Toys::default();
    let engine = engine(2);
    let text = |amount: &str, by: &str| {
        toys.graph(&format!(
            r#""a": Take(amount: {amount}), "x": Take(amount: 9.0), "b": Add(a: "a", b: "x", by: {by}),
                "c": Add(a: "b"), "y": Floor(a: "x")"#
        ))
    };
    assert_eq!(run(&engine, &text("1.0", "1.0"), &["c", "y"]).ran().len(), 5);
    assert_eq!(run(&engine, &text("1.0", "1.0"), &["c", "y"]).ran().len(), 0);
    assert_eq!(run(&engine, &text("1.00", "1e0"), &["c", "y"]).ran().len(), 0, "numbers, not their text");
    assert_eq!(run(&engine, &text("1.0", "2.0"), &["c", "y"]).ran(), ["b", "c"]);
    assert_eq!(run(&engine, &text("3.0", "2.0"), &["c", "y"]).ran(), ["a", "b", "c"]);
}

#[test]
fn the_seed_is_in_the_keys_of_nodes_that_use_it() {
    let toys = Toys::default();
    let engine = engine(2);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "one two").unwrap();
    let text = |seed: u64| {
        toys.load(
            folder.path(),
            &format!(
                r#"Graph(seed: {seed}, nodes: {{ "t": Take(), "r": Read(file: "a.txt"),
                    "c": Count(words: "r") }})"#
            ),
        )
    };
    assert_eq!(run(&engine, &text(1), &["t", "c"]).ran().len(), 3);
    let evaluation = run(&engine, &text(2), &["t", "c"]);
    assert_eq!(evaluation.ran(), ["t"]);
    assert_eq!(number(&evaluation, 0), Some(3.0));
}

#[test]
fn the_key_depends_on_the_content_of_a_file_and_not_its_time() {
    let toys = Toys::default();
    let engine = engine(2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.txt");
    let graph =
        || toys.load(folder.path(), r#"Graph(nodes: { "r": Read(file: "a.txt"), "c": Count(words: "r") })"#);
    let at = |second: u64| {
        let file = fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(second)).unwrap();
    };
    fs::write(&path, "one two").unwrap();
    at(1_000_000);
    assert_eq!(run(&engine, &graph(), &["c"]).ran(), ["r", "c"]);
    fs::write(&path, "one two").unwrap();
    at(2_000_000);
    assert!(run(&engine, &graph(), &["c"]).ran().is_empty());
    fs::write(&path, "uno due").unwrap();
    at(3_000_000);
    assert_eq!(run(&engine, &graph(), &["c"]).ran(), ["r", "c"], "other words, so others are counted");
    fs::write(&path, "eins  zwei").unwrap();
    at(4_000_000);
    let evaluation = run(&engine, &graph(), &["c"]);
    assert_eq!(number(&evaluation, 0), Some(2.0));
}

#[test]
fn the_key_does_not_depend_on_name_and_position() {
    let toys = Toys::default();
    let engine = engine(2);
    let first = toys.graph(r#""a": Take(amount: 4.0), "b": Add(a: "a", b: 1.0)"#);
    let other = toys
        .graph(r#""top": Add(a: "below", b: 1.0), "unused": Take(amount: 3.0), "below": Take(amount: 4.0)"#);
    let _made = run(&engine, &first, &["b"]);
    assert!(run(&engine, &other, &["top"]).ran().is_empty());
}

#[test]
fn resolving_runs_nothing_and_returns_what_would_run() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(r#""a": Take(), "f": Floor(a: "a"), "b": Add(a: "f")"#);
    let says = |graph: &Arc<terrane_flow::Loaded>| -> Vec<(bool, bool, bool)> {
        let resolved = engine.resolve(graph, &[(2, 0)]);
        resolved.iter().map(|node| (node.key.is_some(), node.known, node.runs)).collect()
    };
    assert_eq!(says(&graph), [(true, false, true), (false, false, true), (false, false, true)]);
    let _made = run(&engine, &graph, &["b"]);
    assert_eq!(says(&graph), [(true, true, false); 3]);
    assert_eq!(toys.log.take(), ["Add 1", "Floor 1", "Take 1"]);
    let parts = engine.key_parts(&graph, &[(2, 0)]);
    let names: Vec<&str> = parts[0].1.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["type", "graph seed", "amount", "more", "seed"]);
}

#[test]
fn a_cheap_node_is_known_by_its_key_and_others_by_their_content() {
    let toys = Toys::default();
    let engine = engine(2);
    let graph = toys.graph(
        r#""a": Fill(bytes: 100000), "b": Paint(a: "a", with: 7), "c": Paint(a: "b", with: 7),
            "m": Measure(a: "c")"#,
    );
    let keys = || engine.resolve(&graph, &[(3, 0)]).iter().filter(|node| node.key.is_some()).count();
    assert_eq!(keys(), 1);
    let _made = run(&engine, &graph, &["a"]);
    assert_eq!(keys(), 4, "no cheap node has to run for the keys behind it");
    let made = run(&engine, &graph, &["a", "b", "c", "m"]);
    assert_eq!(made.ran(), ["b", "c", "m"]);
    let (ids, contents): (Vec<_>, Vec<_>) = made
        .outputs
        .iter()
        .map(|output| (output.id.unwrap().0, output.value.as_ref().unwrap().digest().0))
        .unzip();
    assert_eq!((ids[0], ids[3]), (contents[0], contents[3]));
    assert_eq!(contents[1], contents[2]);
    assert!(ids[1] != ids[2] && !ids[1..3].contains(&contents[1]), "not hashed");
}

#[test]
fn the_header_is_in_the_keys_of_nodes_that_use_it() {
    let toys = Toys::default();
    let engine = engine(2);
    let text = |size: u32| {
        let nodes = r#""s": Size(), "b": Add(a: "s"), "t": Take(), "f": Floor(a: "t")"#;
        toys.load(Path::new("."), &format!("Graph(size: {size}, nodes: {{ {nodes} }})"))
    };
    assert_eq!(run(&engine, &text(1), &["b", "f"]).ran().len(), 4);
    let evaluation = run(&engine, &text(2), &["b", "f"]);
    assert_eq!(evaluation.ran(), ["s", "b"]);
    assert_eq!(number(&evaluation, 0), Some(2.0));
}

#[test]
fn a_node_cannot_read_settings_outside_its_key() {
    let toys = Toys::default();
    let graph = toys.graph(r#""h": Peek(), "s": Peek(at_seed: true)"#);
    let evaluation = run(&engine(1), &graph, &["h", "s"]);
    for (node, expected) in [("h", "declare it with #[node(header)]"), ("s", "give it a parameter `seed`")] {
        let Outcome::Failed(error) = outcome(&evaluation, node) else { panic!("{node} ran") };
        assert!(error.to_string().contains(expected), "{error}");
    }
}
