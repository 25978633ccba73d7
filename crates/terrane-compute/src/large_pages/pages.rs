//! Large allocations: on Linux, mappings that begin where a large page can.

#[cfg(target_os = "linux")]
pub use linux::{ALIGN, map, remap, unmap};
#[cfg(not(target_os = "linux"))]
pub use system::{ALIGN, map, remap, unmap};

#[cfg(target_os = "linux")]
mod linux {
    use std::alloc::Layout;
    use std::ptr::null_mut;

    /// The bytes of a large page.
    pub const ALIGN: usize = 2 << 20;

    /// A multiple of the bytes of a page, whatever the machine.
    pub(super) const PAGE: usize = 1 << 16;

    const fn bytes(layout: Layout) -> usize {
        layout.size().next_multiple_of(PAGE)
    }

    /// New memory, which is 0, or null.
    pub fn map(layout: Layout) -> *mut u8 {
        let (bytes, protection) = (bytes(layout), libc::PROT_READ | libc::PROT_WRITE);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: the system chooses a range that is free. What lies before and after the aligned part is
        // given back; nothing else knows it. The request for large pages changes no byte.
        unsafe {
            let all = libc::mmap(null_mut(), bytes + ALIGN, protection, flags, -1, 0);
            if all == libc::MAP_FAILED {
                return null_mut();
            }
            let before = all.align_offset(ALIGN);
            let start = all.add(before);
            if before > 0 {
                libc::munmap(all, before);
            }
            libc::munmap(start.add(bytes), ALIGN - before);
            ask(start, bytes);
            start.cast()
        }
    }

    /// Asks for large pages. The system may have none.
    ///
    /// # Safety
    /// The range is a mapping's.
    unsafe fn ask(start: *mut libc::c_void, bytes: usize) {
        let _if_possible = unsafe { libc::madvise(start, bytes, libc::MADV_HUGEPAGE) };
    }

    /// The memory with another size, where it is or where another large page can begin, or null.
    ///
    /// # Safety
    /// The allocation is one of [`map`] or [`remap`], with this layout.
    pub unsafe fn remap(start: *mut u8, layout: Layout, other: Layout) -> *mut u8 {
        let (start, old, new) = (start.cast(), bytes(layout), bytes(other));
        // SAFETY: the range is a whole mapping, which only the caller knows. It moves onto a new one, which
        // is replaced, and which nothing else knows.
        unsafe {
            let same = libc::mremap(start, old, new, 0);
            if same != libc::MAP_FAILED {
                ask(same, new);
                return same.cast();
            }
            let to = map(other);
            if to.is_null() {
                return to;
            }
            let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
            let moved = libc::mremap(start, old, new, flags, to.cast::<libc::c_void>());
            if moved == libc::MAP_FAILED {
                unmap(to, other);
                return null_mut();
            }
            ask(moved, new);
            moved.cast()
        }
    }

    /// Returns memory to the system.
    ///
    /// # Safety
    /// As [`remap`].
    pub unsafe fn unmap(start: *mut u8, layout: Layout) {
        // SAFETY: as in `remap`.
        unsafe { libc::munmap(start.cast(), bytes(layout)) };
    }
}

/// Allocations of the system.
#[cfg(not(target_os = "linux"))]
mod system {
    use std::alloc::{GlobalAlloc, Layout, System};

    pub const ALIGN: usize = 4096;

    pub fn map(layout: Layout) -> *mut u8 {
        // SAFETY: the layout is not empty. The functions below have the promises of `System`.
        unsafe { System.alloc_zeroed(layout) }
    }

    pub unsafe fn remap(start: *mut u8, layout: Layout, other: Layout) -> *mut u8 {
        unsafe { System.realloc(start, layout, other.size()) }
    }

    pub unsafe fn unmap(start: *mut u8, layout: Layout) {
        unsafe { System.dealloc(start, layout) };
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::alloc::Layout;

    use super::*;
    use linux::PAGE;

    #[test]
    fn memory_begins_at_a_large_page_and_is_zero() {
        for bytes in [ALIGN, ALIGN + 100, 3 * ALIGN - 1] {
            let layout = Layout::from_size_align(bytes, 4).unwrap();
            let start = map(layout);
            assert_eq!(start as usize % ALIGN, 0);
            // SAFETY: the allocation has this size, and is freed once.
            unsafe {
                assert!(std::slice::from_raw_parts(start, bytes).iter().all(|byte| *byte == 0));
                start.write_bytes(7, bytes);
                let larger = Layout::from_size_align(20 * ALIGN + bytes, ALIGN).unwrap();
                // In the way of the first.
                let other = map(layout);
                let start = remap(start, layout, larger);
                assert_eq!(start as usize % ALIGN, 0);
                let all = std::slice::from_raw_parts(start, larger.size());
                assert!(all[..bytes].iter().all(|byte| *byte == 7));
                assert!(all[bytes.next_multiple_of(PAGE)..].iter().all(|byte| *byte == 0));
                unmap(start, larger);
                unmap(other, layout);
            }
        }
    }
}
