//! Runs a sweep and a snapshot test from a program, without the command.
//!
//! `cargo run -p terrane-examples --bin runs`

use std::io::Write;

use terrane::runs::snapshots::{self, Tests};
use terrane::runs::sweep::{self, Sweep, Varied};
use terrane::{Engine, EngineOptions};

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
    Ok(writeln!(std::io::stdout(), "{} rows\n{table}", swept.rows)?)
}
