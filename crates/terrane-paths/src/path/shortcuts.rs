//! Straightens a route of 32 headings: replaces parts of it by straight road in any direction.

use super::builder::Builder;
use super::point::Point;
use crate::{Cancelled, Progress};

/// Points over which a straight part may lead in one pass. Passes repeat, so straight parts become longer.
const WINDOW: usize = 48;

/// The share of the cost of what it replaces by which a straight part may be dearer.
const ALLOWANCE: f64 = 0.02;

/// The price of each straight part, in spacings of level road: a bend that saves less is left out.
const BEND: f64 = 0.5;

/// The points of a route between which road is straight: a choice of the given points, with the first and the
/// last. No part costs more than what it replaces by a share of [`ALLOWANCE`] a pass. A part that touches
/// closed ground is never chosen. O(points · window · length of the window).
pub fn straightened(
    builder: &Builder<'_>,
    mut line: Vec<Point>,
    progress: &dyn Progress,
) -> Result<Vec<Point>, Cancelled> {
    loop {
        let shorter = pass(builder, &line, progress)?;
        if shorter.len() == line.len() {
            return Ok(shorter);
        }
        line = shorter;
    }
}

fn pass(builder: &Builder<'_>, line: &[Point], progress: &dyn Progress) -> Result<Vec<Point>, Cancelled> {
    let price = BEND * builder.spacing();
    // Per point, the least cost from the first one, with the prices of parts, and the point before it.
    let mut least = vec![(0.0, 0); line.len()];
    for to in 1..line.len() {
        progress.check()?;
        let mut replaced = 0.0;
        least[to] = (f64::INFINITY, to - 1);
        for from in (to.saturating_sub(WINDOW)..to).rev() {
            replaced += builder.straight_cost(line[from], line[from + 1]).unwrap_or(f64::INFINITY);
            let Some(cost) = builder.straight_cost(line[from], line[to]) else { continue };
            let sum = least[from].0 + cost + price;
            if sum < least[to].0 && (from + 1 == to || cost <= (1.0 + ALLOWANCE) * replaced) {
                least[to] = (sum, from);
            }
        }
    }
    let mut kept = vec![line.len() - 1];
    while let Some(&at) = kept.last().filter(|at| **at > 0) {
        kept.push(least[at].1);
    }
    Ok(kept.into_iter().rev().map(|at| line[at]).collect())
}
