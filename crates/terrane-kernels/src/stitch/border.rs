//! How fields move on the borders between them.

use rayon::prelude::*;

use super::nearness::{Nearness, ramp};
use super::outline::Point;
use super::seam::{Plan, Seam};

/// How both fields of a seam move at a point of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Move {
    /// What each moves by for the other, left and right: its part of the difference.
    pub apart: [f64; 2],
    /// What both move by for other fields near.
    pub together: f64,
}

/// Where fields meet: at a mean of their heights and those of all other fields near, each weighted by how near it is.
///
/// At a node all fields that end there are at no distance, and so this is their mean (Mijailovic 2015, 3.8.3.6 "Pinching"); from there the others'
/// weights fall to 0 at Distance, wherever the next node lies. So the height of borders is one continuous function of place, whose slope is no
/// more than the difference of the fields over Distance needs: on a border however short, and from a border to the next one however
/// near.
pub struct Borders<'a> {
    plan: &'a Plan<'a>,
    /// For each seam sides of others, of other fields, that may be near: twice the seam's number and the side.
    near: Vec<Vec<u32>>,
}

/// What is seen of another field.
struct Other {
    field: u32,
    share: f64,
    near: Nearness,
    /// Its heights at the nearest points of its seams.
    heights: f64,
    weights: f64,
}

impl<'a> Borders<'a> {
    /// With `pinch` off no other fields count.
    pub fn new(plan: &'a Plan<'a>, pinch: bool) -> Self {
        if !pinch {
            return Self { plan, near: vec![Vec::new(); plan.seams.len()] };
        }
        // Seams go by the least x; this is the greatest up to each.
        let mut greatest = f64::NEG_INFINITY;
        let up_to = |seam: &Seam| {
            greatest = greatest.max(seam.line.ends[1].0);
            greatest
        };
        let greatest: Vec<f64> = plan.seams.iter().map(up_to).collect();
        let near = |seam: &Seam| {
            let [low, high] = seam.line.ends.map(|end| end.0);
            let first = greatest.partition_point(|&x| x < low - plan.reach);
            let last = plan.seams.partition_point(|other| other.line.ends[0].0 <= high + plan.reach);
            let others = first..last.max(first);
            let of = |index: usize| {
                let other = &plan.seams[index];
                let in_reach = reach(other) > 0.0 && seam.within(other, reach(other));
                let foreign = move |side: &usize| {
                    in_reach && seam.sides.iter().all(|own| own.field != other.sides[*side].field)
                };
                [0, 1].into_iter().filter(foreign).map(move |side| (2 * index + side) as u32)
            };
            others.flat_map(of).collect()
        };
        Self { plan, near: plan.seams.par_iter().map(near).collect() }
    }

    /// What it was made from.
    pub fn plan(&self) -> &'a Plan<'a> {
        self.plan
    }

    /// How a seam's fields move at a point of it. Where one's height is not a number they stay, and another field's has no part.
    pub fn at(&self, index: usize, at: Point) -> Move {
        let seam = &self.plan.seams[index];
        let [left, right] = seam.sides;
        let heights = self.plan.heights(seam, at);
        let (difference, shares) = (heights[1] - heights[0], left.share + right.share);
        if !difference.is_finite() || shares <= 0.0 {
            return Move::default();
        }
        let apart = [left.part * difference, -right.part * difference];
        // Weights of fields are the inverse of their shares; here as parts of what both own ones have together.
        let own = left.share * right.share / shares;
        let mean = heights[0] + apart[0];
        let (mut sum, mut weights) = (0.0, 1.0);
        for other in self.others(index, at).iter().filter(|other| other.weights > 0.0) {
            let part = ramp(other.near.distance());
            // What has no share grows beyond bounds towards the field.
            let share = other.share.max(0.5 * shares * (1.0 - part).max(1e-12));
            let weight = own * part / share;
            sum += weight * (other.heights / other.weights - mean);
            weights += weight;
        }
        Move { apart, together: sum / weights }
    }

    /// The other fields in reach of a point of a seam, in the order of their seams.
    fn others(&self, index: usize, at: Point) -> Vec<Other> {
        let mut found: Vec<Other> = Vec::new();
        for &who in &self.near[index] {
            let (seam, side) = (&self.plan.seams[who as usize / 2], who as usize % 2);
            let seen = seam.line.see(side, at);
            let near = Nearness::of(&seam.line, &seen, 1.0 / reach(seam));
            if near.third <= 0.0 {
                continue;
            }
            let side = seam.sides[side];
            let place = found.iter().position(|other| other.field == side.field).unwrap_or(found.len());
            if place == found.len() {
                let near = Nearness::default();
                found.push(Other { field: side.field, share: side.share, near, heights: 0.0, weights: 0.0 });
            }
            let other = &mut found[place];
            other.near += near;
            let height = self.plan.terrains[side.field as usize].at(seam.line.point(seen.along));
            if height.is_finite() {
                other.heights += near.third * height;
                other.weights += near.third;
            }
        }
        found
    }
}

/// How far a seam's fields change others: the lesser of their distances.
fn reach(seam: &Seam) -> f64 {
    seam.sides[0].distance.min(seam.sides[1].distance)
}
