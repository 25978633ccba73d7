//! One level of diamond-square: from a grid to one with half the spacing.
//!
//! The fine grid interleaves four families: the coarse points, the *diamonds* in the middle of four of
//! them, and the midpoints on rows and on columns. Each family is a contiguous array per row, so every loop
//! vectorises; a fine row is two arrays interleaved. A sample is written once and its neighbours are read
//! from cache.

use crate::parallel::{for_each, for_each_with, slices};
use terrane_grid::{Grid, Seed};

use super::parameters::{Boundary, Distribution, Midpoint};
use crate::ScalarMap;

/// A level's random offsets.
pub struct Level<'a> {
    pub seed: Seed,
    /// World lattice position of the fine grid's first point.
    pub origin: (i64, i64),
    /// Range of the offsets, before roughness.
    pub range: f32,
    /// Distance between points of the fine grid, in samples of the map.
    pub step: usize,
    pub parameters: &'a Midpoint<'a>,
}

/// Rows of the fine grid per task: enough to amortise the task.
const ROWS_PER_TASK: usize = 32;

impl Level<'_> {
    /// The grid with half the spacing: 2w − 1 by 2h − 1 points, or twice as many a side when it wraps.
    pub fn refine(&self, coarse: &Grid<f32>) -> Grid<f32> {
        let wrap = self.parameters.boundary == Boundary::Wrap;
        let (w, h) = coarse.size();
        let diamonds = self.diamonds(coarse, wrap);
        let (fine_w, fine_h) = if wrap { (2 * w, 2 * h) } else { (2 * w - 1, 2 * h - 1) };
        let mut fine = vec![0.0f32; fine_w * fine_h];
        for_each_with(
            slices(&mut fine, fine_w),
            ROWS_PER_TASK,
            || vec![0.0f32; w],
            |middle, row, out| {
                if row % 2 == 0 {
                    self.even_row(coarse, &diamonds, row / 2, middle, out, wrap);
                } else {
                    self.odd_row(coarse, &diamonds, row / 2, middle, out, wrap);
                }
            },
        );
        Grid::from_vec(fine_w, fine_h, fine)
    }

    /// The points in the middle of four coarse ones.
    fn diamonds(&self, coarse: &Grid<f32>, wrap: bool) -> Grid<f32> {
        let (w, h) = coarse.size();
        let (dw, dh) = if wrap { (w, h) } else { (w - 1, h - 1) };
        let mut diamonds = vec![0.0f32; dw * dh];
        if dw > 0 {
            for_each(slices(&mut diamonds, dw), ROWS_PER_TASK, |row, out| {
                let (above, below) = (coarse.row(row), coarse.row((row + 1) % h));
                for (column, out) in out[..w - 1].iter_mut().enumerate() {
                    *out = 0.25 * ((above[column] + above[column + 1]) + (below[column] + below[column + 1]));
                }
                if wrap {
                    out[w - 1] = 0.25 * ((above[w - 1] + above[0]) + (below[w - 1] + below[0]));
                }
                self.displace(out, 2 * row + 1, 1);
            });
        }
        Grid::from_vec(dw, dh, diamonds)
    }

    /// A row with coarse points: midpoints lie between two of them, with a diamond above and below.
    fn even_row(
        &self,
        coarse: &Grid<f32>,
        diamonds: &Grid<f32>,
        row: usize,
        middle: &mut [f32],
        out: &mut [f32],
        wrap: bool,
    ) {
        let points = coarse.row(row);
        let w = points.len();
        let middle = &mut middle[..if wrap { w } else { w - 1 }];
        let right = |column: usize| points[(column + 1) % w];
        let above = if row > 0 || wrap {
            Some(diamonds.row((row + diamonds.height() - 1) % diamonds.height()))
        } else {
            None
        };
        let below = (row < diamonds.height()).then(|| diamonds.row(row));
        match (above, below) {
            (Some(above), Some(below)) => {
                for column in 0..w - 1 {
                    middle[column] =
                        0.25 * ((points[column] + points[column + 1]) + (above[column] + below[column]));
                }
                if wrap {
                    middle[w - 1] = 0.25 * ((points[w - 1] + right(w - 1)) + (above[w - 1] + below[w - 1]));
                }
            }
            (Some(only), None) | (None, Some(only)) if self.parameters.boundary == Boundary::Open => {
                for (column, value) in middle.iter_mut().enumerate() {
                    *value = (points[column] + right(column) + only[column]) * (1.0 / 3.0);
                }
            }
            _ => {
                for (column, value) in middle.iter_mut().enumerate() {
                    *value = 0.5 * (points[column] + right(column));
                }
            }
        }
        self.displace(middle, 2 * row, 1);
        interleave(out, points, middle);
    }

    /// A row with diamonds: midpoints lie between two coarse points above and below, with a diamond left and
    /// right.
    fn odd_row(
        &self,
        coarse: &Grid<f32>,
        diamonds: &Grid<f32>,
        row: usize,
        middle: &mut [f32],
        out: &mut [f32],
        wrap: bool,
    ) {
        let (above, below) = (coarse.row(row), coarse.row((row + 1) % coarse.height()));
        let between = diamonds.row(row);
        let w = above.len();
        let middle = &mut middle[..w];
        for column in 1..between.len().min(w) {
            middle[column] =
                0.25 * ((above[column] + below[column]) + (between[column - 1] + between[column]));
        }
        let edge = |column: usize, left: Option<f32>, right: Option<f32>| match (
            left,
            right,
            self.parameters.boundary,
        ) {
            (Some(left), Some(right), _) => 0.25 * ((above[column] + below[column]) + (left + right)),
            (Some(only), None, Boundary::Open) | (None, Some(only), Boundary::Open) => {
                (above[column] + below[column] + only) * (1.0 / 3.0)
            }
            _ => 0.5 * (above[column] + below[column]),
        };
        middle[0] = edge(0, wrap.then(|| between[w - 1]), between.first().copied());
        if !wrap && w > 1 {
            middle[w - 1] = edge(w - 1, between.last().copied(), None);
        }
        self.displace(middle, 2 * row + 1, 0);
        interleave(out, middle, between);
    }

    /// Offsets the points of a fine row at columns `first`, `first + 2`, …
    pub(super) fn displace(&self, means: &mut [f32], row: usize, first: usize) {
        match self.parameters.roughness {
            ScalarMap::Constant(factor) => {
                let range = self.range * finite(factor);
                self.displace_row(means, row, first, |_| range);
            }
            ScalarMap::Map(map) => {
                let factors = map.grid().row((row * self.step).min(map.height() - 1));
                let last = map.width() - 1;
                let range =
                    |index: usize| self.range * finite(factors[((first + 2 * index) * self.step).min(last)]);
                self.displace_row(means, row, first, range);
            }
        }
    }

    /// Like [`Self::displace`], with a separate range for each point.
    #[inline]
    fn displace_row(&self, mut means: &mut [f32], row: usize, first: usize, range: impl Fn(usize) -> f32) {
        let y = self.origin.1.wrapping_add(row as i64);
        let mut x = self.origin.0.wrapping_add(first as i64);
        let mut before = 0;
        // The low half of x varies along the row. The high half is part of the key, so the row is cut where
        // the high half changes.
        while !means.is_empty() {
            let left = ((1i64 << 32) - (x & 0xFFFF_FFFF)) as usize;
            let count = left.div_ceil(2).min(means.len());
            let (run, rest) = means.split_at_mut(count);
            let key = self.seed.lattice().bits(x >> 32, y) as u32;
            self.displace_run(run, key, x as u32, |index| range(before + index));
            x = x.wrapping_add(2 * count as i64);
            before += count;
            means = rest;
        }
    }

    #[inline]
    fn displace_run(&self, means: &mut [f32], key: u32, start: u32, range: impl Fn(usize) -> f32) {
        match (self.parameters.distribution, self.parameters.smoothed) {
            (Distribution::Uniform, false) => {
                for (index, mean) in means.iter_mut().enumerate() {
                    *mean += (uniform(key, start, index) - 0.5) * range(index);
                }
            }
            (Distribution::Uniform, true) => {
                for (index, mean) in means.iter_mut().enumerate() {
                    *mean *= 1.0 + (uniform(key, start, index) - 0.5) * range(index);
                }
            }
            (Distribution::Gaussian, false) => {
                for (index, mean) in means.iter_mut().enumerate() {
                    *mean += (bell(key, start, index) - 0.5) * range(index);
                }
            }
            (Distribution::Gaussian, true) => {
                for (index, mean) in means.iter_mut().enumerate() {
                    *mean *= 1.0 + (bell(key, start, index) - 0.5) * range(index);
                }
            }
        }
    }
}

/// The factor, with not-a-number replaced by 0.
fn finite(factor: f32) -> f32 {
    if factor.is_nan() { 0.0 } else { factor }
}

/// Interleaves two arrays: `even` at 0, 2, …, `odd` at 1, 3, …
fn interleave(out: &mut [f32], even: &[f32], odd: &[f32]) {
    for ((pair, even), odd) in out.chunks_exact_mut(2).zip(even).zip(odd) {
        pair[0] = *even;
        pair[1] = *odd;
    }
    if out.len() % 2 == 1
        && let (Some(last), Some(value)) = (out.last_mut(), even.last())
    {
        *last = *value;
    }
}

/// 32 random bits for a column of a row: two rounds of multiply and xor-shift, which vectorise.
#[inline]
fn bits(key: u32, start: u32, index: usize) -> u32 {
    let column = start.wrapping_add(2 * index as u32);
    let mut h = column.wrapping_mul(0x9E37_79B1) ^ key;
    h ^= h >> 16;
    h = h.wrapping_mul(0x7FEB_352D);
    h ^= h >> 15;
    h = h.wrapping_mul(0x846C_A68B);
    h ^ (h >> 16)
}

/// Uniform in [0, 1).
#[inline]
fn uniform(key: u32, start: u32, index: usize) -> f32 {
    (bits(key, start, index) >> 8) as i32 as f32 * (1.0 / 16_777_216.0)
}

/// The mean of four uniform numbers of 16 bits.
#[inline]
fn bell(key: u32, start: u32, index: usize) -> f32 {
    let a = bits(key, start, index);
    let b = bits(key ^ 0x6A09_E667, start, index);
    let sum = (a & 0xFFFF) + (a >> 16) + (b & 0xFFFF) + (b >> 16);
    sum as i32 as f32 * (1.0 / 262_144.0)
}
