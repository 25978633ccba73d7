//! The table of time and memory per node, and of time and size per file.

use terrane_flow::{Evaluation, Outcome};
use terrane_runs::outputs::Made;

use super::console;
use super::memory::human;

/// Prints the table to standard error.
pub fn show(evaluation: &Evaluation, made: &[Made]) {
    let width = evaluation.nodes.iter().map(|node| node.node.chars().count()).max().unwrap_or(4).max(4);
    console::line(&format!("{:<width$}  {:>10}  {:>10}  what", "node", "time", "memory"));
    for node in &evaluation.nodes {
        let what = match &node.outcome {
            Outcome::Cached => "cached".to_owned(),
            Outcome::Ran => "ran".to_owned(),
            Outcome::Failed(error) => format!("failed: {error}"),
            Outcome::Skipped(because) => format!("skipped because {because} failed"),
            Outcome::Cancelled => "cancelled".to_owned(),
        };
        let time = format!("{:.1} ms", node.time.as_secs_f64() * 1000.0);
        console::line(&format!("{:<width$}  {time:>10}  {:>10}  {what}", node.node, human(node.bytes)));
    }
    if made.is_empty() {
        return;
    }
    let width = made.iter().map(|made| made.path.to_string_lossy().chars().count()).max().unwrap_or(4).max(4);
    console::line(&format!("{:<width$}  {:>10}  {:>10}  what", "file", "time", "size"));
    for made in made {
        let what = if made.changed { "written" } else { "unchanged" };
        let time = format!("{:.1} ms", made.time.as_secs_f64() * 1000.0);
        console::line(&format!(
            "{:<width$}  {time:>10}  {:>10}  {what}",
            made.path.display(),
            human(made.bytes)
        ));
    }
}
