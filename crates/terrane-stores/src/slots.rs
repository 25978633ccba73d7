//! A limit on the number of blocks in memory.

use std::sync::{Condvar, Mutex, PoisonError};

use terrane_flow::lock;

/// A fixed number of slots. Callers wait while all slots are taken.
pub struct Slots {
    free: Mutex<usize>,
    released: Condvar,
}

/// A taken slot, released when dropped.
pub struct Slot<'a>(&'a Slots);

impl Slots {
    /// Creates `count` slots, at least one.
    pub fn new(count: usize) -> Self {
        Self { free: Mutex::new(count.max(1)), released: Condvar::new() }
    }

    /// Takes a slot. Waits until one is free.
    pub fn take(&self) -> Slot<'_> {
        let free = lock(&self.free);
        let free = self.released.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Slot(self)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        *lock(&self.0.free) += 1;
        self.0.released.notify_one();
    }
}
