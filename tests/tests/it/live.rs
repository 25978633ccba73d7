//! Live graphs, and observers of evaluation.

use std::path::Path;
use std::sync::{Arc, Mutex};

use terrane::flow::live::{Live, Turn};
use terrane::flow::syntax::Tree;
use terrane::flow::{GraphText, Loaded, Observer, Outcome, Reference, ValueId, Wanted, load_edited};
use terrane::{Engine, EngineOptions, LoadOptions, registry};

const GRAPH: &str = "Graph(size: (33, 17), seed: 1, nodes: {
    \"hills\": MidpointDisplacement(amplitude: 9.0),
    \"soft\": Blur(height: \"hills\"),
    \"score\": ErosionScore(height: \"soft\"),
})";

fn engine(memory: u64) -> Engine {
    Engine::new(EngineOptions { threads: 2, memory, ..EngineOptions::default() }).unwrap()
}

fn loaded(text: &str) -> Arc<Loaded> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.ron");
    std::fs::write(&file, text).unwrap();
    Arc::new(terrane::load_file(&file, &registry(), &LoadOptions::default()).unwrap())
}

/// A notification of an observer: the node, the identities of its values, and whether values were included.
type Shown = Vec<(String, Vec<ValueId>, bool)>;

fn observe(engine: &Engine, graph: &Arc<Loaded>, wanted: &str) -> (Shown, terrane::Evaluation) {
    let shown = Arc::new(Mutex::new(Shown::new()));
    let into = Arc::clone(&shown);
    let observer: Observer = Arc::new(move |seen| {
        into.lock().unwrap().push((seen.node.to_string(), seen.ids.to_vec(), seen.values.is_some()));
    });
    let evaluation = engine.session().observe(graph, [Reference::parse(wanted)], observer).unwrap().wait();
    let shown = shown.lock().unwrap().clone();
    (shown, evaluation)
}

#[test]
fn an_observer_sees_every_value_and_the_evaluation_holds_none() {
    let (engine, graph) = (engine(1 << 20), loaded(GRAPH));
    let (shown, evaluation) = observe(&engine, &graph, "score");
    let names: Vec<&str> = shown.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["hills", "soft", "score"]);
    assert!(shown.iter().all(|(.., values)| *values));
    assert!(evaluation.succeeded() && evaluation.outputs[0].value.is_none());
    let plain = engine.start(&graph, [Wanted::from("soft")]).unwrap().wait();
    assert_eq!(plain.outputs[0].id, Some(shown[1].1[0]), "the identities are those of any evaluation");
    let (again, _) = observe(&engine, &graph, "score");
    assert!(again.iter().all(|(.., values)| !values), "known values are not loaded");
    assert_eq!(
        again.iter().map(|(_, ids, _)| ids).collect::<Vec<_>>(),
        shown.iter().map(|(_, ids, _)| ids).collect::<Vec<_>>()
    );
}

#[test]
fn released_values_are_not_recomputed_for_an_observer() {
    // Without memory for values, their identities are known nevertheless.
    let (engine, graph) = (engine(0), loaded(GRAPH));
    observe(&engine, &graph, "score");
    let (_, evaluation) = observe(&engine, &graph, "score");
    assert!(evaluation.nodes.iter().all(|node| node.outcome == Outcome::Cached), "{:?}", evaluation.nodes);
}

#[test]
fn an_edited_text_loads_like_the_written_text() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.ron");
    std::fs::write(&file, GRAPH).unwrap();
    let edit = |_: &Path, tree: Tree| {
        let mut text = GraphText::of(tree).unwrap();
        text.set_parameter("hills", "amplitude", "7.0").unwrap();
        text.into_tree()
    };
    let (edited, touched) = load_edited(&file, &registry(), &LoadOptions::default(), &mut { edit });
    let edited = edited.unwrap();
    let hills = edited.graph.nodes["hills"].node();
    let amplitude = hills.spec().params.iter().position(|param| param.name == "amplitude").unwrap();
    assert_eq!(hills.param(amplitude), "7.0");
    assert_eq!(touched.0, std::slice::from_ref(&file));
    let broken = load_edited(&file, &registry(), &LoadOptions::default(), &mut |_, tree| {
        Tree::parse(tree.text().replace("9.0", "\"x\""))
    })
    .0;
    assert!(broken.unwrap_err().to_string().contains("amplitude: \"x\""), "diagnostics show the edited text");
}

#[test]
fn a_live_graph_follows_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("g.ron");
    std::fs::write(&file, GRAPH).unwrap();
    let engine = engine(1 << 20);
    let mut live = Live::new(&file, registry(), LoadOptions::default()).unwrap();
    let (ask, asked) = crossbeam_channel::unbounded();
    let (mut heard, mut ran) = (Vec::new(), Vec::new());
    loop {
        match live.next(&asked) {
            Turn::Loaded(graph) => {
                heard.push("loaded");
                let job = engine.start(&graph, [Wanted::from("score")]).unwrap();
                live.follow(job, graph);
            }
            Turn::Finished(finished) => {
                heard.push("finished");
                ran.push(finished.evaluation.ran().join(" "));
                match ran.len() {
                    1 => std::fs::write(&file, "Graph(").unwrap(),
                    2 => ask.send(()).unwrap(),
                    _ => {}
                }
            }
            Turn::Broken(_) => {
                heard.push("broken");
                std::fs::write(
                    &file,
                    GRAPH.replace("Blur(height: \"hills\")", "Blur(height: \"hills\", radius: 9.0)"),
                )
                .unwrap();
            }
            Turn::Event(_) => {}
            Turn::Asked(()) if heard.last() == Some(&"asked") => break,
            Turn::Asked(()) => {
                heard.push("asked");
                live.reload();
                ask.send(()).unwrap();
                // The graph is read before the next request is received.
                assert!(matches!(live.next(&asked), Turn::Loaded(_)));
            }
            Turn::Closed => unreachable!("the sender is in scope"),
        }
    }
    // A watcher may report a save twice.
    heard.dedup();
    assert_eq!(heard, ["loaded", "finished", "broken", "loaded", "finished", "asked"]);
    assert_eq!(ran[..2], ["hills soft score", "soft score"]);
}

/// Waits for the next reading of the graph, within ten seconds; returns whether it has no mistakes.
fn read(live: &mut Live) -> bool {
    let (give_up, asked) = crossbeam_channel::bounded(1);
    std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_secs(10));
        let _read_before = give_up.send(());
    });
    loop {
        match live.next(&asked) {
            Turn::Loaded(_) => return true,
            Turn::Broken(_) => return false,
            Turn::Asked(()) | Turn::Closed => panic!("the change was not noticed"),
            Turn::Event(_) | Turn::Finished(_) => {}
        }
    }
}

#[test]
fn missing_files_are_awaited() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let graph = "Graph(size: (2, 2), nodes: {
        \"sub\": Subgraph(file: \"parts/sub.ron\"), \"map\": Import(file: \"map.r32\"),
    })";
    std::fs::write(at("g.ron"), graph).unwrap();
    let mut live = Live::new(&at("g.ron"), registry(), LoadOptions::default()).unwrap();
    assert!(!read(&mut live), "neither file exists");
    std::fs::write(at("map.r32"), [0; 16]).unwrap();
    assert!(!read(&mut live), "the subgraph does not exist");
    std::fs::create_dir(at("parts")).unwrap();
    std::fs::write(at("parts/sub.ron"), GRAPH).unwrap();
    while !read(&mut live) {}
    // The sidecar of an imported file is not named by the graph.
    std::fs::write(at("map.r32.json"), "{}").unwrap();
    assert!(read(&mut live), "it appeared");
    std::fs::remove_file(at("map.r32.json")).unwrap();
    assert!(read(&mut live), "it disappeared");
}
