//! A band of rows in slanted storage. Sample (column, row) is stored in slot (column + lag · row) modulo the
//! number of columns. Within a slot, samples are sorted by row. At time t, a front has reached column t − lag
//! · row of each row, so the samples of a front form one slot.

use std::ops::Range;

use fearless_simd::prelude::*;
use terrane_grid::Grid;

use super::visit::Visit;
use crate::erosion::lanes::LANES;
use crate::erosion::{Neighbourhood, WALL};
use crate::simd::{load, store};

/// The rows that the band visits, and one more row on either side: lane 0 and the last lane.
pub struct Band<const K: usize> {
    /// Number of the row in lane 1.
    pub first: usize,
    /// Number of visited rows.
    pub rows: usize,
    pub layers: [Vec<f32>; K],
    /// The last iteration that moved something, counted from 1; 0 if none did.
    pub moved: u32,
    columns: usize,
    all_rows: usize,
    lag: usize,
    /// Lanes per slot, with room for vectors that extend beyond the last lane.
    stride: usize,
}

/// The layers beyond an open map's border: ground higher than any height, and nothing on it.
pub fn wall<const K: usize>() -> [f32; K] {
    std::array::from_fn(|layer| if layer == 0 { WALL } else { 0.0 })
}

impl<const K: usize> Band<K> {
    pub fn new((columns, all_rows): (usize, usize), first: usize, rows: usize, lag: usize) -> Self {
        let stride = rows + 2 + LANES;
        let layers = wall::<K>().map(|value| vec![value; stride * columns]);
        Self { first, rows, layers, moved: 0, columns, all_rows, lag, stride }
    }

    fn slot(&self, column: usize, row: usize) -> usize {
        (column + self.lag * row) % self.columns
    }

    /// The index of a sample, or of its copy, in this band.
    pub fn index_of(&self, column: usize, row: usize) -> Option<usize> {
        let lane = (row + 1).checked_sub(self.first)?;
        (lane < self.rows + 2 && row < self.all_rows).then(|| self.slot(column, row) * self.stride + lane)
    }

    /// Copies a layer from a map. `ring` is the width of the walls around the map.
    pub fn fill(&mut self, layer: usize, map: &Grid<f32>, ring: usize) {
        // Copies tile by tile: in both layouts a tile fits in the first-level cache.
        for (slots, lanes) in self.tiles(0..self.rows + 2) {
            for lane in lanes {
                let row = self.first + lane - 1;
                let Some(y) = row.checked_sub(ring).filter(|&y| y < map.height()) else { continue };
                let from = map.row(y);
                for (slot, column) in self.columns_of(row, slots.clone()) {
                    if let Some(&height) = from.get(column.wrapping_sub(ring)) {
                        self.layers[layer][slot * self.stride + lane] = height;
                    }
                }
            }
        }
    }

    /// Writes the lanes `from` of a layer to `out` as rows, without the ring.
    pub fn read(&self, layer: usize, from: Range<usize>, ring: usize, out: &mut [f32], width: usize) {
        for (slots, lanes) in self.tiles(from.clone()) {
            for lane in lanes {
                let to = &mut out[(lane - from.start) * width..][..width];
                for (slot, column) in self.columns_of(self.first + lane - 1, slots.clone()) {
                    if let Some(height) = to.get_mut(column.wrapping_sub(ring)) {
                        *height = self.layers[layer][slot * self.stride + lane];
                    }
                }
            }
        }
    }

    /// Divides all slots of some lanes into tiles. A tile is a range of slots and a range of lanes.
    fn tiles(&self, lanes: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + use<K> {
        const SIDE: usize = 64;
        let columns = self.columns;
        let starts = lanes.clone().step_by(SIDE);
        starts.flat_map(move |lane| {
            let lanes = lane..(lane + SIDE).min(lanes.end);
            (0..columns).step_by(SIDE).map(move |slot| (slot..(slot + SIDE).min(columns), lanes.clone()))
        })
    }

    /// Each slot, with the column of `row` that the slot holds.
    fn columns_of(&self, row: usize, slots: Range<usize>) -> impl Iterator<Item = (usize, usize)> + use<K> {
        let columns = self.columns;
        let back = self.lag * row % columns;
        slots.map(move |slot| (slot, if slot >= back { slot - back } else { slot + columns - back }))
    }

    pub fn visits<'a, V: Visit<K>>(&'a mut self, sweep: &'a Sweep<V>, times: Range<i64>) -> Visits<'a, V, K> {
        Visits { band: self, sweep, times }
    }
}

/// Synchronises the copies of two rows in two bands: the rows on either side of the cut between both bands.
/// In the stage before, the upper band has processed the times from `time` on, the lower band earlier times.
pub fn exchange<const K: usize>(upper: &mut Band<K>, lower: &mut Band<K>, time: i64, step: i64) {
    let (columns, reach) = (upper.columns as i64, upper.lag as i64 + 1);
    let mut slot = (time - step - reach).rem_euclid(columns) as usize;
    for at in time - step - reach..time + step + reach {
        let (a, b) = (slot * upper.stride + upper.rows, slot * lower.stride);
        // A visit changes its own row up to one column on either side of the visited sample.
        for (row, cut) in [(0, time - 1), (1, time + 1)] {
            for (upper, lower) in upper.layers.iter_mut().zip(&mut lower.layers) {
                if at < cut {
                    upper[a + row] = lower[b + row];
                } else {
                    lower[b + row] = upper[a + row];
                }
            }
        }
        slot = if slot + 1 == columns as usize { 0 } else { slot + 1 };
    }
}

/// Iterations over a map as fronts in time. Iteration j, counted from 0, visits column c of row r at time c +
/// lag·r + columns·j.
pub struct Sweep<V> {
    pub visit: V,
    pub neighbourhood: Neighbourhood,
    pub columns: usize,
    pub lag: usize,
    pub iterations: u32,
}

impl<V> Sweep<V> {
    /// The time at which all iterations are done, if `row` is the last visited row.
    pub fn after(&self, row: usize) -> i64 {
        (self.columns * self.iterations as usize + self.lag * row) as i64
    }

    /// The number of iterations that are complete before a time, if `row` is the last visited row.
    pub fn iterations_before(&self, time: i64, row: usize) -> u32 {
        let whole = (time - (self.lag * row) as i64) / self.columns as i64;
        u32::try_from(whole).unwrap_or(0).min(self.iterations)
    }
}

/// A band's visits during a time range.
pub struct Visits<'a, V, const K: usize> {
    band: &'a mut Band<K>,
    sweep: &'a Sweep<V>,
    times: Range<i64>,
}

impl<V: Visit<K>, const K: usize> Visits<'_, V, K> {
    /// Runs the visits.
    #[inline(always)]
    pub fn run<S: Simd>(mut self, simd: S) {
        match self.sweep.neighbourhood {
            Neighbourhood::Moore => self.fronts::<S, 8, 3>(simd, Neighbourhood::Moore.offsets()),
            Neighbourhood::VonNeumann => self.fronts::<S, 4, 2>(simd, Neighbourhood::VonNeumann.offsets()),
            Neighbourhood::Rotated => self.fronts::<S, 4, 2>(simd, Neighbourhood::Rotated.offsets()),
        }
    }

    #[inline(always)]
    fn fronts<S: Simd, const N: usize, const LAG: i64>(&mut self, simd: S, offsets: &[(isize, isize)]) {
        let (columns, stride) = (self.sweep.columns as i64, self.band.stride);
        let (first, last) = (self.band.first as i64, (self.band.first + self.band.rows) as i64 - 1);
        let slot = |by: i64| (self.times.start + by).rem_euclid(columns) as usize;
        let mut here = slot(0);
        let (mut around, mut lanes) = ([0; N], [0; N]);
        for (around, &(x, y)) in around.iter_mut().zip(offsets) {
            *around = slot(x as i64 + LAG * y as i64);
        }
        let visit = self.sweep.visit;
        let layers = self.band.layers.each_mut().map(|data| &mut data[..]);
        let mut scales = [S::f32s::splat(simd, 0.0); N];
        for (scale, &offset) in scales.iter_mut().zip(offsets) {
            *scale = S::f32s::splat(simd, visit.scale(offset));
        }
        let mut front = Front::<S, V, N, K> { simd, visit, layers, scales };
        let next = |slot: usize| if slot + 1 == columns as usize { 0 } else { slot + 1 };
        for time in self.times.clone() {
            // The indices of lane 0's neighbours: in the neighbour's slot, at most one lane up or down.
            for i in 0..N {
                lanes[i] = (around[i] * stride).wrapping_add_signed(offsets[i].1);
            }
            let youngest =
                (time - LAG * first - 1).div_euclid(columns).min(i64::from(self.sweep.iterations) - 1);
            let oldest = (time - LAG * last).div_euclid(columns).max(0);
            for iteration in oldest..=youngest {
                // Rows whose column at this time lies inside: 1 to columns − 2.
                let time = time - columns * iteration;
                let from = (time - columns + 2 + LAG - 1).div_euclid(LAG).max(first);
                let to = (time - 1).div_euclid(LAG).min(last);
                if from <= to {
                    let run = (from - first + 1) as usize..(to - first + 2) as usize;
                    if front.visit(here * stride, &lanes, run) {
                        self.band.moved = self.band.moved.max(iteration as u32 + 1);
                    }
                }
            }
            here = next(here);
            around.iter_mut().for_each(|slot| *slot = next(*slot));
        }
    }
}

/// The visits of a front. All their data are in one struct, so that the compiler vectorises the loop in any
/// context.
struct Front<'a, S: Simd, V, const N: usize, const K: usize> {
    simd: S,
    visit: V,
    layers: [&'a mut [f32]; K],
    scales: [S::f32s; N],
}

impl<S: Simd, V: Visit<K>, const N: usize, const K: usize> Front<'_, S, V, N, K> {
    /// Visits a run of lanes. Returns whether anything moved. `here` is the index of the front's lane 0, and
    /// `around` holds the indices of the neighbours of lane 0.
    #[inline(always)]
    fn visit(&mut self, here: usize, around: &[usize; N], run: Range<usize>) -> bool {
        let mut moved = false;
        for lane in run.clone().step_by(S::f32s::LEN) {
            moved |= self.piece(here + lane, around, lane, run.end - lane);
        }
        moved
    }

    /// A vector of each layer.
    #[inline(always)]
    fn load(&self, at: usize) -> [S::f32s; K] {
        let mut layers = [S::f32s::splat(self.simd, 0.0); K];
        for (layer, from) in layers.iter_mut().zip(&self.layers) {
            *layer = load(self.simd, &from[at..]);
        }
        layers
    }

    /// Visits the first `count` samples of a piece, which begins at a lane.
    #[inline(always)]
    fn piece(&mut self, here: usize, around: &[usize; N], lane: usize, count: usize) -> bool {
        let (simd, visit) = (self.simd, self.visit);
        let zero = S::f32s::splat(simd, 0.0);
        let old = self.load(here);
        let mut own = visit.before(simd, old);
        let level = visit.level(simd, own);
        let (mut greatest, mut lowest) = (zero, zero);
        for (i, &at) in around.iter().enumerate() {
            let d = level - visit.level(simd, self.load(at.wrapping_add(lane)));
            let d = if V::SCALES { d * self.scales[i] } else { d };
            let lower = d.simd_gt(greatest);
            lowest = lower.select(S::f32s::splat(simd, i as f32), lowest);
            greatest = lower.select(d, greatest);
        }
        let mut amount = visit.amount(simd, own, greatest);
        let counts = S::f32s::splat(simd, count as f32).simd_gt(load(simd, &NUMBERS));
        if count < S::f32s::LEN {
            amount = counts.select(amount, zero);
        }
        let moved = !amount.simd_eq(zero).all_true();
        if moved || !V::SETTLES {
            own[V::MOVES] -= amount;
            own = visit.after(simd, own, amount);
            for k in 0..K {
                let new = if count < S::f32s::LEN { counts.select(own[k], old[k]) } else { own[k] };
                store(simd, new, &mut self.layers[k][here..]);
            }
        }
        if moved {
            for (i, &at) in around.iter().enumerate() {
                let target = &mut self.layers[V::MOVES][at.wrapping_add(lane)..];
                let there = load(simd, target);
                store(simd, lowest.simd_eq(i as f32).select(there + amount, there), target);
            }
        }
        moved || !V::SETTLES
    }
}

/// The number of each lane.
const NUMBERS: [f32; LANES] = {
    let (mut numbers, mut lane) = ([0.0; LANES], 0);
    while lane < LANES {
        numbers[lane] = lane as f32;
        lane += 1;
    }
    numbers
};
