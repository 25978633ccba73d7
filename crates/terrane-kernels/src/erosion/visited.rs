//! The samples that a scheme visits.

/// The samples that a scheme visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// All samples.
    All,
    /// All samples except those on the map's border, as in the program that made the figures of Olsen (2004).
    /// Samples on the border receive what their neighbours send, but send nothing, so material accumulates
    /// there.
    Inside,
}
