//! `terrane check`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use terrane_flow::syntax::Problem;
use terrane_flow::{Diagnostics, LoadOptions};
use terrane_runs::lint::{LINTS, Warning};
use terrane_runs::{Failure, check_values};

use super::arguments::Engine;
use super::{console, session};

#[derive(Debug, Args)]
pub struct Check {
    /// Graph and world files.
    #[arg(required_unless_present = "warnings")]
    pub graphs: Vec<PathBuf>,
    /// Fail if there are warnings: `--deny warnings`.
    #[arg(long, value_name = "WHAT")]
    pub deny: Option<Denied>,
    /// Also evaluate graphs, and warn of constant masks and of files that lose most of the heights. Nothing
    /// is written.
    #[arg(long)]
    pub values: bool,
    /// Print errors and warnings as JSON, one object per line.
    #[arg(long)]
    pub json: bool,
    /// List the names of all warnings. A comment `// allow: NAME` in a graph allows one.
    #[arg(long)]
    pub warnings: bool,
    /// Let graphs read files outside their folders.
    #[arg(long)]
    pub allow_outside: bool,
    /// With --values: the folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
}

/// What lets a check fail besides errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Denied {
    /// Warnings.
    Warnings,
}

pub fn check(args: &Check) -> Result<(), Failure> {
    if args.warnings {
        for lint in &LINTS {
            console::print(&format!("{:<18} {}\n", lint.name, lint.finds));
        }
        return Ok(());
    }
    let registry = terrane_nodes::registry();
    let (mut all, mut notes, mut warnings) = (Diagnostics::default(), Vec::new(), Vec::new());
    let mut failures = Vec::new();
    for graph in &args.graphs {
        let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
        let checked = terrane_runs::check(graph, &registry, &options);
        all.0.extend(checked.mistakes.0);
        notes.extend(checked.notes);
        warnings.extend(checked.warnings);
        if let Some(loaded) = checked.graph.filter(|_| args.values) {
            let engine = session::engine(&Engine::plain(args.cache_dir.clone()), 0)?;
            match check_values(&engine, &Arc::new(loaded)) {
                Ok(found) => warnings.extend(found),
                Err(failure) => failures.push(failure),
            }
        }
    }
    if args.json {
        for diagnostic in all.to_json() {
            console::json(&diagnostic);
        }
    }
    all.into_result()?;
    show(&warnings, args.json);
    for note in &notes {
        match args.json {
            true => console::json(&serde_json::json!({ "note": note })),
            false => console::line(&format!("note: {note}")),
        }
    }
    if let Some(failure) = failures.into_iter().next() {
        return Err(failure);
    }
    let count = args.graphs.len();
    let graphs = format!("{count} {}", if count == 1 { "graph" } else { "graphs" });
    if args.deny.is_some() && !warnings.is_empty() {
        let message = format!("{graphs}, {} warnings, which --deny warnings refuses", warnings.len());
        let help = "mend them, or allow one with a comment `// allow: NAME` above what it is about";
        return Err(Failure::Usage(Problem::new(message, help)));
    }
    if !args.json {
        console::line(&format!("{graphs}, no errors"));
    }
    Ok(())
}

/// Prints warnings, each with its place and name.
fn show(warnings: &[Warning], json: bool) {
    let all = Diagnostics(warnings.iter().map(|warning| warning.diagnostic.clone()).collect());
    for (warning, mut object) in warnings.iter().zip(all.to_json()) {
        let (text, code) = (warning.text(), warning.diagnostic.code);
        if json {
            object["warning"] = serde_json::json!(text);
            object["node"] = serde_json::json!(warning.node);
            console::json(&object);
            continue;
        }
        let about = if warning.node.is_empty() { String::new() } else { format!("{}: ", warning.node) };
        let place = match object["file"].as_str() {
            Some(file) => format!("{file}:{}:{}, ", object["line"], object["column"]),
            None => String::new(),
        };
        console::line(&format!("warning: {about}{text} ({place}{code})"));
    }
}
