//! Mountains that rise while rivers cut them down (Cordonnier, Braun, Cani, Benes, Galin, Peytavie & Guérin
//! 2016).

mod parameters;
mod settle;
mod state;

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use self::state::State;
use super::iterate::{Observer, iterate};
use crate::hydrology::each;
use crate::{Cancelled, Progress};

pub use parameters::{Base, Uplift};

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

/// Raises mountains over a domain, from `start` or from ground that is all but flat. O(samples) a step,
/// without recursion; with lakes O(lakes · log lakes) more.
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
