//! The plane divided into patches.

use super::domain::Domain;

/// Patches of equal size that cover the plane: a patch's last column and row are the first of the next
/// patches.
///
/// Positions are whole multiples of the spacing, and the spacing is rounded to single precision, so that a
/// shared sample has the same position to the bit in every patch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tiling {
    /// Columns and rows of samples in a patch, each at least 2.
    pub size: (usize, usize),
    /// World units between neighbouring samples.
    pub spacing: f64,
    /// The first sample of patch (0, 0), counted from the corner.
    pub first: (i64, i64),
    /// The position that samples are counted from: the world's origin. At a coarser level it may differ from
    /// the origin, so that each sample is also a sample of the finer patches.
    pub corner: (f64, f64),
}

impl Tiling {
    /// The tiling in which a domain, apart from rounding, is patch (0, 0). `None` if it has fewer than two
    /// columns or rows.
    #[must_use]
    pub fn new(domain: &Domain) -> Option<Self> {
        let spacing = f64::from(domain.spacing as f32);
        let nearest = |position: f64| (position / spacing).round() as i64;
        let first = (nearest(domain.origin.0), nearest(domain.origin.1));
        (domain.width() >= 2 && domain.height() >= 2).then_some(Self {
            size: domain.size,
            spacing,
            first,
            corner: (0.0, 0.0),
        })
    }

    /// The same plane at a lower resolution. Patch (0, 0) begins at the same position, and its samples are
    /// every 2^`level`-th sample of this tiling.
    #[must_use]
    pub fn coarser(&self, level: u32) -> Self {
        let step = 1i64 << level.min(32);
        let beside = |first: i64| first.rem_euclid(step) as f64 * self.spacing;
        Self {
            size: self.size,
            spacing: self.spacing * step as f64,
            first: (self.first.0.div_euclid(step), self.first.1.div_euclid(step)),
            corner: (self.corner.0 + beside(self.first.0), self.corner.1 + beside(self.first.1)),
        }
    }

    /// The position of a sample.
    fn position(&self, (x, y): (i64, i64)) -> (f64, f64) {
        (self.corner.0 + x as f64 * self.spacing, self.corner.1 + y as f64 * self.spacing)
    }

    /// Samples from one patch to the next.
    const fn steps(&self) -> (i64, i64) {
        (self.size.0 as i64 - 1, self.size.1 as i64 - 1)
    }

    /// The first sample of a patch, counted from the corner.
    #[must_use]
    pub const fn first_of(&self, (i, j): (i64, i64)) -> (i64, i64) {
        let (columns, rows) = self.steps();
        (self.first.0 + i * columns, self.first.1 + j * rows)
    }

    /// The part of the world that a patch covers.
    #[must_use]
    pub fn domain(&self, patch: (i64, i64)) -> Domain {
        Domain { size: self.size, spacing: self.spacing, origin: self.position(self.first_of(patch)) }
    }

    /// The part of the world that a patch covers, extended by `rim` samples on each side.
    #[must_use]
    pub fn domain_around(&self, patch: (i64, i64), rim: u64) -> Domain {
        let (x, y) = self.first_of(patch);
        let origin = self.position((x - rim as i64, y - rim as i64));
        let grown = |samples: usize| samples + 2 * rim as usize;
        Domain { size: (grown(self.size.0), grown(self.size.1)), spacing: self.spacing, origin }
    }

    /// The part of the world that the patches from `low` to `high`, inclusive, cover together.
    #[must_use]
    pub fn domain_of(&self, low: (i64, i64), high: (i64, i64)) -> Domain {
        let (columns, rows) = self.steps();
        let count = |low: i64, high: i64, steps: i64| ((high - low + 1) * steps + 1) as usize;
        Domain { size: (count(low.0, high.0, columns), count(low.1, high.1, rows)), ..self.domain(low) }
    }

    /// The patch that contains a sample, counted as in [`Self::first_of`]. If several patches share it,
    /// the last of them.
    #[must_use]
    pub const fn patch_of(&self, (x, y): (i64, i64)) -> (i64, i64) {
        let (columns, rows) = self.steps();
        ((x - self.first.0).div_euclid(columns), (y - self.first.1).div_euclid(rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_samples_have_one_position() {
        let domain = Domain::new(9, 5).with_spacing(0.1).with_origin(-3.01, 70.0);
        let tiling = Tiling::new(&domain).unwrap();
        for i in [-1_000_000, -3, 0, 1, 7, 999_999] {
            let (west, east) = (tiling.domain((i, 2)), tiling.domain((i + 1, 2)));
            assert_eq!(west.x(8).to_bits(), east.x(0).to_bits());
            let (north, south) = (tiling.domain((2, i)), tiling.domain((2, i + 1)));
            assert_eq!(north.y(4).to_bits(), south.y(0).to_bits());
        }
        assert!((tiling.domain((0, 0)).origin.0 - domain.origin.0).abs() <= 0.05);
    }

    #[test]
    fn a_patch_is_part_of_its_extended_domain() {
        let tiling = Tiling::new(&Domain::new(9, 5).with_spacing(0.1).with_origin(-3.01, 70.0)).unwrap();
        for (patch, rim) in [((0, 0), 0), ((-7, 3), 4), ((1_000_000, -999_999), 1000)] {
            let (own, around) = (tiling.domain(patch), tiling.domain_around(patch, rim));
            assert_eq!(around.part((rim as usize, rim as usize), own.size), own);
        }
    }

    #[test]
    fn coarse_samples_are_fine_ones() {
        let fine = Tiling::new(&Domain::new(9, 5).with_spacing(7.3).with_origin(90.0, -61.0)).unwrap();
        for level in 0..5 {
            let (coarse, step) = (fine.coarser(level), 1 << level);
            assert_eq!(coarse.domain((0, 0)).origin, fine.domain((0, 0)).origin);
            for (i, j) in [(0, 0), (-3, 2), (100_000, -7)] {
                let (own, of) = (coarse.domain((i, j)), fine.domain((i * step, j * step)));
                assert_eq!(own.x(0).to_bits(), of.x(0).to_bits());
                assert_eq!(own.y(1).to_bits(), of.y(step as usize).to_bits(), "{level}: {own:?}");
            }
        }
    }

    #[test]
    fn patch_of_finds_the_patch_of_a_sample() {
        let tiling = Tiling::new(&Domain::new(9, 5).with_origin(4.0, -4.0)).unwrap();
        assert_eq!(tiling.first_of((-1, 2)), (-4, 4));
        assert_eq!(tiling.patch_of((-4, 4)), (-1, 2));
        assert_eq!(tiling.patch_of((3, 7)), (-1, 2));
        assert_eq!(tiling.patch_of((4, 8)), (0, 3));
        assert_eq!(tiling.domain_of((-1, 2), (1, 2)).size, (25, 5));
        assert!(Tiling::new(&Domain::new(1, 5)).is_none());
    }
}
