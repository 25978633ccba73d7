//! Iterative relaxation of ground along paths.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Sizes};
use terrane_grid::{Domain, Heightmap};
use terrane_kernels::metric::height_difference;
use terrane_paths::path::faded;
use terrane_paths::relax::{
    self, BoundKind, Earthworks, Field, Given, Outcome, Relaxation, Relaxed, Reshaped, Solver, Survey,
    bounds, bounds_to_round, earthworks, relax, reshape, survey,
};

use super::support::{BANK_SLOPE, Earth, TOLERANCE, creation_cost, fits};
use crate::support::{Report, cancelled, maps};
use crate::values::{Bounds, Map, Table};

/// How conflicts between bounds are handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum OnConflict {
    /// Slopes take precedence over roughness, so that paths can be walked. Violated bounds are reported.
    Report,
    /// Like `Report`, but bounds give way until the rest is met. Fixed heights are released near slopes that
    /// conflict with them. Tolerances of roughness are doubled, the worst violations first. A roughness bound
    /// that is still violated after six doublings is dropped.
    Loosen,
    /// The method of Velzel's thesis: all bounds are relaxed together, from the original ground. Where they
    /// conflict, the ground is output as the last iteration leaves it, and paths may be too steep.
    Thesis,
}

/// Reshapes the ground along paths until their slopes are within bounds, moving as little earth as it can:
/// iterative relaxation.
///
/// If a bound is violated by more than its tolerance, earth is moved between neighbouring samples to meet it.
/// This repeats until no bound is violated. Bounds on slopes (on paths, beside paths and on banks) can always
/// be met, because level ground meets them all. Bounds on roughness and fixed heights can conflict with
/// bounds on slopes.
///
/// With `early_exit`, bounds count as conflicting when progress stops. The measure of progress is the sum of
/// all violations after an iteration. After n iterations, progress has stopped if the smallest sum since
/// iteration n/2 is more than 99 % of the smallest sum from iteration n/4 to n/2. The first such test comes
/// after a twentieth of `max_iterations` or after 2048 iterations, whichever is sooner.
///
/// If bounds conflict, a warning names the bounds and a position. The output `report` counts the violations
/// of each kind, and the output `missed` shows where they are. Slopes take precedence over roughness: unless
/// fixed heights forbid it, paths end within their slopes. With `on_conflict: Loosen`, bounds give way until
/// the rest is met. In `report`, `widened` is the number of samples whose roughness got a larger tolerance,
/// and `dropped` the number of samples that lost their roughness bound or fixed height. The number `met` in
/// `report` refers to the output heights, which have single precision.
///
/// **Roughness.** Where ground beside a path keeps its roughness, the path is built first, with banks. Then
/// the ground follows the path: the path's change in height spreads over this ground like a membrane, and
/// the ground keeps its own detail on top. Where the ground is narrow, the change fades out beyond it, at
/// half of `bank_slope`. Last, all bounds are relaxed together. By default, the tolerance of a sample's
/// roughness is a fifth of the original roughness, plus 1.1 times the roughness of the membrane there. So it
/// suits any unit of height. A number for `roughness_tolerance` replaces it.
///
/// **Banks.** Moving as little earth as possible would leave walls beside the path. Therefore ground off the
/// path becomes no steeper than `bank_slope`. Ground that was steeper before becomes no steeper than it was.
/// The slope at a sample is the gradient to one neighbour along x and one along y; `SlopeMap` measures
/// others. Cuts and embankments rise at `bank_slope` until they reach the ground. Ground beyond the cuts and
/// embankments does not change. With `Draft` and `NearOptimal`, it is the same to the bit for each of 197
/// random roads at 65 x 65 samples (`cargo xtask roads`). On larger or steeper ground, some of the samples
/// that they move may lie beyond the banks. With a `bank_slope`, no height leaves the range of the original
/// heights, unless heights are fixed, roughness is bound, or no ground lies off the path. If a hillside is as
/// steep as `bank_slope` all the way up, a cut runs up the whole hillside. In this case, use steeper banks or
/// a route that climbs less. `bank_slope: None` gives the problem as Velzel's thesis states it, without
/// banks.
///
/// **Earth** is moved and conserved, unless heights are fixed or roughness is bound. Where fixed heights
/// require it, earth is imported or exported, with or without a `bank_slope`. Ground that follows a path to
/// keep its roughness need not balance: `report` has the volumes of cut and fill. In a world, heights on
/// every border are fixed, so cut and fill of a patch are only approximately equal. With `earth: Balanced`,
/// the solvers `Draft` and `NearOptimal` may import or export earth anywhere, at `creation_cost` per unit of
/// height. Moving earth costs height times distance, so this cost is a distance. Importing and exporting
/// pays off where earth would otherwise move farther than twice `creation_cost`.
///
/// **Time.** With `Reference`, each iteration is a sweep over all samples. In the thesis's setting, with a
/// maximum slope of 0.0035, 18,600 iterations are the mean of ten patches of 129 x 129 samples. Four times as
/// many samples need three to seven times as many iterations (`graphs/velzel`). `Draft` and `NearOptimal` are
/// not from the thesis. They solve the convex problem of the slope bounds by a primal-dual method, after
/// sweeps have shown where ground has to move. More sweeps follow if bounds are still violated, or if
/// roughness is bound as well. For 114 random roads (`cargo xtask roads`), `Draft` needs at most 1.02 times
/// and `NearOptimal` at most 1.01 times the minimum of earth times distance that `OptimalPath` finds. These
/// roads cross ground of 65 x 65 samples. On larger, steep ground both come less close, and `NearOptimal`,
/// which usually comes closer, is not always cheaper than `Draft`.
///
/// `scales` keeps roughness at several scales at once. `border_slope` keeps the slope across the patch's
/// border. Neither parameter is from the thesis.
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
#[node(category = "paths",
    words = "road roads path grade flatten smooth build earthworks cut fill street slope track \
        embankment walkable drivable",
    version = 13, tiles = Global, because = "a change of one sample can require \
    changes of all others", paper = "Velzel, section 4.1.1", working_maps = 44.0,
    main(slope_tolerance, roughness_tolerance, bank_slope), fits(solver = "Draft"))]
#[output(height: Map, unit = "world units", doc = "The reshaped ground.")]
#[output(report: Table, doc = "One row: met (1 if no bound is violated), iterations, missed (violated \
    bounds), stuck (1 if bounds conflict), period (iterations after which heights repeat, 0 if they do not). \
    Two numbers follow for each kind of bound, such as `bank_missed` (samples that violate a bound of this \
    kind) and `bank_conflict` (1 if bounds of this kind take part in a conflict: one is violated, or one \
    lies near a violated bound of any kind). The kinds are gradient, directional, bank, roughness, scales \
    (roughness at larger scales), border_slope and position. The last numbers are x and y of the sample with \
    the largest violation, not-a-number if there is none; widened (samples whose roughness got a larger \
    tolerance); dropped (samples that lost their roughness bound or fixed height); cut and fill in cubic \
    world units; highest_cut and highest_fill; steepest_bank (the steepest gradient of moved ground off the \
    path).")]
#[output(history: Table, doc = "A row per `history_every` iterations: iteration, missed (violated bounds), \
    sum (sum of the violations), most (largest violation).")]
#[output(missed: Map, lazy, doc = "1 where a bound is violated, 0 elsewhere.")]
#[output(moved: Map, unit = "world units", doc = "Change in height of each sample.")]
#[output(edges: Table, doc = "A row per edge, with the earthworks that are nearest to its route: edge, cut, \
    fill, highest_cut, highest_fill, steepest_bank.")]
pub struct RelaxPath {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Bounds on the ground, from `SubdividePath` or `SubdivideMask`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, if the subdivision fixes heights there. Default: those of the subdivision.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// Tolerance by which a slope may exceed its bound.
    #[param(default = TOLERANCE, above = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
    /// Tolerance by which roughness may differ from its original value. Default: a fifth of the original
    /// roughness, plus 1.1 times the roughness of the change that the path brings to the ground beside it.
    /// The thesis uses 0.04, for heights in [0, 1].
    #[param(default = None, min = 0.0, unit = "rise over run")]
    pub roughness_tolerance: Option<f64>,
    /// Maximum number of iterations. Where roughness is bound or bounds give way, that of each relaxation.
    #[param(default = 1_000_000, min = 1)]
    pub max_iterations: u64,
    /// Method that moves samples.
    #[param(default = Solver::Reference)]
    pub solver: Solver,
    /// Whether to end before `max_iterations` when progress stops.
    #[param(default = true)]
    pub early_exit: bool,
    /// How conflicts between bounds are handled. `Loosen` requires `early_exit`.
    #[param(default = OnConflict::Report)]
    pub on_conflict: OnConflict,
    /// Scales at which roughness is kept.
    #[param(default = vec![1], min = 1, max = 64, unit = "samples")]
    pub scales: Vec<u32>,
    /// Whether to keep slopes across the patch's border where heights on it are fixed. This applies near the
    /// patch's border, within the width `border` of the subdivision, where no path bounds the ground.
    #[param(default = false)]
    pub border_slope: bool,
    /// Maximum slope of ground off the path, unless the ground was steeper before. It is met to within 0.001.
    /// `None` sets no limit.
    #[param(default = BANK_SLOPE, above = 0.0, unit = "rise over run")]
    pub bank_slope: Option<f64>,
    /// Whether earth may be imported and exported.
    #[param(default = Earth::Conserved)]
    pub earth: Earth,
    /// Cost of importing or exporting earth, per unit of its height. Default: twice the length of the map's
    /// longer side. At this cost, importing or exporting rarely pays off.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub creation_cost: Option<f64>,
    /// Iterations between rows of `history`; 0 records none.
    #[param(default = 0)]
    pub history_every: u64,
}

impl Evaluate for RelaxPath {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision)?;
        let mut field = Field::new(&faded(&height, &subdivision));
        let scales: Vec<usize> = self.scales.iter().map(|&scale| scale as usize).collect();
        let given = Given {
            border: border.as_ref().map(|border| &border.0),
            slope_tolerance: self.slope_tolerance,
            roughness_tolerance: self.roughness_tolerance,
            scales: &scales,
            border_slope: self.border_slope,
            bank_slope: self.bank_slope,
            ..Given::default()
        };
        let world_heights: Vec<f64> = subdivision.world.iter().map(|&height| f64::from(height)).collect();
        let parameters = Relaxation {
            solver: self.solver,
            max_iterations: self.max_iterations,
            early_exit: self.early_exit,
            history_every: self.history_every,
            creation_cost: (self.earth == Earth::Balanced)
                .then(|| creation_cost(self.creation_cost, &height)),
            known: (!world_heights.is_empty()).then_some(&world_heights[..]),
        };
        cx.progress(0.0)?;
        let (start, mut subdivision) = (field.clone(), subdivision.0.clone());
        let reshaped = if self.on_conflict == OnConflict::Thesis {
            let constraints = bounds_to_round(&start, &subdivision, &given);
            cx.check()?;
            Reshaped::from(relax(&mut field, &constraints, &parameters, &Report(cx)).map_err(cancelled)?)
        } else {
            let loosens = self.on_conflict == OnConflict::Loosen;
            reshape(&mut field, &mut subdivision, &given, loosens, &parameters, &Report(cx))
                .map_err(cancelled)?
        };
        let (mut out, loosened) = (reshaped.relaxed, [reshaped.widened, reshaped.dropped]);
        let told =
            ["the tolerance of roughness was widened", "roughness bounds or fixed heights were dropped"];
        let told = loosened.into_iter().zip(told).filter(|(count, _)| *count > 0);
        let told: Vec<String> = told.map(|(count, what)| format!("{what} at {count} samples")).collect();
        if !told.is_empty() {
            cx.warn(format!("bounds conflict: {}", told.join(", and ")));
        }
        cx.progress(1.0)?;
        let given = Given { change: Some(&reshaped.change), widening: &reshaped.widening, ..given };
        let final_bounds = bounds(&start, &subdivision, &given);
        cx.check()?;
        let built = height.with_grid(field.grid());
        // Violations are counted in the output heights, which have single precision.
        let (surveys, violations) = survey(&final_bounds, &Field::new(&built), &height);
        out.missed = surveys.iter().map(|survey| survey.missed as u64).sum();
        if out.missed == 0 {
            out.outcome = Outcome::Met;
            out.conflict.clear();
        } else if out.outcome == Outcome::Met {
            out.outcome = Outcome::Limit;
            cx.warn(format!(
                "heights in single precision are too coarse for a slope_tolerance of {}: rounding violates \
                {} bounds; raise the tolerance, or subtract an offset from the heights",
                self.slope_tolerance, out.missed
            ));
        }
        let worst = worst(&surveys, &height);
        if let (Outcome::Stuck { .. }, Some((x, y))) = (&out.outcome, worst) {
            cx.warn(format!(
                "bounds conflict: {}; {} are violated, most strongly at ({x}, {y}); output `missed` shows \
                where",
                out.conflict.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
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
        let moved = height_difference(&height, &built).map;
        Ok((Map(built), report, history(&out), Map(missed), Map(moved), of_edges(&edges)))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.on_conflict == OnConflict::Loosen && !self.early_exit {
            return Err(Invalid {
                field: "on_conflict",
                message: "`on_conflict: Loosen` requires `early_exit`, which detects conflicts".to_owned(),
                help: "leave out `early_exit: false`, or use `on_conflict: Report`".to_owned(),
            });
        }
        let mut scales = self.scales.clone();
        scales.sort_unstable();
        match scales.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(Invalid {
                field: "scales",
                message: format!("the scale {} is listed twice", pair[0]),
                help: "list each scale once".to_owned(),
            }),
            None => Ok(()),
        }
    }

    /// Memory that `Draft` and `NearOptimal` need for their system of equations.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        match self.solver {
            Solver::Draft | Solver::NearOptimal => maps(sizes, 120.0),
            _ => 0,
        }
    }
}

/// The kinds of bounds, each with its name in columns.
pub(crate) const KINDS: [(&str, BoundKind); 7] = [
    ("gradient", BoundKind::Gradient),
    ("directional", BoundKind::Directional),
    ("bank", BoundKind::Bank),
    ("roughness", BoundKind::Roughness),
    ("scales", BoundKind::RoughnessAtScale),
    ("border_slope", BoundKind::BorderSlope),
    ("position", BoundKind::Position),
];

fn report(
    out: &Relaxed,
    surveys: &[Survey],
    (worst, [widened, dropped]): (Option<(f64, f64)>, [usize; 2]),
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
    for (column, kind) in KINDS {
        let missed: usize = surveys.iter().filter(|survey| survey.kind == kind).map(|s| s.missed).sum();
        row.push((format!("{column}_missed"), missed as f64));
        row.push((format!("{column}_conflict"), flag(out.conflict.contains(&kind))));
    }
    let (x, y) = worst.unwrap_or((f64::NAN, f64::NAN));
    let loosened = [("widened", widened as f64), ("dropped", dropped as f64)];
    row.extend([("x", x), ("y", y)].into_iter().chain(loosened).map(|(name, n)| (name.to_owned(), n)));
    row.extend(EARTHWORKS.iter().map(|(name, number)| ((*name).to_owned(), number(moved))));
    let row: Vec<(&str, f64)> = row.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    Table::row(&row)
}

/// A column of the earthworks: its name and its number.
type Column = (&'static str, fn(&Earthworks) -> f64);

/// The columns of the earthworks.
const EARTHWORKS: [Column; 5] = [
    ("cut", |moved| moved.cut),
    ("fill", |moved| moved.fill),
    ("highest_cut", |moved| moved.highest_cut),
    ("highest_fill", |moved| moved.highest_fill),
    ("steepest_bank", |moved| moved.steepest_bank),
];

/// The table of the earthworks of each edge.
fn of_edges(edges: &[Earthworks]) -> Table {
    let mut columns = vec![("edge", (0..edges.len()).map(|edge| edge as f64).collect())];
    columns.extend(EARTHWORKS.iter().map(|(name, number)| (*name, edges.iter().map(number).collect())));
    Table::new(columns)
}

/// The position of the largest violation of a bound. Violations of heights are divided by the spacing, so
/// that they can be compared with those of slopes.
fn worst(surveys: &[Survey], map: &Map) -> Option<(f64, f64)> {
    let domain = map.domain();
    let most = |survey: &Survey| match survey.kind {
        BoundKind::Position => survey.most / domain.spacing,
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
