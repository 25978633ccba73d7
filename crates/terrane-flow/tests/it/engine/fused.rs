//! Nodes that are evaluated together.

use std::path::Path;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::testing::{Field, Toys, wanted};
use terrane_flow::{
    Engine, EngineOptions, Evaluation, Loaded, NodeError, Observer, Outcome, Reference, Seen, lock,
};

use super::support::{engine, events, outcome, run, start};

/// The bytes of a field of the default number of samples.
const FIELD: u64 = 160_000;

fn fields(toys: &Toys, nodes: &str) -> Arc<Loaded> {
    toys.load(Path::new("."), &format!("Graph(size: {FIELD}, nodes: {{ {nodes} }})"))
}

/// An engine that makes every value.
fn apart(threads: usize) -> Engine {
    Engine::new(EngineOptions { threads, keep_all: true, ..EngineOptions::default() }).unwrap()
}

fn without_memory(threads: usize) -> Engine {
    Engine::new(EngineOptions { threads, memory: 0, ..EngineOptions::default() }).unwrap()
}

fn samples(evaluation: &Evaluation, at: usize) -> &[f32] {
    &evaluation.outputs[at].value.as_ref().unwrap().get::<Field>().unwrap().0
}

/// The nodes that ran without making a value, except those that make a number, which has no bytes.
fn inner(evaluation: &Evaluation) -> Vec<&str> {
    let inner = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Ran && node.bytes == 0);
    inner.map(|node| &*node.node).filter(|name| !"fnt".contains(name)).collect()
}

const CHAIN: &str = r#""a": Rise(), "b": Plus(a: "a", b: 1.0), "c": Plus(a: "b", b: "a", by: 2.0),
    "d": Plus(a: "c", b: "b")"#;

#[test]
fn only_the_last_value_of_a_chain_is_made() {
    let toys = Toys::default();
    let (graph, engine) = (fields(&toys, CHAIN), without_memory(2));
    let evaluation = run(&engine, &graph, &["d"]);
    // (2 a + 1) · 2 + a + 1
    let expected: Vec<f32> = (0..40_000).map(|a| 5.0 * a as f32 + 3.0).collect();
    assert_eq!(samples(&evaluation, 0), expected);
    assert_eq!(inner(&evaluation), ["b", "c"]);
    assert_eq!(evaluation.ran(), ["a", "b", "c", "d"]);
    assert_eq!(toys.log.take(), ["Plus", "Plus", "Plus", "Rise 0"]);
    // The memory of the result is reserved while its map is overwritten.
    assert!(engine.peak() <= 2 * FIELD, "{}", engine.peak());
    assert_eq!(samples(&run(&apart(2), &graph, &["d"]), 0), expected);
}

#[test]
fn values_that_are_asked_for_are_made() {
    let toys = Toys::default();
    let graph = fields(&toys, CHAIN);
    let evaluation = run(&engine(2), &graph, &["c", "d"]);
    assert_eq!(inner(&evaluation), ["b"; 0], "both `c` and `d` read `b`");
    assert_eq!(samples(&evaluation, 0)[7], 30.0);
    let read = fields(&toys, &format!(r#"{CHAIN}, "t": Top(a: "b")"#));
    let evaluation = run(&engine(2), &read, &["d", "t"]);
    assert_eq!(inner(&evaluation), ["c"], "`t` reads `b`");
    let kept = CHAIN.replace("Plus(a: \"b\",", "Plus(keep: Always, a: \"b\",");
    let folder = tempfile::tempdir().unwrap();
    let on_disk = || -> Engine {
        let store: Arc<dyn Store> = Arc::new(DiskCache::new(folder.path(), 1 << 30));
        let options = EngineOptions { threads: 2, store: Some(store), ..EngineOptions::default() };
        Engine::new(options).unwrap()
    };
    let evaluation = run(&on_disk(), &fields(&toys, &kept), &["d"]);
    assert_eq!(inner(&evaluation), ["b"; 0]);
    let changed = kept.replace("\"d\": Plus(", "\"d\": Plus(by: 3.0, ");
    assert_eq!(run(&on_disk(), &fields(&toys, &changed), &["d"]).ran(), ["b", "d"], "`c` is on disk");
}

#[test]
fn small_values_are_made_and_kept() {
    let toys = Toys::default();
    let graph = toys.graph(&CHAIN.replace("Rise()", "Rise(samples: 10)"));
    assert_eq!(inner(&run(&engine(2), &graph, &["d"])), ["b"; 0]);
}

#[test]
fn every_node_has_its_events() {
    let toys = Toys::default();
    let (graph, engine) = (fields(&toys, CHAIN), engine(1));
    let job = start(&engine, &graph, &["d"]);
    let first = events(&job);
    assert_eq!(
        first,
        [
            "planned 4",
            "started a",
            "finished a",
            "started b",
            "started c",
            "started d",
            "finished b",
            "finished c",
            "finished d"
        ]
    );
    assert!(job.wait().nodes.iter().all(|node| node.outcome == Outcome::Ran));
    let job = start(&engine, &graph, &["d"]);
    assert_eq!(events(&job), ["planned 4", "cached a", "cached b", "cached c", "cached d"]);
    let changed = fields(&toys, &CHAIN.replace("\"d\": Plus(", "\"d\": Plus(by: 3.0, "));
    let evaluation = run(&engine, &changed, &["d"]);
    assert_eq!(evaluation.ran(), ["b", "c", "d"], "the first value is known");
    assert_eq!(samples(&evaluation, 0)[7], 3.0 * 38.0);
}

#[test]
fn a_known_result_ends_its_whole_fusion() {
    let toys = Toys::default();
    let engine = engine(2);
    // The key of `b` is unknown until `n` has run, and the same number then leads to a known result.
    let graph = |amount: f64| {
        let nodes = format!(
            r#""n": Take(amount: {amount}), "f": Floor(a: "n"), "r": Rising(n: "f"),
            "b": Plus(a: "r", b: 1.0), "c": Plus(a: "b", b: 2.0), "t": Top(a: "c")"#
        );
        fields(&toys, &nodes)
    };
    assert_eq!(run(&engine, &graph(2.25), &["t"]).ran(), ["n", "f", "r", "b", "c", "t"]);
    let evaluation = run(&engine, &graph(2.5), &["t"]);
    assert_eq!(evaluation.ran(), ["n", "f"]);
    assert!(evaluation.succeeded());
}

#[test]
fn warnings_name_their_node_and_are_repeated() {
    let toys = Toys::default();
    let nodes = r#""a": Rise(), "b": Plus(a: "a", warns: "look"), "c": Plus(a: "b", by: 1e30),
        "d": Plus(a: "c", by: 1e30), "e": Plus(a: "d", by: 1e-30)"#;
    let (graph, engine) = (fields(&toys, nodes), engine(2));
    let expected = [
        "b: look".to_owned(),
        // 1e60 · a is infinite, except where a is 0.
        "d: 39999 of 40000 samples of `field` are not finite: they exceed the range of 32-bit numbers, or \
        have no value, such as 0 / 0; use less extreme parameters and inputs"
            .to_owned(),
    ];
    assert_eq!(run(&engine, &graph, &["e"]).warnings, expected);
    assert_eq!(run(&engine, &graph, &["e"]).warnings, expected);
    assert_eq!(run(&apart(2), &graph, &["e"]).warnings, expected);
}

#[test]
fn errors_name_their_node() {
    let toys = Toys::default();
    let fearful = CHAIN.replace("\"c\": Plus(", "\"c\": Plus(fears: 30.0, ");
    let evaluation = run(&engine(2), &fields(&toys, &fearful), &["d"]);
    assert_eq!(outcome(&evaluation, "c"), Outcome::Failed(NodeError::Panicked("it fears 30".to_owned())));
    assert_eq!(outcome(&evaluation, "d"), Outcome::Skipped("c".into()));
    assert_eq!(outcome(&evaluation, "b"), Outcome::Cancelled, "its part of the pass was lost");
}

/// Two nodes of one fusion read fields of different sizes. The others are evaluated all the same.
#[test]
fn all_errors_and_warnings_of_a_fusion_are_found() {
    let toys = Toys::default();
    let nodes = r#""a": Rise(), "s": Rise(samples: 50000), "b": Plus(a: "a", warns: "look"),
        "c": Plus(a: "s", b: "b"), "x": Plus(a: "a", b: "s"), "d": Plus(a: "c", b: "x")"#;
    let graph = fields(&toys, nodes);
    let (fused, apart) = (run(&engine(2), &graph, &["d"]), run(&apart(2), &graph, &["d"]));
    let errors = [("c", "`a` has 50000 x 1 samples, but `b` has 40000 x 1"), ("x", "`a` has 40000 x 1")];
    for (node, message) in errors {
        let Outcome::Failed(error) = outcome(&fused, node) else { panic!("{node}: {fused:?}") };
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(outcome(&fused, node), outcome(&apart, node));
    }
    assert!(matches!(outcome(&fused, "d"), Outcome::Skipped(_)));
    assert_eq!(outcome(&fused, "b"), Outcome::Ran);
    assert_eq!(fused.warnings, ["b: look"]);
    assert_eq!(fused.warnings, apart.warnings);
}

#[test]
fn members_run_although_a_node_outside_failed() {
    let toys = Toys::default();
    let nodes = r#""a": Rise(), "n": Fail(), "r": Rising(n: "n"), "b": Plus(a: "a", warns: "look"),
        "c": Plus(a: "b", b: "r"), "d": Plus(a: "b", b: "c")"#;
    for threads in [1, 4] {
        let evaluation = run(&engine(threads), &fields(&toys, nodes), &["d"]);
        assert_eq!(outcome(&evaluation, "c"), Outcome::Skipped("n".into()));
        assert_eq!(outcome(&evaluation, "d"), Outcome::Skipped("n".into()));
        assert_eq!(outcome(&evaluation, "b"), Outcome::Ran);
        assert_eq!(evaluation.warnings, ["b: look"]);
    }
}

#[test]
fn observers_of_all_nodes_see_all_values() {
    let toys = Toys::default();
    let (graph, engine) = (fields(&toys, CHAIN), engine(2));
    let seen = Arc::new(Mutex::new(Vec::new()));
    let observer = |seen: &Arc<Mutex<Vec<String>>>| -> Observer {
        let seen = Arc::clone(seen);
        Arc::new(move |shown: &Seen<'_>| {
            if shown.values.is_some() {
                lock(&seen).push(shown.node.to_string());
            }
        })
    };
    let shown = engine.session().start_shown(&graph, wanted(&["d"]), observer(&seen)).unwrap().wait();
    assert!(shown.succeeded());
    assert_eq!(std::mem::take(&mut *lock(&seen)), ["a", "d"]);
    let engine = without_memory(1);
    let observed = engine.session().observe(&graph, [Reference::parse("d")], observer(&seen)).unwrap().wait();
    assert!(observed.succeeded());
    assert_eq!(*lock(&seen), ["a", "b", "c", "d"]);
}

#[test]
fn jobs_that_need_the_same_fusion_all_get_it() {
    let toys = Toys::default();
    let engine = engine(4);
    let nodes = format!(r#"{CHAIN}, "w": Wait(gate: "go"), "r": Rising(n: "w"), "z": Plus(a: "d", b: "r")"#);
    let graph = fields(&toys, &nodes);
    let jobs: Vec<_> =
        (0..6).map(|at| start(&engine, &graph, if at % 2 == 0 { &["z"] } else { &["c"] })).collect();
    toys.log.open("go");
    for (at, job) in jobs.into_iter().enumerate() {
        let evaluation = job.wait();
        assert!(evaluation.succeeded());
        let expected = if at % 2 == 0 { 5.0 * 7.0 + 3.0 + 7.0 } else { 30.0 };
        assert_eq!(samples(&evaluation, 0)[7], expected);
    }
}

#[test]
fn a_fusion_that_needs_too_much_memory_is_not_made() {
    let toys = Toys::default();
    // In this order, one after the other, the sums need three fields at once. Together, they need five.
    let nodes = r#""z": Plus(a: "y", b: "d"), "d": Rise(from: 4), "y": Plus(a: "x", b: "c"),
        "c": Rise(from: 3), "x": Plus(a: "a", b: "b"), "b": Rise(from: 2), "a": Rise(from: 1)"#;
    let graph = fields(&toys, nodes);
    let position = graph.graph.find(&Reference::parse("z")).unwrap();
    let serial = graph.plan.forecast(&graph.graph, &[position], 1).serial;
    assert_eq!(serial, 3 * FIELD);
    for (budget, is_fused) in [(serial, false), (8 * FIELD, true)] {
        let options =
            EngineOptions { threads: 1, budget: Some(budget), memory: 0, ..EngineOptions::default() };
        let engine = Engine::new(options).unwrap();
        let evaluation = run(&engine, &graph, &["z"]);
        assert_eq!(!inner(&evaluation).is_empty(), is_fused);
        assert!(engine.peak() <= budget, "{} of {budget}", engine.peak());
        assert_eq!(samples(&evaluation, 0)[5], 30.0);
    }
}

/// A random graph of sums over a few rises, where some sums are read by nodes that are no functions of one
/// sample.
fn graph_of(sums: &[(usize, usize, bool, bool)]) -> (String, Vec<String>) {
    let (mut nodes, mut tops) = (String::new(), Vec::new());
    for at in 0..3 {
        nodes += &format!(r#""s{at}": Rise(from: {at}, samples: 17000), "#);
    }
    for (at, (a, b, is_number, is_read)) in sums.iter().enumerate() {
        let (a, b) = (a % (at + 3), b % (at + 3));
        let b = if *is_number { format!("{b}.5") } else { format!("\"s{b}\"") };
        nodes += &format!(r#""s{}": Plus(a: "s{a}", b: {b}, by: 0.75), "#, at + 3);
        if *is_read {
            nodes += &format!(r#""t{at}": Top(a: "s{}"), "#, at + 3);
            tops.push(format!("t{at}"));
        }
    }
    (nodes, tops)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn random_graphs_have_the_same_values_fused_and_apart(
        sums in prop::collection::vec(
            (0usize..99, 0usize..99, any::<bool>(), prop::bool::weighted(0.2)), 1..14,
        ),
        also in 0usize..14, threads in 1usize..4, budget in 3u64..12,
    ) {
        let toys = Toys::default();
        let (nodes, mut names) = graph_of(&sums);
        let graph = toys.load(Path::new("."), &format!("Graph(size: 68000, nodes: {{ {nodes} }})"));
        names.push(format!("s{}", sums.len() + 2));
        names.push(format!("s{}", also % sums.len() + 3));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let budget = budget * 68_000;
        let options =
            EngineOptions { threads, budget: Some(budget), memory: 0, ..EngineOptions::default() };
        let engine = Engine::new(options).unwrap();
        let (fused, apart) = (run(&engine, &graph, &names), run(&apart(threads), &graph, &names));
        prop_assert!(fused.succeeded() && apart.succeeded());
        prop_assert_eq!(&fused.warnings, &apart.warnings);
        for (fused, apart) in fused.outputs.iter().zip(&apart.outputs) {
            prop_assert_eq!(fused.id, apart.id);
            let (fused, apart) = (fused.value.as_ref().unwrap(), apart.value.as_ref().unwrap());
            prop_assert_eq!(fused.digest(), apart.digest());
        }
        let positions: Vec<_> =
            names.iter().map(|name| graph.graph.find(&Reference::parse(name)).unwrap()).collect();
        let serial = graph.plan.forecast(&graph.graph, &positions, 1).serial;
        prop_assert!(engine.peak() <= serial.max(budget));
    }
}
