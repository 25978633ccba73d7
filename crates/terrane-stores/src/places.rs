//! How many blocks are in memory at once.

use std::sync::{Condvar, Mutex, PoisonError};

/// Places for so many at once; who comes when all are taken waits.
pub struct Places {
    free: Mutex<usize>,
    left: Condvar,
}

/// A place, until it is dropped.
pub struct Place<'a>(&'a Places);

impl Places {
    /// So many places, at least one.
    pub fn new(count: usize) -> Self {
        Self { free: Mutex::new(count.max(1)), left: Condvar::new() }
    }

    /// Takes a place, as soon as there is one.
    pub fn take(&self) -> Place<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.left.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.left.notify_one();
    }
}
