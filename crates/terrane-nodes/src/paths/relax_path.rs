//! Ground bent until paths can be walked.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Sizes};
use terrane_grid::{Domain, Grid, Heightmap};
use terrane_kernels::path::faded;
use terrane_kernels::relax::{
    self, Earthworks, Field, Given, Outcome, Relaxation, Relaxed, Survey, bounds, bounds_to_round,
    earthworks, relax, relax_loosening, survey,
};

use super::support::{BANK_SLOPE, Earth, TOLERANCE, creation_cost, fits};
use crate::support::{Report, cancelled, choice, maps};
use crate::values::{Bounds, Map, Table};

choice! {
    /// How samples are moved.
    Solver => relax::Solver {
        /// The thesis's sweeps: sample after sample, in place, on one thread.
        Reference,
        /// The thesis's parallel form: all samples at once, each by the mean of what the bounds around it
        /// want. Many more iterations.
        Parallel,
        /// Towards the least that must be moved, from coarse ground to fine, soon; then sweeps until all
        /// bounds are met. On all threads.
        Draft,
        /// The same, for longer: near the optimum.
        NearOptimal,
    }
}

/// What happens where bounds conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum OnConflict {
    /// It is reported.
    Report,
    /// Near the samples that miss a bound roughness is no longer kept, and where there is none to keep given
    /// heights are not: as few as are found to do.
    Loosen,
}

/// Ground bent, as little as may be, until paths can be walked: iterative relaxation.
///
/// Every bound that is missed by more than its tolerance moves earth between neighbours until it is met, over
/// and over, until none is missed. Slopes, on paths, beside them and on banks, can always be met: level
/// ground meets them all. Roughness and given heights can conflict with them: with `early_exit` that is
/// noticed, once half of all iterations have brought the ground no nearer, and what there is comes out, with
/// a warning that names the bounds and a place; `report` counts what of each kind is missed, and `missed`
/// shows where. With `on_conflict: Loosen` roughness, and then given heights, are given up around such
/// places, and relaxation goes on until what is left is met; `report` tells at how many samples (`loosened`).
/// `met` is said of the heights as they come out, in single precision.
///
/// **Banks.** The least earth that must be moved lies in walls beside the path. So ground off the path
/// becomes no steeper than `bank_slope`, or than it was where it was steeper: cuts and embankments rise at
/// that slope until they reach the ground, and ground that they do not reach stays as it is, to the bit with
/// the fast solvers. With a `bank_slope` no height leaves the range of the ground, unless it is given or
/// roughness binds. Where the ground is as steep as banks all the way up a hillside, a cut runs up that
/// hillside: give such ground steeper banks, or a way that climbs less. `bank_slope: None` is the thesis's
/// problem.
///
/// **Earth** is moved, never made, unless heights are given: then earth is brought or taken away where these
/// make it necessary, also without banks. In a world, where heights on every border are given, patches
/// balance only nearly. With `earth: Balanced` the fast solvers may bring earth or take it away, anywhere, at
/// `creation_cost` for each unit of height: that pays where earth would otherwise be moved farther than twice
/// as far.
///
/// Sweeps grow as the number of samples: a patch of 129 x 129 takes some 25,000 in the thesis's setting.
/// `Draft` and `NearOptimal` are not the thesis's: they solve the convex problem that slopes are by a
/// primal-dual method, and then sweep where something is left. They come near the minimum of earth times
/// distance, `NearOptimal` nearer, and move about as much earth as that takes, in a hundredth of the time.
/// Where roughness binds too, sweeps follow. `scales` keeps roughness at several scales at once, and
/// `border_slope` the slope across the border; neither is the thesis's.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (65, 65), spacing: 2.0, seed: 7,
///     nodes: {
///         "ground": MidpointDisplacement(lattice: 2),
///         "graph": PathGraph(nodes: [(20, 20), (100, 30), (64, 110)], edges: [(0, 1), (1, 2)]),
///         "bounds": SubdividePath(height: "ground", graph: "graph", max_slope: 0.0035, cost: Thesis),
///         "paths": RelaxPath(height: "ground", subdivision: "bounds", history_every: 100),
///         "shade": Hillshade(height: "paths", exaggeration: 40.0),
///     },
///     outputs: {
///         "paths.exr": "paths",
///         "shade.png": "shade",
///         "report.json": "paths.report",
///         "history.csv": "paths.history",
///     },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "paths", version = 9, tiles = Global, because = "what one sample gives way by, others have \
    to follow", paper = "Velzel, section 4.1.1", working_maps = 40.0)]
#[output(height: Map, unit = "world units", doc = "The ground, bent.")]
#[output(report: Table, doc = "One row: met (1 where no bound is missed), iterations, missed bounds, stuck \
    (1 where bounds conflict), period (iterations after which heights come again, 0 where they do not); for \
    gradient, directional, bank, roughness, scales (roughness at larger ones), border_slope and position \
    each `_missed` (samples that miss it) and `_conflict` (1 where it is missed or binds samples where \
    others are); x and y of the sample that misses most, no numbers where none does; loosened (samples whose \
    roughness or given height was given up); cut and fill in cubic world units, highest_cut and \
    highest_fill, steepest_bank (the steepest gradient of moved ground off the path).")]
#[output(history: Table, doc = "Per `history_every` iterations: iteration, missed bounds, sum of what they \
    are missed by, most.")]
#[output(missed: Map, lazy, doc = "1 where a bound is missed, 0 elsewhere.")]
#[output(moved: Map, unit = "world units", doc = "What each sample gained, or lost where negative.")]
#[output(edges: Table, doc = "What was moved nearest to each edge's way: edge, cut, fill, highest_cut, \
    highest_fill, steepest_bank.")]
pub struct RelaxPath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What is asked of it, of `SubdividePath`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, where the subdivision wants some given there; without, those that the
    /// subdivision gives.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// How much steeper than its bound a slope may be.
    #[param(default = TOLERANCE, above = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
    /// How far roughness may be from what it was.
    #[param(default = 0.04, min = 0.0)]
    pub roughness_tolerance: f64,
    /// The most iterations.
    #[param(default = 1_000_000, min = 1)]
    pub max_iterations: u64,
    /// How samples are moved.
    #[param(default = Solver::Reference)]
    pub solver: Solver,
    /// Whether to end where nothing gets better any more.
    #[param(default = true)]
    pub early_exit: bool,
    /// What happens where bounds conflict, which is noticed with `early_exit`.
    #[param(default = OnConflict::Report)]
    pub on_conflict: OnConflict,
    /// Scales at which roughness is kept.
    #[param(default = vec![1], min = 1, max = 64, unit = "samples")]
    pub scales: Vec<u32>,
    /// Whether slopes across the patch's border are kept, where heights on it are given: over the width of
    /// the subdivision's border, where no path binds.
    #[param(default = false)]
    pub border_slope: bool,
    /// How steep ground off the path may become, where it was not steeper, to within 0.001. `None`: as steep
    /// as it likes.
    #[param(default = BANK_SLOPE, above = 0.0, unit = "rise over run")]
    pub bank_slope: Option<f64>,
    /// Whether earth may be brought or taken away.
    #[param(default = Earth::Conserved)]
    pub earth: Earth,
    /// Cost of a unit of height that is brought or taken away; without, twice the length of the map's longer
    /// side, which hardly ever pays.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
    /// Does nothing any more: banks took its place.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub spread: Option<f64>,
    /// Iterations between rows of `history`; 0 keeps none.
    #[param(default = 0)]
    pub history_every: u64,
}

impl Evaluate for RelaxPath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision, border.as_deref())?;
        let mut field = Field::new(&faded(&height, &subdivision));
        let scales: Vec<usize> = self.scales.iter().map(|&scale| scale as usize).collect();
        let given = Given {
            border: border.as_ref().map(|border| &border.0),
            slope_tolerance: self.slope_tolerance,
            roughness_tolerance: self.roughness_tolerance,
            scales: &scales,
            border_slope: self.border_slope,
            bank_slope: self.bank_slope,
        };
        let known: Vec<f64> = subdivision.world.iter().map(|&height| f64::from(height)).collect();
        let parameters = Relaxation {
            solver: self.solver.into(),
            max_iterations: self.max_iterations,
            early_exit: self.early_exit,
            history_every: self.history_every,
            creation_cost: (self.earth == Earth::Balanced)
                .then(|| creation_cost(self.creation_cost, &height)),
            known: (!known.is_empty()).then_some(&known[..]),
        };
        if self.spread.is_some() {
            cx.warn(
                "`spread` does nothing any more: `bank_slope` keeps earth from lying in walls; leave \
                `spread` out",
            );
        }
        cx.progress(0.0)?;
        let (start, mut subdivision) = (field.clone(), subdivision.0.clone());
        let (mut out, loosened) = match self.on_conflict {
            OnConflict::Report => {
                let constraints = bounds_to_round(&start, &subdivision, &given);
                cx.progress(0.0)?;
                (relax(&mut field, &constraints, &parameters, &Report(cx)).map_err(cancelled)?, 0)
            }
            OnConflict::Loosen => {
                relax_loosening(&mut field, &mut subdivision, &given, &parameters, &Report(cx))
                    .map_err(cancelled)?
            }
        };
        if loosened > 0 {
            cx.warn(format!(
                "bounds conflict: roughness or given heights were given up at {loosened} samples"
            ));
        }
        cx.progress(1.0)?;
        let asked = bounds(&start, &subdivision, &given);
        cx.progress(1.0)?;
        let built = height.with_grid(field.grid());
        // What counts are the heights that come out.
        let (surveys, violations) = survey(&asked, &Field::new(&built), &height);
        out.missed = surveys.iter().map(|survey| survey.missed as u64).sum();
        if out.missed == 0 {
            out.outcome = Outcome::Met;
            out.conflict.clear();
        } else if out.outcome == Outcome::Met {
            out.outcome = Outcome::Limit;
            cx.warn(format!(
                "heights in single precision are too coarse for a slope_tolerance of {}: {} bounds are \
                missed by rounding; allow more, or subtract an offset from the heights",
                self.slope_tolerance, out.missed
            ));
        }
        let worst = worst(&surveys, &height);
        if let (Outcome::Stuck { .. }, Some((x, y))) = (&out.outcome, worst) {
            cx.warn(format!(
                "bounds conflict: {}; {} are missed, most at ({x}, {y}); output `missed` shows where",
                out.conflict.join(", "),
                out.missed
            ));
        }
        let missed = if cx.asked(Self::MISSED) {
            let missed = violations.grid().map(|&by| f32::from(u8::from(by > 0.0)));
            height.with_grid(missed)
        } else {
            Heightmap::constant(Domain::new(0, 0), 0.0)
        };
        let (all, edges) = earthworks(&height, &built, &subdivision, &Report(cx)).map_err(cancelled)?;
        let report = report(&out, &surveys, (worst, loosened), &all);
        let moved = difference(&built, &height);
        Ok((Map(built), report, history(&out), Map(missed), Map(moved), of_edges(&edges)))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.on_conflict == OnConflict::Loosen && !self.early_exit {
            return Err(Invalid {
                field: "on_conflict",
                message: "without early_exit no conflict is noticed".to_owned(),
                help: "leave out `early_exit: false`, or take `on_conflict: Report`".to_owned(),
            });
        }
        let mut scales = self.scales.clone();
        scales.sort_unstable();
        match scales.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Invalid {
                field: "scales",
                message: format!("the scale {} is there twice", pair[0]),
                help: "name each scale once".to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Bounds, and for the fast solvers a system of equations.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        match self.solver {
            Solver::Draft | Solver::NearOptimal => maps(sizes, 120.0),
            _ => 0,
        }
    }
}

/// Kinds of bounds as columns name them, and as kernels do.
pub(crate) const KINDS: [(&str, &str); 7] = [
    ("gradient", "gradient"),
    ("directional", "directional"),
    ("bank", "bank"),
    ("roughness", "roughness"),
    ("scales", "roughness at a scale"),
    ("border_slope", "border slope"),
    ("position", "position"),
];

fn report(
    out: &Relaxed,
    surveys: &[Survey],
    (worst, loosened): (Option<(f64, f64)>, usize),
    moved: &Earthworks,
) -> Table {
    let flag = |is: bool| f64::from(u8::from(is));
    let (stuck, period) = match out.outcome {
        Outcome::Stuck { period } => (true, period.unwrap_or(0)),
        Outcome::Met | Outcome::Limit => (false, 0),
    };
    let mut row = vec![
        ("met".to_owned(), flag(out.outcome == Outcome::Met)),
        ("iterations".to_owned(), out.iterations as f64),
        ("missed".to_owned(), out.missed as f64),
        ("stuck".to_owned(), flag(stuck)),
        ("period".to_owned(), f64::from(period)),
    ];
    for (column, name) in KINDS {
        let missed: usize = surveys.iter().filter(|survey| survey.name == name).map(|s| s.missed).sum();
        row.push((format!("{column}_missed"), missed as f64));
        row.push((format!("{column}_conflict"), flag(out.conflict.contains(&name))));
    }
    let (x, y) = worst.unwrap_or((f64::NAN, f64::NAN));
    row.extend([("x".to_owned(), x), ("y".to_owned(), y), ("loosened".to_owned(), loosened as f64)]);
    row.extend(EARTHWORKS.iter().map(|(name, number)| ((*name).to_owned(), number(moved))));
    let row: Vec<(&str, f64)> = row.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    Table::row(&row)
}

/// A column of what was moved.
type Column = (&'static str, fn(&Earthworks) -> f64);

/// What was moved as columns name it.
const EARTHWORKS: [Column; 5] = [
    ("cut", |moved| moved.cut),
    ("fill", |moved| moved.fill),
    ("highest_cut", |moved| moved.highest_cut),
    ("highest_fill", |moved| moved.highest_fill),
    ("steepest_bank", |moved| moved.steepest_bank),
];

/// What was moved for each edge.
fn of_edges(edges: &[Earthworks]) -> Table {
    let mut columns = vec![("edge", (0..edges.len()).map(|edge| edge as f64).collect())];
    columns.extend(EARTHWORKS.iter().map(|(name, number)| (*name, edges.iter().map(number).collect())));
    Table::new(columns)
}

/// What each sample gained.
fn difference(after: &Heightmap, before: &Heightmap) -> Heightmap {
    let (w, h) = after.domain().size;
    let gained = after.samples().iter().zip(before.samples()).map(|(now, then)| now - then).collect();
    after.with_grid(Grid::from_vec(w, h, gained))
}

/// Where a bound is missed by the most, heights over the spacing.
fn worst(surveys: &[Survey], map: &Map) -> Option<(f64, f64)> {
    let domain = map.domain();
    let most = |survey: &Survey| match survey.name {
        "position" => survey.most / domain.spacing,
        _ => survey.most,
    };
    let first = |a: &&Survey, b: &&Survey| most(a).total_cmp(&most(b)).then(std::cmp::Ordering::Greater);
    let at = surveys.iter().filter(|survey| survey.worst.is_some()).max_by(first)?.worst? as usize;
    Some((domain.x(at % domain.width()), domain.y(at / domain.width())))
}

fn history(out: &Relaxed) -> Table {
    let column = |number: &dyn Fn(&relax::Sweep) -> f64| out.history.iter().map(number).collect();
    Table::new(vec![
        ("iteration", column(&|sweep| sweep.iteration as f64)),
        ("missed", column(&|sweep| sweep.missed as f64)),
        ("sum", column(&|sweep| sweep.sum)),
        ("most", column(&|sweep| sweep.most)),
    ])
}
