//! Edges that fields see and that are not their own.

use rayon::prelude::*;
use terrane_grid::Domain;

use super::band::Near;
use super::line::Line;
use super::seam::{Plan, Seam};

/// Seams that samples of fields see which are not the fields' own.
pub struct Beyond {
    /// Fields with what they see.
    items: Vec<(u32, u32)>,
    /// Which rows of fields see it.
    near: Near,
}

impl Beyond {
    /// Those of a domain; none where only the two fields of each edge meet.
    pub fn new(plan: &Plan<'_>, domain: &Domain, pinch: bool) -> Self {
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
        let mut items: Vec<(u32, u32)> = plan.seams.par_iter().filter(matter).flat_map_iter(seen).collect();
        items.par_sort_unstable();
        items.dedup();
        let rows = items.iter().map(|&(field, index)| {
            let seam = &plan.seams[index as usize];
            let [a, b] = seam.line.ends.map(|end| end.1);
            (field, a.min(b) - seam.reach(), a.max(b) + seam.reach())
        });
        let near = Near::new(rows, domain);
        Self { items, near }
    }

    /// The seams that a run of a field may see.
    pub fn seams(&self, row: usize, field: u32) -> impl Iterator<Item = usize> {
        self.near.of(row, field).iter().map(|&(_, item)| self.items[item as usize].1 as usize)
    }
}
