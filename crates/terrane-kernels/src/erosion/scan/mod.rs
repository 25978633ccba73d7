//! In-place erosion in index order, with vectors and threads.
//!
//! The papers' fast schemes visit sample after sample, row after row, and change samples that later visits
//! read. A visit must therefore wait for earlier visits, but only for those nearby. As soon as the row above
//! is [`lag`] columns ahead, a row can be visited concurrently with it. The samples that are visited at the
//! same time form a slanted front, which sweeps over the map. The front of the next iteration follows close
//! behind: the first rows need not wait until the last rows are finished. The bits of the result are the same
//! as for one visit at a time.
//!
//! Samples are also stored in slanted order (see [`band`]), so that a front is contiguous in memory. The rows
//! are divided into bands. Each band is one task, and runs half a row behind the band above it.
//!
//! On a torus the last column of a row is next to the first column, so no two rows could be visited
//! concurrently. Instead, the samples inside the map are visited first, then the samples on the map's border,
//! both in index order. If the border is not visited, nothing crosses it, and a torus is treated like an open
//! map.

mod band;
mod visit;

use crate::parallel::{elements, for_each};
use fearless_simd::{Fallback, f32x4, prelude::*};
use terrane_grid::Grid;

use super::iterate::Report;
use super::{Neighbourhood, Visited};
use crate::{Boundary, Cancelled, dispatch};
use band::{Band, Sweep};

pub use visit::Visit;

/// Maps with fewer columns are visited one sample at a time. Otherwise two neighbours of a sample would share
/// an index in the slanted storage.
const NARROW: usize = 12;

/// Maximum number of samples per band, so that a band stays in a core's cache.
const CACHED: usize = 1 << 18;

/// Minimum number of rows per band. With fewer rows, fronts are too short for vectors.
const ROWS: usize = 64;

/// Minimum number of columns of a torus for several threads. Bands wait for each other at every iteration.
/// With fewer columns, waiting costs more than a second thread saves.
const TORUS_COLUMNS: usize = 1000;

/// Rows per band on a torus with several threads.
const TORUS_ROWS: usize = 128;

/// Columns by which a row stays behind the row above, so that no two visits of a front touch the same sample.
pub const fn lag(neighbourhood: Neighbourhood) -> usize {
    match neighbourhood {
        Neighbourhood::Moore => 3,
        Neighbourhood::VonNeumann | Neighbourhood::Rotated => 2,
    }
}

/// The state of an in-place scan over a map.
pub struct Scan<V, const K: usize> {
    visit: V,
    neighbourhood: Neighbourhood,
    /// Width of the ring of walls around the map: 1 if the map is open and its border is visited, otherwise
    /// 0.
    ring: usize,
    /// Columns and rows, including the ring.
    size: (usize, usize),
    bands: Vec<Band<K>>,
    /// Whether the map is too narrow for fronts.
    narrow: bool,
    /// Samples visited individually after the bands, in index order.
    singles: Vec<(usize, usize)>,
    /// The storage locations of `singles` and their neighbours.
    single_copies: Vec<Copies>,
}

/// The storage locations of a sample, each as a band and an index. If there are fewer than three, the last
/// one is repeated.
#[derive(Clone, Copy, PartialEq)]
struct Copies([(u32, u32); 3]);

impl Copies {
    fn set<const K: usize>(&self, bands: &mut [Band<K>], values: [f32; K]) {
        for (band, index) in self.0 {
            for (data, value) in bands[band as usize].layers.iter_mut().zip(values) {
                data[index as usize] = value;
            }
        }
    }
}

impl<V: Visit<K>, const K: usize> Scan<V, K> {
    /// A scan over the given layers, the ground first. The remaining layers contain zeros.
    pub fn new<const G: usize>(
        layers: [&Grid<f32>; G],
        (boundary, visited): (Boundary, Visited),
        neighbourhood: Neighbourhood,
        visit: V,
    ) -> Self {
        let map = layers[0];
        let torus = boundary == Boundary::Wrap && visited == Visited::All;
        let ring = usize::from(boundary == Boundary::Open && visited == Visited::All);
        let size = (map.width() + 2 * ring, map.height() + 2 * ring);
        let narrow = size.0 < NARROW || size.1 < 3;
        let singles = (0..size.1)
            .flat_map(|row| (0..size.0).map(move |column| (column, row)))
            .filter(|&(column, row)| {
                let border = column == 0 || row == 0 || column == size.0 - 1 || row == size.1 - 1;
                if torus { narrow || border } else { narrow && !border }
            })
            .collect();
        let inner = size.1.saturating_sub(2);
        let rows = if narrow { inner } else { band_rows(inner, size.0, torus) }.max(1);
        let mut bands: Vec<Band<K>> = (0..inner.div_ceil(rows).max(1))
            .map(|index| {
                Band::new(size, 1 + index * rows, rows.min(inner - index * rows), lag(neighbourhood))
            })
            .collect();
        for_each(elements(&mut bands), 1, |_, band| {
            layers.iter().enumerate().for_each(|(layer, map)| band.fill(layer, map, ring));
        });
        let single_copies = Vec::new();
        let mut this = Self { visit, neighbourhood, ring, size, bands, narrow, singles, single_copies };
        this.single_copies = this.all_copies();
        this
    }

    /// Runs some iterations and reports the share that is done. Ends early after an iteration that moves
    /// nothing. Returns whether the last iteration moved anything.
    pub fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        if self.singles.is_empty() && self.narrow {
            // No sample is visited.
            report(1.0)?;
            return Ok(false);
        }
        if self.singles.is_empty() {
            return self.sweep(iterations, report);
        }
        for iteration in 1..=iterations {
            let all = f64::from(iterations);
            let part = |part: f64| report((f64::from(iteration - 1) + part) / all);
            let mut moved = !self.narrow && self.sweep(1, &part)?;
            for index in 0..self.singles.len() {
                moved |= self.visit_one(index);
            }
            report(f64::from(iteration) / f64::from(iterations))?;
            if !moved {
                return Ok(false);
            }
        }
        Ok(iterations > 0)
    }

    /// Runs the fronts of some iterations, one close behind the other.
    fn sweep(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        let lag = lag(self.neighbourhood);
        let (columns, rows) = self.size;
        let sweep = Sweep { visit: self.visit, neighbourhood: self.neighbourhood, columns, lag, iterations };
        let step = (columns / 2 - lag - 1) as i64;
        let (count, after) = (self.bands.len() as i64, sweep.after(rows - 2));
        self.bands.iter_mut().for_each(|band| band.moved = 0);
        let stages = (after + step - 1) / step + count - 1;
        for stage in 0..stages {
            let start = |band: usize| (stage - band as i64) * step;
            for_each(elements(&mut self.bands), 1, |index, band| {
                let times = start(index).max(0)..(start(index) + step).min(after);
                let visits = band.visits(&sweep, times);
                dispatch!(simd => visits.run(simd));
            });
            for upper in 1..self.bands.len() {
                let (above, below) = self.bands.split_at_mut(upper);
                // Both bands exist: 0 < upper < len.
                band::exchange(&mut above[upper - 1], &mut below[0], start(upper - 1), step);
            }
            report((stage + 1) as f64 / stages as f64)?;
            let done = sweep.iterations_before((stage + 2 - count) * step, rows - 2);
            if done > 0 && self.last_moved() < done {
                return Ok(false);
            }
        }
        Ok(self.last_moved() == iterations)
    }

    /// The number of the last iteration that moved anything, counted from 1.
    fn last_moved(&self) -> u32 {
        self.bands.iter().map(|band| band.moved).max().unwrap_or(0)
    }

    /// Visits one sample.
    fn visit_one(&mut self, index: usize) -> bool {
        let count = self.neighbourhood.offsets().len();
        let locations = &self.single_copies[index * (count + 1)..(index + 1) * (count + 1)];
        let bands = &mut self.bands[..];
        let get = |bands: &[Band<K>], copies: &Copies| {
            let (band, index) = copies.0[0];
            bands[band as usize].layers.each_ref().map(|data| data[index as usize])
        };
        let (one, visit) = (Fallback::new(), self.visit);
        let alone = |number: f32| f32x4::splat(one, number);
        let own = visit.before(one, get(bands, &locations[0]).map(alone));
        let here = visit.level(one, own)[0];
        let (mut greatest, mut lowest) = (0.0f32, None);
        for (copies, &offset) in locations[1..].iter().zip(self.neighbourhood.offsets()) {
            // On a torus of one row or column a sample may be its own neighbour.
            let there = if copies == &locations[0] { own } else { get(bands, copies).map(alone) };
            let d = here - visit.level(one, there)[0];
            let d = if V::SCALES { d * visit.scale(offset) } else { d };
            if d > greatest {
                (greatest, lowest) = (d, Some(copies));
            }
        }
        let amount = visit.amount(one, own, alone(greatest))[0];
        let to = lowest.filter(|_| amount != 0.0);
        if to.is_none() && V::SETTLES {
            return false;
        }
        let given = if to.is_some() { amount } else { 0.0 };
        let mut rest = own;
        rest[V::MOVES] -= given;
        locations[0].set(bands, visit.after(one, rest, alone(given)).map(|number| number[0]));
        if let Some(copies) = to {
            let mut there = get(bands, copies);
            there[V::MOVES] += amount;
            copies.set(bands, there);
        }
        true
    }

    /// The storage locations of a sample.
    fn copies(&self, column: usize, row: usize) -> Copies {
        let band = self.band(row);
        let near = [band, band.wrapping_sub(1), band + 1];
        let index = |band: usize| Some((band as u32, self.bands.get(band)?.index_of(column, row)? as u32));
        let mut found = near.into_iter().filter_map(index);
        // The sample is stored at least in the band that visits its row or is next to the row.
        let first = found.next().unwrap_or_default();
        let second = found.next().unwrap_or(first);
        Copies([first, second, found.next().unwrap_or(second)])
    }

    /// The storage locations for all individual visits: each sample, then its neighbours.
    fn all_copies(&self) -> Vec<Copies> {
        let along =
            |at: usize, by: isize, count: usize| (at as isize + by).rem_euclid(count as isize) as usize;
        let mut all = Vec::with_capacity(self.singles.len() * (self.neighbourhood.offsets().len() + 1));
        for &(column, row) in &self.singles {
            all.push(self.copies(column, row));
            for &(dx, dy) in self.neighbourhood.offsets() {
                all.push(self.copies(along(column, dx, self.size.0), along(row, dy, self.size.1)));
            }
        }
        all
    }

    /// The band that visits a row, or is next to the row.
    fn band(&self, row: usize) -> usize {
        (row.saturating_sub(1) / self.bands[0].rows.max(1)).min(self.bands.len() - 1)
    }

    /// The current state of a layer.
    pub fn grid(&self, layer: usize) -> Grid<f32> {
        let ring = self.ring;
        let (width, height) = (self.size.0 - 2 * ring, self.size.1 - 2 * ring);
        let mut samples = vec![0.0; width * height];
        let mut rest = &mut samples[..];
        let last = self.bands.len() - 1;
        for (index, band) in self.bands.iter().enumerate() {
            // Without walls the map's first and last rows are in the outermost bands' extra lanes.
            let first_lane = usize::from(!(ring == 0 && index == 0));
            let end_lane =
                if ring == 0 && index == last { (band.rows + 2).min(height) } else { band.rows + 1 };
            let (own, others) = rest.split_at_mut((end_lane - first_lane) * width);
            band.read(layer, first_lane..end_lane, ring, own, width);
            rest = others;
        }
        Grid::from_vec(width, height, samples)
    }
}

/// The number of rows per band. If iterations follow one another without a break, one band per thread is
/// best.
fn band_rows(inner: usize, columns: usize, torus: bool) -> usize {
    let cached = (CACHED / columns).max(ROWS);
    let threads = match rayon::current_num_threads() {
        _ if torus && columns < TORUS_COLUMNS => 1,
        threads if torus && threads > 1 => inner.div_ceil(TORUS_ROWS),
        threads => threads,
    };
    inner.div_ceil(threads.max(1)).clamp(ROWS, cached)
}

#[cfg(test)]
mod tests;
