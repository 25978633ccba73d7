//! Vectors in the registers of x86-64, by `fearless_simd`.
//!
//! These types cannot be named outside this folder: only [`run_lanes`] creates them, inside a level that
//! the processor supports. That is why [`Token::here`] may create a token unconditionally.

use std::arch::x86_64::*;
use std::ops::{Add, BitXor, Div, Mul, Sub};

use fearless_simd::prelude::*;
use fearless_simd::x86::{Avx2, Avx512, Sse2};
use fearless_simd::{Level as Has, f32x4, f32x8, f32x16, kernel, u32x4, u32x8, u32x16};

use super::lanes::{Bits, Floats, LaneWork, octant};
use super::level::Level;
use super::work::Work;

/// The widest level that the processor supports.
pub fn widest() -> Level {
    match Has::new() {
        Has::Avx512(_) => Level::Avx512,
        Has::Avx2(_) => Level::Avx2,
        _ => Level::Baseline,
    }
}

/// Runs a loop compiled for a level that the processor supports.
#[inline]
pub fn run<W: Work>(level: Level, work: W) -> W::Output {
    enter(level, Plain(work))
}

/// Runs a loop over vectors of a level that the processor supports.
#[inline]
pub fn run_lanes<W: LaneWork>(level: Level, work: W) {
    enter(level, Lanes(work));
}

#[inline]
fn enter<E: Enter>(level: Level, work: E) -> E::Output {
    const LACKS: &str = "a level that the processor lacks";
    let has = Has::new();
    match level {
        Level::Avx512 => work.with(has.as_avx512().expect(LACKS)),
        Level::Avx2 => work.with(has.as_avx2().expect(LACKS)),
        Level::Baseline => work.with(has.as_sse2().expect(LACKS)),
    }
}

/// Code that runs inside a level.
trait Enter {
    type Output;

    fn with<S: Token>(self, token: S) -> Self::Output;
}

struct Plain<W>(W);

impl<W: Work> Enter for Plain<W> {
    type Output = W::Output;

    #[inline(always)]
    fn with<S: Token>(self, token: S) -> W::Output {
        token.vectorize(
            #[inline(always)]
            || self.0.run(),
        )
    }
}

struct Lanes<W>(W);

impl<W: LaneWork> Enter for Lanes<W> {
    type Output = ();

    #[inline(always)]
    fn with<S: Token>(self, token: S) {
        token.vectorize(
            #[inline(always)]
            || self.0.run::<F32s<S>>(),
        );
    }
}

/// A level's token, and operations that are best implemented with the level's own instructions.
trait Token: Simd {
    /// The token, valid once the level has been entered.
    fn here() -> Self;

    #[inline(always)]
    fn split(a: Self::f32s) -> (Self::u32s, Self::f32s) {
        let floor = a.floor();
        let whole: Self::i32s = floor.to_int();
        // Not-a-number becomes 0.
        (whole.bitcast(), (a - floor).max(Self::f32s::splat(a.token(), 0.0)))
    }

    #[inline(always)]
    fn times(a: Self::u32s, b: Self::u32s) -> Self::u32s {
        a * b
    }

    /// Flips sign bits instead of reading a table.
    #[inline(always)]
    fn octant(bits: Self::u32s, long: f32, short: f32) -> (Self::f32s, Self::f32s) {
        const SIGN: u32 = 1 << 31;
        let (long, short) = (long.to_bits(), short.to_bits());
        let moved: Self::i32s = (bits << 2).bitcast();
        let swapped: Self::u32s = (moved >> 31).bitcast();
        // Where the lengths are swapped, flips the bits in which they differ.
        let change = swapped & (long ^ short);
        let (x, y) = ((bits & SIGN) ^ change ^ long, ((bits << 1) & SIGN) ^ change ^ short);
        (x.bitcast(), y.bitcast())
    }
}

impl Token for Sse2 {
    #[inline(always)]
    fn here() -> Self {
        // SAFETY: every x86-64 processor supports it.
        unsafe { Self::assume_supported() }
    }

    #[inline(always)]
    fn split(a: f32x4<Self>) -> (u32x4<Self>, f32x4<Self>) {
        split_sse2(a.token(), a)
    }

    #[inline(always)]
    fn times(a: u32x4<Self>, b: u32x4<Self>) -> u32x4<Self> {
        times_sse2(a.token(), a, b)
    }
}

impl Token for Avx2 {
    #[inline(always)]
    fn here() -> Self {
        // SAFETY: see the module's documentation.
        unsafe { Self::assume_supported() }
    }

    /// Looks directions up by a permutation of all eight.
    #[inline(always)]
    fn octant(bits: u32x8<Self>, long: f32, short: f32) -> (f32x8<Self>, f32x8<Self>) {
        let [x, y] = octants(long, short);
        look_up_avx2(bits.token(), bits, x, y)
    }
}

impl Token for Avx512 {
    #[inline(always)]
    fn here() -> Self {
        // SAFETY: as above.
        unsafe { Self::assume_supported() }
    }

    /// Looks directions up by a permutation of all sixteen.
    #[inline(always)]
    fn octant(bits: u32x16<Self>, long: f32, short: f32) -> (f32x16<Self>, f32x16<Self>) {
        let [x, y] = octants(long, short);
        look_up_avx512(bits.token(), bits, x, y)
    }
}

/// The directions of [`octant`] as two tables.
const fn octants<const LANES: usize>(long: f32, short: f32) -> [[f32; LANES]; 2] {
    let (mut tables, mut index) = ([[0.0; LANES]; 2], 0);
    while index < LANES {
        (tables[0][index], tables[1][index]) = octant(index & 7, long, short);
        index += 1;
    }
    tables
}

kernel! {
    /// [`Floats::split`] for SSE2, which has no instruction for the floor.
    #[inline(always)]
    fn split_sse2(token: Sse2, a: f32x4<Sse2>) -> (u32x4<Sse2>, f32x4<Sse2>) {
        let a: __m128 = a.into();
        let cut = _mm_cvttps_epi32(a);
        let back = _mm_cvtepi32_ps(cut);
        let fits = _mm_cmplt_ps(_mm_andnot_ps(_mm_set1_ps(-0.0), a), _mm_set1_ps(2_147_483_648.0));
        // Truncation rounds towards zero: where the result is above the number, it is one too many.
        let beyond = _mm_and_ps(_mm_cmpgt_ps(back, a), fits);
        let above = _mm_add_ps(_mm_sub_ps(a, back), _mm_and_ps(beyond, _mm_set1_ps(1.0)));
        let whole = _mm_add_epi32(cut, _mm_castps_si128(beyond));
        (whole.simd_into(token), _mm_and_ps(above, fits).simd_into(token))
    }
}

kernel! {
    /// Computes the 64-bit products of even and of odd words, and combines their lower halves.
    #[inline(always)]
    fn times_sse2(token: Sse2, a: u32x4<Sse2>, b: u32x4<Sse2>) -> u32x4<Sse2> {
        let (a, b): (__m128i, __m128i) = (a.into(), b.into());
        let even = _mm_castsi128_ps(_mm_mul_epu32(a, b));
        let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
        let mixed = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(even, _mm_castsi128_ps(odd)));
        _mm_shuffle_epi32::<0b11_01_10_00>(mixed).simd_into(token)
    }
}

kernel! {
    #[inline(always)]
    fn look_up_avx2(token: Avx2, bits: u32x8<Avx2>, x: [f32; 8], y: [f32; 8]) -> (f32x8<Avx2>, f32x8<Avx2>) {
        let index = _mm256_srli_epi32::<29>(bits.into());
        let (x, y) = (f32x8::load_array(token, x), f32x8::load_array(token, y));
        let (x, y) = (_mm256_permutevar8x32_ps(x.into(), index), _mm256_permutevar8x32_ps(y.into(), index));
        (x.simd_into(token), y.simd_into(token))
    }
}

kernel! {
    #[inline(always)]
    fn look_up_avx512(
        token: Avx512, bits: u32x16<Avx512>, x: [f32; 16], y: [f32; 16],
    ) -> (f32x16<Avx512>, f32x16<Avx512>) {
        let index = _mm512_srli_epi32::<29>(bits.into());
        let (x, y) = (f32x16::load_array(token, x), f32x16::load_array(token, y));
        let (x, y) = (_mm512_permutexvar_ps(index, x.into()), _mm512_permutexvar_ps(index, y.into()));
        (x.simd_into(token), y.simd_into(token))
    }
}

/// A vector of floats.
#[derive(Clone, Copy)]
struct F32s<S: Simd>(S::f32s);

/// A vector of words.
#[derive(Clone, Copy)]
struct U32s<S: Simd>(S::u32s);

/// A vector of booleans.
#[derive(Clone, Copy)]
struct Truths<S: Simd>(S::mask32s);

macro_rules! operators {
    ($($of:ident $operator:ident $call:ident),*) => {$(
        impl<S: Token> $operator for $of<S> {
            type Output = Self;

            #[inline(always)]
            fn $call(self, other: Self) -> Self {
                Self(self.0.$call(other.0))
            }
        }
    )*};
}

operators!(F32s Add add, F32s Sub sub, F32s Mul mul, F32s Div div, U32s BitXor bitxor);

impl<S: Token> Floats for F32s<S> {
    type Bits = U32s<S>;
    type Mask = Truths<S>;
    const LANES: usize = S::f32s::LEN;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(S::f32s::splat(S::here(), value))
    }

    #[inline(always)]
    fn load(from: &[f32]) -> Self {
        Self(S::f32s::from_slice(S::here(), &from[..Self::LANES]))
    }

    #[inline(always)]
    fn store(self, to: &mut [f32]) {
        self.0.store_slice(&mut to[..Self::LANES]);
    }

    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }

    #[inline(always)]
    fn magnitude(self) -> Self {
        Self(self.0.abs())
    }

    #[inline(always)]
    fn split(self) -> (U32s<S>, Self) {
        let (whole, above) = S::split(self.0);
        (U32s(whole), Self(above))
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> Truths<S> {
        Truths(self.0.simd_ge(other.0))
    }

    #[inline(always)]
    fn above(self, other: Self) -> Truths<S> {
        Truths(self.0.simd_gt(other.0))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Truths<S> {
        Truths(self.0.simd_eq(other.0))
    }

    #[inline(always)]
    fn all(mask: Truths<S>) -> bool {
        mask.0.all_true()
    }

    #[inline(always)]
    fn select(mask: Truths<S>, yes: Self, no: Self) -> Self {
        Self(mask.0.select(yes.0, no.0))
    }

    #[inline(never)]
    fn by_itself<W: LaneWork>(work: W) {
        Lanes(work).with(S::here());
    }
}

impl<S: Token> Bits for U32s<S> {
    type Floats = F32s<S>;

    #[inline(always)]
    fn splat(bits: u32) -> Self {
        Self(S::u32s::splat(S::here(), bits))
    }

    #[inline(always)]
    fn load(from: &[u32]) -> Self {
        Self(S::u32s::from_slice(S::here(), &from[..F32s::<S>::LANES]))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(S::times(self.0, other.0))
    }

    #[inline(always)]
    fn right(self, by: u32) -> Self {
        Self(self.0 >> by)
    }

    #[inline(always)]
    fn number(self) -> F32s<S> {
        let signed: S::i32s = self.0.bitcast();
        F32s(signed.to_float())
    }

    #[inline(always)]
    fn select(mask: Truths<S>, yes: Self, no: Self) -> Self {
        Self(mask.0.select(yes.0, no.0))
    }

    #[inline(always)]
    fn octant(self, long: f32, short: f32) -> (F32s<S>, F32s<S>) {
        let (x, y) = S::octant(self.0, long, short);
        (F32s(x), F32s(y))
    }
}
