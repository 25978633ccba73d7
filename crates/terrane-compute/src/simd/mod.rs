//! Runtime selection of the machine's widest vectors.
//!
//! A kernel's inner loop is written once, over the vectors of [`fearless_simd`]: a function of a token `S:
//! Simd`. [`dispatch!`](crate::dispatch) compiles it for each SIMD level and calls the widest that the
//! processor supports. The function and all that it calls must be `#[inline(always)]`, so that they are
//! compiled for each level. Loops that the compiler vectorises well need no vectors: they ignore the token.
//! They too are best written as functions, with what they read and write as arguments: the compiler does not
//! know that a store leaves alone what a closure has captured, and would load it anew for each sample.
//!
//! Every level produces the same bits. There is no fused multiply-add, and no reduction that could be
//! reordered. Instead of `min`, `max` and conversions to integers, whose results for not-a-number differ
//! between levels, kernels use the functions of this module.

mod level;
mod ops;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use fearless_simd::Simd;
pub use level::{Level, Token, at_each_level, level, limit};
pub use ops::{greater, lesser, load, load_words, number, octant, split, store, times, whole};

/// Evaluates an expression with a token of the widest available level.
///
/// `dispatch!(simd => work(simd, …))` compiles the expression for each level. `dispatch!(level, simd => …)`
/// uses a given level, which the processor must support.
#[macro_export]
macro_rules! dispatch {
    ($simd:pat => $work:expr) => {
        $crate::dispatch!($crate::simd::level(), $simd => $work)
    };
    ($level:expr, $simd:pat => $work:expr) => {
        match $crate::simd::Token::of($level) {
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Token::Avx512(token) => $crate::dispatch!(@ token, $simd => $work),
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Token::Avx2(token) => $crate::dispatch!(@ token, $simd => $work),
            #[cfg(target_arch = "x86_64")]
            $crate::simd::Token::Sse2(token) => $crate::dispatch!(@ token, $simd => $work),
            #[cfg(not(target_arch = "x86_64"))]
            $crate::simd::Token::Plain(token) => $crate::dispatch!(@ token, $simd => $work),
        }
    };
    (@ $token:ident, $simd:pat => $work:expr) => {
        $crate::simd::Simd::vectorize(
            $token,
            #[inline(always)]
            || {
                let $simd = $token;
                $work
            },
        )
    };
}

// After `dispatch!`, which it uses.
mod finite;

pub use finite::{has_hole, not_finite};

/// Runs a part of a loop in a separate function, which is compiled once for all loops that contain this part.
#[inline(never)]
pub fn by_itself<S: Simd, R>(simd: S, work: impl FnOnce() -> R) -> R {
    simd.vectorize(work)
}
