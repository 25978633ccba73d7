//! Holes: samples of a raster that have no value.

/// What a node makes of holes in the rasters at its ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holes {
    /// It takes rasters without holes only.
    Refused,
    /// A sample that is a hole at a port is a hole in every output of that size, and no other is.
    Kept,
    /// It decides itself which samples of its outputs are holes.
    Own,
    /// It takes rasters with holes, and its outputs have none.
    Filled,
}

impl Holes {
    /// What becomes of holes, as it stands in a sentence.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Kept => "kept",
            Self::Own => "kept where they lie in the result",
            Self::Filled => "filled",
        }
    }
}

/// The holes of a raster, one bit per sample.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HoleMask {
    size: (usize, usize),
    bits: Vec<u64>,
}

impl HoleMask {
    /// The holes of a raster of this size, from one flag per sample, row by row.
    #[must_use]
    pub fn new(size: (usize, usize), holes: impl IntoIterator<Item = bool>) -> Self {
        let mut bits = vec![0; (size.0 * size.1).div_ceil(64)];
        for (at, hole) in holes.into_iter().enumerate().take(size.0 * size.1) {
            bits[at / 64] |= u64::from(hole) << (at % 64);
        }
        Self { size, bits }
    }

    /// The columns and rows.
    #[must_use]
    pub const fn size(&self) -> (usize, usize) {
        self.size
    }

    /// The positions of all holes, in ascending order.
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        self.bits.iter().enumerate().flat_map(|(word, &bits)| {
            let next = |bits: &u64| Some(bits & (bits - 1)).filter(|rest| *rest != 0);
            std::iter::successors(Some(bits).filter(|bits| *bits != 0), next)
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    /// Adds the holes of another raster of the same size.
    pub(crate) fn add(&mut self, other: &Self) {
        if self.bits.is_empty() {
            self.clone_from(other);
        } else if self.size == other.size {
            self.bits.iter_mut().zip(&other.bits).for_each(|(bits, other)| *bits |= other);
        }
    }
}

impl std::fmt::Display for HoleMask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.positions().count();
        let first = self.positions().next().unwrap_or_default();
        let (row, column) = (first / self.size.0.max(1), first % self.size.0.max(1));
        write!(f, "{count}, the first at row {row}, column {column}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_holes_and_their_union() {
        let of = |holes: &[usize]| HoleMask::new((70, 2), (0..140).map(|at| holes.contains(&at)));
        let mut all = HoleMask::default();
        assert_eq!(all.positions().count(), 0);
        for holes in [&[0, 63, 64][..], &[139], &[]] {
            assert_eq!(of(holes).positions().collect::<Vec<_>>(), holes);
            all.add(&of(holes));
        }
        all.add(&HoleMask::new((2, 2), [true; 4]));
        assert_eq!(all.to_string(), "4, the first at row 0, column 0");
        assert_eq!((all.size(), all.positions().collect::<Vec<_>>()), ((70, 2), vec![0, 63, 64, 139]));
    }
}
