//! Blocks of a world into a store.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::syntax::Problem;
use terrane_flow::{Cancel, Engine, Outcome, OutputEntry, Wanted};
use terrane_runs::patches::{Patches, Share, folder, in_morton_order, of_world};
use terrane_runs::workers::{self, Go};
use terrane_runs::world::LoadedWorld;
use terrane_runs::{Failure, memory, outputs};

use crate::array::Stored;
use crate::block::Samples;
use crate::layout::Layout;
use crate::objects::{Objects, write_checked};
use crate::page::{ROOT, StorePage};
use crate::places::Places;
use crate::record::{Found, Record, digest, find};
use crate::zarr;

/// What goes into a store.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Only these outputs; without any, all that are rasters.
    pub only: Vec<String>,
    /// Patches of a block to each side.
    pub block: Option<u32>,
}

/// A world that is being put into a store.
pub struct Blocks {
    world: Arc<LoadedWorld>,
    engine: Engine,
    store: Arc<dyn Objects>,
    only: Vec<String>,
    layout: Layout,
    page: StorePage,
    notes: Vec<String>,
    /// How many blocks may be in memory at once.
    at_once: usize,
    places: Places,
    stop: Cancel,
}

/// What became of a block.
#[derive(Debug)]
pub struct BlockMade {
    /// Its column and row.
    pub block: (i64, i64),
    /// Whether the store had it already.
    pub was_there: bool,
    /// How many nodes ran.
    pub ran: usize,
    /// How many nodes the cache knew.
    pub cached: usize,
    /// What nodes warn of.
    pub warnings: Vec<String>,
    /// A digest of all that it holds; none where something went wrong.
    pub digest: Option<[u8; 32]>,
    /// What went wrong.
    pub problems: Vec<Problem>,
    /// How long it took.
    pub took: Duration,
}

/// Whoever is told of blocks while they are made.
pub trait Listener {
    /// So many blocks begin.
    fn begin(&mut self, _blocks: usize) {}

    /// Whether others begin; asked after each block.
    fn goes_on(&self) -> bool {
        true
    }

    /// A block is done.
    fn made(&mut self, _made: &BlockMade) {}
}

impl Listener for () {}

impl Blocks {
    /// Prepares a store for a world, unless it is so already.
    ///
    /// # Errors
    /// That outputs are asked for which the patches do not have, that memory does not suffice, or that the
    /// store is of something else: then nothing was written.
    pub fn new(
        world: Arc<LoadedWorld>,
        patches: Patches,
        asked: Asked,
        (engine, store): (Engine, Arc<dyn Objects>),
    ) -> Result<Self, Failure> {
        let loaded = world.graph();
        let entries = outputs::entries(loaded, &asked.only)?;
        for corner in [patches.low, patches.high] {
            world.check_place(corner).map_err(|error| {
                Failure::usage(format!("patch {},{}: {}", corner.0, corner.1, error.message), error.help)
            })?;
        }
        let (layout, notes) = Layout::of(&world, &entries, patches, asked.block)?;
        let wanted: Vec<&OutputEntry> = layout.layers.iter().map(|layer| entries[layer.entry]).collect();
        let page = StorePage::new(&of_world(&world, &wanted)?, &layout);
        let positions = outputs::positions(loaded, &wanted);
        let forecast = loaded.plan.forecast(&loaded.graph, &positions, 1).serial;
        memory::check_memory(forecast.saturating_add(layout.bytes_of_block()), "", engine.budget())?;
        let each = forecast.saturating_add(layout.bytes_of_block());
        let at_once = workers::fitting(engine.threads(), each, engine.budget());
        let (only, places, stop) = (asked.only, Places::new(at_once), Cancel::new());
        let this = Self { world, engine, store, only, layout, page, notes, at_once, places, stop };
        this.claim()?;
        Ok(this)
    }

    /// Writes what stands before any block, or mends it. The claim comes first, so that of several worlds
    /// that begin at once one has the store; the root comes last, so that whoever finds it finds all.
    fn claim(&self) -> Result<(), Failure> {
        let failed = |problem| Failure::Evaluation(vec![problem]);
        let store = &*self.store;
        let (name, claim) = zarr::claim(&self.page);
        // Either may be damaged; then the other one tells.
        let known = match (StorePage::read(store, &name), StorePage::read(store, ROOT)) {
            (Ok(Some(page)), _) | (_, Ok(Some(page))) => Some(page),
            (Ok(None), Ok(None)) => None,
            (_, Err(failure)) | (Err(failure), _) => return Err(failure),
        };
        if let Some(there) = known {
            self.compare(&there)?;
        } else {
            if [".zgroup", ".zarray"].iter().any(|old| matches!(store.read(old), Ok(Some(_)))) {
                let message = format!("{} is somebody else's store, of Zarr 2", store.place());
                return Err(Failure::usage(message, "name another store"));
            }
            store.create(&name, &claim).map_err(failed)?;
            match StorePage::read(store, &name)? {
                Some(there) => self.compare(&there)?,
                None => {
                    let message = format!("{} does not keep what is written to it", store.place());
                    return Err(failed(Problem::new(message, "name another store")));
                }
            }
        }
        for (name, bytes) in zarr::objects(&self.layout, &self.page).map_err(failed)? {
            write_checked(store, &name, &bytes).map_err(failed)?;
        }
        Ok(())
    }

    fn compare(&self, there: &StorePage) -> Result<(), Failure> {
        if *there == self.page {
            return Ok(());
        }
        Err(Failure::Usage(there.differs(&self.page, &self.store.place())))
    }

    /// How the world lies in the store.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What a person should know.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What stops blocks that are being made, before their next patch.
    #[must_use]
    pub const fn stop(&self) -> &Cancel {
        &self.stop
    }

    /// The key of a block: of its world, the program's version, the layout of the store and its place.
    #[must_use]
    pub fn key_of(&self, block: (i64, i64)) -> String {
        self.page.key_of(block)
    }

    /// Makes a share of the blocks, or all, as many at once as there are threads and memory for.
    ///
    /// # Errors
    /// What went wrong; all else is there.
    pub fn make(&self, share: Option<Share>, listener: &mut dyn Listener) -> Result<(), Failure> {
        let blocks = self.layout.blocks();
        let own = share.map_or(0..blocks.count(), |share| share.of_many(blocks.count()));
        listener.begin(own.len());
        let workers = self.at_once.min(own.len().max(1));
        let threads = (self.engine.threads() / workers).max(1);
        let mut problems = Vec::new();
        workers::each(
            workers,
            own.len(),
            |number| in_morton_order(&blocks, own.start + number).map(|block| self.block(block, threads)),
            |_, made| {
                if let Some(mut made) = made {
                    listener.made(&made);
                    problems.append(&mut made.problems);
                }
                if listener.goes_on() {
                    return Go::On;
                }
                self.stop.cancel();
                Go::Stop
            },
        );
        if !listener.goes_on() {
            problems.push(Problem::new("the world was stopped", "begin it again: blocks that are made stay"));
        }
        Failure::unless(problems)
    }

    /// Makes one block, unless the store has it; `threads` of its patches at once.
    #[must_use]
    pub fn block(&self, block: (i64, i64), threads: usize) -> BlockMade {
        let started = Instant::now();
        let mut made = BlockMade {
            block,
            was_there: false,
            ran: 0,
            cached: 0,
            warnings: Vec::new(),
            digest: None,
            problems: Vec::new(),
            took: Duration::ZERO,
        };
        if let Err(problems) = self.find_or_make(&mut made, threads) {
            made.problems = problems;
        }
        for problem in &mut made.problems {
            problem.message = format!("block {},{}: {}", block.0, block.1, problem.message);
        }
        made.took = started.elapsed();
        made
    }

    fn find_or_make(&self, made: &mut BlockMade, threads: usize) -> Result<(), Vec<Problem>> {
        let key = self.key_of(made.block);
        let names = zarr::objects_of(&self.layout, made.block);
        let one = |problem| vec![problem];
        if let Found::Whole(record) = find(&*self.store, made.block, &key, &names).map_err(one)? {
            made.was_there = true;
            made.digest = Some(record.digest());
            return Ok(());
        }
        let _place = self.places.take();
        let samples = self.evaluate(made, threads)?;
        let record = Record { key, block: made.block, objects: self.write(made.block, &samples)? };
        write_checked(&*self.store, &Record::name(made.block), record.text().as_bytes()).map_err(one)?;
        made.digest = Some(record.digest());
        Ok(())
    }

    /// The samples of all outputs over a block.
    fn evaluate(&self, made: &mut BlockMade, threads: usize) -> Result<Vec<Samples>, Vec<Problem>> {
        let layers = &self.layout.layers;
        let mut samples: Vec<Samples> =
            layers.iter().map(|layer| Samples::new(&self.layout, layer)).collect();
        let patches = self.layout.patches_of(made.block);
        let mut problems = Vec::new();
        workers::each(
            threads.min(patches.count()).max(1),
            patches.count(),
            |number| patches.nth(number).map(|patch| (patch, self.patch(patch))),
            |_, done| {
                let Some((patch, done)) = done else { return Go::Stop };
                let place = ((patch.0 - patches.low.0) as usize, (patch.1 - patches.low.1) as usize);
                match done {
                    Ok(done) => {
                        made.ran += done.ran;
                        made.cached += done.cached;
                        made.warnings.extend(done.warnings);
                        for (samples, value) in samples.iter_mut().zip(&done.values) {
                            if !samples.put(value, place) {
                                let what = format!("patch {}: an output is no raster of it", folder(patch));
                                let help = "this is a defect in Terrane: please report it with the world";
                                problems.push(Problem::new(what, help));
                            }
                        }
                    }
                    Err(wrong) => problems.extend(wrong.into_iter().map(|mut problem| {
                        problem.message = format!("patch {},{}: {}", patch.0, patch.1, problem.message);
                        problem
                    })),
                }
                if problems.is_empty() { Go::On } else { Go::Stop }
            },
        );
        // What several patches warn of is told once, whichever came first.
        made.warnings.sort();
        made.warnings.dedup();
        if problems.is_empty() { Ok(samples) } else { Err(problems) }
    }

    /// The values of a patch.
    fn patch(&self, patch: (i64, i64)) -> Result<Patch, Vec<Problem>> {
        if self.stop.is_cancelled() {
            return Err(vec![Problem::new("it was stopped", "begin it again: blocks that are made stay")]);
        }
        let loaded = self
            .world
            .patch(&self.engine, patch)
            .map_err(|error| vec![Problem::new(error.message, error.help)])?;
        let loaded = Arc::new(loaded);
        let told = |failure: Failure| match failure {
            Failure::Evaluation(problems) => problems,
            Failure::Usage(problem) => vec![problem],
            Failure::Graph(_) => vec![Problem::new(failure.in_short(), "")],
        };
        let entries = outputs::entries(&loaded, &self.only).map_err(told)?;
        let wanted: Vec<Wanted> = self
            .layout
            .layers
            .iter()
            .filter_map(|layer| Some(entries.get(layer.entry)?.from.clone().into()))
            .collect();
        let job = self.engine.start(&loaded, wanted).map_err(|wrong| told(wrong.into()))?;
        let evaluation = job.wait();
        let problems = outputs::failures(&loaded, &evaluation);
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Patch {
            ran: evaluation.ran().len(),
            cached: evaluation.nodes.iter().filter(|node| node.outcome == Outcome::Cached).count(),
            values: evaluation.outputs.into_iter().filter_map(|output| output.value).collect(),
            warnings: evaluation.warnings,
        })
    }

    /// Writes the objects of a block, each whole and read again; gives their digests.
    fn write(
        &self,
        block: (i64, i64),
        samples: &[Samples],
    ) -> Result<BTreeMap<String, String>, Vec<Problem>> {
        let mut objects = BTreeMap::new();
        for level in 0..self.layout.levels() {
            for (layer, samples) in self.layout.layers.iter().zip(samples) {
                let put = || {
                    let array = Stored::of(&self.layout, layer.pixel, level, serde_json::Map::new())?;
                    let bytes = array.encode(samples.at(level))?;
                    let name = zarr::object_of(layer, level, block);
                    write_checked(&*self.store, &name, &bytes)?;
                    Ok((name, digest(&bytes)))
                };
                objects.extend([put().map_err(|problem| vec![problem])?]);
            }
        }
        Ok(objects)
    }
}

/// What came of a patch.
struct Patch {
    ran: usize,
    cached: usize,
    values: Vec<terrane_flow::Value>,
    warnings: Vec<String>,
}
