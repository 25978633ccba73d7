//! `terrane run` of a world: one patch, or many.

mod mosaic;
mod patches;
mod progress;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use terrane::world::LoadedWorld;
use terrane_flow::{Engine, Loaded, Outcome, OutputEntry, Value};

use super::args::Run;
use super::console::{self, Failure};
use super::outputs::{self, Ledger};
use super::run::{failures, wanted, wanted_entries, write_outputs};
use super::session;
use mosaic::Mosaics;
use patches::Patches;
use progress::Progress;

/// What became of a patch.
struct Done {
    patch: (i64, i64),
    ran: usize,
    cached: usize,
    written: Vec<PathBuf>,
    unchanged: usize,
    warnings: Vec<String>,
    problems: Vec<(String, String)>,
    took: Duration,
    /// Values of the outputs, where a mosaic wants them.
    values: Vec<Option<Value>>,
}

/// What all patches are made with.
struct Making<'a> {
    args: &'a Run,
    world: &'a LoadedWorld,
    engine: &'a Engine,
    ledger: &'a Ledger,
}

pub fn run(args: &Run) -> Result<(), Failure> {
    let started = Instant::now();
    if args.engine.profile {
        let help = "leave it out; of each patch the time is told, and how many of its nodes ran";
        return Err(Failure::usage("--profile is of one graph, and a world has as many as patches", help));
    }
    let patches = Patches::of(args)?;
    let world = LoadedWorld::load(&args.load.graph, &session::load_options(&args.load)?)?;
    let entries = wanted_entries(world.graph(), &args.only)?;
    let workers = session::threads(args.engine.threads).min(patches.count());
    let budget = session::budget(args.engine.memory.as_deref())?;
    check_memory(&world, &entries, workers, (budget, args.engine.json))?;
    let mut mosaics = Mosaics::new(args, &world, &patches, &entries)?;
    let engine = session::engine(&args.engine, 0)?;
    let cache = session::cache_dir(args.engine.cache_dir.as_deref()).filter(|_| !args.engine.no_cache);
    let ledger = Ledger::new(cache.as_deref());
    let making = Making { args, world: &world, engine: &engine, ledger: &ledger };
    let mut progress = Progress::new(patches.count(), args.engine.json);
    let mut problems = Vec::new();
    let next = AtomicUsize::new(0);
    let (sender, receiver) = crossbeam_channel::bounded::<Done>(workers);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, making, next, patches) = (sender.clone(), &making, &next, &patches);
            scope.spawn(move || {
                // In order; whoever is free takes the next one, until nobody listens.
                while let Some(patch) = patches.nth(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send(making.patch(patch)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for mut done in receiver {
            mosaics.put(&mut done);
            progress.tell(&done);
            problems.append(&mut done.problems);
        }
    });
    let written = mosaics.finish(&patches, problems.is_empty(), &mut problems);
    progress.end(&written, problems.len(), started.elapsed());
    super::progress::flushed(&engine, args.engine.json);
    if problems.is_empty() { Ok(()) } else { Err(Failure::Evaluation(problems)) }
}

fn check_memory(
    world: &LoadedWorld,
    entries: &[&OutputEntry],
    workers: usize,
    (budget, quiet): (u64, bool),
) -> Result<(), Failure> {
    let loaded = world.graph();
    let positions: Vec<(usize, usize)> =
        entries.iter().filter_map(|entry| loaded.graph.find(&entry.from).ok()).collect();
    let one = loaded.plan.forecast(&loaded.graph, &positions, 1).serial;
    session::check_memory(one.saturating_mul(workers as u64), "", budget, quiet)
}

impl Making<'_> {
    /// Makes a patch and writes its outputs.
    fn patch(&self, patch: (i64, i64)) -> Done {
        let started = Instant::now();
        let mut done = Done {
            patch,
            ran: 0,
            cached: 0,
            written: Vec::new(),
            unchanged: 0,
            warnings: Vec::new(),
            problems: Vec::new(),
            took: Duration::ZERO,
            values: Vec::new(),
        };
        match self.world.patch(self.engine, patch) {
            Ok(loaded) => {
                if let Err(Failure::Evaluation(problems)) = self.evaluate(&Arc::new(loaded), &mut done) {
                    done.problems.extend(problems);
                }
            }
            Err(error) => done.problems.push((error.message, error.help)),
        }
        for (message, _) in &mut done.problems {
            *message = format!("patch {},{}: {message}", patch.0, patch.1);
        }
        done.took = started.elapsed();
        done
    }

    fn evaluate(&self, loaded: &Arc<Loaded>, done: &mut Done) -> Result<(), Failure> {
        let entries = wanted_entries(loaded, &self.args.only)?;
        let folder = outputs::place(&self.args.out, &patches::folder(done.patch), &[])
            .map_err(|(message, help)| Failure::evaluation(message, help))?;
        let mut asked = wanted(&entries, &folder, self.ledger);
        if self.args.mosaic {
            // Values are wanted also where files hold them already.
            asked.iter_mut().for_each(|wanted| wanted.have = None);
        }
        let job = self.engine.start(loaded, asked)?;
        let evaluation = job.wait();
        let report = write_outputs(self.engine, loaded, &entries, &evaluation, (&folder, self.ledger));
        done.ran = evaluation.ran().len();
        done.cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
        (done.written, done.unchanged) = (report.written, report.unchanged);
        done.warnings.clone_from(&evaluation.warnings);
        if self.args.mosaic {
            done.values = evaluation.outputs.iter().map(|output| output.value.clone()).collect();
        }
        failures(loaded, &evaluation, report.problems)
    }
}

/// Whether a file describes a world.
pub fn is_world(args: &Run) -> bool {
    args.patch.is_some()
        || args.patches.is_some()
        || terrane_flow::described_type(&terrane_flow::Disk, &args.load.graph).as_deref() == Some("World")
}

/// A line about something that went well.
fn say(text: &str) {
    console::line(text);
}
