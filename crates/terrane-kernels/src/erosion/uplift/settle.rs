//! Limits slopes to the talus.

use super::state::State;
use crate::Cancelled;
use crate::erosion::talus::Slopes;
use crate::hydrology::Alive;

impl State<'_> {
    /// The height of the ground at `at`, which drains to `to`, with its slope above `below` limited to the
    /// talus. Near fixed samples it is at least its minimum height, `foot`.
    #[inline]
    pub(super) fn limited(&self, at: usize, height: f32, to: usize, below: f32) -> f32 {
        let height = match self.parameters.talus {
            Some(talus) if height > below => {
                let talus = talus.at(at);
                // In this order a NaN talus counts as none.
                let rise = if talus < 0.0 { 0.0 } else { talus } * self.distance(at, to);
                height.min(below + rise)
            }
            _ => height,
        };
        self.foot.get(at).map_or(height, |&foot| height.max(foot))
    }

    /// Heights for output, with slopes on the grid limited to the talus; later steps do not use them. Steps
    /// measure slopes between nodes, whose distances vary with jitter, and compute drainage before they
    /// erode, so that a fast-growing valley leaves its divides as cliffs until the next step.
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
