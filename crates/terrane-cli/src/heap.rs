//! The memory allocator, and its settings.

#![expect(unsafe_code, reason = "allocators have no safe interface")]

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
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: the call sets a parameter of the allocator before any other thread has started.
    let _accepted = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Does nothing: other allocators return memory on their own.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_freed_memory() {}

#[cfg(target_os = "linux")]
mod large_pages {
    use std::alloc::{GlobalAlloc, Layout, System};

    /// The system's allocator, which asks for large pages for large allocations.
    ///
    /// The system gives memory page by page, when it is first written. With pages of 4 KB, this takes several
    /// times as long as to write a map. Systems that decide on their own, and systems without large pages,
    /// ignore the request.
    struct LargePages;

    #[global_allocator]
    static HEAP: LargePages = LargePages;

    /// The smallest allocation that is sure to contain a large page of 2 MB.
    const LARGE: usize = 4 << 20;

    /// Asks for large pages in an allocation.
    fn ask(start: *mut u8, bytes: usize) {
        const PAGE: usize = 4096;
        if bytes < LARGE || start.is_null() {
            return;
        }
        let skipped = start.align_offset(PAGE);
        // SAFETY: the range lies within an allocation that was just made, and the request changes no byte.
        let _if_possible = unsafe {
            libc::madvise(start.add(skipped).cast(), (bytes - skipped) / PAGE * PAGE, libc::MADV_HUGEPAGE)
        };
    }

    // SAFETY: all allocations are those of `System`.
    unsafe impl GlobalAlloc for LargePages {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller's promise is that of `System`. The same holds below.
            let start = unsafe { System.alloc(layout) };
            ask(start, layout.size());
            start
        }

        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            let start = unsafe { System.alloc_zeroed(layout) };
            ask(start, layout.size());
            start
        }

        unsafe fn realloc(&self, start: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
            let start = unsafe { System.realloc(start, layout, bytes) };
            ask(start, bytes);
            start
        }

        unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
            unsafe { System.dealloc(start, layout) };
        }
    }
}
