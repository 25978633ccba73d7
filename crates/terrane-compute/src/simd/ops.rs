//! Operations on vectors that return the same bits at every level, where the crate's own do not or are slow.

#[cfg(target_arch = "x86_64")]
use std::any::Any;

use fearless_simd::Simd;
use fearless_simd::prelude::*;

#[cfg(target_arch = "x86_64")]
use super::x86;

/// Loads the first numbers.
///
/// # Panics
/// If there are fewer than in a vector.
#[inline(always)]
pub fn load<S: Simd>(simd: S, from: &[f32]) -> S::f32s {
    S::f32s::from_slice(simd, &from[..S::f32s::LEN])
}

/// Loads the first words.
///
/// # Panics
/// If there are fewer than in a vector.
#[inline(always)]
pub fn load_words<S: Simd>(simd: S, from: &[u32]) -> S::u32s {
    S::u32s::from_slice(simd, &from[..S::u32s::LEN])
}

/// Stores to the first elements.
///
/// # Panics
/// If there are fewer than in a vector.
#[inline(always)]
pub fn store<S: Simd>(_: S, numbers: S::f32s, to: &mut [f32]) {
    numbers.store_slice(&mut to[..S::f32s::LEN]);
}

/// The minimum; `b` if either is not-a-number.
#[inline(always)]
pub fn lesser<S: Simd>(simd: S, a: S::f32s, b: S::f32s) -> S::f32s {
    if is_x86(simd) { a.min(b) } else { a.simd_lt(b).select(a, b) }
}

/// The maximum; `b` if either is not-a-number.
#[inline(always)]
pub fn greater<S: Simd>(simd: S, a: S::f32s, b: S::f32s) -> S::f32s {
    if is_x86(simd) { a.max(b) } else { a.simd_gt(b).select(a, b) }
}

/// Whether minima, maxima and conversions to integers treat not-a-number as the instructions of x86 do.
#[inline(always)]
fn is_x86<S: Simd>(simd: S) -> bool {
    cfg!(target_arch = "x86_64") && !simd.level().is_fallback()
}

/// Signed integers as numbers, rounded.
#[inline(always)]
pub fn number<S: Simd>(_: S, words: S::u32s) -> S::f32s {
    let signed: S::i32s = words.bitcast();
    signed.to_float()
}

/// The floor as a signed integer, and the fraction above it, rounded, in [0, 1]. Beyond 2³¹, and for
/// not-a-number, the minimum integer and 0.
#[inline(always)]
pub fn split<S: Simd>(simd: S, a: S::f32s) -> (S::u32s, S::f32s) {
    #[cfg(target_arch = "x86_64")]
    if let Some(a) = same(a)
        && let Some(parts) = same(x86::split_sse2(a))
    {
        return parts;
    }
    if is_x86(simd) {
        let floor = a.floor();
        let whole: S::i32s = floor.to_int();
        // Not-a-number becomes 0.
        return (whole.bitcast(), (a - floor).max(0.0));
    }
    const BOUND: f32 = 2_147_483_648.0;
    let a = a.abs().simd_lt(BOUND).select(a, S::f32s::splat(simd, -BOUND));
    let floor = a.floor();
    let whole: S::i32s = floor.to_int();
    (whole.bitcast(), a - floor)
}

/// The product modulo 2³².
#[inline(always)]
pub fn times<S: Simd>(_: S, a: S::u32s, b: S::u32s) -> S::u32s {
    #[cfg(target_arch = "x86_64")]
    if let (Some(a), Some(b)) = (same(a), same(b))
        && let Some(product) = same(x86::times_sse2(a, b))
    {
        return product;
    }
    a * b
}

/// One of eight directions, selected by the upper three bits. It is `(long, short)`, swapped if bit 29 is
/// set. Then the first number is negated if bit 31 is set, and the second if bit 30 is set.
#[inline(always)]
pub fn octant<S: Simd>(_: S, bits: S::u32s, long: f32, short: f32) -> (S::f32s, S::f32s) {
    #[cfg(target_arch = "x86_64")]
    if let Some(bits) = same(bits)
        && let Some(direction) = same(x86::octant_avx2(bits, long, short))
    {
        return direction;
    }
    #[cfg(target_arch = "x86_64")]
    if let Some(bits) = same(bits)
        && let Some(direction) = same(x86::octant_avx512(bits, long, short))
    {
        return direction;
    }
    // Flips sign bits instead of reading a table.
    const SIGN: u32 = 1 << 31;
    let (long, short) = (long.to_bits(), short.to_bits());
    let moved: S::i32s = (bits << 2).bitcast();
    let swapped: S::u32s = (moved >> 31).bitcast();
    // Where the lengths are swapped, flips the bits in which they differ.
    let change = swapped & (long ^ short);
    let (x, y) = ((bits & SIGN) ^ change ^ long, ((bits << 1) & SIGN) ^ change ^ short);
    (x.bitcast(), y.bitcast())
}

/// A value of a generic type as the type that it is, if it is. A vector's type includes its level's token, so
/// this selects kernels by level, at compile time.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn same<A: 'static, B: Copy + 'static>(value: A) -> Option<B> {
    (&value as &dyn Any).downcast_ref().copied()
}

/// The whole number that a float of at least 0 and less than 2⁵² is, or the float rounded to one. Unlike a
/// conversion, this has a form in vectors at every level.
#[inline(always)]
#[must_use]
pub const fn whole(number: f64) -> u64 {
    const UNIT: u64 = 1 << 52;
    // A float from 2⁵² to 2⁵³ counts in ones, and its lower bits are the count.
    (number + UNIT as f64).to_bits() & (UNIT - 1)
}
