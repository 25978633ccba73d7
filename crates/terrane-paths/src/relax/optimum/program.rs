//! A cone programme under construction.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};

use super::result::OptimumError;

/// Relative tolerance of the duality gap and of feasibility.
pub const TOLERANCE: f64 = 1e-8;

/// Maximum number of iterations of the interior-point method; 25 to 60 are usual.
const MAX_ITERATIONS: u32 = 200;

/// A linear expression: variables with their factors, and a constant.
#[derive(Clone, Default)]
pub struct Linear {
    pub terms: Vec<(usize, f64)>,
    pub constant: f64,
}

impl Linear {
    /// Adds `factor` times `other`.
    pub fn add(&mut self, factor: f64, other: &Self) {
        self.terms.extend(other.terms.iter().map(|&(v, f)| (v, f * factor)));
        self.constant += factor * other.constant;
    }

    /// This expression times `factor`.
    pub fn times(&self, factor: f64) -> Self {
        let mut product = Self::default();
        product.add(factor, self);
        product
    }
}

/// A cone programme under construction: every row of `zero` is 0, every row of `positive` at least 0, and
/// every three rows of `cones` lie in a second-order cone.
#[derive(Default)]
pub struct Program {
    pub costs: Vec<f64>,
    pub zero: Vec<Linear>,
    pub positive: Vec<Linear>,
    pub cones: Vec<Linear>,
}

/// A solution of a [`Program`].
pub struct Solution {
    pub values: Vec<f64>,
    pub cost: f64,
    pub lower_bound: f64,
    pub iterations: u32,
    pub accurate: bool,
}

impl Program {
    /// A new variable of any sign.
    pub fn variable(&mut self, cost: f64) -> usize {
        self.costs.push(cost);
        self.costs.len() - 1
    }

    /// A new variable of at least zero.
    pub fn positive_variable(&mut self, cost: f64) -> usize {
        let v = self.variable(cost);
        self.positive.push(Linear { terms: vec![(v, 1.0)], constant: 0.0 });
        v
    }

    /// Whether every row is satisfied without any variable.
    pub fn is_trivial(&self) -> bool {
        let slack = |row: &Linear| row.constant >= -TOLERANCE;
        self.zero.iter().all(|row| row.constant.abs() <= TOLERANCE)
            && self.positive.iter().all(slack)
            && self.cones.chunks(3).all(|c| {
                c.len() == 3 && {
                    let (x, y) = (c[1].constant, c[2].constant);
                    (x * x + y * y).sqrt() <= c[0].constant + TOLERANCE
                }
            })
    }

    /// The rows in the solver's form: `matrix x + slack = side`.
    fn assemble(&self) -> (CscMatrix<f64>, Vec<f64>) {
        let all = || self.zero.iter().chain(&self.positive).chain(&self.cones);
        let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for (r, row) in all().enumerate() {
            for &(v, factor) in &row.terms {
                rows.push(r);
                columns.push(v);
                values.push(-factor);
            }
        }
        let side: Vec<f64> = all().map(|row| row.constant).collect();
        let matrix = CscMatrix::new_from_triplets(side.len(), self.costs.len(), rows, columns, values);
        (matrix, side)
    }

    /// The cone of each run of rows.
    fn cone_kinds(&self) -> Vec<SupportedConeT<f64>> {
        let mut kinds = vec![
            SupportedConeT::ZeroConeT(self.zero.len()),
            SupportedConeT::NonnegativeConeT(self.positive.len()),
        ];
        kinds.extend(self.cones.chunks(3).map(|c| SupportedConeT::SecondOrderConeT(c.len())));
        kinds
    }

    /// Solves the programme by an interior-point method, until `stop` is set; it is read between iterations.
    pub fn solve(&self, stop: Arc<AtomicBool>) -> Result<Solution, OptimumError> {
        let failed = |e: &dyn std::fmt::Display| OptimumError::Solver(e.to_string());
        let (matrix, side) = self.assemble();
        let quadratic = CscMatrix::zeros((self.costs.len(), self.costs.len()));
        let kinds = self.cone_kinds();
        if stop.load(Ordering::Relaxed) {
            return Err(OptimumError::Cancelled);
        }
        let mut solver = DefaultSolver::new(&quadratic, &self.costs, &matrix, &side, &kinds, settings())
            .map_err(|e| failed(&e))?;
        solver.set_termination_callback(move |_| stop.load(Ordering::Relaxed));
        solver.solve();
        let found = solver.solution;
        match found.status {
            SolverStatus::Solved | SolverStatus::AlmostSolved => Ok(Solution {
                accurate: found.status == SolverStatus::Solved,
                values: found.x,
                cost: found.obj_val,
                lower_bound: found.obj_val_dual,
                iterations: found.iterations,
            }),
            SolverStatus::PrimalInfeasible | SolverStatus::AlmostPrimalInfeasible => {
                Err(OptimumError::Infeasible)
            }
            status => Err(failed(&status)),
        }
    }
}

/// Settings of the solver: its own scaling off, one thread.
fn settings() -> DefaultSettings<f64> {
    DefaultSettings {
        verbose: false,
        max_iter: MAX_ITERATIONS,
        tol_gap_abs: TOLERANCE,
        tol_gap_rel: TOLERANCE,
        tol_feas: TOLERANCE,
        equilibrate_enable: false,
        presolve_enable: false,
        direct_solve_method: "qdldl".to_owned(),
        max_threads: 1,
        ..DefaultSettings::default()
    }
}
