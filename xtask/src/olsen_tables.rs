//! Olsen's Tables 2 and 3, and the curves of every scheme over 500 iterations, over many seeds.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use terrane::values::Table;
use terrane_flow::{Engine, LoadOptions, Reference, Wanted, load_file};

use crate::{Result, plot, root};

/// ε, υ, β, γ.
type Numbers = [f64; 4];

/// Rows of Table 2: node of `schemes.ron`, what it is, and the paper's numbers.
const TABLE2: &[(&str, &str, Option<Numbers>)] = &[
    ("base", "base", Some([0.665, 0.713, 0.002, 0.001])),
    ("thermal", "thermal Reference, 50", None),
    ("thermal_published", "thermal Published, 50", Some([0.614, 0.980, 0.002, 0.001])),
    ("thermal_fast", "thermal Fast, 50", None),
    ("thermal_published_fast", "thermal PublishedFast, 50", Some([0.626, 0.983, 0.002, 0.001])),
    ("hydraulic", "hydraulic Reference, 100", None),
    ("hydraulic_published", "hydraulic Published, 100", Some([0.916, 0.834, 0.050, 0.039])),
    ("hydraulic_fast", "hydraulic Fast, 100", None),
    ("hydraulic_published_fast", "hydraulic PublishedFast, 100", Some([1.077, 0.828, 0.157, 0.140])),
    ("new_8", "new, 50, T = 8/N", Some([1.339, 0.303, 0.173, 0.070])),
    ("new_12", "new, 50, T = 12/N", Some([1.850, 0.752, 0.393, 0.580])),
    ("new_16", "new, 50, T = 16/N", Some([2.204, 0.905, 0.434, 0.877])),
    ("new_20", "new, 50, T = 20/N", Some([2.340, 0.949, 0.429, 0.953])),
];

/// Rows of Table 3, the new algorithm with 16/N after 50 iterations: parameter, value, what it is, the paper's numbers.
const TABLE3: &[(&str, &str, &str, Numbers)] = &[
    ("hills", "0.75", "75 % of the hills", [2.280, 0.916, 0.487, 1.017]),
    ("hills", "0.5", "50 %", [2.337, 0.923, 0.526, 1.134]),
    ("hills", "0.25", "25 %", [2.371, 0.929, 0.556, 1.225]),
    ("clip", "0.1", "offset −0.1", [2.256, 0.910, 0.468, 0.962]),
    ("clip", "0.2", "−0.2", [2.312, 0.918, 0.511, 1.086]),
    ("clip", "0.3", "−0.3", [2.346, 0.922, 0.539, 1.166]),
    ("clip", "0.4", "−0.4", [2.361, 0.926, 0.557, 1.219]),
    ("clip", "0.5", "−0.5", [2.372, 0.928, 0.567, 1.249]),
];

/// Curves: node of `curves.ron`, what it is, the chart it belongs to.
const CURVES: &[(&str, &str, &str)] = &[
    ("thermal", "thermal Reference", "thermal"),
    ("thermal_fast", "thermal Fast", "thermal"),
    ("thermal_published", "thermal Published", "thermal"),
    ("thermal_published_fast", "thermal PublishedFast", "thermal"),
    ("hydraulic", "hydraulic Reference", "hydraulic"),
    ("hydraulic_fast", "hydraulic Fast", "hydraulic"),
    ("hydraulic_published", "hydraulic Published", "hydraulic"),
    ("hydraulic_published_fast", "hydraulic PublishedFast", "hydraulic"),
    ("new", "new, T = 16/N", "new"),
];

/// Some tables of a graph for a seed.
fn tables(
    engine: &Engine,
    graph: &str,
    seed: u64,
    set: &[(&str, &str)],
    ports: impl Iterator<Item = String>,
) -> Result<Vec<Table>> {
    let set = set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let options = LoadOptions { seed: Some(seed), set, ..LoadOptions::default() };
    let path = root().join("graphs/olsen").join(graph);
    let loaded = Arc::new(load_file(&path, &terrane::registry(), &options)?);
    let wanted = ports.map(|port| Wanted::from(Reference::parse(&port)));
    let evaluation = engine.start(&loaded, wanted)?.wait();
    let found: Option<Vec<Table>> = evaluation
        .outputs
        .iter()
        .map(|output| output.value.as_ref().and_then(|value| value.get::<Table>()).cloned())
        .collect();
    found.ok_or_else(|| format!("seed {seed} of {graph} failed").into())
}

/// The means of ε, υ, β, γ over some seeds, for some nodes.
fn means(engine: &Engine, seeds: u64, set: &[(&str, &str)], nodes: &[&str]) -> Result<Vec<Numbers>> {
    let mut sums = vec![[0.0; 4]; nodes.len()];
    for seed in 0..seeds {
        let ports = nodes.iter().map(|node| format!("play_{node}"));
        for (sum, table) in sums.iter_mut().zip(tables(engine, "schemes.ron", seed, set, ports)?) {
            for (sum, name) in sum.iter_mut().zip(["erosion", "units", "structures", "score"]) {
                *sum += table.column(name).and_then(|column| column.first().copied()).unwrap_or(f64::NAN);
            }
        }
    }
    Ok(sums.into_iter().map(|sum| sum.map(|sum| sum / seeds as f64)).collect())
}

fn row(text: &mut String, name: &str, found: Numbers, paper: Option<Numbers>) {
    let numbers = |numbers: Numbers| numbers.map(|number| format!("{number:.3}")).join(" / ");
    let ratio = |paper: Numbers| [0, 1, 3].map(|i| format!("{:.2}", found[i] / paper[i])).join(" / ");
    let (paper, ratio) = (paper.map_or(String::new(), numbers), paper.map_or(String::new(), ratio));
    let _infallible = writeln!(text, "| {name} | {} | {paper} | {ratio} |", numbers(found));
}

/// Tables 2 and 3.
pub fn playability(engine: &Engine, seeds: u64) -> Result<String> {
    const HEAD: &str = "| | ε / υ / β / γ | paper | ratio of ε / υ / γ |\n|---|---|---|---|\n";
    let mut text = format!("\n# Table 2, 512 x 512, {seeds} seeds\n\n{HEAD}");
    let nodes: Vec<&str> = TABLE2.iter().map(|(node, ..)| *node).collect();
    for ((_, name, paper), found) in TABLE2.iter().zip(means(engine, seeds, &[], &nodes)?) {
        row(&mut text, name, found, *paper);
    }
    let _infallible =
        write!(text, "\n# Table 3: the new algorithm, 16/N, modified bases, {seeds} seeds\n\n{HEAD}");
    for (parameter, value, name, paper) in TABLE3 {
        let found = means(engine, seeds, &[(parameter, value)], &["new_16"])?;
        row(&mut text, name, found[0], Some(*paper));
    }
    Ok(text)
}

/// Scores of every scheme over 500 iterations, as a table and charts.
pub fn curves(engine: &Engine, seeds: u64, out: &Path) -> Result<String> {
    const ROWS: usize = 51;
    let mut scores = vec![[0.0f64; ROWS]; CURVES.len()];
    for seed in 0..seeds {
        let ports = CURVES.iter().map(|(node, ..)| format!("{node}.history"));
        for (scores, table) in scores.iter_mut().zip(tables(engine, "curves.ron", seed, &[], ports)?) {
            let column = table.column("score").unwrap_or_default();
            for (row, score) in scores.iter_mut().enumerate() {
                // Where nothing moves any more, a history ends early.
                *score += column.get(row).or(column.last()).copied().unwrap_or(f64::NAN) / seeds as f64;
            }
        }
    }
    let names: Vec<&str> = CURVES.iter().map(|(_, name, _)| *name).collect();
    let mut text = format!(
        "\n# Erosion scores over 500 iterations, {seeds} seeds\n\n| iteration | {} |\n|---{}|\n",
        names.join(" | "),
        "|---".repeat(names.len())
    );
    for row in [0, 1, 2, 5, 10, 15, 20, 30, 40, 50] {
        let numbers: Vec<String> = scores.iter().map(|scores| format!("{:.3}", scores[row])).collect();
        let _infallible = writeln!(text, "| {} | {} |", row * 10, numbers.join(" | "));
    }
    // Of the paper's curves the text gives these points.
    let paper: [(&str, &[(f64, f64)]); 3] = [
        ("thermal", &[(50.0, 0.614), (50.0, 0.626)]),
        ("hydraulic", &[(100.0, 0.916), (100.0, 1.077)]),
        ("new", &[(50.0, 2.204)]),
    ];
    for (chart, points) in paper {
        let shown: Vec<(&str, Vec<(f64, f64)>)> = CURVES
            .iter()
            .zip(&scores)
            .filter(|((.., of), _)| *of == chart)
            .map(|((_, name, _), scores)| {
                (*name, scores.iter().enumerate().map(|(row, &score)| (row as f64 * 10.0, score)).collect())
            })
            .collect();
        plot(
            &out.join(format!("{chart}_scores.svg")),
            ["iterations", "erosion score"],
            &shown,
            ("the paper's table", points),
        )?;
    }
    Ok(text)
}
