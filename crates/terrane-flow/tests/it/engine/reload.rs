//! A graph file that changes while it is evaluated.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crossbeam_channel::{Receiver, never};
use terrane_flow::live::{Finished, Live, Turn};
use terrane_flow::testing::{Toys, number, registry, wanted};
use terrane_flow::{Engine, LoadOptions, Loaded};

use super::support::engine;

/// Saves a file as editors do.
fn save(path: &Path, text: &str) {
    let next = path.with_extension("next");
    fs::write(&next, text).unwrap();
    fs::rename(next, path).unwrap();
}

/// Follows a file until a job ends, or until a mistake.
fn turn(live: &mut Live, engine: &Engine, log: &Toys, names: &[&str]) -> Result<Finished, String> {
    let no_requests: Receiver<()> = never();
    loop {
        match live.next(&no_requests) {
            Turn::Loaded(loaded) => {
                let loaded = log.logged(loaded);
                let job = engine.start(&loaded, wanted(names)).unwrap();
                live.follow(job, loaded);
            }
            Turn::Broken(mistakes) => return Err(mistakes.render(false)),
            Turn::Finished(finished) => return Ok(finished),
            Turn::Event(_) | Turn::Asked(()) | Turn::Closed => {}
        }
    }
}

fn live(path: &Path) -> Live {
    Live::new(path, registry(), LoadOptions::default()).unwrap()
}

const SLOW: &str = r#"Graph(nodes: { "w": Wait(gate: "g"), "b": Add(a: "w", b: 1.0) })"#;

#[test]
fn shared_nodes_continue_and_stale_nodes_are_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.ron");
    let slow = |b: &str, stale: &str| {
        format!(
            r#"Graph(nodes: {{ "w": Wait(gate: "g"), "s": Wait(gate: "{stale}"), "b": Add(a: "w", b: {b}),
                "c": Add(a: "b", b: "s") }})"#
        )
    };
    save(&path, &slow("1.0", "old"));
    let (toys, engine) = (Toys::default(), engine(4));
    let mut live = live(&path);
    let (log, file) = (toys.log.clone(), path.clone());
    let changed = std::thread::spawn(move || {
        log.until_waiting("g", 1);
        log.until_waiting("old", 1);
        save(&file, &slow("2.0", "new"));
        log.until_waiting("new", 1);
        // The old job may end at any time. Until then it may continue with shared nodes.
        log.until_noted("Wait old stopped");
        log.open("g");
        log.open("new");
    });
    let finished = turn(&mut live, &engine, &toys, &["c"]).unwrap();
    changed.join().unwrap();
    assert_eq!(number(&finished.evaluation, 0), Some(2.0));
    assert_eq!(toys.log.take(), ["Add 2", "Add 2", "Wait g", "Wait new", "Wait old stopped"]);
}

#[test]
fn a_save_with_a_mistake_does_not_affect_the_running_job() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.ron");
    save(&path, SLOW);
    let (toys, engine) = (Toys::default(), engine(2));
    let mut live = live(&path);
    let (log, file) = (toys.log.clone(), path.clone());
    let broken = std::thread::spawn(move || {
        log.until_waiting("g", 1);
        save(&file, "Graph(nodes: { \"w\": Wate(gate: \"g\") })");
    });
    let mistake = turn(&mut live, &engine, &toys, &["b"]).err().unwrap();
    broken.join().unwrap();
    assert!(mistake.contains("Wate"), "{mistake}");
    toys.log.open("g");
    let finished = turn(&mut live, &engine, &toys, &["b"]).unwrap();
    assert_eq!(number(&finished.evaluation, 0), Some(1.0));
    assert_eq!(toys.log.take(), ["Add 1", "Wait g"]);
}

#[test]
fn a_file_that_a_node_reads_is_watched_too() {
    let folder = tempfile::tempdir().unwrap();
    let (path, words) = (folder.path().join("g.ron"), folder.path().join("a.txt"));
    fs::write(&words, "one two").unwrap();
    save(&path, r#"Graph(nodes: { "r": Read(file: "a.txt"), "c": Count(words: "r") })"#);
    let (toys, engine) = (Toys::default(), engine(2));
    let mut live = live(&path);
    let count = |finished: Finished| number(&finished.evaluation, 0);
    assert_eq!(count(turn(&mut live, &engine, &toys, &["c"]).unwrap()), Some(2.0));
    save(&words, "one two three");
    assert_eq!(count(turn(&mut live, &engine, &toys, &["c"]).unwrap()), Some(3.0));
}

#[test]
fn a_reloaded_graph_uses_the_state_of_the_old_one() {
    let toys = Toys::default();
    let engine = engine(2);
    let read = |b: &str| -> Arc<Loaded> {
        toys.graph(&format!(r#""a": Take(), "b": Add(a: "a", b: {b}), "c": Add(a: "b", b: "a")"#))
    };
    for (b, ran) in [("1.0", 3), ("1.0", 0), ("2.0", 2), ("1.0", 0), ("2.0", 0)] {
        let evaluation = engine.start(&read(b), wanted(&["c"])).unwrap().wait();
        assert_eq!(evaluation.ran().len(), ran, "{b}");
    }
}
