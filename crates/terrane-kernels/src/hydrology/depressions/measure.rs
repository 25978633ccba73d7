//! How much ground lies in hollows.

use terrane_compute::{Alive, Cancelled, chunks, parallel};

use super::hollowed::Hollowed;

/// How much ground lies in hollows, from which no water leaves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InHollows {
    /// The share of the land, in [0, 1].
    pub share: f64,
    /// The greatest depth.
    pub deepest: f32,
}

impl Hollowed<'_> {
    /// Measures how much of the land, the samples that `is_land` names, lies in hollows.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn measure(
        &self,
        is_land: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<InHollows, Cancelled> {
        let heights = self.heights;
        let (hollows, basins) = self.find(alive)?;
        let parts: Vec<_> = chunks(heights.len()).collect();
        let counts = parallel::try_collect(parts.len(), 1, |part| {
            alive()?;
            let land = parts[part].clone().filter(|&at| is_land(at));
            let is_hollow = |at: usize| hollows.of(basins[at], heights[at]).is_some();
            let mut counts = (0u64, 0u64);
            for at in land {
                counts.0 += 1;
                counts.1 += u64::from(!hollows.all.is_empty() && is_hollow(at));
            }
            Ok(counts)
        })?;
        let (land, inside) = counts.iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        let deepest = hollows.all.iter().map(|hollow| hollow.depth(heights)).fold(0.0, f32::max);
        Ok(InHollows { share: inside as f64 / land.max(1) as f64, deepest })
    }
}
