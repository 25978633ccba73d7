//! Olsen's new algorithm: gentle slopes are levelled, steep ones remain (Olsen 2004, "A new algorithm").

use terrane_grid::Heightmap;

use super::iterate::{Observer, iterate};
use super::limits::{Distance, Limits};
use super::needles::{Needles, remove_needles};
use super::slide::{SlideOn, Sliding};
use super::{Neighbourhood, Visited};
use crate::{Boundary, Cancelled, Progress, ScalarMap};

/// Which samples are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum OlsenScheme {
    /// All samples, as in the algorithm of the paper's text.
    Text,
    /// All samples except those on the map's border, which only receive material. This is the program
    /// behind the paper's figures.
    ///
    /// See [`Visited::Inside`].
    Published,
}

/// Parameters of [`olsen_erosion`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Olsen<'a> {
    /// The slope, rise over run, up to which material slides; negative values count as 0, NaN as unlimited.
    pub talus: ScalarMap<'a>,
    /// Iterations.
    pub iterations: u32,
    /// What lies beyond the border.
    pub boundary: Boundary,
    /// Which samples are visited.
    pub scheme: OlsenScheme,
    /// What happens to needles. The paper's rule makes some on rough ground.
    pub needles: Needles,
}

impl Default for Olsen<'_> {
    /// A talus of 1. The best talus depends on the terrain: 1.2 times its mean slope, which
    /// `metric::slope_map` with `SlopeKind::Olsen` measures, is a good start.
    fn default() -> Self {
        Self {
            talus: ScalarMap::Constant(1.0),
            iterations: 50,
            boundary: Boundary::Open,
            scheme: OlsenScheme::Text,
            needles: Needles::Remove,
        }
    }
}

/// Erodes a map by fast thermal erosion with the opposite condition.
///
/// If the lowest of a sample's four neighbours is lower than the sample, but by no more than the talus, half
/// of the difference moves to that neighbour. Samples change in place, in index order. O(samples) per
/// iteration.
///
/// Mass is conserved. The bits of the result do not depend on the number of threads or on the observer.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels. `progress` is called at least once per iteration.
pub fn olsen_erosion(
    map: &Heightmap,
    parameters: &Olsen<'_>,
    progress: &dyn Progress,
    observer: Option<Observer<'_>>,
) -> Result<Heightmap, Cancelled> {
    let sliding = Sliding {
        neighbourhood: Neighbourhood::VonNeumann,
        boundary: parameters.boundary,
        visited: match parameters.scheme {
            OlsenScheme::Text => Visited::All,
            OlsenScheme::Published => Visited::Inside,
        },
        distance: Distance::Steps,
        limits: &Limits::new(parameters.talus, map, 1.0),
        part: 0.5,
        on: SlideOn::Gentle,
    };
    let mut scheme = sliding.of(map);
    iterate(&mut *scheme, parameters.iterations, progress, observer)?;
    let mut eroded = map.with_grid(scheme.grid());
    if parameters.needles == Needles::Remove && parameters.iterations > 0 {
        let alive = || progress.report(1.0);
        remove_needles(map, &mut eroded, parameters.talus, parameters.boundary, &alive)?;
    }
    Ok(eroded)
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;
    use crate::Silent;

    fn eroded(map: &Heightmap, talus: ScalarMap<'_>) -> Heightmap {
        let p = Olsen { talus, iterations: 20, needles: Needles::Keep, ..Olsen::default() };
        olsen_erosion(map, &p, &Silent, None).unwrap()
    }

    #[test]
    fn the_talus_may_vary() {
        let domain = Domain::new(24, 17);
        let hills =
            Heightmap::from_fn(domain, |x, y| libm::sinf(x as f32 * 0.7) + libm::cosf(y as f32 * 0.9));
        let talus = |f: fn(usize) -> f32| Heightmap::from_fn(domain, |x, _| f(x));
        let number = eroded(&hills, ScalarMap::Constant(0.3));
        assert_eq!(eroded(&hills, ScalarMap::Map(&talus(|_| 0.3))), number);
        // Where no slope is gentle enough, heights change only by material that arrives from gentle ground.
        let half = eroded(&hills, ScalarMap::Map(&talus(|x| if x < 12 { 0.0 } else { 0.3 })));
        assert!((0..17).all(|y| (0..11).all(|x| half[(x, y)] == hills[(x, y)])));
        assert!((0..17).any(|y| (13..24).any(|x| half[(x, y)] != hills[(x, y)])));
    }
}
