//! Numbers about an erosion as it goes on.

use std::num::NonZeroU32;

use terrane_flow::{NodeError, Sizes};
use terrane_grid::Heightmap;
use terrane_kernels::erosion::Observer;
use terrane_kernels::metric::{erosion_score, height_difference, statistics};
use terrane_kernels::{Boundary, Cancelled};

use crate::support::maps;
use crate::values::{Frames, Map, Table};

/// A column of one scheme's own: its name, and its number of a map.
pub type Own<'a> = (&'static str, &'a dyn Fn(&Heightmap) -> f64);

/// What is kept of an erosion under way.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    every: Option<NonZeroU32>,
    film: bool,
}

/// The most that frames may hold.
const MOST_BYTES: u64 = 4 << 30;

impl Record {
    /// Every so many iterations (0: never), with the maps where `film`.
    ///
    /// # Errors
    /// Where there is no frame to film, or more than memory should hold.
    pub fn new(map: &Heightmap, iterations: u32, every: u32, film: bool) -> Result<Self, NodeError> {
        let every = NonZeroU32::new(every);
        match every {
            None if film => {
                return Err(NodeError::failed(
                    "`frames` is read, but `history_every` is 0, so that there are none",
                    "say after how many iterations there is to be one, such as history_every: 10",
                ));
            }
            Some(every) if film => {
                let bytes = 4 * map.samples().len().max(1) as u64;
                let (frames, most) = (u64::from(iterations / every) + 2, MOST_BYTES / bytes);
                if frames > most {
                    return Err(NodeError::failed(
                        format!("{frames} frames of {bytes} bytes are more than 4 GiB"),
                        format!(
                            "take history_every: {} or more",
                            u64::from(iterations) / most.saturating_sub(2).max(1) + 1
                        ),
                    ));
                }
            }
            _ => {}
        }
        Ok(Self { every, film })
    }
}

/// Bytes that the frames of so many iterations take.
pub fn frames_bytes(sizes: &Sizes<'_>, iterations: u32, every: u32) -> u64 {
    NonZeroU32::new(every).map_or(0, |every| maps(sizes, f64::from(iterations / every) + 1.0).min(MOST_BYTES))
}

/// Runs an erosion that begins with a map, and keeps a record of it; its result, and the table of iteration,
/// erosion score, mean change since the last row, mean height, and what else is asked for. With them, the
/// maps that the table is about, where it is filmed.
pub fn recorded<T>(
    start: &Heightmap,
    boundary: Boundary,
    Record { every, film }: Record,
    own: &[Own<'_>],
    run: impl FnOnce(Option<Observer<'_>>) -> Result<T, Cancelled>,
) -> Result<(T, Table, Frames), Cancelled> {
    let names = ["iteration", "score", "change", "mean"].into_iter().chain(own.iter().map(|(name, _)| *name));
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
        let all = all.into_iter().chain(own.iter().map(|(_, number)| number(&now)));
        columns.iter_mut().zip(all).for_each(|((_, column), value)| column.push(value));
        last = Some(now);
    };
    if every.is_some() {
        push(0, start.clone());
    }
    let mut told = |iteration, now| push(iteration, start.with_grid(now));
    let result = run(every.map(|every| Observer { every, told: &mut told }))?;
    Ok((result, Table::new(columns), Frames(frames)))
}
