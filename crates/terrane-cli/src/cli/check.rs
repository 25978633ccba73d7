//! `terrane check`.

use std::path::Path;
use std::path::PathBuf;

use clap::Args;
use terrane_flow::{Diagnostic, Diagnostics, LoadOptions, Registry, Setting, described_type, load_file};
use terrane_runs::Failure;
use terrane_runs::world::LoadedWorld;

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

/// Loads a graph without a profile, then with each of its profiles.
fn graph_file(path: &Path, registry: &Registry, options: &LoadOptions) -> Result<(), Diagnostics> {
    let mut wrong = Diagnostics::default();
    for profile in load_file(path, registry, options)?.graph.profiles {
        let set = vec![Setting::Profile(profile.clone())];
        let Err(mistakes) = load_file(path, registry, &LoadOptions { set, ..options.clone() }) else {
            continue;
        };
        wrong.0.extend(mistakes.0.into_iter().map(|mistake| Diagnostic {
            message: format!("with the profile `{profile}`: {}", mistake.message),
            ..mistake
        }));
    }
    wrong.into_result()
}

pub fn check(args: &Check) -> Result<(), Failure> {
    let registry = terrane_nodes::registry();
    let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
    let (mut all, mut notes) = (Diagnostics::default(), Vec::new());
    for graph in &args.graphs {
        let checked = match described_type(&*options.files, graph).as_deref() {
            Some("World") => {
                LoadedWorld::load(graph, &registry, &options).map(|world| notes.extend(world.notes()))
            }
            _ => graph_file(graph, &registry, &options),
        };
        all.0.extend(checked.err().unwrap_or_default().0);
    }
    if args.json {
        for diagnostic in all.to_json() {
            console::print(&format!("{diagnostic}\n"));
        }
    }
    all.into_result()?;
    for note in &notes {
        match args.json {
            true => console::print(&format!("{}\n", serde_json::json!({ "note": note }))),
            false => console::line(&format!("note: {note}")),
        }
    }
    if !args.json {
        let count = args.graphs.len();
        console::line(&format!("{count} {}, no errors", if count == 1 { "graph" } else { "graphs" }));
    }
    Ok(())
}
