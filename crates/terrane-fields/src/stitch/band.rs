//! Which seams are near each row of each field.

use std::ops::Range;

use terrane_grid::Domain;

use super::seam::SeamSide;

/// Rows that share a list and are processed by one task.
pub const ROWS: usize = 16;

/// Per band of [`ROWS`] rows, the items near it: pairs of a field and the number of an item, sorted.
pub struct Near(Vec<Vec<(u32, u32)>>);

impl Near {
    /// Builds the lists from items in order, each given by its field and its range of world y.
    pub fn new(items: impl Iterator<Item = (u32, f64, f64)>, domain: &Domain) -> Self {
        let mut near = vec![Vec::new(); domain.height().div_ceil(ROWS)];
        // One extra row on both sides guards against rounding.
        let row = |y: f64, more: f64| ((y - domain.origin.1) / domain.spacing + more).max(-1.0);
        for (item, (field, top, bottom)) in items.enumerate() {
            let (first, last) = (row(top, -1.0), row(bottom, 1.0));
            if !(first < domain.height() as f64 && last >= 0.0) || near.is_empty() {
                continue;
            }
            let chunks = first.max(0.0) as usize / ROWS..=(last as usize).min(domain.height() - 1) / ROWS;
            near[chunks].iter_mut().for_each(|list| list.push((field, item as u32)));
        }
        near.iter_mut().for_each(|list| list.sort_unstable());
        Self(near)
    }

    /// The items of a field near a row.
    pub fn of(&self, row: usize, field: u32) -> &[(u32, u32)] {
        let list = &self.0[row / ROWS];
        let first = list.partition_point(|&(other, _)| other < field);
        let rest = &list[first..];
        &rest[..rest.partition_point(|&(other, _)| other == field)]
    }
}

/// The sides of seams that belong to a field and are near a row.
#[derive(Clone, Copy)]
pub struct NearSides<'a>(&'a [(u32, u32)]);

impl<'a> NearSides<'a> {
    /// The sides of a field near a row. `near` lists the sides of all seams in order.
    pub fn of(near: &'a Near, row: usize, field: u32) -> Self {
        Self(near.of(row, field))
    }

    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(self) -> impl Iterator<Item = SeamSide> {
        self.0.iter().map(|&(_, position)| SeamSide::at(position))
    }
}

/// The columns of a run between two world x, with one extra on both sides to guard against rounding.
pub fn columns(domain: &Domain, run: &Range<usize>, (low, high): (f64, f64)) -> Range<usize> {
    let column = |x: f64| (x - domain.origin.0) / domain.spacing;
    let first = (libm::floor(column(low) - 1.0).max(0.0) as usize).clamp(run.start, run.end);
    let last = (libm::ceil(column(high) + 2.0).max(0.0) as usize).clamp(first, run.end);
    first..last
}

/// A run of samples of one field in one row.
pub struct Run<'a> {
    pub domain: &'a Domain,
    pub columns: Range<usize>,
    /// World x of all columns of the domain.
    pub xs: &'a [f64],
    pub row: usize,
    pub y: f64,
    pub field: u32,
}

impl Run<'_> {
    /// The part of the run between two world x.
    pub fn between(&self, span: (f64, f64)) -> Range<usize> {
        columns(self.domain, &self.columns, span)
    }
}
