//! Nodes start when there is memory for them.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::testing::{Log, Toys};
use terrane_flow::{Engine, EngineOptions, Event, Loaded};

use super::support::{run, start};

/// The bytes of a block. Smaller values are not counted.
const BLOCK: u64 = 100_000;

fn bounded(threads: usize, blocks: u64) -> Engine {
    let budget = Some(blocks * BLOCK);
    Engine::new(EngineOptions { threads, budget, memory: 0, ..EngineOptions::default() }).unwrap()
}

fn blocks(toys: &Toys, nodes: &str) -> Arc<Loaded> {
    toys.load(Path::new("."), &format!("Graph(size: {BLOCK}, nodes: {{ {nodes} }})"))
}

/// Independent fills, each with a measure.
fn wide(toys: &Toys, count: u64) -> (Arc<Loaded>, Vec<String>) {
    let nodes: String = (0..count)
        .map(|i| format!(r#""f{i}": Fill(bytes: {BLOCK}, with: {i}), "m{i}": Measure(a: "f{i}"), "#))
        .collect();
    (blocks(toys, &nodes), (0..count).map(|i| format!("m{i}")).collect())
}

#[test]
fn values_in_memory_stay_within_the_budget() {
    for threads in [1, 2, 8, 32] {
        let toys = Toys::default();
        let engine = bounded(threads, 4);
        let (graph, wanted) = wide(&toys, 40);
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        let evaluation = run(&engine, &graph, &wanted);
        assert!(evaluation.succeeded());
        assert!(engine.peak() <= 4 * BLOCK, "{} on {threads} threads", engine.peak());
        assert!(engine.peak() >= BLOCK, "blocks are counted");
    }
}

#[test]
fn a_thread_continues_with_its_result_before_starting_new_nodes() {
    for threads in [1, 2, 8, 32] {
        let toys = Toys::default();
        let engine = bounded(threads, 1000);
        let (graph, wanted) = wide(&toys, 100);
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        assert!(run(&engine, &graph, &wanted).succeeded());
        assert!(engine.peak() <= threads as u64 * BLOCK, "{} on {threads} threads", engine.peak());
    }
}

#[test]
fn known_and_unread_values_are_not_in_the_forecast() {
    let options = EngineOptions { threads: 2, ..EngineOptions::default() };
    let engine = Engine::new(options).unwrap();
    let forecast = |graph: &Arc<Loaded>, wanted: &[&str]| {
        let job = start(&engine, graph, wanted);
        let planned = job.events().recv().unwrap();
        assert!(job.wait().succeeded());
        let Event::Planned { forecast, .. } = planned else { panic!("{planned:?}") };
        forecast
    };
    let toys = Toys::default();
    let (graph, wanted) = wide(&toys, 20);
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let process = forecast(&graph, &wanted) - 2 * BLOCK;
    assert!(forecast(&graph, &wanted) < process + BLOCK, "everything is cached");
    let (more, all) = wide(&toys, 21);
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(forecast(&more, &all) / BLOCK, process / BLOCK + 1, "one node is new");
    let another =
        blocks(&toys, &format!(r#""f0": Fill(bytes: {BLOCK}, with: 0), "p": Paint(a: "f0", with: 3)"#));
    let loaded_and_made = forecast(&another, &["p"]);
    assert_eq!((loaded_and_made - process) / BLOCK, 2, "loaded values count too");
}

/// Layers of `Paint` nodes, each with one or two inputs from the previous layer. Some values wait for other
/// values while further nodes could run.
fn layers(toys: &Toys, seed: u64) -> Arc<Loaded> {
    let mut numbers = StdRng::seed_from_u64(seed);
    let mut random = |below: u64| numbers.random_range(..below);
    let mut nodes = String::new();
    for layer in 0..6 {
        for i in 0..8 {
            let text = match layer {
                0 => format!("Fill(bytes: {BLOCK}, with: {i})"),
                _ => format!(r#"Paint(a: "n{}_{}", with: {})"#, layer - 1, random(8), random(200)),
            };
            nodes.push_str(&format!(r#""n{layer}_{i}": {text}, "#));
        }
    }
    for i in 0..8 {
        nodes.push_str(&format!(r#""m{i}": Measure(a: "n5_{i}"), "#));
    }
    blocks(toys, &nodes)
}

#[test]
fn graphs_that_fit_serially_end_within_the_budget() {
    let ends: Vec<String> = (0..8).map(|i| format!("m{i}")).collect();
    let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
    for seed in 0..40 {
        let toys = Toys::default();
        let graph = layers(&toys, seed);
        let positions: Vec<_> = ends
            .iter()
            .map(|name| graph.graph.find(&terrane_flow::Reference::parse(name)).unwrap())
            .collect();
        let serial = graph.plan.forecast(&graph.graph, &positions, 1).serial;
        for threads in [1, 8] {
            let engine = bounded(threads, serial / BLOCK);
            assert!(run(&engine, &graph, &ends).succeeded());
            assert!(engine.peak() <= serial, "{} of {serial}, seed {seed}, {threads} threads", engine.peak());
        }
    }
}

#[test]
fn a_graph_larger_than_the_budget_still_ends() {
    let toys = Toys::default();
    let (graph, wanted) = wide(&toys, 12);
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let engine = bounded(8, 0);
    assert!(run(&engine, &graph, &wanted).succeeded());
    assert!(engine.peak() <= 2 * BLOCK, "one at a time: {}", engine.peak());
}

#[test]
fn jobs_share_one_budget() {
    let engine = bounded(8, 4);
    let jobs: Vec<_> = (0..6)
        .map(|_| {
            let toys = Toys { log: Log::default() };
            let (graph, wanted) = wide(&toys, 10);
            start(&engine, &graph, &wanted.iter().map(String::as_str).collect::<Vec<_>>())
        })
        .collect();
    assert!(jobs.into_iter().all(|job| job.wait().succeeded()));
    assert!(engine.peak() <= 4 * BLOCK, "{}", engine.peak());
}

#[test]
fn reserved_memory_makes_nodes_wait_and_waiting_nodes_can_be_cancelled() {
    let engine = bounded(2, 4);
    let toys = Toys::default();
    let (graph, wanted) = wide(&toys, 4);
    let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
    let aside = engine.set_aside(4 * BLOCK);
    let cancelled = start(&engine, &graph, &wanted);
    std::thread::sleep(Duration::from_millis(50));
    assert!(toys.log.take().is_empty(), "nothing runs");
    cancelled.cancel();
    let before = Instant::now();
    assert!(!cancelled.wait().succeeded());
    assert!(before.elapsed() < Duration::from_secs(20), "it did not wait for memory");
    let job = start(&engine, &graph, &wanted);
    drop(aside);
    assert!(job.wait().succeeded());
}

#[test]
fn several_nodes_wait_for_reserved_memory_and_each_gets_its_share() {
    let engine = bounded(2, 4);
    let first = engine.set_aside(4 * BLOCK);
    let others: Vec<_> = (0..6)
        .map(|_| {
            let engine = engine.clone();
            std::thread::spawn(move || drop(engine.set_aside(3 * BLOCK)))
        })
        .collect();
    std::thread::sleep(Duration::from_millis(50));
    drop(first);
    others.into_iter().for_each(|other| other.join().unwrap());
    assert!(engine.peak() <= 4 * BLOCK, "one after the other: {}", engine.peak());
}

#[test]
fn cached_values_are_dropped_when_nodes_need_memory() {
    let budget = Some(4 * BLOCK);
    let options = EngineOptions { threads: 2, budget, memory: 4 * BLOCK, ..EngineOptions::default() };
    let engine = Engine::new(options).unwrap();
    for _ in 0..3 {
        let toys = Toys::default();
        let (graph, wanted) = wide(&toys, 20);
        let wanted: Vec<&str> = wanted.iter().map(String::as_str).collect();
        assert!(run(&engine, &graph, &wanted).succeeded());
        assert!(engine.peak() <= 4 * BLOCK, "{}", engine.peak());
    }
}

#[test]
fn a_cached_value_that_is_also_on_disk_is_edited_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(DiskCache::new(folder.path(), 1 << 30));
    let options = EngineOptions { threads: 1, store: Some(store), ..EngineOptions::default() };
    let engine = Engine::new(options).unwrap();
    let toys = Toys::default();
    let graph = blocks(
        &toys,
        &format!(r#""a": Fill(bytes: {BLOCK}), "b": Paint(a: "a", with: 1), "m": Measure(a: "b")"#),
    );
    assert!(run(&engine, &graph, &["a"]).succeeded());
    assert_eq!(engine.flush(), None);
    let _filled = toys.log.take();
    assert!(run(&engine, &graph, &["m"]).succeeded());
    let log = toys.log.take();
    assert!(log.contains(&"Paint 1 in place".to_owned()), "{log:?}");
}

#[test]
fn the_forecast_names_the_node_with_the_most_memory_and_respects_threads() {
    let toys = Toys::default();
    let (graph, wanted) = wide(&toys, 8);
    let positions: Vec<_> =
        wanted.iter().map(|name| graph.graph.find(&terrane_flow::Reference::parse(name)).unwrap()).collect();
    let on = |threads| graph.plan.forecast(&graph.graph, &positions, threads);
    assert_eq!(on(1).serial, BLOCK);
    let of = |threads| on(threads).parallel / BLOCK;
    assert_eq!(
        [of(1), of(2), of(4), of(32)],
        [1, 2, 4, 8],
        "a thread measures its block before it fills another"
    );
    let graph = blocks(
        &toys,
        r#""a": Fill(), "b": Fill(with: 1), "c": Paint(a: "a", with: 1), "m": Measure(a: "c"),
            "n": Measure(a: "b")"#,
    );
    let all: Vec<_> = (0..5).map(|node| (node, 0)).collect();
    let forecast = graph.plan.forecast(&graph.graph, &all, 1);
    assert_eq!(forecast.serial, 3 * BLOCK, "wanted values are held until the end");
    assert!(forecast.worst.is_some_and(|node| node < 3));
}
