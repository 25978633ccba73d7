//! Parameters of relaxation.

/// How samples are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// The thesis's sweeps, sample after sample in place.
    Reference,
    /// The thesis's parallel form: all samples at once, each by the mean of its moves.
    Parallel,
    /// Quickly finds ground within its bounds with about half the earth that sweeps move: a few hundred steps
    /// of a first-order method from coarse to fine, on all threads, then the thesis's sweeps for the rest.
    /// Prescribed heights are held; constraints other than slope bounds are left to the sweeps.
    Draft,
    /// The same with more steps: within a few hundredths of the minimum earth times distance.
    NearOptimal,
}

/// Parameters of [`relax`](super::relax).
#[derive(Clone, Copy, Debug)]
pub struct Relaxation<'a> {
    /// How samples are moved.
    pub solver: Solver,
    /// Maximum number of iterations (I_m).
    pub max_iterations: u64,
    /// Whether to stop when there is no more progress.
    pub early_exit: bool,
    /// Iterations between rows of the history; 0 for none.
    pub history_every: u64,
    /// Cost of a unit of height that [`Solver::Draft`] and [`Solver::NearOptimal`] create or remove, in world
    /// units of moving it. Default: they create nothing, except where heights are prescribed and banks bind
    /// the ground: there the cost is twice the map's longer side. Sweeps never create material.
    pub creation_cost: Option<f64>,
    /// Known heights that meet all bounds on slopes, with those prescribed on the map's border. With the fast
    /// solvers the ground near the border blends into them, and what cannot be brought within its bounds
    /// otherwise is limited by them.
    pub known: Option<&'a [f64]>,
}
