//! Joining patches.

use terrane_grid::{Grid, Heightmap, Tiling};

/// A map of several patches.
pub struct Mosaic {
    map: Heightmap,
    tiling: Tiling,
    low: (i64, i64),
    high: (i64, i64),
    placed: Vec<bool>,
}

/// A border on which two patches differ.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq)]
#[error("patch {},{} differs from a neighbour by up to {most} at {count} border samples", patch.0, patch.1)]
pub struct Seam {
    /// The patch that was added last.
    pub patch: (i64, i64),
    /// The number of samples that differ.
    pub count: usize,
    /// The maximum difference.
    pub most: f32,
}

impl Mosaic {
    /// An empty map of patches from `low` to `high`, both included.
    #[must_use]
    pub fn new(tiling: Tiling, low: (i64, i64), high: (i64, i64)) -> Self {
        let map = Heightmap::constant(tiling.domain_of(low, high), f32::NAN);
        let count = (high.0 - low.0 + 1) * (high.1 - low.1 + 1);
        Self { map, tiling, low, high, placed: vec![false; count as usize] }
    }

    /// Copies a patch to its position. Patches outside the map are ignored.
    ///
    /// # Errors
    /// Returns a [`Seam`] if a border differs from that of a neighbour added earlier. In this case too, the
    /// new samples replace the old ones.
    pub fn put(&mut self, patch: (i64, i64), map: &Grid<f32>) -> Result<(), Seam> {
        let (i, j) = (patch.0 - self.low.0, patch.1 - self.low.1);
        let inside = i >= 0 && j >= 0 && patch.0 <= self.high.0 && patch.1 <= self.high.1;
        if !inside || (map.width(), map.height()) != self.tiling.size {
            return Ok(());
        }
        let (columns, rows) = self.tiling.size;
        let (left, top) = (i as usize * (columns - 1), j as usize * (rows - 1));
        let width = self.map.width();
        let (mut count, mut most) = (0, 0.0f32);
        for (row, samples) in map.as_slice().chunks_exact(columns).enumerate() {
            let start = (top + row) * width + left;
            let target = &mut self.map.samples_mut()[start..start + columns];
            for (old, new) in target.iter().zip(samples).filter(|(old, _)| !old.is_nan()) {
                if old.to_bits() != new.to_bits() {
                    count += 1;
                    most = most.max((old - new).abs());
                }
            }
            target.copy_from_slice(samples);
        }
        self.placed[(j * (self.high.0 - self.low.0 + 1) + i) as usize] = true;
        if count > 0 { Err(Seam { patch, count, most }) } else { Ok(()) }
    }

    /// The map, if all patches were added.
    #[must_use]
    pub fn finished(self) -> Option<Heightmap> {
        self.placed.iter().all(|&placed| placed).then_some(self.map)
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn differing_borders_are_reported() {
        let tiling = Tiling::new(&Domain::new(3, 2)).unwrap();
        let patch = |first: f32| Grid::from_fn(3, 2, |x, y| first + x as f32 + 10.0 * y as f32);
        let mut mosaic = Mosaic::new(tiling, (-1, 4), (0, 4));
        assert_eq!(mosaic.put((0, 4), &patch(2.0)), Ok(()));
        assert_eq!(mosaic.put((1, 4), &patch(9.0)), Ok(()));
        assert_eq!(mosaic.put((-1, 4), &patch(0.5)), Err(Seam { patch: (-1, 4), count: 2, most: 0.5 }));
        let map = mosaic.finished().unwrap();
        assert_eq!(map.samples(), [0.5, 1.5, 2.5, 3.0, 4.0, 10.5, 11.5, 12.5, 13.0, 14.0]);
        assert_eq!(map.domain().origin, (-2.0, 4.0));
        assert!(Mosaic::new(tiling, (0, 0), (1, 0)).finished().is_none());
    }
}
