//! Neighbourhoods of a sample.

/// Which samples are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Neighbourhood {
    /// All eight.
    Moore,
    /// The four along the axes.
    VonNeumann,
    /// The four on diagonals: Von Neumann rotated.
    Rotated,
}

impl Neighbourhood {
    /// Offsets as (column, row), in a fixed order: the first of equally low neighbours is chosen.
    pub(crate) const fn offsets(self) -> &'static [(isize, isize)] {
        match self {
            Self::Moore => &[(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)],
            Self::VonNeumann => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
            Self::Rotated => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        }
    }
}
