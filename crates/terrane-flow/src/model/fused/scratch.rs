//! What a thread needs while it evaluates blocks, and what it finds out about each node.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The number of samples that pass through all nodes before the next ones. The blocks of a few nodes fit into
/// the first cache.
pub const BLOCK: usize = 1 << 10;

/// The samples of a block. It begins at a multiple of the length of a cache line.
pub struct Block {
    memory: Vec<f32>,
    begin: usize,
}

impl Block {
    /// A block of equal samples. `lane`: a number that differs for blocks that are used together. Processors
    /// compare addresses by their last 12 bits first, and wait if a block that is read begins slightly behind
    /// one that is written. So blocks begin at different places of a page.
    pub fn new(sample: f32, lane: usize) -> Self {
        const PAGE: usize = 1024;
        let memory = vec![sample; BLOCK + 2 * PAGE];
        let page = memory.as_ptr().align_offset(4 * PAGE);
        let places = [0, 8, 4, 12, 2, 10, 6, 14];
        Self { memory, begin: page + places[lane % places.len()] * (PAGE / 16) }
    }
}

impl Deref for Block {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.memory[self.begin..][..BLOCK]
    }
}

impl DerefMut for Block {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.memory[self.begin..][..BLOCK]
    }
}

/// The blocks between the nodes of a fusion.
pub struct Scratch {
    pub registers: Vec<Block>,
    /// Which samples of a block are holes.
    pub holes: Vec<bool>,
    pub found: Vec<Found>,
}

impl Scratch {
    /// Scratch for a number of registers and of steps.
    pub fn new(registers: usize, steps: usize) -> Self {
        Self {
            registers: (0..registers).map(|lane| Block::new(0.0, lane)).collect(),
            holes: vec![false; BLOCK],
            found: vec![Found::default(); steps],
        }
    }

    /// Adds to the totals of the steps what was found out since the last call.
    pub fn add_to(&mut self, totals: &[Total]) {
        self.found.iter_mut().zip(totals).for_each(|(found, total)| total.add(std::mem::take(found)));
    }
}

/// What a thread found out about a node.
#[derive(Clone, Default)]
pub struct Found {
    /// Samples that are not finite.
    pub lost: u64,
    /// The time of those blocks that were timed.
    pub time: Duration,
}

/// The sum of what all threads found out about a node.
#[derive(Default)]
pub struct Total {
    lost: AtomicU64,
    nanoseconds: AtomicU64,
}

impl Total {
    fn add(&self, found: Found) {
        self.lost.fetch_add(found.lost, Ordering::Relaxed);
        self.nanoseconds.fetch_add(found.time.as_nanos() as u64, Ordering::Relaxed);
    }

    pub fn lost(&self) -> usize {
        self.lost.load(Ordering::Relaxed) as usize
    }

    pub fn seconds(&self) -> f64 {
        self.nanoseconds.load(Ordering::Relaxed) as f64 * 1e-9
    }
}
