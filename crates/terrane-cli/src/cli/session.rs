//! Creates the graph and the engine from the arguments.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use terrane_flow::cache::{DiskCache, Store};
use terrane_flow::live::{Live, Read};
use terrane_flow::syntax::Problem;
use terrane_flow::{
    Diagnostic, Disk, EngineOptions, LoadOptions, Loaded, Reference, Setting, described_type, load_file,
};
use terrane_runs::outputs::Ledger;
use terrane_runs::patches::Patches;
use terrane_runs::settings::{bytes, cache_dir};
use terrane_runs::world::{Asked, LoadedWorld, PatchError};
use terrane_runs::{Failure, sweep};

use super::arguments::{CACHE_SIZE, Engine, Kept, Load, OfWorld};
use super::memory;

/// Load options from the arguments: the seed, parameters and size to override.
pub fn load_options(load: &Load) -> Result<LoadOptions, Failure> {
    let mut options = LoadOptions {
        seed: load.with.seed,
        allow_outside: load.with.allow_outside,
        ..LoadOptions::default()
    };
    for set in &load.with.set {
        if let Some(file) = set.strip_prefix('@') {
            // A profile is a bare name. A file has an extension or a path.
            if file.contains(['.', '/']) {
                options.set.push(Setting::Values(PathBuf::from(file)));
            } else {
                options.set.push(Setting::Profile(file.to_owned()));
            }
            continue;
        }
        let Some((name, value)) = set.split_once('=') else {
            return Err(Failure::usage(
                format!("--set {set} has no `=`"),
                "write --set NAME=VALUE, --set @PROFILE or --set @FILE.ron",
            ));
        };
        options.set.push(Setting::param(name.trim(), value.trim()));
    }
    options.header.extend(load.with.size.as_deref().map(sweep::size).transpose()?);
    Ok(options)
}

/// Loads and checks the graph.
pub fn graph(load: &Load) -> Result<Loaded, Failure> {
    Ok(load_file(&load.graph, &terrane_nodes::registry(), &load_options(load)?)?)
}

/// Loads and checks the world. `also` lists outputs in addition to the world's own.
pub fn world(load: &Load, of: &OfWorld, also: Vec<Reference>) -> Result<LoadedWorld, Failure> {
    if described_type(&Disk, &load.graph).as_deref() == Some("Graph") {
        return Err(no_world(load));
    }
    let asked = Asked { level: of.level, also };
    Ok(LoadedWorld::load_asked(&load.graph, &terrane_nodes::registry(), &load_options(load)?, &asked)?)
}

/// Whether a file describes a world.
pub fn is_world(path: &Path) -> bool {
    described_type(&Disk, path).as_deref() == Some("World")
}

fn no_world(load: &Load) -> Failure {
    let name = load.graph.display();
    let help = format!(
        "leave out --patch, --patches and --level, or name a world: a file with World(patch: \"{}\")",
        load.graph.file_name().unwrap_or_default().display()
    );
    Failure::usage(format!("{name} is a graph, not a world: it has no patches"), help)
}

/// The patch to evaluate if the file is a world; `None` if it is a graph.
pub fn patch(load: &Load, of: &OfWorld) -> Result<Option<(i64, i64)>, Failure> {
    let is_asked = of.patch.is_some() || of.level > 0;
    match described_type(&Disk, &load.graph).as_deref() {
        Some("World") => {}
        // The file cannot be parsed. Loading it as a world reports why.
        None if is_asked => {}
        _ if is_asked => {
            return Err(no_world(load));
        }
        _ => return Ok(None),
    }
    let patch = of.patch.as_deref().ok_or_else(|| {
        let message = format!("{} is a world, which is unbounded", load.graph.display());
        Failure::usage(message, "choose one of its patches, such as --patch 3,-2")
    })?;
    Ok(Some(Patches::one(patch)?.low))
}

/// Loads the graph, or the graph of a patch if the file is a world. For a patch, the engine first evaluates
/// what the patch requires from its neighbours.
pub fn graph_or_patch(load: &Load, of: &OfWorld, engine: &terrane_flow::Engine) -> Result<Loaded, Failure> {
    let Some(patch) = patch(load, of)? else { return graph(load) };
    patch_graph(&world(load, of, Vec::new())?, engine, patch)
}

/// Loads the graph as [`graph_or_patch`] does, and returns the reference to `output` in it. For a patch, the
/// reference names the output cropped to the patch, which has a different name.
pub fn graph_or_patch_with(
    load: &Load,
    of: &OfWorld,
    engine: &terrane_flow::Engine,
    output: Reference,
) -> Result<(Loaded, Reference), Failure> {
    let Some(patch) = patch(load, of)? else { return Ok((graph(load)?, output)) };
    let mut loaded = patch_graph(&world(load, of, vec![output.clone()])?, engine, patch)?;
    let own = loaded.graph.outputs.pop().map_or(output, |entry| entry.from);
    Ok((loaded, own))
}

fn patch_graph(
    world: &LoadedWorld,
    engine: &terrane_flow::Engine,
    patch: (i64, i64),
) -> Result<Loaded, Failure> {
    world.patch(engine, patch).map_err(|error| Failure::Evaluation(vec![patch_problem(patch, error)]))
}

/// The problem of a patch, with the patch's position in the message.
fn patch_problem((i, j): (i64, i64), error: PatchError) -> Problem {
    Problem::new(format!("patch {i},{j}: {}", error.message), error.help)
}

/// Watches a patch of a world, at a level of detail.
pub fn live_patch(
    world: &Path,
    options: LoadOptions,
    (patch, level): ((i64, i64), u32),
    engine: terrane_flow::Engine,
) -> Result<Live, Failure> {
    let (own, asked) = (world.to_owned(), Asked { level, ..Asked::default() });
    let read: Read = Box::new(move |registry, options, edit| {
        let (world, touched) = LoadedWorld::load_edited(&own, registry, options, &asked, edit);
        let loaded = world.and_then(|world| {
            let made = world.patch(&engine, patch);
            made.map_err(|error| {
                let Problem { message, help, .. } = patch_problem(patch, error);
                Diagnostic::nowhere(message, help).into()
            })
        });
        (loaded, touched)
    });
    Live::of(world, read, terrane_nodes::registry(), options).map_err(|error| cannot_watch(&error))
}

/// Watches a graph.
pub fn live(graph: &Path, options: LoadOptions) -> Result<Live, Failure> {
    Live::new(graph, terrane_nodes::registry(), options).map_err(|error| cannot_watch(&error))
}

fn cannot_watch(error: &dyn std::fmt::Display) -> Failure {
    Failure::usage(format!("cannot watch files: {error}"), "use `terrane run` instead")
}

/// The disk cache, if a folder for it is known.
pub fn disk(given: Option<&Path>, size: &str) -> Result<Option<DiskCache>, Failure> {
    let capacity = bytes(size).ok_or_else(|| {
        Failure::usage(format!("--cache-size {size} is not a size"), "write 500M, 8G or 1T")
    })?;
    Ok(cache_dir(given).map(|folder| DiskCache::new(folder, capacity)))
}

/// Creates an engine that keeps up to `memory` bytes of values between evaluations.
pub fn engine(engine: &Engine, memory: u64) -> Result<terrane_flow::Engine, Failure> {
    let disk = if engine.no_cache { None } else { disk(engine.cache_dir.as_deref(), &engine.cache_size)? };
    with_threads(EngineOptions {
        threads: engine.threads,
        budget: Some(budget(engine.memory.as_deref())?),
        memory,
        store: disk.map(stored),
        reuse: !engine.no_cache,
        keep_all: engine.keep == Kept::All,
        ..EngineOptions::default()
    })
}

/// The cache's folder, and the ledger of output files that is kept in it.
pub fn ledger(engine: &Engine) -> Result<(Option<PathBuf>, Ledger), Failure> {
    let cache = cache_dir(engine.cache_dir.as_deref()).filter(|_| !engine.no_cache);
    if let Some(disk) = disk(engine.cache_dir.as_deref(), &engine.cache_size)?.filter(|_| cache.is_some()) {
        // This must run before the ledger writes files to the same folder. An error is ignored here, because
        // storing the first result reports it again.
        let _reported_later = disk.begin();
    }
    let ledger = Ledger::new(cache.as_deref());
    Ok((cache, ledger))
}

/// Creates an engine with one thread, for commands that look up results. For a patch of a world, the engine
/// also evaluates what the patch requires from its neighbours.
pub fn lookup_engine(given: Option<&Path>) -> Result<terrane_flow::Engine, Failure> {
    let store = disk(given, CACHE_SIZE)?.map(stored);
    with_threads(EngineOptions { threads: 1, memory: 0, store, ..EngineOptions::default() })
}

fn stored(disk: DiskCache) -> Arc<dyn Store> {
    Arc::new(disk)
}

fn with_threads(options: EngineOptions) -> Result<terrane_flow::Engine, Failure> {
    terrane_flow::Engine::new(options)
        .map_err(|error| Failure::usage(format!("cannot start threads: {error}"), "use fewer with --threads"))
}

/// Maximum memory for values and running nodes, in bytes. Default: three quarters of the machine's memory.
pub fn budget(given: Option<&str>) -> Result<u64, Failure> {
    match given {
        Some(text) => bytes(text)
            .ok_or_else(|| Failure::usage(format!("--memory {text} is not a size"), "write 500M, 8G or 1T")),
        None => Ok(memory::total().map_or(u64::MAX, |total| total / 4 * 3)),
    }
}

/// Rejects a graph before evaluation if one of its nodes alone does not fit into memory. Prints the forecast
/// of graphs that need much memory.
pub fn check_graph(
    loaded: &Loaded,
    positions: &[(usize, usize)],
    engine: &terrane_flow::Engine,
    quiet: bool,
) -> Result<(), Failure> {
    let needs = terrane_runs::memory::check_graph(loaded, positions, engine)?;
    if let Some(note) = terrane_runs::memory::note(needs).filter(|_| !quiet) {
        super::console::line(&note);
    }
    Ok(())
}
