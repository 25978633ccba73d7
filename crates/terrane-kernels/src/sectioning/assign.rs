//! Which field is of which kind.

use terrane_grid::{Seed, unit_f64};

/// What is asked of an assignment of kinds to fields.
#[derive(Clone, Copy, Debug)]
pub struct Assign<'a> {
    /// Per field, the fields beside it.
    pub beside: &'a [Vec<u32>],
    /// Per field, its kind where that is given.
    pub given: &'a [Option<u32>],
    /// How often each kind is to be, beside the others; with 0 it is only where it is given. At most 64 kinds.
    pub weights: &'a [f64],
    /// Per kind, those that may be beside it, a bit each.
    pub may_touch: &'a [u64],
    /// What is drawn depends on it and on fields' numbers.
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

/// Steps of search before it is given up: enough for what can be found at all in most maps.
const STEPS: usize = 200_000;

/// A kind for each field, drawn by weight, so that no two beside each other are of kinds that may not touch. Two kinds may touch where each says so.
///
/// Fields with the fewest kinds left come first, of these the first by number; each takes its kinds in an order of its own, which its draw
/// decides. What a choice leaves to neighbours is followed up at once; where nothing is left the last choice is taken back. The result is a function
/// of what is asked alone.
///
/// # Errors
/// The [`Conflict`] at which search ended first where there is no such assignment, or none was found within 200,000 steps.
pub fn assign(asked: &Assign<'_>) -> Result<Vec<u32>, Conflict> {
    let count = asked.beside.len();
    let drawn = (0..asked.weights.len()).filter(|&kind| asked.weights[kind] > 0.0);
    let all = drawn.fold(0u64, |bits, kind| bits | 1 << kind);
    let mut left: Vec<u64> =
        (0..count).map(|field| asked.given[field].map_or(all, |kind| 1 << kind)).collect();
    let mut changed = Vec::new();
    for field in 0..count as u32 {
        follow(asked, &mut left, &mut changed, field)?;
    }
    let (mut choices, mut first, mut steps): (Vec<Choice>, Option<Conflict>, usize) = (Vec::new(), None, 0);
    while let Some(field) = next(&left) {
        let order = order(asked, field, left[field as usize]);
        choices.push(Choice { field, order, taken: 0, undo: Vec::new() });
        while let Some(choice) = choices.last_mut() {
            choice.undo.drain(..).rev().for_each(|(field, was): (u32, u64)| left[field as usize] = was);
            steps += 1;
            let kind = choice.order.get(choice.taken).copied().filter(|_| steps <= STEPS);
            let Some(kind) = kind else {
                choices.pop();
                continue;
            };
            choice.taken += 1;
            choice.undo.push((choice.field, left[choice.field as usize]));
            left[choice.field as usize] = 1 << kind;
            match follow(asked, &mut left, &mut choice.undo, choice.field) {
                Ok(()) => break,
                Err(conflict) => first = first.or(Some(conflict)),
            }
        }
        if choices.is_empty() {
            let nowhere = Conflict { field, beside: asked.beside[field as usize].clone() };
            return Err(first.unwrap_or(nowhere));
        }
    }
    Ok(left.into_iter().map(u64::trailing_zeros).collect())
}

/// A choice that can be taken back.
struct Choice {
    field: u32,
    /// Kinds in the order that they are tried.
    order: Vec<u32>,
    taken: usize,
    /// Fields with the kinds that were left to them.
    undo: Vec<(u32, u64)>,
}

/// The field with the fewest kinds left that has more than one.
fn next(left: &[u64]) -> Option<u32> {
    let open = left.iter().zip(0u32..).filter(|(kinds, _)| kinds.count_ones() > 1);
    open.min_by_key(|(kinds, field)| (kinds.count_ones(), *field)).map(|(_, field)| field)
}

/// Kinds that are left to a field as drawn: the more weight, the earlier (Efraimidis & Spirakis 2006).
fn order(asked: &Assign<'_>, field: u32, left: u64) -> Vec<u32> {
    let lattice = asked.seed.lattice();
    let key = |kind: u32| {
        let unit = unit_f64(lattice.bits(i64::from(field), i64::from(kind)));
        -libm::log(unit.max(f64::MIN_POSITIVE)) / asked.weights[kind as usize]
    };
    let mut kinds: Vec<(f64, u32)> = (0..asked.weights.len() as u32)
        .filter(|&kind| left >> kind & 1 == 1)
        .map(|kind| (key(kind), kind))
        .collect();
    kinds.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    kinds.into_iter().map(|(_, kind)| kind).collect()
}

/// Takes from neighbours what may not touch any kind left to a field, and so on.
fn follow(
    asked: &Assign<'_>,
    left: &mut [u64],
    undo: &mut Vec<(u32, u64)>,
    field: u32,
) -> Result<(), Conflict> {
    let mut open = vec![field];
    while let Some(field) = open.pop() {
        let kinds = left[field as usize];
        let here = |kind: usize| kinds >> kind & 1 == 1;
        let may = (0..asked.weights.len())
            .filter(|&kind| here(kind))
            .fold(0u64, |may, kind| may | touching(asked, kind));
        for &beside in &asked.beside[field as usize] {
            let was = left[beside as usize];
            let now = was & may;
            if now == was {
                continue;
            }
            undo.push((beside, was));
            left[beside as usize] = now;
            if now == 0 {
                return Err(Conflict { field: beside, beside: asked.beside[beside as usize].clone() });
            }
            open.push(beside);
        }
    }
    Ok(())
}

/// The kinds that may be beside one, as both say.
fn touching(asked: &Assign<'_>, kind: usize) -> u64 {
    let both =
        |other: usize| asked.may_touch[kind] >> other & 1 == 1 && asked.may_touch[other] >> kind & 1 == 1;
    (0..asked.weights.len()).filter(|&other| both(other)).fold(0, |bits, other| bits | 1 << other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Fields in a row, each beside the next.
    fn row(count: usize) -> Vec<Vec<u32>> {
        (0..count as u32)
            .map(|at| [at.wrapping_sub(1), at + 1].into_iter().filter(|&n| (n as usize) < count).collect())
            .collect()
    }

    #[test]
    fn what_is_given_spreads() {
        // Lake touches lake and lowland alone, mountain mountain and lowland.
        let (beside, given) = (row(5), [Some(0), None, None, None, Some(2)]);
        let asked = Assign {
            beside: &beside,
            given: &given,
            weights: &[1.0, 1.0, 1.0],
            may_touch: &[0b011, 0b111, 0b110],
            seed: Seed(3),
        };
        let found = assign(&asked).unwrap();
        assert_eq!((found[0], found[4]), (0, 2));
        assert!(found.contains(&1));
        let given = [Some(0), Some(2), None, None, None];
        let conflict = assign(&Assign { given: &given, ..asked }).unwrap_err();
        assert_eq!(conflict, Conflict { field: 1, beside: vec![0, 2] });
    }

    #[test]
    fn weights_are_kept_where_nothing_hinders() {
        let beside = vec![Vec::new(); 4000];
        let asked = Assign {
            beside: &beside,
            given: &[None; 4000],
            weights: &[1.0, 3.0, 0.0],
            may_touch: &[!0; 3],
            seed: Seed(1),
        };
        let found = assign(&asked).unwrap();
        let ones = found.iter().filter(|&&kind| kind == 1).count();
        assert!((2850..3150).contains(&ones), "{ones}");
        assert!(!found.contains(&2));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        // Three fields beside each other, two kinds that never touch themselves.
        let beside = vec![vec![1, 2], vec![0, 2], vec![0, 1]];
        let asked = Assign {
            beside: &beside,
            given: &[None; 3],
            weights: &[1.0, 1.0],
            may_touch: &[0b10, 0b01],
            seed: Seed(1),
        };
        assert!(assign(&asked).is_err());
    }

    proptest! {
        #[test]
        fn rules_hold_wherever_something_is_found(
            count in 1usize..40, pairs in proptest::collection::vec((0usize..40, 0usize..40), 0..80), rules in proptest::array::uniform4(0u64..16), seed: u64
        ) {
            let mut beside = vec![Vec::new(); count];
            for (a, b) in pairs.into_iter().map(|(a, b)| (a % count, b % count)).filter(|(a, b)| a != b) {
                beside[a].push(b as u32);
                beside[b].push(a as u32);
            }
            let given = vec![None; count];
            let asked = Assign { beside: &beside, given: &given, weights: &[1.0, 2.0, 0.5, 1.0], may_touch: &rules, seed: Seed(seed) };
            if let Ok(found) = assign(&asked) {
                for (field, near) in beside.iter().enumerate() {
                    for &other in near {
                        let (a, b) = (found[field], found[other as usize]);
                        prop_assert!(rules[a as usize] >> b & 1 == 1 && rules[b as usize] >> a & 1 == 1);
                    }
                }
                prop_assert_eq!(&assign(&asked).unwrap(), &found);
            }
        }
    }
}
