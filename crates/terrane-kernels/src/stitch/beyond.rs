//! Edges that fields see and that are not their own.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Near;
use super::line::Line;
use super::seam::{Plan, Seam, Shore};

/// Seams and shores that samples of fields see which are not the fields' own seams.
pub struct Beyond {
    seams: Seen,
    shores: Seen,
}

/// What fields see, and which rows of them.
struct Seen {
    /// Fields with what they see.
    items: Vec<(u32, u32)>,
    near: Near,
}

impl Beyond {
    /// Those of a domain; none where only the two fields of each edge meet, and no shores unless they matter.
    pub fn new(plan: &Plan<'_>, domain: &Domain, pinch: bool, shores: bool) -> Self {
        // Seams go by the least x; this is the greatest up to each.
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
        // A shore is seen by fields that have a seam in reach of the same sample.
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
        Self { seams: Seen::new(seams, of_seam, domain), shores: Seen::new(shores, of_shore, domain) }
    }

    /// The seams that a run of a field may see.
    pub fn seams(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.seams.of(row, field)
    }

    /// The shores that a run of a field may see, its own too.
    pub fn shores(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.shores.of(row, field)
    }
}

impl Seen {
    /// `place` tells between which y an item lies, and how far it is seen.
    fn new(mut items: Vec<(u32, u32)>, place: impl Fn(usize) -> ([f64; 2], f64), domain: &Domain) -> Self {
        items.par_sort_unstable();
        items.dedup();
        let rows = items.iter().map(|&(field, item)| {
            let ([a, b], reach) = place(item as usize);
            (field, a.min(b) - reach, a.max(b) + reach)
        });
        let near = Near::new(rows, domain);
        Self { items, near }
    }

    fn of(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.near.of(row, field).iter().map(|&(_, item)| self.items[item as usize].1 as usize)
    }
}
