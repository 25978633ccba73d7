//! `terrane check`.

use std::path::PathBuf;

use clap::Args;
use terrane_flow::{Diagnostics, LoadOptions};
use terrane_runs::Failure;

use super::console;

#[derive(Debug, Args)]
pub struct Check {
    /// Graph and world files.
    #[arg(required = true)]
    pub graphs: Vec<PathBuf>,
    /// Print errors as JSON, one object per line.
    #[arg(long)]
    pub json: bool,
    /// Let graphs read files outside their folders.
    #[arg(long)]
    pub allow_outside: bool,
}

pub fn check(args: &Check) -> Result<(), Failure> {
    let registry = terrane_nodes::registry();
    let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
    let (mut all, mut notes, mut warnings) = (Diagnostics::default(), Vec::new(), Vec::new());
    for graph in &args.graphs {
        let checked = terrane_runs::check(graph, &registry, &options);
        all.0.extend(checked.mistakes.0);
        notes.extend(checked.notes);
        warnings.extend(checked.warnings);
    }
    if args.json {
        for diagnostic in all.to_json() {
            console::json(&diagnostic);
        }
    }
    all.into_result()?;
    for (node, message) in &warnings {
        match args.json {
            true => console::json(&serde_json::json!({ "warning": message, "node": node })),
            false => console::line(&format!("warning: {node}: {message}")),
        }
    }
    for note in &notes {
        match args.json {
            true => console::json(&serde_json::json!({ "note": note })),
            false => console::line(&format!("note: {note}")),
        }
    }
    if !args.json {
        let count = args.graphs.len();
        console::line(&format!("{count} {}, no errors", if count == 1 { "graph" } else { "graphs" }));
    }
    Ok(())
}
