//! Hydraulic erosion: rain dissolves ground, carries it downhill and deposits it where water evaporates
//! (Olsen 2004, "Hydraulic erosion", after Beneš & Forsbach 2002).

mod fast;
mod flow;
mod parameters;
mod reference;

use terrane_grid::Heightmap;

use super::iterate::{Observer, iterate};
use crate::{Cancelled, Progress};
use flow::Flow;

pub use parameters::{Hydraulic, HydraulicScheme};

/// A terrain with its water and sediment after the last iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Eroded {
    /// Ground.
    pub height: Heightmap,
    /// Water, in world units of depth.
    pub water: Heightmap,
    /// Ground dissolved in the water, in world units of height.
    pub sediment: Heightmap,
}

/// Erodes a map, O(samples) per iteration.
///
/// The sum of ground and sediment is conserved, up to the rounding of sums. Water and sediment are never
/// negative, except in `PublishedFast`, whose rule allows it. The bits of the result do not depend on the
/// number of threads or on the observer.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels. `progress` is called at least once per iteration.
pub fn hydraulic_erosion(
    map: &Heightmap,
    parameters: &Hydraulic,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Eroded, Cancelled> {
    let mut scheme: Box<dyn Flow> = match parameters.scheme {
        HydraulicScheme::Reference | HydraulicScheme::Published => {
            Box::new(reference::Reference::new(map.grid(), parameters))
        }
        HydraulicScheme::Fast | HydraulicScheme::PublishedFast => {
            Box::new(fast::Fast::new(map.grid(), parameters))
        }
    };
    iterate(scheme.as_iterate(), parameters.iterations, progress, observer)?;
    let [water, sediment] = scheme.carried();
    Ok(Eroded {
        height: map.with_grid(scheme.grid()),
        water: map.with_grid(water),
        sediment: map.with_grid(sediment),
    })
}

#[cfg(test)]
mod tests;
