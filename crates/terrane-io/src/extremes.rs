//! The extremes of samples, many samples at a time.

use rayon::prelude::*;

/// Samples that one thread looks at together.
const TOGETHER: usize = 1 << 16;

/// Samples that are compared at once.
const LANES: usize = 16;

/// What a first look at samples says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extremes {
    /// The lowest and the highest sample; infinite with the other sign if there is none.
    pub low: f32,
    pub high: f32,
    /// Whether all samples are finite.
    pub all_finite: bool,
}

impl Extremes {
    const NONE: Self = Self { low: f32::INFINITY, high: f32::NEG_INFINITY, all_finite: true };

    /// The extremes of all samples. Those that are not-a-numbers are left out.
    pub fn of(samples: &[f32]) -> Self {
        Self::between(samples, f32::NEG_INFINITY, f32::INFINITY)
    }

    /// The extremes of the samples above one height and below another. Infinities as these heights leave out
    /// none but themselves.
    pub fn between(samples: &[f32], above: f32, below: f32) -> Self {
        samples
            .par_chunks(TOGETHER)
            .map(|part| Self::of_part(part, above, below))
            .reduce(|| Self::NONE, Self::with)
    }

    fn of_part(samples: &[f32], above: f32, below: f32) -> Self {
        const EXPONENT: u32 = 0x7f80_0000;
        let (mut low, mut high) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        let mut lost = [0; LANES];
        let (chunks, rest) = samples.as_chunks::<LANES>();
        let mut look = |chunk: &[f32]| {
            for (lane, &h) in chunk.iter().enumerate() {
                low[lane] = if h < low[lane] && h > above { h } else { low[lane] };
                high[lane] = if h > high[lane] && h < below { h } else { high[lane] };
                lost[lane] |= u32::from(h.to_bits() & EXPONENT == EXPONENT);
            }
        };
        chunks.iter().for_each(|chunk| look(chunk));
        look(rest);
        Self {
            low: low.into_iter().fold(f32::INFINITY, f32::min),
            high: high.into_iter().fold(f32::NEG_INFINITY, f32::max),
            all_finite: lost == [0; LANES],
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            all_finite: self.all_finite && other.all_finite,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_of_many_samples() {
        let mut samples: Vec<f32> = (0..200_003).map(|i| ((i * 7919) % 100_003) as f32).collect();
        let of = |samples: &[f32]| Extremes::of(samples);
        assert_eq!(of(&samples), Extremes { low: 0.0, high: 100_002.0, all_finite: true });
        let between = Extremes::between(&samples, 0.0, 100_002.0);
        assert_eq!((between.low, between.high), (1.0, 100_001.0));
        samples[77] = f32::NAN;
        assert_eq!(of(&samples), Extremes { low: 0.0, high: 100_002.0, all_finite: false });
        samples[200_002] = f32::INFINITY;
        assert!(!of(&samples).all_finite);
        assert_eq!(of(&[]), Extremes::NONE);
        assert_eq!(of(&[3.0]), Extremes { low: 3.0, high: 3.0, all_finite: true });
    }
}
