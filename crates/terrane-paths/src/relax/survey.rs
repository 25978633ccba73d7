//! Statistics of how well a terrain meets its constraints.

use terrane_grid::{Grid, Heightmap};

use super::constraint::{BoundKind, Constraint};
use super::field::Field;

/// Statistics of one kind of constraint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survey {
    /// The constraint's kind.
    pub kind: BoundKind,
    /// Number of bound samples.
    pub bound: usize,
    /// Number of these that miss their goal.
    pub missed: usize,
    /// Mean excess of the samples that miss their goal, in the constraint's unit.
    pub mean: f64,
    /// Maximum excess.
    pub most: f64,
    /// The first sample with the maximum excess.
    pub worst: Option<u32>,
}

/// Statistics of each constraint, and per sample the maximum excess over any of its bounds.
#[must_use]
pub fn survey(
    constraints: &[Box<dyn Constraint>],
    field: &Field,
    like: &Heightmap,
) -> (Vec<Survey>, Heightmap) {
    let mut worst = vec![0.0f32; field.heights.len()];
    let mut of = |constraint: &dyn Constraint| {
        let samples = constraint.samples();
        let (mut missed, mut sum, mut most, mut place) = (0usize, 0.0, 0.0f64, None);
        for (index, &at) in samples.iter().enumerate() {
            let excess = constraint.excess(field, index);
            missed += usize::from(excess > 0.0);
            sum += excess;
            if excess > most {
                (most, place) = (excess, Some(at));
            }
            worst[at as usize] = worst[at as usize].max(excess as f32);
        }
        Survey {
            kind: constraint.kind(),
            bound: samples.len(),
            missed,
            mean: sum / missed.max(1) as f64,
            most,
            worst: place,
        }
    };
    let surveys = constraints.iter().map(|constraint| of(&**constraint)).collect();
    let (w, h) = field.domain.size;
    (surveys, like.with_grid(Grid::from_vec(w, h, worst)))
}
