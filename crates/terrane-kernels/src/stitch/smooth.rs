//! A stitch without creases: a mean of all fields in reach, each by how near it is.

use terrane_grid::Domain;

use super::Change;
use super::band::Run;
use super::crowd::{Beyond, Crowd, Far, Other, Own};
use super::nearness::{Nearness, rise};
use super::rim::Rims;
use super::seam::Plan;

/// What samples need of the plan.
///
/// A field's weight is 1 on its border, falls to 0 at Distance outside of it and rises to 2 within, as its [`Nearness`] says. It passes the border
/// without a bend, so no ridge stands there, and all weights together are never less than 1, so nothing is steeper than the difference of the fields
/// needs, however near to each other nodes lie. At nodes all that meet weigh alike (Mijailovic 2015, 3.8.3.6 "Pinching"). A sample's own field is
/// taken as it is, others by how much higher their borders are than its own: by the mean of each over all that is in reach, weighted by the same
/// nearness. So a sample sees nothing beyond Distance.
///
/// A step between two fields becomes one slope across the border and not two with a terrace between.
pub struct Smooth<'a> {
    plan: &'a Plan<'a>,
    rims: Rims,
    beyond: Beyond,
    pinch: bool,
}

impl<'a> Smooth<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain, pinch: bool) -> Self {
        Self { plan, rims: Rims::new(plan, domain, true), beyond: Beyond::new(plan, domain, pinch), pinch }
    }
}

impl Change for Smooth<'_> {
    type Scratch = (Crowd<Nearness>, Vec<Other>);

    fn change(
        &self,
        run: &Run<'_>,
        sides: &[(u32, u32)],
        _: impl Iterator<Item = (u32, f64)>,
        (crowd, others): &mut Self::Scratch,
        changes: &mut [f64],
    ) {
        let apart = |seam: usize, side: usize, _: f64, heights: [f64; 2]| {
            if self.pinch {
                0.0
            } else {
                self.plan.seams[seam].sides[side].part * (heights[1 - side] - heights[side])
            }
        };
        crowd.look(self.plan, &self.rims, &self.beyond, run, sides, apart);
        for (column, change) in changes.iter_mut().enumerate() {
            let Some(own) = crowd.own(column) else { continue };
            if !self.pinch {
                *change = own.presence * own.asked;
                continue;
            }
            crowd.others(column, own.presence, others);
            *change = if crowd.even() { even(&own, others) } else { uneven(&own, others) };
        }
    }
}

/// The change where all fields are alike.
fn even(own: &Own, others: &[Other]) -> f64 {
    let (sum, weights) =
        others.iter().fold((0.0, 0.0), |(sum, all), o| (sum + o.presence * o.above, all + o.presence));
    sum / (1.0 + (1.0 - own.presence) + weights)
}

/// The change where fields' weights are the inverse of their shares, beside that of the sample's own.
fn uneven(own: &Own, others: &[Other]) -> f64 {
    let Some(share) = Other::share(own, others, 1.0) else { return 0.0 };
    let (mut sum, mut weights, mut present) = (0.0, 0.0, 0.0);
    for other in others {
        let weight = other.presence / (other.held(share, other.presence) / own.share);
        sum += weight * other.above;
        weights += weight;
        present += other.presence;
    }
    if present <= 0.0 {
        return 0.0;
    }
    let mean = weights / present;
    sum / (1.0 + mean * (1.0 - own.presence) + weights)
}

impl Far for Nearness {
    /// Three halves, which is no bend at all across a border.
    const EVEN: f64 = 1.5;
    const WIDE: bool = true;

    #[inline(always)]
    fn of(near: Nearness, _: f64) -> Self {
        near
    }

    #[inline(always)]
    fn join(&mut self, other: Self) {
        *self += other;
    }

    #[inline(always)]
    fn presence(self, steep: f64) -> f64 {
        let far = self.distance();
        1.0 - rise(far) - steep * far * (1.0 - far) * (1.0 - far)
    }
}
