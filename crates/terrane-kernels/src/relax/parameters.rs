//! By what means ground is relaxed, and how long.

/// How samples are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solver {
    /// The thesis's sweeps, sample after sample in place.
    Reference,
    /// The thesis's parallel form: all samples at once, each by the mean of its moves.
    Parallel,
    /// Ground within its bounds soon, for about half the earth that the sweeps move: some hundred steps of a
    /// first-order method from coarse to fine, on all threads, then the thesis's sweeps for what is left.
    /// Given heights are held; other bounds than those on slopes are the sweeps' alone.
    Draft,
    /// The same with more steps: within some hundredths of the least earth times distance that must be moved.
    NearOptimal,
}

/// Parameters of [`relax`](super::relax).
#[derive(Clone, Copy, Debug)]
pub struct Relaxation<'a> {
    /// How samples are moved.
    pub solver: Solver,
    /// The most iterations (I_m).
    pub max_iterations: u64,
    /// Whether to end where nothing gets better any more.
    pub early_exit: bool,
    /// Iterations between rows of the history; 0 for none.
    pub history_every: u64,
    /// What a unit of height costs that [`Solver::Draft`] and [`Solver::NearOptimal`] make or take away, in
    /// world units of moving it; without, they move what there is, but where heights are given and banks bind
    /// the ground: there it is twice the map's longer side. Sweeps always move what there is.
    pub creation_cost: Option<f64>,
    /// Heights that meet all bounds on slopes, with those that are given on the map's border, where some are
    /// known: with the fast solvers the ground near the border comes to them, and what is not brought within
    /// its bounds otherwise keeps to what these allow.
    pub known: Option<&'a [f64]>,
}
