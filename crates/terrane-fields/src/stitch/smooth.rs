//! A stitch without creases: a mean of all fields in reach, each weighted by its part of the disc around
//! the sample.

use terrane_grid::Domain;

use super::band::{NearSides, Run};
use super::beyond::Beyond;
use super::field_view::All;
use super::in_reach::{Borders, Found, InReach};
use super::nearness::presence;
use super::other::{Other, Own};
use super::rim::Rims;
use super::rows::Change;
use super::seam::{Plan, SeamSide};

/// The smooth method.
///
/// A field's weight is its part of the disc of radius Distance around the sample, from [`super::shadow`]. All
/// weights sum to 1, and each is smooth across borders, corners and nodes. But where three or more fields are
/// near, their weights approach equal ones, as at nodes (Mijailovic 2015, 3.8.3.6 "Pinching"): the nearer the
/// fields are, the more so. A sample's own field enters unchanged. Other fields enter by how much higher
/// their borders are than the borders of the own field. Both heights are means over the borders in reach,
/// weighted by nearness. So nothing beyond Distance affects a sample, and weights change over Distance,
/// however close nodes are.
///
/// A step between two fields becomes one slope across the border rather than two with a terrace in between.
pub struct Smooth<'a> {
    borders: Borders<'a>,
    pinch: bool,
}

impl<'a> Smooth<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain, pinch: bool) -> Self {
        let (rims, beyond) = (Rims::new(plan, domain, true), Beyond::new(plan, domain, pinch, true));
        Self { borders: Borders { plan, rims, beyond }, pinch }
    }
}

impl Change for Smooth<'_> {
    type Scratch = (InReach<All>, Found);

    fn change(
        &self,
        run: &Run<'_>,
        sides: NearSides<'_>,
        _: impl Iterator<Item = (SeamSide, f64)>,
        (in_reach, found): &mut Self::Scratch,
        changes: &mut [f64],
    ) {
        // The change on a seam without pinching; with it, changes follow from the heights of all fields.
        let on_seam = |own: SeamSide, _: f64, heights: [f64; 2]| {
            if self.pinch {
                0.0
            } else {
                let side = own.side();
                self.borders.plan.side(own).part * (heights[1 - side] - heights[side])
            }
        };
        in_reach.evaluate(&self.borders, run, sides, on_seam);
        for (column, change) in changes.iter_mut().enumerate() {
            let Some(own) = in_reach.sample(column, found) else { continue };
            let outside = presence(in_reach.nothing(column));
            *change = match self.pinch {
                true => joint_change(&own, &found.others, outside, in_reach.has_equal_sides()),
                false => falloff(own.presence) * own.seam_mean,
            };
        }
    }
}

/// The fraction of the change on a border that remains at a presence p: 1 on the border, and 0 out of reach,
/// with slope 0 there. With x² = (1 − p) / (1 + p) it is 1 − 3/2 x + 1/2 x³.
fn falloff(presence: f64) -> f64 {
    let x = ((1.0 - presence) / (1.0 + presence)).max(0.0).sqrt();
    1.0 - 1.5 * x + 0.5 * x * x * x
}

/// The change by which all fields meet.
///
/// If all shares are equal, it is Σ wᵢ·hᵢ over the other fields, with their [`Weights`] wᵢ and with heights
/// hᵢ above the own field's. Otherwise a field with a larger share moves more, so its weight is divided by
/// its share rᵢ, relative to the own field's share: vᵢ = wᵢ / rᵢ. With W = Σ wᵢ, V = Σ vᵢ and the presence p
/// of the own borders, the change is
///
/// Σ vᵢ·hᵢ / (V + (1 − W)·(1 + (V / W − 1)·(1 − p))).
///
/// The own field's weight, 1 − W, counts in full on a border. Out of reach it is scaled by V / W, as the
/// others are, so that the change is W times a mean of the hᵢ, as with equal shares.
fn joint_change(own: &Own, others: &[Other], outside: f64, equal_sides: bool) -> f64 {
    let weights = Weights::new(own, others, outside);
    if equal_sides {
        return others.iter().map(|other| weights.of(other) * other.above).sum();
    }
    let Some(mean_share) = Other::share(own, others, 1.0) else { return 0.0 };
    let (mut weighted_heights, mut by_share, mut weight_sum) = (0.0, 0.0, 0.0);
    for other in others {
        let weight = weights.of(other);
        let relative_share = other.held(mean_share, other.presence) / own.share;
        weighted_heights += weight / relative_share * other.above;
        by_share += weight / relative_share;
        weight_sum += weight;
    }
    if weight_sum <= 0.0 {
        return 0.0;
    }
    let scale = by_share / weight_sum;
    let own_weight = (1.0 - weight_sum).max(0.0) * (1.0 + (scale - 1.0) * (1.0 - own.presence));
    weighted_heights / (by_share + own_weight)
}

/// The weights of other fields in the height at which fields meet. Together with the weight of the sample's
/// own field they sum to 1.
///
/// The weight of field i is
///
/// q·((1 − m)·aᵢ / A + m·pᵢ / (2 − p + Σ pⱼ)) + (1 − q)·s(pᵢ) / (2 − s(p) + Σ s(pⱼ)),
///
/// where
///
/// - aᵢ is the field's part of the disc around the sample, and A the sum of all fields' parts;
/// - pᵢ is the field's presence, p that of the own field's borders, and s the [`falloff`];
/// - m = p·(1 − Π (1 − pᵢ·pⱼ)), over all pairs of other fields, is how nearly three fields meet: there
///   weights are equal;
/// - q = (1 − n)·(1 − n²), with the presence n of the outside. Next to the outside, which has a part of the
///   disc too, weights follow from nearness. q is 0 on the outside, with slope 0, so that nothing is steeper
///   than 3/2 at a border's end next to it.
struct Weights {
    /// q·(1 − m) / A.
    per_part: f64,
    /// q·m / (2 − p + Σ pⱼ).
    per_presence: f64,
    /// (1 − q) / (2 − s(p) + Σ s(pⱼ)).
    per_falloff: f64,
}

impl Weights {
    #[inline(always)]
    fn new(own: &Own, others: &[Other], outside: f64) -> Self {
        let inside = (1.0 - outside) * (1.0 - outside * outside);
        let (mut parts, mut presences, mut no_pair) = (0.0, 0.0, 1.0);
        for (at, other) in others.iter().enumerate() {
            parts += other.part;
            presences += other.presence;
            let pairs = others[..at].iter().map(|before| 1.0 - before.presence * other.presence);
            no_pair *= pairs.product::<f64>();
        }
        let parts = parts + own.part.max(0.0);
        let meeting = own.presence * (1.0 - no_pair);
        let mut per_falloff = 0.0;
        if inside < 1.0 {
            let falloffs = others.iter().map(|other| falloff(other.presence)).sum::<f64>();
            per_falloff = (1.0 - inside) / (2.0 - falloff(own.presence) + falloffs);
        }
        Self {
            per_part: if parts > 0.0 { inside * (1.0 - meeting) / parts } else { 0.0 },
            per_presence: inside * meeting / (2.0 - own.presence + presences),
            per_falloff,
        }
    }

    #[inline(always)]
    fn of(&self, other: &Other) -> f64 {
        let weight = self.per_part * other.part + self.per_presence * other.presence;
        if self.per_falloff > 0.0 { weight + self.per_falloff * falloff(other.presence) } else { weight }
    }
}
