//! Ground that stands no steeper than the talus.

use super::state::State;
use crate::Cancelled;
use crate::erosion::talus::Slopes;
use crate::hydrology::Alive;

impl State<'_> {
    /// The height that ground at `at`, which drains to `to`, stands at: at most the talus above `below`, at
    /// least its foot beside a fixed border.
    #[inline]
    pub(super) fn standing(&self, at: usize, height: f32, to: usize, below: f32) -> f32 {
        let height = match self.parameters.talus {
            Some(talus) if height > below => {
                let talus = talus.at(at);
                // In this order a talus that is no number counts as none.
                let rise = if talus < 0.0 { 0.0 } else { talus } * self.distance(at, to);
                height.min(below + rise)
            }
            _ => height,
        };
        self.foot.get(at).map_or(height, |&foot| height.max(foot))
    }

    /// Heights as they are to be seen, which nothing goes on from: no steeper than the talus on the grid.
    /// Steps measure slopes between nodes, which jitter moves nearer and farther, and find where water runs
    /// before they wear the ground down, so that a valley which grows fast leaves divides as cliffs until the
    /// next step.
    pub(super) fn settled(&self, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
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
