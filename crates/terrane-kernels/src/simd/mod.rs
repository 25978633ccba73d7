//! Runtime selection of the machine's widest vectors.
//!
//! A kernel's inner loop is written once, as [`Work`]; [`run`] compiles it for each SIMD level and calls the
//! widest that the processor supports. Loops are plain arithmetic without fused multiply-add and without
//! reductions that could be reordered, so that every level produces the same bits.

mod lanes;
mod level;
mod scalar;
mod work;
#[cfg(target_arch = "x86_64")]
mod x86;

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

pub use lanes::{Bits, Floats, LaneWork};
pub use level::Level;
pub use work::Work;

impl Level {
    /// The levels that this machine supports, narrowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        [Self::Baseline, Self::Avx2, Self::Avx512].into_iter().filter(|&level| level <= widest()).collect()
    }
}

/// The widest level that may be used; for tests and benchmarks.
static LIMIT: AtomicU8 = AtomicU8::new(Level::Avx512 as u8);

/// Limits the width of vectors in the whole process from now on, so that levels can be compared with each
/// other.
pub fn limit(level: Level) {
    LIMIT.store(level as u8, Ordering::Relaxed);
}

/// Limits the width of vectors to each level that this machine supports, narrowest first, and calls `each` at
/// that level. The limit belongs to the process, so calls on several threads wait for each other.
pub fn at_each_level(mut each: impl FnMut(Level)) {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    for level in Level::available() {
        limit(level);
        each(level);
    }
    limit(widest());
}

#[cfg(target_arch = "x86_64")]
use x86::widest;

#[cfg(not(target_arch = "x86_64"))]
fn widest() -> Level {
    Level::Baseline
}

/// The level that [`run`] uses.
#[must_use]
pub fn level() -> Level {
    let limit = LIMIT.load(Ordering::Relaxed);
    widest().min(match limit {
        0 => Level::Baseline,
        1 => Level::Avx2,
        _ => Level::Avx512,
    })
}

/// Runs a loop with the widest available vectors.
#[inline]
pub fn run<W: Work>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    return x86::run(level(), work);
    #[cfg(not(target_arch = "x86_64"))]
    work.run()
}

/// Runs a loop over vectors with the widest available level.
#[inline]
pub fn run_lanes<W: LaneWork>(work: W) {
    run_lanes_at(level(), work);
}

/// Runs a loop over vectors with a level that the processor supports.
#[inline]
fn run_lanes_at<W: LaneWork>(level: Level, work: W) {
    #[cfg(target_arch = "x86_64")]
    x86::run_lanes(level, work);
    #[cfg(not(target_arch = "x86_64"))]
    {
        let Level::Baseline = level else { unreachable!("a level of another architecture") };
        work.run::<f32>();
    }
}
