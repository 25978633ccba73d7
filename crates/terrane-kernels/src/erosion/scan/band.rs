//! A band of rows, stored slanted: sample (column, row) at slot (column + lag · row) modulo the number of columns, and in a
//! slot row after row. A front, which has reached column t − lag · row of each row at time t, is one slot.

use std::ops::Range;

use terrane_grid::Grid;

use super::Visit;
use crate::erosion::lanes::{LANES, lanes};
use crate::erosion::{Neighbourhood, WALL};
use crate::simd::Work;

/// Rows that are visited, and a row of each neighbouring band on either side: lane 0 and the last.
pub struct Band<const K: usize> {
    /// Number of the row in lane 1.
    pub first: usize,
    /// Rows that are visited.
    pub rows: usize,
    pub layers: [Vec<f32>; K],
    /// The last iteration that moved something, from 1; 0 for none.
    pub moved: u32,
    columns: usize,
    all_rows: usize,
    lag: usize,
    /// Lanes of a slot: with room for vectors that reach beyond the last.
    stride: usize,
}

/// What stands around an open map: ground higher than anything, and nothing on it.
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

    /// Where the band keeps a sample, or a copy of it.
    pub fn place(&self, column: usize, row: usize) -> Option<usize> {
        let lane = (row + 1).checked_sub(self.first)?;
        (lane < self.rows + 2 && row < self.all_rows).then(|| self.slot(column, row) * self.stride + lane)
    }

    /// Takes a layer from a map that has a ring of walls of this width around it.
    pub fn fill(&mut self, layer: usize, map: &Grid<f32>, ring: usize) {
        // Tiles of both storages, small enough to stay in the first cache level.
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

    /// Writes some lanes of a layer out as rows, without the ring.
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

    /// The slots and lanes of tiles that together hold all slots of some lanes.
    fn tiles(&self, lanes: Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> + use<K> {
        const SIDE: usize = 64;
        let columns = self.columns;
        let starts = lanes.clone().step_by(SIDE);
        starts.flat_map(move |lane| {
            let lanes = lane..(lane + SIDE).min(lanes.end);
            (0..columns).step_by(SIDE).map(move |slot| (slot..(slot + SIDE).min(columns), lanes.clone()))
        })
    }

    /// Some slots with the columns of a row that they hold.
    fn columns_of(&self, row: usize, slots: Range<usize>) -> impl Iterator<Item = (usize, usize)> + use<K> {
        let columns = self.columns;
        let back = self.lag * row % columns;
        slots.map(move |slot| (slot, if slot >= back { slot - back } else { slot + columns - back }))
    }

    pub fn visits<'a, V: Visit<K>>(&'a mut self, sweep: &'a Sweep<V>, times: Range<i64>) -> Visits<'a, V, K> {
        Visits { band: self, sweep, times }
    }
}

/// Makes the two rows on either side of a cut the same in both bands again, after a stage in which the upper band took the
/// times from `time` on and the lower one those before.
pub fn exchange<const K: usize>(upper: &mut Band<K>, lower: &mut Band<K>, time: i64, step: i64) {
    let (columns, reach) = (upper.columns as i64, upper.lag as i64 + 1);
    let mut slot = (time - step - reach).rem_euclid(columns) as usize;
    for at in time - step - reach..time + step + reach {
        let (a, b) = (slot * upper.stride + upper.rows, slot * lower.stride);
        // A visit changes its own row up to one column to either side.
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

/// Iterations over a map, as fronts in time: iteration j, from 0, visits column c of row r at time c + lag·r + columns·j.
pub struct Sweep<V> {
    pub visit: V,
    pub neighbourhood: Neighbourhood,
    pub columns: usize,
    pub lag: usize,
    pub iterations: u32,
}

impl<V> Sweep<V> {
    /// The time at which all is done, where `row` is the last that is visited.
    pub fn after(&self, row: usize) -> i64 {
        (self.columns * self.iterations as usize + self.lag * row) as i64
    }

    /// How many iterations are over before a time.
    pub fn iterations_before(&self, time: i64, row: usize) -> u32 {
        let whole = (time - (self.lag * row) as i64) / self.columns as i64;
        u32::try_from(whole).unwrap_or(0).min(self.iterations)
    }
}

/// A band's visits during a stretch of time.
pub struct Visits<'a, V, const K: usize> {
    band: &'a mut Band<K>,
    sweep: &'a Sweep<V>,
    times: Range<i64>,
}

impl<V: Visit<K>, const K: usize> Work for Visits<'_, V, K> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        match self.sweep.neighbourhood {
            Neighbourhood::Moore => self.fronts::<8, 3>(Neighbourhood::Moore.offsets()),
            Neighbourhood::VonNeumann => self.fronts::<4, 2>(Neighbourhood::VonNeumann.offsets()),
            Neighbourhood::Rotated => self.fronts::<4, 2>(Neighbourhood::Rotated.offsets()),
        }
    }
}

impl<V: Visit<K>, const K: usize> Visits<'_, V, K> {
    #[inline(always)]
    fn fronts<const N: usize, const LAG: i64>(&mut self, offsets: &[(isize, isize)]) {
        let (columns, stride) = (self.sweep.columns as i64, self.band.stride);
        let (first, last) = (self.band.first as i64, (self.band.first + self.band.rows) as i64 - 1);
        let slot = |by: i64| (self.times.start + by).rem_euclid(columns) as usize;
        let mut here = slot(0);
        let mut around: [usize; N] =
            std::array::from_fn(|i| slot(offsets[i].0 as i64 + LAG * offsets[i].1 as i64));
        let scales: [f32; N] = std::array::from_fn(|i| self.sweep.visit.scale(offsets[i]));
        let next = |slot: usize| if slot + 1 == columns as usize { 0 } else { slot + 1 };
        for time in self.times.clone() {
            // Where a neighbour's lane 0 is: in its slot, one lane up or down.
            let lanes: [usize; N] =
                std::array::from_fn(|i| (around[i] * stride).wrapping_add_signed(offsets[i].1));
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
                    if self.front::<N>(here * stride, &lanes, &scales, run) {
                        self.band.moved = self.band.moved.max(iteration as u32 + 1);
                    }
                }
            }
            here = next(here);
            around = around.map(next);
        }
    }

    /// Visits a run of lanes of a front; whether anything moved.
    #[inline(always)]
    fn front<const N: usize>(
        &mut self,
        here: usize,
        around: &[usize; N],
        scales: &[f32; N],
        run: Range<usize>,
    ) -> bool {
        let mut moved = false;
        for lane in run.clone().step_by(LANES) {
            let around = around.map(|at| at.wrapping_add(lane));
            moved |= self.piece::<N>(here + lane, around, scales, run.end - lane);
        }
        moved
    }

    /// Visits the first `count` of a piece of samples.
    #[inline(always)]
    fn piece<const N: usize>(
        &mut self,
        here: usize,
        around: [usize; N],
        scales: &[f32; N],
        count: usize,
    ) -> bool {
        let visit = self.sweep.visit;
        let layers = self.band.layers.each_mut().map(|data| &mut data[..]);
        // Layer by layer: vectors are made of what lies side by side.
        let old: [[f32; LANES]; K] = std::array::from_fn(|k| *lanes::<LANES>(layers[k], here));
        let (mut own, mut level) = (old, [0.0f32; LANES]);
        for l in 0..LANES {
            let before = visit.before(std::array::from_fn(|k| old[k][l]));
            for k in 0..K {
                own[k][l] = before[k];
            }
            level[l] = visit.level(before);
        }
        let (mut greatest, mut lowest, mut amount) = ([0.0f32; LANES], [0.0f32; LANES], [0.0f32; LANES]);
        for (i, &at) in around.iter().enumerate() {
            let near: [&[f32; LANES]; K] = std::array::from_fn(|k| lanes::<LANES>(layers[k], at));
            for l in 0..LANES {
                let d = level[l] - visit.level(std::array::from_fn(|k| near[k][l]));
                let d = if V::SCALES { d * scales[i] } else { d };
                lowest[l] = if d > greatest[l] { i as f32 } else { lowest[l] };
                greatest[l] = if d > greatest[l] { d } else { greatest[l] };
            }
        }
        for l in 0..LANES {
            amount[l] = visit.amount(std::array::from_fn(|k| own[k][l]), greatest[l]);
        }
        if count < LANES {
            for (l, amount) in amount.iter_mut().enumerate() {
                *amount = if l < count { *amount } else { 0.0 };
            }
        }
        // One that is not zero has a bit set.
        let moved = amount.iter().fold(0, |bits, amount| bits | amount.to_bits()) != 0;
        if moved || !V::SETTLES {
            for l in 0..LANES {
                own[V::MOVES][l] -= amount[l];
                let after = visit.after(std::array::from_fn(|k| own[k][l]), amount[l]);
                for k in 0..K {
                    own[k][l] = after[k];
                }
            }
            for k in 0..K {
                let target = &mut layers[k][here..][..LANES];
                for l in 0..LANES {
                    target[l] = if l < count { own[k][l] } else { old[k][l] };
                }
            }
        }
        if moved {
            for (i, &at) in around.iter().enumerate() {
                let target = &mut layers[V::MOVES][at..][..LANES];
                for l in 0..LANES {
                    target[l] = if lowest[l] == i as f32 { target[l] + amount[l] } else { target[l] };
                }
            }
        }
        moved || !V::SETTLES
    }
}
