//! Mountains that rise while rivers cut them down (Cordonnier, Braun, Cani, Benes, Galin, Peytavie & Guérin
//! 2016).

mod parameters;
mod settle;
mod state;

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use self::state::State;
use super::iterate::{Observer, iterate};
use crate::{Cancelled, Progress};
use terrane_compute::each;

pub use parameters::{Base, Uplift};

/// Mountains with their rivers after the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct Mountains {
    /// Heights.
    pub height: Heightmap,
    /// Drainage area of each sample, including the sample's own area, in square world units.
    pub drainage: Heightmap,
    /// The number of each sample's drainage basin. Basins are numbered from 1, in the order of their outlets.
    pub basins: Heightmap,
}

/// Raises mountains over a domain, starting from `start` or from almost flat ground. O(samples) per step,
/// without recursion, plus O(lakes · log lakes) with lakes.
///
/// The bits of the result do not depend on the number of threads or on the observer.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels. `progress` is called several times per step.
pub fn uplift_erosion(
    domain: &Domain,
    start: Option<&Heightmap>,
    parameters: &Uplift<'_>,
    seed: Seed,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Mountains, Cancelled> {
    let lattice = seed.part(2).lattice();
    // Unevenness directs the water in the first step.
    let unevenness = (1.0e-3 * domain.spacing) as f32;
    let map = match start {
        Some(map) => map.clone(),
        None => {
            let width = domain.width();
            let height = |at: usize| {
                parameters.sea_level + unevenness * lattice.unit((at % width) as i64, (at / width) as i64)
            };
            Heightmap::from_vec(*domain, each(domain.len(), &|| progress.check(), height)?)
        }
    };
    if map.samples().is_empty() {
        return Ok(Mountains { drainage: map.clone(), basins: map.clone(), height: map });
    }
    let mut state = State::new(&map, start.is_some(), parameters, seed, &|| progress.check())?;
    iterate(&mut state, parameters.iterations, progress, observer)?;
    state.heights = state.output_heights(&|| progress.report(1.0))?;
    state.route(&|| progress.report(1.0))?;
    let basins = state.basins();
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(map.width(), map.height(), samples));
    Ok(Mountains { height: whole(state.heights), drainage: whole(state.areas), basins: whole(basins) })
}

#[cfg(test)]
mod tests;
