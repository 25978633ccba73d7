//! Buffers and gorges of erosion with valleys wider than a tile.

use terrane_compute::Alive;
use terrane_compute::parallel::{elements, for_each, try_for_each};

use super::gorge::Cut;
use crate::Cancelled;
use crate::erosion::padded::Padded;
use crate::erosion::valleys::ValleyWidth;

/// Tiles per task.
const TILES: usize = 1 << 14;

/// Buffers of erosion with valleys wider than a tile.
#[derive(Default)]
pub struct Wide {
    /// Land, hold and gorges before gorges are cut.
    before: [Vec<f32>; 3],
    single: Vec<f32>,
    across: Vec<f32>,
    gathered: [Vec<f32>; 3],
}

impl Wide {
    /// Remembers the maps that gorges change.
    pub fn before(&mut self, land: &[f32], hold: &[f32], gorges: &[f32]) {
        for (before, now) in self.before.iter_mut().zip([land, hold, gorges]) {
            before.clear();
            before.extend_from_slice(now);
        }
    }

    /// The water by which rivers erode each tile.
    pub fn gather(&mut self, drainage: &[f32], valleys: ValleyWidth) -> &[f32] {
        valleys.gather(drainage, &mut self.across, &mut self.gathered[0]);
        &self.gathered[0]
    }

    /// Widens gorges, which are one tile wide, to the width of a valley. Beside a gorge the cut and the loss
    /// of strength fall in proportion to the distance, to none at a valley's width. No tile is lowered below
    /// the gorge's bed.
    pub fn widen(
        &mut self,
        cut: &mut Cut<'_>,
        valleys: ValleyWidth,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let Self { before: [land, hold, gorges], single, across, gathered: [depths, beds, freed] } = self;
        let depth = |at: usize| land[at] - cut.land[at];
        let mut gather = |of: &(dyn Fn(usize) -> f32 + Sync), gathered: &mut Vec<f32>| {
            single.resize(land.len(), 0.0);
            for_each(elements(single), TILES, |at, single| *single = of(at));
            valleys.gather(single, across, gathered);
            alive()
        };
        gather(&depth, depths)?;
        gather(&|at| depth(at) * cut.land[at], beds)?;
        gather(&|at| if hold[at] > 0.0 { 1.0 - cut.hold[at] / hold[at] } else { 0.0 }, freed)?;
        let maps = ((elements(cut.land), elements(cut.hold)), elements(cut.gorges));
        try_for_each(maps, TILES, |at, ((new, left), gorge)| {
            *left = hold[at] * (1.0 - freed[at].min(1.0));
            if depths[at] > 0.0 {
                let bed = beds[at] / depths[at];
                *new = (land[at] - depths[at]).max(bed).min(land[at]);
                *gorge = gorges[at] + (land[at] - *new);
            }
            if at.is_multiple_of(TILES) { alive() } else { Ok(()) }
        })
    }

    /// Heights above the ideal, and their means around each tile.
    ///
    /// The mean of four neighbours at a distance of a valley's width has a variance of half its square along
    /// x and y. So has a tent with a radius of √3 widths, which has no gaps.
    pub fn means(&mut self, above_ideal: &Padded, valleys: ValleyWidth) -> (&[f32], &[f32]) {
        let Self { single: above, across, gathered: [means, ..], .. } = self;
        above.clear();
        (0..above_ideal.height).for_each(|row| above.extend_from_slice(above_ideal.row(row)));
        valleys.means(above, 3.0f64.sqrt(), across, means);
        (above, means)
    }
}
