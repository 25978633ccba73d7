//! Mijailovic's stitch (2015, 3.8), mended: changes fall in straight lines from seams.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Run;
use super::border::{Borders, Move};
use super::nearness::Nearness;
use super::outline::Point;
use super::seam::{Plan, Seam, Stations};
use super::{Change, Nearest};

/// What samples need of the plan.
///
/// A sample moves with its nearest seam only (3.8.3.2), by Difference · (1 − n / Maximum Distance) (3.8.3.4). Maximum Distance is that to
/// where another seam of the field is as near: at a corner this is the Separator, half of its inner angle; at reflex and straight ones
/// there is none; between opposite seams it is half-way. It grows from 0 at a corner to Distance exactly at the thesis's Radius (3.8.3.5), and
/// where two Radii overlap, which the thesis leaves open, to where both Separators meet.
///
/// Where Maximum Distance or that to other seams of the field is less than Distance there is too little room for the whole difference. There only the
/// lesser's part of Distance moves so, as steeply as elsewhere, and is 0 at corners; the rest, and what other fields add at nodes (3.8.3.6
/// "Pinching"), falls by 1 − n / Distance and is, between seams, their mean weighted by how near they are.
pub struct Linear<'a> {
    plan: &'a Plan<'a>,
    tables: Vec<Option<[Table; 2]>>,
}

/// A field's side of a seam, at stations.
struct Table {
    stations: Stations,
    points: Vec<Along>,
    /// Whether nothing is shared anywhere.
    alone: bool,
}

/// A place along a seam.
#[derive(Clone, Copy)]
struct Along {
    /// What moves with this seam alone.
    own: f64,
    /// Maximum Distance.
    most: f64,
    /// The rest of the change.
    shared: f64,
}

/// What seams share at a sample.
#[derive(Clone, Copy)]
struct Shared {
    sum: f64,
    weights: f64,
    /// The distance of the nearest, as a part of its own.
    near: f64,
}

impl<'a> Linear<'a> {
    pub fn new(borders: &Borders<'a>, domain: &Domain) -> Self {
        let plan = borders.plan();
        let rivals = rivals(plan);
        let table = |index: usize| {
            let seam = &plan.seams[index];
            plan.matters(seam, domain).then(|| {
                let stations = Stations::along(seam.line.length, plan.spacing);
                let moves: Vec<Move> = stations.places(seam).map(|(_, at)| borders.at(index, at)).collect();
                [0, 1].map(|side| Table::new(plan, seam, side, stations, &moves, &rivals))
            })
        };
        let tables = (0..plan.seams.len()).into_par_iter().map(table).collect();
        Self { plan, tables }
    }
}

impl Change for Linear<'_> {
    fn change(&self, run: &Run<'_>, sides: &[(u32, u32)], nearest: &Nearest, changes: &mut [f64]) {
        for (i, change) in changes.iter_mut().enumerate() {
            let who = nearest.side[i] as usize;
            if who == u32::MAX as usize {
                continue;
            }
            let Some(tables) = &self.tables[who / 2] else { continue };
            let (seam, side) = (&self.plan.seams[who / 2], who % 2);
            let seen = seam.line.see(side, (run.xs[run.columns.start + i], run.y));
            let here = tables[side].at(seen.along);
            let distance = nearest.square[i].sqrt();
            if distance < here.most {
                *change = here.own * (1.0 - distance / here.most);
            }
        }
        let table = |who: u32| self.tables[who as usize / 2].as_ref().map(|tables| &tables[who as usize % 2]);
        if sides.iter().filter_map(|&(_, who)| table(who)).all(|table| table.alone) {
            return;
        }
        let mut all = vec![Shared { sum: 0.0, weights: 0.0, near: 1.0 }; run.columns.len()];
        for &(_, who) in sides {
            let (seam, side) = (&self.plan.seams[who as usize / 2], who as usize % 2);
            let distance = seam.sides[side].distance;
            let (Some(table), Some(span)) = (table(who), seam.line.span(run.y, distance)) else { continue };
            if distance <= 0.0 {
                continue;
            }
            let columns = run.between(span);
            let all = &mut all[columns.start - run.columns.start..columns.end - run.columns.start];
            table.share(seam, side, &run.xs[columns], run.y, all);
        }
        for (change, shared) in changes.iter_mut().zip(&all) {
            if shared.weights > 0.0 {
                *change += shared.sum / shared.weights * (1.0 - shared.near);
            }
        }
    }
}

impl Table {
    fn new(
        plan: &Plan<'_>,
        seam: &Seam,
        side: usize,
        stations: Stations,
        moves: &[Move],
        rivals: &[Vec<u32>],
    ) -> Self {
        let distance = seam.sides[side].distance;
        let near: Vec<&Seam> = rivals[seam.sides[side].field as usize]
            .iter()
            .map(|&rival| &plan.seams[rival as usize])
            .filter(|rival| !std::ptr::eq(*rival, seam) && seam.within(rival, 2.0 * distance))
            .collect();
        let apart = |at: Point| {
            let squares = near.iter().map(|rival| rival.line.see(0, at).square);
            squares.fold(4.0 * distance * distance, f64::min).sqrt()
        };
        // What lies beyond an end where no other seam begins is as near to others half-way to them.
        let [first, last] = seam.line.ends.map(|end| {
            let free = near.iter().all(|rival| !rival.line.ends.contains(&end));
            if free { 0.5 * apart(end) } else { f64::INFINITY }
        });
        let beyond = |along: f64| (first + along).min(last + (seam.line.length - along));
        let place = |((along, at), moved): ((f64, Point), &Move)| {
            let most = most(seam, side, at, &near).min(beyond(along));
            let part = if distance > 0.0 { apart(at).min(most) / distance } else { 0.0 };
            let own = moved.apart[side] * part;
            Along { own, most, shared: moved.apart[side] - own + moved.together }
        };
        let points: Vec<Along> = stations.places(seam).zip(moves).map(place).collect();
        let alone = points.iter().all(|point| point.shared == 0.0);
        Self { stations, points, alone }
    }

    /// What there is so far along.
    #[inline(always)]
    fn at(&self, along: f64) -> Along {
        let place = along / self.stations.step;
        let first = (place as usize).min(self.stations.count - 2);
        let (a, b, part) = (self.points[first], self.points[first + 1], place - first as f64);
        let between = |a: f64, b: f64| a + (b - a) * part;
        Along {
            own: between(a.own, b.own),
            most: between(a.most, b.most),
            shared: between(a.shared, b.shared),
        }
    }

    /// Adds what this seam shares to samples in a row.
    fn share(&self, seam: &Seam, side: usize, xs: &[f64], y: f64, all: &mut [Shared]) {
        let per_distance = 1.0 / seam.sides[side].distance;
        for (&x, shared) in xs.iter().zip(all) {
            let seen = seam.line.see(side, (x, y));
            let weight = Nearness::of(&seam.line, &seen, per_distance).third;
            if weight > 0.0 {
                shared.sum += weight * self.at(seen.along).shared;
                shared.weights += weight;
                shared.near = shared.near.min(seen.square.sqrt() * per_distance);
            }
        }
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
