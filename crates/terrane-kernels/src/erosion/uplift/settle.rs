//! Limits slopes to the talus.

use super::state::State;
use crate::Cancelled;
use crate::erosion::talus::Slopes;
use terrane_compute::Alive;

impl State<'_> {
    /// Limits the height of sample `at`, which drains to sample `to` with the height `below`. Alone, this
    /// would leave divides above valleys that grew in this step as cliffs, but less is left to
    /// [`settle`](Self::settle), which also removes what this allows for rounding.
    #[inline]
    pub(super) fn limited(&self, at: usize, height: f64, to: usize, below: f64) -> f64 {
        height.min(below + self.rise(at, to) + 4.0 * f64::from(f32::EPSILON) * height.abs())
    }

    /// How much higher than sample `to` sample `at` may be.
    #[inline]
    pub(super) fn rise(&self, at: usize, to: usize) -> f64 {
        let Some(&steepness) = self.steepness.get(at) else { return f64::INFINITY };
        f64::from(steepness * self.spacing) * self.nodes.between_tiles(at, to)
    }

    /// Lowers samples that became steeper in this step than they may be, but none below its floor.
    pub(super) fn settle(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let Self { parameters, shape, spacing, sea, floor, heights, remainders, steepness, .. } = self;
        if parameters.talus.is_some() {
            // The river factors of this step are no longer needed.
            let before = &mut self.factors;
            before.copy_from_slice(heights);
            let talus = |at: usize| steepness[at];
            let slopes = Slopes { shape: *shape, spacing: *spacing, talus, sea_level: f32::NEG_INFINITY };
            slopes.lower(heights, |at| sea[at], alive)?;
            let limited = before.iter().zip(&*heights).map(|(before, after)| before != after);
            let limited = remainders.iter_mut().zip(limited).filter(|(_, limited)| *limited);
            limited.for_each(|(remainder, _)| *remainder = 0.0);
        }
        for ((height, remainder), &floor) in heights.iter_mut().zip(remainders).zip(&*floor) {
            if *height < floor {
                (*height, *remainder) = (floor, 0.0);
            }
        }
        alive()
    }
}
