//! Memory for maps.

#![expect(unsafe_code, reason = "allocators have no safe interface")]

mod pages;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// The system's allocator, with large allocations for maps. A program chooses it with `#[global_allocator]`.
///
/// The system gives memory page by page, when it is first written. With pages of 4 KB, this takes several
/// times as long as to write a map. On Linux, this allocator begins large allocations where a large page can
/// begin, and asks for such pages; a system that has none ignores the request. Everywhere, it keeps a few
/// large allocations that were freed, for the next ones of the same size.
#[derive(Clone, Copy, Debug, Default)]
pub struct LargePages;

/// The bytes of the smallest large allocation: two large pages.
const LARGE: usize = 4 << 20;

/// The maximum number of freed allocations that are kept.
const MAX_KEPT: usize = 8;

/// The maximum number of bytes that are kept.
const MAX_BYTES: usize = 512 << 20;

/// Freed allocations, the oldest first.
static KEPT: Mutex<[Option<Freed>; MAX_KEPT]> = Mutex::new([const { None }; MAX_KEPT]);

static KEEPS: AtomicBool = AtomicBool::new(true);

struct Freed {
    start: *mut u8,
    layout: Layout,
}

// SAFETY: nothing else refers to a freed allocation.
unsafe impl Send for Freed {}

impl Freed {
    fn release(self) {
        // SAFETY: the allocation is one of `pages`, with this layout.
        unsafe { pages::unmap(self.start, self.layout) }
    }
}

impl LargePages {
    /// Returns every allocation to the system as soon as it is freed, from now on. Call it before other
    /// threads free maps.
    pub fn keep_nothing() {
        KEEPS.store(false, Ordering::Relaxed);
        release(&mut take_all());
    }
}

/// Takes a freed allocation of this layout. If there is none, all are released: maps now have another size.
fn reuse(layout: Layout) -> Option<*mut u8> {
    // Waiting could take forever, if a process was forked while another thread had the lock.
    let mut kept = KEPT.try_lock().ok()?;
    let same = kept.iter_mut().rev().find(|freed| freed.as_ref().is_some_and(|freed| freed.layout == layout));
    if let Some(freed) = same {
        return freed.take().map(|freed| freed.start);
    }
    let mut others = std::mem::take(&mut *kept);
    drop(kept);
    release(&mut others);
    None
}

/// Keeps an allocation, and releases older ones that are then too many.
fn keep(freed: Freed) {
    if !KEEPS.load(Ordering::Relaxed) || freed.layout.size() > MAX_BYTES {
        return freed.release();
    }
    let Ok(mut kept) = KEPT.try_lock() else { return freed.release() };
    let mut released = [const { None }; MAX_KEPT];
    let mut room = MAX_BYTES - freed.layout.size();
    // The newest stay, as far as there is room, and move to the front.
    let mut left = MAX_KEPT - 1;
    for (at, other) in std::mem::take(&mut *kept).into_iter().enumerate().rev() {
        match other {
            Some(other) if left > 0 && other.layout.size() <= room => {
                (room, left) = (room - other.layout.size(), left - 1);
                kept[left] = Some(other);
            }
            other => released[at] = other,
        }
    }
    kept[MAX_KEPT - 1] = Some(freed);
    drop(kept);
    release(&mut released);
}

fn take_all() -> [Option<Freed>; MAX_KEPT] {
    KEPT.try_lock().map(|mut kept| std::mem::take(&mut *kept)).unwrap_or_default()
}

fn release(all: &mut [Option<Freed>; MAX_KEPT]) {
    all.iter_mut().filter_map(Option::take).for_each(Freed::release);
}

/// Allocates again after all that is kept is released, if there was no memory.
fn or_release(allocate: impl Fn() -> *mut u8) -> *mut u8 {
    let start = allocate();
    if !start.is_null() {
        return start;
    }
    release(&mut take_all());
    allocate()
}

// SAFETY: small allocations are those of `System`, and large ones those of `pages`. The layout tells which.
// An allocation that is kept has been freed, and is given once.
unsafe impl GlobalAlloc for LargePages {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return reuse(layout).unwrap_or_else(|| or_release(|| pages::map(layout)));
        }
        // SAFETY: the caller's promise is that of `System`. The same holds below.
        or_release(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if is_large(layout) {
            return match reuse(layout) {
                // SAFETY: the allocation has this size.
                Some(start) => unsafe {
                    start.write_bytes(0, layout.size());
                    start
                },
                None => or_release(|| pages::map(layout)),
            };
        }
        or_release(|| unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, start: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller promises that the size is in range, and the alignment is that of a layout.
        let grown = unsafe { Layout::from_size_align_unchecked(bytes, layout.align()) };
        match (is_large(layout), is_large(grown)) {
            // What cannot be reallocated is left as it was.
            (false, false) => or_release(|| unsafe { System.realloc(start, layout, bytes) }),
            (true, true) => {
                release(&mut take_all());
                // SAFETY: the allocation is one of `pages`, with this layout.
                unsafe { pages::remap(start, layout, grown) }
            }
            _ => unsafe {
                let other = self.alloc(grown);
                if !other.is_null() {
                    // SAFETY: both have at least so many bytes, and are apart.
                    other.copy_from_nonoverlapping(start, layout.size().min(bytes));
                    self.dealloc(start, layout);
                }
                other
            },
        }
    }

    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        if is_large(layout) {
            return keep(Freed { start, layout });
        }
        unsafe { System.dealloc(start, layout) };
    }
}

/// Whether an allocation is one of [`pages`].
const fn is_large(layout: Layout) -> bool {
    layout.size() >= LARGE && layout.align() <= pages::ALIGN
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Held by each test that frees large allocations, since what is kept is common to all.
    static ALONE: Mutex<()> = Mutex::new(());

    /// Whether an allocation of this layout is kept.
    fn is_kept(layout: Layout) -> bool {
        let kept = KEPT.lock().unwrap();
        kept.iter().flatten().any(|freed| freed.layout == layout)
    }

    fn make(bytes: usize) -> (*mut u8, Layout) {
        let layout = Layout::from_size_align(bytes, 4).unwrap();
        // SAFETY: the layout is not empty.
        (unsafe { LargePages.alloc(layout) }, layout)
    }

    #[test]
    fn an_allocation_keeps_its_bytes_when_its_size_changes() {
        let _alone = ALONE.lock().unwrap();
        for sizes in [[1000, LARGE], [LARGE, 1000], [LARGE, 3 * LARGE + 5], [3 * LARGE + 5, LARGE + 1]] {
            let (mut start, layout) = make(sizes[0]);
            let kept = sizes[0].min(sizes[1]);
            // SAFETY: each allocation has its size, and is freed once.
            unsafe {
                for at in 0..sizes[0] {
                    start.add(at).write((at % 251) as u8);
                }
                start = LargePages.realloc(start, layout, sizes[1]);
                let bytes = std::slice::from_raw_parts_mut(start, sizes[1]);
                assert!(bytes[..kept].iter().enumerate().all(|(at, byte)| *byte == (at % 251) as u8));
                bytes[sizes[1] - 1] = 7;
                LargePages.dealloc(start, Layout::from_size_align(sizes[1], 4).unwrap());
            }
        }
    }

    #[test]
    fn freed_allocations_serve_the_next_of_their_size() {
        let _alone = ALONE.lock().unwrap();
        let (first, layout) = make(LARGE);
        // SAFETY: each allocation is freed once, with its layout.
        unsafe {
            first.write_bytes(7, LARGE);
            LargePages.dealloc(first, layout);
            assert!(is_kept(layout));
            let again = LargePages.alloc_zeroed(layout);
            assert_eq!(again, first);
            assert!(std::slice::from_raw_parts(again, LARGE).iter().all(|&byte| byte == 0));
            LargePages.dealloc(again, layout);
            // Another size releases what was kept.
            let (other, other_layout) = make(LARGE + 4);
            assert!(!is_kept(layout));
            LargePages.dealloc(other, other_layout);
            // Only the newest few are kept.
            let all: Vec<_> = (0..MAX_KEPT + 2).map(|_| make(LARGE)).collect();
            for &(start, layout) in &all {
                LargePages.dealloc(start, layout);
            }
            let kept: Vec<*mut u8> = KEPT.lock().unwrap().iter().flatten().map(|freed| freed.start).collect();
            assert_eq!(kept, all[2..].iter().map(|(start, _)| *start).collect::<Vec<_>>());
            let (huge, layout) = make(MAX_BYTES + 4);
            LargePages.dealloc(huge, layout);
            assert!(!is_kept(layout));
            LargePages::keep_nothing();
            let (last, layout) = make(LARGE);
            LargePages.dealloc(last, layout);
            assert!(!is_kept(layout));
            KEEPS.store(true, Ordering::Relaxed);
        }
    }
}
