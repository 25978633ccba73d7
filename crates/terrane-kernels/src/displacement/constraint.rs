//! Heights to pass through, bottom-up (after Belhadj 2007): a known height first tells its parents by how
//! much they should be moved, level by level up to the starting points; then these moves are made finer on
//! the way down, towards what each level was told.
//!
//! Belhadj's parents are told heights, and midpoint displacement leaves a spike wherever such a height is not
//! the mean of its neighbours. What is told here is the difference to the terrain as it is, and between
//! levels it is made finer by cubic B-splines, so that what is added is smooth at all levels and the terrain
//! keeps its roughness. What is missing after that is told again.

use crate::parallel::{for_each, for_each_with, slices};
use std::collections::BTreeMap;

use terrane_grid::{Domain, Grid, Heightmap};

use super::cover::Cover;
use super::error::MidpointError;
use super::parameters::Heights;
use crate::{Cancelled, Progress};

/// Known heights by (row, column).
pub type Known = BTreeMap<(usize, usize), f64>;

/// What a level's points are told.
#[derive(Clone, Copy, Default)]
struct Told {
    /// By how much to move.
    by: f64,
    /// How near the known heights are that say so: a single one shares 1 among the points around it, by
    /// distance.
    weight: f64,
}

type Level = BTreeMap<(usize, usize), Told>;

/// How often known heights tell what is missing: each time some tenth of it is left. The rest is given to the
/// known sample alone.
const PASSES: u32 = 4;

/// Rows that one task makes: enough to amortise the task.
const ROWS_PER_TASK: usize = 32;

/// Known heights at their nearest samples.
pub fn known(domain: &Domain, heights: &Heights) -> Result<Known, MidpointError> {
    let mut known = Known::new();
    let (right, bottom) = (domain.width() - 1, domain.height() - 1);
    if let Some(corners) = heights.corners {
        let places = [(0, 0), (0, right), (bottom, 0), (bottom, right)];
        for ((row, column), height) in places.into_iter().zip(corners) {
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
    known: &mut Known,
    at: (usize, usize),
    height: f64,
    (x, y): (f64, f64),
) -> Result<(), MidpointError> {
    match known.insert(at, height) {
        Some(other) if other != height => Err(MidpointError::Conflict(x, y)),
        _ => Ok(()),
    }
}

/// Moves a terrain by what is missing at its corners (top left, top right, bottom left, bottom right),
/// bilinearly between them.
pub fn tilt(map: &mut Heightmap, corners: [f64; 4]) {
    let (width, height) = map.domain().size;
    let (right, bottom) = (width - 1, height - 1);
    let places = [(0, 0), (right, 0), (0, bottom), (right, bottom)];
    let mut missing = corners;
    missing.iter_mut().zip(places).for_each(|(missing, place)| *missing -= f64::from(map[place]));
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
    known: &Known,
    progress: &dyn Progress,
) -> Result<(), Cancelled> {
    for _ in 0..PASSES {
        let moves = moves(map, cover, known, progress)?;
        let width = map.width();
        for_each(slices(map.samples_mut(), width), ROWS_PER_TASK, |row, heights| {
            heights.iter_mut().zip(moves.row(row)).for_each(|(height, by)| *height += by);
        });
    }
    keep(map, known);
    Ok(())
}

/// By how much a terrain is to be moved towards known heights.
fn moves(
    map: &Heightmap,
    cover: &Cover,
    known: &Known,
    progress: &dyn Progress,
) -> Result<Grid<f32>, Cancelled> {
    let difference = |(&(row, column), &height): (&(usize, usize), &f64)| {
        let by = height - f64::from(map[(column, row)]);
        ((row, column), Told { by, weight: 1.0 })
    };
    let mut levels: Vec<Level> = vec![known.iter().map(difference).collect()];
    for level in (0..cover.levels).rev() {
        progress.report(1.0)?;
        let coarser = parents(&levels[levels.len() - 1], cover.size_at(level), cover.wrap);
        levels.push(coarser);
    }
    let size = cover.size_within(0, map.domain().size);
    let mut moves = Grid::filled(size.0, size.1, 0.0);
    for (level, told) in (1..=cover.levels).zip(levels.iter().skip(1).rev()) {
        progress.report(1.0)?;
        for (&(row, column), told) in told {
            // The nearest of the points around a known height has at least a quarter of its weight.
            let share = (4.0 * told.weight).min(1.0);
            let here = f64::from(moves[(column, row)]);
            moves[(column, row)] = (here + share * (told.by - here)) as f32;
        }
        moves = finer(&moves, cover.size_within(level, map.domain().size), cover.wrap);
    }
    Ok(moves)
}

/// Gives known samples their heights, to the bit.
pub fn keep(map: &mut Heightmap, known: &Known) {
    for (&(row, column), &height) in known {
        map.grid_mut()[(column, row)] = height as f32;
    }
}

/// What the points of a level tell those of the next coarser one, of which there are `size`: the mean of
/// their moves, weighted by what a point there adds to them when it is made finer.
fn parents(fine: &Level, size: (usize, usize), wrap: bool) -> Level {
    let mut level = Level::new();
    for (&(row, column), told) in fine {
        for (row, down) in around(row, size.1, wrap) {
            for (column, across) in around(column, size.0, wrap) {
                let weight = down * across * told.weight;
                let parent = level.entry((row, column)).or_default();
                parent.by += weight * told.by;
                parent.weight += weight;
            }
        }
    }
    for told in level.values_mut() {
        told.by /= told.weight;
        // Many known heights beside each other count as one.
        told.weight = told.weight.min(1.0);
    }
    level
}

/// The points of a level, `count` along an axis, of which a point of the next finer one is made, with their
/// weights.
fn around(fine: usize, count: usize, wrap: bool) -> impl Iterator<Item = (usize, f64)> {
    let (low, weights) = match fine.is_multiple_of(2) {
        true => (fine as i64 / 2 - 1, [0.125, 0.75, 0.125]),
        false => (fine as i64 / 2, [0.5, 0.5, 0.0]),
    };
    (low..).zip(weights).filter_map(move |(point, weight)| {
        let place = if wrap { point.rem_euclid(count as i64) } else { point };
        ((0..count as i64).contains(&place) && weight > 0.0).then_some((place as usize, weight))
    })
}

/// A level's moves on the points of the next finer one, by the cubic B-spline through them as control points.
/// Beyond an open border the moves on the border go on.
fn finer(coarse: &Grid<f32>, (width, height): (usize, usize), wrap: bool) -> Grid<f32> {
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
        // A column more on either side.
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
