//! A stitch without creases: a mean of all fields in reach, each by how much of what is around it has.

use terrane_grid::Domain;

use super::band::Run;
use super::beyond::Beyond;
use super::crowd::Crowd;
use super::nearness::presence;
use super::other::{Other, Own, allowed};
use super::rim::Rims;
use super::rows::Change;
use super::seam::Plan;
use super::sight::All;

/// What samples need of the plan.
///
/// A field weighs as much as it has of the disc of radius Distance around the sample, as [`super::shadow`] says. All weights together are 1, and each
/// passes borders, corners and nodes without a bend. But where three fields or more are near all that are weigh alike, as at nodes (Mijailovic 2015, 3.8.3.6
/// "Pinching"), by how near they are. A sample's own field is taken as it is, others by how much higher their borders are than its own: by the mean of
/// each over all that is in reach, weighted by nearness. So a sample sees nothing beyond Distance, and however near to each other nodes lie
/// nothing is steeper than the difference of the fields needs.
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
        let (rims, beyond) = (Rims::new(plan, domain, true), Beyond::new(plan, domain, pinch, true));
        Self { plan, rims, beyond, pinch }
    }
}

impl Change for Smooth<'_> {
    type Scratch = (Crowd<All>, Vec<Other>);

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
                *change = alone(own.presence) * own.asked;
                continue;
            }
            crowd.others(column, &own, others);
            *change = together(&own, others, presence(crowd.nothing(column)), crowd.even());
        }
    }
}

/// How much of a field moves with its own seams alone, from 1 on them to 0 out of reach, where it is level.
fn alone(presence: f64) -> f64 {
    let far = ((1.0 - presence) / (1.0 + presence)).max(0.0).sqrt();
    1.0 - 1.5 * far + 0.5 * far * far * far
}

/// The change where all fields meet.
fn together(own: &Own, others: &[Other], nothing: f64, even: bool) -> f64 {
    let total = |own: f64, of: &dyn Fn(&Other) -> f64| own + others.iter().map(of).sum::<f64>();
    // By what they have of what is around.
    let parts = total(own.part.max(0.0), &|other| other.part);
    // All alike, where any two others are here.
    let clear = |(at, other): (usize, &Other)| {
        others[..at].iter().map(|before| 1.0 - before.presence * other.presence).product::<f64>()
    };
    let alike = own.presence * (1.0 - others.iter().enumerate().map(clear).product::<f64>());
    let here = total(2.0 - own.presence, &|other| other.presence);
    // By how near they are, where what is in no field is: it has a part of what is around, too.
    let nothing = nothing * nothing * nothing;
    let mine = 2.0 - alone(own.presence);
    let near = if nothing > 0.0 { total(mine, &|other| alone(other.presence)) } else { 1.0 };
    let by_part = if parts > 0.0 { (1.0 - nothing) * (1.0 - alike) / parts } else { 0.0 };
    let by_presence = (1.0 - nothing) * alike / here;
    let weight = |other: &Other| {
        let plain = by_part * other.part + by_presence * other.presence;
        if nothing > 0.0 { plain + nothing / near * alone(other.presence) } else { plain }
    };
    if even {
        return others.iter().map(|other| weight(other) * other.above).sum();
    }
    // Weights by the inverse of shares, beside that of the sample's own.
    let Some(share) = Other::share(own, others, 1.0) else { return 0.0 };
    let (mut above, mut weights, mut plain) = (0.0, 0.0, 0.0);
    for other in others {
        let own_weight = weight(other);
        let weighed = own_weight / (other.held(share, other.presence) / own.share);
        above += weighed * other.above;
        weights += weighed;
        plain += own_weight;
    }
    if plain <= 0.0 {
        return 0.0;
    }
    let mean = weights / plain;
    above / (weights + (1.0 - plain).max(0.0) * (1.0 + (mean - 1.0) * (1.0 - own.presence)))
}
