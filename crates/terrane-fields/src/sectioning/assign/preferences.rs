//! The preferences of fields for kinds.

use rayon::prelude::*;
use terrane_grid::{Seed, unit_f64};

use super::rules::bits;
use terrane_paths::planar::NONE;

/// Number of steps within which a field's rank is computed.
const STEPS: usize = 8;
/// Maximum number of fields visited in one step: neighbours beyond this number are ignored.
const LOOKED_AT: usize = 512;
/// Fields per task.
const FIELDS: usize = 4096;

/// The order in which each field prefers kinds.
pub enum Preferences {
    /// By independent draws.
    Free { keys: Vec<Seed>, weights: Vec<f64>, drawn: u64, identities: Vec<u64> },
    /// By its rank in [0, 1], which is divided into intervals of kinds.
    Intervals { ranks: Vec<f64>, intervals: KindIntervals, identities: Vec<u64> },
}

/// Kinds in sequence, each with an interval of [0, 1].
#[derive(Clone, Debug)]
pub struct KindIntervals {
    /// Kinds in order.
    pub kinds: Vec<u32>,
    /// Size of each kind's interval.
    pub sizes: Vec<f64>,
}

impl Preferences {
    /// Kinds with a weight, the most preferred first.
    pub fn order(&self, field: u32) -> Vec<u32> {
        let (mut kinds, field): (Vec<(f64, u32)>, _) = (Vec::new(), field as usize);
        match self {
            // Kinds with more weight tend to come earlier (Efraimidis & Spirakis 2006).
            Self::Free { keys, weights, drawn, .. } => kinds.extend(bits(*drawn).map(|kind| {
                let unit = unit_f64(keys[field].part(kind.into()).0);
                (-libm::log(unit.max(f64::MIN_POSITIVE)) / weights[kind as usize], kind)
            })),
            Self::Intervals { ranks, intervals, .. } => {
                kinds.extend(intervals.depths(ranks[field]).map(|(kind, depth)| (-depth, kind)));
            }
        }
        kinds.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        kinds.into_iter().map(|(_, kind)| kind).collect()
    }

    /// All fields, those whose ranks are deepest in an interval first.
    pub fn clearest_first(&self) -> Vec<u32> {
        let (ranks, identities) = match self {
            Self::Free { identities, .. } => (None, identities),
            Self::Intervals { ranks, intervals, identities } => (Some((ranks, intervals)), identities),
        };
        let deepest = |field: usize| {
            let depths = ranks.map(|(ranks, intervals)| intervals.depths(ranks[field]));
            depths.into_iter().flatten().map(|(_, depth)| depth).fold(0.0, f64::max)
        };
        let mut order: Vec<(f64, u64, u32)> =
            (0..identities.len()).map(|field| (deepest(field), identities[field], field as u32)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        order.into_iter().map(|(.., field)| field).collect()
    }
}

impl KindIntervals {
    /// The depth of a rank in each kind's interval: negative outside it. The first and the last interval
    /// extend beyond 0 and 1.
    fn depths(&self, rank: f64) -> impl Iterator<Item = (u32, f64)> {
        let (last, mut begin) = (self.kinds.len() - 1, 0.0);
        self.kinds.iter().zip(&self.sizes).enumerate().map(move |(at, (&kind, size))| {
            let end = begin + size;
            let above = if at == 0 { rank + 1.0 } else { rank - begin };
            let below = if at == last { 2.0 - rank } else { end - rank };
            begin = end;
            (kind, above.min(below))
        })
    }
}

/// Each field's rank in [0, 1]. A random number, keyed by the field's identity, is replaced `rounds` times by
/// the mean of the numbers around it, and then ranked among the fields nearby. All sums are of integers, so
/// that the order of neighbours does not matter.
pub fn ranks(beside: &[Vec<u32>], identities: &[u64], seed: Seed, rounds: u32) -> Vec<f64> {
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

/// The fields within a number of steps of one field.
struct Near {
    /// The field itself, then the others, step by step.
    found: Vec<u32>,
    /// Per field, the last field whose search visited it.
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
