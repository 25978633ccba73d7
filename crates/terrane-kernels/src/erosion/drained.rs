//! Ground whose hollows are removed before it erodes.

use terrane_compute::{Alive, Cancelled};

use super::steepness::measure;
use super::talus::Slopes;
use crate::ScalarMap;
use crate::hydrology::{DepressionRemoval, Hollowed};

/// The steepest sides of channels through the rims of hollows, unless the ground was steeper. Channels with
/// walls would remain as slots.
const SIDES: f64 = 0.5;

/// The heights from which all water leaves: hollows are filled or breached, whichever changes less, and the
/// sides of channels are lowered.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn drained(ground: &Hollowed<'_>, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
    let remove = |heights: &[f32]| {
        let ground = Hollowed { heights, ..*ground };
        ground.remove(&DepressionRemoval::default(), alive).map(|removed| removed.heights)
    };
    let mut heights = remove(ground.heights)?;
    let lowered = heights.iter().zip(ground.heights).any(|(new, old)| new < old);
    if !lowered {
        return Ok(heights);
    }
    let (shape, spacing) = (ground.shape, ground.spacing as f32);
    // In gentle ground the sides are gentle too.
    let sides = (2.0 * mean_slope(ground)).min(SIDES) as f32;
    let mut steepness = Vec::new();
    measure(Some(ScalarMap::Constant(sides)), (shape, spacing), ground.heights, &mut steepness, alive)?;
    let slopes = Slopes { shape, spacing, talus: |at: usize| steepness[at], sea_level: f32::NEG_INFINITY };
    slopes.lower(&mut heights, |at| ground.held.get(at) == Some(&true), alive)?;
    remove(&heights)
}

/// The mean slope between neighbours along rows and columns.
fn mean_slope(ground: &Hollowed<'_>) -> f64 {
    let (width, heights) = (ground.shape.width, ground.heights);
    let along_rows = heights.chunks(width).flat_map(|row| row.windows(2).map(|pair| (pair[0], pair[1])));
    let along_columns = heights.iter().copied().zip(heights.iter().skip(width).copied());
    let differences = along_rows.chain(along_columns).map(|(a, b)| f64::from((a - b).abs()));
    let (sum, count) = differences.fold((0.0, 0.0), |(sum, count), by| (sum + by, count + 1.0));
    if count > 0.0 { sum / count / ground.spacing } else { 0.0 }
}
