//! Counts heap bytes while code runs.

#![allow(unsafe_code, reason = "an allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The system's allocator, with a count of the bytes held.
pub struct Counting;

static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
static ALONE: Mutex<()> = Mutex::new(());

/// Blocks the other tests of this process, whose bytes would be counted too. Every test calls it first.
pub fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn took(bytes: usize) {
    let held = HELD.fetch_add(bytes as i64, Relaxed) + bytes as i64;
    PEAK.fetch_max(held, Relaxed);
}

fn gave(bytes: usize) {
    HELD.fetch_sub(bytes as i64, Relaxed);
}

// SAFETY: every call is forwarded to the system with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: guaranteed by the caller.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: guaranteed by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    /// Reallocation is counted as a copy, as done by allocators that cannot move pages.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            took(size);
            gave(layout.size());
        } else {
            gave(layout.size() - size);
        }
        // SAFETY: guaranteed by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs some work. Returns its result, and the peak number of bytes held during the work in addition to those
/// held before. Callers must hold [`alone`].
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let made = work();
    let peak = PEAK.load(Relaxed) - before;
    (made, u64::try_from(peak).unwrap_or(0))
}
