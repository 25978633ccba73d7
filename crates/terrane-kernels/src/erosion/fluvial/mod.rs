//! Fluvial erosion on a graph of tiles (Lim, Tan & Bhojan 2021): rivers cut into a terrain while constraints
//! pull it towards its ideal shape.

mod constraints;
mod extremes;
mod gorge;
mod ideal;
mod implicit;
mod law;
mod parameters;
mod routing;
mod rows;
mod sinks;
mod state;
mod tiles;
mod wide;

use terrane_grid::{Grid, Heightmap, Seed};

use super::iterate::{Observer, iterate};
use crate::hydrology::InHollows;
use crate::{Cancelled, Progress};
pub use parameters::{Fluvial, Solver};
use state::State;

/// A terrain with its rivers after the last iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// Heights of the land.
    pub height: Heightmap,
    /// Depth of the sea.
    pub water: Heightmap,
    /// Water that runs through each tile, including the tile's own rain.
    pub drainage: Heightmap,
    /// The direction in which each tile drains: 0 nowhere, 1 up (towards row 0), 2 left, 3 right, 4 down, 5
    /// up and left, 6 up and right, 7 down and left, 8 down and right.
    pub receivers: Heightmap,
    /// Total depth that gorges have cut, in world units.
    pub gorges: Heightmap,
    /// How much land lies in hollows.
    pub hollows: InHollows,
    /// The fraction of the gradient strength that remains after these and earlier gorges, in [0, 1].
    pub hold: Heightmap,
}

/// Erodes a map. The map is also the ideal, unless [`Fluvial::ideal`] is set. O(samples) per iteration,
/// without recursion.
///
/// The bits of the result do not depend on the number of threads or on the observer. Nor do they depend on
/// whether an erosion runs in one stage or in several stages (of at least one iteration each). For this, a
/// later stage must start with the heights and the `hold` of the stage before it. Its ideal must be the map
/// with which the first stage started. No other state passes from one iteration to the next.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels. `progress` is called several times per iteration.
pub fn fluvial_erosion(
    map: &Heightmap,
    parameters: &Fluvial<'_>,
    seed: Seed,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Rivers, Cancelled> {
    if map.samples().is_empty() {
        let none = || map.clone();
        return Ok(Rivers {
            height: none(),
            water: none(),
            drainage: none(),
            receivers: none(),
            gorges: none(),
            hold: none(),
            hollows: InHollows::default(),
        });
    }
    let alive = || progress.check();
    let mut state = State::new(map, parameters, seed, &alive)?;
    iterate(&mut state, parameters.iterations, progress, observer)?;
    let alive = || progress.report(1.0);
    state.route(&alive)?;
    state.accumulate(false, &alive)?;
    let hollows = state.hollows(&alive)?;
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(map.width(), map.height(), samples));
    let water = state.land.iter().map(|&land| (parameters.sea_level - land).max(0.0)).collect();
    let receivers = state.directions.iter().map(|&direction| f32::from(direction)).collect();
    Ok(Rivers {
        water: whole(water),
        receivers: whole(receivers),
        height: whole(state.land),
        drainage: whole(state.drainage),
        gorges: whole(state.gorges),
        hold: whole(state.hold),
        hollows,
    })
}

#[cfg(test)]
mod tests;
