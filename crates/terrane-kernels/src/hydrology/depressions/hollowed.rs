//! Ground with hollows, and its ground without them.

use std::sync::atomic::Ordering::Relaxed;

use terrane_compute::{Alive, Cancelled};
use terrane_grid::Shape;

use super::super::{Flats, LakeBuffers, LakeTerrain, Network, Ties, steepest};
use super::breach::Breached;
use super::fates::{Choice, Fates};
use super::hollows::Hollows;
use super::removal::{DepressionRemoval, Fate};

/// Ground with hollows.
#[derive(Clone, Copy)]
pub(crate) struct Hollowed<'a> {
    pub shape: Shape,
    pub heights: &'a [f32],
    /// The samples where water ends or leaves the map. Holes are among them.
    pub ends: &'a [bool],
    /// The samples whose heights may not change; empty if there are none.
    pub held: &'a [bool],
    pub spacing: f64,
    pub ties: Ties,
}

/// Ground without hollows.
pub(crate) struct Removed {
    pub heights: Vec<f32>,
    /// The depth of the hollows.
    pub depth: Vec<f32>,
    pub(super) hollows: Hollows,
    /// One for each hollow.
    pub(super) fates: Vec<Fate>,
}

impl Hollowed<'_> {
    /// Removes hollows, as [`depressions`](super::depressions()) says. The sea level and the boundary of the
    /// parameters do not count.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn remove(&self, parameters: &DepressionRemoval, alive: &Alive<'_>) -> Result<Removed, Cancelled> {
        let heights = self.heights;
        let mut buffers = LakeBuffers::new(heights.len());
        let mut hollows = self.find(&mut buffers, alive)?;
        let basins = buffers.into_basins();
        if hollows.all.is_empty() {
            let depth = heights.iter().map(|height| if height.is_nan() { f32::NAN } else { 0.0 }).collect();
            return Ok(Removed { heights: heights.to_vec(), depth, hollows, fates: Vec::new() });
        }
        let basin = |at: usize| basins[at].load(Relaxed);
        hollows.measure(heights, basin, alive)?;
        let ground = Breached {
            shape: self.shape,
            heights,
            ends: self.ends,
            held: self.held,
            spacing: self.spacing,
            max_depth: parameters.max_depth,
            max_length: parameters.max_length,
        };
        let choice = Choice { method: parameters.method, ground, hollows: &hollows, basin: &basin };
        let Fates { all: fates, channels } = choice.make(alive)?;
        let mut changed = heights.to_vec();
        choice.fill(&fates, &mut changed, alive)?;
        if channels.iter().any(Option::is_some) {
            let filled = changed.clone();
            let ground = Breached { heights: &filled, ..ground };
            for channel in channels.iter().flatten() {
                ground.cut(channel, &mut changed);
                alive()?;
            }
        }
        let mut depth = heights.to_vec();
        hollows.raise(&hollows.levels(|_| true), basin, &mut depth, alive)?;
        for (depth, height) in depth.iter_mut().zip(heights) {
            *depth = if depth == height { 0.0 } else { *depth - height };
        }
        Ok(Removed { heights: changed, depth, hollows, fates })
    }

    /// Finds the hollows, and the basin of each sample.
    pub(in super::super) fn find(
        &self,
        buffers: &mut LakeBuffers,
        alive: &Alive<'_>,
    ) -> Result<Hollows, Cancelled> {
        let Self { shape, heights, ends, ties, .. } = *self;
        let mut network = Network::new(heights.len());
        let to = |position, at| steepest(heights, shape, position, at, &ties);
        network.receive(shape.width, ends, alive, to)?;
        let flats = Flats { shape, heights, directions_used: 8, ties };
        flats.lead(&mut network, None, |at| ends[at], alive)?;
        let ground = LakeTerrain { shape, heights, sea: ends, open: false };
        Hollows::find(heights, &ground.lakes(&network, buffers, alive)?, alive)
    }
}
