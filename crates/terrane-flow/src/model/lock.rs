//! Locking that ignores poisoning.

use std::sync::Mutex;

/// Locks a mutex even if a previous holder panicked. The data is still valid then, because every statement
/// leaves it consistent. Panics in nodes are caught before they reach a lock.
pub fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
