//! The samples that a scheme visits.

/// The samples that a scheme visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// All of them.
    All,
    /// All except those on the map's border, which receive what their neighbours send and send nothing
    /// themselves, as in the program that made the figures of Olsen (2004). Material accumulates on the
    /// border.
    Inside,
}
