//! Sums of octaves.

#![expect(clippy::needless_range_loop, reason = "parallel arrays with one index: the form that vectorises")]

use fearless_simd::prelude::*;

use super::axis::{LANES, Tile, padded};
use super::real::{Depth, Real, Stored, Value};
use crate::simd::{by_itself, lesser, load};

/// The maximum number of octaves: finer ones would be below the precision of coordinates.
pub const MOST_OCTAVES: usize = 32;

/// How octaves add up. `n` is an octave's noise in [−1, 1], and `a` the octave's amplitude. Sums are divided
/// by the sum of amplitudes and lie in [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Fractal {
    /// Fractional Brownian motion: the plain sum.
    ///
    /// The sum of a·n, mapped from [−1, 1] to [0, 1].
    Fbm,
    /// Sharp crests and smooth valleys: the sum of (1 - |n|)². The weight of an octave is twice the
    /// previous octave's value, at most 1, so that only crests are detailed (libnoise's ridged
    /// multifractal).
    ///
    /// The sum of a·w·(1 − |n|)², where w is the octave's weight: 1 for the first octave, and for each
    /// further octave the smaller of 1 and twice the previous octave's w·(1 − |n|)².
    Ridged,
    /// Rounded tops and creased bottoms: the sum of 1 - (1 - |n|)².
    ///
    /// The sum of a·(1 − (1 − |n|)²).
    Billow,
    /// Perlin's turbulence: the sum of |n|.
    ///
    /// The sum of a·|n| (Perlin 1985).
    Turbulence,
}

/// Octaves of neighbouring samples. (A trait rather than a closure, because only methods can be inlined
/// into each SIMD level's loop.)
pub trait Octaves<S: Simd, V> {
    /// The number of octaves.
    fn count(&self) -> usize;

    /// A vector of an octave's values in [−1, 1], from lane `at` of the tile on.
    fn octave(&self, simd: S, octave: usize, at: usize) -> V;
}

/// Amplitudes of octaves.
trait Amplitudes<S: Simd> {
    /// An octave's amplitude, for the `index`-th vector.
    fn of(&self, simd: S, octave: usize, index: usize) -> S::f32s;

    /// Advances to the next octave.
    fn next(&mut self);

    /// The factor on the sum of octaves: 1 over the sum of amplitudes.
    fn mean(&self, simd: S, index: usize) -> S::f32s;
}

/// Amplitudes that are the same for all samples.
#[derive(Clone, Copy, Debug)]
pub struct SameAmplitudes {
    amplitudes: [f32; MOST_OCTAVES],
    mean: f32,
}

impl SameAmplitudes {
    /// Amplitudes of this number of octaves.
    pub fn new(octaves: u32, persistence: f32) -> Self {
        let persistence = bounded(persistence);
        let (mut amplitudes, mut amplitude, mut total) = ([0.0; MOST_OCTAVES], 1.0f32, 0.0);
        for of in amplitudes.iter_mut().take(octaves as usize) {
            *of = amplitude;
            total += amplitude;
            amplitude *= persistence;
        }
        Self { amplitudes, mean: 1.0 / total }
    }
}

impl<S: Simd> Amplitudes<S> for &SameAmplitudes {
    #[inline(always)]
    fn of(&self, simd: S, octave: usize, _: usize) -> S::f32s {
        S::f32s::splat(simd, self.amplitudes[octave])
    }

    #[inline(always)]
    fn next(&mut self) {}

    #[inline(always)]
    fn mean(&self, simd: S, _: usize) -> S::f32s {
        S::f32s::splat(simd, self.mean)
    }
}

/// Amplitudes that differ between samples.
struct EachAmplitudes<S: Simd, const PACK: usize> {
    persistence: [S::f32s; PACK],
    amplitude: [S::f32s; PACK],
    total: [S::f32s; PACK],
}

impl<S: Simd, const PACK: usize> EachAmplitudes<S, PACK> {
    /// Amplitudes from each sample's persistence, clamped as by [`bounded`].
    #[inline(always)]
    fn new(simd: S, mut persistence: [S::f32s; PACK]) -> Self {
        let (zero, one) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 1.0));
        let most = S::f32s::splat(simd, MOST_PERSISTENCE);
        for persistence in &mut persistence {
            *persistence = persistence.simd_gt(zero).select(lesser(simd, *persistence, most), zero);
        }
        Self { persistence, amplitude: [one; PACK], total: [zero; PACK] }
    }
}

impl<S: Simd, const PACK: usize> Amplitudes<S> for EachAmplitudes<S, PACK> {
    #[inline(always)]
    fn of(&self, _: S, _: usize, index: usize) -> S::f32s {
        self.amplitude[index]
    }

    #[inline(always)]
    fn next(&mut self) {
        for index in 0..PACK {
            self.total[index] += self.amplitude[index];
            self.amplitude[index] *= self.persistence[index];
        }
    }

    #[inline(always)]
    fn mean(&self, simd: S, index: usize) -> S::f32s {
        S::f32s::splat(simd, 1.0) / self.total[index]
    }
}

/// The maximum persistence.
const MOST_PERSISTENCE: f32 = 4.0;

/// The persistence, clamped to [0, 4].
fn bounded(persistence: f32) -> f32 {
    // This comparison turns not-a-number into 0.
    if persistence > 0.0 { persistence.min(MOST_PERSISTENCE) } else { 0.0 }
}

/// How an octave contributes to the sum.
trait Share {
    /// Factor and summand that map the mean of octaves to [0, 1].
    const RANGE: (f32, f32) = (1.0, 0.0);

    /// An octave's contribution; `weight` is carried from octave to octave.
    fn share<S: Simd, V: Real<S>>(n: V, weight: &mut V) -> V;
}

struct Fbm;
struct Ridged;
struct Billow;
struct Turbulence;

impl Share for Fbm {
    const RANGE: (f32, f32) = (0.5, 0.5);

    #[inline(always)]
    fn share<S: Simd, V: Real<S>>(n: V, _: &mut V) -> V {
        n
    }
}

impl Share for Ridged {
    #[inline(always)]
    fn share<S: Simd, V: Real<S>>(n: V, weight: &mut V) -> V {
        let one = V::constant(n.simd(), 1.0);
        let rest = one - n.abs();
        let signal = rest * rest * *weight;
        let double = signal + signal;
        *weight = double.select(double.value().simd_lt(1.0), one);
        signal
    }
}

impl Share for Billow {
    #[inline(always)]
    fn share<S: Simd, V: Real<S>>(n: V, _: &mut V) -> V {
        let one = V::constant(n.simd(), 1.0);
        let rest = one - n.abs();
        one - rest * rest
    }
}

impl Share for Turbulence {
    #[inline(always)]
    fn share<S: Simd, V: Real<S>>(n: V, _: &mut V) -> V {
        n.abs()
    }
}

/// The persistence of a tile's row.
pub enum Persistence<'a> {
    /// The same for all samples.
    Same(&'a SameAmplitudes),
    /// One per sample of a tile's row.
    Each(&'a [f32]),
}

/// Sums the octaves of a tile's row, scaled to [0, 1].
pub struct Fold<'a, D: Depth> {
    pub fractal: Fractal,
    pub octaves: &'a [Tile<D::Value>],
    pub persistence: Persistence<'a>,
    pub groups: usize,
    pub heights: &'a mut Tile<D::Value>,
}

impl<D: Depth> Fold<'_, D> {
    /// A separate function, so that it is compiled once for all kinds of octaves.
    #[inline(never)]
    pub fn run<S: Simd>(self, simd: S) {
        by_itself(
            simd,
            #[inline(always)]
            || match self.fractal {
                Fractal::Fbm => self.fold::<Fbm, S>(simd),
                Fractal::Ridged => self.fold::<Ridged, S>(simd),
                Fractal::Billow => self.fold::<Billow, S>(simd),
                Fractal::Turbulence => self.fold::<Turbulence, S>(simd),
            },
        );
    }

    #[inline(always)]
    fn fold<F: Share, S: Simd>(self, simd: S) {
        match LANES / S::f32s::LEN {
            1 => self.each_group::<F, S, 1>(simd),
            2 => self.each_group::<F, S, 2>(simd),
            _ => self.each_group::<F, S, 4>(simd),
        }
    }

    /// Sums the octaves of a group's `PACK` vectors together, group by group.
    #[inline(always)]
    fn each_group<F: Share, S: Simd, const PACK: usize>(self, simd: S) {
        let octaves = &Values::<D>(self.octaves);
        for group in 0..self.groups {
            let at = group * LANES;
            let sums: [Value<D, S>; PACK] = match self.persistence {
                Persistence::Same(same) => sum::<F, S, _, PACK>(simd, octaves, at, same),
                Persistence::Each(each) => {
                    let each = padded(&each[at..]);
                    let mut persistence = [S::f32s::splat(simd, 0.0); PACK];
                    for index in 0..PACK {
                        persistence[index] = load(simd, &each[index * S::f32s::LEN..]);
                    }
                    sum::<F, S, _, PACK>(simd, octaves, at, EachAmplitudes::new(simd, persistence))
                }
            };
            for index in 0..PACK {
                self.heights[group].store::<S>(sums[index], index * S::f32s::LEN);
            }
        }
    }
}

/// Octaves that have been computed.
struct Values<'a, D: Depth>(&'a [Tile<D::Value>]);

impl<D: Depth, S: Simd> Octaves<S, Value<D, S>> for Values<'_, D> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn octave(&self, simd: S, octave: usize, at: usize) -> Value<D, S> {
        self.0[octave][at / LANES].load(simd, at % LANES)
    }
}

/// The plain sum of octaves in [0, 1] for a pack of vectors, starting at lane `from` of the tile.
#[inline(always)]
pub fn fbm<S: Simd, V: Real<S>, const PACK: usize>(
    simd: S,
    octaves: &impl Octaves<S, V>,
    from: usize,
    amplitudes: &SameAmplitudes,
) -> [V; PACK] {
    sum::<Fbm, S, V, PACK>(simd, octaves, from, amplitudes)
}

#[inline(always)]
fn sum<F: Share, S: Simd, V: Real<S>, const PACK: usize>(
    simd: S,
    octaves: &impl Octaves<S, V>,
    from: usize,
    mut amplitudes: impl Amplitudes<S>,
) -> [V; PACK] {
    let mut sum = [V::constant(simd, 0.0); PACK];
    let mut weight = [V::constant(simd, 1.0); PACK];
    for octave in 0..octaves.count().min(MOST_OCTAVES) {
        for index in 0..PACK {
            let value = octaves.octave(simd, octave, from + index * S::f32s::LEN);
            let folded = F::share::<S, V>(value, &mut weight[index]);
            sum[index] = sum[index] + V::given(amplitudes.of(simd, octave, index)) * folded;
        }
        amplitudes.next();
    }
    let (scale, shift) = F::RANGE;
    for index in 0..PACK {
        let mean = amplitudes.mean(simd, index) * scale;
        sum[index] = sum[index] * V::given(mean) + V::constant(simd, shift);
    }
    sum
}
