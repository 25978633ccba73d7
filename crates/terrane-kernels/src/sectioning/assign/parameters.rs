//! What is asked of an assignment of kinds to fields, and where it fails.

use terrane_grid::Seed;

/// What is asked of an assignment of kinds to fields.
#[derive(Clone, Copy, Debug)]
pub struct Assign<'a> {
    /// Per field, the fields beside it.
    pub beside: &'a [Vec<u32>],
    /// Per field, what is drawn for it depends on: see [`identities`](crate::sectioning::identities).
    pub identities: &'a [u64],
    /// Per field, its kind where that is given.
    pub given: &'a [Option<u32>],
    /// How often each kind is to be, beside the others; with 0 it is only where it is given. At most 64
    /// kinds.
    pub weights: &'a [f64],
    /// Per kind, those that may be beside it, a bit each.
    pub may_touch: &'a [u64],
    /// What is drawn depends on it.
    pub seed: Seed,
}

/// A field for which no kind is left, given those around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// The field.
    pub field: u32,
    /// Fields beside it.
    pub beside: Vec<u32>,
}
