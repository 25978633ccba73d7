//! Terrain that passes through known heights, after Belhadj 2007. To reach a known height, the terrain must
//! move there by a certain amount. Bottom-up, each point passes its move to its parents, the coarser points
//! from which it is interpolated. This goes on level by level, up to the starting points. Top-down, the moves
//! are then refined from level to level. At each level they are pulled towards the moves that were collected
//! there.
//!
//! Belhadj passes heights to the parents, and midpoint displacement leaves a spike wherever such a height is
//! not the mean of its neighbours. This module passes up the difference to the existing terrain instead. It
//! refines the moves by cubic B-splines, so that the change is smooth at all levels and the terrain keeps its
//! roughness. The difference that remains afterwards is passed up again.

use crate::parallel::{for_each, for_each_with, slices};
use std::collections::BTreeMap;

use terrane_grid::{Domain, Grid, Heightmap};

use super::cover::Cover;
use super::error::MidpointError;
use super::parameters::Heights;
use crate::{Cancelled, Progress};

/// Known heights by (row, column).
pub type KnownSamples = BTreeMap<(usize, usize), f64>;

/// The move collected at a point of a level.
#[derive(Clone, Copy, Default)]
struct WeightedMove {
    /// The move.
    by: f64,
    /// How near this point is to the known heights that need the move. A single known height distributes a
    /// weight of 1 among the points around it, by distance.
    weight: f64,
}

type LevelMoves = BTreeMap<(usize, usize), WeightedMove>;

/// Number of passes. Each leaves about a tenth of the difference. The remainder after the last pass is
/// applied at the known samples alone.
const PASSES: u32 = 4;

/// Rows per task: enough to amortise the task.
const ROWS_PER_TASK: usize = 32;

/// Known heights at their nearest samples.
pub fn known_samples(domain: &Domain, heights: &Heights) -> Result<KnownSamples, MidpointError> {
    let mut known = KnownSamples::new();
    let (right, bottom) = (domain.width() - 1, domain.height() - 1);
    if let Some(corners) = heights.corners {
        let positions = [(0, 0), (0, right), (bottom, 0), (bottom, right)];
        for ((row, column), height) in positions.into_iter().zip(corners) {
            insert(&mut known, (row, column), height, (domain.x(column), domain.y(row)))?;
        }
    }
    for &(x, y, height) in &heights.points {
        let Some((column, row)) = domain.nearest((x, y)) else { return Err(MidpointError::Outside(x, y)) };
        insert(&mut known, (row, column), height, (x, y))?;
    }
    Ok(known)
}

fn insert(
    known: &mut KnownSamples,
    at: (usize, usize),
    height: f64,
    (x, y): (f64, f64),
) -> Result<(), MidpointError> {
    match known.insert(at, height) {
        Some(other) if other != height => Err(MidpointError::Conflict(x, y)),
        _ => Ok(()),
    }
}

/// Adds the differences at the corners (top left, top right, bottom left, bottom right), interpolated
/// bilinearly.
pub fn tilt(map: &mut Heightmap, corners: [f64; 4]) {
    let (width, height) = map.domain().size;
    let (right, bottom) = (width - 1, height - 1);
    let positions = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
    let mut missing = corners;
    missing.iter_mut().zip(positions).for_each(|(missing, position)| *missing -= f64::from(map[position]));
    let [a, b, c, d] = missing;
    let share = |index: usize, last: usize| index as f64 / last.max(1) as f64;
    for_each(slices(map.samples_mut(), width), ROWS_PER_TASK, |row, heights| {
        let down = share(row, bottom);
        let (from, to) = (a + (c - a) * down, b + (d - b) * down);
        for (column, height) in heights.iter_mut().enumerate() {
            *height += (from + (to - from) * share(column, right)) as f32;
        }
    });
}

/// Moves a terrain smoothly so that it passes through known heights, to the bit.
pub fn pass_through(
    map: &mut Heightmap,
    cover: &Cover,
    known: &KnownSamples,
    progress: &dyn Progress,
) -> Result<(), Cancelled> {
    for _ in 0..PASSES {
        let moves = moves(map, cover, known, progress)?;
        let width = map.width();
        for_each(slices(map.samples_mut(), width), ROWS_PER_TASK, |row, heights| {
            heights.iter_mut().zip(moves.row(row)).for_each(|(height, by)| *height += by);
        });
    }
    set_known(map, known);
    Ok(())
}

/// The move of each sample towards known heights.
fn moves(
    map: &Heightmap,
    cover: &Cover,
    known: &KnownSamples,
    progress: &dyn Progress,
) -> Result<Grid<f32>, Cancelled> {
    let difference = |(&(row, column), &height): (&(usize, usize), &f64)| {
        let by = height - f64::from(map[(column, row)]);
        ((row, column), WeightedMove { by, weight: 1.0 })
    };
    let mut levels: Vec<LevelMoves> = vec![known.iter().map(difference).collect()];
    for level in (0..cover.levels).rev() {
        progress.report(1.0)?;
        let coarser = collect_coarser(&levels[levels.len() - 1], cover.size_at(level), cover.wrap);
        levels.push(coarser);
    }
    let size = cover.size_within(0, map.domain().size);
    let mut moves = Grid::filled(size.0, size.1, 0.0);
    for (level, moves_there) in (1..=cover.levels).zip(levels.iter().skip(1).rev()) {
        progress.report(1.0)?;
        for (&(row, column), weighted) in moves_there {
            // The point nearest to a known height has about a quarter of the height's weight or more, so it
            // gets a share of about 1.
            let share = (4.0 * weighted.weight).min(1.0);
            let here = f64::from(moves[(column, row)]);
            moves[(column, row)] = (here + share * (weighted.by - here)) as f32;
        }
        moves = refine_moves(&moves, cover.size_within(level, map.domain().size), cover.wrap);
    }
    Ok(moves)
}

/// Sets known samples to their heights, to the bit.
pub fn set_known(map: &mut Heightmap, known: &KnownSamples) {
    for (&(row, column), &height) in known {
        map.grid_mut()[(column, row)] = height as f32;
    }
}

/// The moves collected at the next coarser level, which has `size` points. Each is a mean of the moves at
/// `fine`, weighted by the coarse point's share in each fine point.
fn collect_coarser(fine: &LevelMoves, size: (usize, usize), wrap: bool) -> LevelMoves {
    let mut level = LevelMoves::new();
    for (&(row, column), weighted) in fine {
        for (row, down) in coarse_points(row, size.1, wrap) {
            for (column, across) in coarse_points(column, size.0, wrap) {
                let weight = down * across * weighted.weight;
                let parent = level.entry((row, column)).or_default();
                parent.by += weight * weighted.by;
                parent.weight += weight;
            }
        }
    }
    for weighted in level.values_mut() {
        weighted.by /= weighted.weight;
        // The weight is at most 1, so many known heights next to each other count as one.
        weighted.weight = weighted.weight.min(1.0);
    }
    level
}

/// The coarse points, of `count` along an axis, from which a fine point is interpolated, with their
/// weights.
fn coarse_points(fine: usize, count: usize, wrap: bool) -> impl Iterator<Item = (usize, f64)> {
    let (low, weights) = match fine.is_multiple_of(2) {
        true => (fine as i64 / 2 - 1, [0.125, 0.75, 0.125]),
        false => (fine as i64 / 2, [0.5, 0.5, 0.0]),
    };
    (low..).zip(weights).filter_map(move |(point, weight)| {
        let position = if wrap { point.rem_euclid(count as i64) } else { point };
        ((0..count as i64).contains(&position) && weight > 0.0).then_some((position as usize, weight))
    })
}

/// Moves on the next finer level, by the cubic B-spline with the coarse moves as control points. Beyond an
/// open border, the moves on the border are repeated.
fn refine_moves(coarse: &Grid<f32>, (width, height): (usize, usize), wrap: bool) -> Grid<f32> {
    let (w, h) = coarse.size();
    let at = |index: usize, count: usize| if wrap { index % count } else { index.min(count - 1) };
    let before = |index: usize, count: usize| match index {
        0 if wrap => count - 1,
        0 => 0,
        index => index - 1,
    };
    let spline = |low: f32, here: f32, high: f32| 0.125 * (low + high) + 0.75 * here;
    let mut fine = vec![0.0f32; width * height];
    for_each_with(
        slices(&mut fine, width.max(1)),
        ROWS_PER_TASK,
        // One extra column on either side.
        || vec![0.0f32; w + 2],
        |between, row, out| {
            let (here, below) = (coarse.row(at(row / 2, h)), coarse.row(at(row / 2 + 1, h)));
            let pairs = between[1..=w].iter_mut().zip(here.iter().zip(below));
            if row.is_multiple_of(2) {
                let above = coarse.row(before(row / 2, h));
                pairs
                    .zip(above)
                    .for_each(|((between, (here, below)), above)| *between = spline(*above, *here, *below));
            } else {
                pairs.for_each(|(between, (here, below))| *between = 0.5 * (here + below));
            }
            between[0] = between[1 + before(0, w)];
            between[w + 1] = between[1 + at(w, w)];
            for (pair, near) in out.chunks_mut(2).zip(between.windows(3)) {
                pair[0] = spline(near[0], near[1], near[2]);
                if let Some(odd) = pair.get_mut(1) {
                    *odd = 0.5 * (near[1] + near[2]);
                }
            }
        },
    );
    Grid::from_vec(width, height, fine)
}
