//! Ground with hollows, and its ground without them.

use terrane_compute::{Alive, Cancelled, each};
use terrane_grid::Shape;

use super::super::lowest::lowest_neighbours;
use super::super::{Flats, LakeTerrain, Network, Ties, steepest};
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
        let (mut hollows, basins) = self.find(alive)?;
        if hollows.all.is_empty() {
            let depth = heights.iter().map(|height| if height.is_nan() { f32::NAN } else { 0.0 }).collect();
            return Ok(Removed { heights: heights.to_vec(), depth, hollows, fates: Vec::new() });
        }
        hollows.measure(heights, &basins, alive)?;
        let ground = Breached {
            shape: self.shape,
            heights,
            ends: self.ends,
            held: self.held,
            spacing: self.spacing,
            max_depth: parameters.max_depth,
            max_length: parameters.max_length,
        };
        let choice = Choice { method: parameters.method, ground, hollows: &hollows, basins: &basins };
        let Fates { all: fates, channels } = choice.make(alive)?;
        let (full, depth) = hollows.full(heights, &basins, alive)?;
        let mut changed = Vec::new();
        if !fates.iter().all(|fate| *fate == Fate::Fill) {
            changed = heights.to_vec();
            choice.fill(&fates, &mut changed, alive)?;
        }
        if channels.iter().any(Option::is_some) {
            let filled = changed.clone();
            let ground = Breached { heights: &filled, ..ground };
            for channel in channels.iter().flatten() {
                ground.cut(channel, &mut changed);
                alive()?;
            }
        }
        let heights = if changed.is_empty() { full } else { changed };
        Ok(Removed { heights, depth, hollows, fates })
    }

    /// Finds the hollows, and the number of each sample's basin.
    ///
    /// Samples drain to the lowest of their lower neighbours. How deep hollows are does not depend on the
    /// way down.
    pub(super) fn find(&self, alive: &Alive<'_>) -> Result<(Hollows, Vec<u32>), Cancelled> {
        let Self { shape, heights, ends, .. } = *self;
        let mut numbers = each(heights.len(), alive, |_| 0)?;
        lowest_neighbours(shape, heights, ends, &mut numbers, alive)?;
        let ground = LakeTerrain { shape, heights, sea: ends, open: false };
        let lakes = ground.hollows(&mut numbers, alive)?;
        Ok((Hollows::find(heights, &lakes, alive)?, numbers))
    }

    /// The same with basins whose samples drain along the steepest descent, and across flat ground.
    pub(in super::super) fn find_steepest(
        &self,
        alive: &Alive<'_>,
    ) -> Result<(Hollows, Vec<u32>), Cancelled> {
        let Self { shape, heights, ends, ties, .. } = *self;
        let mut network = Network::new(heights.len());
        let to = |position, at| steepest(heights, shape, position, at, &ties);
        network.receive(shape.width, ends, alive, to)?;
        let flats = Flats { shape, heights, directions_used: 8, ties };
        flats.lead(&mut network, None, |at| ends[at], alive)?;
        let ground = LakeTerrain { shape, heights, sea: ends, open: false };
        let mut numbers = network.receivers;
        let lakes = ground.hollows(&mut numbers, alive)?;
        Ok((Hollows::find(heights, &lakes, alive)?, numbers))
    }
}
