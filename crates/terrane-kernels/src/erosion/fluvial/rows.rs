//! What happens to all tiles at once, row by row: where they drain, how they erode, what holds them.

use super::Law;
use super::tiles::Nearness;
use crate::ScalarMap;
use crate::erosion::lanes::LANES;
use crate::erosion::padded::Padded;
use crate::hydrology::WAYS;
use crate::simd::{Floats, LaneWork};

/// A row of a padded map and its neighbours' distances.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// Heights of land and water together.
    pub total: &'a Padded,
    pub nearness: &'a Nearness,
    pub row: usize,
}

/// Heights beside a row's tiles, and one over how far these are away.
type Side<'a> = (&'a [f32], &'a [f32]);

impl Row<'_> {
    /// Heights of the row's tiles; and, per way, those of the tiles it leads to, and one over how far these are away.
    #[inline(always)]
    fn around<const N: usize>(&self) -> (&[f32], [Side<'_>; N]) {
        let (stride, total) = (self.total.stride, &self.total.data);
        let start = (self.row + 1) * stride + 1;
        let mut around = [(&total[..0], &total[..0]); N];
        for (index, (heights, near)) in around.iter_mut().enumerate() {
            let (dx, dy) = WAYS[index + 1];
            *heights = &total[start.wrapping_add_signed(dy * stride as isize + dx)..];
            *near = self.nearness.along(index + 1, start);
        }
        (&total[start..], around)
    }
}

/// Finds whom the tiles of a row drain to: the steepest way down, the first of equally steep ones.
pub struct Drain<'a, const N: usize> {
    pub row: Row<'a>,
    /// Places in [`WAYS`].
    pub out: &'a mut [u8],
}

impl<const N: usize> LaneWork for Drain<'_, N> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.out.len();
        let (own, around) = self.row.around::<N>();
        for column in (0..width).step_by(F::LANES) {
            let own = F::load(&own[column..]);
            let (mut steepest, mut way) = (F::splat(0.0), F::splat(0.0));
            for (index, (heights, near)) in around.iter().enumerate() {
                let slope = (own - F::load(&heights[column..])) * F::load(&near[column..]);
                let steeper = slope.above(steepest);
                steepest = F::select(steeper, slope, steepest);
                way = F::select(steeper, F::splat(index as f32 + 1.0), way);
            }
            let mut ways = [0.0; LANES];
            way.store(&mut ways);
            for (out, way) in self.out[column..].iter_mut().zip(&ways[..F::LANES]) {
                *out = *way as u8;
            }
        }
    }
}

/// What a row's tiles lose to the river and gain from the value constraint, as what is left above the ideal height.
pub struct Erode<'a, const N: usize> {
    pub row: Row<'a>,
    pub land: &'a [f32],
    pub ways: &'a [u8],
    pub drainage: &'a [f32],
    pub ideal: &'a [f32],
    pub value_strength: ScalarMap<'a>,
    pub sea_level: f32,
    pub law: Law,
    /// Index of the row's first tile.
    pub first: usize,
    pub out: &'a mut [f32],
}

impl<'a> Erode<'a, 4> {
    /// The same where water also runs along diagonals.
    pub fn with_diagonals(self) -> Erode<'a, 8> {
        let Self { row, land, ways, drainage, ideal, value_strength, sea_level, law, first, out } = self;
        Erode { row, land, ways, drainage, ideal, value_strength, sea_level, law, first, out }
    }
}

impl<const N: usize> LaneWork for Erode<'_, N> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.land.len();
        let (own, around) = self.row.around::<N>();
        for column in (0..width).step_by(F::LANES) {
            let count = (width - column).min(F::LANES);
            let mut ways = [0.0; LANES];
            for (to, way) in ways.iter_mut().zip(&self.ways[column..column + count]) {
                *to = f32::from(*way);
            }
            let way = F::load(&ways);
            let (mut drop, mut near) = (F::splat(0.0), F::splat(0.0));
            let own = F::load(&own[column..]);
            for (index, (heights, nears)) in around.iter().enumerate() {
                // Ways are whole numbers: at least this one, and by descent the last that holds is it.
                let here = way.above(F::splat(index as f32 + 0.5));
                drop = F::select(here, own - F::load(&heights[column..]), drop);
                near = F::select(here, F::load(&nears[column..]), near);
            }
            let [land, drainage, ideal] = [
                some::<F>(&self.land[column..column + count]),
                some::<F>(&self.drainage[column..column + count]),
                some::<F>(&self.ideal[column..column + count]),
            ];
            let drop = drop.greater(F::splat(0.0));
            let carried = self.law.of(drainage, drop * near);
            let lost =
                F::select(land.at_least(F::splat(self.sea_level)), carried.lesser(drop), F::splat(0.0));
            let strength = match self.value_strength {
                ScalarMap::Constant(value) => F::splat(value),
                ScalarMap::Map(map) => {
                    let start = self.first + column;
                    some::<F>(&map.samples()[start..start + count])
                }
            };
            // In this order not-a-number becomes 0.
            let strength = strength.greater(F::splat(0.0)).lesser(F::splat(1.0));
            let above = land - lost - ideal;
            let left = above - strength * above;
            let mut lanes = [0.0; LANES];
            left.store(&mut lanes);
            self.out[column..column + count].copy_from_slice(&lanes[..count]);
        }
    }
}

/// The row's tiles drawn to what their neighbours ask for, by what is left above the ideal height: the mean of the neighbours'.
pub struct Hold<'a> {
    pub left: &'a Padded,
    pub row: usize,
    pub ideal: &'a [f32],
    pub strength: &'a [f32],
    /// One over the number of neighbours, for the row's first, inner and last tiles.
    pub shares: [f32; 3],
    pub out: &'a mut [f32],
}

impl LaneWork for Hold<'_> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.out.len();
        let stride = self.left.stride;
        let data = &self.left.data;
        let [first, inner, last] = self.shares;
        for column in (0..width).step_by(F::LANES) {
            let count = (width - column).min(F::LANES);
            let at = (self.row + 1) * stride + 1 + column;
            let sum = F::load(&data[at - stride..])
                + F::load(&data[at - 1..])
                + F::load(&data[at + 1..])
                + F::load(&data[at + stride..]);
            let mut shares = [inner; LANES];
            if column == 0 {
                shares[0] = first;
            }
            if column + count == width {
                shares[count - 1] = last;
            }
            let own = F::load(&data[at..]);
            let [ideal, strength] = [
                some::<F>(&self.ideal[column..column + count]),
                some::<F>(&self.strength[column..column + count]),
            ];
            let held = ideal + (own + strength * (sum * F::load(&shares) - own));
            let mut lanes = [0.0; LANES];
            held.store(&mut lanes);
            self.out[column..column + count].copy_from_slice(&lanes[..count]);
        }
    }
}

/// Numbers of which there may be fewer than fit.
#[inline(always)]
fn some<F: Floats>(from: &[f32]) -> F {
    if from.len() >= F::LANES {
        return F::load(from);
    }
    let mut lanes = [0.0; LANES];
    lanes[..from.len()].copy_from_slice(from);
    F::load(&lanes)
}
