//! What one sample of a run sees of all fields.

use std::cmp::Ordering;

use super::seen::Crowd;
use crate::stitch::other::{Other, Own, allowed};
use crate::stitch::sight::{Far, Sight};

/// The other fields that a sample sees. It is kept from sample to sample for its memory.
#[derive(Default)]
pub struct Found {
    pub others: Vec<Other>,
    /// How far from the sample all other fields are, where sides are not alike.
    clear: f64,
    apart: Vec<f64>,
}

impl<F: Far> Crowd<F> {
    /// Whether all that is seen is alike.
    pub fn even(&self) -> bool {
        self.even
    }

    /// How near what is in no field is to a sample.
    pub fn nothing(&self, column: usize) -> f64 {
        self.nothing[column]
    }

    /// What a sample sees of its own field's seams, and the other fields that it sees; `None` where it sees
    /// none of its own. What others have of what is around is what its own borders allow.
    pub fn sample(&self, column: usize, found: &mut Found) -> Option<Own> {
        let sight = &self.own[column];
        let presence = sight.presence();
        if presence <= 0.0 {
            return None;
        }
        let mut taken = sight.part;
        if !self.even && F::WIDE {
            found.clear = self.clear_but(None, column, &mut found.apart);
            taken = between(taken, self.own_others[column].part, 1.0 - found.clear);
        }
        let (part, open) = (1.0 + taken + self.shores[column], (-taken).max(0.0));
        let own = Own { share: self.share, presence, part, open, asked: self.asked[column] / sight.near };
        self.others(column, &own, sight.height(), found);
        Some(own)
    }

    fn others(&self, column: usize, own: &Own, mean: f64, found: &mut Found) {
        found.others.clear();
        for (place, &(_, share)) in self.fields.iter().enumerate() {
            let far = &self.others[place][column];
            let (presence, part, height) = match self.even {
                true if !far.is_known() => continue,
                true => (far.presence(), far.part, far.height()),
                false => self.uneven(place, column, found),
            };
            if presence > 0.0 {
                // A field is seen across nothing, too, and before any border with it: only with one it
                // counts.
                let part = allowed(allowed(part.max(0.0), own.open), presence);
                let presence = allowed(presence, own.presence);
                found.others.push(Other { presence, part, above: height - mean, share });
            }
        }
        // Which field a run sees first depends on how far the run goes, and sums on the order.
        if found.others.len() > 2 {
            found.others.sort_unstable_by(|a, b| {
                let key = |other: &Other| [other.presence, other.above, other.share, other.part];
                let (a, b) = (key(a), key(b));
                (0..4).map(|i| a[i].total_cmp(&b[i])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            });
        }
    }

    /// How much of a field is here, what it has of what is around, and its height: near its own border as the
    /// run's field sees it, near other borders as these see it.
    fn uneven(&self, place: usize, column: usize, found: &mut Found) -> (f64, f64, f64) {
        let (near, far) = (&self.nearer[place][column], &self.others[place][column]);
        let clear = if F::WIDE { found.clear } else { self.clear_but(Some(place), column, &mut found.apart) };
        let (a, b) = (near.presence(), far.presence());
        let (here, part) = (between(a, b, 1.0 - clear), between(near.part, far.part, 1.0 - clear));
        if b <= 0.0 || here <= 0.0 {
            return (here, part, near.height());
        }
        let height = if a > 0.0 { near.height() } else { far.height() };
        (here, part, height + (1.0 - clear) * b / here * (far.height() - height))
    }

    /// How far all other fields are but one: 0 on a border with one of them, 1 out of reach.
    fn clear_but(&self, place: Option<usize>, column: usize, apart: &mut Vec<f64>) -> f64 {
        let away = |sights: &Vec<Sight<F>>| 1.0 - sights[column].presence();
        let all = self.nearer[..self.fields.len()].iter().enumerate();
        apart.clear();
        apart.extend(all.filter(|(other, _)| Some(*other) != place).map(|(_, sights)| away(sights)));
        if apart.len() > 2 {
            apart.sort_unstable_by(f64::total_cmp);
        }
        apart.iter().product()
    }
}

/// A value between two.
fn between(a: f64, b: f64, part: f64) -> f64 {
    a + part * (b - a)
}
