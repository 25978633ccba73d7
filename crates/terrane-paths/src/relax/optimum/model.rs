//! The cone programme of a relaxation.

use super::grid::Grid;
use super::program::{Linear, Program, Solution};
use super::requirements::{Creation, DirectionLimit, GradientLimit, Requirements};
use super::result::Optimum;

/// Height differences below this are not scaled up to one.
const SMALLEST_SCALE: f64 = 1e-6;

/// Flow out of a sample and into it, as variables.
#[derive(Clone, Copy)]
struct Flow {
    sample: usize,
    out: usize,
    into: usize,
}

/// The programme of a relaxation and the meaning of its variables.
pub struct Model {
    grid: Grid,
    pub program: Program,
    /// The height of every bound sample.
    heights: Vec<Option<Linear>>,
    /// The outflow of every bound sample minus its inflow.
    outflow: Vec<Linear>,
    /// Flows between a bound sample and its free neighbours.
    exits: Vec<Flow>,
    /// Creation (into) and destruction (out).
    creations: Vec<Flow>,
}

impl Model {
    /// The model of the whole relaxation.
    pub fn build(grid: Grid, spacing: f64, given: &[f64], requirements: &Requirements) -> Self {
        let mut model = Self {
            grid,
            program: Program::default(),
            heights: vec![None; given.len()],
            outflow: vec![Linear::default(); given.len()],
            exits: Vec::new(),
            creations: Vec::new(),
        };
        model.add_heights(requirements);
        model.add_range(requirements.range);
        model.add_flows();
        model.add_creation(spacing, &requirements.creation);
        model.add_balance(given);
        for c in &requirements.gradients {
            model.add_gradient(spacing, c);
        }
        for c in &requirements.directions {
            model.add_direction(spacing, c);
        }
        model
    }

    /// A height for every bound sample: a number if fixed, otherwise a variable.
    fn add_heights(&mut self, requirements: &Requirements) {
        for p in &requirements.positions {
            self.heights[p.sample] = Some(Linear { terms: Vec::new(), constant: p.height });
        }
        for (k, bound) in self.grid.bound(requirements).into_iter().enumerate() {
            if bound && self.heights[k].is_none() {
                let v = self.program.variable(0.0);
                self.heights[k] = Some(Linear { terms: vec![(v, 1.0)], constant: 0.0 });
            }
        }
    }

    /// Two rows for every height that is a variable.
    fn add_range(&mut self, range: Option<(f64, f64)>) {
        let Some((low, high)) = range else { return };
        for height in self.heights.iter().flatten().filter(|height| !height.terms.is_empty()) {
            let (mut above, mut below) = (height.clone(), height.times(-1.0));
            above.constant -= low;
            below.constant += high;
            self.program.positive.extend([above, below]);
        }
    }

    /// Flows between bound samples, and to their free neighbours.
    fn add_flows(&mut self) {
        for k in 0..self.heights.len() {
            if self.heights[k].is_none() {
                continue;
            }
            let mut exit = false;
            for j in self.grid.neighbours(k) {
                if self.heights[j].is_none() {
                    exit = true;
                } else if j > k {
                    let flow = self.add_flow(k, 1.0);
                    self.outflow[j].terms.extend([(flow.out, -1.0), (flow.into, 1.0)]);
                }
            }
            if exit {
                let flow = self.add_flow(k, 1.0);
                self.exits.push(flow);
            }
        }
    }

    /// A flow out of a sample and one into it.
    fn add_flow(&mut self, sample: usize, cost: f64) -> Flow {
        let out = self.program.positive_variable(cost);
        let into = self.program.positive_variable(cost);
        self.outflow[sample].terms.extend([(out, 1.0), (into, -1.0)]);
        Flow { sample, out, into }
    }

    /// Creation and destruction where allowed; a free sample needs none.
    fn add_creation(&mut self, spacing: f64, creation: &Creation) {
        for &k in &creation.samples {
            if self.heights[k].is_some() {
                let flow = self.add_flow(k, creation.cost / spacing);
                self.creations.push(flow);
            }
        }
    }

    /// The outflow of a sample equals its previous height minus its new one.
    fn add_balance(&mut self, given: &[f64]) {
        for (k, height) in self.heights.iter().enumerate() {
            if let Some(height) = height {
                let mut row = self.outflow[k].clone();
                row.add(1.0, height);
                row.constant -= given[k];
                self.program.zero.push(row);
            }
        }
    }

    /// The factors times the heights at the samples, summed.
    fn combine(&self, parts: &[(usize, f64)]) -> Linear {
        let mut sum = Linear::default();
        for &(k, factor) in parts.iter().filter(|p| p.1 != 0.0) {
            if let Some(height) = &self.heights[k] {
                sum.add(factor, height);
            }
        }
        sum
    }

    /// One cone per quadrant.
    fn add_gradient(&mut self, spacing: f64, c: &GradientLimit) {
        let (bound, scale) = unit(c.limit * spacing);
        for q in self.grid.quadrants(c.sample) {
            let x = self.combine(&[(q.x.0, scale), (c.sample, -scale)]);
            let y = self.combine(&[(q.y.0, scale), (c.sample, -scale)]);
            let bound = Linear { terms: Vec::new(), constant: bound };
            self.program.cones.extend([bound, x, y]);
        }
    }

    /// Two rows per quadrant.
    fn add_direction(&mut self, spacing: f64, c: &DirectionLimit) {
        let (bound, scale) = unit(c.limit * spacing);
        for q in self.grid.quadrants(c.sample) {
            let (x, y) = (c.direction[0] * q.x.1 * scale, c.direction[1] * q.y.1 * scale);
            let slope = self.combine(&[(q.x.0, x), (q.y.0, y), (c.sample, -x - y)]);
            for sign in [1.0, -1.0] {
                let mut row = slope.times(sign);
                row.constant += bound;
                self.program.positive.push(row);
            }
        }
    }

    /// Reads heights and cost from the solution.
    pub fn read(
        &self,
        spacing: f64,
        given: &[f64],
        requirements: &Requirements,
        solution: &Solution,
    ) -> Optimum {
        let value =
            |e: &Linear| e.constant + e.terms.iter().map(|&(v, f)| f * solution.values[v]).sum::<f64>();
        let mut result = Optimum::unchanged(given, requirements);
        for (to, height) in result.heights.iter_mut().zip(&self.heights) {
            if let Some(height) = height {
                *to = value(height);
            }
        }
        self.fill_free(&solution.values, &mut result.heights);
        result.cost = solution.cost * spacing;
        result.lower_bound = solution.lower_bound * spacing;
        result.created = self.creations.iter().map(|f| solution.values[f.into]).fold(0.0, |a, b| a + b);
        result.destroyed = self.creations.iter().map(|f| solution.values[f.out]).fold(0.0, |a, b| a + b);
        result.iterations = solution.iterations;
        result.accurate = solution.accurate;
        result
    }

    /// Distributes the outflow of a bound sample equally to its free neighbours.
    fn fill_free(&self, values: &[f64], heights: &mut [f64]) {
        for flow in &self.exits {
            let is_free = |&j: &usize| self.heights[j].is_none();
            let count = self.grid.neighbours(flow.sample).filter(is_free).count().max(1);
            let share = (values[flow.out] - values[flow.into]) / count as f64;
            for j in self.grid.neighbours(flow.sample).filter(is_free) {
                heights[j] += share;
            }
        }
    }
}

/// A bound scaled to one, unless it is close to zero, and the scale.
fn unit(bound: f64) -> (f64, f64) {
    let scale = 1.0 / bound.max(SMALLEST_SCALE);
    (bound * scale, scale)
}
