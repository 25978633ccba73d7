//! Foreign nodes, which run outside the workers and may evaluate graphs themselves. They are of dynamic types
//! here.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use terrane_flow::testing::{Number, number, wanted};
use terrane_flow::{Engine, Kind, LoadOptions, Loaded, NameTaken, NodeError, Outcome, Value, load};

use super::dynamic::{Dynamics, Given, soon, spec};
use super::support::{engine, events, on_disk, outcome, run, start};

fn name() -> String {
    thread::current().name().unwrap_or_default().to_owned()
}

/// The number at the port at a position.
fn at(given: &Given<'_>, port: usize) -> f64 {
    given.values[port].as_ref().and_then(|value| value.get::<Number>()).unwrap().0
}

/// `Far(a: .., amount: ..)` is foreign, adds its amount and logs it; `Near` does the same on a worker.
fn adding() -> Dynamics {
    let mut types = Dynamics::new();
    for (name_of_type, is_foreign) in [("Far", true), ("Near", false)] {
        let log = types.toys.log.clone();
        let act = move |given: &Given<'_>| {
            log.note(format!("{name_of_type} {} on {}", given.amount, name()));
            Ok(Value::new(Number(at(given, 0) + given.amount)))
        };
        let spec = spec(name_of_type, (Kind::of::<Number>(), 1), Kind::of::<Number>());
        types.add(spec, is_foreign, Arc::new(act)).unwrap();
    }
    types
}

#[test]
fn foreign_nodes_run_on_separate_threads_and_their_dependents_on_workers() {
    let types = adding();
    let graph = types.graph(
        0,
        r#""t": Take(), "a": Far(a: "t"), "b": Far(a: "a", amount: 2), "c": Near(a: "b", amount: 3),
           "d": Far(a: "c", amount: 4), "e": Near(a: "d", amount: 5)"#,
    );
    assert_eq!(number(&run(&engine(1), &graph, &["e"]), 0), Some(16.0));
    assert_eq!(
        types.toys.log.take(),
        [
            "Far 1 on terrane-foreign",
            "Far 2 on terrane-foreign",
            "Far 4 on terrane-foreign",
            "Near 3 on terrane-0",
            "Near 5 on terrane-0",
            "Take 1",
        ]
    );
}

#[test]
fn results_of_foreign_nodes_are_cached_by_key() {
    let types = adding();
    let folder = tempfile::tempdir().unwrap();
    let graph = |amount: u32| types.graph(0, &format!(r#""t": Take(), "a": Far(a: "t", amount: {amount})"#));
    for _ in 0..2 {
        let engine = on_disk(folder.path());
        for _ in 0..2 {
            assert_eq!(number(&run(&engine, &graph(2), &["a"]), 0), Some(3.0));
        }
        assert_eq!(engine.flush(), None);
    }
    assert_eq!(types.toys.log.take(), ["Far 2 on terrane-foreign", "Take 1"]);
    assert_eq!(run(&on_disk(folder.path()), &graph(3), &["a"]).ran(), ["a"], "another parameter");
}

#[test]
fn two_jobs_run_the_same_foreign_node_once() {
    let mut types = Dynamics::new();
    let log = types.toys.log.clone();
    types.foreign::<Number, _>("Slow", 0, move |given| {
        log.note("Slow");
        thread::sleep(Duration::from_millis(100));
        Ok(Number(given.amount))
    });
    let (engine, graph) = (engine(1), types.graph(0, r#""s": Slow(amount: 7), "b": Add(a: "s")"#));
    let jobs: Vec<_> = (0..4).map(|_| start(&engine, &graph, &["b"])).collect();
    for job in jobs {
        assert_eq!(number(&job.wait(), 0), Some(7.0));
    }
    assert_eq!(types.toys.log.take(), ["Add 7", "Slow"]);
}

#[test]
fn as_many_foreign_nodes_as_threads_run_at_once() {
    for threads in [1, 3] {
        let mut types = Dynamics::new();
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let seen = Arc::clone(&most);
        types.foreign::<Number, _>("Slow", 0, move |given| {
            seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(2));
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(Number(given.amount))
        });
        let nodes: String = (0..60).map(|i| format!(r#""n{i}": Slow(amount: {i}), "#)).collect();
        let names: Vec<String> = (0..60).map(|i| format!("n{i}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert!(run(&engine(threads), &types.graph(0, &nodes), &names).succeeded());
        let most = most.load(Ordering::SeqCst);
        assert!((1..=threads).contains(&most), "{most} of {threads}");
    }
}

#[test]
fn failures_and_panics_are_reported_and_dependents_are_skipped() {
    let mut types = Dynamics::new();
    types.foreign::<Number, Number>("Fails", 1, |_| Err(NodeError::failed("no", "another")));
    types.foreign::<Number, Number>("Panics", 0, |given| panic!("at {}", given.amount));
    types.foreign::<Number, _>("Far", 1, |given| Ok(Number(at(given, 0))));
    let engine = engine(1);
    let graph = types.graph(
        0,
        r#""t": Take(), "f": Fails(a: "t"), "g": Far(a: "f"),
           "p": Panics(), "b": Add(a: "p"), "d": Far(a: "t")"#,
    );
    for _ in 0..3 {
        let evaluation = run(&engine, &graph, &["g", "b", "d"]);
        assert_eq!(outcome(&evaluation, "f"), Outcome::Failed(NodeError::failed("no", "another")));
        assert_eq!(outcome(&evaluation, "p"), Outcome::Failed(NodeError::Panicked("at 1".into())));
        assert_eq!(outcome(&evaluation, "g"), Outcome::Skipped("f".into()));
        assert_eq!(outcome(&evaluation, "b"), Outcome::Skipped("p".into()));
        assert_eq!(number(&evaluation, 2), Some(1.0));
    }
    let events =
        events(&start(&engine, &types.graph(0, r#""p": Panics(amount: 2), "b": Add(a: "p")"#), &["b"]));
    assert_eq!(
        events,
        ["planned 2", "started p", "failed p: the node panicked: at 2", "skipped b because of p"]
    );
}

#[test]
fn a_cancel_stops_running_and_queued_foreign_nodes() {
    let mut types = Dynamics::new();
    let log = types.toys.log.clone();
    types.foreign::<Number, Number>("Endless", 0, move |given| {
        log.note("began");
        loop {
            given.cx.progress(0.5)?;
            thread::sleep(Duration::from_millis(1));
        }
    });
    let graph = types.graph(0, r#""e": Endless(), "f": Endless(amount: 2), "b": Add(a: "e")"#);
    let job = start(&engine(1), &graph, &["b", "f"]);
    types.toys.log.until_noted("began");
    job.cancel();
    let evaluation = soon(move || job.wait());
    for node in ["e", "f", "b"] {
        assert_eq!(outcome(&evaluation, node), Outcome::Cancelled, "{node}");
    }
    assert_eq!(types.toys.log.take(), ["began"], "one was still queued");
}

/// A foreign type that evaluates the node `n` of a graph on the same engine and adds its amount.
fn evaluating(types: &mut Dynamics, name: &str, engine: &Engine, nodes: &str) {
    let (engine, graph) = (engine.clone(), types.graph(0, nodes));
    types.foreign::<Number, _>(name, 1, move |given| {
        let inner = number(&run(&engine, &graph, &["n"]), 0);
        inner.map(|inner| Number(inner + at(given, 0) + given.amount)).ok_or(NodeError::Cancelled)
    });
}

#[test]
fn foreign_nodes_can_evaluate_on_the_same_engine_two_levels_deep() {
    let (mut types, engine) = (Dynamics::new(), engine(1));
    let innermost = r#""t": Take(amount: 10), "n": Add(a: "t")"#;
    evaluating(&mut types, "Inner", &engine, innermost);
    let inner = r#""t": Take(amount: 20), "i": Inner(a: "t"), "n": Add(a: "i", b: 0.5)"#;
    evaluating(&mut types, "Outer", &engine, inner);
    let outer = types.graph(0, r#""t": Take(amount: 30), "o": Outer(a: "t"), "b": Add(a: "o", b: 100.0)"#);
    let evaluation = soon(move || run(&engine, &outer, &["b"]));
    assert_eq!(number(&evaluation, 0), Some(10.0 + 21.0 + 0.5 + 31.0 + 100.0));
}

#[test]
fn a_foreign_node_can_wait_for_another_node_of_its_job() {
    for threads in [1, 2] {
        let (mut types, engine) = (adding(), engine(threads));
        let shared = r#""s": Take(), "n": Far(a: "s", amount: 50)"#;
        evaluating(&mut types, "Outer", &engine, shared);
        let graph = types.graph(0, &format!(r#""t": Take(amount: 2), "o": Outer(a: "t"), {shared}"#));
        let evaluation = soon(move || run(&engine, &graph, &["o", "n"]));
        assert_eq!((number(&evaluation, 0), number(&evaluation, 1)), (Some(54.0), Some(51.0)));
        let ran = types.toys.log.take();
        assert_eq!(ran.iter().filter(|line| line.starts_with("Far")).count(), 1, "{ran:?}");
    }
}

#[test]
fn a_node_that_evaluates_itself_fails_instead_of_waiting_forever() {
    for (threads, nodes) in [(1, r#""n": Turns()"#), (2, r#""n": Turns(amount: 3), "b": Add(a: "n")"#)] {
        let (mut types, engine) = (Dynamics::new(), engine(threads));
        let own: Arc<OnceLock<Arc<Loaded>>> = Arc::default();
        let (session, graph) = (engine.session(), Arc::clone(&own));
        types.foreign::<Number, Number>("Turns", 0, move |given| {
            let inner = session.clone().within(given.cx.keys().collect());
            let inner = inner.start(graph.get().unwrap(), wanted(&["n"])).unwrap().wait();
            match outcome(&inner, "n") {
                Outcome::Failed(error) => Err(error),
                other => panic!("{other:?}"),
            }
        });
        let graph = own.get_or_init(|| types.graph(0, nodes)).clone();
        let evaluation = soon(move || run(&engine, &graph, &["n"]));
        let Outcome::Failed(error) = outcome(&evaluation, "n") else { panic!("{evaluation:?}") };
        assert!(error.to_string().contains("evaluates a graph that contains itself"), "{error}");
    }
}

#[test]
fn a_type_name_can_be_registered_once() {
    let mut types = adding();
    for known in ["Far", "Take"] {
        let again = spec(known, (Kind::of::<Number>(), 0), Kind::of::<Number>());
        let act = |_: &Given<'_>| Ok(Value::new(Number(0.0)));
        assert_eq!(types.add(again, true, Arc::new(act)), Err(NameTaken(known)));
    }
    assert_eq!(types.registry.node("Far").unwrap().spec().inputs.len(), 1, "the first one stays");
}

#[test]
fn mistakes_in_fields_of_dynamic_types_are_reported() {
    let types = adding();
    let text = r#"Graph(nodes: {
        "t": Take(),
        "f": Fill(),
        "a": Far(amount: 1),
        "b": Far(a: "t", amont: 2),
        "c": Far(a: "t", amount: -1),
        "d": Far(a: "t", amount: "two"),
        "e": Far(a: 3),
        "g": Far(a: "f"),
        "h": Far(a: "t", amount: 5000),
    })"#;
    let mistakes = |text: &str| {
        let loaded = load("g.ron", text, Path::new("."), &types.registry, &LoadOptions::default());
        loaded.unwrap_err().0.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>()
    };
    assert_eq!(
        mistakes(text),
        [
            "`Far` needs `a`, a number",
            "`Far` has no field `amont`",
            "`amount` is -1, which is out of range",
            r#"`amount` is `"two"`: expected a number"#,
            "`a` is a port: `3` cannot be connected to it",
            "`a` of `g` takes a number, but `f` is of kind block",
            "that is too much",
        ]
    );
}
