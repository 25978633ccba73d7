//! A stitch without creases: a mean of all fields in reach, each by how much of what is around it has.

use terrane_grid::Domain;

use super::band::Run;
use super::beyond::Beyond;
use super::crowd::{Crowd, Found};
use super::other::{Other, Own};
use super::rim::Rims;
use super::rows::Change;
use super::seam::Plan;
use super::sight::All;

/// What samples need of the plan.
///
/// All fields in reach weigh alike at their borders and nodes (Mijailovic 2015, 3.8.3.6 "Pinching"), and by how near they are elsewhere; beside them the sample's own field weighs the
/// more the farther its borders are. All weights together are 1, change over Distance, however near to each other nodes lie and however thin fields are, and no faster than 3/2 of what they
/// change by. A sample's own field is taken as it is, others by how much higher their borders are than its own: by the mean of each over all that is in reach, weighted by nearness. So a
/// sample sees nothing beyond Distance.
///
/// Nearness and distance are integrals along borders, without a bend at corners. A field that is alone with the sample's own weighs less from their border on, as far on one side as on the
/// other, so that a step between two becomes one slope and not two with a terrace between. What fields beside others weigh is level on borders and at nodes, so that nothing bends there.
pub struct Smooth<'a> {
    plan: &'a Plan<'a>,
    rims: Rims,
    beyond: Beyond,
    pinch: bool,
}

impl<'a> Smooth<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain, pinch: bool) -> Self {
        let (rims, beyond) = (Rims::new(plan, domain, true), Beyond::new(plan, domain, pinch));
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
                true => together(&own, &found.others, crowd.even()),
                false => falling(own.apart) * own.asked,
            };
        }
    }
}

/// From 1 at no distance to 0 at 1, where it is level: straight over three quarters of the way, at a slope of 8/7.
fn falling(distance: f64) -> f64 {
    if distance < 0.75 {
        1.0 - 8.0 / 7.0 * distance
    } else {
        16.0 / 7.0 * (1.0 - distance) * (1.0 - distance)
    }
}

/// Over this part of the reach a distance begins to grow that is level at 0.
const ROUND: f64 = 1.0 / 16.0;

/// A distance that is level at 0, and 1 at 1.
fn rounded(distance: f64) -> f64 {
    let begun = if distance < ROUND { distance * distance / (2.0 * ROUND) } else { distance - 0.5 * ROUND };
    begun / (1.0 - 0.5 * ROUND)
}

/// The change where all fields meet.
fn together(own: &Own, others: &[Other], even: bool) -> f64 {
    let weights = Weights::new(own, others);
    if even {
        return others.iter().enumerate().map(|(at, other)| weights.of(at) * other.above).sum();
    }
    // Weights by the inverse of shares, beside that of the sample's own.
    let Some(share) = Other::share(own, others, 1.0) else { return 0.0 };
    let (mut above, mut weighed, mut plain) = (0.0, 0.0, 0.0);
    for (at, other) in others.iter().enumerate() {
        let weight = weights.of(at);
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
struct Weights<'a> {
    others: &'a [Other],
    /// What presences are divided by.
    all: f64,
    /// How much of what a field weighs on borders is left so far from them: of one that is alone here, and of one beside others.
    alone: f64,
    beside: f64,
}

impl<'a> Weights<'a> {
    #[inline(always)]
    fn new(own: &Own, others: &'a [Other]) -> Self {
        let all = own.presence + others.iter().map(|other| other.presence).sum::<f64>();
        Self { others, all, alone: falling(own.apart), beside: falling(rounded(own.apart)) }
    }

    /// Of the other field at a place in the list.
    #[inline(always)]
    fn of(&self, at: usize) -> f64 {
        let rest = self.others[..at].iter().chain(&self.others[at + 1..]);
        let alone: f64 = rest.map(|other| 1.0 - other.presence).product();
        let left = self.beside + alone * (self.alone - self.beside);
        left * self.others[at].presence / self.all
    }
}
