//! Runs iterations of a relaxation until all bounds are met, progress stops, or the maximum number of
//! iterations is reached.

use std::collections::BTreeSet;

use super::constraint::{BoundKind, Constraint};
use super::fast::{Effort, approach};
use super::field::Field;
use super::parallel::Parallel;
use super::parameters::{Relaxation, Solver};
use super::reference::Reference;
use super::sweeps::Sweeps;
use super::watch::{Distance, Watch, distance};
use crate::{Cancelled, Progress};

/// The state after a number of iterations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Iterations done.
    pub iteration: u64,
    /// Bound samples that miss their goal.
    pub missed: u64,
    /// The sum of their excesses.
    pub sum: f64,
    /// The maximum excess.
    pub most: f64,
}

/// How a relaxation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All bounds are met.
    Met,
    /// The maximum number of iterations is reached.
    Limit,
    /// There is no more progress: the bounds conflict.
    Stuck {
        /// Number of iterations after which heights repeat; `None` if they do not repeat soon.
        period: Option<u32>,
    },
}

/// The result of a relaxation.
#[derive(Clone, Debug, PartialEq)]
pub struct Relaxed {
    /// How it ended.
    pub outcome: Outcome,
    /// Iterations done, including steps of the fast solvers at full resolution.
    pub iterations: u64,
    /// Number of missed bounds at the end.
    pub missed: u64,
    /// Kinds of constraints that are missed, or that bind samples near missed ones.
    pub conflict: Vec<BoundKind>,
    /// Samples where a bound is missed, sorted.
    pub places: Vec<u32>,
    /// The requested rows of the history.
    pub history: Vec<Sweep>,
}

/// Maximum period of repeating heights, in iterations.
const LONGEST_PERIOD: u32 = 64;

/// Moves heights until all constraints are met. The bits are the same on any number of threads.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels; it is called after every iteration or step.
pub fn relax(
    field: &mut Field,
    constraints: &[Box<dyn Constraint>],
    parameters: &Relaxation<'_>,
    progress: &dyn Progress,
) -> Result<Relaxed, Cancelled> {
    let mut sweeps: Box<dyn Sweeps> = match parameters.solver {
        Solver::Reference | Solver::Draft | Solver::NearOptimal => Box::new(Reference::new(constraints)),
        Solver::Parallel => Box::new(Parallel::new(constraints, field.domain.size)),
    };
    let (mut watch, mut history) = (Watch::new(parameters.max_iterations), Vec::new());
    let effort = match parameters.solver {
        Solver::Reference | Solver::Parallel => None,
        Solver::Draft => Some(Effort::DRAFT),
        Solver::NearOptimal => Some(Effort::NEAR),
    };
    let steps = match effort {
        // At least one sweep must remain, to find out whether anything is missed.
        Some(effort) => {
            let most = parameters.max_iterations.saturating_sub(1);
            approach(field, constraints, (effort, parameters), most, progress)?
        }
        None => 0,
    };
    let (mut iterations, mut outcome) = (steps, Outcome::Limit);
    while iterations < parameters.max_iterations {
        let missed = sweeps.sweep(field);
        iterations += 1;
        progress.report(iterations as f64 / parameters.max_iterations as f64)?;
        let due = watch.is_due(iterations - steps) && parameters.early_exit;
        let is_row_due = parameters.history_every > 0
            && (iterations == steps + 1
                || iterations.is_multiple_of(parameters.history_every)
                || missed == 0);
        let now = (due || is_row_due).then(|| distance(constraints, field));
        if let Some(now) = now.filter(|_| is_row_due) {
            history.push(row(iterations, now));
        }
        if missed == 0 {
            outcome = Outcome::Met;
            break;
        }
        if due && now.is_some_and(|now| watch.is_stuck(iterations - steps, now.sum)) {
            outcome = Outcome::Stuck { period: period(field, sweeps.as_mut()) };
            break;
        }
    }
    let (conflict, places) = conflict(constraints, field);
    let missed = distance(constraints, field).missed;
    Ok(Relaxed { outcome, iterations, missed, conflict, places, history })
}

fn row(iteration: u64, distance: Distance) -> Sweep {
    Sweep { iteration, missed: distance.missed, sum: distance.sum, most: distance.most }
}

/// The number of further iterations after which heights repeat, up to rounding. The field is restored.
fn period(field: &mut Field, sweeps: &mut dyn Sweeps) -> Option<u32> {
    let before = field.heights.clone();
    let same =
        |field: &Field| field.heights.iter().zip(&before).all(|(a, b)| (a - b).abs() <= 1e-12 * b.abs());
    let found = (1..=LONGEST_PERIOD).find(|_| {
        sweeps.sweep(field);
        same(field)
    });
    field.heights = before;
    found
}

/// The constraints that are missed or bind samples near missed ones, and the samples where bounds are missed.
pub(super) fn conflict(constraints: &[Box<dyn Constraint>], field: &Field) -> (Vec<BoundKind>, Vec<u32>) {
    let mut near = vec![false; field.heights.len()];
    let (shape, mut places, mut kinds) = (field.shape(), BTreeSet::new(), BTreeSet::new());
    for constraint in constraints {
        for (index, &at) in constraint.samples().iter().enumerate() {
            if constraint.excess(field, index) > 0.0 {
                places.insert(at);
                kinds.insert(constraint.kind());
                let reach = constraint.reach() as isize;
                for dy in -reach..=reach {
                    for dx in -reach..=reach {
                        if let Some(next) = shape.inside(shape.position(at as usize), (dx, dy)) {
                            near[next] = true;
                        }
                    }
                }
            }
        }
    }
    for constraint in constraints {
        if constraint.samples().iter().any(|&at| near[at as usize]) {
            kinds.insert(constraint.kind());
        }
    }
    (kinds.into_iter().collect(), places.into_iter().collect())
}
