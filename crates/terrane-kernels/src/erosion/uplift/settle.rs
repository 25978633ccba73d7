//! Limits slopes to the talus.

use super::state::State;
use crate::Cancelled;
use crate::erosion::talus::Slopes;
use terrane_compute::Alive;

impl State<'_> {
    /// Limits the height of sample `at`, which drains to sample `to` with height `below`, so that the slope
    /// between both is at most the talus. Near fixed samples the result is at least the minimum height in
    /// `foot`.
    #[inline]
    pub(super) fn limited(&self, at: usize, height: f32, to: usize, below: f32) -> f32 {
        let height = match self.parameters.talus {
            Some(talus) if height > below => {
                let talus = talus.at(at);
                // This comparison keeps NaN, which means no limit.
                let rise = if talus < 0.0 { 0.0 } else { talus } * self.distance(at, to);
                height.min(below + rise)
            }
            _ => height,
        };
        self.foot.get(at).map_or(height, |&foot| height.max(foot))
    }

    /// Heights for output, with slopes on the grid limited to the talus. Later steps do not use these
    /// heights.
    ///
    /// Steps alone do not ensure this limit. They measure slopes between nodes, whose distances vary with
    /// jitter. They also compute drainage before they erode, so a valley that grows fast leaves its divides
    /// as cliffs until the next step.
    pub(super) fn output_heights(&self, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
        let Self { parameters, shape, spacing, sea, foot, .. } = self;
        let mut heights = self.heights.clone();
        if let Some(talus) = parameters.talus
            && parameters.iterations > 0
        {
            let slopes = Slopes { shape: *shape, spacing: *spacing, talus, sea_level: f32::NEG_INFINITY };
            slopes.lower(&mut heights, |at| sea[at], alive)?;
            heights.iter_mut().zip(foot).for_each(|(height, &foot)| *height = height.max(foot));
        }
        Ok(heights)
    }
}
