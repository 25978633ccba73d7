//! `terrane cache`.

use super::args::{Cache, CacheAction};
use super::console::{self, Failure};
use super::memory::human;
use super::session;

pub fn cache(args: &Cache) -> Result<(), Failure> {
    let Some(disk) = session::disk(&args.engine)? else {
        return Err(Failure::usage("there is no cache folder", "name one with --cache-dir"));
    };
    let folder = disk.folder().display();
    match args.action {
        CacheAction::Stat => {
            let usage = disk.usage();
            if args.engine.json {
                console::print(&format!("{}\n", serde_json::json!(usage)));
            } else {
                let bytes = human(usage.object_bytes);
                console::print(&format!(
                    "{folder}: {} results, {bytes}, {} keys\n",
                    usage.objects, usage.keys
                ));
            }
        }
        CacheAction::Verify => {
            let damage = disk.verify();
            for entry in &damage {
                console::line(&format!("removed {}: {}", entry.file.display(), entry.reason));
            }
            console::print(&format!("{folder}: {} damaged entries removed\n", damage.len()));
        }
        CacheAction::Gc => {
            let freed = disk.collect();
            console::print(&format!("{folder}: {} freed\n", human(freed)));
        }
        CacheAction::Clear => {
            disk.clear().map_err(|error| {
                Failure::evaluation(format!("cannot clear {folder}: {error}"), "check its permissions")
            })?;
            console::print(&format!("{folder}: empty\n"));
        }
    }
    Ok(())
}
