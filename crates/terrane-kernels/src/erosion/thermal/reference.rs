//! The Reference scheme as a gather: every sample sums what its neighbours send and subtracts what it sends
//! itself.
//!
//! Let d_i be the differences between a sample and its neighbours, d_max the largest of them, and d_total the
//! sum of those above the limit T. The sample sends c·(d_max − T)·d_i / d_total to each neighbour with d_i >
//! T, where c is the fraction that moves (Olsen 2004, p. 6). The amount divided by d_i is therefore one
//! factor per sample, c·(d_max − T) / d_total. A neighbour that knows this factor can compute what it
//! receives.
//!
//! Each row takes two passes, both vector loops. Bands of rows run in parallel.

use crate::parallel::{for_each_with, slices};
use std::sync::atomic::{AtomicBool, Ordering};

use terrane_grid::{Grid, Heightmap};

use super::parameters::{Scheme, Thermal};
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::lanes::{LANES, lanes};
use crate::erosion::limits::{Distance, Limits};
use crate::erosion::padded::Padded;
use crate::erosion::{Neighbourhood, Visited};
use crate::{Boundary, Cancelled, dispatch};

/// Rows per task. The factors of one more row on either side are also computed in each task.
const BAND: usize = 64;

pub struct Reference {
    map: Padded,
    next: Vec<f32>,
    limit: Limit,
    /// Whether all lower neighbours receive a share, as in the published variant.
    all: bool,
    distance: Distance,
    fraction: f32,
    neighbourhood: Neighbourhood,
    visited: Visited,
    wrap: bool,
}

/// One limit for all samples, or one per sample, padded like the heights.
enum Limit {
    Same(f32),
    Each(Padded),
}

impl Reference {
    pub fn new(map: &Heightmap, parameters: &Thermal<'_>, limits: Limits) -> Self {
        let map = Padded::new(map.grid(), parameters.boundary);
        Self {
            limit: match limits {
                Limits::Same(limit) => Limit::Same(limit),
                Limits::Each(limits) => Limit::Each(Padded::new(&limits, parameters.boundary)),
            },
            all: parameters.scheme == Scheme::Published,
            distance: parameters.distance,
            fraction: parameters.fraction,
            neighbourhood: parameters.neighbourhood,
            visited: parameters.scheme.visited(),
            wrap: parameters.boundary == Boundary::Wrap,
            next: map.data.clone(),
            map,
        }
    }

    fn iterate(&mut self) -> bool {
        let Self { map, limit, all, distance, fraction, neighbourhood, visited, wrap, .. } = self;
        let (stride, width, height) = (map.stride, map.width, map.height);
        let bands = slices(&mut self.next[stride..stride * (height + 1)], stride * BAND);
        let changed = AtomicBool::new(false);
        for_each_with(
            bands,
            1,
            || vec![0.0f32; stride * (BAND + 2)],
            |factors, band, out| {
                let band = Band {
                    old: &map.data,
                    stride,
                    width,
                    first: band * BAND + 1,
                    limit,
                    all: *all,
                    distance: *distance,
                    fraction: *fraction,
                    visited: *visited,
                    wrap: *wrap,
                };
                let passes = Passes { band, neighbourhood: *neighbourhood, factors, out };
                if dispatch!(_ => passes.run()) {
                    changed.store(true, Ordering::Relaxed);
                }
            },
        );
        std::mem::swap(&mut map.data, &mut self.next);
        map.refresh();
        changed.into_inner()
    }
}

impl Iterate for Reference {
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        let mut changed = iterations > 0;
        for iteration in 1..=iterations {
            changed = self.iterate();
            report(f64::from(iteration) / f64::from(iterations))?;
            if !changed {
                break;
            }
        }
        Ok(changed)
    }

    fn grid(&self) -> Grid<f32> {
        self.map.grid()
    }
}

/// Both passes over a band.
struct Passes<'a> {
    band: Band<'a>,
    neighbourhood: Neighbourhood,
    factors: &'a mut [f32],
    out: &'a mut [f32],
}

impl Passes<'_> {
    #[inline(always)]
    fn run(self) -> bool {
        let Self { band, factors, out, .. } = self;
        let offsets = self.neighbourhood.offsets();
        match (self.neighbourhood, band.limit) {
            (Neighbourhood::Moore, Limit::Same(_)) => band.passes::<8, false>(offsets, factors, out),
            (Neighbourhood::Moore, Limit::Each(_)) => band.passes::<8, true>(offsets, factors, out),
            (_, Limit::Same(_)) => band.passes::<4, false>(offsets, factors, out),
            (_, Limit::Each(_)) => band.passes::<4, true>(offsets, factors, out),
        }
    }
}

/// The neighbours of a row.
struct Neighbours<'a, const N: usize> {
    around: &'a [&'a [f32]; N],
    /// One over the distances to the neighbours.
    inverse: &'a [f32; N],
    /// The limits of the row.
    limits: &'a [f32],
    /// The limits of the neighbours.
    theirs: &'a [&'a [f32]; N],
}

/// A band of rows of the padded map.
struct Band<'a> {
    old: &'a [f32],
    stride: usize,
    width: usize,
    /// Padded row of the band's first row.
    first: usize,
    limit: &'a Limit,
    all: bool,
    distance: Distance,
    fraction: f32,
    visited: Visited,
    wrap: bool,
}

impl Band<'_> {
    #[inline(always)]
    fn passes<const N: usize, const EACH: bool>(
        &self,
        offsets: &[(isize, isize)],
        factors: &mut [f32],
        out: &mut [f32],
    ) -> bool {
        let offsets: [(isize, isize); N] = std::array::from_fn(|i| offsets[i]);
        let rows = out.len() / self.stride;
        let total = self.old.len() / self.stride;
        for index in 0..rows + 2 {
            let row = self.first + index - 1;
            let factors = &mut factors[index * self.stride..(index + 1) * self.stride];
            let ring = row == 0 || row == total - 1;
            if ring && !self.wrap {
                factors.fill(0.0);
                continue;
            }
            // On a torus the padding rows are copies, which send what the original rows send.
            let row = if row == 0 {
                total - 2
            } else if ring {
                1
            } else {
                row
            };
            if self.visited == Visited::Inside && (row == 1 || row == total - 2) {
                factors.fill(0.0);
                continue;
            }
            self.factors::<N, EACH>(row, &offsets, factors);
        }
        let mut changed = false;
        for index in 0..rows {
            let out = &mut out[index * self.stride..(index + 1) * self.stride];
            changed |=
                self.gather::<N, EACH>(self.first + index, &offsets, &factors[index * self.stride..], out);
        }
        changed
    }

    /// `width` samples of a padded row, shifted by a number of columns.
    #[inline(always)]
    fn shifted(&self, row: usize, columns: isize) -> &[f32] {
        let start = (row * self.stride + 1).wrapping_add_signed(columns);
        &self.old[start..start + self.width]
    }

    /// The limits of a padded row, shifted by a number of columns; empty if all are the same.
    #[inline(always)]
    fn limits<const EACH: bool>(&self, row: usize, columns: isize) -> &[f32] {
        match self.limit {
            Limit::Each(limits) if EACH => {
                let start = (row * self.stride + 1).wrapping_add_signed(columns);
                &limits.data[start..start + self.width]
            }
            _ => &[],
        }
    }

    /// The limits of some samples of a row.
    #[inline(always)]
    fn limit_lanes<const EACH: bool, const L: usize>(&self, limits: &[f32], start: usize) -> [f32; L] {
        match self.limit {
            Limit::Same(limit) => [*limit; L],
            Limit::Each(_) if EACH => *lanes::<L>(limits, start),
            Limit::Each(_) => [0.0; L],
        }
    }

    /// Computes the amount that each sample of a row sends per unit of difference per spacing.
    #[inline(always)]
    fn factors<const N: usize, const EACH: bool>(
        &self,
        row: usize,
        offsets: &[(isize, isize); N],
        factors: &mut [f32],
    ) {
        let here = self.shifted(row, 0);
        let around: [&[f32]; N] =
            std::array::from_fn(|i| self.shifted(row.wrapping_add_signed(offsets[i].1), offsets[i].0));
        let limits = self.limits::<EACH>(row, 0);
        let inverse: [f32; N] = std::array::from_fn(|i| self.distance.inverse(offsets[i]));
        let inner = &mut factors[1..=self.width];
        let whole = self.width - self.width % LANES;
        for start in (0..whole).step_by(LANES) {
            self.factor_lanes::<N, EACH, LANES>(here, &around, limits, &inverse, start, inner);
        }
        for at in whole..self.width {
            self.factor_lanes::<N, EACH, 1>(here, &around, limits, &inverse, at, inner);
        }
        if self.visited == Visited::Inside {
            (factors[1], factors[self.width]) = (0.0, 0.0);
        }
        let (first, last) = (factors[1], factors[self.width]);
        factors[0] = if self.wrap { last } else { 0.0 };
        factors[self.width + 1] = if self.wrap { first } else { 0.0 };
    }

    #[inline(always)]
    fn factor_lanes<const N: usize, const EACH: bool, const L: usize>(
        &self,
        here: &[f32],
        around: &[&[f32]; N],
        limits: &[f32],
        inverse: &[f32; N],
        start: usize,
        out: &mut [f32],
    ) {
        let (here, around) = (lanes::<L>(here, start), around.map(|row| lanes::<L>(row, start)));
        let limit = self.limit_lanes::<EACH, L>(limits, start);
        let (mut greatest, mut total, mut result) = ([0.0f32; L], [0.0f32; L], [0.0f32; L]);
        for (row, inverse) in around.iter().zip(inverse) {
            for column in 0..L {
                let d = (here[column] - row[column]) * inverse;
                greatest[column] = if d > greatest[column] { d } else { greatest[column] };
                total[column] += if d > limit[column] { d } else { 0.0 };
            }
        }
        for column in 0..L {
            let factor = self.fraction * (greatest[column] - limit[column]) / total[column];
            result[column] = if greatest[column] > limit[column] { factor } else { 0.0 };
        }
        out[start..start + L].copy_from_slice(&result);
    }

    /// Computes heights after the exchange with neighbours. Returns whether any height changed.
    #[inline(always)]
    fn gather<const N: usize, const EACH: bool>(
        &self,
        row: usize,
        offsets: &[(isize, isize); N],
        factors: &[f32],
        out: &mut [f32],
    ) -> bool {
        let here = self.shifted(row, 0);
        let around: [&[f32]; N] =
            std::array::from_fn(|i| self.shifted(row.wrapping_add_signed(offsets[i].1), offsets[i].0));
        let limits = self.limits::<EACH>(row, 0);
        let theirs: [&[f32]; N] =
            std::array::from_fn(|i| self.limits::<EACH>(row.wrapping_add_signed(offsets[i].1), offsets[i].0));
        let inverse: [f32; N] = std::array::from_fn(|i| self.distance.inverse(offsets[i]));
        let near = Neighbours { around: &around, inverse: &inverse, limits, theirs: &theirs };
        let own = &factors[self.stride + 1..][..self.width];
        let sent: [&[f32]; N] = std::array::from_fn(|i| {
            let row = self.stride.wrapping_add_signed(offsets[i].1 * self.stride as isize);
            &factors[(row + 1).wrapping_add_signed(offsets[i].0)..][..self.width]
        });
        let out = &mut out[1..=self.width];
        let whole = self.width - self.width % LANES;
        let mut differs = 0;
        for start in (0..whole).step_by(LANES) {
            differs |= self.gather_lanes::<N, EACH, LANES>(here, &near, own, &sent, start, out);
        }
        for at in whole..self.width {
            differs |= self.gather_lanes::<N, EACH, 1>(here, &near, own, &sent, at, out);
        }
        differs != 0
    }

    #[inline(always)]
    fn gather_lanes<const N: usize, const EACH: bool, const L: usize>(
        &self,
        here: &[f32],
        near: &Neighbours<'_, N>,
        own: &[f32],
        sent: &[&[f32]; N],
        start: usize,
        out: &mut [f32],
    ) -> u32 {
        let (here, own) = (lanes::<L>(here, start), lanes::<L>(own, start));
        let limit = self.limit_lanes::<EACH, L>(near.limits, start);
        let mut change = [0.0f32; L];
        for i in 0..N {
            let (around, sent) = (lanes::<L>(near.around[i], start), lanes::<L>(sent[i], start));
            let theirs = self.limit_lanes::<EACH, L>(near.theirs[i], start);
            for column in 0..L {
                let d = (here[column] - around[column]) * near.inverse[i];
                let brings = if self.all { 0.0 } else { theirs[column] };
                // Both samples of a pair compute the same product from the same difference, so what leaves
                // one sample arrives at the other. In the published variant more arrives than leaves.
                let leaves = if d > limit[column] { own[column] * d } else { 0.0 };
                let comes = if -d > brings { sent[column] * -d } else { 0.0 };
                change[column] += comes - leaves;
            }
        }
        let mut differs = 0;
        let out = &mut out[start..start + L];
        for column in 0..L {
            out[column] = here[column] + change[column];
            differs |= out[column].to_bits() ^ here[column].to_bits();
        }
        differs
    }
}
