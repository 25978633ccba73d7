//! Mijailovic's stitch (2015, 3.8), corrected: changes fall linearly from seams.

use crate::parallel::collect;
use terrane_grid::Domain;

use super::band::{NearSides, Run};
use super::beyond::Beyond;
use super::field_view::Nearest;
use super::in_reach::{Borders, Found, InReach};
use super::other::{Other, Own};
use super::outline::Point;
use super::rim::{Rim, Rims};
use super::rows::Change;
use super::seam::{Plan, Seam, SeamSide, Stations};

/// The linear method.
///
/// A sample moves with its nearest seam only (3.8.3.2): at the distance n by Difference · (1 − n / Maximum
/// Distance) (3.8.3.4). Maximum Distance is the distance at which another seam of the field is equally near.
/// Near a corner this is at the Separator, which halves the inner angle. At reflex and straight corners there
/// is none. Between opposite seams it is half-way. Maximum Distance grows from 0 at a corner to Distance
/// exactly at the thesis's Radius (3.8.3.5). Where two Radii overlap, a case that the thesis leaves open, it
/// grows up to where both Separators meet.
///
/// If Maximum Distance, or the distance to other seams of the field, is less than Distance, there is too
/// little room for the whole difference. Then only a fraction of the difference moves this way: the smaller
/// of these two distances, divided by Distance. The slope of this part is as elsewhere, and the part is 0 at
/// corners. The rest moves so that all fields in reach meet (3.8.3.6 "Pinching"). They meet at a mean of the
/// heights of their borders, each weighted by how near the border is relative to the nearest one.
pub struct Linear<'a> {
    borders: Borders<'a>,
    tables: Vec<Option<[Table; 2]>>,
    pinch: bool,
}

/// A field's side of a seam, sampled at stations.
struct Table {
    stations: Stations,
    points: Vec<Along>,
}

/// Values at a position along a seam.
#[derive(Clone, Copy)]
struct Along {
    /// The fraction that moves with this seam alone.
    own: f64,
    /// Maximum Distance.
    most: f64,
}

impl<'a> Linear<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain, pinch: bool) -> Self {
        let (rims, rivals) = (Rims::new(plan, domain, false), rivals(plan));
        let table = |index: usize| {
            let seam = &plan.seams[index];
            let rim = rims.of(index).filter(|_| plan.matters(seam, domain))?;
            Some([0, 1].map(|side| Table::new(plan, seam, side, rim, &rivals)))
        };
        let tables = collect(plan.seams.len(), 1, table);
        let borders = Borders { plan, rims, beyond: Beyond::new(plan, domain, pinch, false) };
        Self { borders, tables, pinch }
    }
}

impl Change for Linear<'_> {
    type Scratch = (InReach<Nearest>, Found);

    fn change(
        &self,
        run: &Run<'_>,
        sides: NearSides<'_>,
        nearest: impl Iterator<Item = (SeamSide, f64)>,
        (in_reach, found): &mut Self::Scratch,
        changes: &mut [f64],
    ) {
        // The part that moves with a seam alone is subtracted from the joint change of all fields.
        let plan = self.borders.plan;
        let alone = |own: SeamSide, along: f64, heights: [f64; 2]| {
            let side = own.side();
            let with_seam = self.tables[own.seam()].as_ref().map_or(0.0, |tables| tables[side].at(along).own);
            let whole = plan.side(own).part * (heights[1 - side] - heights[side]);
            if self.pinch { with_seam } else { with_seam - whole }
        };
        in_reach.evaluate(&self.borders, run, sides, alone);
        for (column, (change, (nearest, square))) in changes.iter_mut().zip(nearest).enumerate() {
            let Some(own) = in_reach.sample(column, found) else { continue };
            let together = match self.pinch {
                true => together(&own, &found.others, in_reach.has_equal_sides()),
                false => 0.0,
            };
            *change = own.presence * (together - own.seam_mean);
            let Some(Some(tables)) = self.tables.get(nearest.seam()) else { continue };
            let (seam, side) = (&plan.seams[nearest.seam()], nearest.side());
            let seen = seam.line.see_around(side, (run.xs[run.columns.start + column], run.y), plan.behind());
            let here = tables[side].at(seen.along);
            let distance = square.sqrt();
            if distance < here.most {
                *change += here.own * (1.0 - distance / here.most);
            }
        }
    }
}

/// The move that makes a field on a border meet all others. Each field is weighted by how near it is relative
/// to the nearest, and by the inverse of its share.
fn together(own: &Own, others: &[Other], equal_sides: bool) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    let Some(share) = Other::share(own, others, own.presence) else { return 0.0 };
    for other in others {
        let part = other.presence / own.presence;
        let weight = if equal_sides { part } else { part / (other.held(share, part) / own.share) };
        sum += weight * other.above;
        weights += weight;
    }
    sum / (1.0 + weights)
}

impl Table {
    fn new(plan: &Plan<'_>, seam: &Seam, side: usize, rim: Rim<'_>, rivals: &[Vec<u32>]) -> Self {
        let stations = Stations::along(seam.line.length, plan.spacing);
        let distance = seam.sides[side].distance;
        let near: Vec<&Seam> = rivals[seam.sides[side].field as usize]
            .iter()
            .map(|&rival| &plan.seams[rival as usize])
            .filter(|rival| !std::ptr::eq(*rival, seam) && seam.line.within(&rival.line, 2.0 * distance))
            .collect();
        let apart = |at: Point| {
            let squares = near.iter().map(|rival| rival.line.see(0, at).square);
            squares.fold(4.0 * distance * distance, f64::min).sqrt()
        };
        // Around an end where no other seam begins, points at half the distance to another seam, or to this
        // seam's other end, are equally near to both.
        let [first, last] = seam.line.ends.map(|end| {
            let free = near.iter().all(|rival| !rival.line.ends.contains(&end));
            if free { 0.5 * apart(end).min(seam.line.length) } else { f64::INFINITY }
        });
        let beyond = |along: f64| (first + along).min(last + (seam.line.length - along));
        let position = |(along, at): (f64, Point)| {
            let most = most(seam, side, at, &near).min(beyond(along));
            let part = if distance > 0.0 { apart(at).min(most) / distance } else { 0.0 };
            let heights = rim.at(seam, along).sides;
            Along { own: seam.sides[side].part * (heights[1 - side] - heights[side]) * part, most }
        };
        Self { stations, points: stations.points(seam).map(position).collect() }
    }

    /// The values at a distance along the seam.
    #[inline(always)]
    fn at(&self, along: f64) -> Along {
        let position = along / self.stations.step;
        let first = (position as usize).min(self.stations.count - 2);
        let (a, b, part) = (self.points[first], self.points[first + 1], position - first as f64);
        let between = |a: f64, b: f64| a + (b - a) * part;
        Along { own: between(a.own, b.own), most: between(a.most, b.most) }
    }
}

/// Each field's seams.
fn rivals(plan: &Plan<'_>) -> Vec<Vec<u32>> {
    let mut rivals = vec![Vec::new(); plan.terrains.len()];
    for (index, seam) in plan.seams.iter().enumerate() {
        seam.sides.iter().for_each(|side| rivals[side.field as usize].push(index as u32));
    }
    rivals
}

/// Maximum Distance: the radius of the largest circle in the field that touches the seam at a point, or
/// Distance if that is less.
fn most(seam: &Seam, side: usize, at: Point, rivals: &[&Seam]) -> f64 {
    let inward = seam.line.inward(side);
    rivals.iter().fold(seam.sides[side].distance, |most, rival| most.min(touching(at, inward, rival)))
}

/// The radius of the circle that touches a seam and, at a point with normal `inward`, a line.
fn touching(at: Point, inward: Point, rival: &Seam) -> f64 {
    let dot = |a: Point, b: Point| a.0 * b.0 + a.1 * b.1;
    let ends = rival.line.ends.map(|end| (end.0 - at.0, end.1 - at.1));
    for (near, far) in [(ends[0], ends[1]), (ends[1], ends[0])] {
        if near == (0.0, 0.0) {
            // At a corner: the Separator begins there, unless the corner is straight or reflex.
            return if dot(inward, far) > 1e-9 * rival.line.length { 0.0 } else { f64::INFINITY };
        }
    }
    let through = |end: Point| {
        let ahead = dot(inward, end);
        if ahead > 0.0 { dot(end, end) / (2.0 * ahead) } else { f64::INFINITY }
    };
    let least = through(ends[0]).min(through(ends[1]));
    let seen = rival.line.see(0, at);
    let normal = rival.line.inward(usize::from(seen.before < 0.0));
    let steep = 1.0 - dot(inward, normal);
    let radius = seen.before.abs() / steep;
    let foot = seen.along + seen.past + radius * dot(inward, rival.line.along);
    if steep > 1e-12 && foot >= 0.0 && foot <= rival.line.length { least.min(radius) } else { least }
}
