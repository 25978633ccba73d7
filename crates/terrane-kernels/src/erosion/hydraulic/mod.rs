//! Hydraulic erosion: rain dissolves ground, carries it downhill and leaves it where it evaporates (Olsen 2004, "Hydraulic
//! erosion", after Beneš & Forsbach 2002).

mod fast;
mod reference;

use terrane_grid::{Grid, Heightmap};

use super::Visited;
use super::iterate::{Iterate, Observer, iterate};
use crate::{Boundary, Cancelled, Progress};

/// How water and sediment are moved. The published schemes leave samples on the map's border unvisited ([`Visited::Inside`]): no rain
/// falls there, and nothing flows off, evaporates or settles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HydraulicScheme {
    /// The paper's text: every lower one of the eight neighbours gets a share, all samples at once, through maps of differences.
    Reference,
    /// The paper's fast variant: all to the lowest of the four neighbours on a side, no map of sediment, in place, in index
    /// order.
    Fast,
    /// What the program behind the paper's figures does for its Reference.
    Published,
    /// What that program does for its fast variant: water dissolves and leaves as much ground as there is of it, and evaporation
    /// takes its share of what was there before water flowed off.
    PublishedFast,
}

impl HydraulicScheme {
    /// Whether it is what the program behind the paper's figures does, not its text.
    const fn published(self) -> bool {
        matches!(self, Self::Published | Self::PublishedFast)
    }

    /// Which samples it visits.
    const fn visited(self) -> Visited {
        if self.published() { Visited::Inside } else { Visited::All }
    }
}

/// Parameters of [`hydraulic_erosion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hydraulic {
    /// Water that falls on each sample in an iteration, the paper's Kr, in world units.
    pub rain: f32,
    /// Ground that water dissolves in an iteration, over the water, the paper's Ks.
    pub solubility: f32,
    /// Share of the water that evaporates in an iteration, the paper's Ke.
    pub evaporation: f32,
    /// Sediment that water can carry, over the water, the paper's Kc.
    pub capacity: f32,
    /// Iterations.
    pub iterations: u32,
    /// How water and sediment are moved.
    pub scheme: HydraulicScheme,
    /// What lies beyond the border.
    pub boundary: Boundary,
}

/// A terrain and what stands on it after the last iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Eroded {
    /// Ground.
    pub height: Heightmap,
    /// Water, in world units of depth.
    pub water: Heightmap,
    /// Ground dissolved in the water, in world units of height.
    pub sediment: Heightmap,
}

/// Erodes a map, O(samples) an iteration.
///
/// Ground and sediment together are kept, up to the rounding of sums; water and sediment are never negative, but in
/// `PublishedFast`, whose rule makes them so. The bits do not depend on the number of threads, nor on who observes.
///
/// # Errors
/// [`Cancelled`] when `progress` says so; it is asked at least after every iteration.
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

/// A scheme that also has water and sediment.
trait Flow: Iterate {
    /// As what all schemes are.
    fn as_iterate(&mut self) -> &mut dyn Iterate;

    /// Water and sediment as they are now.
    fn carried(&self) -> [Grid<f32>; 2];
}

#[cfg(test)]
mod tests;
