//! Neighbourhoods of a sample.

/// Which samples are neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Neighbourhood {
    /// All eight; the paper's choice for the reference variant.
    Moore,
    /// The four along the axes.
    VonNeumann,
    /// The four on the diagonals; the paper's choice for the fast variant.
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
