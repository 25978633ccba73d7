//! Olsen's Table 1 and the curves of his figures 15 and 16, over many seeds.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use terrane::values::Table;
use terrane_flow::{Engine, EngineOptions, LoadOptions, Reference, Wanted, load_file};

use crate::{Result, olsen_tables, plot, root, say};

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
    text += &thermal(&engine, seeds.min(20), out)?;
    text += &olsen_tables::playability(&engine, seeds.min(60))?;
    text += &olsen_tables::curves(&engine, seeds.min(20), out)?;
    terrane_io::write_atomic(&out.join("tables.md"), false, |file| file.write_all(text.as_bytes()))?;
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

/// What thermal erosion does to one base.
struct Curves {
    /// Per scheme, Reference first: the history's table.
    history: [Table; 2],
    /// Mean absolute difference between both after 50 iterations, over the range of heights.
    apart: f64,
    /// Mean excess of the paper's slope over the talus after 500 iterations of the Reference, rise over run.
    steep: f64,
}

fn erode(engine: &Engine, seed: u64) -> Result<Curves> {
    let options = LoadOptions { seed: Some(seed), ..LoadOptions::default() };
    let path = root().join("graphs/olsen/thermal.ron");
    let loaded = Arc::new(load_file(&path, &terrane::registry(), &options)?);
    let ports = ["reference_500.history", "fast_500.history", "difference.summary", "range", "excess"];
    let wanted = ports.map(|port| Wanted::from(Reference::parse(port)));
    let evaluation = engine.start(&loaded, wanted)?.wait();
    let table = |output: usize| -> Result<Table> {
        let table = evaluation.outputs[output].value.as_ref().and_then(|value| value.get::<Table>());
        Ok(table.ok_or("no table")?.clone())
    };
    let first =
        |table: &Table, name: &str| table.column(name).and_then(|c| c.first().copied()).unwrap_or(f64::NAN);
    let range = table(3)?;
    let apart = first(&table(2)?, "mean") / (first(&range, "max") - first(&range, "min"));
    Ok(Curves { history: [table(0)?, table(1)?], apart, steep: first(&table(4)?, "mean") })
}

/// Numbers of both thermal schemes over some seeds, every ten iterations, and the picture of the curves.
fn thermal(engine: &Engine, seeds: u64, out: &Path) -> Result<String> {
    const SPACING: f64 = 1.0 / 512.0;
    let all: Vec<Curves> = (0..seeds).map(|seed| erode(engine, seed)).collect::<Result<_>>()?;
    let column = |curves: &Curves, scheme: usize, name: &str| -> Vec<f64> {
        curves.history[scheme].column(name).map(<[f64]>::to_vec).unwrap_or_default()
    };
    // Where nothing moves any more, a history ends early.
    let at = |column: &[f64], row: usize| column.get(row).or(column.last()).copied().unwrap_or(f64::NAN);
    let mean = |scheme: usize, name: &str, row: usize| {
        all.iter().map(|c| at(&column(c, scheme, name), row)).sum::<f64>() / seeds as f64
    };
    let mut text = format!(
        "\n# Thermal erosion of the perturbed base, {seeds} seeds\n\nMeans; excess over the talus is that of the steepest way down to one of the scheme's neighbours, as a difference of heights; change is since the row ten\niterations before.\n\n| iteration | score, Reference | excess | change | score, Fast | excess | change |\n|---|---|---|---|---|---|---|\n"
    );
    for row in (0..=50).filter(|row| row % 5 == 0 || *row == 1) {
        let _infallible = writeln!(
            text,
            "| {} | {:.3} | {:.1e} | {:.1e} | {:.3} | {:.1e} | {:.1e} |",
            row * 10,
            mean(0, "score", row),
            mean(0, "excess", row) * SPACING,
            mean(0, "change", row),
            mean(1, "score", row),
            mean(1, "excess", row) * SPACING,
            mean(1, "change", row),
        );
    }
    let worst = |of: &dyn Fn(&Curves) -> f64| all.iter().map(of).fold(f64::MIN, f64::max);
    let mass = worst(&|c| {
        let means = column(c, 0, "mean");
        means.iter().map(|m| (m / means[0] - 1.0).abs()).fold(0.0, f64::max)
    });
    let rises = all
        .iter()
        .map(|c| column(c, 0, "excess").windows(2).filter(|two| two[1] >= two[0]).count())
        .sum::<usize>();
    let steep = all.iter().map(|c| c.steep * SPACING).sum::<f64>() / seeds as f64;
    let steepest = worst(&|c| c.steep * SPACING);
    let apart = all.iter().map(|c| c.apart).sum::<f64>() / seeds as f64;
    let (nearest, farthest) = (-worst(&|c| -c.apart), worst(&|c| c.apart));
    let _infallible = writeln!(
        text,
        "\nReference: mass kept to {mass:.1e} relative; the excess rises between two rows {rises} times in {}.\nSlopes as in the paper, to the four neighbours, exceed the talus by {steep:.1e} after 500, at most by {steepest:.1e}.\nReference and Fast are {:.2} % of the range of heights apart on average after 50 iterations, {:.2} to {:.2} % by seed.",
        seeds * 50,
        100.0 * apart,
        100.0 * nearest,
        100.0 * farthest,
    );
    let curve = |scheme: usize| (0..=50).map(|row| (row as f64 * 10.0, mean(scheme, "score", row))).collect();
    // The paper's figure gives the program's curve from about 0.65 to 0.9, and its table the scores after 50 iterations.
    let paper = [(50.0, 0.614), (50.0, 0.626)];
    plot(
        &out.join("thermal.svg"),
        ["iterations", "erosion score"],
        &[("Reference", curve(0)), ("Fast", curve(1))],
        ("the paper's table, after 50", &paper),
    )?;
    Ok(text)
}
