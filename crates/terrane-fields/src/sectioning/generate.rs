//! Initial graphs. Every position is drawn from a seed derived from its number, so it does
//! not depend on the others.

use terrane_grid::{PlanarGraph, Seed, unit_f64};

use super::edit::EditError;
use crate::Cancelled;

/// Why a graph could not be generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GenerateError {
    /// The caller cancelled the computation.
    Cancelled,
    /// A size is not finite or not above 0, or a count is 0 or too large.
    Size,
    /// The jitter is not in [0, 0.25): edges could cross.
    Jitter,
    /// The upper corner is not above and to the right of the lower, or a corner is not finite.
    Bounds,
    /// A site is outside the bounds, or at the position of the previous site.
    Site(usize),
    /// A share is not in [0, 1].
    Share,
    /// Cells are too small for the precision at their position: rounding made them cross.
    TooFine,
}

impl std::fmt::Display for GenerateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => Cancelled.fmt(f),
            Self::Size => write!(f, "sizes must be finite and above 0, counts at least 1 and not too large"),
            Self::Jitter => write!(f, "the jitter must be at least 0 and below 0.25"),
            Self::Bounds => write!(f, "the bounds are empty or not finite"),
            Self::Site(site) => write!(f, "site {site} is outside the bounds or a duplicate"),
            Self::Share => write!(f, "the share must be between 0 and 1"),
            Self::TooFine => write!(f, "cells are too small for the precision of numbers at their position"),
        }
    }
}

impl std::error::Error for GenerateError {}

impl From<Cancelled> for GenerateError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<EditError> for GenerateError {
    fn from(_: EditError) -> Self {
        Self::TooFine
    }
}

/// Maximum number of fields in graphs of columns and rows.
pub const MOST_FIELDS: usize = 1 << 22;

fn check(columns: usize, rows: usize, size: f64, jitter: f64) -> Result<(), GenerateError> {
    let count = columns.checked_mul(rows).is_some_and(|count| (1..=MOST_FIELDS).contains(&count));
    if !(count && size > 0.0 && (size * (2 * columns.max(rows)) as f64).is_finite()) {
        return Err(GenerateError::Size);
    }
    if (0.0..0.25).contains(&jitter) { Ok(()) } else { Err(GenerateError::Jitter) }
}

/// Random displacement of lattice points: up to a distance to either side along x and along y.
struct Moved {
    seed: Seed,
    most: f64,
}

impl Moved {
    fn position(&self, (column, row): (usize, usize), (x, y): (f64, f64)) -> (f64, f64) {
        let unit =
            |part| 2.0 * unit_f64(self.seed.part(part).lattice().bits(column as i64, row as i64)) - 1.0;
        (x + self.most * unit(0), y + self.most * unit(1))
    }
}

/// Square fields in columns and rows, starting at (0, 0). Each node is moved by up to `jitter` cells along x
/// and along y. If `jitter` is below a quarter, no edges cross.
///
/// # Errors
/// [`GenerateError::Size`], [`GenerateError::Jitter`].
pub fn grid_graph(
    columns: usize,
    rows: usize,
    cell: f64,
    jitter: f64,
    seed: Seed,
) -> Result<PlanarGraph, GenerateError> {
    check(columns, rows, cell, jitter)?;
    let moved = Moved { seed, most: cell * jitter };
    let mut graph = PlanarGraph::default();
    for row in 0..=rows {
        for column in 0..=columns {
            let node = graph.nodes.len() as u32;
            graph.nodes.push(moved.position((column, row), (cell * column as f64, cell * row as f64)));
            if column > 0 {
                graph.edges.push((node - 1, node));
            }
            if row > 0 {
                graph.edges.push((node - columns as u32 - 1, node));
            }
        }
    }
    Ok(graph)
}

/// Regular hexagons in columns and rows, starting at (0, 0), every second row shifted half a hexagon to the
/// right. Each node is moved by up to `jitter` sides along x and along y. If `jitter` is below a quarter, no
/// edges cross.
///
/// # Errors
/// [`GenerateError::Size`], [`GenerateError::Jitter`].
pub fn hex_graph(
    columns: usize,
    rows: usize,
    side: f64,
    jitter: f64,
    seed: Seed,
) -> Result<PlanarGraph, GenerateError> {
    check(columns, rows, side, jitter)?;
    let moved = Moved { seed, most: side * jitter };
    let half_width = side * 3f64.sqrt() / 2.0;
    let mut graph = PlanarGraph::default();
    // Zigzag lines, connected where they come close; the first and the last omit the nodes that would be
    // dead ends.
    let mut before = Vec::new();
    for line in 0..=rows {
        let from = if line == rows { (rows - 1) % 2 } else { 0 };
        let until = if line == 0 { 2 * columns } else { 2 * columns + 1 - usize::from(line == rows) + from };
        let mut nodes = vec![None; 2 * columns + 2];
        for (at, known) in nodes.iter_mut().enumerate().take(until + 1).skip(from) {
            let node = graph.nodes.len() as u32;
            let down = if (line + at) % 2 == 0 { 0.5 } else { 0.0 };
            let position = (half_width * at as f64, side * (1.5 * line as f64 + down));
            graph.nodes.push(moved.position((at, line), position));
            if at > from {
                graph.edges.push((node - 1, node));
            }
            let above = if (line + at) % 2 == 1 { before.get(at).copied().flatten() } else { None };
            graph.edges.extend(above.map(|above| (above, node)));
            *known = Some(node);
        }
        before = nodes;
    }
    Ok(graph)
}

pub(super) fn check_bounds(low: (f64, f64), high: (f64, f64)) -> Result<(), GenerateError> {
    let good =
        |low: f64, high: f64| low < high && (high - low).is_finite() && low.abs().max(high.abs()) <= 1e100;
    if good(low.0, high.0) && good(low.1, high.1) { Ok(()) } else { Err(GenerateError::Bounds) }
}

/// Points drawn uniformly within bounds, each from a seed derived from its number.
///
/// # Errors
/// [`GenerateError::Bounds`].
pub fn scattered(
    count: usize,
    low: (f64, f64),
    high: (f64, f64),
    seed: Seed,
) -> Result<Vec<(f64, f64)>, GenerateError> {
    check_bounds(low, high)?;
    let lattice = seed.lattice();
    let unit = |at: usize, part| unit_f64(lattice.bits(at as i64, part));
    let position = |low: f64, high: f64, unit: f64| (low + (high - low) * unit).min(high);
    Ok((0..count)
        .map(|at| (position(low.0, high.0, unit(at, 0)), position(low.1, high.1, unit(at, 1))))
        .collect())
}
