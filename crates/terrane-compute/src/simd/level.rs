//! SIMD levels, and the choice of one.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

#[cfg(not(target_arch = "x86_64"))]
use fearless_simd::Fallback;
#[cfg(target_arch = "x86_64")]
use fearless_simd::x86::{Avx2, Avx512, Sse2};

/// The width of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// What every machine of the architecture supports: SSE2 on x86-64, plain numbers elsewhere.
    Baseline,
    /// AVX2: eight samples.
    Avx2,
    /// AVX-512 with the extensions of Ice Lake and Zen 4: sixteen samples.
    Avx512,
}

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

/// The level that [`dispatch!`](crate::dispatch) uses.
#[must_use]
#[inline]
pub fn level() -> Level {
    let limit = LIMIT.load(Ordering::Relaxed);
    widest().min(match limit {
        0 => Level::Baseline,
        1 => Level::Avx2,
        _ => Level::Avx512,
    })
}

/// The tokens of levels. A token is the proof that the processor supports its level.
#[derive(Clone, Copy, Debug)]
pub enum Token {
    /// [`Level::Avx512`].
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// [`Level::Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// [`Level::Baseline`] on x86-64.
    #[cfg(target_arch = "x86_64")]
    Sse2(Sse2),
    /// [`Level::Baseline`] elsewhere: arrays of plain numbers.
    #[cfg(not(target_arch = "x86_64"))]
    Plain(Fallback),
}

#[cfg(target_arch = "x86_64")]
impl Token {
    /// The token of a level that the processor supports.
    ///
    /// # Panics
    /// If the processor lacks the level.
    #[must_use]
    #[inline]
    pub fn of(level: Level) -> Self {
        const LACKS: &str = "a level that the processor lacks";
        let has = fearless_simd::Level::new();
        match level {
            Level::Avx512 => Self::Avx512(has.as_avx512().expect(LACKS)),
            Level::Avx2 => Self::Avx2(has.as_avx2().expect(LACKS)),
            Level::Baseline => Self::Sse2(has.as_sse2().expect(LACKS)),
        }
    }
}

// NEON and WebAssembly have lanes in `fearless_simd`, but no test has run ours on them. Once the tests of
// fixed bits have run there, this is the place to choose their tokens.
#[cfg(not(target_arch = "x86_64"))]
impl Token {
    /// The token of plain numbers.
    #[must_use]
    pub fn of(_: Level) -> Self {
        Self::Plain(Fallback::new())
    }
}

/// The widest level that the processor supports.
#[cfg(target_arch = "x86_64")]
#[inline]
fn widest() -> Level {
    match fearless_simd::Level::new() {
        fearless_simd::Level::Avx512(_) => Level::Avx512,
        fearless_simd::Level::Avx2(_) => Level::Avx2,
        _ => Level::Baseline,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn widest() -> Level {
    Level::Baseline
}
