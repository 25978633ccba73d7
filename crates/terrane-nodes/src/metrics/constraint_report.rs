//! How well ground keeps to its bounds.

use terrane_flow::{
    Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, Port as _, Sizes, Source,
};
use terrane_kernels::path::faded;
use terrane_kernels::relax::{Field, Given, Survey, bounds, survey};

use crate::paths::KINDS;
use crate::paths::support::{BANK_SLOPE, TOLERANCE, fits};
use crate::support::{maps, same_size};
use crate::values::{Bounds, Map, Table};

/// How well ground keeps to the bounds of paths: of each kind, the share that is missed, by how much on
/// average and at most, and where.
///
/// With the parameters of the `RelaxPath` that bent the ground it counts what that one binds. Roughness at
/// scales above 1 and slopes across the border are kept as they were, and banks are no steeper than
/// `bank_slope` or than the ground was: to compare them, connect the ground `before`. Given heights are the
/// subdivision's, inside and, without `border`, on the border as well.
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
#[node(category = "metrics", version = 2, tiles = Global, because = "it is of all samples", paper = "Velzel, \
    section 5.2.1", working_maps = 9.0)]
#[output(report: Table, doc = "One row, for gradient, directional, bank, roughness, scales (roughness at \
    larger ones), border_slope and position each: samples bound, share of them missed, mean and most of what \
    they are missed by; slopes, those across the border and roughness are rise over run, positions world \
    units.")]
#[output(violations: Map, doc = "Per sample the most that any of its bounds is missed by, 0 where none is.")]
pub struct ConstraintReport {
    /// The ground.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What is asked of it, of `SubdividePath`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights on the border, where the subdivision wants some given there; without, those that the
    /// subdivision gives.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// The ground before it was bent, for banks, scales above 1 and slopes across the border.
    #[input(unit = "world units")]
    pub before: OptionalInput<Map>,
    /// How much steeper than its bound a slope may be.
    #[param(default = TOLERANCE, above = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
    /// How far roughness may be from what it was.
    #[param(default = 0.04, min = 0.0)]
    pub roughness_tolerance: f64,
    /// Scales at which roughness is kept.
    #[param(default = vec![1], min = 1, max = 64, unit = "samples")]
    pub scales: Vec<u32>,
    /// Whether slopes across the patch's border are kept, where heights on it are given.
    #[param(default = false)]
    pub border_slope: bool,
    /// How steep ground off the path may have become, where it was not steeper: counted where `before` is
    /// connected.
    #[param(default = BANK_SLOPE, above = 0.0, unit = "rise over run")]
    pub bank_slope: Option<f64>,
}

impl Evaluate for ConstraintReport {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision, border.as_deref())?;
        let before = self.before.get();
        if let Some(before) = &before {
            same_size("height", &height, "before", before)?;
        }
        let scales: Vec<usize> = self.scales.iter().map(|&scale| scale as usize).collect();
        let given = Given {
            border: border.as_ref().map(|border| &border.0),
            slope_tolerance: self.slope_tolerance,
            roughness_tolerance: self.roughness_tolerance,
            scales: &scales,
            border_slope: self.border_slope,
            // How steep ground may be off the path is known only beside what it was.
            bank_slope: self.bank_slope.filter(|_| before.is_some()),
        };
        let field = Field::new(&height);
        // Goals are those of the ground that was bent.
        let was = before.map(|before| Field::new(&faded(&before, &subdivision)));
        let bounds = bounds(was.as_ref().unwrap_or(&field), &subdivision, &given);
        let (surveys, worst) = survey(&bounds, &field, &height);
        let mut row = Vec::new();
        for (column, name) in KINDS {
            let found: Vec<&Survey> = surveys.iter().filter(|survey| survey.name == name).collect();
            let bound: usize = found.iter().map(|survey| survey.bound).sum();
            let missed: usize = found.iter().map(|survey| survey.missed).sum();
            let sum = found.iter().map(|survey| survey.mean * survey.missed as f64).sum::<f64>() + 0.0;
            let most = found.iter().map(|survey| survey.most).fold(0.0, f64::max);
            // One survey's mean is taken as it is, not found again with other rounding.
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
            message: format!("`{field}` compares with the ground before it was bent, which is not there"),
            help: "connect the terrain that RelaxPath read to `before`".to_owned(),
        })
    }

    /// Bounds of banks, and the ground before.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        if sizes.inputs[3] > 0 { maps(sizes, 13.0) } else { 0 }
    }
}
