//! `terrane diff`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use terrane_flow::{LoadOptions, Loaded, load_file};
use terrane_runs::Failure;
use terrane_runs::diff::{changed_outputs, changes};

use super::arguments::Engine;
use super::{console, session};

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 nothing differs, 1 something does, also a name alone, 2 bad graph or usage."
)]
pub struct Diff {
    /// The first graph.
    pub before: PathBuf,
    /// The second graph.
    pub after: PathBuf,
    /// Compare the texts only, and evaluate nothing.
    #[arg(long)]
    pub text: bool,
    /// Print one JSON object per difference.
    #[arg(long)]
    pub json: bool,
    /// Let graphs read files outside their folders.
    #[arg(long)]
    pub allow_outside: bool,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
}

/// Prints what differs; false if something does.
pub fn diff(args: &Diff) -> Result<bool, Failure> {
    let registry = terrane_nodes::registry();
    let options = LoadOptions { allow_outside: args.allow_outside, ..LoadOptions::default() };
    let load = |path| -> Result<Arc<Loaded>, Failure> { Ok(Arc::new(load_file(path, &registry, &options)?)) };
    let (before, after) = (load(&args.before)?, load(&args.after)?);
    let found = changes(&before.graph, &after.graph);
    for change in &found {
        match args.json {
            true => console::json(&serde_json::json!(change)),
            false => console::print(&format!("{change}\n")),
        }
    }
    if args.text {
        return Ok(found.is_empty());
    }
    let engine = session::engine(&Engine::plain(args.cache_dir.clone()), 0)?;
    let mut is_same = found.is_empty();
    for output in changed_outputs(&engine, &before, &after)? {
        let [old, new] = &output.digests;
        is_same &= old == new;
        if args.json {
            console::json(&serde_json::json!(output));
        } else if let Some(size) = &output.size {
            console::print(&format!("{}: {size}\n", output.file));
        } else if old == new {
            console::print(&format!("{}: the same\n", output.file));
        }
    }
    Ok(is_same)
}
