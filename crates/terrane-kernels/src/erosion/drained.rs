//! Ground whose hollows are removed before it erodes.

use terrane_compute::{Alive, Cancelled};

use super::steepness::measure;
use super::talus::Slopes;
use crate::ScalarMap;
use crate::hydrology::{DepressionRemoval, Hollowed};

/// The slope of the sides of channels through the rims of hollows, unless the ground was steeper. Channels
/// with walls would remain as slots.
const SIDES: f32 = 0.5;

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
    let (mut steepness, sides) = (Vec::new(), Some(ScalarMap::Constant(SIDES)));
    measure(sides, (shape, spacing), ground.heights, &mut steepness, alive)?;
    let slopes = Slopes { shape, spacing, talus: |at: usize| steepness[at], sea_level: f32::NEG_INFINITY };
    slopes.lower(&mut heights, |at| ground.held.get(at) == Some(&true), alive)?;
    remove(&heights)
}
