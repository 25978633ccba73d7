//! Creep of hillslopes: heights diffuse.

use terrane_compute::Alive;
use terrane_compute::parallel::{slices, try_for_each, try_for_each_with};

use super::law::split;
use super::state::State;
use crate::{Cancelled, ScalarMap};

/// Lines of a transposed map that a thread takes at once.
const LINES: usize = 16;

/// The rate at which a line of samples becomes level in a step. Greater ones would lose digits.
const LEVEL: f64 = 1.0e9;

/// What a line of samples diffuses with.
struct Line<'a> {
    /// Per sample, the diffusivity times the time step over the square of the spacing.
    rates: &'a [f64],
    /// Per sample, whether its height is fixed.
    fixed: &'a [bool],
    /// Whether the last sample is a neighbour of the first.
    wrap: bool,
}

impl State<'_> {
    /// Lets heights diffuse for a step: along rows, then along columns, each implicitly, so that no height
    /// leaves the range of its surroundings however long the step is. Nothing passes the border of the map
    /// but at fixed samples.
    pub(super) fn diffuse(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let parameters = self.parameters;
        if matches!(parameters.diffusivity, ScalarMap::Constant(rate) if rate <= 0.0) {
            return Ok(());
        }
        let (width, height) = (self.shape.width, self.shape.height);
        let over = parameters.time_step / (f64::from(self.spacing) * f64::from(self.spacing));
        let rate = |at: usize| {
            let rate = parameters.diffusivity.at(at);
            // This comparison turns NaN into 0.
            if rate > 0.0 { (f64::from(rate) * over).min(LEVEL) } else { 0.0 }
        };
        let whole = |at: usize| f64::from(self.heights[at]) + f64::from(self.remainders[at]);
        let mut rows = vec![0.0; width * height];
        self.along(&mut rows, (width, height), |line, at| line * width + at, whole, &rate, alive)?;
        let mut columns = vec![0.0; width * height];
        let turned = |line: usize, at: usize| at * width + line;
        self.along(&mut columns, (height, width), turned, |at| rows[at], &rate, alive)?;
        let maps = (slices(&mut self.heights, width), slices(&mut self.remainders, width));
        try_for_each(maps, LINES, |row, (heights, remainders)| {
            for (column, (height_of, remainder)) in heights.iter_mut().zip(remainders).enumerate() {
                (*height_of, *remainder) = split(columns[column * height + row]);
            }
            if row.is_multiple_of(LINES) { alive() } else { Ok(()) }
        })
    }

    /// Fills `out` with lines of `length` samples, each diffused on its own. `place(line, at)` is the index
    /// of a sample of a line, and `height` the height at an index.
    fn along(
        &self,
        out: &mut [f64],
        (length, lines): (usize, usize),
        place: impl Fn(usize, usize) -> usize + Sync,
        height: impl Fn(usize) -> f64 + Sync,
        rate: &(dyn Fn(usize) -> f64 + Sync),
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        debug_assert_eq!(out.len(), length * lines);
        let new = || (vec![0.0; length], vec![false; length], vec![0.0; 2 * length]);
        try_for_each_with(slices(out, length), LINES, new, |(rates, fixed, scratch), line, heights| {
            for at in 0..length {
                let index = place(line, at);
                (heights[at], rates[at], fixed[at]) = (height(index), rate(index), self.sea[index]);
            }
            Line { rates, fixed, wrap: self.shape.wrap }.solve(heights, scratch);
            if line.is_multiple_of(LINES) { alive() } else { Ok(()) }
        })
    }
}

impl Line<'_> {
    /// The rate between a sample and the next one.
    fn between(&self, at: usize) -> f64 {
        let next = if at + 1 < self.rates.len() { at + 1 } else { 0 };
        if next == 0 && !self.wrap { 0.0 } else { 0.5 * (self.rates[at] + self.rates[next]) }
    }

    /// Solves h − Δ(rate · Δh) = the given heights. `scratch` has two numbers for each sample.
    fn solve(&self, heights: &mut [f64], scratch: &mut [f64]) {
        let count = heights.len();
        if count < 2 {
            return;
        }
        // On a ring of two samples both sides are the same neighbour.
        let before = |at: usize| if at == 0 { self.between(count - 1) } else { self.between(at - 1) };
        let row = |at: usize| {
            if self.fixed[at] {
                (0.0, 1.0, 0.0)
            } else {
                let (a, c) = (before(at), self.between(at));
                (-a, 1.0 + a + c, -c)
            }
        };
        let (upper, ring) = scratch.split_at_mut(count);
        if !self.wrap {
            eliminate(&row, heights, upper);
            return;
        }
        // The corners of a ring's matrix are taken out by the formula of Sherman and Morrison.
        let (first, last) = (row(0), row(count - 1));
        let gamma = -first.1;
        let open = |at: usize| match (at, row(at)) {
            (0, (_, b, c)) => (0.0, b - gamma, c),
            (at, (a, b, _)) if at == count - 1 => (a, b - last.2 * first.0 / gamma, 0.0),
            (_, row) => row,
        };
        ring.fill(0.0);
        (ring[0], ring[count - 1]) = (gamma, last.2);
        eliminate(&open, ring, upper);
        eliminate(&open, heights, upper);
        let corner = first.0 / gamma;
        let share = (heights[0] + corner * heights[count - 1]) / (1.0 + ring[0] + corner * ring[count - 1]);
        heights.iter_mut().zip(&*ring).for_each(|(height, ring)| *height -= share * ring);
    }
}

/// Thomas's algorithm: solves a tridiagonal system, whose rows are below, on and above the diagonal.
fn eliminate(row: &dyn Fn(usize) -> (f64, f64, f64), values: &mut [f64], upper: &mut [f64]) {
    let (_, first, above) = row(0);
    (upper[0], values[0]) = (above / first, values[0] / first);
    for at in 1..values.len() {
        let (below, on, above) = row(at);
        let divisor = on - below * upper[at - 1];
        upper[at] = above / divisor;
        values[at] = (values[at] - below * values[at - 1]) / divisor;
    }
    for at in (0..values.len() - 1).rev() {
        values[at] -= upper[at] * values[at + 1];
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Compares with a dense system of equations. Without fixed samples nothing is lost.
        #[test]
        fn lines_solve_their_equations(
            samples in prop::collection::vec((0.0f64..100.0, 0.0f64..50.0, prop::bool::weighted(0.2)), 2..24),
            wrap: bool,
        ) {
            let count = samples.len();
            let heights: Vec<f64> = samples.iter().map(|sample| sample.0).collect();
            let rates: Vec<f64> = samples.iter().map(|sample| sample.1).collect();
            let fixed: Vec<bool> = samples.iter().map(|sample| sample.2).collect();
            let mut matrix = DMatrix::<f64>::identity(count, count);
            for at in 0..count {
                let next = (at + 1) % count;
                if next == 0 && !wrap {
                    continue;
                }
                let rate = 0.5 * (rates[at] + rates[next]);
                for (one, other) in [(at, next), (next, at)] {
                    if !fixed[one] {
                        matrix[(one, one)] += rate;
                        matrix[(one, other)] -= rate;
                    }
                }
            }
            let expected = matrix.lu().solve(&DVector::from_vec(heights.clone())).unwrap();
            let mut found = heights.clone();
            Line { rates: &rates, fixed: &fixed, wrap }.solve(&mut found, &mut vec![0.0; 2 * count]);
            for (found, expected) in found.iter().zip(expected.iter()) {
                prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
            if !fixed.contains(&true) {
                let lost = found.iter().sum::<f64>() - heights.iter().sum::<f64>();
                prop_assert!(lost.abs() < 1e-9 * count as f64 * 100.0, "{lost}");
            }
        }
    }
}
