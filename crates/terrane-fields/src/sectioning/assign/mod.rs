//! Assignment of kinds to fields.

mod balance;
mod parameters;
mod preferences;
mod rules;
mod search;
#[cfg(test)]
mod tests;

use balance::preferences_of;
use rules::Rules;
use search::{Failure, Sequence, search};

pub use parameters::{Assign, Conflict};

/// Maximum number of choices taken back before a search is abandoned: enough to find a solution, if any, in
/// most maps.
const TAKEN_BACK: usize = 200_000;

/// Assigns a kind to each field, drawn by weight, so that neighbours only have kinds that may touch. Two
/// kinds may touch if both allow it.
///
/// If all kinds with a weight may touch each other, each field is drawn independently, by its identity.
/// Otherwise kinds form clusters, because with independent draws, kinds that need others between them would
/// rarely occur. To form clusters, each field gets a random number, and the numbers are smoothed over fields
/// a few steps around. The preference of a field is the rank of its number among the fields within eight
/// steps, scaled to [0, 1]. This range is divided into consecutive intervals, one per kind. The fields with
/// the clearest preferences choose first, and each choice is propagated at once. The amount of smoothing and
/// the sizes of intervals are found by trials on a map of hexagons, so that shares of kinds approach their
/// weights as far as rules allow. Both depend on weights and rules alone.
///
/// So the kind of a field depends only on fields within fourteen steps, and on fields with clearer
/// preferences whose choices propagate to it. Changes of the graph elsewhere do not affect it. Given kinds
/// propagate as far as the rules carry them. At a dead end the last choice is taken back. After 200,000
/// choices have been taken back, the search restarts and lets the fields with the fewest kinds left choose
/// first. The result depends only on the arguments, and not on the order of fields unless choices are taken
/// back.
///
/// # Errors
/// The first [`Conflict`] at a dead end of the search, if there is no such assignment or none was found.
pub fn assign(arguments: &Assign<'_>) -> Result<Vec<u32>, Conflict> {
    let rules = Rules::new(arguments.weights, arguments.may_touch);
    let preferences = preferences_of(arguments, &rules);
    let fields = search::Fields { beside: arguments.beside, given: arguments.given };
    let order = |field: u32| preferences.order(field);
    let clearest = Sequence::Listed(preferences.clearest_first());
    match search(&fields, &rules, &clearest, &order, TAKEN_BACK) {
        Ok(found) => Ok(found),
        Err(Failure::None(conflict)) => Err(conflict),
        Err(Failure::TooLong(conflict)) => {
            search(&fields, &rules, &Sequence::FewestLeft, &order, TAKEN_BACK).map_err(|_| conflict)
        }
    }
}
