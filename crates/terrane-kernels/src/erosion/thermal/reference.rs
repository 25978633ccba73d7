//! The Reference scheme as a gather: every sample adds up what its neighbours send and what it sends itself.
//!
//! A sample with differences d_i to its neighbours sends c·(d_max − T)·d_i / d_total to each with d_i > T, where d_total
//! sums those (Olsen 2004, p. 6). So the amount over d_i is one factor a sample, c·(d_max − T) / d_total, and a neighbour
//! that knows it can compute what it gets. Two passes a row, both vector loops; bands of rows in parallel.

use rayon::prelude::*;

use terrane_grid::Grid;

use super::{Iterate, Scheme, Thermal};
use crate::erosion::Neighbourhood;
use crate::erosion::iterate::Report;
use crate::erosion::lanes::{LANES, lanes};
use crate::erosion::padded::Padded;
use crate::{Boundary, Cancelled, simd};

/// Rows that a task computes together; the factors of a row on either side are computed twice.
const BAND: usize = 64;

pub struct Reference {
    map: Padded,
    next: Vec<f32>,
    limit: f32,
    /// Differences above this bring a share: the limit, or 0 in the published variant.
    shared: f32,
    fraction: f32,
    neighbourhood: Neighbourhood,
    wrap: bool,
}

impl Reference {
    pub fn new(map: &Grid<f32>, parameters: &Thermal, limit: f32) -> Self {
        let map = Padded::new(map, parameters.boundary);
        Self {
            limit,
            shared: if parameters.scheme == Scheme::Published { 0.0 } else { limit },
            fraction: parameters.fraction,
            neighbourhood: parameters.neighbourhood,
            wrap: parameters.boundary == Boundary::Wrap,
            next: map.data.clone(),
            map,
        }
    }

    fn iterate(&mut self) -> bool {
        let Self { map, limit, shared, fraction, neighbourhood, wrap, .. } = self;
        let (stride, width, height) = (map.stride, map.width, map.height);
        let bands = self.next[stride..stride * (height + 1)].par_chunks_mut(stride * BAND).enumerate();
        let changed = bands.map_init(
            || vec![0.0f32; stride * (BAND + 2)],
            |factors, (band, out)| {
                let band = Band {
                    old: &map.data,
                    stride,
                    width,
                    first: band * BAND + 1,
                    limit: *limit,
                    shared: *shared,
                    fraction: *fraction,
                    wrap: *wrap,
                };
                simd::run(Passes { band, neighbourhood: *neighbourhood, factors, out })
            },
        );
        let changed = changed.reduce(|| false, |a, b| a | b);
        std::mem::swap(&mut map.data, &mut self.next);
        map.refresh();
        changed
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

impl simd::Work for Passes<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Self { band, factors, out, .. } = self;
        match self.neighbourhood {
            Neighbourhood::Moore => band.passes::<8>(Neighbourhood::Moore.offsets(), factors, out),
            Neighbourhood::VonNeumann => band.passes::<4>(Neighbourhood::VonNeumann.offsets(), factors, out),
            Neighbourhood::Rotated => band.passes::<4>(Neighbourhood::Rotated.offsets(), factors, out),
        }
    }
}

/// A band of rows of the padded map.
struct Band<'a> {
    old: &'a [f32],
    stride: usize,
    width: usize,
    /// Padded row of the band's first.
    first: usize,
    limit: f32,
    shared: f32,
    fraction: f32,
    wrap: bool,
}

impl Band<'_> {
    #[inline(always)]
    fn passes<const N: usize>(
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
            // On a torus the ring's rows send what the rows do that they stand for.
            let row = if row == 0 {
                total - 2
            } else if ring {
                1
            } else {
                row
            };
            self.factors(row, &offsets, factors);
        }
        let mut changed = false;
        for index in 0..rows {
            let out = &mut out[index * self.stride..(index + 1) * self.stride];
            changed |= self.gather(self.first + index, &offsets, &factors[index * self.stride..], out);
        }
        changed
    }

    /// `width` samples of a padded row, shifted by a number of columns.
    #[inline(always)]
    fn shifted(&self, row: usize, columns: isize) -> &[f32] {
        let start = (row * self.stride + 1).wrapping_add_signed(columns);
        &self.old[start..start + self.width]
    }

    /// Per sample of a row, what it sends over the difference.
    #[inline(always)]
    fn factors<const N: usize>(&self, row: usize, offsets: &[(isize, isize); N], factors: &mut [f32]) {
        let here = self.shifted(row, 0);
        let around: [&[f32]; N] =
            std::array::from_fn(|i| self.shifted(row.wrapping_add_signed(offsets[i].1), offsets[i].0));
        let inner = &mut factors[1..=self.width];
        let whole = self.width - self.width % LANES;
        for start in (0..whole).step_by(LANES) {
            self.factor_lanes::<N, LANES>(here, &around, start, inner);
        }
        for at in whole..self.width {
            self.factor_lanes::<N, 1>(here, &around, at, inner);
        }
        let (first, last) = (factors[1], factors[self.width]);
        factors[0] = if self.wrap { last } else { 0.0 };
        factors[self.width + 1] = if self.wrap { first } else { 0.0 };
    }

    #[inline(always)]
    fn factor_lanes<const N: usize, const L: usize>(
        &self,
        here: &[f32],
        around: &[&[f32]; N],
        start: usize,
        out: &mut [f32],
    ) {
        let (here, around) = (lanes::<L>(here, start), around.map(|row| lanes::<L>(row, start)));
        let (mut greatest, mut total, mut result) = ([0.0f32; L], [0.0f32; L], [0.0f32; L]);
        for row in &around {
            for column in 0..L {
                let d = here[column] - row[column];
                greatest[column] = if d > greatest[column] { d } else { greatest[column] };
                total[column] += if d > self.limit { d } else { 0.0 };
            }
        }
        for column in 0..L {
            let factor = self.fraction * (greatest[column] - self.limit) / total[column];
            result[column] = if greatest[column] > self.limit { factor } else { 0.0 };
        }
        out[start..start + L].copy_from_slice(&result);
    }

    /// Heights after what came and went; whether any differs.
    #[inline(always)]
    fn gather<const N: usize>(
        &self,
        row: usize,
        offsets: &[(isize, isize); N],
        factors: &[f32],
        out: &mut [f32],
    ) -> bool {
        let here = self.shifted(row, 0);
        let around: [&[f32]; N] =
            std::array::from_fn(|i| self.shifted(row.wrapping_add_signed(offsets[i].1), offsets[i].0));
        let own = &factors[self.stride + 1..][..self.width];
        let sent: [&[f32]; N] = std::array::from_fn(|i| {
            let row = self.stride.wrapping_add_signed(offsets[i].1 * self.stride as isize);
            &factors[(row + 1).wrapping_add_signed(offsets[i].0)..][..self.width]
        });
        let out = &mut out[1..=self.width];
        let whole = self.width - self.width % LANES;
        let mut differs = 0;
        for start in (0..whole).step_by(LANES) {
            differs |= self.gather_lanes::<N, LANES>(here, &around, own, &sent, start, out);
        }
        for at in whole..self.width {
            differs |= self.gather_lanes::<N, 1>(here, &around, own, &sent, at, out);
        }
        differs != 0
    }

    #[inline(always)]
    fn gather_lanes<const N: usize, const L: usize>(
        &self,
        here: &[f32],
        around: &[&[f32]; N],
        own: &[f32],
        sent: &[&[f32]; N],
        start: usize,
        out: &mut [f32],
    ) -> u32 {
        let (here, own) = (lanes::<L>(here, start), lanes::<L>(own, start));
        let mut change = [0.0f32; L];
        for i in 0..N {
            let (around, sent) = (lanes::<L>(around[i], start), lanes::<L>(sent[i], start));
            for column in 0..L {
                let d = here[column] - around[column];
                // Both ends compute the same product from the same difference, so what leaves one arrives at the other. In the
                // published variant more arrives than leaves.
                let leaves = if d > self.limit { own[column] * d } else { 0.0 };
                let comes = if -d > self.shared { sent[column] * -d } else { 0.0 };
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
