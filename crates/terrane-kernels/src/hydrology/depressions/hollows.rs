//! The hollows of a terrain, and how they lie in each other.

use terrane_compute::{Alive, CHECK_INTERVAL, Cancelled, chunks};

use super::super::Lakes;
use super::super::nested::Nested;
use crate::parallel::{slices, try_for_each};

/// Samples that a thread takes at once.
const SAMPLES: usize = 1 << 14;

/// A hollow: ground from which no water leaves before it is full.
///
/// Water that rises from the lowest sample of the hollow reaches its level at the spill, beyond which the
/// ground falls to a lower hollow, to the sea or out of the map. Smaller hollows may lie in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hollow {
    /// The lowest sample, as an index.
    pub bottom: u32,
    /// The height at which water flows out.
    pub level: f32,
    /// The sample over which water flows out, which has this height.
    pub spill: u32,
    /// The hollow in which this one lies, as an index.
    pub parent: Option<u32>,
    /// The number of samples below the level.
    pub samples: u64,
    /// The sum of their depths below the level.
    pub volume: f64,
}

impl Hollow {
    /// The greatest depth below the level.
    pub(super) fn depth(&self, heights: &[f32]) -> f32 {
        self.level - heights[self.bottom as usize]
    }
}

/// The hollows of a map, one for each basin. Those without depth are no hollows but ends of water.
pub(in super::super) struct Hollows {
    /// One for each basin but the sea, whose number is 0.
    pub all: Vec<Hollow>,
    /// Indices of hollows, those that lie in others before these.
    pub inner_first: Vec<u32>,
    /// For each of `inner_first`, the basins on either side of its spill: its own, then that beyond.
    pub across: Vec<(u32, u32)>,
    nested: Nested,
}

impl Hollows {
    /// Finds how hollows lie in each other, without their samples and volumes.
    ///
    /// Basins are joined across their passes, the lowest pass first. Of two groups of basins that meet, that
    /// with the higher bottom is a hollow that is full now, and its water spills to the other group. The sea
    /// is lower than all. O(passes · log passes).
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn find(heights: &[f32], lakes: &Lakes, alive: &Alive<'_>) -> Result<Self, Cancelled> {
        let Lakes { bottoms, passes } = lakes;
        let mut order: Vec<u64> =
            (0u64..).zip(passes).map(|(index, pass)| u64::from(pass.ordered) << 32 | index).collect();
        order.sort_unstable();
        alive()?;
        let empty = Hollow { bottom: 0, level: 0.0, spill: 0, parent: None, samples: 0, volume: 0.0 };
        let mut all: Vec<Hollow> =
            bottoms[1..].iter().map(|&bottom| Hollow { bottom, spill: bottom, ..empty }).collect();
        all.iter_mut().for_each(|hollow| hollow.level = heights[hollow.bottom as usize]);
        let mut groups: Vec<u32> = (0..bottoms.len() as u32).collect();
        let is_lower = |a: u32, b: u32| {
            let height = |basin: u32| heights[bottoms[basin as usize] as usize];
            a == 0 || (b != 0 && (height(a), a) < (height(b), b))
        };
        let mut inner_first = Vec::with_capacity(all.len());
        let mut across = Vec::with_capacity(all.len());
        for part in order.chunks(CHECK_INTERVAL) {
            for &pass in part {
                let pass = &passes[pass as u32 as usize];
                let (a, b) = (group(&mut groups, pass.basins.0), group(&mut groups, pass.basins.1));
                if a == b {
                    continue;
                }
                let (lower, full) = if is_lower(a, b) { (a, b) } else { (b, a) };
                groups[full as usize] = lower;
                let (one, other) = pass.samples;
                let hollow = &mut all[full as usize - 1];
                hollow.level = pass.height();
                hollow.spill = if heights[one as usize] < heights[other as usize] { other } else { one };
                hollow.parent = lower.checked_sub(1);
                inner_first.push(full - 1);
                let (one, other) = pass.basins;
                across.push(if full == a { (one, other) } else { (other, one) });
            }
            alive()?;
        }
        let levels = all.iter().map(|hollow| hollow.level).collect();
        let parents = all.iter().map(|hollow| hollow.parent).collect();
        let nested = Nested::new(levels, parents, inner_first.iter().rev().copied());
        Ok(Self { all, inner_first, across, nested })
    }

    /// The smallest hollow that contains a sample of this basin and height. O(log hollows).
    pub fn of(&self, basin: u32, height: f32) -> Option<usize> {
        self.nested.of(basin.checked_sub(1)?, height)
    }

    /// The level to which each hollow is full if those that `is_full` names are, and all in them. Others have
    /// none.
    pub fn levels(&self, is_full: impl Fn(usize) -> bool) -> Vec<Option<f32>> {
        let mut levels = vec![None; self.all.len()];
        for &hollow in self.inner_first.iter().rev() {
            let Hollow { level, parent, .. } = self.all[hollow as usize];
            let outer = parent.and_then(|parent| levels[parent as usize]);
            levels[hollow as usize] = outer.or(is_full(hollow as usize).then_some(level));
        }
        levels
    }

    /// The level of each basin if all hollows are full. The sea, whose number is 0, has none.
    fn tops(&self) -> Vec<f32> {
        let levels = self.levels(|_| true).into_iter().flatten();
        std::iter::once(f32::NEG_INFINITY).chain(levels).collect()
    }

    /// The heights when all hollows are full, and the depths of the hollows. `basins` has the basin of each
    /// sample.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn full(
        &self,
        heights: &[f32],
        basins: &[u32],
        alive: &Alive<'_>,
    ) -> Result<(Vec<f32>, Vec<f32>), Cancelled> {
        let tops = self.tops();
        let [mut full, mut depths] = [(); 2].map(|()| vec![0.0; heights.len()]);
        try_for_each(
            (slices(&mut full, SAMPLES), slices(&mut depths, SAMPLES)),
            1,
            |part, (full, depths)| {
                let given = heights[part * SAMPLES..].iter().zip(&basins[part * SAMPLES..]);
                for ((full, depth), (&height, &basin)) in full.iter_mut().zip(depths).zip(given) {
                    let top = tops[basin as usize];
                    *full = if height < top { top } else { height };
                    *depth = if height == *full { 0.0 } else { *full - height };
                }
                alive()
            },
        )?;
        Ok((full, depths))
    }

    /// Raises samples to the levels of the hollows that contain them.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn raise(
        &self,
        levels: &[Option<f32>],
        basins: &[u32],
        heights: &mut [f32],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let tops = self.tops();
        try_for_each(slices(heights, SAMPLES), 1, |part, heights| {
            for (height, &basin) in heights.iter_mut().zip(&basins[part * SAMPLES..]) {
                if *height < tops[basin as usize] {
                    let level = self.of(basin, *height).and_then(|hollow| levels[hollow]);
                    *height = level.unwrap_or(*height);
                }
            }
            alive()
        })
    }

    /// Counts the samples of each hollow, and measures its volume. `basins` has the basin of each sample.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn measure(&mut self, heights: &[f32], basins: &[u32], alive: &Alive<'_>) -> Result<(), Cancelled> {
        let tops = self.tops();
        for samples in chunks(heights.len()) {
            for (&height, &basin) in heights[samples.clone()].iter().zip(&basins[samples]) {
                if height < tops[basin as usize]
                    && let Some(hollow) = self.of(basin, height)
                {
                    let hollow = &mut self.all[hollow];
                    hollow.samples += 1;
                    hollow.volume += f64::from(hollow.level) - f64::from(height);
                }
            }
            alive()?;
        }
        for &hollow in &self.inner_first {
            let inner = self.all[hollow as usize];
            if let Some(parent) = inner.parent {
                let outer = &mut self.all[parent as usize];
                outer.samples += inner.samples;
                let deeper = f64::from(outer.level) - f64::from(inner.level);
                outer.volume += inner.volume + deeper * inner.samples as f64;
            }
        }
        alive()
    }
}

/// The lowest basin of the group that a basin belongs to.
fn group(groups: &mut [u32], mut basin: u32) -> u32 {
    while groups[basin as usize] != basin {
        let above = groups[groups[basin as usize] as usize];
        groups[basin as usize] = above;
        basin = above;
    }
    basin
}
