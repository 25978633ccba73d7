//! Filling a store with the blocks of a world.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use terrane_flow::syntax::Problem;
use terrane_flow::{Cancel, Engine, OutputEntry};
use terrane_nodes::Terrain;
use terrane_runs::patches::{Patches, Share, in_morton_order, of_world};
use terrane_runs::workers::{self, Go};
use terrane_runs::world::LoadedWorld;
use terrane_runs::{Failure, memory, outputs};

use crate::array::Stored;
use crate::block::Samples;
use crate::evaluate::{BlockMade, Evaluator};
use crate::layout::Layout;
use crate::objects::{Objects, write_checked};
use crate::page::{ROOT, StorePage};
use crate::record::{Found, Record, digest, find};
use crate::slots::Slots;
use crate::zarr;

/// What to write into a store.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Names of the outputs to write. If empty, all rasters are written.
    pub only: Vec<String>,
    /// Number of patches along each side of a block.
    pub block: Option<u32>,
}

/// A world that is being written into a store.
pub struct Blocks {
    evaluator: Evaluator,
    store: Arc<dyn Objects>,
    page: StorePage,
    notes: Vec<String>,
    /// How many blocks may be in memory at once.
    at_once: usize,
    slots: Slots,
}

/// Callbacks while blocks are computed.
pub trait Listener {
    /// The run starts. It has this many blocks.
    fn begin(&mut self, _blocks: usize) {}

    /// Whether to start further blocks. Called after each block.
    fn goes_on(&self) -> bool {
        true
    }

    /// A block is done.
    fn made(&mut self, _made: &BlockMade) {}
}

impl Listener for () {}

impl Blocks {
    /// Prepares a store for a world, unless it is already prepared.
    ///
    /// # Errors
    /// Fails if the world lacks a requested output, if memory does not suffice, or if the store holds
    /// something else. Nothing is written in these cases.
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
        let place = Terrain::of(&*loaded.graph.header).and_then(|terrain| terrain.place.as_deref());
        let page = StorePage::new(&of_world(&world, &wanted)?, &layout, place);
        let positions = outputs::positions(loaded, &wanted);
        let forecast = loaded.plan.forecast(&loaded.graph, &positions, 1).serial;
        memory::check_memory(forecast.saturating_add(layout.bytes_of_block()), "", engine.budget())?;
        let each = forecast.saturating_add(layout.bytes_of_block());
        let at_once = workers::fitting(engine.threads(), each, engine.budget());
        let (only, slots, stop) = (asked.only, Slots::new(at_once), Cancel::new());
        let evaluator = Evaluator { world, engine, only, layout, stop };
        let mut this = Self { evaluator, store, page, notes, at_once, slots };
        this.claim()?;
        Ok(this)
    }

    /// Writes or repairs the objects that are written before the blocks.
    ///
    /// The claim comes first. It names the store's world. If several worlds start at once, only one of them
    /// can create the claim. The root comes last. A store with a root therefore also has all other objects
    /// that precede the blocks.
    ///
    /// # Errors
    /// Fails if the store belongs to another world, or cannot be read or written.
    fn claim(&mut self) -> Result<(), Failure> {
        let failed = |problem| Failure::Evaluation(vec![problem]);
        let store = &*Arc::clone(&self.store);
        let (name, claim) = zarr::claim(&self.page);
        // Both the claim and the root name the store's world. If one of them is damaged, the other one is
        // used.
        let known = match (StorePage::read(store, &name), StorePage::read(store, ROOT)) {
            (Ok(Some(page)), _) | (_, Ok(Some(page))) => Some(page),
            (Ok(None), Ok(None)) => None,
            (_, Err(failure)) | (Err(failure), _) => return Err(failure),
        };
        if let Some(there) = known {
            self.compare(&there)?;
        } else {
            if [".zgroup", ".zarray"].iter().any(|old| matches!(store.read(old), Ok(Some(_)))) {
                let message = format!("{} is a Zarr 2 store of another program", store.place());
                return Err(Failure::usage(message, "use another store"));
            }
            store.create(&name, &claim).map_err(failed)?;
            match StorePage::read(store, &name)? {
                Some(there) => self.compare(&there)?,
                None => {
                    let message = format!("{} does not keep the objects written to it", store.place());
                    return Err(failed(Problem::new(message, "use another store")));
                }
            }
        }
        for (name, bytes) in zarr::objects(&self.evaluator.layout, &self.page).map_err(failed)? {
            write_checked(store, &name, &bytes).map_err(failed)?;
        }
        Ok(())
    }

    /// Takes over the kind of coordinates from the store, and compares everything else.
    fn compare(&mut self, there: &StorePage) -> Result<(), Failure> {
        self.page = self.page.clone().continuing(there);
        if *there == self.page {
            return Ok(());
        }
        Err(Failure::Usage(there.differs(&self.page, &self.store.place())))
    }

    /// The layout of the world in the store.
    #[must_use]
    pub const fn layout(&self) -> &Layout {
        &self.evaluator.layout
    }

    /// Notes for the user.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Cancelling this handle stops the blocks in progress before their next patch.
    #[must_use]
    pub const fn stop(&self) -> &Cancel {
        &self.evaluator.stop
    }

    /// The key of a block. It is derived from the world, the program's version, the layout of the store and
    /// the block's position.
    #[must_use]
    pub fn key_of(&self, block: (i64, i64)) -> String {
        self.page.key_of(block)
    }

    /// Computes a share of the blocks, or all blocks. As many are computed at once as threads and memory
    /// allow.
    ///
    /// # Errors
    /// Returns the problems of failed blocks. All other blocks that were computed are complete.
    pub fn make(&self, share: Option<Share>, listener: &mut dyn Listener) -> Result<(), Failure> {
        let blocks = self.evaluator.layout.blocks();
        let own = share.map_or(0..blocks.count(), |share| share.of_many(blocks.count()));
        listener.begin(own.len());
        let workers = self.at_once.min(own.len().max(1));
        let threads = (self.evaluator.engine.threads() / workers).max(1);
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
                self.evaluator.stop.cancel();
                Go::Stop
            },
        );
        if !listener.goes_on() {
            problems.push(Problem::new("the world was stopped", "run again: finished blocks are kept"));
        }
        Failure::unless(problems)
    }

    /// Computes a block, unless the store has it. `threads` of its patches are computed at once.
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
        let names = zarr::objects_of(&self.evaluator.layout, made.block);
        let one = |problem| vec![problem];
        if let Found::Whole(record) = find(&*self.store, made.block, &key, &names).map_err(one)? {
            made.was_there = true;
            made.digest = Some(record.digest());
            return Ok(());
        }
        let _slot = self.slots.take();
        let samples = self.evaluator.block(made, threads)?;
        let record = Record { key, block: made.block, objects: self.write(made.block, &samples)? };
        write_checked(&*self.store, &Record::name(made.block), record.text().as_bytes()).map_err(one)?;
        made.digest = Some(record.digest());
        Ok(())
    }

    /// Writes the objects of a block, checks each by reading it back, and returns their digests by name.
    fn write(
        &self,
        block: (i64, i64),
        samples: &[Samples],
    ) -> Result<BTreeMap<String, String>, Vec<Problem>> {
        let layout = &self.evaluator.layout;
        let mut objects = BTreeMap::new();
        for level in 0..layout.levels() {
            for (layer, samples) in layout.layers.iter().zip(samples) {
                let put = || {
                    let array = Stored::of(layout, layer.pixel, level, serde_json::Map::new())?;
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
