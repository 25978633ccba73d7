//! Which field is of which kind.

mod balance;
mod parameters;
mod rules;
mod search;
#[cfg(test)]
mod tests;
mod wishes;

use balance::wishes_of;
use rules::Rules;
use search::{Failure, Sequence, search};

pub use parameters::{Assign, Conflict};

/// Choices that are taken back before a search is given up: enough for what can be found at all in most maps.
const TAKEN_BACK: usize = 200_000;

/// A kind for each field, drawn by weight, so that no two beside each other are of kinds that may not touch.
/// Two kinds may touch where each says so.
///
/// Where all kinds with a weight may touch each other each field is drawn by itself, by its identity. Else
/// kinds gather, or those that need others between them would hardly ever be: random numbers are smoothed
/// over fields a few steps around, and each field's rank among those within eight steps is its wish, a number
/// in [0, 1] of which kinds have parts in a row. Fields choose in the order of how clear their wishes are,
/// and what a choice leaves to others is followed up at once. How far to smooth, and how large the parts are,
/// is found by trying on a map of hexagons, from weights and rules alone, so that shares of kinds come near
/// their weights as far as rules allow.
///
/// So a field depends on fields within fourteen steps and on those with clearer wishes whose choices reach
/// it: elsewhere graphs can change. Kinds that are given reach as far as rules carry them. Where choices come
/// to nothing the last one is taken back; after 200,000 of these all begins anew with the fields that have
/// the fewest kinds left. The result is a function of what is asked alone, and not of the order of fields,
/// unless choices are taken back.
///
/// # Errors
/// The [`Conflict`] at which search ended first where there is no such assignment, or none was found.
pub fn assign(asked: &Assign<'_>) -> Result<Vec<u32>, Conflict> {
    let rules = Rules::new(asked.weights, asked.may_touch);
    let wishes = wishes_of(asked, &rules);
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
