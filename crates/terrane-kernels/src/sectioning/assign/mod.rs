//! Which field is of which kind.

mod balance;
mod search;
#[cfg(test)]
mod tests;
mod wishes;

use terrane_grid::Seed;

use search::{Failure, Sequence, search};
use wishes::Wishes;

/// Choices that are taken back before a search is given up: enough for what can be found at all in most maps.
const TAKEN_BACK: usize = 200_000;

/// What is asked of an assignment of kinds to fields.
#[derive(Clone, Copy, Debug)]
pub struct Assign<'a> {
    /// Per field, the fields beside it.
    pub beside: &'a [Vec<u32>],
    /// Per field, what is drawn for it depends on: see [`identities`](super::identities).
    pub identities: &'a [u64],
    /// Per field, its kind where that is given.
    pub given: &'a [Option<u32>],
    /// How often each kind is to be, beside the others; with 0 it is only where it is given. At most 64 kinds.
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

/// A kind for each field, drawn by weight, so that no two beside each other are of kinds that may not touch. Two kinds may touch where each says so.
///
/// Where all kinds with a weight may touch each other each field is drawn by itself, by its identity. Else kinds gather, or those that need others
/// between them would hardly ever be: random numbers are smoothed over fields a few steps around, and each field's rank among those within eight
/// steps is its wish, a number in [0, 1] of which kinds have parts in a row. Fields choose in the order of how clear their wishes are, and what a
/// choice leaves to others is followed up at once. How far to smooth, and how large the parts are, is found by trying on a map of hexagons,
/// from weights and rules alone, so that shares of kinds come near their weights as far as rules allow.
///
/// So a field depends on fields within fourteen steps and on those with clearer wishes whose choices reach it: elsewhere graphs can change. Kinds that are given
/// reach as far as rules carry them. Where choices come to nothing the last one is taken back; after 200,000 of these all begins anew with
/// the fields that have the fewest kinds left. The result is a function of what is asked alone, and not of the order of fields, unless choices are taken back.
///
/// # Errors
/// The [`Conflict`] at which search ended first where there is no such assignment, or none was found.
pub fn assign(asked: &Assign<'_>) -> Result<Vec<u32>, Conflict> {
    let rules = Rules::new(asked.weights, asked.may_touch);
    let wishes = Wishes::new(asked, &rules);
    let fields = search::Fields { beside: asked.beside, given: asked.given };
    let order = |field: u32| wishes.order(field);
    let clearest = Sequence::Listed(wishes.clearest_first());
    match search(&fields, &rules, &clearest, &order, TAKEN_BACK) {
        Ok(found) => Ok(found),
        Err(Failure::None(conflict)) => Err(conflict),
        Err(Failure::TooLong(conflict)) => {
            search(&fields, &rules, &Sequence::FewestLeft, &order, TAKEN_BACK).map_err(|_| conflict)
        }
    }
}

/// What may touch what, as bits.
struct Rules {
    /// Kinds with a weight.
    drawn: u64,
    /// Per kind those that may be beside it, as both say.
    touching: Vec<u64>,
}

impl Rules {
    fn new(weights: &[f64], may_touch: &[u64]) -> Self {
        let kinds = || 0..weights.len();
        let both = |a: usize, b: usize| may_touch[a] >> b & 1 == 1 && may_touch[b] >> a & 1 == 1;
        let touching =
            kinds().map(|a| kinds().filter(|&b| both(a, b)).fold(0u64, |bits, b| bits | 1 << b)).collect();
        Self { drawn: kinds().filter(|&a| weights[a] > 0.0).fold(0, |bits, a| bits | 1 << a), touching }
    }

    /// The kinds that may be beside at least one of several.
    fn beside(&self, kinds: u64) -> u64 {
        bits(kinds).fold(0, |may, kind| may | self.touching[kind as usize])
    }

    /// Whether all kinds with a weight may touch each other.
    fn free(&self) -> bool {
        bits(self.drawn).all(|kind| self.touching[kind as usize] & self.drawn == self.drawn)
    }
}

/// The kinds that a mask has.
fn bits(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let kind = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (kind < 64).then_some(kind)
    })
}
