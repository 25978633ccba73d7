//! What fields would like to be.

use rayon::prelude::*;
use terrane_grid::{Seed, unit_f64};

use super::rules::bits;
use crate::path::NONE;

/// Steps within which a field's rank is taken.
const STEPS: usize = 8;
/// Fields looked at, at most, in one step: what lies around one with more neighbours is left out.
const LOOKED_AT: usize = 512;
/// Fields that are ranked one after another.
const FIELDS: usize = 4096;

/// In what order each field would take kinds.
pub enum Wishes {
    /// By draws of its own.
    Free { keys: Vec<Seed>, weights: Vec<f64>, drawn: u64, identities: Vec<u64> },
    /// By its place in [0, 1], of which kinds have parts.
    Parts { places: Vec<f64>, parts: Parts, identities: Vec<u64> },
}

/// Kinds in a row, each with a part of [0, 1].
#[derive(Clone, Debug)]
pub struct Parts {
    /// Kinds in order.
    pub kinds: Vec<u32>,
    /// How large the part of each is.
    pub sizes: Vec<f64>,
}

impl Wishes {
    /// Kinds with a weight, the dearest first.
    pub fn order(&self, field: u32) -> Vec<u32> {
        let (mut kinds, field): (Vec<(f64, u32)>, _) = (Vec::new(), field as usize);
        match self {
            // The more weight, the earlier (Efraimidis & Spirakis 2006).
            Self::Free { keys, weights, drawn, .. } => kinds.extend(bits(*drawn).map(|kind| {
                let unit = unit_f64(keys[field].part(kind.into()).0);
                (-libm::log(unit.max(f64::MIN_POSITIVE)) / weights[kind as usize], kind)
            })),
            Self::Parts { places, parts, .. } => {
                kinds.extend(parts.depths(places[field]).map(|(kind, depth)| (-depth, kind)));
            }
        }
        kinds.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        kinds.into_iter().map(|(_, kind)| kind).collect()
    }

    /// All fields, those first whose places are deepest in a part.
    pub fn clearest_first(&self) -> Vec<u32> {
        let (places, identities) = match self {
            Self::Free { identities, .. } => (None, identities),
            Self::Parts { places, parts, identities } => (Some((places, parts)), identities),
        };
        let deepest = |field: usize| {
            let depths = places.map(|(places, parts)| parts.depths(places[field]));
            depths.into_iter().flatten().map(|(_, depth)| depth).fold(0.0, f64::max)
        };
        let mut order: Vec<(f64, u64, u32)> =
            (0..identities.len()).map(|field| (deepest(field), identities[field], field as u32)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        order.into_iter().map(|(.., field)| field).collect()
    }
}

impl Parts {
    /// How deep in each kind's part a place is: less than 0 beside it. The first and the last part go on
    /// beyond 0 and 1.
    fn depths(&self, place: f64) -> impl Iterator<Item = (u32, f64)> {
        let (last, mut begin) = (self.kinds.len() - 1, 0.0);
        self.kinds.iter().zip(&self.sizes).enumerate().map(move |(at, (&kind, size))| {
            let end = begin + size;
            let above = if at == 0 { place + 1.0 } else { place - begin };
            let below = if at == last { 2.0 - place } else { end - place };
            begin = end;
            (kind, above.min(below))
        })
    }
}

/// Each field's place in [0, 1]: the rank of its number, a draw by identity made the mean of those around it
/// so many times, among those of the fields near it. All sums are of whole numbers, so that the order of
/// neighbours has no part.
pub fn places(beside: &[Vec<u32>], identities: &[u64], seed: Seed, rounds: u32) -> Vec<f64> {
    let (number, within) = (seed.part(0), seed.part(1));
    let mut numbers: Vec<i64> = identities.iter().map(|&own| (number.mixed(own).0 >> 24) as i64).collect();
    for _ in 0..rounds {
        let mean = |(&own, near): (&i64, &Vec<u32>)| {
            let sum: i64 = near.iter().map(|&other| numbers[other as usize]).sum();
            (own + sum) / (near.len() as i64 + 1)
        };
        numbers = numbers.par_iter().zip(beside).map(mean).collect();
    }
    let key = |field: u32| (numbers[field as usize], identities[field as usize]);
    let rank = |near: &mut Near, field: u32| {
        near.find(beside, field);
        let others = &near.found[1..];
        let less = others.iter().filter(|&&other| key(other) < key(field)).count();
        let unit = unit_f64(within.mixed(identities[field as usize]).0);
        (less as f64 + unit) / (others.len() as f64 + 1.0)
    };
    let fields: Vec<u32> = (0..beside.len() as u32).collect();
    let ranks = fields.par_chunks(FIELDS).flat_map_iter(|fields| {
        let mut near = Near { found: Vec::new(), seen: vec![NONE; beside.len()] };
        fields.iter().map(|&field| rank(&mut near, field)).collect::<Vec<f64>>()
    });
    ranks.collect()
}

/// The fields within some steps of one.
struct Near {
    /// The field itself, and then the others, step by step.
    found: Vec<u32>,
    /// Per field the last one that it was found from.
    seen: Vec<u32>,
}

impl Near {
    fn find(&mut self, beside: &[Vec<u32>], field: u32) {
        self.seen[field as usize] = field;
        self.found.clear();
        self.found.push(field);
        let mut step = 0..1;
        for _ in 0..STEPS {
            let near = |at: usize| &beside[self.found[at] as usize];
            if step.clone().map(|at| near(at).len()).sum::<usize>() > LOOKED_AT {
                break;
            }
            for at in step.clone() {
                for &other in &beside[self.found[at] as usize] {
                    if std::mem::replace(&mut self.seen[other as usize], field) != field {
                        self.found.push(other);
                    }
                }
            }
            step = step.end..self.found.len();
        }
    }
}
