//! The surfaces of bodies of water.

use std::ops::Range;

use terrane_compute::{Alive, CHECK_INTERVAL, Cancelled};

use super::pour::Poured;
use super::tree::Tree;
use crate::parallel::{slices, try_for_each};

/// Bodies of water: the largest nodes of a tree that are one.
pub(super) struct Surfaces {
    /// For each node, the node that is its body of water.
    pub bodies: Vec<Option<u32>>,
    /// For each body, the level of its surface.
    pub levels: Vec<f32>,
    /// For each body, the volume of its water, in samples times height.
    pub volumes: Vec<f64>,
}

impl Surfaces {
    /// Finds the bodies of water and their levels. `node` returns the smallest node that contains a sample.
    ///
    /// A full body has the level of its node. Others have the level below which there is as much room as they
    /// have water: the heights of their samples are sorted. O(samples · log samples).
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn find(
        tree: &Tree,
        poured: &Poured<'_>,
        heights: &[f32],
        nodes: &[u32],
        alive: &Alive<'_>,
    ) -> Result<Self, Cancelled> {
        let count = tree.nodes.len();
        let mut found =
            Self { bodies: vec![None; count], levels: vec![f32::NAN; count], volumes: vec![0.0; count] };
        for at in (0..count as u32).rev() {
            let node = &tree.nodes[at as usize];
            let around = node.parent.and_then(|parent| found.bodies[parent as usize]);
            let own = poured.body(at).filter(|_| around.is_none());
            found.bodies[at as usize] = around.or(own.map(|_| at));
            if let Some(volume) = own {
                found.volumes[at as usize] = volume;
                if poured.is_full(at) {
                    found.levels[at as usize] = node.level;
                }
            }
        }
        alive()?;
        let is_partial = |at: usize| found.is_body(at as u32) && !poured.is_full(at as u32);
        let body = |at: usize| {
            let body = found.bodies.get(nodes[at] as usize).copied().flatten();
            body.map(|body| body as usize).filter(|body| is_partial(*body))
        };
        // The samples of each body that is not full, one body after the other.
        let mut ends = vec![0u32; count + 1];
        for at in 0..heights.len() {
            if let Some(body) = body(at) {
                ends[body] += 1;
            }
        }
        alive()?;
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total - *end;
        }
        let mut samples = vec![0.0f32; total as usize];
        for (at, height) in heights.iter().enumerate() {
            if let Some(body) = body(at) {
                samples[ends[body] as usize] = *height;
                ends[body] += 1;
            }
        }
        alive()?;
        let bodies: Vec<(usize, Range<usize>)> = (0..count)
            .filter(|at| is_partial(*at))
            .map(|at| (at, at.checked_sub(1).map_or(0, |before| ends[before] as usize)..ends[at] as usize))
            .collect();
        for (count, (body, range)) in bodies.into_iter().enumerate() {
            let heights = &mut samples[range];
            heights.sort_unstable_by(f32::total_cmp);
            found.levels[body] = level(heights, found.volumes[body]).min(tree.nodes[body].level);
            if count.is_multiple_of(64) {
                alive()?;
            }
        }
        Ok(found)
    }

    /// Whether a node is a body of water.
    pub fn is_body(&self, node: u32) -> bool {
        self.bodies[node as usize] == Some(node)
    }

    /// The level at each sample; not a number where it is dry. `nodes` are as in [`Surfaces::find`].
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn at_samples(
        &self,
        heights: &[f32],
        nodes: &[u32],
        alive: &Alive<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        let mut levels = vec![f32::NAN; heights.len()];
        try_for_each(slices(&mut levels, CHECK_INTERVAL), 1, |part, levels| {
            for (at, level) in (part * CHECK_INTERVAL..).zip(levels) {
                let body = self.bodies.get(nodes[at] as usize).copied().flatten();
                let surface = body.map_or(f32::NAN, |body| self.levels[body as usize]);
                if heights[at] < surface {
                    *level = surface;
                }
            }
            alive()
        })?;
        Ok(levels)
    }
}

/// The level of this volume of water over ground with these heights, in ascending order.
fn level(heights: &[f32], volume: f64) -> f32 {
    let bottom = heights.first().copied().map_or(0.0, f64::from);
    let mut sum = 0.0;
    for (count, height) in (1u32..).zip(heights) {
        sum += f64::from(*height) - bottom;
        let level = (volume + sum) / f64::from(count);
        let next = heights.get(count as usize).map(|next| f64::from(*next) - bottom);
        if next.is_none_or(|next| level <= next) {
            return (bottom + level) as f32;
        }
    }
    bottom as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_of_volumes_by_hand() {
        let heights = [1.0, 2.0, 2.0, 4.0];
        for (volume, expected) in [(0.5, 1.5), (1.0, 2.0), (4.0, 3.0), (7.0, 4.0), (11.0, 5.0)] {
            assert_eq!(level(&heights, volume), expected);
        }
    }
}
