//! A table of what nodes cost.

use terrane_flow::{Evaluation, Outcome};

use super::console;
use super::memory::human;

/// Shows the table on standard error.
pub fn show(evaluation: &Evaluation) {
    let width = evaluation.nodes.iter().map(|node| node.node.chars().count()).max().unwrap_or(4).max(4);
    console::line(&format!("{:<width$}  {:>10}  {:>10}  what", "node", "time", "memory"));
    for node in &evaluation.nodes {
        let what = match &node.outcome {
            Outcome::Cached => "cached".to_owned(),
            Outcome::Ran => "ran".to_owned(),
            Outcome::Failed(error) => format!("failed: {error}"),
            Outcome::Skipped(because) => format!("skipped, since {because} failed"),
            Outcome::Cancelled => "cancelled".to_owned(),
        };
        let time = format!("{:.1} ms", node.time.as_secs_f64() * 1000.0);
        console::line(&format!("{:<width$}  {time:>10}  {:>10}  {what}", node.node, human(node.bytes)));
    }
}
