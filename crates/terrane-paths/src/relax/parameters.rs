//! Parameters of relaxation.

/// How samples are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Solver {
    /// The method of Velzel's thesis: sweeps that change one sample after the other, in place. Uses one
    /// thread.
    Reference,
    /// The parallel form of the thesis's method. All samples change at once, each by the mean of the
    /// changes that the bounds around it require. This needs many more iterations than `Reference`.
    Parallel,
    /// A fast approximation of the minimum earthworks, computed from coarse to fine. Sweeps follow until
    /// all bounds are met. Uses all threads.
    ///
    /// For 114 random roads, sweeps need 1.2 to 2.7 times the minimum of earth times distance, and `Draft`
    /// at most 1.02 times (`cargo xtask roads`). Prescribed heights are held; constraints other than slope
    /// bounds are left to the sweeps.
    Draft,
    /// Like `Draft`, but iterates longer, until close to the optimum.
    ///
    /// Closer to the minimum where many roads cross mountains.
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
    /// units of moving it. Default: twice the map's longer side if heights are prescribed. Otherwise these
    /// solvers create nothing by default. Sweeps never create material.
    pub creation_cost: Option<f64>,
    /// Known heights that meet all bounds on slopes, including the heights prescribed on the map's border.
    /// The fast solvers blend the ground near the border into them. Where these solvers cannot otherwise
    /// bring ground within its bounds, they limit the height differences between its samples by those of the
    /// known heights.
    pub known: Option<&'a [f64]>,
}

impl Default for Relaxation<'_> {
    /// The thesis's method.
    fn default() -> Self {
        Self {
            solver: Solver::Reference,
            max_iterations: 1_000_000,
            early_exit: true,
            history_every: 0,
            creation_cost: None,
            known: None,
        }
    }
}
