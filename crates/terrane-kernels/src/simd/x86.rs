//! Numbers side by side in the registers of x86-64.
//!
//! Outside this folder these types have no name: only `run_lanes` brings them forth, in functions compiled for a level that
//! the processor has. That is why the instructions' calls below are sound.

use std::arch::x86_64::*;
use std::ops::{Add, BitXor, Div, Mul, Sub};

use super::enter::{self, InLanes, Work};
use super::lanes::{Bits, Floats, LaneWork, octant};

/// The traits for one level: what all levels have in common is an instruction's name, the rest are functions of a module.
macro_rules! level {
    (
        $floats:ident, $bits:ident, $lanes:literal, $ps:ty, $si:ty, $mask:ty, $own:ident,
        $add_ps:ident, $sub_ps:ident, $mul_ps:ident, $div_ps:ident, $min_ps:ident, $max_ps:ident, $set_ps:ident, $load_ps:ident, $store_ps:ident,
        $set_si:ident, $load_si:ident, $add_si:ident, $right_si:ident, $number:ident
    ) => {
        /// Numbers of this level.
        #[derive(Clone, Copy)]
        pub struct $floats($ps);

        /// Words of this level.
        #[derive(Clone, Copy)]
        pub struct $bits($si);

        impl Add for $floats {
            type Output = Self;

            #[inline(always)]
            fn add(self, other: Self) -> Self {
                // SAFETY: see the file's head; so for all below.
                Self(unsafe { $add_ps(self.0, other.0) })
            }
        }

        impl Sub for $floats {
            type Output = Self;

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $sub_ps(self.0, other.0) })
            }
        }

        impl Mul for $floats {
            type Output = Self;

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $mul_ps(self.0, other.0) })
            }
        }

        impl Div for $floats {
            type Output = Self;

            #[inline(always)]
            fn div(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $div_ps(self.0, other.0) })
            }
        }

        impl BitXor for $bits {
            type Output = Self;

            #[inline(always)]
            fn bitxor(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $own::xor(self.0, other.0) })
            }
        }

        impl Floats for $floats {
            type Bits = $bits;
            type Mask = $mask;
            const LANES: usize = $lanes;

            #[inline(always)]
            fn splat(value: f32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $set_ps(value) })
            }

            #[inline(always)]
            fn load(from: &[f32]) -> Self {
                // SAFETY: as above; the slice is long enough.
                Self(unsafe { $load_ps(from[..$lanes].as_ptr()) })
            }

            #[inline(always)]
            fn store(self, to: &mut [f32]) {
                // SAFETY: as above; the slice is long enough.
                unsafe { $store_ps(to[..$lanes].as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $min_ps(self.0, other.0) })
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $max_ps(self.0, other.0) })
            }

            #[inline(always)]
            fn magnitude(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $own::magnitude(self.0) })
            }

            #[inline(always)]
            fn split(self) -> ($bits, Self) {
                // SAFETY: as above.
                let (whole, above) = unsafe { $own::split(self.0) };
                ($bits(whole), Self(above))
            }

            #[inline(always)]
            fn at_least(self, other: Self) -> $mask {
                // SAFETY: as above.
                unsafe { $own::at_least(self.0, other.0) }
            }

            #[inline(always)]
            fn above(self, other: Self) -> $mask {
                // SAFETY: as above.
                unsafe { $own::above(self.0, other.0) }
            }

            #[inline(always)]
            fn equal(self, other: Self) -> $mask {
                // SAFETY: as above.
                unsafe { $own::equal(self.0, other.0) }
            }

            #[inline(always)]
            fn all(mask: $mask) -> bool {
                // SAFETY: as above.
                unsafe { $own::all(mask) }
            }

            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $own::select(mask, yes.0, no.0) })
            }

            #[inline(always)]
            fn by_itself<W: LaneWork>(work: W) {
                // SAFETY: as above.
                unsafe { $own::run(InLanes::<W, Self>::new(work)) }
            }
        }

        impl Bits for $bits {
            type Floats = $floats;

            #[inline(always)]
            fn splat(bits: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $set_si(bits as i32) })
            }

            #[inline(always)]
            fn load(from: &[u32]) -> Self {
                // SAFETY: as above; the slice is long enough.
                Self(unsafe { $load_si(from[..$lanes].as_ptr().cast()) })
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $add_si(self.0, other.0) })
            }

            #[inline(always)]
            fn times(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $own::times(self.0, other.0) })
            }

            #[inline(always)]
            fn right(self, by: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $right_si(self.0, _mm_cvtsi32_si128(by as i32)) })
            }

            #[inline(always)]
            fn number(self) -> $floats {
                // SAFETY: as above.
                $floats(unsafe { $number(self.0) })
            }

            #[inline(always)]
            fn select(mask: $mask, yes: Self, no: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $own::select_bits(mask, yes.0, no.0) })
            }

            #[inline(always)]
            fn octant(self, long: f32, short: f32) -> ($floats, $floats) {
                // SAFETY: as above.
                let (x, y) = unsafe { $own::octant(self.0, long, short) };
                ($floats(x), $floats(y))
            }
        }
    };
}

level!(
    F32x4,
    U32x4,
    4,
    __m128,
    __m128i,
    __m128,
    sse2,
    _mm_add_ps,
    _mm_sub_ps,
    _mm_mul_ps,
    _mm_div_ps,
    _mm_min_ps,
    _mm_max_ps,
    _mm_set1_ps,
    _mm_loadu_ps,
    _mm_storeu_ps,
    _mm_set1_epi32,
    _mm_loadu_si128,
    _mm_add_epi32,
    _mm_srl_epi32,
    _mm_cvtepi32_ps
);
level!(
    F32x8,
    U32x8,
    8,
    __m256,
    __m256i,
    __m256,
    avx2,
    _mm256_add_ps,
    _mm256_sub_ps,
    _mm256_mul_ps,
    _mm256_div_ps,
    _mm256_min_ps,
    _mm256_max_ps,
    _mm256_set1_ps,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_set1_epi32,
    _mm256_loadu_si256,
    _mm256_add_epi32,
    _mm256_srl_epi32,
    _mm256_cvtepi32_ps
);
level!(
    F32x16,
    U32x16,
    16,
    __m512,
    __m512i,
    __mmask16,
    avx512,
    _mm512_add_ps,
    _mm512_sub_ps,
    _mm512_mul_ps,
    _mm512_div_ps,
    _mm512_min_ps,
    _mm512_max_ps,
    _mm512_set1_ps,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_set1_epi32,
    _mm512_loadu_si512,
    _mm512_add_epi32,
    _mm512_srl_epi32,
    _mm512_cvtepi32_ps
);

/// The directions of [`octant`] as two tables, twice for those who look up sixteen.
const fn octants(long: f32, short: f32) -> [[f32; 16]; 2] {
    let (mut tables, mut index) = ([[0.0; 16]; 2], 0);
    while index < 16 {
        (tables[0][index], tables[1][index]) = octant(index & 7, long, short);
        index += 1;
    }
    tables
}

/// What SSE2 lacks, made of what it has.
mod sse2 {
    use super::*;

    #[inline(always)]
    pub unsafe fn run<W: Work>(work: W) -> W::Output {
        enter::baseline(work)
    }

    #[inline(always)]
    pub unsafe fn xor(a: __m128i, b: __m128i) -> __m128i {
        unsafe { _mm_xor_si128(a, b) }
    }

    #[inline(always)]
    pub unsafe fn magnitude(a: __m128) -> __m128 {
        unsafe { _mm_andnot_ps(_mm_set1_ps(-0.0), a) }
    }

    #[inline(always)]
    pub unsafe fn split(a: __m128) -> (__m128i, __m128) {
        unsafe {
            let cut = _mm_cvttps_epi32(a);
            let back = _mm_cvtepi32_ps(cut);
            let fits = _mm_cmplt_ps(magnitude(a), _mm_set1_ps(2_147_483_648.0));
            // Cut towards zero, which is a step too far where it is above.
            let beyond = _mm_and_ps(_mm_cmpgt_ps(back, a), fits);
            let above = _mm_add_ps(_mm_sub_ps(a, back), _mm_and_ps(beyond, _mm_set1_ps(1.0)));
            (_mm_add_epi32(cut, _mm_castps_si128(beyond)), _mm_and_ps(above, fits))
        }
    }

    #[inline(always)]
    pub unsafe fn at_least(a: __m128, b: __m128) -> __m128 {
        unsafe { _mm_cmpge_ps(a, b) }
    }

    #[inline(always)]
    pub unsafe fn above(a: __m128, b: __m128) -> __m128 {
        unsafe { _mm_cmpgt_ps(a, b) }
    }

    #[inline(always)]
    pub unsafe fn equal(a: __m128, b: __m128) -> __m128 {
        unsafe { _mm_cmpeq_ps(a, b) }
    }

    #[inline(always)]
    pub unsafe fn all(mask: __m128) -> bool {
        unsafe { _mm_movemask_ps(mask) == 0xf }
    }

    #[inline(always)]
    pub unsafe fn select(mask: __m128, yes: __m128, no: __m128) -> __m128 {
        unsafe { _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no)) }
    }

    #[inline(always)]
    pub unsafe fn select_bits(mask: __m128, yes: __m128i, no: __m128i) -> __m128i {
        unsafe { _mm_castps_si128(select(mask, _mm_castsi128_ps(yes), _mm_castsi128_ps(no))) }
    }

    /// Products of even and of odd words, of 64 bits, and their lower halves brought together.
    #[inline(always)]
    pub unsafe fn times(a: __m128i, b: __m128i) -> __m128i {
        unsafe {
            let even = _mm_castsi128_ps(_mm_mul_epu32(a, b));
            let odd = _mm_mul_epu32(_mm_srli_epi64::<32>(a), _mm_srli_epi64::<32>(b));
            let mixed = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(even, _mm_castsi128_ps(odd)));
            _mm_shuffle_epi32::<0b11_01_10_00>(mixed)
        }
    }

    /// By the bits of signs.
    #[inline(always)]
    pub unsafe fn octant(bits: __m128i, long: f32, short: f32) -> (__m128, __m128) {
        unsafe {
            let sign = _mm_set1_ps(-0.0);
            let at = _mm_castsi128_ps;
            let swapped = _mm_srai_epi32::<31>(_mm_slli_epi32::<2>(bits));
            // Where the lengths are exchanged, the bits that tell them apart are.
            let (long, short) = (_mm_set1_ps(long), _mm_set1_ps(short));
            let change = _mm_and_ps(at(swapped), _mm_xor_ps(long, short));
            let x = _mm_xor_ps(_mm_and_ps(at(bits), sign), change);
            let y = _mm_xor_ps(_mm_and_ps(at(_mm_slli_epi32::<1>(bits)), sign), change);
            (_mm_xor_ps(x, long), _mm_xor_ps(y, short))
        }
    }
}

mod avx2 {
    use super::*;

    #[inline(always)]
    pub unsafe fn run<W: Work>(work: W) -> W::Output {
        unsafe { enter::avx2(work) }
    }

    #[inline(always)]
    pub unsafe fn xor(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_xor_si256(a, b) }
    }

    #[inline(always)]
    pub unsafe fn magnitude(a: __m256) -> __m256 {
        unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), a) }
    }

    #[inline(always)]
    pub unsafe fn split(a: __m256) -> (__m256i, __m256) {
        unsafe {
            let floor = _mm256_floor_ps(a);
            // What is no number becomes 0.
            (_mm256_cvttps_epi32(floor), _mm256_max_ps(_mm256_sub_ps(a, floor), _mm256_setzero_ps()))
        }
    }

    #[inline(always)]
    pub unsafe fn at_least(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_cmp_ps::<_CMP_GE_OQ>(a, b) }
    }

    #[inline(always)]
    pub unsafe fn above(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(a, b) }
    }

    #[inline(always)]
    pub unsafe fn equal(a: __m256, b: __m256) -> __m256 {
        unsafe { _mm256_cmp_ps::<_CMP_EQ_OQ>(a, b) }
    }

    #[inline(always)]
    pub unsafe fn all(mask: __m256) -> bool {
        unsafe { _mm256_movemask_ps(mask) == 0xff }
    }

    #[inline(always)]
    pub unsafe fn select(mask: __m256, yes: __m256, no: __m256) -> __m256 {
        unsafe { _mm256_blendv_ps(no, yes, mask) }
    }

    #[inline(always)]
    pub unsafe fn select_bits(mask: __m256, yes: __m256i, no: __m256i) -> __m256i {
        unsafe { _mm256_castps_si256(select(mask, _mm256_castsi256_ps(yes), _mm256_castsi256_ps(no))) }
    }

    #[inline(always)]
    pub unsafe fn times(a: __m256i, b: __m256i) -> __m256i {
        unsafe { _mm256_mullo_epi32(a, b) }
    }

    /// By a permutation of all eight.
    #[inline(always)]
    pub unsafe fn octant(bits: __m256i, long: f32, short: f32) -> (__m256, __m256) {
        let [x, y] = octants(long, short);
        unsafe {
            let index = _mm256_srli_epi32::<29>(bits);
            let (x, y) = (_mm256_loadu_ps(x.as_ptr()), _mm256_loadu_ps(y.as_ptr()));
            (_mm256_permutevar8x32_ps(x, index), _mm256_permutevar8x32_ps(y, index))
        }
    }
}

mod avx512 {
    use super::*;

    #[inline(always)]
    pub unsafe fn run<W: Work>(work: W) -> W::Output {
        unsafe { enter::avx512(work) }
    }

    #[inline(always)]
    pub unsafe fn xor(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    pub unsafe fn magnitude(a: __m512) -> __m512 {
        unsafe { _mm512_abs_ps(a) }
    }

    #[inline(always)]
    pub unsafe fn split(a: __m512) -> (__m512i, __m512) {
        unsafe {
            let floor = _mm512_roundscale_ps::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(a);
            // What is no number becomes 0.
            (_mm512_cvttps_epi32(floor), _mm512_max_ps(_mm512_sub_ps(a, floor), _mm512_setzero_ps()))
        }
    }

    #[inline(always)]
    pub unsafe fn at_least(a: __m512, b: __m512) -> __mmask16 {
        unsafe { _mm512_cmp_ps_mask::<_CMP_GE_OQ>(a, b) }
    }

    #[inline(always)]
    pub unsafe fn above(a: __m512, b: __m512) -> __mmask16 {
        unsafe { _mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b) }
    }

    #[inline(always)]
    pub unsafe fn equal(a: __m512, b: __m512) -> __mmask16 {
        unsafe { _mm512_cmp_ps_mask::<_CMP_EQ_OQ>(a, b) }
    }

    #[inline(always)]
    pub unsafe fn all(mask: __mmask16) -> bool {
        mask == 0xffff
    }

    #[inline(always)]
    pub unsafe fn select(mask: __mmask16, yes: __m512, no: __m512) -> __m512 {
        unsafe { _mm512_mask_blend_ps(mask, no, yes) }
    }

    #[inline(always)]
    pub unsafe fn select_bits(mask: __mmask16, yes: __m512i, no: __m512i) -> __m512i {
        unsafe { _mm512_mask_blend_epi32(mask, no, yes) }
    }

    #[inline(always)]
    pub unsafe fn times(a: __m512i, b: __m512i) -> __m512i {
        unsafe { _mm512_mullo_epi32(a, b) }
    }

    /// By a permutation of all sixteen.
    #[inline(always)]
    pub unsafe fn octant(bits: __m512i, long: f32, short: f32) -> (__m512, __m512) {
        let [x, y] = octants(long, short);
        unsafe {
            let index = _mm512_srli_epi32::<29>(bits);
            let (x, y) = (_mm512_loadu_ps(x.as_ptr()), _mm512_loadu_ps(y.as_ptr()));
            (_mm512_permutexvar_ps(index, x), _mm512_permutexvar_ps(index, y))
        }
    }
}
