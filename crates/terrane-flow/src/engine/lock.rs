//! Locking that ignores poisoning.

use std::sync::Mutex;

/// Locks a mutex even if a previous holder panicked. The guarded data is consistent after each statement, and
/// panics in nodes are caught before they reach a lock.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
