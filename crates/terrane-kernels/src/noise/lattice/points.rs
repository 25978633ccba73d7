//! Lattice noise at single positions.

use fearless_simd::prelude::*;

use super::super::axis::Period;
use super::super::hash::LatticeHash;
use super::super::points::Points;
use super::super::real::{Depth, Value};
use super::super::smoothstep::Smoothstep;
use super::model::{Corners, Model};

/// Evaluates lattice noise at single positions.
///
/// Evaluators are copied before loops. The compiler then need not load their fields again after each write to
/// the output.
#[derive(Clone, Copy)]
pub struct LatticePoints<M> {
    pub model: M,
    pub smoothstep: Smoothstep,
    pub hash: LatticeHash,
    /// The period of the lattice along each axis, if any.
    pub periods: [Option<Period>; 2],
}

impl<M: Copy> LatticePoints<M> {
    /// The index of a column (axis 0) or row (axis 1), and the index after it.
    #[inline(always)]
    pub fn pair<S: Simd>(self, simd: S, axis: usize, index: S::u32s) -> [S::u32s; 2] {
        match self.periods[axis] {
            None => self.hash.pair::<S>(index),
            Some(period) => {
                let index = period.wrap(simd, index);
                [index, period.next(simd, index)]
            }
        }
    }
}

impl<M: Model> LatticePoints<M> {
    /// The values of the corners between two hashed columns and two hashed rows.
    #[inline(always)]
    pub fn corners<S: Simd>(
        self,
        simd: S,
        columns: [S::u32s; 2],
        rows: [S::u32s; 2],
    ) -> Corners<M::Corner<S>> {
        let [[a, b], [c, d]] = self.hash.points(simd, columns, rows);
        let model = self.model;
        [[model.corner(simd, a), model.corner(simd, b)], [model.corner(simd, c), model.corner(simd, d)]]
    }
}

impl<M: Model> Points for LatticePoints<M> {
    /// The order of the smoothstep.
    fn order(&self) -> usize {
        if M::SMOOTHED { self.smoothstep.order() } else { 1 }
    }

    #[inline(always)]
    fn at<D: Depth, S: Simd>(
        self,
        simd: S,
        order: usize,
        (x, u): (S::u32s, S::f32s),
        (y, v): (S::u32s, S::f32s),
    ) -> Value<D, S> {
        let hash = self.hash;
        let ([left, right], [upper, lower]) = (self.pair(simd, 0, x), self.pair(simd, 1, y));
        let columns = [hash.column(simd, left), hash.column(simd, right)];
        let corners = self.corners(simd, columns, [hash.row(simd, upper), hash.row(simd, lower)]);
        let (u, v) = (D::coordinate::<S>(u), D::coordinate::<S>(v));
        let column = self.model.column(corners, u, self.smoothstep.with_order(order, u));
        let row = self.model.row(v, self.smoothstep.with_order(order, v));
        let mut value = D::of_column::<S>(column[0]);
        for term in 1..M::TERMS {
            value = value + D::product::<S>(column[term], row[term]);
        }
        value
    }
}
