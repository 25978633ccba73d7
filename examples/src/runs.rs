//! Writes the outputs of a graph, runs a sweep and a snapshot test from a program, without the command.
//!
//! `cargo run -p terrane-examples --bin runs`

use std::io::Write;
use std::sync::Arc;

use terrane::runs::outputs;
use terrane::runs::snapshots::{self, Tests};
use terrane::runs::sweep::{self, Sweep, Varied};
use terrane::{Engine, EngineOptions, LoadOptions, load_file};

const GRAPH: &str = r#"Graph(
    size: (129, 129), params: { "talus": 0.5 },
    nodes: {
        "hills": MidpointDisplacement(amplitude: 100.0, smoothed: true),
        "worn": ThermalErosion(height: "hills", talus: "$talus", iterations: 20),
        "score": ErosionScore(height: "worn"),
    },
    outputs: { "worn.png": "worn", "score.json": "score" },
)"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let (graph, table) = (folder.path().join("hills.ron"), folder.path().join("scores.csv"));
    std::fs::write(&graph, GRAPH)?;
    let registry = terrane::registry();
    let engine = Engine::new(EngineOptions::default())?;
    let loaded = Arc::new(load_file(&graph, &registry, &LoadOptions::default())?);
    let report = outputs::run_all(&engine, &loaded, &folder.path().join("out"))?;
    let scores = Sweep {
        graph: graph.clone(),
        seeds: (0..3).collect(),
        varied: vec![Varied::parse("talus=0.3..0.9:3")?],
        metrics: vec!["score.mean".to_owned()],
        table: table.clone(),
        ..Sweep::default()
    };
    let swept = sweep::run(&scores, &registry, &engine, &mut ())?;
    // The current outputs are accepted as snapshots; the next test passes.
    snapshots::test(
        &Tests { graphs: vec![graph.clone()], accept: true, ..Tests::default() },
        &registry,
        &mut (),
    )?;
    snapshots::test(&Tests { graphs: vec![graph], ..Tests::default() }, &registry, &mut ())?;
    let table = std::fs::read_to_string(table)?;
    let files = report.written().count();
    Ok(writeln!(std::io::stdout(), "{files} files, {} rows\n{table}", swept.rows)?)
}
