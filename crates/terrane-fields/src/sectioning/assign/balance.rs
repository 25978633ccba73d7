//! Calibrates preferences, by trials on a map of hexagons, so that each kind's share approaches its weight
//! under the rules.

use terrane_grid::Seed;

use super::parameters::Assign;
use super::preferences::{KindIntervals, Preferences, ranks};
use super::rules::{Rules, bits};
use super::search::{Failure, Fields, Sequence, search};

/// Hexagons per side of the trial map; a multiple of two and of three, as rules may require.
const SIDE: usize = 36;
/// Candidate numbers of smoothing rounds; more rounds make larger areas of a kind.
const ROUNDS: [u32; 3] = [0, 3, 6];
/// Trials per number of rounds.
const TRIES: usize = 14;
/// Maximum number of choices taken back on the trial map before rules count as unsatisfiable.
const TAKEN_BACK: usize = 2_000;
/// After this many trials, a share that still differs from its weight by this factor will not approach it.
const HOPELESS: (usize, f64) = (6, 2.0);
/// A share within this factor of its weight is good enough.
const GOOD: f64 = 1.05;

/// The preferences of all fields: independent draws if all kinds may touch each other, otherwise ranks and
/// intervals.
pub fn preferences_of(arguments: &Assign<'_>, rules: &Rules) -> Preferences {
    let identities = arguments.identities.to_vec();
    if rules.free() {
        let keys = identities.iter().map(|&identity| arguments.seed.mixed(identity)).collect();
        return Preferences::Free {
            keys,
            weights: arguments.weights.to_vec(),
            drawn: rules.drawn,
            identities,
        };
    }
    let (intervals, rounds) = balanced(arguments.weights, rules);
    let ranks = ranks(arguments.beside, &identities, arguments.seed, rounds);
    Preferences::Intervals { ranks, intervals, identities }
}

/// Intervals for kinds with a weight, and the number of smoothing rounds: the smallest that is good enough,
/// or the best found.
///
/// Depends only on weights and rules, not on anything in the map.
fn balanced(weights: &[f64], rules: &Rules) -> (KindIntervals, u32) {
    let kinds = ordered_kinds(rules);
    let sum: f64 = kinds.iter().map(|&kind| weights[kind as usize]).sum();
    let shares: Vec<f64> = kinds.iter().map(|&kind| weights[kind as usize] / sum).collect();
    let plain = KindIntervals { kinds, sizes: shares.clone() };
    let map = Map::new();
    let mut best = (f64::INFINITY, plain.clone(), ROUNDS[0]);
    for rounds in ROUNDS {
        let ranks = ranks(&map.beside, &map.identities, Seed(1), rounds);
        let mut intervals = plain.clone();
        for attempt in 0..TRIES {
            let Some(found) = map.shares(&intervals, &ranks, rules) else { return (plain, ROUNDS[0]) };
            let ratios: Vec<f64> = shares.iter().zip(&found).map(|(share, found)| share / found).collect();
            let worst = ratios.iter().map(|ratio| ratio.max(1.0 / ratio)).fold(1.0, f64::max);
            if worst < best.0 {
                best = (worst, intervals.clone(), rounds);
            }
            if best.0 <= GOOD {
                return (best.1, best.2);
            }
            if attempt >= HOPELESS.0 && worst > HOPELESS.1 {
                break;
            }
            let step = if attempt < TRIES / 2 { 0.6 } else { 0.3 };
            intervals
                .sizes
                .iter_mut()
                .zip(&ratios)
                .for_each(|(size, ratio)| *size *= libm::pow(*ratio, step));
            let all: f64 = intervals.sizes.iter().sum();
            intervals.sizes.iter_mut().for_each(|size| *size = (*size / all).max(1e-6));
        }
    }
    (best.1, best.2)
}

/// Kinds with a weight, ordered so that kinds that may touch are close together. The order starts with the
/// kind that may touch the fewest. Next comes the kind that is the fewest steps by the rules from the
/// previous kind. Of several such kinds, the one that may touch the fewest comes next.
fn ordered_kinds(rules: &Rules) -> Vec<u32> {
    let (mut left, mut row): (u64, Vec<u32>) = (rules.drawn, Vec::new());
    while left != 0 {
        let mut near = row.last().map_or(left, |&last| rules.touching[last as usize]);
        // Extends the reachable kinds step by step until they include a remaining one.
        while near & left == 0 {
            let wider = near | rules.beside(near & rules.drawn);
            if wider == near {
                near = left;
            } else {
                near = wider;
            }
        }
        let few = |kind: &u32| (rules.touching[*kind as usize] & rules.drawn).count_ones();
        let Some(next) = bits(near & left).min_by_key(|kind| (few(kind), *kind)) else { break };
        left &= !(1 << next);
        row.push(next);
    }
    row
}

/// Hexagons on a torus.
struct Map {
    beside: Vec<Vec<u32>>,
    identities: Vec<u64>,
}

impl Map {
    fn new() -> Self {
        let number = |row: usize, column: usize| ((row % SIDE) * SIDE + column % SIDE) as u32;
        let around = |field: usize| {
            let (row, column) = (field / SIDE + SIDE, field % SIDE + SIDE);
            // Every second row is shifted half a hexagon to the right.
            let left = column - 1 + row % 2;
            vec![
                number(row, column - 1),
                number(row, column + 1),
                number(row - 1, left),
                number(row - 1, left + 1),
                number(row + 1, left),
                number(row + 1, left + 1),
            ]
        };
        let beside = (0..SIDE * SIDE).map(around).collect();
        Self { beside, identities: (0..(SIDE * SIDE) as u64).map(|field| Seed(field).part(0).0).collect() }
    }

    /// The share of each kind, in the order of `intervals`; at least half of one field.
    fn shares(&self, intervals: &KindIntervals, ranks: &[f64], rules: &Rules) -> Option<Vec<f64>> {
        let count = self.beside.len();
        let given = vec![None; count];
        let fields = Fields { beside: &self.beside, given: &given };
        let preferences = Preferences::Intervals {
            ranks: ranks.to_vec(),
            intervals: intervals.clone(),
            identities: self.identities.clone(),
        };
        let sequence = Sequence::Listed(preferences.clearest_first());
        let found = match search(&fields, rules, &sequence, &|field| preferences.order(field), TAKEN_BACK) {
            Ok(found) => found,
            Err(Failure::None(_) | Failure::TooLong(_)) => return None,
        };
        let of_kind = |kind: &u32| found.iter().filter(|&other| other == kind).count();
        Some(intervals.kinds.iter().map(|kind| (of_kind(kind) as f64).max(0.5) / count as f64).collect())
    }
}
