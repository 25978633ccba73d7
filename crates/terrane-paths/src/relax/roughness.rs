//! Constraints that preserve roughness.

use super::constraint::{BoundKind, Constraint};
use super::field::{Field, Moves};
use super::given::Given;
use crate::path::Subdivision;
use terrane_grid::{DIRECTIONS, Shape};

/// The default tolerance as a share of a sample's goal.
const SHARE: f64 = 0.2;

/// The share of the roughness of a change that is tolerated by default: all of it, and room for what is left
/// of the membrane's movement and for rounding.
const CHANGE_SHARE: f64 = 1.1;

/// Keeps the roughness of samples at one scale: the root of the sum of squared slopes to the eight neighbours
/// (equation 7), which are `scale` samples away. A scale of 1 is the thesis's constraint; larger ones keep
/// larger features, as section 6.1 proposes.
#[derive(Clone, Debug)]
pub struct Roughness {
    samples: Vec<u32>,
    goals: Vec<f64>,
    tolerances: Vec<f64>,
    scale: usize,
}

impl Roughness {
    /// The constraint on a subdivision's samples at a scale, with the roughness of `field` as the goals. At a
    /// scale of 1 the goals are the subdivision's.
    ///
    /// If no tolerance is given, that of a sample is a fifth of its goal, plus the roughness of the change
    /// that paths bring to the ground beside them. By the triangle inequality, the ground with this change
    /// added is within the second part, whatever the ground and the unit of heights. The first part is room
    /// for slopes.
    #[must_use]
    pub fn new(subdivision: &Subdivision, field: &Field, given: &Given<'_>, scale: usize) -> Self {
        let bound = |&at: &u32| !subdivision.roughness[at as usize].is_nan();
        let samples: Vec<u32> = (0..subdivision.roughness.len() as u32).filter(bound).collect();
        let goal = |&at: &u32| match scale {
            1 => f64::from(subdivision.roughness[at as usize]),
            _ => roughness(field, at as usize, scale).0,
        };
        let goals: Vec<f64> = samples.iter().map(goal).collect();
        let change = given
            .change
            .filter(|change| !change.is_empty())
            .map(|change| Field { domain: field.domain, heights: change.to_vec() });
        let tolerance = |(&at, &goal): (&u32, &f64)| {
            let (at, brought) = (at as usize, |change| roughness(change, at as usize, scale).0);
            let tolerance = given.roughness_tolerance.unwrap_or_else(|| {
                SHARE * goal + CHANGE_SHARE * change.as_ref().map_or(0.0, brought) + given.slope_tolerance
            });
            tolerance * f64::from(1u32 << given.widening.get(at).copied().unwrap_or(0))
        };
        let tolerances = samples.iter().zip(&goals).map(tolerance).collect();
        Self { samples, goals, tolerances, scale }
    }

    /// The samples that miss their goals, and by how much, in units of their tolerances.
    pub(super) fn violations(&self, field: &Field) -> impl Iterator<Item = (u32, f64)> {
        self.samples.iter().enumerate().filter_map(|(index, &at)| {
            let excess = self.excess(field, index);
            (excess > 0.0).then(|| (at, excess / self.tolerances[index]))
        })
    }

    /// The factor for the neighbours' differences if the goal is missed, and the neighbours.
    fn factor(&self, field: &Field, index: usize) -> Option<(f64, Around)> {
        let (now, around) = roughness(field, self.samples[index] as usize, self.scale);
        let missed = (now - self.goals[index]).abs() > self.tolerances[index] && now > 0.0;
        missed.then(|| (self.goals[index] / now, around))
    }

    /// Calls `moved` with each sample to be moved and its move. First the differences to the neighbours grow
    /// or shrink. Then all nine samples, or as many as exist, move together, so that the sum does not change.
    fn moves(&self, field: &Field, index: usize, mut moved: impl FnMut(usize, f64)) -> bool {
        let at = self.samples[index] as usize;
        let Some((factor, around)) = self.factor(field, index) else { return false };
        let by = |next: usize| (field.heights[next] - field.heights[at]) * (factor - 1.0);
        let all: f64 = around.iter().map(by).sum();
        let share = all / (around.len() + 1) as f64;
        around.iter().for_each(|next| moved(next, by(next) - share));
        moved(at, -share);
        true
    }
}

/// Neighbours that exist.
#[derive(Clone, Copy)]
struct Around {
    indices: [usize; 8],
    count: usize,
}

impl Around {
    fn new(shape: Shape, at: usize, scale: usize) -> Self {
        let (mut this, place) = (Self { indices: [0; 8], count: 0 }, shape.position(at));
        for &(dx, dy) in &DIRECTIONS[1..] {
            let offset = (dx * scale as isize, dy * scale as isize);
            if let Some(next) = shape.inside(place, offset) {
                this.indices[this.count] = next;
                this.count += 1;
            }
        }
        this
    }

    const fn len(&self) -> usize {
        self.count
    }

    fn iter(&self) -> impl Iterator<Item = usize> {
        self.indices.into_iter().take(self.count)
    }
}

/// The roughness of a sample, with its neighbours.
fn roughness(field: &Field, at: usize, scale: usize) -> (f64, Around) {
    let around = Around::new(field.shape(), at, scale);
    let over = 1.0 / (field.domain.spacing * scale as f64);
    let slope = |next: usize| (field.heights[next] - field.heights[at]) * over;
    let squares: f64 = around.iter().map(|next| slope(next) * slope(next)).sum();
    (squares.sqrt(), around)
}

impl Constraint for Roughness {
    fn kind(&self) -> BoundKind {
        if self.scale == 1 { BoundKind::Roughness } else { BoundKind::RoughnessAtScale }
    }

    fn samples(&self) -> &[u32] {
        &self.samples
    }

    fn reach(&self) -> usize {
        self.scale
    }

    fn moves(&self) -> u32 {
        9
    }

    fn excess(&self, field: &Field, index: usize) -> f64 {
        let (now, _) = roughness(field, self.samples[index] as usize, self.scale);
        let off = (now - self.goals[index]).abs();
        if off > self.tolerances[index] { off } else { 0.0 }
    }

    fn relax(&self, field: &mut Field, index: usize) -> bool {
        // All moves are computed before any is applied: nine at most.
        let (mut moved, mut count) = ([(0usize, 0.0f64); 9], 0);
        let any = self.moves(field, index, |at, by| {
            moved[count] = (at, by);
            count += 1;
        });
        moved[..count].iter().for_each(|&(at, by)| field.heights[at] += by);
        any
    }

    fn gather(&self, field: &Field, index: usize, moves: &mut Moves<'_>) -> bool {
        self.moves(field, index, |at, by| moves.add(at, by))
    }
}
