//! The history of an erosion: a table of numbers, and frames.

use std::num::NonZeroU32;

use terrane_flow::{NodeError, Sizes};
use terrane_grid::Heightmap;
use terrane_kernels::erosion::Observer;
use terrane_kernels::metric::{erosion_score, height_difference, statistics};
use terrane_kernels::{Boundary, Cancelled};

use crate::support::maps;
use crate::values::{Frames, Map, Table};

/// An additional column of the table: its name, and the function that computes its number from a map.
pub type ExtraColumn<'a> = (&'static str, &'a dyn Fn(&Heightmap) -> f64);

/// What is recorded during an erosion.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    every: Option<NonZeroU32>,
    film: bool,
}

/// The maximum size of all frames together, in bytes.
const MAX_BYTES: u64 = 4 << 30;

impl Record {
    /// Records every `every` iterations (0: never), including the maps if `film` is set.
    ///
    /// # Errors
    /// If there would be no frames, or if all frames would exceed 4 GiB.
    pub fn new(map: &Heightmap, iterations: u32, every: u32, film: bool) -> Result<Self, NodeError> {
        let every = NonZeroU32::new(every);
        match every {
            None if film => {
                return Err(NodeError::failed(
                    "`frames` is connected, but `history_every` is 0, so there are no frames",
                    "set the number of iterations between frames, such as history_every: 10",
                ));
            }
            Some(every) if film => {
                let bytes = 4 * map.samples().len().max(1) as u64;
                let (frames, max) = (u64::from(iterations / every) + 2, MAX_BYTES / bytes);
                if frames > max {
                    return Err(NodeError::failed(
                        format!("{frames} frames of {bytes} bytes are more than 4 GiB"),
                        format!(
                            "use history_every: {} or more",
                            u64::from(iterations) / max.saturating_sub(2).max(1) + 1
                        ),
                    ));
                }
            }
            _ => {}
        }
        Ok(Self { every, film })
    }
}

/// Bytes of the frames of `iterations` iterations.
pub fn frames_bytes(sizes: &Sizes<'_>, iterations: u32, every: u32) -> u64 {
    NonZeroU32::new(every).map_or(0, |every| maps(sizes, f64::from(iterations / every) + 1.0).min(MAX_BYTES))
}

/// Runs an erosion from a start map and records it. Returns the result, a table and, if `film` is set, the
/// map of each row. The table's columns are iteration, erosion score, mean change since the last row, mean
/// height and the `extra` columns.
pub fn recorded<T>(
    start: &Heightmap,
    boundary: Boundary,
    Record { every, film }: Record,
    extra: &[ExtraColumn<'_>],
    run: impl FnOnce(Option<Observer<'_>>) -> Result<T, Cancelled>,
) -> Result<(T, Table, Frames), Cancelled> {
    let names =
        ["iteration", "score", "change", "mean"].into_iter().chain(extra.iter().map(|(name, _)| *name));
    let mut columns: Vec<(&str, Vec<f64>)> = names.map(|name| (name, Vec::new())).collect();
    let mut last: Option<Heightmap> = None;
    let mut frames = Vec::new();
    let mut push = |iteration: u32, now: Heightmap| {
        if film {
            frames.push(Map(now.clone()));
        }
        let score = erosion_score(&now, boundary).score;
        let change = height_difference(last.as_ref().unwrap_or(start), &now).mean;
        let all = [f64::from(iteration), score, change, statistics(&now).mean];
        let all = all.into_iter().chain(extra.iter().map(|(_, number)| number(&now)));
        columns.iter_mut().zip(all).for_each(|((_, column), value)| column.push(value));
        last = Some(now);
    };
    if every.is_some() {
        push(0, start.clone());
    }
    let mut observe = |iteration, now| push(iteration, start.with_grid(now));
    let result = run(every.map(|every| Observer { every, told: &mut observe }))?;
    Ok((result, Table::new(columns), Frames(frames)))
}
