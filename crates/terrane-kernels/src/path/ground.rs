//! The cheapest way over the terrain, by either way to count what it costs.

use terrane_grid::Heightmap;

use super::builder::{Builder, Prices, Road, Site};
use super::search::{Rimmed, cheapest, reached};
use super::straight::Frame;
use super::terrain::{BadFactor, Terrain};
use super::thesis::Thesis;
use crate::{Cancelled, Progress};

/// What a step costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Costs {
    /// What a road's builder pays, in world units of level road.
    Builder(Prices),
    /// Its L1 length d, and d · α · |slope|^β (Velzel, section 4.1).
    Thesis {
        /// How much slopes cost (α); at least 0.
        alpha: f64,
        /// The power of slopes (β); greater than 0.
        beta: f64,
    },
}

/// What ways are looked for by.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// What steps cost.
    pub costs: Costs,
    /// What the cost of steps is multiplied by, a map of the terrain's size; positive and finite.
    pub cost_map: Option<&'a Heightmap>,
    /// A mask of the terrain's size: where it is more than a half, or not a number, no way leads.
    pub forbidden: Option<&'a Heightmap>,
}

impl Search<'_> {
    /// By these costs alone.
    #[must_use]
    pub const fn by(costs: Costs) -> Self {
        Self { costs, cost_map: None, forbidden: None }
    }
}

/// Why no way was looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WayError {
    /// The caller asked to stop.
    Cancelled,
    /// Costs cannot be multiplied by a sample of the cost map.
    Factor(BadFactor),
}

impl From<Cancelled> for WayError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<BadFactor> for WayError {
    fn from(bad: BadFactor) -> Self {
        Self::Factor(bad)
    }
}

/// Columns and rows of a way's samples, and its cost.
pub type Way = (Vec<(usize, usize)>, f64);

/// The part of a terrain where the cheapest ways are looked for.
pub struct Ground {
    kind: Kind,
}

enum Kind {
    Builder(Site, Prices),
    Thesis(Box<Thesis>),
}

impl Ground {
    pub fn new(terrain: &Terrain<'_>, costs: Costs, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let kind = match costs {
            Costs::Builder(prices) => Kind::Builder(Site::new(terrain, progress)?, prices),
            Costs::Thesis { alpha, beta } => {
                Kind::Thesis(Box::new(Thesis::new(terrain, (alpha, beta), progress)?))
            }
        };
        Ok(Self { kind })
    }

    const fn map(&self) -> Rimmed {
        match &self.kind {
            Kind::Builder(site, _) => site.map(),
            Kind::Thesis(thesis) => thesis.rimmed(),
        }
    }

    /// Whether anybody may be at a sample.
    pub fn is_crossed(&self, place: (usize, usize)) -> bool {
        self.is_crossed_at(self.map().index(place))
    }

    fn is_crossed_at(&self, at: usize) -> bool {
        match &self.kind {
            Kind::Builder(site, _) => site.is_crossed(at),
            Kind::Thesis(thesis) => thesis.is_crossed(at),
        }
    }

    /// The cheapest way between two samples and its cost, every sample beside the next one. A builder's is
    /// the same from both ends.
    pub fn way(
        &self,
        from: (usize, usize),
        to: (usize, usize),
        road: Road,
        progress: &dyn Progress,
    ) -> Result<Option<Way>, Cancelled> {
        let map = self.map();
        let (from, to) = (map.index(from), map.index(to));
        let found = match &self.kind {
            Kind::Thesis(thesis) => cheapest(&**thesis, from, to, progress)?,
            Kind::Builder(site, prices) => {
                let builder = Builder::new(site, *prices, road);
                // Of equally cheap ways the one that is found depends on where the search begins.
                let found = cheapest(&builder, from.min(to), from.max(to), progress)?;
                found.map(|(stops, cost)| {
                    let mut way = builder.filled(&stops);
                    if from > to {
                        way.reverse();
                    }
                    (way, cost)
                })
            }
        };
        Ok(found.map(|(way, cost)| (way.into_iter().map(|at| map.place(at)).collect(), cost)))
    }

    /// How many samples can be reached from one.
    pub fn reached(&self, from: (usize, usize), progress: &dyn Progress) -> Result<usize, Cancelled> {
        let map = self.map();
        reached(map, |at| self.is_crossed_at(at), map.index(from), progress)
    }
}

/// The cheapest way from one sample of a map to another, both included, and its cost.
///
/// A builder's steps go along 32 headings and cost, per unit of length, 1 and what the slope across the road
/// costs, and on top what the ground rises or falls more than the road may. The thesis's go to the eight
/// neighbours. No step touches a sample that is not a number or is forbidden, not with a corner either.
///
/// `None` where no way leads there. O(samples · log samples).
///
/// # Errors
/// [`WayError`].
pub fn cheapest_way(
    map: &Heightmap,
    (from, to): (usize, usize),
    search: &Search<'_>,
    road: Road,
    progress: &dyn Progress,
) -> Result<Option<(Vec<u32>, f64)>, WayError> {
    let frame = Frame { low: (0, 0), high: (map.width() as i64 - 1, map.height() as i64 - 1) };
    let terrain = Terrain::new(map, search.cost_map, search.forbidden, frame)?;
    let ground = Ground::new(&terrain, search.costs, progress)?;
    let place = |at: usize| (at % map.width(), at / map.width());
    let found = ground.way(place(from), place(to), road, progress)?;
    let index = |(x, y): (usize, usize)| (y * map.width() + x) as u32;
    Ok(found.map(|(way, cost)| (way.into_iter().map(index).collect(), cost)))
}

#[cfg(test)]
mod tests;
