//! Locks that a panic elsewhere does not spoil.

use std::sync::Mutex;

/// A lock whatever happened to other holders: what they guard stays consistent between their statements, and
/// a panic in a node is caught before it reaches a lock.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
