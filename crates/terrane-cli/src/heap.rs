//! The memory allocator, and its settings.

#![expect(unsafe_code, reason = "the allocator's settings have no safe interface")]

use terrane_compute::LargePages;

#[global_allocator]
static HEAP: LargePages = LargePages;

/// Makes the allocator return every large allocation to the system as soon as it is freed.
///
/// By default, the GNU C library returns only allocations above a threshold, and raises this threshold
/// whenever it frees a larger allocation. Freed maps then stay with the threads that allocated them. The
/// process grows far beyond what `--memory` allows.
///
/// Returning memory costs time, because the system maps each allocation again. Memory is therefore returned
/// only if `--memory` is given.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_freed_memory() {
    LargePages::keep_nothing();
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: the call sets a parameter of the allocator before any other thread has started.
    let _accepted = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Keeps no freed allocations. Other systems' allocators return memory on their own.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_freed_memory() {
    LargePages::keep_nothing();
}
