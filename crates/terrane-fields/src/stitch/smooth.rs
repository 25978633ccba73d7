//! A stitch without creases: a mean of all fields in reach, each weighted by its part of the disc around
//! the sample.

use terrane_grid::Domain;

use super::band::Run;
use super::beyond::Beyond;
use super::field_view::All;
use super::in_reach::{Found, InReach};
use super::nearness::presence;
use super::other::{Other, Own};
use super::rim::Rims;
use super::rows::Change;
use super::seam::Plan;

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
    type Scratch = (InReach<All>, Found);

    fn change(
        &self,
        run: &Run<'_>,
        sides: &[(u32, u32)],
        _: impl Iterator<Item = (u32, f64)>,
        (in_reach, found): &mut Self::Scratch,
        changes: &mut [f64],
    ) {
        let apart = |seam: usize, side: usize, _: f64, heights: [f64; 2]| {
            if self.pinch {
                0.0
            } else {
                self.plan.seams[seam].sides[side].part * (heights[1 - side] - heights[side])
            }
        };
        in_reach.evaluate(self.plan, &self.rims, &self.beyond, run, sides, apart);
        for (column, change) in changes.iter_mut().enumerate() {
            let Some(own) = in_reach.sample(column, found) else { continue };
            *change = match self.pinch {
                true => together(&own, &found.others, presence(in_reach.nothing(column)), in_reach.even()),
                false => alone(own.presence) * own.seam_mean,
            };
        }
    }
}

/// The fraction that moves with a field's own seams alone, from 1 on them to 0 out of reach, flat at both
/// ends.
fn alone(presence: f64) -> f64 {
    let far = ((1.0 - presence) / (1.0 + presence)).max(0.0).sqrt();
    1.0 - 1.5 * far + 0.5 * far * far * far
}

/// The change where all fields meet.
fn together(own: &Own, others: &[Other], nothing: f64, even: bool) -> f64 {
    let weights = Weights::new(own, others, nothing);
    if even {
        return others.iter().map(|other| weights.of(other) * other.above).sum();
    }
    // Weights by the inverse of shares, relative to the sample's own.
    let Some(share) = Other::share(own, others, 1.0) else { return 0.0 };
    let (mut above, mut weighed, mut plain) = (0.0, 0.0, 0.0);
    for other in others {
        let weight = weights.of(other);
        let by_share = weight / (other.held(share, other.presence) / own.share);
        above += by_share * other.above;
        weighed += by_share;
        plain += weight;
    }
    if plain <= 0.0 {
        return 0.0;
    }
    let mean = weighed / plain;
    above / (weighed + (1.0 - plain).max(0.0) * (1.0 + (mean - 1.0) * (1.0 - own.presence)))
}

/// Weights of fields, which sum to 1 including the sample's own.
struct Weights {
    /// For its part of the disc.
    part: f64,
    /// For its presence: equal where any two others are present.
    presence: f64,
    /// For its nearness, next to the outside, which has a part of the disc too.
    near: f64,
}

impl Weights {
    #[inline(always)]
    fn new(own: &Own, others: &[Other], nothing: f64) -> Self {
        // 0 on the outside, with slope 0: so at a border's end next to it nothing is steeper than 3/2.
        let inner = (1.0 - nothing) * (1.0 - nothing * nothing);
        let (mut parts, mut presences, mut apart) = (0.0, 0.0, 1.0);
        for (at, other) in others.iter().enumerate() {
            parts += other.part;
            presences += other.presence;
            let pairs = others[..at].iter().map(|before| 1.0 - before.presence * other.presence);
            apart *= pairs.product::<f64>();
        }
        let parts = parts + own.part.max(0.0);
        let alike = own.presence * (1.0 - apart);
        let mut near = 0.0;
        if inner < 1.0 {
            let all = others.iter().map(|other| alone(other.presence)).sum::<f64>();
            near = (1.0 - inner) / (2.0 - alone(own.presence) + all);
        }
        Self {
            part: if parts > 0.0 { inner * (1.0 - alike) / parts } else { 0.0 },
            presence: inner * alike / (2.0 - own.presence + presences),
            near,
        }
    }

    #[inline(always)]
    fn of(&self, other: &Other) -> f64 {
        let plain = self.part * other.part + self.presence * other.presence;
        if self.near > 0.0 { plain + self.near * alone(other.presence) } else { plain }
    }
}
