//! Backtracking search with propagation of choices.

use super::parameters::Conflict;
use super::rules::Rules;

/// The fields to assign.
pub struct Fields<'a> {
    pub beside: &'a [Vec<u32>],
    pub given: &'a [Option<u32>],
}

/// Which field chooses next, among those with more than one kind left.
pub enum Sequence {
    /// The first in a list of all fields.
    Listed(Vec<u32>),
    /// The one with the fewest kinds left, among equals the first by number.
    FewestLeft,
}

/// Why no assignment was found.
pub enum Failure {
    /// No assignment exists. Holds the first conflict.
    None(Conflict),
    /// Too many choices were taken back.
    TooLong(Conflict),
}

/// A choice that can be taken back.
struct Choice {
    field: u32,
    /// Position in the list from which to look for the next choice.
    next: usize,
    /// Kinds in the order in which they are tried.
    order: Vec<u32>,
    taken: usize,
    /// Fields with their previously remaining kinds.
    undo: Vec<(u32, u64)>,
}

/// Finds kinds for all fields that satisfy the rules; each field tries its kinds in its own order. Gives up
/// after a maximum number of choices taken back.
pub fn search(
    fields: &Fields<'_>,
    rules: &Rules,
    sequence: &Sequence,
    order: &dyn Fn(u32) -> Vec<u32>,
    most: usize,
) -> Result<Vec<u32>, Failure> {
    let count = fields.beside.len();
    let mut left: Vec<u64> =
        fields.given.iter().map(|given| given.map_or(rules.drawn, |kind| 1 << kind)).collect();
    let mut changed = Vec::new();
    for field in 0..count as u32 {
        if left[field as usize] == 0 {
            let beside = fields.beside[field as usize].clone();
            return Err(Failure::None(Conflict { field, beside }));
        }
        follow(fields, rules, &mut left, &mut changed, field).map_err(Failure::None)?;
    }
    let (mut choices, mut first, mut taken_back): (Vec<Choice>, Option<Conflict>, usize) =
        (Vec::new(), None, 0);
    while let Some((field, next)) = sequence.next(&left, choices.last().map_or(0, |choice| choice.next)) {
        let order = order(field).into_iter().filter(|&kind| left[field as usize] >> kind & 1 == 1).collect();
        choices.push(Choice { field, next, order, taken: 0, undo: Vec::new() });
        while let Some(choice) = choices.last_mut() {
            choice.undo.drain(..).rev().for_each(|(field, was): (u32, u64)| left[field as usize] = was);
            let kind = choice.order.get(choice.taken).copied().filter(|_| taken_back <= most);
            let Some(kind) = kind else {
                choices.pop();
                continue;
            };
            choice.taken += 1;
            choice.undo.push((choice.field, left[choice.field as usize]));
            left[choice.field as usize] = 1 << kind;
            match follow(fields, rules, &mut left, &mut choice.undo, choice.field) {
                Ok(()) => break,
                Err(conflict) => {
                    taken_back += 1;
                    first = first.or(Some(conflict));
                }
            }
        }
        if choices.is_empty() {
            let nowhere = Conflict { field, beside: fields.beside[field as usize].clone() };
            let conflict = first.unwrap_or(nowhere);
            let long = taken_back > most;
            return Err(if long { Failure::TooLong(conflict) } else { Failure::None(conflict) });
        }
    }
    Ok(left.into_iter().map(u64::trailing_zeros).collect())
}

impl Sequence {
    /// The next field, and where to look for the one after.
    fn next(&self, left: &[u64], from: usize) -> Option<(u32, usize)> {
        let open = |field: u32| left[field as usize].count_ones() > 1;
        match self {
            Self::Listed(list) => (from..list.len()).find(|&at| open(list[at])).map(|at| (list[at], at + 1)),
            Self::FewestLeft => {
                let fields = (0..left.len() as u32).filter(|&field| open(field));
                fields.min_by_key(|&field| (left[field as usize].count_ones(), field)).map(|field| (field, 0))
            }
        }
    }
}

/// Removes from a field's neighbours the kinds that may not touch any kind left to the field. Continues from
/// each neighbour that loses a kind.
fn follow(
    fields: &Fields<'_>,
    rules: &Rules,
    left: &mut [u64],
    undo: &mut Vec<(u32, u64)>,
    field: u32,
) -> Result<(), Conflict> {
    let mut open = vec![field];
    while let Some(field) = open.pop() {
        let may = rules.beside(left[field as usize]);
        for &beside in &fields.beside[field as usize] {
            let was = left[beside as usize];
            let now = was & may;
            if now == was {
                continue;
            }
            undo.push((beside, was));
            left[beside as usize] = now;
            if now == 0 {
                return Err(Conflict { field: beside, beside: fields.beside[beside as usize].clone() });
            }
            open.push(beside);
        }
    }
    Ok(())
}
