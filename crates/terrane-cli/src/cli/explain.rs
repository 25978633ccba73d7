//! `terrane explain`: which nodes would run, and why.

use std::path::PathBuf;

use clap::Args;
use terrane_runs::Failure;
use terrane_runs::explain;

use super::arguments::{Load, OfWorld};
use super::console;
use super::session;

#[derive(Debug, Args)]
pub struct Explain {
    #[command(flatten)]
    pub load: Load,
    #[command(flatten)]
    pub of_world: OfWorld,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// Print one JSON object per node.
    #[arg(long)]
    pub json: bool,
}

pub fn explain(args: &Explain) -> Result<(), Failure> {
    let engine = session::lookup_engine(args.cache_dir.as_deref())?;
    let loaded = session::graph_or_patch(&args.load, &args.of_world, &engine)?;
    let cache = terrane_runs::settings::cache_dir(args.cache_dir.as_deref());
    for own in explain::explain(&engine, &loaded, cache.as_deref(), &args.load.graph) {
        let key = own.key.unwrap_or_else(|| "unknown".to_owned());
        if args.json {
            let line = serde_json::json!({
                "node": own.node, "type": own.kind, "key": key, "cached": own.cached, "changed": own.because,
                "not_kept": own.not_kept,
            });
            console::json(&line);
            continue;
        }
        let state = if own.cached { "cached" } else { "runs" };
        let why = match own.not_kept {
            Some(why) => format!("  not kept: {why}"),
            None if own.because.is_empty() => String::new(),
            None => format!("  because {}", own.because.join("; ")),
        };
        console::print(&format!("{state:<7} {key:<16}  {} ({}){why}\n", own.node, own.kind));
    }
    Ok(())
}
