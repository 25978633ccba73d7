//! The memory budget that all jobs of an engine share.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use super::ledger::{Ledger, Rank, Seat, Waiting};
use crate::engine::cache::Store;
use crate::engine::executor::{Executor, Task};
use crate::model::context::Cancel;
use crate::model::lock::lock;

/// The memory budget for values and running nodes.
pub struct Budget {
    executor: Arc<dyn Executor>,
    pub(super) store: Arc<dyn Store>,
    ledger: Mutex<Ledger>,
    /// The number of times that memory was reserved for work outside of nodes.
    aside: AtomicU32,
}

/// Memory reserved for running work, and its seat. Both are returned on drop.
#[must_use]
pub struct Room {
    pub(super) budget: Arc<Budget>,
    bytes: u64,
    seat: Seat,
}

impl Budget {
    /// A budget of `capacity` bytes for at most `threads` nodes at once.
    pub fn new(capacity: u64, threads: usize, executor: Arc<dyn Executor>, store: Arc<dyn Store>) -> Self {
        Self { executor, store, ledger: Mutex::new(Ledger::new(capacity, threads)), aside: AtomicU32::new(0) }
    }

    /// The maximum number of bytes in use.
    pub fn capacity(&self) -> u64 {
        lock(&self.ledger).capacity
    }

    /// The largest number of bytes that were ever in use at once.
    pub fn peak(&self) -> u64 {
        lock(&self.ledger).peak
    }

    /// Begins a job, which needs `serial` bytes if its nodes run one after the other.
    pub fn begin(&self, job: u64, serial: u64) {
        lock(&self.ledger).begin(job, serial);
        // A foreign node may wait for this job, so it is no longer known to end. Therefore check again
        // whether a waiting node must start.
        self.reconsider();
    }

    /// Ends a job.
    pub fn end(&self, job: u64) {
        lock(&self.ledger).end(job);
        self.reconsider();
    }

    /// Registers nodes whose inputs are ready.
    pub fn open(&self, ranks: impl Iterator<Item = Rank>) {
        let mut ledger = lock(&self.ledger);
        ranks.for_each(|rank| ledger.open(rank));
    }

    /// Removes a node that is done, or that another job computes.
    pub fn close(&self, rank: Rank) {
        lock(&self.ledger).close(rank);
        self.reconsider();
    }

    /// Reserves memory for a node in `room`, with a seat if the node still needs one, and returns `true`.
    ///
    /// If they are not available, returns `false`. Then `task` runs as soon as memory and seat are reserved
    /// for it. The task obtains both with [`Budget::granted`].
    pub fn enlarge(
        &self,
        room: &mut Room,
        (rank, need): (Rank, u64),
        cancel: &Cancel,
        task: impl FnOnce() -> Task,
    ) -> bool {
        loop {
            if lock(&self.ledger).take(rank, need, room.seat) {
                return room.grow(need);
            }
            // Before a node has to wait, values that are kept only to save work are dropped. If no seat is
            // free, dropping them would not help.
            if self.lacks_seats(room) || !self.store.make_room() {
                break;
            }
        }
        let mut ledger = lock(&self.ledger);
        // Memory may have been freed since the first check. If the node waited now, nothing would start it.
        if ledger.take(rank, need, room.seat) {
            return room.grow(need);
        }
        if ledger.is_stuck(rank) {
            ledger.force(need, room.seat);
            return room.grow(need);
        }
        let seat = room.seat.waiting();
        ledger.wait(rank, Waiting { need, seat, cancel: cancel.clone(), task: task() });
        false
    }

    fn lacks_seats(&self, room: &Room) -> bool {
        let ledger = lock(&self.ledger);
        room.seat == Seat::None && ledger.running >= ledger.threads
    }

    /// Like [`Budget::enlarge`], but waits on this thread.
    pub fn enlarge_here(&self, room: &mut Room, wish: (Rank, u64), cancel: &Cancel) {
        let (granted, wait) = crossbeam_channel::bounded(1);
        let task = || -> Task {
            Box::new(move || {
                let _granted = granted.send(());
            })
        };
        if !self.enlarge(room, wish, cancel, task) {
            // Waiting ends when the task runs, or when the task is dropped with the budget.
            let _granted = wait.recv();
            room.grow(wish.1);
        }
    }

    /// Reserves memory for work outside of nodes, and waits for it on this thread.
    pub fn set_aside(self: &Arc<Self>, bytes: u64) -> Room {
        // This rank is unique and comes before the rank of every node, since no job has the number 0.
        let rank = (0, self.aside.fetch_add(1, Ordering::Relaxed));
        let mut room = self.empty();
        self.enlarge_here(&mut room, (rank, bytes), &Cancel::new());
        room
    }

    /// A room without memory and without a seat.
    pub fn empty(self: &Arc<Self>) -> Room {
        Room { budget: Arc::clone(self), bytes: 0, seat: Seat::None }
    }

    /// A room for a foreign node. It has no memory yet, and needs no seat.
    pub fn empty_for_foreign(self: &Arc<Self>) -> Room {
        Room { budget: Arc::clone(self), bytes: 0, seat: Seat::NotNeeded }
    }

    /// A room with the memory and the seat that were reserved for a waiting task.
    pub fn granted(self: &Arc<Self>, bytes: u64) -> Room {
        Room { budget: Arc::clone(self), bytes, seat: Seat::Taken }
    }

    /// Starts waiting tasks that may start now.
    pub fn reconsider(&self) {
        loop {
            let mut ledger = lock(&self.ledger);
            if !ledger.is_waited_for() {
                return;
            }
            let ready = ledger.ready();
            let is_blocked = ready.is_empty() && ledger.is_blocked();
            drop(ledger);
            if !ready.is_empty() {
                ready.into_iter().for_each(|task| self.executor.spawn(task));
                return;
            }
            if is_blocked && self.store.make_room() {
                continue;
            }
            // If nothing runs that could free memory, the first waiting node starts anyway.
            if let Some(task) = lock(&self.ledger).unblock() {
                self.executor.spawn(task);
            }
            return;
        }
    }

    /// Counts bytes of values.
    pub(super) fn add(&self, bytes: u64) {
        let mut ledger = lock(&self.ledger);
        ledger.used = ledger.used.saturating_add(bytes);
        ledger.peak = ledger.peak.max(ledger.used);
    }

    /// Frees the bytes of values. The caller may hold locks of a store, so this does not call
    /// [`Store::make_room`].
    pub(super) fn free(&self, bytes: u64) {
        let mut ledger = lock(&self.ledger);
        ledger.used = ledger.used.saturating_sub(bytes);
        let ready = if ledger.is_waited_for() { ledger.ready() } else { Vec::new() };
        drop(ledger);
        ready.into_iter().for_each(|task| self.executor.spawn(task));
    }
}

impl Room {
    /// Records that memory was reserved, with a seat if one was needed.
    fn grow(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        self.seat = self.seat.after_reserving();
        true
    }

    /// Converts the room of a foreign node into a room for its dependent. If memory was reserved for the
    /// foreign node, the dependent gets a seat, even if none is free: running the dependent may free memory.
    /// Otherwise the room is empty.
    pub fn seated(mut self) -> Self {
        if self.seat == Seat::Foreign {
            let mut ledger = lock(&self.budget.ledger);
            ledger.foreign -= 1;
            ledger.running += 1;
            drop(ledger);
            self.seat = Seat::Taken;
            return self;
        }
        self.budget.empty()
    }

    /// Returns the memory but keeps the seat, so that the thread can continue with a dependent before other
    /// nodes start.
    pub fn clear(&mut self) {
        if self.bytes > 0 {
            let mut ledger = lock(&self.budget.ledger);
            ledger.used = ledger.used.saturating_sub(self.bytes);
            self.bytes = 0;
            drop(ledger);
            self.budget.reconsider();
        }
    }

    /// Converts reserved bytes into bytes of a value. If the value has more bytes than were reserved, the
    /// others are counted too.
    pub(super) fn convert(&mut self, bytes: u64) {
        let own = bytes.min(self.bytes);
        self.bytes -= own;
        self.budget.add(bytes - own);
    }

    /// Releases bytes that were reserved for a value, because the value is already counted.
    pub fn release_counted(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        lock(&self.budget.ledger).used -= bytes;
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        if self.seat == Seat::None {
            return;
        }
        let mut ledger = lock(&self.budget.ledger);
        ledger.used = ledger.used.saturating_sub(self.bytes);
        ledger.running -= usize::from(self.seat == Seat::Taken);
        ledger.foreign -= usize::from(self.seat == Seat::Foreign);
        drop(ledger);
        self.budget.reconsider();
    }
}
