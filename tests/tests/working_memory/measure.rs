//! Heap bytes counted while something runs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The system's allocator, with what is held counted.
pub struct Counting;

static HELD: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);
static ALONE: Mutex<()> = Mutex::new(());

/// Holds off the other tests of this process, whose bytes would be counted too. Every test begins with it.
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

// SAFETY: every call is the system's own with the same arguments.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    /// What grows is counted as copied, which is what allocators do that cannot move pages.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() {
            took(size);
            gave(layout.size());
        } else {
            gave(layout.size() - size);
        }
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// What comes of some work, and the most bytes that were held at once during it beyond those before it;
/// for whoever is [`alone`].
pub fn peak<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    let made = work();
    let peak = PEAK.load(Relaxed) - before;
    (made, u64::try_from(peak).unwrap_or(0))
}
