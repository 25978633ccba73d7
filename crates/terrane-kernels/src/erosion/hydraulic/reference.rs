//! The Reference scheme as a gather: every sample sums what its neighbours send and subtracts what it sends
//! itself.
//!
//! Let a sample have water w and altitude a = ground + w. Its lower neighbours have the altitudes a_i. The
//! differences are d_i = a − a_i > 0, and their sum is d_total. Let ā be the mean altitude of the sample and
//! these neighbours. The sample sends min(w, a − ā)·d_i / d_total of its water to each of these neighbours,
//! and the same share of its sediment (Olsen 2004, p. 9).
//!
//! The amount divided by d_i is therefore one factor per sample for water, and one for sediment. A neighbour
//! that knows these factors can compute what it receives. The published variant shares water in proportion to
//! d_i − m, where m is the total amount that the sample sends.

use crate::parallel::{slices, try_for_each_with};
use fearless_simd::prelude::*;
use terrane_grid::Grid;

use super::flow::Flow;
use super::parameters::Hydraulic;
use crate::erosion::iterate::{Iterate, Report};
use crate::erosion::lanes::LANES;
use crate::erosion::padded::Padded;
use crate::erosion::{Neighbourhood, Visited, WALL};
use crate::simd::{greater, lesser, load, store};
use crate::{Boundary, Cancelled, dispatch};
use terrane_compute::Alive;

/// Rows per task. Intermediate values of two more rows on either side are computed in each task.
const BAND: usize = 32;

/// The number of layers: ground, water, sediment.
const LAYERS: usize = 3;

pub struct Reference {
    now: [Padded; LAYERS],
    next: [Padded; LAYERS],
    rules: Rules,
    visited: Visited,
    boundary: Boundary,
}

/// The rules for a sample.
#[derive(Clone, Copy)]
struct Rules {
    rain: f32,
    solubility: f32,
    remaining: f32,
    capacity: f32,
    /// 1, or 0 for samples where nothing settles.
    settles: f32,
    published: bool,
}

impl Rules {
    /// The rules for a sample that is not visited but receives flow.
    fn unvisited(self) -> Self {
        Self { rain: 0.0, solubility: 0.0, remaining: 1.0, settles: 0.0, ..self }
    }
}

impl Reference {
    pub fn new(map: &Grid<f32>, parameters: &Hydraulic) -> Self {
        let Hydraulic { rain, solubility, evaporation, capacity, boundary, scheme, .. } = *parameters;
        let published = scheme.published();
        let layers = || {
            let none = || Padded::filled(map.size(), boundary, 0.0);
            [Padded::new(map, boundary), none(), none()]
        };
        let capacity = if published { 1.0 } else { capacity };
        let rules =
            Rules { rain, solubility, remaining: 1.0 - evaporation, capacity, settles: 1.0, published };
        Self { now: layers(), next: layers(), rules, visited: scheme.visited(), boundary }
    }

    fn iterate(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { now, next, rules, visited, boundary } = self;
        let [stride, height] = [now[0].stride, now[0].height];
        let inner = stride..stride * (height + 1);
        let [ground, water, sediment] =
            next.each_mut().map(|layer| slices(&mut layer.data[inner.clone()], stride * BAND));
        try_for_each_with(
            ((ground, water), sediment),
            1,
            || Scratch::new(stride),
            |scratch, band, ((ground, water), sediment)| {
                alive()?;
                let band = Band {
                    now,
                    rules: *rules,
                    visited: *visited,
                    wrap: *boundary == Boundary::Wrap,
                    first: band * BAND,
                    scratch,
                    out: [ground, water, sediment],
                };
                dispatch!(simd => band.run(simd));
                Ok(())
            },
        )?;
        std::mem::swap(now, next);
        now.iter_mut().for_each(Padded::refresh);
        Ok(())
    }
}

impl Iterate for Reference {
    fn advance(&mut self, iterations: u32, report: &Report<'_>) -> Result<bool, Cancelled> {
        for iteration in 1..=iterations {
            if !self.now[0].data.is_empty() {
                let before = f64::from(iteration - 1) / f64::from(iterations);
                self.iterate(&|| report(before))?;
            }
            report(f64::from(iteration) / f64::from(iterations))?;
        }
        Ok(true)
    }

    fn grid(&self) -> Grid<f32> {
        self.now[0].grid()
    }
}

impl Flow for Reference {
    fn as_iterate(&mut self) -> &mut dyn Iterate {
        self
    }

    fn carried(&self) -> [Grid<f32>; 2] {
        [self.now[1].grid(), self.now[2].grid()]
    }
}

/// Intermediate values of a band, with rows on either side.
struct Scratch {
    /// Altitudes, starting two rows before the band.
    altitude: Vec<f32>,
    /// Three values per sample, starting one row before the band: water sent per unit of difference, the
    /// amount that is first subtracted from differences, and sediment sent per unit of difference.
    sent: [Vec<f32>; 3],
}

impl Scratch {
    fn new(stride: usize) -> Self {
        Self {
            altitude: vec![0.0; stride * (BAND + 4)],
            sent: [(); 3].map(|()| vec![0.0; stride * (BAND + 2)]),
        }
    }
}

/// A band of rows during an iteration.
struct Band<'a> {
    now: &'a [Padded; LAYERS],
    rules: Rules,
    visited: Visited,
    wrap: bool,
    /// The band's first row.
    first: usize,
    scratch: &'a mut Scratch,
    out: [&'a mut [f32]; LAYERS],
}

/// Offsets of the eight neighbours.
const AROUND: &[(isize, isize)] = Neighbourhood::Moore.offsets();

impl Band<'_> {
    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let rows = self.out[0].len() / self.now[0].stride;
        for index in 0..rows + 4 {
            self.altitudes(simd, index);
        }
        for index in 0..rows + 2 {
            self.send(simd, index);
        }
        for index in 0..rows {
            self.gather(simd, index);
        }
    }
}

impl Band<'_> {
    /// The index in the padded layers where a row starts; `None` beyond an open border. `distance` is the
    /// row's distance from the band's first row.
    #[inline(always)]
    fn row(&self, distance: isize) -> Option<usize> {
        let height = self.now[0].height as isize;
        let row = self.first as isize + distance;
        let inside = (0..height).contains(&row);
        (inside || self.wrap).then(|| (row.rem_euclid(height) as usize + 1) * self.now[0].stride)
    }

    /// The rules for the samples of a row, except for unvisited samples at its ends.
    #[inline(always)]
    fn rules(&self, distance: isize) -> Rules {
        let row = (self.first as isize + distance).rem_euclid(self.now[0].height as isize) as usize;
        let border = row == 0 || row == self.now[0].height - 1;
        if border && self.visited == Visited::Inside { self.rules.unvisited() } else { self.rules }
    }

    /// The padded columns of a row's first and last sample, if these samples are not visited.
    #[inline(always)]
    fn ends(&self) -> impl Iterator<Item = usize> + use<> {
        let ends = match self.visited {
            Visited::Inside => [Some(1), Some(self.now[0].width)],
            Visited::All => [None; 2],
        };
        ends.into_iter().flatten()
    }

    /// Ground, water and sediment after rain has fallen and dissolved ground.
    #[inline(always)]
    fn rained<S: Simd>(&self, simd: S, rules: &Rules, at: usize) -> [S::f32s; LAYERS] {
        let [ground, water, sediment] = self.now;
        let water = load(simd, &water.data[at..]) + rules.rain;
        let ground = load(simd, &ground.data[at..]);
        let below = ground - water * rules.solubility;
        // Sediment grows by the amount that left the ground after rounding.
        [below, water, load(simd, &sediment.data[at..]) + (ground - below)]
    }

    /// Computes the altitudes of a row, including its padding.
    #[inline(always)]
    fn altitudes<S: Simd>(&mut self, simd: S, index: usize) {
        let stride = self.now[0].stride;
        let start = index * stride;
        let Some(row) = self.row(index as isize - 2) else {
            self.scratch.altitude[start..start + stride].fill(WALL);
            return;
        };
        let (end, rules) = (self.now[0].width + 2, self.rules(index as isize - 2));
        for column in (0..end).step_by(S::f32s::LEN) {
            let [ground, water, _] = self.rained(simd, &rules, row + column);
            store(simd, ground + water, &mut self.scratch.altitude[start + column..]);
        }
        for column in self.ends() {
            let [ground, water, _] = self.now.each_ref().map(|layer| layer.data[row + column]);
            self.scratch.altitude[start + column] = ground + water;
        }
    }

    /// Computes what the samples of a row send.
    #[inline(always)]
    fn send<S: Simd>(&mut self, simd: S, index: usize) {
        let (stride, width) = (self.now[0].stride, self.now[0].width);
        let start = index * stride;
        let Some(row) = self.row(index as isize - 1) else {
            self.scratch.sent.iter_mut().for_each(|sent| sent[start..start + stride].fill(0.0));
            return;
        };
        let rules = self.rules(index as isize - 1);
        for column in (1..=width).step_by(S::f32s::LEN) {
            let [_, water, sediment] = self.rained(simd, &rules, row + column);
            let sent = self.shares(simd, start + stride + column, water, sediment);
            for (to, sent) in self.scratch.sent.iter_mut().zip(sent) {
                store(simd, sent, &mut to[start + column..]);
            }
        }
        if rules.settles == 0.0 {
            self.scratch.sent.iter_mut().for_each(|sent| sent[start..start + stride].fill(0.0));
        }
        for end in self.ends() {
            self.scratch.sent.iter_mut().for_each(|sent| sent[start + end] = 0.0);
        }
        for sent in &mut self.scratch.sent {
            let (first, last) = (sent[start + 1], sent[start + width]);
            sent[start] = if self.wrap { last } else { 0.0 };
            sent[start + width + 1] = if self.wrap { first } else { 0.0 };
        }
    }

    /// The three values of [`Scratch::sent`] for some samples.
    #[inline(always)]
    fn shares<S: Simd>(&self, simd: S, at: usize, water: S::f32s, sediment: S::f32s) -> [S::f32s; 3] {
        let zero = S::f32s::splat(simd, 0.0);
        let altitude = &self.scratch.altitude;
        let own = load(simd, &altitude[at..]);
        let (mut total, mut count, mut least) = (zero, zero, S::f32s::splat(simd, WALL));
        for &(dx, dy) in AROUND {
            let d = own - load(simd, &altitude[neighbour(at, self.now[0].stride, dx, dy)..]);
            let lower = d.simd_gt(zero);
            total += lower.select(d, zero);
            count += lower.select(S::f32s::splat(simd, 1.0), zero);
            least = lower.select(lesser(simd, d, least), least);
        }
        let all = count + 1.0;
        let any = total.simd_gt(zero);
        let (level, off, over) = if self.rules.published {
            // The program's mean: the sum of the lower neighbours' altitudes alone, divided by their number
            // plus one.
            let level = own - (count * own - total) / all;
            // If `level` is negative, the mean lies above the sample, and nothing moves.
            let moved = positive(simd, lesser(simd, lesser(simd, water, level), least));
            // The reduced differences add up to 0 if a single neighbour is lower and the whole difference
            // moves. In this case water is shared in proportion to the full differences.
            let rest = total - count * moved;
            let shared = rest.simd_gt(zero);
            (moved, shared.select(moved, zero), shared.select(rest, total))
        } else {
            // The mean altitude ā of the sample and its `count` lower neighbours is a − d_total / (count +
            // 1).
            (lesser(simd, water, total / all), zero, total)
        };
        let sent = any.select(level / over, zero);
        let carried = any.select(sediment * (level / water) / total, zero);
        let wet = water.simd_gt(zero);
        [wet.select(sent, zero), off, wet.select(carried, zero)]
    }

    /// Computes the samples of a row after flow, evaporation and deposition.
    #[inline(always)]
    fn gather<S: Simd>(&mut self, simd: S, index: usize) {
        let (stride, width) = (self.now[0].stride, self.now[0].width);
        let Some(row) = self.row(index as isize) else { return };
        let rules = self.rules(index as isize);
        for column in (1..=width).step_by(S::f32s::LEN) {
            let results = self.after(simd, &rules, row, index, column);
            for (out, result) in self.out.iter_mut().zip(results) {
                store(simd, result, &mut out[index * stride + column..]);
            }
        }
        let unvisited = self.rules.unvisited();
        for end in self.ends() {
            let results = self.after(simd, &unvisited, row, index, end);
            for (out, result) in self.out.iter_mut().zip(results) {
                let mut lanes = [0.0; LANES];
                store(simd, result, &mut lanes);
                out[index * stride + end] = lanes[0];
            }
        }
    }

    /// The samples of a row after an iteration, starting at a column.
    #[inline(always)]
    fn after<S: Simd>(
        &self,
        simd: S,
        rules: &Rules,
        row: usize,
        index: usize,
        column: usize,
    ) -> [S::f32s; LAYERS] {
        let (stride, zero) = (self.now[0].stride, S::f32s::splat(simd, 0.0));
        let Scratch { altitude, sent: [sent, off, carried] } = &*self.scratch;
        let [ground, water, sediment] = self.rained(simd, rules, row + column);
        let (high, here) = ((index + 2) * stride + column, (index + 1) * stride + column);
        let own = load(simd, &altitude[high..]);
        let [own_sent, own_off] = [load(simd, &sent[here..]), load(simd, &off[here..])];
        let own_carried = load(simd, &carried[here..]);
        let [mut leaves, mut comes, mut taken, mut brought] = [zero; 4];
        for &(dx, dy) in AROUND {
            let d = own - load(simd, &altitude[neighbour(high, stride, dx, dy)..]);
            let there = neighbour(here, stride, dx, dy);
            let (sent, off) = (load(simd, &sent[there..]), load(simd, &off[there..]));
            let carried = load(simd, &carried[there..]);
            // Both samples of a pair compute the same product from the same difference, so what leaves one
            // sample arrives at the other.
            let (down, up) = (positive(simd, d), positive(simd, zero - d));
            leaves += own_sent * positive(simd, down - own_off);
            taken += own_carried * down;
            comes += sent * positive(simd, up - off);
            brought += carried * up;
        }
        let water = (positive(simd, water - leaves) + comes) * rules.remaining;
        let sediment = positive(simd, sediment - taken) + brought;
        let excess = positive(simd, sediment - water * rules.capacity) * rules.settles;
        let above = ground + excess;
        [above, water, positive(simd, sediment - (above - ground))]
    }
}

/// The number, or 0 if it is negative or not-a-number.
#[inline(always)]
fn positive<S: Simd>(simd: S, number: S::f32s) -> S::f32s {
    greater(simd, number, S::f32s::splat(simd, 0.0))
}

/// The index of the sample at an offset.
#[inline(always)]
fn neighbour(at: usize, stride: usize, dx: isize, dy: isize) -> usize {
    at.wrapping_add_signed(dy * stride as isize + dx)
}
