//! Kernels for levels of x86-64 at which the portable operations take longer.

use std::arch::x86_64::*;

use fearless_simd::prelude::*;
use fearless_simd::x86::{Avx2, Avx512, Sse2};
use fearless_simd::{f32x4, f32x8, f32x16, kernel, u32x4, u32x8, u32x16};

/// [`split`](super::split) at SSE2.
#[inline(always)]
pub fn split_sse2(a: f32x4<Sse2>) -> (u32x4<Sse2>, f32x4<Sse2>) {
    split(a.token(), a)
}

/// [`times`](super::times) at SSE2.
#[inline(always)]
pub fn times_sse2(a: u32x4<Sse2>, b: u32x4<Sse2>) -> u32x4<Sse2> {
    times(a.token(), a, b)
}

/// [`octant`](super::octant) at AVX2: looks directions up by a permutation of all eight.
#[inline(always)]
pub fn octant_avx2(bits: u32x8<Avx2>, long: f32, short: f32) -> (f32x8<Avx2>, f32x8<Avx2>) {
    let [x, y] = octants(long, short);
    look_up_avx2(bits.token(), bits, x, y)
}

/// [`octant`](super::octant) at AVX-512: looks directions up by a permutation of all sixteen.
#[inline(always)]
pub fn octant_avx512(bits: u32x16<Avx512>, long: f32, short: f32) -> (f32x16<Avx512>, f32x16<Avx512>) {
    let [x, y] = octants(long, short);
    look_up_avx512(bits.token(), bits, x, y)
}

/// The results of [`octant`](super::octant) for each value of the upper three bits, twice for sixteen lanes.
const fn octants<const LANES: usize>(long: f32, short: f32) -> [[f32; LANES]; 2] {
    let (mut tables, mut index) = ([[0.0; LANES]; 2], 0);
    while index < LANES {
        let (x, y) = if index & 1 == 0 { (long, short) } else { (short, long) };
        tables[0][index] = if index & 4 == 0 { x } else { -x };
        tables[1][index] = if index & 2 == 0 { y } else { -y };
        index += 1;
    }
    tables
}

kernel! {
    /// SSE2 has no instruction for the floor.
    #[inline(always)]
    fn split(token: Sse2, a: f32x4<Sse2>) -> (u32x4<Sse2>, f32x4<Sse2>) {
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
    fn times(token: Sse2, a: u32x4<Sse2>, b: u32x4<Sse2>) -> u32x4<Sse2> {
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
