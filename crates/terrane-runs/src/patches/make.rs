//! Computing patches of a world and writing their files, as many at once as threads and memory allow.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::syntax::Problem;
use terrane_flow::{Engine, Loaded, Outcome};

use super::done::{Done, Listener};
use super::mosaics::Mosaics;
use super::range::{Patches, folder};
use super::records;
use super::share::{Share, in_morton_order};
use crate::outputs::{self, Destination, Ledger};
use crate::workers::{self, Go};
use crate::world::LoadedWorld;
use crate::{Failure, memory};

/// What to compute and where to write it.
#[derive(Clone, Debug, Default)]
pub struct Making {
    /// The output folder. Each patch has its own folder in it.
    pub out: PathBuf,
    /// The outputs to compute. If empty, all.
    pub only: Vec<String>,
    /// Whether to also join the patches of each map into one file.
    pub mosaic: bool,
    /// The share of the patches to compute, in Morton order; `None` for all patches. A share records what it
    /// computed. Other shares may be computed elsewhere.
    pub share: Option<Share>,
}

/// The results of a run over patches.
#[derive(Debug)]
pub struct Made {
    /// Files that cover all patches.
    pub mosaics: Vec<PathBuf>,
    /// The path of the share's record.
    pub page: Option<PathBuf>,
    /// Warnings of files that cover all patches.
    pub warnings: Vec<String>,
    /// What went wrong.
    pub problems: Vec<Problem>,
}

/// Computes patches of a world and writes their outputs.
///
/// # Errors
/// Fails if the world lacks a requested output, if memory does not suffice, or if the folder has shares of
/// another world. Nothing is computed in these cases.
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
    let each = loaded.plan.forecast(&loaded.graph, &outputs::positions(loaded, &entries), 1).serial;
    let forecast = each.saturating_mul(workers as u64);
    memory::check_memory(forecast, "", engine.budget())?;
    if let Some(note) = memory::note(forecast) {
        listener.note(&note);
    }
    let whole = Share { number: 1, of: 1 };
    let of = records::of_world(world, &entries)?;
    let mut page = records::of_share(&of, making.share.unwrap_or(whole), patches);
    if making.share.is_some() {
        records::claim(&making.out, &of)?;
    } else if making.out.join(records::WORLD).exists() {
        records::compare(&making.out, &of, false)?;
    }
    let mut mosaics =
        Mosaics::new((&making.out, making.mosaic, making.share.is_some()), engine, world, patches, &entries)?;
    let maker = PatchMaker { making, world, engine, ledger };
    let mut problems = Vec::new();
    listener.begin(own.len());
    let nth = |number: usize| match making.share {
        Some(_) => in_morton_order(patches, own.start + number),
        None => patches.nth(number),
    };
    workers::each(
        workers,
        own.len(),
        |number| nth(number).map(|patch| maker.patch(patch)),
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
        problems.push(Problem::new("the world was stopped", "run again: finished patches are kept"));
    }
    let (mosaics, warnings) = mosaics.finish(patches, problems.is_empty(), &mut problems);
    let page = match making.share {
        // A share with problems is not complete, so it gets no record.
        Some(share) if problems.is_empty() => {
            records::write(&making.out, share, patches, &page).map_err(|problem| problems.push(problem)).ok()
        }
        _ => None,
    };
    Ok(Made { mosaics, page, warnings, problems })
}

/// The shared inputs for computing each patch.
struct PatchMaker<'a> {
    making: &'a Making,
    world: &'a LoadedWorld,
    engine: &'a Engine,
    ledger: &'a Ledger,
}

impl PatchMaker<'_> {
    /// Computes a patch and writes its outputs.
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
        let mut wanted = outputs::wanted(loaded, &entries, to);
        if self.making.mosaic {
            // A mosaic needs the values even if the files already hold them.
            wanted.iter_mut().for_each(|wanted| wanted.have = None);
        }
        let (evaluation, report) =
            outputs::run(self.engine, loaded, (&entries, wanted), to, |_| (), &mut |_| ())?;
        done.ran = evaluation.ran().len();
        done.cached = evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count();
        done.written = report.written().map(Path::to_owned).collect();
        done.unchanged = report.unchanged;
        if self.making.share.is_some() {
            done.content.clone_from(&report.contents);
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
