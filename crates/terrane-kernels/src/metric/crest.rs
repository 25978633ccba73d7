//! Crests that are sums of ever finer and lower sinusoids: their lengths show how rough fractal sums are
//! (Thorimbert & Chopard 2018, equations 20 to 22).

use crate::parallel::try_collect;

use crate::{Cancelled, Progress};

/// The sum over i of a⁻ⁱ·sin(fⁱ·x), for x from 0 to 2π.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crest {
    /// The paper's a: the amplitude of a wave over that of the next; greater than 0.
    pub amplitude: f64,
    /// The paper's f: the frequency of a wave over that of the one before; greater than 1.
    pub frequency: f64,
    /// Number of waves after the first, the paper's N.
    pub octaves: u32,
}

/// Points at which the finest wave is sampled.
const POINTS_PER_WAVE: f64 = 32.0;

/// Minimum number of points.
const FEWEST: f64 = 4096.0;

/// Points per task: the same on any number of threads.
const CHUNK: usize = 8192;

impl Crest {
    /// The maximum number of waves of the finest octave, which bounds the number of points.
    pub const MOST_WAVES: f64 = 524_288.0;

    /// The number of waves of the finest octave.
    #[must_use]
    pub fn waves(&self) -> f64 {
        libm::pow(self.frequency, f64::from(self.octaves))
    }

    /// The height at `x` with the first `octaves` waves after the first.
    #[must_use]
    pub fn height(&self, x: f64, octaves: u32) -> f64 {
        let (mut sum, mut amplitude, mut frequency) = (0.0, 1.0, 1.0);
        for _ in 0..=octaves {
            sum += amplitude * libm::sin(frequency * x);
            amplitude /= self.amplitude;
            frequency *= self.frequency;
        }
        sum
    }

    /// The crest's length with 0, 1, … and all of the waves after the first (equation 21): the mean of √(1 +
    /// slope²) over the midpoints of pieces. There are 32 pieces for each of the finest waves. O(waves ·
    /// octaves).
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    ///
    /// # Panics
    /// When there are more than [`Crest::MOST_WAVES`] waves.
    pub fn lengths(&self, progress: &dyn Progress) -> Result<Vec<f64>, Cancelled> {
        assert!(self.waves() <= Self::MOST_WAVES, "a crest of {} waves", self.waves());
        let pieces = (POINTS_PER_WAVE * self.waves()).max(FEWEST).ceil() as usize;
        let step = std::f64::consts::TAU / pieces as f64;
        let sums: Vec<Vec<f64>> = try_collect(pieces.div_ceil(CHUNK), 1, |chunk| {
            progress.report(chunk as f64 * CHUNK as f64 / pieces as f64)?;
            let mut sums = vec![0.0; self.octaves as usize + 1];
            for piece in chunk * CHUNK..((chunk + 1) * CHUNK).min(pieces) {
                self.add_lengths((piece as f64 + 0.5) * step, &mut sums);
            }
            Ok(sums)
        })?;
        let total = |octaves: usize| sums.iter().map(|sums| sums[octaves]).sum::<f64>() * step;
        Ok((0..=self.octaves as usize).map(total).collect())
    }

    /// Adds the length of a piece of unit width at `x`, for each number of octaves.
    fn add_lengths(&self, x: f64, sums: &mut [f64]) {
        let (mut slope, mut steepness, mut frequency) = (0.0, 1.0, 1.0);
        for sum in sums {
            slope += steepness * libm::cos(frequency * x);
            *sum += libm::sqrt(1.0 + slope * slope);
            steepness *= self.frequency / self.amplitude;
            frequency *= self.frequency;
        }
    }

    /// The fractal dimension that follows from lengths (equation 22). A crest of dimension D, measured with a
    /// ruler of length ε, has the length L = k·ε^(1 − D). Here ε is the length of the finest wave, which is
    /// divided by the frequency f from one octave to the next. So D − 1 is the growth of log L per octave,
    /// divided by log f. NaN for the first length, which has no predecessor.
    #[must_use]
    pub fn dimensions(&self, lengths: &[f64]) -> Vec<f64> {
        let grows = |pair: &[f64]| 1.0 + libm::log(pair[1] / pair[0]) / libm::log(self.frequency);
        std::iter::once(f64::NAN).chain(lengths.windows(2).map(grows)).take(lengths.len()).collect()
    }

    /// The limit of the dimension for infinitely many octaves: that of Weierstrass's function, 2 − log a /
    /// log f. If this is less than 1, the length is finite and the limit is 1.
    #[must_use]
    pub fn limit(&self) -> f64 {
        (2.0 - libm::log(self.amplitude) / libm::log(self.frequency)).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Silent;
    use terrane_compute::Stop;

    fn crest(amplitude: f64, frequency: f64, octaves: u32) -> Crest {
        Crest { amplitude, frequency, octaves }
    }

    #[test]
    fn a_single_sinusoid_by_hand() {
        // The length of sin from 0 to 2π: 4·√2·E(1/√2).
        let found = crest(2.0, 2.0, 0).lengths(&Silent).unwrap();
        assert!((found[0] - 7.640_395_578_055_424).abs() < 1e-9, "{found:?}");
        assert_eq!(crest(2.0, 2.0, 1).height(std::f64::consts::FRAC_PI_2, 0), 1.0);
        let both = crest(2.0, 2.0, 1).height(std::f64::consts::FRAC_PI_4, 1);
        assert!((both - (0.5f64.sqrt() + 0.5)).abs() < 1e-12);
    }

    /// A slow reference: the length of a line through very many points of the crest.
    #[test]
    fn lengths_are_those_of_a_fine_line() {
        for (amplitude, frequency) in [(2.0, 2.0), (1.3, 2.5), (3.0, 1.7)] {
            let crest = crest(amplitude, frequency, 5);
            let found = crest.lengths(&Silent).unwrap();
            for octaves in 0..=5 {
                let step = std::f64::consts::TAU / 400_000.0;
                let heights: Vec<f64> =
                    (0..=400_000).map(|i| crest.height(f64::from(i) * step, octaves)).collect();
                let line: f64 = heights.windows(2).map(|pair| libm::hypot(step, pair[1] - pair[0])).sum();
                let length = found[octaves as usize];
                assert!(
                    (length / line - 1.0).abs() < 1e-3,
                    "{amplitude} {frequency} {octaves}: {length} {line}"
                );
            }
        }
    }

    /// The dimension approaches that of Weierstrass's function, as in figure 12: near 2 for small a, 1 where
    /// a is large.
    #[test]
    fn dimensions_approach_their_limit() {
        for (amplitude, frequency, octaves, within) in [
            (1.1, 2.0, 18, 0.02),
            (1.5, 2.0, 18, 0.02),
            (2.0, 2.0, 18, 0.06),
            (3.0, 2.0, 18, 0.001),
            (1.2, 3.0, 11, 0.02),
            (2.0, 3.0, 11, 0.02),
            (2.0, 5.0, 8, 0.02),
        ] {
            let crest = crest(amplitude, frequency, octaves);
            let dimensions = crest.dimensions(&crest.lengths(&Silent).unwrap());
            let last = dimensions[octaves as usize];
            assert!((last - crest.limit()).abs() < within, "{crest:?} {last} {}", crest.limit());
            assert!(dimensions[0].is_nan());
        }
        assert_eq!(crest(2.0, 2.0, 3).limit(), 1.0);
        assert!((crest(2.0f64.sqrt(), 2.0, 3).limit() - 1.5).abs() < 1e-12);
    }

    #[test]
    fn bits_do_not_depend_on_threads_and_it_can_be_cancelled() {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| crest(1.5, 2.0, 12).lengths(&Silent).unwrap())
        };
        assert_eq!(run(1), run(3));
        assert_eq!(crest(1.5, 2.0, 12).lengths(&Stop), Err(Cancelled));
    }
}
