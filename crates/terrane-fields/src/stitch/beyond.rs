//! Seams and shores that affect a field without bounding it.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Near;
use super::line::Line;
use super::seam::{Plan, Seam, Shore};

/// Seams and shores within reach of fields' samples other than the fields' own seams.
pub struct Beyond {
    seams: ItemsByRow,
    shores: ItemsByRow,
}

/// Items within reach of fields, listed by rows.
struct ItemsByRow {
    /// Pairs of a field and the number of an item in its reach.
    items: Vec<(u32, u32)>,
    near: Near,
}

impl Beyond {
    /// Collects the items of a domain. Without `pinch` there are none; shores are collected only if
    /// `shores` is set.
    pub fn new(plan: &Plan<'_>, domain: &Domain, pinch: bool, shores: bool) -> Self {
        // Seams are sorted by minimum x; this is the maximum x so far.
        let mut greatest = f64::NEG_INFINITY;
        let up_to = |seam: &Seam| {
            greatest = greatest.max(seam.line.ends[1].0);
            greatest
        };
        let greatest: Vec<f64> = plan.seams.iter().map(up_to).collect();
        let within = |line: &Line, distance: f64| {
            let [low, high] = line.ends.map(|end| end.0);
            let first = greatest.partition_point(|&x| x < low - distance);
            let last = plan.seams.partition_point(|other| other.line.ends[0].0 <= high + distance);
            first..last.max(first)
        };
        let seen = |seam: &Seam| {
            let in_reach = |index: usize| {
                let other = &plan.seams[index];
                let fields = seam.sides.map(|side| side.field);
                let foreign =
                    fields.into_iter().filter(|field| other.sides.iter().all(|side| side.field != *field));
                let near = other.reach() > 0.0 && seam.line.within(&other.line, other.reach());
                foreign.filter(move |_| near).map(move |field| (field, index as u32))
            };
            within(&seam.line, plan.reach).flat_map(in_reach).collect::<Vec<_>>()
        };
        let matter = |seam: &&Seam| pinch && plan.matters(seam, domain);
        let seams: Vec<(u32, u32)> = plan.seams.par_iter().filter(matter).flat_map_iter(seen).collect();
        // A shore matters to fields that have a seam in reach of the same sample.
        let at_shore = |(index, shore): (usize, &Shore)| {
            let apart = shore.distance + plan.reach;
            let near = |seam: &&Seam| shore.distance > 0.0 && seam.line.within(&shore.line, apart);
            let seams = plan.seams[within(&shore.line, apart)].iter().filter(near);
            let fields = seams.flat_map(|seam| seam.sides.map(|side| side.field));
            fields.map(|field| (field, index as u32)).collect::<Vec<_>>()
        };
        let shores: Vec<(u32, u32)> = match pinch && shores {
            true => plan.shores.par_iter().enumerate().flat_map_iter(at_shore).collect(),
            false => Vec::new(),
        };
        let of_seam = |index: usize| {
            let seam = &plan.seams[index];
            (seam.line.ends.map(|end| end.1), seam.reach())
        };
        let of_shore = |index: usize| {
            let shore = &plan.shores[index];
            (shore.line.ends.map(|end| end.1), shore.distance)
        };
        Self {
            seams: ItemsByRow::new(seams, of_seam, domain),
            shores: ItemsByRow::new(shores, of_shore, domain),
        }
    }

    /// The seams in reach of a run of a field.
    pub fn seams(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.seams.of(row, field)
    }

    /// The shores in reach of a run of a field, including its own.
    pub fn shores(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.shores.of(row, field)
    }
}

impl ItemsByRow {
    /// `position` returns an item's range of y and its reach.
    fn new(mut items: Vec<(u32, u32)>, position: impl Fn(usize) -> ([f64; 2], f64), domain: &Domain) -> Self {
        items.par_sort_unstable();
        items.dedup();
        let rows = items.iter().map(|&(field, item)| {
            let ([a, b], reach) = position(item as usize);
            (field, a.min(b) - reach, a.max(b) + reach)
        });
        let near = Near::new(rows, domain);
        Self { items, near }
    }

    fn of(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.near.of(row, field).iter().map(|&(_, item)| self.items[item as usize].1 as usize)
    }
}
