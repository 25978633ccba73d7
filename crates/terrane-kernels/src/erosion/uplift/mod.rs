//! Mountains that rise while rivers cut them down (Cordonnier, Braun, Cani, Benes, Galin, Peytavie & Guérin
//! 2016).

mod carried;
mod deposit;
mod diffuse;
mod law;
mod nodes;
mod parameters;
mod settle;
mod start;
mod state;

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use self::state::{HELD, State};
use super::iterate::{Observer, iterate};
use crate::hydrology::{InHollows, directions};
use crate::{Cancelled, Progress};

pub use parameters::{Base, Routing, Uplift};
pub use start::Start;

/// Mountains with their rivers after the last step.
#[derive(Clone, Debug, PartialEq)]
pub struct Mountains {
    /// Heights.
    pub height: Heightmap,
    /// What single precision drops of each height.
    pub remainder: Heightmap,
    /// Heights below which no step lowers the ground; -10³⁰ for no limit, and 10³⁰ where all water ends if it
    /// can leave nowhere.
    pub floor: Heightmap,
    /// Drainage area of each sample, including the sample's own area, in square world units, weighted by
    /// moisture.
    pub drainage: Heightmap,
    /// The direction in which each sample drains, as in [`Drainage`](crate::hydrology::Drainage).
    pub receivers: Heightmap,
    /// The number of each sample's drainage basin. Basins are numbered from 1, in the order of their outlets.
    pub basins: Heightmap,
    /// Per sample, whether it is an outlet, whose height does not change.
    pub fixed: Vec<bool>,
    /// Sediment that leaves each sample, in cubic world units per unit of time, in the last step. On fixed
    /// samples it is what leaves the map there. 0 without deposition.
    pub flux: Heightmap,
    /// How much ground lies in hollows.
    pub hollows: InHollows,
}

/// Raises mountains over a domain, starting from `start` or from almost flat ground. O(samples) per step,
/// without recursion, plus O(lakes · log lakes) with lakes.
///
/// The bits of the result do not depend on the number of threads, on the observer, or on how the steps are
/// divided into runs, if each run [starts](Start) from all maps of the run before.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels. `progress` is called several times per step.
pub fn uplift_erosion(
    domain: &Domain,
    start: Option<Start<'_>>,
    parameters: &Uplift<'_>,
    seed: Seed,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Mountains, Cancelled> {
    let flat;
    let start = match start {
        Some(start) => start,
        None => {
            flat = start::plain(domain, parameters, seed.part(2), &|| progress.check())?;
            Start::from(&flat)
        }
    };
    let map = start.height;
    if map.samples().is_empty() {
        let none = || map.clone();
        return Ok(Mountains {
            height: none(),
            remainder: none(),
            floor: none(),
            drainage: none(),
            receivers: none(),
            basins: none(),
            fixed: Vec::new(),
            flux: none(),
            hollows: InHollows::default(),
        });
    }
    let mut state = State::new(start, parameters, seed, &|| progress.check())?;
    iterate(&mut state, parameters.iterations, progress, observer)?;
    // Routing changes the sequence of samples.
    let volume = map.spacing() * map.spacing() / parameters.time_step;
    let flux = if parameters.deposition > 0.0 {
        let leaving = state.leaving().into_iter();
        leaving.map(|height| (height * volume).clamp(0.0, f64::from(f32::MAX)) as f32).collect()
    } else {
        vec![0.0; map.samples().len()]
    };
    state.carried = carried::Carried::default();
    state.route(&|| progress.report(1.0))?;
    let hollows = state.hollows(&|| progress.check())?;
    let (basins, receivers) = (state.basins(), directions(&state.network, state.shape));
    if let Some(outlet) = state.outlet {
        state.floor[outlet] = HELD;
    }
    progress.check()?;
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(map.width(), map.height(), samples));
    Ok(Mountains {
        height: whole(state.heights),
        remainder: whole(state.remainders),
        floor: whole(state.floor),
        drainage: whole(state.areas),
        receivers: whole(receivers),
        basins: whole(basins),
        fixed: state.sea,
        flux: whole(flux),
        hollows,
    })
}

#[cfg(test)]
mod tests;
