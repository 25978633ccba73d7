//! Olsen's Table 1 and the curves of his figures 15 and 16, over many seeds.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use terrane::values::Table;
use terrane_flow::{Engine, EngineOptions, LoadOptions, Reference, Wanted, load_file};

use crate::{Result, root, say};

/// Rows of the table: node of the graph, what it is, and the paper's score.
const ROWS: &[(&str, &str, f64)] = &[
    ("score_spectral_cubic", "spectral synthesis, cubic", 0.425),
    ("score_spectral_linear", "spectral synthesis, linear", 0.417),
    ("score_midpoint_gaussian", "midpoint, Gaussian", 0.438),
    ("score_midpoint_uniform", "midpoint, uniform", 0.401),
    ("score_midpoint_smoothed", "midpoint, uniform, smoothed", 0.478),
    ("score_voronoi_euclidean", "Voronoi, Euclidean, exact", 0.323),
    ("score_voronoi_fast", "Voronoi, squared, near", 0.347),
    ("score_combined", "combined", 0.460),
    ("score_perturbed", "combined, perturbed", 0.657),
];

/// Writes the tables.
pub fn olsen(seeds: u64, out: &Path) -> Result<()> {
    let engine = Engine::new(EngineOptions { memory: 0, reuse: false, ..EngineOptions::default() })?;
    let mut text = String::from("# Olsen's Table 1\n");
    for size in [512, 1024] {
        text += &table(&engine, seeds, size)?;
    }
    text += &curves(&engine)?;
    terrane_io::write_atomic(&out.join("table1.md"), false, |file| file.write_all(text.as_bytes()))?;
    say(&text);
    Ok(())
}

/// Scores of a graph's metric nodes for one seed.
fn scores(engine: &Engine, size: usize, seed: u64) -> Result<Vec<f64>> {
    let options = LoadOptions {
        seed: Some(seed),
        set: vec![("octaves".to_owned(), size.ilog2().to_string())],
        header: vec![
            ("size".to_owned(), format!("({size}, {size})")),
            ("spacing".to_owned(), format!("{}", 1.0 / size as f64)),
        ],
        ..LoadOptions::default()
    };
    let loaded = Arc::new(load_file(&root().join("graphs/olsen/base.ron"), &terrane::registry(), &options)?);
    let wanted = ROWS.iter().map(|(node, _, _)| Wanted::from(Reference::parse(node)));
    let evaluation = engine.start(&loaded, wanted)?.wait();
    let score = |value: &terrane_flow::Value| value.get::<Table>()?.column("score")?.first().copied();
    let scores: Option<Vec<f64>> =
        evaluation.outputs.iter().map(|o| o.value.as_ref().and_then(score)).collect();
    scores.ok_or_else(|| format!("seed {seed} failed").into())
}

fn table(engine: &Engine, seeds: u64, size: usize) -> Result<String> {
    let all: Vec<Vec<f64>> = (0..seeds).map(|seed| scores(engine, size, seed)).collect::<Result<_>>()?;
    let mut text = format!(
        "\n{size} x {size}, {seeds} seeds\n\n| type | score | deviation | paper, 512 | ratio |\n|---|---|---|---|---|\n"
    );
    for (row, (_, name, paper)) in ROWS.iter().enumerate() {
        let mean = all.iter().map(|scores| scores[row]).sum::<f64>() / seeds as f64;
        let spread =
            all.iter().map(|scores| (scores[row] - mean) * (scores[row] - mean)).sum::<f64>() / seeds as f64;
        let _infallible = writeln!(
            text,
            "| {name} | {mean:.3} | {:.3} | {paper:.3} | {:.2} |",
            spread.sqrt(),
            mean / paper
        );
    }
    Ok(text)
}

/// Scores and changes of both thermal schemes, every ten iterations.
fn curves(engine: &Engine) -> Result<String> {
    let path = root().join("graphs/olsen/thermal.ron");
    let loaded = Arc::new(load_file(&path, &terrane::registry(), &LoadOptions::default())?);
    let wanted =
        ["reference_500.history", "fast_500.history"].map(|port| Wanted::from(Reference::parse(port)));
    let evaluation = engine.start(&loaded, wanted)?.wait();
    let column = |output: usize, name: &str| -> Result<Vec<f64>> {
        let table = evaluation.outputs[output].value.as_ref().and_then(|value| value.get::<Table>());
        Ok(table.and_then(|table| table.column(name)).ok_or("no history")?.to_vec())
    };
    let mut text = String::from(
        "\n# Thermal erosion, figures 15 and 16\n\n| iteration | score, Reference | change | score, Fast | change |\n|---|---|---|---|---|\n",
    );
    let columns = [
        column(0, "iteration")?,
        column(0, "score")?,
        column(0, "change")?,
        column(1, "score")?,
        column(1, "change")?,
    ];
    for row in (0..columns[0].len()).filter(|row| row % 5 == 0) {
        let cell = |i: usize| columns[i].get(row).copied().unwrap_or(f64::NAN);
        let _infallible = writeln!(
            text,
            "| {} | {:.3} | {:.2e} | {:.3} | {:.2e} |",
            cell(0),
            cell(1),
            cell(2),
            cell(3),
            cell(4)
        );
    }
    Ok(text)
}
