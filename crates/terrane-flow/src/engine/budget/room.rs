//! A budget of memory that jobs of an engine share.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use super::ledger::{Ledger, Rank, Seat, Waiting};
use crate::engine::cache::Store;
use crate::engine::executor::{Executor, Task};
use crate::engine::lock::lock;
use crate::model::context::Cancel;

/// A budget of memory: what values in memory take, and what running nodes may need.
pub struct Budget {
    executor: Arc<dyn Executor>,
    pub(super) store: Arc<dyn Store>,
    ledger: Mutex<Ledger>,
    /// How often memory was set aside for what is no node's.
    aside: AtomicU32,
}

/// Memory set aside for something that runs, and its seat among as many as there are threads; given back when
/// it is dropped.
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

    /// Bytes that may be in use.
    pub fn capacity(&self) -> u64 {
        lock(&self.ledger).capacity
    }

    /// How many bytes were ever in use at once.
    pub fn peak(&self) -> u64 {
        lock(&self.ledger).peak
    }

    /// A job begins, which takes `serial` bytes when its nodes run one after the other.
    pub fn begin(&self, job: u64, serial: u64) {
        lock(&self.ledger).begin(job, serial);
        // A node beside the threads may wait for this job, and others for that node.
        self.reconsider();
    }

    /// A job ends.
    pub fn end(&self, job: u64) {
        lock(&self.ledger).end(job);
        self.reconsider();
    }

    /// Nodes may start as far as their inputs are concerned.
    pub fn open(&self, ranks: impl Iterator<Item = Rank>) {
        let mut ledger = lock(&self.ledger);
        ranks.for_each(|rank| ledger.open(rank));
    }

    /// A node is done, or somebody else does it.
    pub fn close(&self, rank: Rank) {
        lock(&self.ledger).close(rank);
        self.reconsider();
    }

    /// Adds memory for a node, and a seat where there is none yet, to a room. Otherwise the node has to wait:
    /// then `task` is done as soon as both are taken for it, which [`Budget::taken`] hands over. Whether it
    /// need not wait.
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
            // What is held to spare work goes before anybody waits; but without a seat there is nothing to be
            // had by it.
            if self.lacks_seats(room) || !self.store.make_room() {
                break;
            }
        }
        let mut ledger = lock(&self.ledger);
        // Memory may have come back since, and nobody would look again.
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

    /// The same, but waits on this thread.
    pub fn enlarge_here(&self, room: &mut Room, wish: (Rank, u64), cancel: &Cancel) {
        let (told, heard) = crossbeam_channel::bounded(1);
        let task = || -> Task {
            Box::new(move || {
                let _told = told.send(());
            })
        };
        if !self.enlarge(room, wish, cancel, task) {
            // The task is either done or dropped with the budget.
            let _told = heard.recv();
            room.grow(wish.1);
        }
    }

    /// Memory for something that is no node's: waits for it on this thread.
    pub fn set_aside(self: &Arc<Self>, bytes: u64) -> Room {
        // Before every node, since no job has the number 0, and each at a place of its own.
        let rank = (0, self.aside.fetch_add(1, Ordering::Relaxed));
        let mut room = self.nothing();
        self.enlarge_here(&mut room, (rank, bytes), &Cancel::new());
        room
    }

    /// A room without memory and without a seat.
    pub fn nothing(self: &Arc<Self>) -> Room {
        Room { budget: Arc::clone(self), bytes: 0, seat: Seat::None }
    }

    /// A room without memory for a node that is to run beside the threads, without a seat.
    pub fn nothing_beside(self: &Arc<Self>) -> Room {
        Room { budget: Arc::clone(self), bytes: 0, seat: Seat::Needless }
    }

    /// The memory and the seat that were taken for a task that waited.
    pub fn taken(self: &Arc<Self>, bytes: u64) -> Room {
        Room { budget: Arc::clone(self), bytes, seat: Seat::Taken }
    }

    /// Starts those who wait and may start now.
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
            // Nothing that runs could give memory back: the first goes on with what there is.
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

    /// Values are gone. Somebody may hold locks of a store here, so nobody else is asked for room.
    pub(super) fn free(&self, bytes: u64) {
        let mut ledger = lock(&self.ledger);
        ledger.used = ledger.used.saturating_sub(bytes);
        let ready = if ledger.is_waited_for() { ledger.ready() } else { Vec::new() };
        drop(ledger);
        ready.into_iter().for_each(|task| self.executor.spawn(task));
    }
}

impl Room {
    /// Memory was taken, and a seat where one is needed.
    fn grow(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        self.seat = self.seat.won();
        true
    }

    /// What a reader of what ran beside the threads begins with: a seat, whether one is free or not, since it
    /// may give memory back.
    pub fn seated(mut self) -> Self {
        if self.seat == Seat::Beside {
            let mut ledger = lock(&self.budget.ledger);
            ledger.beside -= 1;
            ledger.running += 1;
            drop(ledger);
            self.seat = Seat::Taken;
            return self;
        }
        self.budget.nothing()
    }

    /// Gives the memory back, but keeps the seat: a thread goes on with a reader of what it has made, before
    /// others begin.
    pub fn clear(&mut self) {
        if self.bytes > 0 {
            let mut ledger = lock(&self.budget.ledger);
            ledger.used = ledger.used.saturating_sub(self.bytes);
            self.bytes = 0;
            drop(ledger);
            self.budget.reconsider();
        }
    }

    /// Turns bytes, as many as there are, into those of a value; what the value takes beyond them is counted
    /// too.
    pub(super) fn turn_into(&mut self, bytes: u64) {
        let own = bytes.min(self.bytes);
        self.bytes -= own;
        self.budget.add(bytes - own);
    }

    /// Hands a part over to a value that is counted already.
    pub fn hand_over(&mut self, bytes: u64) {
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
        ledger.beside -= usize::from(self.seat == Seat::Beside);
        drop(ledger);
        self.budget.reconsider();
    }
}
