//! Work on whole rows of tiles: drainage directions, erosion and constraints.

use fearless_simd::prelude::*;

use super::law::Law;
use super::tiles::InverseDistances;
use crate::ScalarMap;
use crate::erosion::lanes::LANES;
use crate::erosion::padded::Padded;
use crate::simd::{greater, lesser, load, store};
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
    fn load_partial<S: Simd>(&self, simd: S, start: usize, count: usize) -> S::f32s {
        match self {
            Self::Same(factor) => S::f32s::splat(simd, *factor),
            Self::Each(factors) => load_partial(simd, &factors[start..start + count]),
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

impl<const N: usize> Drain<'_, N> {
    #[inline(always)]
    pub fn run<S: Simd>(self, simd: S) {
        let width = self.out.len();
        let (own, around) = self.row.around::<N>();
        for column in (0..width).step_by(S::f32s::LEN) {
            let own = load(simd, &own[column..]);
            let (mut steepest, mut direction) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 0.0));
            for (index, (heights, near)) in around.iter().enumerate() {
                let slope = (own - load(simd, &heights[column..])) * load(simd, &near[column..]);
                let steeper = slope.simd_gt(steepest);
                steepest = steeper.select(slope, steepest);
                direction = steeper.select(S::f32s::splat(simd, index as f32 + 1.0), direction);
            }
            let mut directions = [0.0; LANES];
            store(simd, direction, &mut directions);
            for (out, direction) in self.out[column..].iter_mut().zip(&directions[..S::f32s::LEN]) {
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

impl<const N: usize> RiverPower<'_, N> {
    #[inline(always)]
    pub fn run<S: Simd>(self, simd: S) {
        let width = self.out.len();
        let start = self.inverse_distances.padded_index((0, self.row));
        let mut around = [&self.drainage[..0]; N];
        for (index, near) in around.iter_mut().enumerate() {
            *near = self.inverse_distances.along(index + 1, start);
        }
        for column in (0..width).step_by(S::f32s::LEN) {
            let count = (width - column).min(S::f32s::LEN);
            let direction = load_directions(simd, &self.directions[column..column + count]);
            let mut near = S::f32s::splat(simd, 0.0);
            for (index, nears) in around.iter().enumerate() {
                let here = direction.simd_gt(index as f32 + 0.5);
                near = here.select(load(simd, &nears[column..]), near);
            }
            let drainage = load_partial(simd, &self.drainage[column..column + count]);
            let power =
                self.law.of(simd, self.factor.load_partial(simd, self.first + column, count), drainage, near);
            let mut lanes = [0.0; LANES];
            store(simd, power, &mut lanes);
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
    fn lost<S: Simd>(
        &self,
        simd: S,
        own: &[f32],
        around: &[NeighbourRow<'_>; N],
        land: S::f32s,
        column: usize,
        count: usize,
    ) -> S::f32s {
        let direction = load_directions(simd, &self.directions[column..column + count]);
        let (mut drop, mut near) = (S::f32s::splat(simd, 0.0), S::f32s::splat(simd, 0.0));
        let own = load(simd, &own[column..]);
        for (index, (heights, nears)) in around.iter().enumerate() {
            // A direction d is a whole number, and exceeds the thresholds 0.5, 1.5, … d − 0.5. The last of
            // them selects the neighbour in direction d, which is the receiver.
            let here = direction.simd_gt(index as f32 + 0.5);
            drop = here.select(own - load(simd, &heights[column..]), drop);
            near = here.select(load(simd, &nears[column..]), near);
        }
        let drainage = load_partial(simd, &self.drainage[column..column + count]);
        let drop = greater(simd, drop, S::f32s::splat(simd, 0.0));
        let carried = self.law.of(
            simd,
            self.factor.load_partial(simd, self.first + column, count),
            drainage,
            drop * near,
        );
        land.simd_ge(self.sea_level).select(lesser(simd, carried, drop), S::f32s::splat(simd, 0.0))
    }
}

impl<const N: usize> Erode<'_, N> {
    #[inline(always)]
    pub fn run<S: Simd>(self, simd: S) {
        let width = self.land.len();
        let (own, around) = self.row.around::<N>();
        for column in (0..width).step_by(S::f32s::LEN) {
            let count = (width - column).min(S::f32s::LEN);
            let land = load_partial(simd, &self.land[column..column + count]);
            let ideal = load_partial(simd, &self.ideal[column..column + count]);
            let lost = if self.rivers {
                self.lost(simd, own, &around, land, column, count)
            } else {
                S::f32s::splat(simd, 0.0)
            };
            let strength = match self.value_strength {
                ScalarMap::Constant(value) => S::f32s::splat(simd, value),
                ScalarMap::Map(map) => {
                    let start = self.first + column;
                    load_partial(simd, &map.samples()[start..start + count])
                }
            };
            // The two limits, in this order, turn NaN into 0.
            let strength = greater(simd, strength, S::f32s::splat(simd, 0.0));
            let strength = lesser(simd, strength, S::f32s::splat(simd, 1.0));
            let above = land - lost - ideal;
            let above_ideal = above - strength * above;
            let mut lanes = [0.0; LANES];
            store(simd, above_ideal, &mut lanes);
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

impl Hold<'_> {
    #[inline(always)]
    pub fn run<S: Simd>(self, simd: S) {
        let width = self.out.len();
        let stride = self.above_ideal.stride;
        let data = &self.above_ideal.data;
        let [first, inner, last] = self.shares;
        for column in (0..width).step_by(S::f32s::LEN) {
            let count = (width - column).min(S::f32s::LEN);
            let at = (self.row + 1) * stride + 1 + column;
            let sum = load(simd, &data[at - stride..])
                + load(simd, &data[at - 1..])
                + load(simd, &data[at + 1..])
                + load(simd, &data[at + stride..]);
            let mut shares = [inner; LANES];
            if column == 0 {
                shares[0] = first;
            }
            if column + count == width {
                shares[count - 1] = last;
            }
            let own = load(simd, &data[at..]);
            let tiles = column..column + count;
            let (ideal, strength) = (&self.ideal[tiles.clone()], &self.strength[tiles.clone()]);
            let strength = load_partial(simd, strength) * load_partial(simd, &self.hold[tiles]);
            let held = load_partial(simd, ideal) + (own + strength * (sum * load(simd, &shares) - own));
            let mut lanes = [0.0; LANES];
            store(simd, held, &mut lanes);
            self.out[column..column + count].copy_from_slice(&lanes[..count]);
        }
    }
}

/// Loads directions as numbers. Lanes beyond the last direction are 0.
#[inline(always)]
fn load_directions<S: Simd>(simd: S, directions: &[u8]) -> S::f32s {
    let mut lanes = [0.0; LANES];
    for (to, direction) in lanes.iter_mut().zip(directions) {
        *to = f32::from(*direction);
    }
    load(simd, &lanes)
}

/// Loads numbers. Lanes beyond the last number are 0.
#[inline(always)]
fn load_partial<S: Simd>(simd: S, from: &[f32]) -> S::f32s {
    if from.len() >= S::f32s::LEN {
        return load(simd, from);
    }
    let mut lanes = [0.0; LANES];
    lanes[..from.len()].copy_from_slice(from);
    load(simd, &lanes)
}
