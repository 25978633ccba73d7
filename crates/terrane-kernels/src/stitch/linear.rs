//! Mijailovic's stitch (2015, 3.8), mended: changes fall in straight lines from seams and nodes.

use std::ops::Range;

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::{Near, Run};
use super::outline::{Point, order};
use super::seam::{Plan, Seam, Stations, finite};
use super::{Change, Nearest};

/// What samples need of the plan.
///
/// First fields meet at nodes (3.8.3.6): each moves by what parts it from the mean there, less with distance in a straight line. A node
/// reaches as far as Distance and no farther than the field's next node, so that no node disturbs another. Then seams: their differences
/// are those of the terrain so moved, at points of the seam itself, and so 0 at nodes.
///
/// A sample moves with its nearest seam only (3.8.3.2), by Difference · (1 − n / Maximum Distance) (3.8.3.4). Maximum Distance is that to
/// where another seam of the field is as near: at a corner this is the Separator, half of its inner angle; at reflex and straight ones
/// there is none; between opposite seams it is half-way. It grows from 0 at a corner to Distance exactly at the thesis's Radius (3.8.3.5), and
/// where two Radii overlap, which the thesis leaves open, to where both Separators meet.
pub struct Linear<'a> {
    plan: &'a Plan<'a>,
    tables: Vec<Option<Table>>,
    discs: Vec<Disc>,
    near: Near,
}

/// A seam's stations.
struct Table {
    stations: Stations,
    /// Height of the right field less that of the left.
    difference: Vec<f64>,
    /// Maximum Distance into each field.
    most: [Vec<f64>; 2],
}

/// A field's change around a node.
struct Disc {
    field: u32,
    at: Point,
    radius: f64,
    change: f64,
}

impl Disc {
    /// The change at a point.
    #[inline(always)]
    fn change(&self, (x, y): Point) -> f64 {
        let (dx, dy) = (x - self.at.0, y - self.at.1);
        let distance = (dx * dx + dy * dy).sqrt();
        if distance < self.radius { self.change * (1.0 - distance / self.radius) } else { 0.0 }
    }
}

impl<'a> Linear<'a> {
    pub fn new(plan: &'a Plan<'a>, domain: &Domain) -> Self {
        let discs = discs(plan);
        let near = discs.iter().map(|disc| (disc.field, disc.at.1 - disc.radius, disc.at.1 + disc.radius));
        let near = Near::new(near, domain);
        let rivals = rivals(plan);
        let table = |seam: &Seam| plan.matters(seam, domain).then(|| Table::new(plan, seam, &discs, &rivals));
        let tables = plan.seams.par_iter().map(table).collect();
        Self { plan, tables, discs, near }
    }
}

impl Change for Linear<'_> {
    fn change(&self, run: &Run<'_>, _: &[(u32, u32)], nearest: &Nearest, changes: &mut [f64]) {
        for (i, change) in changes.iter_mut().enumerate() {
            let who = nearest.side[i] as usize;
            if who == u32::MAX as usize {
                continue;
            }
            let Some(table) = &self.tables[who / 2] else { continue };
            let (seam, side) = (&self.plan.seams[who / 2], who % 2);
            let seen = seam.line.see(side, (run.xs[run.columns.start + i], run.y));
            *change = table.change(seam, side, seen.along, nearest.square[i].sqrt());
        }
        for &(_, disc) in self.near.of(run.row, run.field) {
            let disc = &self.discs[disc as usize];
            for column in run.between((disc.at.0 - disc.radius, disc.at.0 + disc.radius)) {
                changes[column - run.columns.start] += disc.change((run.xs[column], run.y));
            }
        }
    }
}

impl Table {
    fn new(plan: &Plan<'_>, seam: &Seam, discs: &[Disc], rivals: &[Vec<u32>]) -> Self {
        let stations = Stations::along(seam.line.length, plan.spacing);
        let pinched = |at: Point| {
            let mut heights = plan.heights(seam, at);
            for (height, side) in heights.iter_mut().zip(&seam.sides) {
                let own = &discs[of_field(discs, side.field)];
                *height += own.iter().map(|disc| disc.change(at)).sum::<f64>();
            }
            finite(heights[1] - heights[0])
        };
        let difference = stations.places(seam).map(|(_, at)| pinched(at)).collect();
        let most = [0, 1].map(|side| {
            let near: Vec<&Seam> = rivals[seam.sides[side].field as usize]
                .iter()
                .map(|&rival| &plan.seams[rival as usize])
                .filter(|rival| {
                    !std::ptr::eq(*rival, seam) && within(seam, rival, 2.0 * seam.sides[side].distance)
                })
                .collect();
            stations.places(seam).map(|(_, at)| most(seam, side, at, &near)).collect()
        });
        Self { stations, difference, most }
    }

    /// The change of a sample at a distance from a place along the seam.
    #[inline(always)]
    fn change(&self, seam: &Seam, side: usize, along: f64, distance: f64) -> f64 {
        let place = along / self.stations.step;
        let first = (place as usize).min(self.stations.count - 2);
        let part = place - first as f64;
        let between = |values: &[f64]| values[first] + (values[first + 1] - values[first]) * part;
        let most = between(&self.most[side]);
        if distance >= most {
            return 0.0;
        }
        let sign = if side == 0 { 1.0 } else { -1.0 };
        sign * seam.sides[side].part * between(&self.difference) * (1.0 - distance / most)
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

/// Whether the boxes around two seams are no farther apart than so much.
fn within(a: &Seam, b: &Seam, distance: f64) -> bool {
    let apart = |of: fn(Point) -> f64| {
        let [a, b] = [a, b].map(|seam| seam.line.ends.map(of));
        (a[0].min(a[1]) - b[0].max(b[1])).max(b[0].min(b[1]) - a[0].max(a[1]))
    };
    apart(|end| end.0) <= distance && apart(|end| end.1) <= distance
}

/// Maximum Distance: the radius of the greatest circle in the field that touches the seam in a point, or Distance where that is less.
fn most(seam: &Seam, side: usize, at: Point, rivals: &[&Seam]) -> f64 {
    let inward = seam.line.inward(side);
    rivals.iter().fold(seam.sides[side].distance, |most, rival| most.min(touching(at, inward, rival)))
}

/// The radius of the circle that touches a line in a point, where the line's normal is `inward`, and a seam.
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

/// All fields' changes around nodes, sorted by field and place.
fn discs(plan: &Plan<'_>) -> Vec<Disc> {
    let all = plan.meetings.iter().flat_map(|meetings| &meetings.0);
    let mut discs: Vec<Disc> = all
        .map(|meeting| Disc {
            field: meeting.field,
            at: meeting.at,
            radius: meeting.distance,
            change: meeting.change,
        })
        .collect();
    discs.sort_by(|a, b| a.field.cmp(&b.field).then(order(&a.at, &b.at)));
    for of_field in discs.chunk_by_mut(|a, b| a.field == b.field) {
        for index in 0..of_field.len() {
            let (x, y) = of_field[index].at;
            let squares = of_field.iter().map(|other| {
                let (dx, dy) = (other.at.0 - x, other.at.1 - y);
                dx * dx + dy * dy
            });
            let next = squares.filter(|&square| square > 0.0).fold(f64::INFINITY, f64::min).sqrt();
            of_field[index].radius = of_field[index].radius.min(next);
        }
    }
    discs
}

/// A field's discs.
fn of_field(discs: &[Disc], field: u32) -> Range<usize> {
    let first = discs.partition_point(|disc| disc.field < field);
    first..first + discs[first..].partition_point(|disc| disc.field == field)
}
