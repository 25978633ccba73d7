//! How well ground keeps to its bounds.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalInput};
use terrane_kernels::relax::{Field, Given, bounds, survey};

use crate::paths::support::{TOLERANCE, fits};
use crate::values::{Bounds, Map, Table};

/// How well ground keeps to the bounds of paths: of each kind, the share that is missed, by how much on average and at most, and where.
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
#[node(category = "metrics", tiles = Global, paper = "Velzel, section 5.2.1", working_maps = 4.0)]
#[output(report: Table, doc = "One row, for gradient, directional, roughness and position each: samples bound, share of them missed, mean and most of what they are missed by; slopes and roughness are rise over run, positions world units.")]
#[output(violations: Map, doc = "Per sample the most that any of its bounds is missed by, 0 where none is.")]
pub struct ConstraintReport {
    /// The ground.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// What is asked of it, of `SubdividePath`.
    #[input]
    pub subdivision: Input<Bounds>,
    /// Heights where the subdivision wants some given; without, none is missed.
    #[input(unit = "world units")]
    pub border: OptionalInput<Map>,
    /// How much steeper than its bound a slope may be.
    #[param(default = TOLERANCE, above = 0.0, unit = "rise over run")]
    pub slope_tolerance: f64,
    /// How far roughness may be from what it was.
    #[param(default = 0.04, min = 0.0)]
    pub roughness_tolerance: f64,
}

impl Evaluate for ConstraintReport {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, subdivision, border) = (self.height.get(), self.subdivision.get(), self.border.get());
        fits(&height, &subdivision, border.as_deref())?;
        let field = Field::new(&height);
        let given = Given {
            border: border.as_ref().map(|border| &border.0),
            slope_tolerance: self.slope_tolerance,
            roughness_tolerance: self.roughness_tolerance,
            scales: &[1],
            border_slope: false,
            bank_slope: None,
        };
        let (surveys, worst) = survey(&bounds(&field, &subdivision, &given), &field, &height);
        let mut row = Vec::new();
        for name in ["gradient", "directional", "roughness", "position"] {
            let found = surveys.iter().find(|survey| survey.name == name);
            let number = |of: &dyn Fn(&terrane_kernels::relax::Survey) -> f64| found.map_or(0.0, of);
            row.push((name.to_owned(), number(&|s| s.bound as f64)));
            row.push((format!("{name}_missed"), number(&|s| s.missed as f64 / s.bound.max(1) as f64)));
            row.push((format!("{name}_mean"), number(&|s| s.mean)));
            row.push((format!("{name}_most"), number(&|s| s.most)));
        }
        let row: Vec<(&str, f64)> = row.iter().map(|(name, number)| (name.as_str(), *number)).collect();
        Ok((Table::row(&row), Map(worst)))
    }
}
