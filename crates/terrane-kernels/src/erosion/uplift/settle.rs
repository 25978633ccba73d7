//! Ground that stands no steeper than the talus.

use super::state::{State, lowest};
use crate::Cancelled;
use crate::hydrology::{Alive, PATIENCE};

impl State<'_> {
    /// The height that ground at `at`, which drains to `to`, stands at: at most the talus above `below`, at least its foot beside a fixed border.
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

    /// Heights as they are to be seen. A step finds where water runs before it wears the ground down, so that a valley which grows fast leaves its
    /// divides as cliffs until the next step; here they slide down to the talus. Nothing goes on from these heights.
    pub(super) fn settled(&self, alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
        let mut heights = self.heights.clone();
        if self.parameters.talus.is_none() || self.parameters.iterations == 0 {
            return Ok(heights);
        }
        let (width, count) = (self.shape.width, heights.len());
        let mut backward = false;
        loop {
            let mut moved = false;
            for index in 0..count {
                if index.is_multiple_of(PATIENCE) {
                    alive()?;
                }
                let at = if backward { count - 1 - index } else { index };
                if self.sea[at] {
                    continue;
                }
                let to = lowest(&heights, self.shape, (at % width, at / width), at);
                if to == at {
                    continue;
                }
                let height = self.standing(at, heights[at], to, heights[to]);
                if height < heights[at] {
                    heights[at] = height;
                    moved = true;
                }
            }
            if !moved {
                return Ok(heights);
            }
            backward = !backward;
        }
    }
}
