//! Patches of a world into files, as many at once as there are threads and memory for.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Loaded, Outcome};

use super::done::{Done, Listener};
use super::mosaics::Mosaics;
use super::range::{Patches, folder};
use crate::outputs::{self, Destination, Ledger};
use crate::workers::{self, Go};
use crate::world::LoadedWorld;
use crate::{Failure, memory};

/// What is made of patches.
#[derive(Clone, Debug, Default)]
pub struct Making {
    /// The folder for the outputs: each patch has one of its own in it.
    pub out: PathBuf,
    /// Only these outputs; without any, all.
    pub only: Vec<String>,
    /// Also puts all patches of each map together into one file.
    pub mosaic: bool,
}

/// What came of patches.
#[derive(Debug)]
pub struct Made {
    /// Files of all patches together.
    pub mosaics: Vec<PathBuf>,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// Makes patches of a world and writes their outputs.
///
/// # Errors
/// That outputs are asked for which the patches do not have, or that memory does not suffice: then nothing was made.
pub fn make(
    world: &LoadedWorld,
    patches: &Patches,
    making: &Making,
    (engine, ledger): (&Engine, &Ledger),
    listener: &mut dyn Listener,
) -> Result<Made, Failure> {
    let entries = outputs::entries(world.graph(), &making.only)?;
    let workers = engine.threads().min(patches.count());
    let loaded = world.graph();
    let one = loaded.plan.forecast(&loaded.graph, &outputs::positions(loaded, &entries), 1).serial;
    let forecast = one.saturating_mul(workers as u64);
    memory::check_memory(forecast, "", engine.budget())?;
    if let Some(note) = memory::note(forecast) {
        listener.note(&note);
    }
    let mut mosaics = Mosaics::new((&making.out, making.mosaic), engine, world, patches, &entries)?;
    let one = One { making, world, engine, ledger };
    let mut problems = Vec::new();
    listener.begin(patches.count());
    workers::each(
        workers,
        patches.count(),
        |number| patches.nth(number).map(|patch| one.patch(patch)),
        |_, done| {
            if let Some(mut done) = done {
                mosaics.put(&mut done);
                listener.made(&done);
                problems.append(&mut done.problems);
            }
            if listener.goes_on() { Go::On } else { Go::Stop }
        },
    );
    if !listener.goes_on() {
        problems.push(Problem::new("the world was stopped", "begin it again: patches that are made stay"));
    }
    let mosaics = mosaics.finish(patches, problems.is_empty(), &mut problems);
    Ok(Made { mosaics, problems })
}

/// What each patch is made with.
struct One<'a> {
    making: &'a Making,
    world: &'a LoadedWorld,
    engine: &'a Engine,
    ledger: &'a Ledger,
}

impl One<'_> {
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
            Err(error) => done.problems.push(Problem::new(error.message, error.help)),
        }
        for problem in &mut done.problems {
            problem.message = format!("patch {},{}: {}", patch.0, patch.1, problem.message);
        }
        done.took = started.elapsed();
        done
    }

    fn evaluate(&self, loaded: &Arc<Loaded>, done: &mut Done) -> Result<(), Failure> {
        let entries = outputs::entries(loaded, &self.making.only)?;
        let out: &Path = &self.making.out;
        let folder = outputs::place(out, &folder(done.patch), &[])
            .map_err(|problem| Failure::Evaluation(vec![problem]))?;
        let to = Destination { out: &folder, ledger: self.ledger };
        let mut wanted = outputs::wanted(&entries, to);
        if self.making.mosaic {
            // Values are wanted also where files hold them already.
            wanted.iter_mut().for_each(|wanted| wanted.have = None);
        }
        let (evaluation, report) =
            outputs::run(self.engine, loaded, (&entries, wanted), to, |_| (), &mut |_| ())?;
        done.ran = evaluation.ran().len();
        done.cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
        done.written = report.written().map(Path::to_owned).collect();
        done.unchanged = report.unchanged;
        done.warnings.clone_from(&evaluation.warnings);
        if self.making.mosaic {
            done.values = evaluation.outputs.iter().map(|output| output.value.clone()).collect();
        }
        let mut problems = report.problems;
        problems.extend(outputs::failures(loaded, &evaluation));
        Failure::unless(problems)
    }
}
