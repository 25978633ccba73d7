//! `terrane cache`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use serde_json::json;

use super::arguments::CACHE_SIZE;
use super::console;
use super::memory::human;
use super::session;
use terrane_runs::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CacheAction {
    /// Print the number of results and their size.
    Stat,
    /// Read every entry and remove damaged ones.
    Verify,
    /// Remove the least recently used results until the cache fits its size.
    Gc,
    /// Remove everything that the cache wrote.
    Clear,
}

#[derive(Debug, ClapArgs)]
pub struct Cache {
    /// What to do.
    #[arg(value_enum)]
    pub action: CacheAction,
    /// Folder of the disk cache.
    #[arg(long, env = "TERRANE_CACHE_DIR", value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
    /// For gc: the maximum size of the disk cache, such as 4G. Default: 8G.
    #[arg(long, value_name = "BYTES")]
    pub cache_size: Option<String>,
    /// Print the result as JSON.
    #[arg(long)]
    pub json: bool,
}

pub fn cache(args: &Cache) -> Result<(), Failure> {
    if args.cache_size.is_some() && args.action != CacheAction::Gc {
        let help = "leave it out; use it with `terrane cache gc` or a command that evaluates a graph";
        return Err(Failure::usage("--cache-size applies only to gc", help));
    }
    let size = args.cache_size.as_deref().unwrap_or(CACHE_SIZE);
    let Some(disk) = session::disk(args.cache_dir.as_deref(), size)? else {
        return Err(Failure::usage("no folder for the disk cache is known", "name one with --cache-dir"));
    };
    let folder = disk.folder().display();
    let (object, text) = match args.action {
        CacheAction::Stat => {
            let usage = disk.usage();
            let bytes = human(usage.object_bytes);
            let mut text = format!("{} results, {bytes}, {} keys", usage.objects, usage.keys);
            let not_kept = usage.not_kept.iter().map(|(not_kept, count)| {
                text += &format!("\n{count} results are not kept: {not_kept}");
                json!({"node": &*not_kept.node, "reason": not_kept.reason, "results": count})
            });
            let not_kept: Vec<_> = not_kept.collect();
            let object = json!({
                "objects": usage.objects, "object_bytes": usage.object_bytes, "keys": usage.keys,
                "temporaries": usage.temporaries, "not_kept": not_kept,
            });
            (object, text)
        }
        CacheAction::Verify => {
            let damage = disk.verify();
            for entry in &damage {
                console::line(&format!("removed {}: {}", entry.file.display(), entry.reason));
            }
            let removed: Vec<_> =
                damage.iter().map(|entry| json!({"file": entry.file, "reason": entry.reason})).collect();
            (json!({"removed": removed}), format!("{} damaged entries removed", damage.len()))
        }
        CacheAction::Gc => {
            let freed = disk.collect();
            (json!({"freed": freed}), format!("{} freed", human(freed)))
        }
        CacheAction::Clear => {
            disk.clear().map_err(|error| {
                Failure::evaluation(format!("cannot clear {folder}: {error}"), "check its permissions")
            })?;
            (json!({"cleared": true}), "empty".to_owned())
        }
    };
    if args.json {
        console::json(&object);
    } else {
        console::print(&format!("{folder}: {text}\n"));
    }
    Ok(())
}
