//! How steep ground may be after a step.

use terrane_compute::{Alive, CHECK_INTERVAL};
use terrane_grid::Shape;

use super::talus::Slopes;
use crate::parallel::{elements, try_for_each};
use crate::{Cancelled, ScalarMap};

/// Finds how steep each sample may be after the next step: as steep as on the ground before it, at least the
/// talus. Empty without a talus.
pub fn measure(
    talus: Option<ScalarMap<'_>>,
    (shape, spacing): (Shape, f32),
    before: &[f32],
    steepness: &mut Vec<f32>,
    alive: &Alive<'_>,
) -> Result<(), Cancelled> {
    let Some(talus) = talus else { return Ok(()) };
    steepness.resize(before.len(), 0.0);
    let talus = |at: usize| talus.at(at);
    let slopes = Slopes { shape, spacing, talus, sea_level: f32::NEG_INFINITY };
    try_for_each(elements(steepness), CHECK_INTERVAL, |at, steepness| {
        *steepness = if talus(at).is_nan() { f32::INFINITY } else { slopes.steepness(before, at) };
        if at.is_multiple_of(CHECK_INTERVAL) { alive() } else { Ok(()) }
    })
}
