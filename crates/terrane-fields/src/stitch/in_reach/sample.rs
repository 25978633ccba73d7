//! The fields within reach of one sample.

use std::cmp::Ordering;

use super::run::InReach;
use crate::stitch::field_view::{Far, FieldView};
use crate::stitch::other::{Other, Own, allowed};

/// The other fields within reach of a sample. Reused between samples to keep its memory.
#[derive(Default)]
pub struct Found {
    pub others: Vec<Other>,
    /// How far all other fields are: 0 on a border with one of them, 1 out of reach. Used where sides differ.
    clear: f64,
    /// How far each of several fields is, from 0 to 1.
    apart: Vec<f64>,
}

impl<F: Far> InReach<F> {
    /// Whether all seams in reach have equal sides.
    pub fn has_equal_sides(&self) -> bool {
        self.equal_sides
    }

    /// How near the outside (no field) is to a sample.
    pub fn nothing(&self, column: usize) -> f64 {
        self.nothing[column]
    }

    /// Evaluates a sample against its own field's seams, and collects the other fields in reach; `None` if
    /// none of its own seams is in reach. Other fields' parts of the disc are limited by the presence of
    /// its own borders.
    pub fn sample(&self, column: usize, found: &mut Found) -> Option<Own> {
        let own_view = &self.own[column];
        let presence = own_view.presence();
        if presence <= 0.0 {
            return None;
        }
        let mut taken = own_view.part;
        if !self.equal_sides && F::WIDE {
            found.clear = self.clear_but(None, column, &mut found.apart);
            taken = between(taken, self.own_others[column].part, 1.0 - found.clear);
        }
        let (part, open) = (1.0 + taken + self.shores[column], (-taken).max(0.0));
        let own =
            Own { share: self.share, presence, part, open, seam_mean: self.seam_sum[column] / own_view.near };
        self.others(column, &own, own_view.height(), found);
        Some(own)
    }

    fn others(&self, column: usize, own: &Own, mean: f64, found: &mut Found) {
        found.others.clear();
        for (index, &(_, share)) in self.fields.iter().enumerate() {
            let far = &self.others[index][column];
            let (presence, part, height) = match self.equal_sides {
                true if !far.is_known() => continue,
                true => (far.presence(), far.part, far.height()),
                false => self.uneven(index, column, found),
            };
            if presence > 0.0 {
                // A field can be in reach across the outside too, and without any shared border. It only
                // counts together with a border.
                let part = allowed(allowed(part.max(0.0), own.open), presence);
                let presence = allowed(presence, own.presence);
                found.others.push(Other { presence, part, above: height - mean, share });
            }
        }
        // The order in which a run encounters fields depends on the run's extent, and sums depend on the
        // order.
        if found.others.len() > 2 {
            found.others.sort_unstable_by(|a, b| {
                let key = |other: &Other| [other.presence, other.above, other.share, other.part];
                let (a, b) = (key(a), key(b));
                (0..4).map(|i| a[i].total_cmp(&b[i])).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            });
        }
    }

    /// A field's presence, its part of the disc and its height. Near the field's border with the run's field,
    /// they are as evaluated from the run's field. Near other borders, they are as evaluated from these.
    fn uneven(&self, index: usize, column: usize, found: &mut Found) -> (f64, f64, f64) {
        let (near, far) = (&self.nearer[index][column], &self.others[index][column]);
        let clear = if F::WIDE { found.clear } else { self.clear_but(Some(index), column, &mut found.apart) };
        let (a, b) = (near.presence(), far.presence());
        let (here, part) = (between(a, b, 1.0 - clear), between(near.part, far.part, 1.0 - clear));
        if b <= 0.0 || here <= 0.0 {
            return (here, part, near.height());
        }
        let height = if a > 0.0 { near.height() } else { far.height() };
        (here, part, height + (1.0 - clear) * b / here * (far.height() - height))
    }

    /// How far all other fields except `index` are: 0 on a border with one of them, 1 out of reach.
    fn clear_but(&self, index: Option<usize>, column: usize, apart: &mut Vec<f64>) -> f64 {
        let away = |views: &Vec<FieldView<F>>| 1.0 - views[column].presence();
        let all = self.nearer[..self.fields.len()].iter().enumerate();
        apart.clear();
        apart.extend(all.filter(|(other, _)| Some(*other) != index).map(|(_, views)| away(views)));
        if apart.len() > 2 {
            apart.sort_unstable_by(f64::total_cmp);
        }
        apart.iter().product()
    }
}

/// Linear interpolation.
fn between(a: f64, b: f64, part: f64) -> f64 {
    a + part * (b - a)
}
