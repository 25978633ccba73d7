//! Patches of a world into files, as many at once as there are threads and memory for.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Loaded, Outcome};

use super::done::{Done, Listener};
use super::mosaics::Mosaics;
use super::pages;
use super::range::{Patches, folder};
use super::share::{Share, in_morton_order};
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
    /// Only a share of the patches, in Morton order. It writes down what it made; others may be made
    /// elsewhere.
    pub share: Option<Share>,
}

/// What came of patches.
#[derive(Debug)]
pub struct Made {
    /// Files of all patches together.
    pub mosaics: Vec<PathBuf>,
    /// The page of a share.
    pub page: Option<PathBuf>,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// Makes patches of a world and writes their outputs.
///
/// # Errors
/// That outputs are asked for which the patches do not have, that memory does not suffice, or that the folder
/// has shares of another world: then nothing was made.
pub fn make(
    world: &LoadedWorld,
    patches: &Patches,
    making: &Making,
    (engine, ledger): (&Engine, &Ledger),
    listener: &mut dyn Listener,
) -> Result<Made, Failure> {
    let entries = outputs::entries(world.graph(), &making.only)?;
    let own = making.share.map_or(0..patches.count(), |share| share.of_many(patches.count()));
    let workers = engine.threads().min(own.len().max(1));
    let loaded = world.graph();
    let one = loaded.plan.forecast(&loaded.graph, &outputs::positions(loaded, &entries), 1).serial;
    let forecast = one.saturating_mul(workers as u64);
    memory::check_memory(forecast, "", engine.budget())?;
    if let Some(note) = memory::note(forecast) {
        listener.note(&note);
    }
    let whole = Share { number: 1, of: 1 };
    let of = pages::of_world(world, &entries)?;
    let mut page = pages::of_share(&of, making.share.unwrap_or(whole), patches);
    if making.share.is_some() {
        pages::claim(&making.out, &of)?;
    } else if making.out.join(pages::WORLD).exists() {
        pages::compare(&making.out, &of, false)?;
    }
    let mut mosaics =
        Mosaics::new((&making.out, making.mosaic, making.share.is_some()), engine, world, patches, &entries)?;
    let one = One { making, world, engine, ledger };
    let mut problems = Vec::new();
    listener.begin(own.len());
    let nth = |number: usize| match making.share {
        Some(_) => in_morton_order(patches, own.start + number),
        None => patches.nth(number),
    };
    workers::each(
        workers,
        own.len(),
        |number| nth(number).map(|patch| one.patch(patch)),
        |_, done| {
            if let Some(mut done) = done {
                mosaics.put(&mut done);
                if making.share.is_some() {
                    page.patches.insert(folder(done.patch), std::mem::take(&mut done.content));
                }
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
    let page = match making.share {
        // A share with problems has not come to its end.
        Some(share) if problems.is_empty() => {
            pages::write(&making.out, share, patches, &page).map_err(|problem| problems.push(problem)).ok()
        }
        _ => None,
    };
    Ok(Made { mosaics, page, problems })
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
            content: BTreeMap::new(),
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
        if self.making.share.is_some() {
            let digests = evaluation
                .outputs
                .iter()
                .map(|output| output.digest.map(|digest| digest.hex()).unwrap_or_default());
            done.content = entries.iter().map(|entry| entry.file.clone()).zip(digests).collect();
        }
        done.warnings.clone_from(&evaluation.warnings);
        if self.making.mosaic {
            done.values = evaluation.outputs.iter().map(|output| output.value.clone()).collect();
        }
        let mut problems = report.problems;
        problems.extend(outputs::failures(loaded, &evaluation));
        Failure::unless(problems)
    }
}
