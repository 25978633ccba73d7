//! The bookkeeping of a budget: memory in use, and nodes that start or wait.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::executor::Task;
use crate::model::context::Cancel;
use crate::model::forecast::SMALL;

/// The priority of a node: the number of its job, and the node's position in the order of that job. The
/// lowest rank comes first, so older jobs have priority.
pub type Rank = (u64, u32);

/// The memory in use, and the waiting nodes.
///
/// Nodes run in any order that their wires allow. So their values could fill the memory while each node waits
/// for another. To prevent this, the first unfinished node of the oldest job may always use the whole
/// capacity. Other nodes must leave enough memory free for the nodes of that job to run one after the other.
/// The forecast states how much memory this takes.
#[derive(Default)]
pub struct Ledger {
    pub capacity: u64,
    /// Bytes of values in memory, and bytes reserved for running nodes.
    pub used: u64,
    /// The maximum number of bytes ever in use at once.
    pub peak: u64,
    /// The number of taken seats: running nodes, and threads that continue from a node to its dependent.
    pub running: usize,
    /// The total number of seats.
    pub threads: usize,
    /// The number of foreign nodes for which memory is reserved. They run outside the pool, and have no
    /// seats.
    pub foreign: usize,
    /// Nodes that are about to start, that wait for memory, or that run. The first of them has priority.
    open: BTreeSet<Rank>,
    waiting: BTreeMap<Rank, Waiting>,
    /// Per job, the bytes that its nodes need if they run one after the other.
    serial: BTreeMap<u64, u64>,
}

/// Whether a node has a seat. A seat is the right to run one node that computes or reads large values. There
/// are as many seats as threads in the pool.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seat {
    /// The node has no seat yet.
    None,
    Taken,
    /// The node needs no seat, since it will run outside the pool.
    NotNeeded,
    /// As `NotNeeded`, after memory was reserved for the node.
    Foreign,
}

impl Seat {
    /// The seat after memory was reserved.
    pub fn after_reserving(self) -> Self {
        match self {
            Self::None | Self::Taken => Self::Taken,
            Self::NotNeeded | Self::Foreign => Self::Foreign,
        }
    }

    /// The seat while the node waits: a taken seat is given up.
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
    /// A ledger with nothing in use.
    pub fn new(capacity: u64, threads: usize) -> Self {
        Self { capacity, threads, ..Self::default() }
    }

    /// Begins a job.
    pub fn begin(&mut self, job: u64, serial: u64) {
        self.serial.insert(job, serial);
    }

    /// Ends a job.
    pub fn end(&mut self, job: u64) {
        self.serial.remove(&job);
        self.open.retain(|rank| rank.0 != job);
    }

    /// Registers a node whose inputs are ready.
    pub fn open(&mut self, rank: Rank) {
        self.open.insert(rank);
    }

    /// Removes a finished node.
    pub fn close(&mut self, rank: Rank) {
        self.open.remove(&rank);
    }

    /// Reserves the bytes that a node needs, and a seat if it still needs one. Returns `false` if they are
    /// not available.
    pub fn take(&mut self, rank: Rank, need: u64, seat: Seat) -> bool {
        let first = self.open.first().copied().unwrap_or(rank);
        let left = if rank <= first { 0 } else { self.serial.get(&first.0).copied().unwrap_or(0) };
        // A node that needs almost no memory always fits. It only reads values, and its end frees memory.
        let fits = need < SMALL || self.used.saturating_add(need).saturating_add(left) <= self.capacity;
        if fits && (seat != Seat::None || self.running < self.threads) {
            self.force(need, seat);
            return true;
        }
        false
    }

    /// Reserves bytes, and a seat if the node still needs one, even if they are not available.
    pub fn force(&mut self, need: u64, seat: Seat) {
        self.used = self.used.saturating_add(need);
        self.peak = self.peak.max(self.used);
        self.running += usize::from(seat == Seat::None);
        self.foreign += usize::from(seat == Seat::NotNeeded);
    }

    /// Adds a waiting node.
    pub fn wait(&mut self, rank: Rank, waiting: Waiting) {
        self.waiting.insert(rank, waiting);
    }

    /// Whether any node waits.
    pub fn is_waited_for(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Removes the waiting nodes that may start now or that are cancelled, and returns their tasks. Their
    /// bytes are reserved.
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

    /// Whether a node must start despite a lack of memory. It must if nothing runs that could free memory,
    /// and if no other node has priority.
    pub fn is_stuck(&self, rank: Rank) -> bool {
        let ends = rank.0 > 0 && self.foreign_will_end();
        self.running == 0 && !ends && self.open.first().is_none_or(|first| rank <= *first)
    }

    /// Whether the foreign nodes are known to end and free their memory. This is known if there is no other
    /// job that they could wait for. For work outside of nodes (rank 0), `is_stuck` ignores this function,
    /// because a foreign node may itself wait for such work.
    fn foreign_will_end(&self) -> bool {
        self.foreign > 0 && self.serial.len() == 1
    }

    /// Whether the first waiting node is stuck. It is not stuck if a node with a higher priority is about to
    /// start.
    pub fn is_blocked(&self) -> bool {
        self.waiting.keys().next().is_some_and(|&rank| self.is_stuck(rank))
    }

    /// The task of the first waiting node, if it is stuck.
    pub fn unblock(&mut self) -> Option<Task> {
        if !self.is_blocked() {
            return None;
        }
        let (_, waiting) = self.waiting.pop_first()?;
        self.force(waiting.need, waiting.seat);
        Some(waiting.task)
    }
}
