//! Mountains that rise while rivers cut them down (Cordonnier, Braun, Cani, Benes, Galin, Peytavie & Guérin 2016).

mod settle;
mod state;

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use self::state::State;
use super::border::Sides;
use super::iterate::{Observer, iterate};
use crate::hydrology::each;
use crate::{Boundary, Cancelled, Progress, ScalarMap};

/// What a side of an open map is to rising ground. Where two sides meet, in a corner, the one that comes later in this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// A wall: water cannot leave.
    Wall,
    /// Water leaves, and the border keeps the heights that it has at the start; where there is no start, the sea's.
    Fixed,
    /// The sea, at its level.
    Sea,
}

/// Parameters of [`uplift_erosion`].
#[derive(Clone, Copy, Debug)]
pub struct Uplift<'a> {
    /// How fast the ground rises, in world units a unit of time.
    pub uplift: ScalarMap<'a>,
    /// Steps.
    pub iterations: u32,
    /// Units of time a step.
    pub time_step: f64,
    /// Erodibility, the paper's k.
    pub erodibility: f64,
    /// Exponent of the drained area, the paper's m.
    pub area_exponent: f32,
    /// Exponent of slope, the paper's n; greater than 0.
    pub slope_exponent: f32,
    /// Whether lakes run over.
    pub lakes: bool,
    /// Slope, rise over run, that the ground cannot exceed towards where it drains.
    pub talus: Option<ScalarMap<'a>>,
    /// Samples above 0.5 are outlets besides the border's: water leaves there, and they keep their heights.
    pub outlets: Option<&'a Heightmap>,
    /// Height of the sea.
    pub sea_level: f32,
    /// How far nodes stand from the middle of their tiles: 0 in it, 1 anywhere in the tile.
    pub jitter: f32,
    /// What the sides of an open map are.
    pub border: Sides<Base>,
    /// What lies beyond the border. Where water leaves nowhere, as on a torus without outlets, it ends in the lowest sample, which stays at sea level.
    pub boundary: Boundary,
}

/// Mountains with their rivers after the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct Mountains {
    /// Heights.
    pub height: Heightmap,
    /// Area that drains through each sample, its own included, in square world units.
    pub drainage: Heightmap,
    /// The river system that each sample belongs to: outlets are numbered from 1 in the order of samples.
    pub basins: Heightmap,
}

/// Raises mountains over a domain, from `start` or from ground that is all but flat. O(samples) a step, without recursion; with
/// lakes O(lakes · log lakes) more.
///
/// The bits do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked several times a step.
pub fn uplift_erosion(
    domain: &Domain,
    start: Option<&Heightmap>,
    parameters: &Uplift<'_>,
    seed: Seed,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Mountains, Cancelled> {
    let lattice = seed.part(2).lattice();
    // So that water knows where to go on the first step.
    let unevenness = (1.0e-3 * domain.spacing) as f32;
    let map = match start {
        Some(map) => map.clone(),
        None => {
            let width = domain.width();
            let height = |at: usize| {
                parameters.sea_level + unevenness * lattice.unit((at % width) as i64, (at / width) as i64)
            };
            Heightmap::from_vec(*domain, each(domain.len(), &|| progress.report(0.0), height)?)
        }
    };
    if map.samples().is_empty() {
        return Ok(Mountains { drainage: map.clone(), basins: map.clone(), height: map });
    }
    let mut state = State::new(&map, start.is_some(), parameters, seed, &|| progress.report(0.0))?;
    iterate(&mut state, parameters.iterations, progress, observer)?;
    state.heights = state.settled(&|| progress.report(1.0))?;
    state.route(&|| progress.report(1.0))?;
    let basins = state.basins();
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(map.width(), map.height(), samples));
    Ok(Mountains { height: whole(state.heights), drainage: whole(state.areas), basins: whole(basins) })
}

#[cfg(test)]
mod tests;
