//! Sums of octaves.

#![expect(clippy::needless_range_loop, reason = "parallel arrays with one index: the form that vectorises")]

use super::axis::{LANES, Tile};
use super::real::Real;
use crate::simd::{self, Floats};

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
pub trait Octaves<V> {
    /// The number of octaves.
    fn count(&self) -> usize;

    /// The `index`-th vector of an octave's values in [−1, 1], counted from the start of a group of the tile.
    fn octave(&self, octave: usize, group: usize, index: usize) -> V;
}

/// Amplitudes of octaves.
trait Amplitudes<F> {
    /// An octave's amplitude, for the `index`-th vector.
    fn of(&self, octave: usize, index: usize) -> F;

    /// Advances to the next octave.
    fn next(&mut self);

    /// The factor on the sum of octaves: 1 over the sum of amplitudes.
    fn mean(&self, index: usize) -> F;
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

impl<F: Floats> Amplitudes<F> for &SameAmplitudes {
    #[inline(always)]
    fn of(&self, octave: usize, _: usize) -> F {
        F::splat(self.amplitudes[octave])
    }

    #[inline(always)]
    fn next(&mut self) {}

    #[inline(always)]
    fn mean(&self, _: usize) -> F {
        F::splat(self.mean)
    }
}

/// Amplitudes that differ between samples.
#[derive(Clone, Copy, Debug)]
struct EachAmplitudes {
    persistence: [f32; LANES],
    amplitude: [f32; LANES],
    total: [f32; LANES],
}

impl EachAmplitudes {
    /// Amplitudes from each sample's persistence.
    #[inline(always)]
    fn new(mut persistence: [f32; LANES]) -> Self {
        for persistence in &mut persistence {
            *persistence = bounded(*persistence);
        }
        Self { persistence, amplitude: [1.0; LANES], total: [0.0; LANES] }
    }
}

impl Amplitudes<f32> for EachAmplitudes {
    #[inline(always)]
    fn of(&self, _: usize, index: usize) -> f32 {
        self.amplitude[index]
    }

    #[inline(always)]
    fn next(&mut self) {
        for lane in 0..LANES {
            self.total[lane] += self.amplitude[lane];
            self.amplitude[lane] *= self.persistence[lane];
        }
    }

    #[inline(always)]
    fn mean(&self, index: usize) -> f32 {
        1.0 / self.total[index]
    }
}

/// The persistence, clamped to [0, 4].
#[inline(always)]
fn bounded(persistence: f32) -> f32 {
    // This comparison turns not-a-number into 0.
    if persistence > 0.0 { persistence.min(4.0) } else { 0.0 }
}

/// How an octave contributes to the sum.
trait Share {
    /// Factor and summand that map the mean of octaves to [0, 1].
    const RANGE: (f32, f32) = (1.0, 0.0);

    /// An octave's contribution; `weight` is carried from octave to octave.
    fn share<V: Real>(n: V, weight: &mut V) -> V;
}

struct Fbm;
struct Ridged;
struct Billow;
struct Turbulence;

impl Share for Fbm {
    const RANGE: (f32, f32) = (0.5, 0.5);

    #[inline(always)]
    fn share<V: Real>(n: V, _: &mut V) -> V {
        n
    }
}

impl Share for Ridged {
    #[inline(always)]
    fn share<V: Real>(n: V, weight: &mut V) -> V {
        let (one, rest) = (V::constant(1.0), V::constant(1.0) - n.abs());
        let signal = rest * rest * *weight;
        let double = signal + signal;
        *weight = double.select(V::Lanes::splat(1.0).above(double.value()), one);
        signal
    }
}

impl Share for Billow {
    #[inline(always)]
    fn share<V: Real>(n: V, _: &mut V) -> V {
        let (one, rest) = (V::constant(1.0), V::constant(1.0) - n.abs());
        one - rest * rest
    }
}

impl Share for Turbulence {
    #[inline(always)]
    fn share<V: Real>(n: V, _: &mut V) -> V {
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
pub struct Fold<'a, V> {
    pub fractal: Fractal,
    pub octaves: &'a [Tile<V>],
    pub persistence: Persistence<'a>,
    pub groups: usize,
    pub heights: &'a mut Tile<V>,
}

impl<V: Real<Lanes = f32>> simd::Work for Fold<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match self.fractal {
            Fractal::Fbm => self.fold::<Fbm>(),
            Fractal::Ridged => self.fold::<Ridged>(),
            Fractal::Billow => self.fold::<Billow>(),
            Fractal::Turbulence => self.fold::<Turbulence>(),
        }
    }
}

impl<V: Real<Lanes = f32>> Fold<'_, V> {
    #[inline(always)]
    fn fold<S: Share>(self) {
        let octaves = &Values(self.octaves);
        for from in 0..self.groups {
            self.heights[from] = match self.persistence {
                Persistence::Same(same) => sum::<S, V, LANES>(octaves, from, same),
                Persistence::Each(each) => {
                    let (mut persistence, rest) = ([0.0; LANES], &each[from * LANES..]);
                    let count = rest.len().min(LANES);
                    persistence[..count].copy_from_slice(&rest[..count]);
                    sum::<S, V, LANES>(octaves, from, EachAmplitudes::new(persistence))
                }
            };
        }
    }
}

/// Octaves that have been computed.
struct Values<'a, V>(&'a [Tile<V>]);

impl<V: Real<Lanes = f32>> Octaves<V> for Values<'_, V> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn octave(&self, octave: usize, group: usize, index: usize) -> V {
        self.0[octave][group][index]
    }
}

/// The plain sum of octaves in [0, 1] for a pack of vectors, starting at group `from` of the tile.
#[inline(always)]
pub fn fbm<V: Real, const PACK: usize>(
    octaves: &impl Octaves<V>,
    from: usize,
    amplitudes: &SameAmplitudes,
) -> [V; PACK] {
    sum::<Fbm, V, PACK>(octaves, from, amplitudes)
}

#[inline(always)]
fn sum<S: Share, V: Real, const PACK: usize>(
    octaves: &impl Octaves<V>,
    from: usize,
    mut amplitudes: impl Amplitudes<V::Lanes>,
) -> [V; PACK] {
    let mut sum = [V::constant(0.0); PACK];
    let mut weight = [V::constant(1.0); PACK];
    for octave in 0..octaves.count().min(MOST_OCTAVES) {
        for index in 0..PACK {
            let folded = S::share(octaves.octave(octave, from, index), &mut weight[index]);
            sum[index] = sum[index] + V::given(amplitudes.of(octave, index)) * folded;
        }
        amplitudes.next();
    }
    let (scale, shift) = S::RANGE;
    for index in 0..PACK {
        let mean = amplitudes.mean(index) * V::Lanes::splat(scale);
        sum[index] = sum[index] * V::given(mean) + V::constant(shift);
    }
    sum
}
