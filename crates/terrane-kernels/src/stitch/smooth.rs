//! A stitch without creases: a mean of all fields in reach, each by how much of what is around it has.

use terrane_grid::Domain;

use super::band::Run;
use super::beyond::Beyond;
use super::crowd::{Crowd, Found};
use super::nearness::presence;
use super::other::{Other, Own};
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
/// weights change over Distance, and no faster than 3/2 of what they change by.
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
    type Scratch = (Crowd<All>, Found);

    fn change(
        &self,
        run: &Run<'_>,
        sides: &[(u32, u32)],
        _: impl Iterator<Item = (u32, f64)>,
        (crowd, found): &mut Self::Scratch,
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
            let Some(own) = crowd.sample(column, found) else { continue };
            *change = match self.pinch {
                true => together(&own, &found.others, presence(crowd.nothing(column)), crowd.even()),
                false => alone(own.apart) * own.asked,
            };
        }
    }
}

/// How much of a field moves with its own seams alone, from 1 on them to 0 out of reach, where it is level.
fn alone(apart: f64) -> f64 {
    1.0 - 1.5 * apart + 0.5 * apart * apart * apart
}

/// Over this part of the reach what falls from borders begins to.
const ROUND: f64 = 1.0 / 16.0;

/// How much fields that weigh alike have of a field's sample, where so far from its seams: all on them, and level there, so that what a third field has
/// crosses the border of two without a bend; nothing out of reach, and level. It falls by no more than 1.43 times the distance.
fn alike(apart: f64) -> f64 {
    let begun = if apart < ROUND { apart * apart / (2.0 * ROUND) } else { apart - 0.5 * ROUND };
    let far = begun / (1.0 - 0.5 * ROUND);
    (1.0 - far) * (1.0 - far) * (1.0 + 0.7 * far)
}

/// The change where all fields meet.
fn together(own: &Own, others: &[Other], nothing: f64, even: bool) -> f64 {
    let weights = Weights::new(own, others, nothing);
    if even {
        return others.iter().map(|other| weights.of(other) * other.above).sum();
    }
    // Weights by the inverse of shares, beside that of the sample's own.
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

/// How much fields weigh: all of them, the sample's own too, 1 together.
struct Weights {
    /// By what part they have of what is around.
    part: f64,
    /// By their presence, as all that are near weigh alike: where any two others are here, and near what is in no field, which has a part of what is around, too.
    presence: f64,
}

impl Weights {
    #[inline(always)]
    fn new(own: &Own, others: &[Other], nothing: f64) -> Self {
        let (mut parts, mut presences, mut apart) = (0.0, 0.0, 1.0);
        let per_own = 1.0 / own.presence;
        for (at, other) in others.iter().enumerate() {
            parts += other.part;
            presences += other.presence;
            let pairs = others[..at].iter().map(|before| 1.0 - before.presence * other.presence * per_own);
            apart *= pairs.product::<f64>();
        }
        let parts = parts + own.part.max(0.0);
        // Measured by the sample's own presence and squared, so that fields are alike nearly as far as all of them are seen: else weights fell twice.
        let by_part = (1.0 - nothing) * apart;
        let by_part = by_part * by_part;
        Self {
            part: if parts > 0.0 { by_part / parts } else { 0.0 },
            presence: (1.0 - by_part) * alike(own.apart) / (own.presence + presences),
        }
    }

    #[inline(always)]
    fn of(&self, other: &Other) -> f64 {
        self.part * other.part + self.presence * other.presence
    }
}
