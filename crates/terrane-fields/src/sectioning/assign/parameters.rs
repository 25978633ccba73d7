//! Arguments of an assignment of kinds to fields, and its conflicts.

use terrane_grid::Seed;

/// Arguments of an assignment of kinds to fields.
#[derive(Clone, Copy, Debug)]
pub struct Assign<'a> {
    /// For each field, its neighbours.
    pub beside: &'a [Vec<u32>],
    /// For each field, the identity that its random draws depend on: see
    /// [`identities`](crate::sectioning::identities).
    pub identities: &'a [u64],
    /// For each field, its kind if fixed.
    pub given: &'a [Option<u32>],
    /// Relative frequency of each kind; a kind with weight 0 only occurs where it is given. At most 64
    /// kinds.
    pub weights: &'a [f64],
    /// For each kind, a bit mask of the kinds that may be next to it.
    pub may_touch: &'a [u64],
    /// Seed of the random draws.
    pub seed: Seed,
}

/// A field with no possible kind, given the kinds around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The field.
    pub field: u32,
    /// Its neighbours.
    pub beside: Vec<u32>,
}
