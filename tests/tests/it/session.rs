//! Repeated edits of a graph, evaluated by one engine, as in an editor.

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;
use terrane::flow::{Input, Node, Reference, Source};
use terrane::io::{WriteOptions, write_heightmap};
use terrane::nodes::shaping::{Blur, Clamp};
use terrane::nodes::sources::Constant;
use terrane::nodes::values::Map;
use terrane::{
    Domain, Engine, EngineOptions, Evaluation, Grid, Heightmap, LoadOptions, Loaded, Wanted, load_file,
    registry,
};
use terrane_tests::{digests, engine, evaluate, load_text};

fn session() -> Engine {
    Engine::new(EngineOptions { threads: 2, ..EngineOptions::default() })
        .unwrap_or_else(|error| panic!("{error}"))
}

fn chain() -> Arc<Loaded> {
    let text = "Graph(size: (17, 17), nodes: {
        \"flat\": Constant(value: 1.0),
        \"low\": Clamp(height: \"flat\", min: 0.0, max: 9.0),
        \"soft\": Blur(height: \"low\", radius: 2.0),
        \"other\": Constant(value: 5.0),
    }, outputs: { \"a.npy\": \"soft\", \"b.npy\": \"other\" })";
    Arc::new(load_text(text).unwrap_or_else(|errors| panic!("{errors}")))
}

fn wire<T: terrane::flow::Data>(node: &str) -> Input<T> {
    Input::from_source(Source::Wire(Reference::parse(node)))
}

fn replace(graph: &mut Arc<Loaded>, name: &str, node: impl Node + 'static) {
    Arc::make_mut(graph).replace(name, Box::new(node)).unwrap_or_else(|errors| panic!("{errors}"));
}

#[test]
fn a_replaced_node_runs_with_its_dependents() {
    let (engine, mut graph) = (session(), chain());
    assert_eq!(evaluate(&engine, &graph).ran().len(), 4);
    assert_eq!(evaluate(&engine, &graph).ran().len(), 0);
    let plan = Arc::as_ptr(&graph.plan);
    replace(&mut graph, "soft", Blur { height: wire("low"), radius: 3.0, ..Blur::default() });
    assert_eq!(evaluate(&engine, &graph).ran(), ["soft"]);
    assert_eq!(Arc::as_ptr(&graph.plan), plan, "the wires are the same, so the plan is reused");
    replace(&mut graph, "flat", Constant { value: 2.0 });
    assert_eq!(evaluate(&engine, &graph).ran(), ["flat", "low", "soft"]);
    replace(&mut graph, "low", Clamp { height: wire("flat"), min: 0.0, max: 8.0 });
    // The bits are the same, but `Clamp` is cheap, so nothing compares them.
    assert_eq!(evaluate(&engine, &graph).ran(), ["low", "soft"]);
    replace(&mut graph, "soft", Blur { height: wire("other"), radius: 3.0, ..Blur::default() });
    assert_eq!(evaluate(&engine, &graph).ran(), ["soft"], "a new wire");
}

#[test]
fn a_node_that_does_not_fit_leaves_the_graph_as_it_was() {
    let (engine, mut graph) = (session(), chain());
    let before = digests(&evaluate(&engine, &graph));
    let editable = Arc::make_mut(&mut graph);
    let unknown = Blur { height: wire("nowhere"), radius: 1.0, ..Blur::default() };
    assert!(editable.replace("soft", Box::new(unknown)).unwrap_err().to_string().contains("nowhere"));
    let cycle = Clamp { height: wire("soft"), min: 0.0, max: 1.0 };
    assert!(editable.replace("low", Box::new(cycle)).unwrap_err().to_string().contains("cycle"));
    assert!(editable.replace("unknown", Box::new(Constant::default())).is_err());
    assert_eq!(digests(&evaluate(&engine, &graph)), before);
}

#[test]
fn an_imported_file_that_changes_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.ron");
    fs::write(
        &path,
        "Graph(size: (2, 2), nodes: { \"map\": Import(file: \"map.r32\") }, outputs: { \"a.npy\": \"map\" })",
    )
    .unwrap();
    let write =
        |value: f32| fs::write(folder.path().join("map.r32"), [value.to_le_bytes(); 4].concat()).unwrap();
    write(1.0);
    let graph = Arc::new(
        load_file(&path, &registry(), &LoadOptions::default()).unwrap_or_else(|errors| panic!("{errors}")),
    );
    let engine = session();
    let first = digests(&evaluate(&engine, &graph));
    assert_eq!(digests(&evaluate(&engine, &graph)), first);
    write(2.0);
    assert_ne!(digests(&evaluate(&engine, &graph)), first);
}

#[test]
fn a_sidecar_that_changes_appears_or_disappears_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, picture) = (folder.path().join("graph.ron"), folder.path().join("map.png"));
    let text = "Graph(size: (2, 2), nodes: { \"map\": Import(file: \"map.png\") })";
    fs::write(&path, text).unwrap();
    let export = |amplitude: f32| {
        let heights = [0.0, 0.25, 0.75, 1.0].map(|height| height * amplitude).to_vec();
        let map = Heightmap::from_grid(Domain::new(2, 2), Grid::from_vec(2, 2, heights));
        write_heightmap(&picture, &map, &WriteOptions::default()).unwrap();
        fs::read(&picture).unwrap()
    };
    let bytes = export(100.0);
    let loaded = load_file(&path, &registry(), &LoadOptions::default());
    let graph = Arc::new(loaded.unwrap_or_else(|errors| panic!("{errors}")));
    let sidecar = folder.path().join("map.png.json");
    assert!(graph.graph.files.contains(&sidecar), "the sidecar is watched, and in the keys of sweeps");
    let engine = session();
    let highest = || {
        let wanted = [Wanted::from("map")];
        let evaluation = engine.start(&graph, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait();
        let map = evaluation.outputs[0].value.clone().unwrap().downcast::<Map>().unwrap();
        map.samples().iter().copied().fold(f32::MIN, f32::max)
    };
    assert_eq!(highest(), 100.0);
    assert_eq!(export(900.0), bytes, "codes use their whole range, so the pictures are the same");
    assert_eq!(highest(), 900.0);
    fs::remove_file(&sidecar).unwrap();
    assert_eq!(highest(), 65535.0, "codes are unchanged");
    export(100.0);
    assert_eq!(highest(), 100.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn edits_have_the_results_of_a_fresh_engine(
        edits in prop::collection::vec((0u8..4, 0u8..3, any::<bool>()), 1..12),
    ) {
        let (session, mut graph) = (session(), chain());
        for (node, value, all) in edits {
            let number = f64::from(value) + 1.0;
            match node {
                0 => replace(&mut graph, "flat", Constant { value: number }),
                1 => replace(&mut graph, "low", Clamp { height: wire("flat"), min: 0.0, max: number }),
                2 => replace(
                    &mut graph,
                    "soft",
                    Blur {
                        height: wire(if all { "low" } else { "other" }),
                        radius: number,
                        ..Blur::default()
                    },
                ),
                _ => replace(&mut graph, "other", Constant { value: number }),
            }
            let wanted: &[&str] = if all { &["soft", "other"] } else { &["soft"] };
            let run = |engine: &Engine| -> Evaluation {
                let wanted = wanted.iter().map(|&name| Wanted::from(name));
                engine.start(&graph, wanted).unwrap_or_else(|errors| panic!("{errors}")).wait()
            };
            prop_assert_eq!(digests(&run(&session)), digests(&run(&engine(1, None))));
        }
    }
}

#[test]
fn an_unread_output_is_not_computed_until_it_is_read() {
    let text = |outputs: &str| {
        let text = format!(
            "Graph(size: (33, 17), seed: 3, nodes: {{ \"noise\": Perlin(wavelength: 20.0) }}, outputs: {{ \
            {outputs} }})"
        );
        Arc::new(load_text(&text).unwrap_or_else(|errors| panic!("{errors}")))
    };
    let engine = session();
    let bytes = |evaluation: &Evaluation| evaluation.nodes[0].bytes;
    let height = text("\"a.npy\": \"noise\"");
    let first = evaluate(&engine, &height);
    assert_eq!(bytes(&first), 33 * 17 * 4, "height alone");
    let both = evaluate(&engine, &text("\"a.npy\": \"noise\", \"b.npy\": \"noise.slope_x\""));
    assert_eq!((both.ran(), bytes(&both)), (vec!["noise"], 3 * 33 * 17 * 4));
    let slope = both.outputs[1].value.clone().and_then(terrane::flow::Value::downcast::<Map>);
    assert_eq!(slope.map(|map| map.domain().size), Some((33, 17)));
    assert_eq!(digests(&first)[0], digests(&both)[0], "the height has the same bits");
    assert_eq!(evaluate(&engine, &height).ran().len(), 0, "known values stay known");
}

#[test]
fn requested_outputs_may_change() {
    let (engine, graph) = (session(), chain());
    let ask = |names: &[&str]| {
        let wanted = names.iter().map(|&name| Wanted::from(name));
        let job = engine.start(&graph, wanted).unwrap_or_else(|errors| panic!("{errors}"));
        let outputs = job.wait().outputs;
        outputs.iter().map(|output| (output.output.node.to_string(), output.id)).collect::<Vec<_>>()
    };
    let both = ask(&["soft", "other"]);
    assert_eq!(ask(&["soft", "other"]), both);
    assert_eq!(ask(&["other", "soft"]), [both[1].clone(), both[0].clone()]);
    assert_eq!(ask(&["other"]), [both[1].clone()]);
    assert_eq!(ask(&["soft.height", "other"]), both);
    assert!(engine.start(&graph, [Wanted::from("nowhere")]).is_err());
    assert_eq!(ask(&["soft", "other"]), both);
}
