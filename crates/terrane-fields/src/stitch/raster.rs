//! Assignment of samples to fields.

use crate::parallel::{for_each_with, slices};
use terrane_grid::{Domain, Grid, PlanarGraph};
use terrane_paths::planar::turn;

use super::outline::{Edge, Outline, Point, edges, sides};
use super::parameters::NONE;

/// Rows per task.
const ROWS: usize = 16;

/// The number of the field that each sample lies in, or [`NONE`].
///
/// No sample is in two fields of a planar graph, and no sample between two fields is in neither. A sample
/// exactly on an edge belongs to the field on the side of larger x or, on a horizontal edge, of larger y. A
/// sample at a node belongs to the adjacent field towards larger x and, if there are two, towards larger y.
/// This is as if all samples were shifted by an infinitesimal ε to the right and ε² down. The decision is
/// exact: the predicate always gets an edge's ends in the same order. If there is no field on that side,
/// samples on edges and nodes belong to the field that they bound: fields are closed towards the outside. If
/// a node bounds several such fields, it belongs to the field of the edge whose other end has the smallest x,
/// then y.
///
/// A sample's field depends only on its position, so tiles agree with the whole. Where outlines overlap,
/// which those of a planar graph do not, the field with the smallest number wins. O(samples + rows crossed
/// by edges · log).
#[must_use]
pub fn rasterise(graph: &PlanarGraph, outlines: &[Outline], domain: &Domain) -> Grid<u32> {
    let (width, height) = domain.size;
    let mut ids = vec![NONE; domain.len()];
    if ids.is_empty() {
        return Grid::from_vec(width, height, ids);
    }
    let slopes = slopes(graph, outlines);
    let mut near: Vec<Vec<u32>> = vec![Vec::new(); height.div_ceil(ROWS)];
    for (index, slope) in slopes.iter().enumerate() {
        let rows = slope.rows(domain);
        if !rows.is_empty() {
            near[rows.start / ROWS..=(rows.end - 1) / ROWS]
                .iter_mut()
                .for_each(|list| list.push(index as u32));
        }
    }
    for_each_with(
        slices(&mut ids, width * ROWS),
        1,
        Vec::new,
        |crossings: &mut Vec<(u32, usize)>, chunk, ids| {
            for (row, ids) in ids.chunks_mut(width).enumerate() {
                let y = domain.y(chunk * ROWS + row);
                crossings.clear();
                let crossed =
                    near[chunk].iter().map(|&index| &slopes[index as usize]).filter(|slope| slope.crosses(y));
                crossings.extend(crossed.map(|slope| (slope.field, slope.column(domain, y))));
                fill(crossings, ids);
            }
        },
    );
    close(&edges(graph, outlines), domain, &mut ids);
    Grid::from_vec(width, height, ids)
}

/// Fills a row between each field's crossings by the even-odd rule. The field with the smallest number is
/// filled last, so that it wins.
fn fill(crossings: &mut [(u32, usize)], ids: &mut [u32]) {
    crossings.sort_unstable();
    for of_field in crossings.chunk_by(|a, b| a.0 == b.0).rev() {
        for pair in of_field.chunks_exact(2) {
            ids[pair[0].1..pair[1].1].fill(pair[0].0);
        }
    }
}

/// An edge of a field that is not horizontal.
struct Slope {
    /// The end with the smaller y.
    low: Point,
    high: Point,
    field: u32,
}

impl Slope {
    fn new(a: Point, b: Point, field: u32) -> Option<Self> {
        let (low, high) = if a.1 < b.1 { (a, b) } else { (b, a) };
        (low.1 < high.1).then_some(Self { low, high, field })
    }

    /// Whether a row meets it; includes the lower end, excludes the higher.
    fn crosses(&self, y: f64) -> bool {
        self.low.1 <= y && y < self.high.1
    }

    fn rows(&self, domain: &Domain) -> std::ops::Range<usize> {
        first_row(domain, self.low.1)..first_row(domain, self.high.1)
    }

    /// The first column in a row that is on it or to its right. A division gives a guess, and the exact
    /// predicate decides.
    fn column(&self, domain: &Domain, y: f64) -> usize {
        let along = (y - self.low.1) / (self.high.1 - self.low.1);
        let x = self.low.0 + along * (self.high.0 - self.low.0);
        let beyond = |column: usize| self.side((domain.x(column), y)) <= 0.0;
        settle((x - domain.origin.0) / domain.spacing, domain.width(), beyond)
    }

    /// Less than 0 to the right of it, 0 exactly on it.
    fn side(&self, at: Point) -> f64 {
        turn(self.low, self.high, at)
    }
}

/// All edges of all fields that are not horizontal.
fn slopes(graph: &PlanarGraph, outlines: &[Outline]) -> Vec<Slope> {
    let mut slopes = Vec::new();
    for (field, outline) in outlines.iter().enumerate() {
        for (_, [a, b]) in outline.rings.iter().flat_map(|ring| sides(graph, ring)) {
            slopes.extend(Slope::new(a, b, field as u32));
        }
    }
    slopes
}

/// The first row at or below a world y, or the number of rows.
fn first_row(domain: &Domain, y: f64) -> usize {
    settle((y - domain.origin.1) / domain.spacing, domain.height(), |row| domain.y(row) >= y)
}

/// The smallest of `count` indices from which `holds` is true, searched from a guess.
fn settle(guess: f64, count: usize, holds: impl Fn(usize) -> bool) -> usize {
    // Casts saturate: a guess far outside becomes the first or the last index.
    let mut index = (libm::ceil(guess) as usize).min(count);
    while index > 0 && holds(index - 1) {
        index -= 1;
    }
    while index < count && !holds(index) {
        index += 1;
    }
    index
}

/// Assigns samples exactly on edges towards the outside to the fields that these edges bound.
fn close(edges: &[Edge], domain: &Domain, ids: &mut [u32]) {
    let mut found: Vec<(usize, Point, u32)> = Vec::new();
    for edge in edges {
        let ([Some(field), None] | [None, Some(field)]) = edge.fields else { continue };
        let [a, b] = edge.ends;
        on_edge(edge, domain, |column, row| {
            let at = (domain.x(column), domain.y(row));
            // Inside an edge there is no competing claim.
            let other = if at == a { b } else { a };
            found.push((row * domain.width() + column, other, field));
        });
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(super::outline::order(&a.1, &b.1)));
    for of_sample in found.chunk_by(|a, b| a.0 == b.0) {
        let (at, _, field) = of_sample[0];
        if ids[at] == NONE {
            ids[at] = field;
        }
    }
}

/// Calls `visit` with the samples exactly on an edge, including its ends.
fn on_edge(edge: &Edge, domain: &Domain, mut visit: impl FnMut(usize, usize)) {
    let [a, b] = edge.ends;
    let Some(slope) = Slope::new(a, b, NONE) else {
        let row = first_row(domain, a.1);
        if row < domain.height() && domain.y(row) == a.1 {
            let first =
                settle((a.0 - domain.origin.0) / domain.spacing, domain.width(), |c| domain.x(c) >= a.0);
            (first..domain.width())
                .take_while(|&column| domain.x(column) <= b.0)
                .for_each(|column| visit(column, row));
        }
        return;
    };
    for row in slope.rows(domain).start..domain.height() {
        let y = domain.y(row);
        if y > slope.high.1 {
            break;
        }
        let column = slope.column(domain, y);
        if column < domain.width() && slope.side((domain.x(column), y)) == 0.0 {
            visit(column, row);
        }
    }
}

#[cfg(test)]
mod tests;
