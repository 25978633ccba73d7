//! Damaged, incomplete and unwritable caches.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::testing::{Toys, number};
use terrane_flow::{Engine, EngineOptions, Loaded};

use super::support::{on_disk, run, start};

fn sums(toys: &Toys) -> Arc<Loaded> {
    toys.graph(r#""a": Take(), "b": Add(a: "a", b: 2.0), "c": Add(a: "b", b: "b.rest")"#)
}

fn files(folder: &Path, table: &str) -> Vec<PathBuf> {
    let shelves = fs::read_dir(folder.join(table)).into_iter().flatten().flatten();
    let files = shelves.flat_map(|shelf| fs::read_dir(shelf.path()).into_iter().flatten().flatten());
    let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
    files.sort();
    files
}

/// Runs, damages each file of a table in turn, and runs again.
fn after_harm(table: &str, harm: impl Fn(&Path, &[PathBuf])) -> Vec<String> {
    let toys = Toys::default();
    let graph = sums(&toys);
    let mut warnings = Vec::new();
    for at in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(number(&run(&on_disk(folder.path()), &graph, &["c"]), 0), Some(2.0));
        let files = files(folder.path(), table);
        let Some(file) = files.get(at) else { break };
        harm(file, &files);
        let evaluation = run(&on_disk(folder.path()), &graph, &["c", "b", "a"]);
        assert!(evaluation.succeeded(), "{:?}", evaluation.nodes);
        let numbers: Vec<_> = (0..3).map(|at| number(&evaluation, at)).collect();
        assert_eq!(numbers, [Some(2.0), Some(3.0), Some(1.0)]);
        warnings.extend(evaluation.warnings);
        // Recomputed files are undamaged.
        let evaluation = run(&on_disk(folder.path()), &graph, &["c", "b", "a"]);
        assert!(evaluation.ran().is_empty() && evaluation.warnings.is_empty(), "{evaluation:?}");
    }
    warnings
}

#[test]
fn a_value_changed_on_disk_is_computed_again_with_a_warning() {
    let warnings = after_harm("objects-3", |file, _| {
        let mut bytes = fs::read(file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(file, bytes).unwrap();
    });
    assert!(!warnings.is_empty());
    assert!(
        warnings.iter().all(|warning| warning.contains("is damaged and is computed again")),
        "{warnings:?}"
    );
}

#[test]
fn a_value_under_a_wrong_name_is_not_used() {
    let warnings = after_harm("objects-3", |file, files| {
        let other = files.iter().find(|other| *other != file).unwrap();
        fs::copy(other, file).unwrap();
    });
    assert!(!warnings.is_empty());
}

#[test]
fn a_missing_value_is_computed_again() {
    assert!(after_harm("objects-3", |file, _| fs::remove_file(file).unwrap()).is_empty());
}

#[test]
fn an_index_that_is_damaged_or_belongs_to_another_key_is_a_miss() {
    assert!(after_harm("index-3", |file, _| fs::write(file, "terrane index 3\n").unwrap()).is_empty());
    let of_another = |file: &Path, files: &[PathBuf]| {
        let other = files.iter().find(|other| *other != file).unwrap();
        fs::copy(other, file).unwrap();
    };
    assert!(after_harm("index-3", of_another).is_empty());
}

#[test]
fn an_unwritable_folder_is_reported_once() {
    let toys = Toys::default();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("not-a-folder");
    fs::write(&file, "x").unwrap();
    let engine = on_disk(&file);
    let evaluation = run(&engine, &sums(&toys), &["c"]);
    assert_eq!(number(&evaluation, 0), Some(2.0));
    assert!(evaluation.warnings.is_empty(), "no node waits for the disk");
    let problem = engine.flush().unwrap();
    assert!(problem.contains("cannot write results to the cache"), "{problem}");
    assert_eq!(number(&run(&engine, &sums(&toys), &["b"]), 0), Some(3.0));
    assert_eq!(engine.flush(), None, "once");
    // Without a flush, the next evaluation reports it.
    let engine = on_disk(&file);
    let first = start(&engine, &toys.graph(r#""a": Take()"#), &["a"]);
    assert!(first.wait().warnings.is_empty());
    while run(&engine, &sums(&toys), &["c"]).warnings.is_empty() {
        std::thread::yield_now();
    }
}

#[test]
fn nodes_get_their_inputs_without_any_cache() {
    let toys = Toys::default();
    let options = EngineOptions { threads: 2, memory: 0, reuse: false, ..EngineOptions::default() };
    let engine = Engine::new(options).unwrap();
    for _ in 0..2 {
        let evaluation = run(&engine, &sums(&toys), &["c", "a"]);
        assert_eq!((number(&evaluation, 0), number(&evaluation, 1)), (Some(2.0), Some(1.0)));
        assert_eq!(toys.log.take(), ["Add 2", "Add 3", "Take 1"]);
    }
}
