//! The width of the smallest valleys, so that erosion by rivers gives the same valleys at all spacings below
//! this width.

use terrane_compute::parallel::{elements, for_each};
use terrane_compute::{Alive, each};
use terrane_grid::{Domain, Seed};

use crate::noise::{Interpolation, Layout, Spectral, spectral_synthesis};
use crate::shape::tent_means;
use crate::{Boundary, Cancelled, Progress};

/// Samples that a thread takes at once.
const SAMPLES: usize = 1 << 14;

/// The width of the smallest valleys on a map.
///
/// If it is the spacing, a river is one sample wide. The narrower the sample, the narrower its river, and the
/// less water runs through each sample of a slope: the result depends on the spacing. If it is more, a river
/// erodes as if it were this wide.
#[derive(Clone, Copy, Debug)]
pub struct ValleyWidth {
    /// In samples, at least 1.
    samples: f64,
    pub domain: Domain,
    boundary: Boundary,
}

impl ValleyWidth {
    /// A width in world units. It counts as the spacing if it is `None` or less.
    pub fn new(width: Option<f64>, domain: Domain, boundary: Boundary) -> Self {
        /// What rounding may add to a width of one sample.
        const ROUNDING: f64 = 1.0e-6;
        let samples = width.map_or(1.0, |width| width / domain.spacing);
        // This comparison turns NaN into 1.
        Self { samples: if samples > 1.0 + ROUNDING { samples } else { 1.0 }, domain, boundary }
    }

    /// The width in samples.
    pub fn samples(self) -> f64 {
        self.samples
    }

    /// The width in world units.
    pub fn side(self) -> f64 {
        self.samples * self.domain.spacing
    }

    /// Whether valleys are wider than a sample.
    pub fn is_wide(self) -> bool {
        self.samples > 1.0
    }

    /// The index of the sample a valley's width (in whole samples) away in a direction; `None` beyond an open
    /// border.
    pub fn neighbour(self, at: usize, (dx, dy): (isize, isize)) -> Option<usize> {
        let (width, height) = self.domain.size;
        let along = |at: usize, way: isize, count: usize| {
            let to = at as isize + way * (self.samples + 0.5) as isize;
            match self.boundary {
                Boundary::Wrap => Some(to.rem_euclid(count as isize) as usize),
                Boundary::Open => usize::try_from(to).ok().filter(|&to| to < count),
            }
        };
        Some(along(at / width, dy, height)? * width + along(at % width, dx, width)?)
    }

    /// What a strip of a valley's width holds that runs through each sample along the flow, of what each
    /// sample holds: water, or the depth of a cut.
    ///
    /// On a slope, where water flows side by side, it is the water of as many samples as the strip is wide.
    /// Along a river it is all the river's water. Beside a river it falls in proportion to the distance, to
    /// none at a valley's width.
    pub fn gather(self, each: &[f32], across: &mut Vec<f32>, gathered: &mut Vec<f32>) {
        self.means(each, 1.0, across, gathered);
        let samples = self.samples as f32;
        for_each(elements(gathered), SAMPLES, |_, held| *held *= samples);
    }

    /// Means of samples around each sample, with weights that fall to 0 at so many widths of a valley.
    /// `across` is scratch space.
    pub fn means(self, of: &[f32], widths: f64, across: &mut Vec<f32>, means: &mut Vec<f32>) {
        tent_means(of, self.domain.size, widths * self.samples, self.boundary, across, means);
    }

    /// Divides what each sample holds among the samples around it that are not `fixed`, with the weights of
    /// [`gather`](Self::gather). Fixed samples hold nothing.
    pub fn spread(self, each: &[f32], fixed: &[bool], across: &mut Vec<f32>, spread: &mut Vec<f32>) {
        // Means leave out what lies beyond the border: these are the weights that are left, along an axis.
        let (width, height) = self.domain.size;
        let inside = |count: usize| -> Vec<f32> {
            let reach = libm::ceil(self.samples) as usize - 1;
            let weight = |by: usize| 1.0 - by as f64 / self.samples;
            let left = |at: usize| (1..=reach.min(at)).map(weight).sum::<f64>();
            let total = 1.0 + 2.0 * (1..=reach).map(weight).sum::<f64>();
            let share = |at: usize| (1.0 + left(at) + left(count - 1 - at)) / total;
            let wraps = self.boundary == Boundary::Wrap;
            (0..count).map(|at| if wraps { 1.0 } else { share(at) as f32 }).collect()
        };
        let (columns, rows) = (inside(width), inside(height));
        let inside = |at: usize| columns[at % width] * rows[at / width];
        let free: Vec<f32> = fixed.iter().map(|&fixed| f32::from(u8::from(!fixed))).collect();
        self.means(&free, 1.0, across, spread);
        let mut shares = vec![0.0; each.len()];
        for_each(elements(&mut shares), SAMPLES, |at, share| {
            *share = if fixed[at] { 0.0 } else { each[at] / (inside(at) * spread[at]) };
        });
        self.means(&shares, 1.0, across, spread);
        for_each(elements(spread), SAMPLES, |at, spread| *spread *= free[at] * inside(at));
    }

    /// Rain on a sample relative to rain on a square of a valley's width, and the share of its water that a
    /// sample passes on, if such a square passes on `kept`. On a slope of any length a strip of a valley's
    /// width then has the same water as in a model with samples of that width.
    pub fn rain(self, kept: f32) -> (f32, f32) {
        if !self.is_wide() {
            return (1.0, kept);
        }
        let whole = f64::from(kept);
        let part = libm::pow(whole, 1.0 / self.samples);
        let lost = if whole < 1.0 { (1.0 - part) / (1.0 - whole) } else { 1.0 / self.samples };
        ((lost / self.samples) as f32, part as f32)
    }

    /// Random numbers in [0, 1), a new one for each sample. If valleys are wider than a sample, they vary
    /// over a valley's width.
    pub fn random(self, seed: Seed, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
        if self.is_wide() {
            let noise = Spectral { octaves: 1, wavelength: self.side(), ..self.noise() };
            return self.spectral(noise, seed, alive);
        }
        let (lattice, width) = (seed.lattice(), self.domain.width());
        each(self.domain.len(), alive, |at| lattice.unit((at % width) as i64, (at / width) as i64))
    }

    /// Random numbers of at most 1 that vary over lengths from a quarter of the map's longer side down to a
    /// valley's width, with the same slopes at all of these lengths.
    pub fn rolling(self, seed: Seed, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
        let (width, height) = self.domain.extent();
        let longest = (0.25 * width.max(height)).max(self.side());
        let octaves = 1 + libm::floor(libm::log2(longest / self.side())) as u32;
        self.spectral(Spectral { octaves, wavelength: longest, ..self.noise() }, seed, alive)
    }

    fn noise(self) -> Spectral {
        let layout = if self.boundary == Boundary::Wrap { Layout::Wrapped } else { Layout::Turned };
        Spectral { persistence: 0.5, interpolation: Interpolation::Cubic, layout, ..Spectral::default() }
    }

    fn spectral(self, noise: Spectral, seed: Seed, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
        let mut samples =
            spectral_synthesis(&self.domain, seed, &noise, &Checked(alive))?.into_grid().into_vec();
        // Cubics overshoot.
        samples.iter_mut().for_each(|sample| *sample = sample.clamp(0.0, 1.0));
        Ok(samples)
    }
}

/// Progress of which only cancelling matters.
struct Checked<'a>(&'a Alive<'a>);

impl Progress for Checked<'_> {
    fn report(&self, _: f64) -> Result<(), Cancelled> {
        (self.0)()
    }

    fn check(&self) -> Result<(), Cancelled> {
        (self.0)()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn valleys(widths: f64, size: (usize, usize)) -> ValleyWidth {
        let domain = Domain::new(size.0, size.1).with_spacing(10.0);
        ValleyWidth::new(Some(10.0 * widths), domain, Boundary::Open)
    }

    fn gathered(valleys: ValleyWidth, each: &[f32]) -> Vec<f32> {
        let (mut across, mut gathered) = Default::default();
        valleys.gather(each, &mut across, &mut gathered);
        gathered
    }

    /// On a slope each sample has the water of the width, and on a river all the river's water. Beside the
    /// river it falls by a third per sample.
    #[test]
    fn water_is_gathered_as_by_hand() {
        let valleys = valleys(3.0, (15, 15));
        let slope = gathered(valleys, &[2.0; 225]);
        assert!(slope.iter().all(|water| (water - 6.0).abs() < 1e-5), "{slope:?}");
        let river: Vec<f32> = (0..225).map(|at| if at / 15 == 7 { 9.0 } else { 0.0 }).collect();
        let river = gathered(valleys, &river);
        for (row, expected) in [0.0, 3.0, 6.0, 9.0, 6.0, 3.0, 0.0].into_iter().enumerate() {
            assert!((river[(row + 4) * 15 + 7] - expected).abs() < 1e-5, "{row}: {river:?}");
        }
    }

    /// Nothing is lost, at the border or beside fixed samples, and fixed samples get nothing.
    #[test]
    fn what_is_spread_is_not_lost() {
        let lattice = Seed(3).lattice();
        for (samples, boundary) in [(1.4, Boundary::Open), (2.0, Boundary::Wrap), (4.5, Boundary::Open)] {
            let valleys = ValleyWidth { boundary, ..valleys(samples, (13, 9)) };
            let fixed: Vec<bool> = (0..117).map(|at| lattice.unit(at, 0) < 0.3).collect();
            let held = |at: usize| if fixed[at] { 0.0 } else { lattice.unit(at as i64, 1) };
            let each: Vec<f32> = (0..117).map(held).collect();
            let (mut across, mut spread) = Default::default();
            valleys.spread(&each, &fixed, &mut across, &mut spread);
            let sum = |of: &[f32]| of.iter().map(|&held| f64::from(held)).sum::<f64>();
            assert!((sum(&each) - sum(&spread)).abs() < 1e-5, "{samples}");
            assert!(spread.iter().zip(&fixed).all(|(&spread, fixed)| !fixed || spread == 0.0));
        }
    }

    /// Water of a slope as long as `widths` of a valley, at its foot, and the limit of a long slope.
    #[test]
    fn slopes_have_the_water_of_wide_samples() {
        for kept in [1.0, 0.68, 0.0] {
            for (samples, widths) in [(1.5, 8), (2.0, 40), (7.0, 12)] {
                let valleys = valleys(samples, (9, 9));
                let (rain, part) = valleys.rain(kept);
                let steps = (samples * f64::from(widths)) as u32;
                let single = (0..steps).fold(0.0, |water, _| rain + part * water);
                let wide = (0..widths).fold(0.0, |water, _| 1.0 + kept * water);
                let found = samples as f32 * single;
                assert!((found - wide).abs() < 1e-4 * wide, "{kept} {samples}: {found} {wide}");
            }
        }
    }

    #[test]
    fn neighbours_are_a_width_away() {
        let valleys = valleys(2.6, (7, 5));
        assert_eq!(valleys.neighbour(3 * 7 + 1, (1, -1)), Some(4));
        assert_eq!([(-1, 0), (0, 1)].map(|way| valleys.neighbour(3 * 7 + 1, way)), [None; 2]);
        let wrapped = ValleyWidth { boundary: Boundary::Wrap, ..valleys };
        assert_eq!(wrapped.neighbour(3 * 7 + 1, (-1, 1)), Some(7 + 5));
    }

    /// A map with half the spacing has the same random numbers where it has the same places.
    #[test]
    fn random_numbers_belong_to_places() {
        let coarse = Domain::new(33, 17).with_spacing(10.0).with_origin(-40.0, 70.0);
        let fine = coarse.resized((65, 33));
        let of = |domain: Domain, by: fn(ValleyWidth, Seed) -> Vec<f32>| {
            by(ValleyWidth::new(Some(25.0), domain, Boundary::Open), Seed(5))
        };
        let random = |valleys: ValleyWidth, seed| valleys.random(seed, &|| Ok(())).unwrap();
        let rolling = |valleys: ValleyWidth, seed| valleys.rolling(seed, &|| Ok(())).unwrap();
        for by in [random, rolling] {
            let (few, many) = (of(coarse, by), of(fine, by));
            for (at, few) in few.iter().enumerate() {
                assert!((few - many[2 * (at / 33) * 65 + 2 * (at % 33)]).abs() < 1e-5, "{at}");
            }
            assert!(few.iter().any(|unit| (unit - few[0]).abs() > 0.05));
        }
    }
}
