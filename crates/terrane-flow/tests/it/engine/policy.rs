//! Which results are kept for other runs.

use std::path::Path;
use std::sync::Arc;

use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::testing::{Toys, number, registry};
use terrane_flow::{Engine, EngineOptions, Keep, LoadOptions, Loaded, load, schema};

use super::support::{on_disk, run};

/// Three blocks of 100 kB, two of which are cheap, and a number.
const NODES: &str = r#""a": Fill(bytes: 100000), "b": Paint(a: "a", with: 1), "c": Paint(a: "b", with: 2),
    "m": Measure(a: "c")"#;

fn usage(folder: &Path) -> (u64, u64, Vec<String>) {
    let usage = DiskCache::new(folder, u64::MAX).usage();
    let not_kept = usage.not_kept.iter().map(|(not_kept, count)| format!("{count} {not_kept}"));
    (usage.objects, usage.object_bytes, not_kept.collect())
}

fn keeping_all(folder: &Path) -> Engine {
    let store: Arc<dyn Store> = Arc::new(DiskCache::new(folder, u64::MAX));
    let options = EngineOptions { memory: 0, store: Some(store), keep_all: true, ..EngineOptions::default() };
    Engine::new(options).unwrap()
}

#[test]
fn cheap_results_are_not_kept() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = toys.graph(NODES);
    assert_eq!(run(&on_disk(folder.path()), &graph, &["m"]).ran().len(), 4);
    let (objects, bytes, not_kept) = usage(folder.path());
    assert_eq!(objects, 2, "the first block, and the number");
    assert!(bytes < 101_000, "{bytes}");
    assert_eq!(not_kept, ["2 Paint computes it about as fast as it could be read"]);
    // The number is known. The identities of unkept values are known too.
    let again = run(&on_disk(folder.path()), &graph, &["m"]);
    assert!(again.ran().is_empty());
    assert_eq!(number(&again, 0), Some(100_000.0));
    // A wanted block is computed from the kept values.
    assert_eq!(run(&on_disk(folder.path()), &graph, &["c"]).ran(), ["b", "c"]);
}

#[test]
fn a_change_downstream_starts_from_kept_values() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let _made = run(&on_disk(folder.path()), &toys.graph(NODES), &["m"]);
    let changed = NODES.replace("with: 2", "with: 3");
    assert_eq!(run(&on_disk(folder.path()), &toys.graph(&changed), &["m"]).ran(), ["b", "c", "m"]);
}

#[test]
fn the_graph_or_the_command_can_override_what_is_kept() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let own = NODES
        .replace("with: 1", "with: 1, keep: Always")
        .replace("bytes: 100000", "bytes: 100000, keep: Never");
    let graph = toys.graph(&own);
    let _made = run(&on_disk(folder.path()), &graph, &["m"]);
    let (objects, _, not_kept) = usage(folder.path());
    assert_eq!(objects, 2, "the second block, and the number");
    let expected =
        ["1 the graph sets `keep: Never`", "1 Paint computes it about as fast as it could be read"];
    assert_eq!(not_kept, expected);
    // The choice of kept values does not change known identities.
    assert!(run(&on_disk(folder.path()), &toys.graph(NODES), &["m"]).ran().is_empty());
    let all = tempfile::tempdir().unwrap();
    let _made = run(&keeping_all(all.path()), &graph, &["m"]);
    assert_eq!((usage(all.path()).0, usage(all.path()).2.len()), (4, 0));
    for output in ["a", "b", "c", "m"] {
        assert!(run(&on_disk(all.path()), &graph, &[output]).ran().is_empty());
    }
}

#[test]
fn small_results_are_kept_even_if_cheap() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = toys.graph(&NODES.replace("100000", "60000"));
    let _made = run(&on_disk(folder.path()), &graph, &["m"]);
    assert_eq!((usage(folder.path()).0, usage(folder.path()).2.len()), (4, 0));
}

#[test]
fn an_entry_without_values_is_not_collected_with_those_whose_values_are_gone() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let graph = toys.graph(NODES);
    let _made = run(&on_disk(folder.path()), &graph, &["m"]);
    // So small that every value is removed.
    assert!(DiskCache::new(folder.path(), 0).collect() > 100_000);
    let usage = DiskCache::new(folder.path(), 0).usage();
    assert_eq!((usage.objects, usage.keys), (0, 2));
    let again = run(&on_disk(folder.path()), &graph, &["m"]);
    assert_eq!(number(&again, 0), Some(100_000.0));
}

#[test]
fn files_of_the_old_index_are_misses_and_are_removed() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("index/ab");
    std::fs::create_dir_all(&old).unwrap();
    std::fs::write(old.join("ab".repeat(32)), "terrane index 1\n").unwrap();
    std::fs::write(old.join("notes.txt"), "mine").unwrap();
    let _made = run(&on_disk(folder.path()), &toys.graph(NODES), &["m"]);
    assert!(!old.join("ab".repeat(32)).exists());
    assert!(old.join("notes.txt").exists());
}

fn mistakes(node: &str) -> String {
    let text = format!("Graph(nodes: {{ \"a\": {node} }})");
    let loaded: Result<Loaded, _> =
        load("g.ron", &text, Path::new("."), &registry(), &LoadOptions::default());
    loaded.map(|_| String::new()).unwrap_or_else(|mistakes| mistakes.render(false))
}

#[test]
fn every_node_accepts_keep() {
    let toys = Toys::default();
    let graph = toys.load(
        Path::new("."),
        r#"Graph(params: { "k": Always }, nodes: { "a": Take(keep: Never), "b": Take(keep: "$k"),
            "c": Take(keep: None), "d": Take() })"#,
    );
    let keeps: Vec<_> = graph.graph.nodes.values().map(|node| node.keep).collect();
    assert_eq!(keeps, [Some(Keep::Never), Some(Keep::Always), None, None]);
    let message = mistakes("Take(keep: Nevr)");
    assert!(message.contains("Never") && message.contains("g.ron:1:32"), "{message}");
    let message = mistakes("Take(kepp: Never)");
    assert!(message.contains("`Take` has no field `kepp`") && message.contains("keep"), "{message}");
    let message = mistakes("Take(keep: Never, keep: Always)");
    assert!(message.contains("appears twice"), "{message}");
    let schema = schema::json_schema(&registry()).to_string();
    assert!(schema.contains("\"keep\""), "editors complete it");
}
