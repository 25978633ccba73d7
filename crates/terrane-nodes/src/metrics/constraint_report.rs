//! Report on the bounds of paths.

use terrane_flow::{
    Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Port as _, Sizes, Source,
};
use terrane_paths::path::faded;
use terrane_paths::relax::{Field, Given, Survey, bounds, carried, survey};

use crate::paths::KINDS;
use crate::paths::support::{BANK_SLOPE, TOLERANCE, fits};
use crate::support::{Report, cancelled, maps};
use crate::values::{Bounds, Map, Table};

/// Reports how well ground meets the bounds of paths: for each kind of bound, the share of violations, their
/// mean and maximum, and where they are.
///
/// Use the parameters of the `RelaxPath` node that reshaped the ground, so that the report covers the same
/// bounds. Some bounds depend on the ground before it was reshaped. Roughness at scales above 1 and slopes
/// across the border are compared with that ground. Banks may be as steep as `bank_slope`, or as steep as
/// that ground. To check these bounds, connect the ground to `before`. Fixed heights are those of the
/// subdivision. On the border, `border` replaces them if it is connected.
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
///         "before": ConstraintReport(height: "ground", subdivision: "bounds"),
///     },
///     outputs: { "before.json": "before", "violations.png": "before.violations" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "metrics",
    words = "road paths check violations bounds report verify slope steep quality",
    version = 3, tiles = Global, because = "the report covers all \
    samples", paper = "Velzel, section 5.2.1", working_maps = 9.0)]
#[output(report: Table, doc = "One row, with four numbers for each kind of bound: the number of samples \
    with a bound of this kind, the share of them that violate it (`_missed`), and the mean (`_mean`) and \
    maximum (`_most`) of the violations. The kinds are gradient, directional, bank, roughness, scales \
    (roughness at larger scales), border_slope and position. Violations of slopes and roughness are rise \
    over run, those of positions are in world units.")]
#[output(violations: Map, doc = "Largest violation of any bound at each sample, or 0.")]
pub struct ConstraintReport {
    /// Ground to check.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Bounds on the ground, from `SubdividePath` or `SubdivideMask`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, if the subdivision fixes heights there. Default: those of the subdivision.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// Ground before it was reshaped. Required to check banks, scales above 1 and slopes across the border.
    /// Without it, the default tolerance of roughness does not count the change of the path.
    #[input(unit = "world units")]
    pub before: OptionalInput<Map>,
    /// Tolerance by which a slope may exceed its bound.
    #[param(default = TOLERANCE, above = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
    /// Tolerance by which roughness may differ from its original value. Default: a fifth of the original
    /// roughness, plus 1.1 times the roughness of the change that the path brings to the ground beside it.
    #[param(default = None, min = 0.0, unit = "rise over run")]
    pub roughness_tolerance: Option<f64>,
    /// Scales at which roughness is kept.
    #[param(default = vec![1], min = 1, max = 64, unit = "samples")]
    pub scales: Vec<u32>,
    /// Whether slopes across the patch's border are to be kept where heights on it are fixed.
    #[param(default = false)]
    pub border_slope: bool,
    /// Maximum slope of ground off the path, unless the ground was steeper before. Checked only if `before`
    /// is connected.
    #[param(default = BANK_SLOPE, above = 0.0, unit = "rise over run")]
    pub bank_slope: Option<f64>,
}

impl Evaluate for ConstraintReport {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision)?;
        let before = self.before.get();
        let scales: Vec<usize> = self.scales.iter().map(|&scale| scale as usize).collect();
        let given = Given {
            border: border.as_ref().map(|border| &border.0),
            slope_tolerance: self.slope_tolerance,
            roughness_tolerance: self.roughness_tolerance,
            scales: &scales,
            border_slope: self.border_slope,
            // The bound on banks depends on the ground before it was reshaped.
            bank_slope: self.bank_slope.filter(|_| before.is_some()),
            ..Given::default()
        };
        let field = Field::new(&height);
        // Bounds are derived from the ground before it was reshaped, if that ground is connected.
        let original = before.map(|before| Field::new(&faded(&before, &subdivision)));
        let change = match &original {
            Some(before) => carried(before, &field, &subdivision, self.bank_slope, &Report(cx)),
            None => Ok(Vec::new()),
        };
        let given = Given { change: Some(&change.map_err(cancelled)?), ..given };
        let bounds = bounds(original.as_ref().unwrap_or(&field), &subdivision, &given);
        let (surveys, worst) = survey(&bounds, &field, &height);
        let mut row = Vec::new();
        for (column, kind) in KINDS {
            let found: Vec<&Survey> = surveys.iter().filter(|survey| survey.kind == kind).collect();
            let bound: usize = found.iter().map(|survey| survey.bound).sum();
            let missed: usize = found.iter().map(|survey| survey.missed).sum();
            let sum = found.iter().map(|survey| survey.mean * survey.missed as f64).sum::<f64>() + 0.0;
            let most = found.iter().map(|survey| survey.most).fold(0.0, f64::max);
            // The mean of a single survey is used unchanged, because computing it again would round it
            // differently.
            let mean = if let [one] = found[..] { one.mean } else { sum / missed.max(1) as f64 };
            row.push((column.to_owned(), bound as f64));
            row.push((format!("{column}_missed"), missed as f64 / bound.max(1) as f64));
            row.push((format!("{column}_mean"), mean));
            row.push((format!("{column}_most"), most));
        }
        let row: Vec<(&str, f64)> = row.iter().map(|(name, number)| (name.as_str(), *number)).collect();
        Ok((Table::row(&row), Map(worst)))
    }

    fn check(&self) -> Result<(), Invalid> {
        let unset = |source: &Source| matches!(source, Source::Unset);
        let compared =
            self.scales.iter().any(|&scale| scale > 1) || (self.border_slope && unset(self.border.source()));
        if !compared || !unset(self.before.source()) {
            return Ok(());
        }
        let field = if self.border_slope { "border_slope" } else { "scales" };
        Err(Invalid {
            field,
            message: format!("`{field}` requires the ground before it was reshaped, which is not connected"),
            help: "connect the input terrain of RelaxPath to `before`".to_owned(),
        })
    }

    /// Memory for the bounds of banks, and for the ground before it was reshaped.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if sizes.inputs[3] > 0 { maps(sizes, 13.0) } else { 0 }
    }
}
