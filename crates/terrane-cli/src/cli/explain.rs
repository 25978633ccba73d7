//! `terrane explain`: which nodes would run, and why.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use terrane_flow::{Engine, KeyPart, Loaded};
use terrane_io::{read_regular, write_atomic};
use terrane_runs::Failure;

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

type Parts = BTreeMap<String, Vec<KeyPart>>;

pub fn explain(args: &Explain) -> Result<(), Failure> {
    let engine = session::lookup_engine(args.cache_dir.as_deref())?;
    let loaded = session::graph_or_patch(&args.load, &args.of_world, &engine)?;
    let cache = terrane_runs::settings::cache_dir(args.cache_dir.as_deref());
    let targets = targets(&loaded);
    let last = last_parts(cache.as_deref(), &args.load.graph);
    let now = parts(&engine, &loaded, &targets);
    let name = |node: usize| loaded.graph.nodes.get_index(node).map_or("", |(name, _)| name.as_str());
    for resolved in engine.resolve(&loaded, &targets) {
        let node = name(resolved.node);
        let kind = loaded.graph.nodes[resolved.node].node().spec().name;
        let key = resolved.key.map_or_else(|| "unknown".to_owned(), |key| key.0.hex()[..16].to_owned());
        let changes = changes(last.as_ref().and_then(|last| last.get(node)), now.get(node));
        let state = if resolved.known { "cached" } else { "runs" };
        let not_kept = resolved.not_kept.map(|not_kept| not_kept.to_string());
        if args.json {
            let line = serde_json::json!({
                "node": node, "type": kind, "key": key, "cached": resolved.known, "changed": changes,
                "not_kept": not_kept,
            });
            console::json(&line);
        } else {
            let why = match not_kept {
                Some(why) => format!("  not kept: {why}"),
                None if resolved.known => String::new(),
                None => format!("  {}", changes.join("; ")),
            };
            console::print(&format!("{state:<7} {key:<16}  {node} ({kind}){why}\n"));
        }
    }
    Ok(())
}

fn targets(loaded: &Loaded) -> Vec<(usize, usize)> {
    let wanted: Vec<(usize, usize)> =
        loaded.graph.outputs.iter().filter_map(|entry| loaded.graph.find(&entry.from).ok()).collect();
    if wanted.is_empty() { (0..loaded.graph.nodes.len()).map(|node| (node, 0)).collect() } else { wanted }
}

fn parts(engine: &Engine, loaded: &Loaded, targets: &[(usize, usize)]) -> Parts {
    let name =
        |node: usize| loaded.graph.nodes.get_index(node).map_or_else(String::new, |(name, _)| name.clone());
    engine.key_parts(loaded, targets).into_iter().map(|(node, parts)| (name(node), parts)).collect()
}

/// The differences between two keys, in words.
fn changes(last: Option<&Vec<KeyPart>>, now: Option<&Vec<KeyPart>>) -> Vec<String> {
    let (Some(last), Some(now)) = (last, now) else { return vec!["not run before".to_owned()] };
    let find = |parts: &[KeyPart], name: &str| {
        parts.iter().find(|part| part.name == name).map(|part| part.value.clone())
    };
    let mut changes = Vec::new();
    for part in now {
        match find(last, &part.name) {
            None => changes.push(format!("{} is new", part.name)),
            Some(old) if old != part.value => changes.push(format!("{}: {old} -> {}", part.name, part.value)),
            Some(_) => {}
        }
    }
    let gone = last.iter().filter(|part| find(now, &part.name).is_none());
    changes.extend(gone.map(|part| format!("{} was removed", part.name)));
    if changes.is_empty() {
        changes.push("unchanged, but its result is no longer in the cache".to_owned());
    }
    changes
}

fn page(cache: Option<&Path>, graph: &Path) -> Option<PathBuf> {
    let absolute = std::path::absolute(graph).ok()?;
    let name = blake3::hash(absolute.as_os_str().as_encoded_bytes()).to_hex();
    Some(cache?.join("explain").join(format!("{}.json", &name[..32])))
}

fn last_parts(cache: Option<&Path>, graph: &Path) -> Option<Parts> {
    serde_json::from_slice(&read_regular(&page(cache, graph)?).ok()?).ok()
}

/// Saves the keys of a run, for the next `terrane explain` to compare with.
pub fn remember(engine: &Engine, loaded: &Loaded, cache: Option<&Path>, graph: &Path) {
    let Some(page) = page(cache, graph) else { return };
    if page.parent().is_some_and(Path::is_symlink) {
        return;
    }
    let parts = parts(engine, loaded, &targets(loaded));
    // If saving fails, the next `terrane explain` reports less.
    let _best_effort =
        write_atomic(&page, false, |out| serde_json::to_writer(out, &parts).map_err(std::io::Error::other));
}
