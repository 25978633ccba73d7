//! Numbers about an erosion as it goes on.

use std::num::NonZeroU32;

use terrane_grid::Heightmap;
use terrane_kernels::erosion::Observer;
use terrane_kernels::metric::{erosion_score, height_difference, statistics};
use terrane_kernels::{Boundary, Cancelled};

use crate::values::Table;

/// A column of one scheme's own: its name, and its number of a map.
pub type Own<'a> = (&'static str, &'a dyn Fn(&Heightmap) -> f64);

/// Runs an erosion that begins with a map and tells after every `every` iterations (0: never); its result, and the table of
/// iteration, erosion score, mean change since the last row, mean height, and what else is asked for.
pub fn recorded<T>(
    start: &Heightmap,
    boundary: Boundary,
    every: u32,
    own: &[Own<'_>],
    run: impl FnOnce(Option<Observer<'_>>) -> Result<T, Cancelled>,
) -> Result<(T, Table), Cancelled> {
    let names = ["iteration", "score", "change", "mean"].into_iter().chain(own.iter().map(|(name, _)| *name));
    let mut columns: Vec<(&str, Vec<f64>)> = names.map(|name| (name, Vec::new())).collect();
    let mut last = start.clone();
    let mut push = |iteration: u32, now: Heightmap| {
        let score = erosion_score(&now, boundary).score;
        let change = height_difference(&last, &now).mean;
        let all = [f64::from(iteration), score, change, statistics(&now).mean];
        let all = all.into_iter().chain(own.iter().map(|(_, number)| number(&now)));
        columns.iter_mut().zip(all).for_each(|((_, column), value)| column.push(value));
        last = now;
    };
    let every = NonZeroU32::new(every);
    if every.is_some() {
        push(0, start.clone());
    }
    let mut told = |iteration, now| push(iteration, start.with_grid(now));
    let result = run(every.map(|every| Observer { every, told: &mut told }))?;
    Ok((result, Table::new(columns)))
}
