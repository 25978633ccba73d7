//! How the process takes memory from the system.

/// Lets every large allocation go back to the system as soon as it is freed.
///
/// The allocator of the GNU C library raises the size from which it does so each time that it frees a larger
/// one. Freed maps would then stay with the threads that made them, and the process would grow far beyond
/// what `--memory` allows. It takes time, since the system hands out each map anew: 10 to 20 % where nodes
/// only fill maps, nothing that can be measured where they work. So it is done where a bound is given.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator cannot be told in any other way")]
pub fn give_back_at_once() {
    const LARGE: libc::c_int = 1 << 20;
    // SAFETY: the call sets a number of the allocator's own, before any other thread has begun.
    let _accepted = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Other allocators do so by themselves.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn give_back_at_once() {}
