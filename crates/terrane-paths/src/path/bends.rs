//! Bends a line of straight parts into a curve that costs little and turns little.

use super::builder::Builder;
use super::point::{Point, apart};
use crate::{Cancelled, Progress};

/// Distance between the knots of a curve, in samples.
const KNOTS: f64 = 2.5;

/// Moves of a pass across the curve, in samples, as multiples of the pass's step.
const MOVES: [f64; 5] = [-2.0, -1.0, 0.0, 1.0, 2.0];

/// The steps of passes, in samples. Before each the knots are spread evenly.
const STEPS: [f64; 5] = [1.0, 0.5, 0.5, 0.25, 0.125];

/// The most passes of one step.
const PASSES: usize = 6;

/// The cost of a part that touches closed ground: lines that touch less are preferred.
const CLOSED: f64 = 1e15;

/// A curve near a line with the same ends, as knots [`KNOTS`] apart. It is a local minimum of the
/// builder's cost plus `stiffness`, a squared length in world units, times the integral of the squared
/// curvature. `lead` is the points before the first and after the last, from which the curve starts
/// without a bend. The curve may touch closed ground if no line beside it is free.
///
/// Each pass finds the best of all combinations of moves across the curve (Amini, Weymouth & Jain 1990).
/// O(knots) for each pass.
pub fn bent(
    builder: &Builder<'_>,
    line: &[Point],
    lead: [Option<Point>; 2],
    stiffness: f64,
    progress: &dyn Progress,
) -> Result<Vec<Point>, Cancelled> {
    let mut knots = line.to_vec();
    for step in STEPS {
        knots = spread(&knots);
        for _ in 0..PASSES {
            progress.check()?;
            let moved = pass(builder, &knots, lead, step, stiffness);
            let is_still = moved == knots;
            knots = moved;
            if is_still {
                break;
            }
        }
    }
    Ok(knots)
}

/// Points along a line at equal distances of about [`KNOTS`], with both ends.
fn spread(line: &[Point]) -> Vec<Point> {
    let length: f64 = line.windows(2).map(|ends| apart(ends[0], ends[1])).sum();
    let count = (length / KNOTS).round().max(1.0);
    let mut out = vec![line[0]];
    let mut before = 0.0;
    for ends in line.windows(2) {
        let part = apart(ends[0], ends[1]);
        while out.len() < count as usize && out.len() as f64 * length / count <= before + part {
            let share = (out.len() as f64 * length / count - before) / part;
            let between = |a: f64, b: f64| a + share * (b - a);
            out.push((between(ends[0].0, ends[1].0), between(ends[0].1, ends[1].1)));
        }
        before += part;
    }
    out.push(line[line.len() - 1]);
    out
}

/// The squared tangent of half the turn at `b`, from 0 on a straight line up to 2000 for a return.
pub fn turn(a: Point, b: Point, c: Point) -> f64 {
    let ((ux, uy), (vx, vy)) = ((b.0 - a.0, b.1 - a.1), (c.0 - b.0, c.1 - b.1));
    let lengths = apart(a, b) * apart(b, c);
    let along = if lengths > 0.0 { (ux * vx + uy * vy) / lengths } else { -1.0 };
    (1.0 - along) / (1.0 + along).max(1e-3)
}

/// `stiffness` times the integral of the squared curvature over the turn at `b`, which is 4 tan² (t / 2) / h
/// for a turn t between parts of mean length h.
pub fn bend(a: Point, b: Point, c: Point, spacing: f64, stiffness: f64) -> f64 {
    let length = 0.5 * (apart(a, b) + apart(b, c)) * spacing;
    4.0 * stiffness * turn(a, b, c) / length
}

/// The knots after the moves that together cost least. The first and the last stay.
fn pass(
    builder: &Builder<'_>,
    knots: &[Point],
    lead: [Option<Point>; 2],
    step: f64,
    stiffness: f64,
) -> Vec<Point> {
    let last = knots.len() - 1;
    if last < 2 {
        return knots.to_vec();
    }
    let places: Vec<Vec<Point>> = (0..=last)
        .map(|at| match at {
            0 => vec![knots[0]],
            at if at == last => vec![knots[last]],
            at => beside(builder, knots[at - 1], knots[at], knots[at + 1], step),
        })
        .collect();
    let bend = |a, b, c| bend(a, b, c, builder.spacing(), stiffness);
    let road = |a, b| builder.straight_cost(a, b).unwrap_or(CLOSED);
    // Costs up to a pair of places of consecutive knots, and the place before the pair.
    let mut costs: Vec<Vec<f64>> = vec![
        places[1]
            .iter()
            .map(|&b| road(places[0][0], b) + lead[0].map_or(0.0, |a| bend(a, places[0][0], b)))
            .collect(),
    ];
    let mut chosen: Vec<Vec<Vec<usize>>> = Vec::with_capacity(last);
    for at in 2..=last {
        let (before, here, next) = (&places[at - 2], &places[at - 1], &places[at]);
        let mut sums = vec![vec![f64::INFINITY; next.len()]; here.len()];
        let mut best = vec![vec![0; next.len()]; here.len()];
        for (j, &b) in here.iter().enumerate() {
            for (k, &c) in next.iter().enumerate() {
                let end = if at == last { lead[1].map_or(0.0, |d| bend(b, c, d)) } else { 0.0 };
                let part = road(b, c) + end;
                for (i, &a) in before.iter().enumerate() {
                    let sum = costs[i][j] + part + bend(a, b, c);
                    if sum < sums[j][k] {
                        (sums[j][k], best[j][k]) = (sum, i);
                    }
                }
            }
        }
        costs = sums;
        chosen.push(best);
    }
    let mut pair = (0, 0);
    for (j, sums) in costs.iter().enumerate() {
        if sums[0] < costs[pair.0][0] {
            pair.0 = j;
        }
    }
    let mut out = vec![knots[last]];
    for at in (1..last).rev() {
        out.push(places[at][pair.0]);
        pair = (chosen[at - 1][pair.0][pair.1], pair.0);
    }
    out.push(knots[0]);
    out.reverse();
    out
}

/// The places of a knot: moved across the curve, inside the terrain.
fn beside(builder: &Builder<'_>, a: Point, b: Point, c: Point, step: f64) -> Vec<Point> {
    let length = apart(a, c);
    let across = if length > 0.0 { (-(c.1 - a.1) / length, (c.0 - a.0) / length) } else { (0.0, 0.0) };
    let place = |by: f64| (b.0 + by * step * across.0, b.1 + by * step * across.1);
    MOVES.into_iter().map(place).filter(|&place| place == b || builder.site().contains(place)).collect()
}
