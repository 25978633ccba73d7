//! `terrane run` for a world: one patch or many.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use terrane_flow::Event;
use terrane_runs::patches::{Done, Listener, Made, Making, Patches, Share, make};
use terrane_runs::{Failure, outputs};

use super::arguments::is_store;
use super::bar::Bar;
use super::run::{Run, warn_of_unused_imports};
use super::{console, session, stores};

pub fn run(args: &Run) -> Result<(), Failure> {
    let started = Instant::now();
    if args.engine.profile {
        let help = "leave it out: time and number of nodes are printed for each patch anyway";
        return Err(Failure::usage("--profile does not apply to worlds", help));
    }
    let patches = match (&args.of_world.patch, &args.patches) {
        (Some(text), _) => Patches::one(text)?,
        (None, Some(text)) => Patches::ranges(text)?,
        (None, None) => {
            // For a graph, the error is that it is no world.
            session::world(&args.load, &args.of_world, Vec::new())?;
            return Err(Patches::none());
        }
    };
    let share = args.share.as_deref().map(Share::parse).transpose()?;
    if is_store(&args.out) {
        if args.mosaic {
            let help = "leave it out: in a store, the patches of a map already form one array";
            return Err(Failure::usage("--mosaic joins files, and a store has none", help));
        }
        return stores::run(args, patches, share);
    }
    if args.block.is_some() {
        let help = "leave it out, or write to a store: -o NAME.zarr";
        return Err(Failure::usage("--block applies only to .zarr stores", help));
    }
    let world = session::world(&args.load, &args.of_world, Vec::new())?;
    let engine = session::engine(&args.engine, 0)?;
    let (_, ledger) = session::ledger(&args.engine)?;
    // The graph of a higher level has fewer samples than the file, which only gives it the place.
    if args.of_world.level == 0 {
        warn_of_unused_imports(world.graph(), &[], args.engine.json);
    }
    if !args.engine.json {
        world.notes().iter().for_each(|note| console::line(&format!("note: {note}")));
    }
    // Patches have the same names at every level, so each level above 0 gets its own folder.
    let out = match args.of_world.level {
        0 => args.out.clone(),
        level => outputs::place(&args.out, &format!("level_{level}"), &[]).map_err(Failure::Usage)?,
    };
    let making = Making { out, only: args.only.clone(), mosaic: args.mosaic, share };
    let mut progress = Progress::new(args.engine.json);
    let Made { mosaics, page, warnings, problems } =
        make(&world, &patches, &making, (&engine, &ledger), &mut progress)?;
    for message in warnings {
        super::progress::warn(&Event::Warning { node: None, message }, args.engine.json);
    }
    progress.end(&[mosaics, page.into_iter().collect()].concat(), problems.len(), started.elapsed());
    super::progress::flushed(&engine, args.engine.json);
    Failure::unless(problems)
}

/// Whether the arguments describe a world.
pub fn is_world(args: &Run) -> bool {
    let of = &args.of_world;
    of.level > 0 || of.patch.is_some() || args.patches.is_some() || session::is_world(&args.load.graph)
}

/// Progress: JSON if requested, a bar on a terminal, otherwise a line per patch.
struct Progress {
    bar: Bar,
    json: bool,
    patches: usize,
    ran: usize,
    cached: usize,
}

impl Progress {
    const fn new(json: bool) -> Self {
        Self { bar: Bar::new(json, "patches"), json, patches: 0, ran: 0, cached: 0 }
    }

    fn end(&self, mosaics: &[PathBuf], problems: usize, took: Duration) {
        self.bar.end();
        let Self { patches, ran, cached, .. } = self;
        if self.json {
            let event = serde_json::json!({
                "event": "done", "patches": patches, "ran": ran, "cached": cached, "written": mosaics,
                "seconds": took.as_secs_f64(), "succeeded": problems == 0,
            });
            return console::json(&event);
        }
        mosaics.iter().for_each(|path| console::line(&format!("wrote {}", path.display())));
        let noun = if *patches == 1 { "patch" } else { "patches" };
        console::line(&format!(
            "{patches} {noun}, {ran} nodes ran, {cached} cached, {:.2} s",
            took.as_secs_f64()
        ));
    }
}

impl Listener for Progress {
    fn begin(&mut self, patches: usize) {
        self.patches = patches;
        self.bar.begin(patches);
    }

    fn made(&mut self, done: &Done) {
        self.ran += done.ran;
        self.cached += done.cached;
        let (i, j) = done.patch;
        if self.json {
            let event = serde_json::json!({
                "event": "patch", "patch": [i, j], "ran": done.ran, "cached": done.cached,
                "written": done.written,
                "unchanged": done.unchanged, "warnings": done.warnings, "seconds": done.took.as_secs_f64(),
                "succeeded": done.problems.is_empty(),
            });
            return console::json(&event);
        }
        let warnings: Vec<String> =
            done.warnings.iter().map(|warning| format!("warning: patch {i},{j}: {warning}")).collect();
        let (ran, cached, files) = (done.ran, done.cached, done.written.len());
        let seconds = done.took.as_secs_f64();
        let line =
            format!("patch {i},{j}: {ran} nodes ran, {cached} cached, {files} files written, {seconds:.2} s");
        self.bar.step(&warnings, &line);
    }

    fn note(&mut self, text: &str) {
        if !self.json {
            console::line(text);
        }
    }
}
