//! Work on whole rows of tiles: drainage directions, erosion and constraints.

use super::law::Law;
use super::tiles::InverseDistances;
use crate::ScalarMap;
use crate::erosion::lanes::LANES;
use crate::erosion::padded::Padded;
use crate::simd::{Floats, LaneWork};
use terrane_grid::DIRECTIONS;

/// Rows per task.
pub const BAND: usize = 16;

/// The erosion factor times the side of a tile.
pub enum Factor {
    /// One value for all tiles.
    Same(f32),
    /// One value per tile.
    Each(Vec<f32>),
}

impl Factor {
    pub fn new(erosion: ScalarMap<'_>, spacing: f64) -> Self {
        let of = |erosion: f32| if erosion > 0.0 { (f64::from(erosion) * spacing) as f32 } else { 0.0 };
        match erosion {
            ScalarMap::Constant(erosion) => Self::Same(of(erosion)),
            ScalarMap::Map(map) => Self::Each(map.samples().iter().map(|&erosion| of(erosion)).collect()),
        }
    }

    /// The factors of `count` tiles starting at `start`.
    #[inline(always)]
    fn load_partial<F: Floats>(&self, start: usize, count: usize) -> F {
        match self {
            Self::Same(factor) => F::splat(*factor),
            Self::Each(factors) => load_partial::<F>(&factors[start..start + count]),
        }
    }
}

/// A row of a padded map and the inverse distances to its neighbours.
#[derive(Clone, Copy)]
pub struct PaddedRow<'a> {
    /// Heights of land plus water.
    pub total: &'a Padded,
    pub inverse_distances: &'a InverseDistances,
    pub row: usize,
}

/// The neighbours of a row in one direction: their heights and one over their distances.
type NeighbourRow<'a> = (&'a [f32], &'a [f32]);

impl PaddedRow<'_> {
    /// Heights of the row's tiles and, per direction, their neighbours' heights and inverse distances.
    #[inline(always)]
    fn around<const N: usize>(&self) -> (&[f32], [NeighbourRow<'_>; N]) {
        let (stride, total) = (self.total.stride, &self.total.data);
        let start = (self.row + 1) * stride + 1;
        let mut around = [(&total[..0], &total[..0]); N];
        for (index, (heights, near)) in around.iter_mut().enumerate() {
            let (dx, dy) = DIRECTIONS[index + 1];
            *heights = &total[start.wrapping_add_signed(dy * stride as isize + dx)..];
            *near = self.inverse_distances.along(index + 1, start);
        }
        (&total[start..], around)
    }
}

/// Finds the drainage directions of a row: those of the steepest descent. Of equally steep directions, the
/// first counts.
pub struct Drain<'a, const N: usize> {
    pub row: PaddedRow<'a>,
    /// Indices into [`DIRECTIONS`].
    pub out: &'a mut [u8],
}

impl<const N: usize> LaneWork for Drain<'_, N> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.out.len();
        let (own, around) = self.row.around::<N>();
        for column in (0..width).step_by(F::LANES) {
            let own = F::load(&own[column..]);
            let (mut steepest, mut direction) = (F::splat(0.0), F::splat(0.0));
            for (index, (heights, near)) in around.iter().enumerate() {
                let slope = (own - F::load(&heights[column..])) * F::load(&near[column..]);
                let steeper = slope.above(steepest);
                steepest = F::select(steeper, slope, steepest);
                direction = F::select(steeper, F::splat(index as f32 + 1.0), direction);
            }
            let mut directions = [0.0; LANES];
            direction.store(&mut directions);
            for (out, direction) in self.out[column..].iter_mut().zip(&directions[..F::LANES]) {
                *out = *direction as u8;
            }
        }
    }
}

/// The factor of river erosion for a row's tiles: k_e·Dⁿ/dᵐ, where D is a tile's drainage and d its distance
/// to the receiver.
pub struct RiverPower<'a, const N: usize> {
    pub inverse_distances: &'a InverseDistances,
    pub row: usize,
    pub directions: &'a [u8],
    pub drainage: &'a [f32],
    pub factor: &'a Factor,
    pub law: Law,
    /// Index of the row's first tile.
    pub first: usize,
    pub out: &'a mut [f32],
}

impl<'a> RiverPower<'a, 4> {
    /// The same with diagonals.
    pub fn with_diagonals(self) -> RiverPower<'a, 8> {
        let Self { inverse_distances, row, directions, drainage, factor, law, first, out } = self;
        RiverPower { inverse_distances, row, directions, drainage, factor, law, first, out }
    }
}

impl<const N: usize> LaneWork for RiverPower<'_, N> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.out.len();
        let start = self.inverse_distances.padded_index((0, self.row));
        let mut around = [&self.drainage[..0]; N];
        for (index, near) in around.iter_mut().enumerate() {
            *near = self.inverse_distances.along(index + 1, start);
        }
        for column in (0..width).step_by(F::LANES) {
            let count = (width - column).min(F::LANES);
            let direction = load_directions::<F>(&self.directions[column..column + count]);
            let mut near = F::splat(0.0);
            for (index, nears) in around.iter().enumerate() {
                let here = direction.above(F::splat(index as f32 + 0.5));
                near = F::select(here, F::load(&nears[column..]), near);
            }
            let drainage = load_partial::<F>(&self.drainage[column..column + count]);
            let power = self.law.of(self.factor.load_partial(self.first + column, count), drainage, near);
            let mut lanes = [0.0; LANES];
            power.store(&mut lanes);
            self.out[column..column + count].copy_from_slice(&lanes[..count]);
        }
    }
}

/// Erodes a row's tiles and applies the value constraint. The output is the height above the ideal.
pub struct Erode<'a, const N: usize> {
    /// Whether to apply river cuts. False with the implicit solver, which has already applied them.
    pub rivers: bool,
    pub row: PaddedRow<'a>,
    pub land: &'a [f32],
    pub directions: &'a [u8],
    pub drainage: &'a [f32],
    pub ideal: &'a [f32],
    pub value_strength: ScalarMap<'a>,
    pub sea_level: f32,
    pub factor: &'a Factor,
    pub law: Law,
    /// Index of the row's first tile.
    pub first: usize,
    pub out: &'a mut [f32],
}

impl<'a> Erode<'a, 4> {
    /// The same with diagonals.
    pub fn with_diagonals(self) -> Erode<'a, 8> {
        let Self {
            rivers,
            row,
            land,
            directions,
            drainage,
            ideal,
            value_strength,
            sea_level,
            factor,
            law,
            first,
            out,
        } = self;
        Erode {
            rivers,
            row,
            land,
            directions,
            drainage,
            ideal,
            value_strength,
            sea_level,
            factor,
            law,
            first,
            out,
        }
    }
}

impl<const N: usize> Erode<'_, N> {
    /// The height that rivers remove from `count` tiles starting at a column.
    #[inline(always)]
    fn lost<F: Floats>(
        &self,
        own: &[f32],
        around: &[NeighbourRow<'_>; N],
        land: F,
        column: usize,
        count: usize,
    ) -> F {
        let direction = load_directions::<F>(&self.directions[column..column + count]);
        let (mut drop, mut near) = (F::splat(0.0), F::splat(0.0));
        let own = F::load(&own[column..]);
        for (index, (heights, nears)) in around.iter().enumerate() {
            // A direction d is a whole number, and exceeds the thresholds 0.5, 1.5, … d − 0.5. The last of
            // them selects the neighbour in direction d, which is the receiver.
            let here = direction.above(F::splat(index as f32 + 0.5));
            drop = F::select(here, own - F::load(&heights[column..]), drop);
            near = F::select(here, F::load(&nears[column..]), near);
        }
        let drainage = load_partial::<F>(&self.drainage[column..column + count]);
        let drop = drop.greater(F::splat(0.0));
        let carried =
            self.law.of(self.factor.load_partial(self.first + column, count), drainage, drop * near);
        F::select(land.at_least(F::splat(self.sea_level)), carried.lesser(drop), F::splat(0.0))
    }
}

impl<const N: usize> LaneWork for Erode<'_, N> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.land.len();
        let (own, around) = self.row.around::<N>();
        for column in (0..width).step_by(F::LANES) {
            let count = (width - column).min(F::LANES);
            let land = load_partial::<F>(&self.land[column..column + count]);
            let ideal = load_partial::<F>(&self.ideal[column..column + count]);
            let lost =
                if self.rivers { self.lost::<F>(own, &around, land, column, count) } else { F::splat(0.0) };
            let strength = match self.value_strength {
                ScalarMap::Constant(value) => F::splat(value),
                ScalarMap::Map(map) => {
                    let start = self.first + column;
                    load_partial::<F>(&map.samples()[start..start + count])
                }
            };
            // The two limits, in this order, turn NaN into 0.
            let strength = strength.greater(F::splat(0.0)).lesser(F::splat(1.0));
            let above = land - lost - ideal;
            let above_ideal = above - strength * above;
            let mut lanes = [0.0; LANES];
            above_ideal.store(&mut lanes);
            self.out[column..column + count].copy_from_slice(&lanes[..count]);
        }
    }
}

/// Applies the gradient constraint to a row's tiles: moves each tile's height above the ideal towards the
/// mean of the neighbours' heights above the ideal.
pub struct Hold<'a> {
    pub above_ideal: &'a Padded,
    pub row: usize,
    pub ideal: &'a [f32],
    pub strength: &'a [f32],
    /// The fraction of `strength` that remains after gorges.
    pub hold: &'a [f32],
    /// One over the number of neighbours, for the row's first, inner and last tiles.
    pub shares: [f32; 3],
    pub out: &'a mut [f32],
}

impl LaneWork for Hold<'_> {
    #[inline(always)]
    fn run<F: Floats>(self) {
        let width = self.out.len();
        let stride = self.above_ideal.stride;
        let data = &self.above_ideal.data;
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
            let [ideal, strength, hold] = [self.ideal, self.strength, self.hold]
                .map(|from| load_partial::<F>(&from[column..column + count]));
            let held = ideal + (own + strength * hold * (sum * F::load(&shares) - own));
            let mut lanes = [0.0; LANES];
            held.store(&mut lanes);
            self.out[column..column + count].copy_from_slice(&lanes[..count]);
        }
    }
}

/// Loads directions as numbers. Lanes beyond the last direction are 0.
#[inline(always)]
fn load_directions<F: Floats>(directions: &[u8]) -> F {
    let mut lanes = [0.0; LANES];
    for (to, direction) in lanes.iter_mut().zip(directions) {
        *to = f32::from(*direction);
    }
    F::load(&lanes)
}

/// Loads numbers. Lanes beyond the last number are 0.
#[inline(always)]
fn load_partial<F: Floats>(from: &[f32]) -> F {
    if from.len() >= F::LANES {
        return F::load(from);
    }
    let mut lanes = [0.0; LANES];
    lanes[..from.len()].copy_from_slice(from);
    F::load(&lanes)
}
