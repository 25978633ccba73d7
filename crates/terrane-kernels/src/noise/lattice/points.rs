//! Lattice noise at single positions.

use super::super::axis::Period;
use super::super::hash::LatticeHash;
use super::super::points::Points;
use super::super::real::Depth;
use super::super::smoothstep::Smoothstep;
use super::model::{Corners, Model};
use crate::simd::{Bits, Floats};

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
    pub fn pair<B: Bits>(self, axis: usize, index: B) -> [B; 2] {
        match self.periods[axis] {
            None => self.hash.pair(index),
            Some(period) => {
                let index = period.wrap(index);
                [index, period.next(index)]
            }
        }
    }
}

impl<M: Model> LatticePoints<M> {
    /// The values of the corners between two hashed columns and two hashed rows.
    #[inline(always)]
    pub fn corners<F: Floats>(self, columns: [F::Bits; 2], rows: [F::Bits; 2]) -> Corners<M::Corner<F>> {
        let [[a, b], [c, d]] = self.hash.points(columns, rows);
        let model = self.model;
        [[model.corner::<F>(a), model.corner::<F>(b)], [model.corner::<F>(c), model.corner::<F>(d)]]
    }
}

impl<M: Model> Points for LatticePoints<M> {
    /// The order of the smoothstep.
    fn order(&self) -> usize {
        if M::SMOOTHED { self.smoothstep.order() } else { 1 }
    }

    #[inline(always)]
    fn at<D: Depth, F: Floats>(
        self,
        order: usize,
        (x, u): (F::Bits, F),
        (y, v): (F::Bits, F),
    ) -> D::Value<F> {
        let ([left, right], [upper, lower]) = (self.pair(0, x), self.pair(1, y));
        let columns = [self.hash.column(left), self.hash.column(right)];
        let corners = self.corners::<F>(columns, [self.hash.row(upper), self.hash.row(lower)]);
        let (u, v) = (D::coordinate(u), D::coordinate(v));
        let column = self.model.column(corners, u, self.smoothstep.with_order(order, u));
        let row = self.model.row(v, self.smoothstep.with_order(order, v));
        let mut value = D::of_column(column[0]);
        for term in 1..M::TERMS {
            value = value + D::product(column[term], row[term]);
        }
        value
    }
}
