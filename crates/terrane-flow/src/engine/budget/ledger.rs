//! The numbers of a budget: what is in use, who may start, who waits.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::executor::Task;
use crate::model::context::Cancel;
use crate::model::forecast::SMALL;

/// A node's place among all: its job, older ones first, and its position in the job's order.
pub type Rank = (u64, u32);

/// What is in use, and who waits.
///
/// Nodes are worked on in any order that their wires allow, so their values could fill the memory while each
/// waits for one more. So there is always one node, the first in the order of its graph that is not done,
/// which may use all of the capacity. Others leave room for what the graph takes when its nodes run one after
/// the other, which is known to fit.
#[derive(Default)]
pub struct Ledger {
    pub capacity: u64,
    /// Bytes of values in memory, and those set aside for what runs.
    pub used: u64,
    /// How much was ever in use at once.
    pub peak: u64,
    /// Seats taken: nodes that run, and threads that go on from one node to its reader.
    pub running: usize,
    /// How many seats there are.
    pub threads: usize,
    /// Nodes that run beside the threads, without seats, with memory that was taken for them.
    pub beside: usize,
    /// Nodes that are about to start, wait or run; so the first that is not done is among them.
    open: BTreeSet<Rank>,
    waiting: BTreeMap<Rank, Waiting>,
    /// Per job, what its graph takes when nodes run one after the other.
    serial: BTreeMap<u64, u64>,
}

/// A seat among as many as there are threads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// None yet.
    None,
    Taken,
    /// None, and none is needed: the node is to run beside the threads.
    Needless,
    /// The same, since memory was taken for it.
    Beside,
}

impl Seat {
    /// What it is once memory was taken.
    pub fn won(self) -> Self {
        match self {
            Self::None | Self::Taken => Self::Taken,
            Self::Needless | Self::Beside => Self::Beside,
        }
    }

    /// What whoever has it waits with: a seat is given up, to be had again.
    pub fn waiting(self) -> Self {
        if self == Self::Taken { Self::None } else { self }
    }
}

/// A node that waits for memory or for a seat.
pub struct Waiting {
    pub need: u64,
    pub seat: Seat,
    pub cancel: Cancel,
    pub task: Task,
}

impl Ledger {
    /// Nobody has anything yet.
    pub fn new(capacity: u64, threads: usize) -> Self {
        Self { capacity, threads, ..Self::default() }
    }

    /// A job begins.
    pub fn begin(&mut self, job: u64, serial: u64) {
        self.serial.insert(job, serial);
    }

    /// A job ends.
    pub fn end(&mut self, job: u64) {
        self.serial.remove(&job);
        self.open.retain(|rank| rank.0 != job);
    }

    /// A node may start as far as its inputs are concerned.
    pub fn open(&mut self, rank: Rank) {
        self.open.insert(rank);
    }

    /// A node is done.
    pub fn close(&mut self, rank: Rank) {
        self.open.remove(&rank);
    }

    /// Takes the bytes that a node needs, and a seat unless it has one, if it may have them.
    pub fn take(&mut self, rank: Rank, need: u64, seat: Seat) -> bool {
        let first = self.open.first().copied().unwrap_or(rank);
        let left = if rank <= first { 0 } else { self.serial.get(&first.0).copied().unwrap_or(0) };
        // What needs next to nothing itself only reads, and its end gives memory back.
        let fits = need < SMALL || self.used.saturating_add(need).saturating_add(left) <= self.capacity;
        if fits && (seat != Seat::None || self.running < self.threads) {
            self.force(need, seat);
            return true;
        }
        false
    }

    /// Takes bytes whatever is left, and a seat unless there is one.
    pub fn force(&mut self, need: u64, seat: Seat) {
        self.used = self.used.saturating_add(need);
        self.peak = self.peak.max(self.used);
        self.running += usize::from(seat == Seat::None);
        self.beside += usize::from(seat == Seat::Needless);
    }

    /// Lets a node wait.
    pub fn wait(&mut self, rank: Rank, waiting: Waiting) {
        self.waiting.insert(rank, waiting);
    }

    /// Whether somebody waits.
    pub fn is_waited_for(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Those who wait and may start now, or need not wait any more since they are cancelled. Bytes are taken
    /// for them.
    pub fn ready(&mut self) -> Vec<Task> {
        let mut ready = Vec::new();
        let ranks: Vec<Rank> = self.waiting.keys().copied().collect();
        for rank in ranks {
            let Some(waiting) = self.waiting.get(&rank) else { continue };
            let (need, seat, is_over) = (waiting.need, waiting.seat, waiting.cancel.is_cancelled());
            if is_over {
                self.force(need, seat);
            } else if !self.take(rank, need, seat) {
                continue;
            }
            ready.extend(self.waiting.remove(&rank).map(|waiting| waiting.task));
        }
        ready
    }

    /// Whether a node must go on with what there is: nothing runs that could give memory back, and none comes
    /// before it.
    pub fn is_stuck(&self, rank: Rank) -> bool {
        let ends = rank.0 > 0 && self.ends_beside();
        self.running == 0 && !ends && self.open.first().is_none_or(|first| rank <= *first)
    }

    /// Whether what runs beside the threads is known to end, and to give its memory back: no other job is
    /// under way that it could wait for. What is set aside (for no job) it could wait for all the same.
    fn ends_beside(&self) -> bool {
        self.beside > 0 && self.serial.len() == 1
    }

    /// Whether that holds for the first who waits. Others that come before it are about to start.
    pub fn is_blocked(&self) -> bool {
        self.waiting.keys().next().is_some_and(|&rank| self.is_stuck(rank))
    }

    /// The first who waits, where it must go on with what there is.
    pub fn unblock(&mut self) -> Option<Task> {
        if !self.is_blocked() {
            return None;
        }
        let (_, waiting) = self.waiting.pop_first()?;
        self.force(waiting.need, waiting.seat);
        Some(waiting.task)
    }
}
