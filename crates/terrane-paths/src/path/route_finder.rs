//! The cheapest route over the terrain, for both cost models.

use terrane_grid::Heightmap;

use super::builder::{Builder, Prices, Road};
use super::junctions::Sector;
use super::line_samples::samples_of;
use super::point::Point;
use super::road::curve;
use super::search::{Rimmed, cheapest, reached};
use super::site::Site;
use super::straight::Frame;
use super::terrain::{BadFactor, Terrain};
use super::thesis::Thesis;
use crate::{Cancelled, Progress};

/// The cost of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Costs {
    /// A road builder's cost, in world units of level road.
    Builder(Prices),
    /// The step's L1 length d, plus d · α · |slope|^β (Velzel, section 4.1).
    Thesis {
        /// The price of slopes (α); at least 0.
        alpha: f64,
        /// The power of slopes (β); greater than 0.
        beta: f64,
    },
}

/// Parameters of a route search.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// The cost of steps.
    pub costs: Costs,
    /// Factors of the cost of steps, a map of the terrain's size; positive and finite.
    pub cost_map: Option<&'a Heightmap>,
    /// A mask of the terrain's size: no route crosses samples above 0.5 or NaN.
    pub forbidden: Option<&'a Heightmap>,
}

impl Default for Search<'_> {
    /// The cheapest road by a builder's costs.
    fn default() -> Self {
        Self { costs: Costs::Builder(Prices::default()), cost_map: None, forbidden: None }
    }
}

impl Search<'_> {
    /// A search with these costs, without a cost map or a mask.
    #[must_use]
    pub const fn by(costs: Costs) -> Self {
        Self { costs, cost_map: None, forbidden: None }
    }
}

/// Why a search fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WayError {
    /// The caller cancelled.
    Cancelled,
    /// A sample of the cost map is not a valid factor.
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

/// Columns and rows of a route's samples, and its cost.
pub type Route = (Vec<(usize, usize)>, f64);

/// An end of a way.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The sample at which the route ends.
    pub sample: (usize, usize),
    /// The point at which the way ends, at most half a sample from it.
    pub point: Point,
    /// A point from which the way leads to the end without a bend.
    pub before: Option<Point>,
}

/// An edge's way over a part of a terrain.
pub struct Way {
    /// Columns and rows of the points between which it is straight, including both ends.
    pub line: Vec<Point>,
    /// The samples nearest to it; consecutive ones are neighbours.
    pub samples: Vec<(usize, usize)>,
}

/// Finds the cheapest routes over a part of a terrain.
pub struct RouteFinder {
    kind: Kind,
}

enum Kind {
    Builder(Site, Prices),
    Thesis(Box<Thesis>),
}

impl RouteFinder {
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
            Kind::Builder(site, _) => site.map,
            Kind::Thesis(thesis) => thesis.rimmed(),
        }
    }

    /// Whether routes may cross a sample.
    pub fn is_crossed(&self, place: (usize, usize)) -> bool {
        self.is_crossed_at(self.map().index(place))
    }

    fn is_crossed_at(&self, at: usize) -> bool {
        match &self.kind {
            Kind::Builder(site, _) => site.is_crossed(at),
            Kind::Thesis(thesis) => thesis.is_crossed(at),
        }
    }

    /// The cheapest route between two samples and its cost; consecutive samples are neighbours. A builder's
    /// route is the same from both ends.
    pub fn route(
        &self,
        from: (usize, usize),
        to: (usize, usize),
        road: Road,
        progress: &dyn Progress,
    ) -> Result<Option<Route>, Cancelled> {
        let map = self.map();
        let (from, to) = (map.index(from), map.index(to));
        let found = match &self.kind {
            Kind::Thesis(thesis) => cheapest(&**thesis, from, to, progress)?,
            Kind::Builder(site, prices) => {
                let builder = Builder::new(site, *prices, road);
                // Which of several equally cheap routes is found depends on the start of the search.
                let found = cheapest(&builder, from.min(to), from.max(to), progress)?;
                found.map(|(stops, cost)| {
                    let mut route = builder.filled(&stops);
                    if from > to {
                        route.reverse();
                    }
                    (route, cost)
                })
            }
        };
        Ok(found.map(|(route, cost)| (route.into_iter().map(|at| map.position(at)).collect(), cost)))
    }

    /// The way of an edge as [`Self::way`] finds it if ground outside of sectors around its ends is dearer.
    pub fn way_through(
        &mut self,
        sectors: &[Sector],
        ends: [End; 2],
        road: Road,
        progress: &dyn Progress,
    ) -> Result<Option<Way>, Cancelled> {
        let before = match &mut self.kind {
            Kind::Builder(site, _) => site.make_dearer(sectors),
            Kind::Thesis(_) => Vec::new(),
        };
        let way = self.way(ends, road, progress);
        if let Kind::Builder(site, _) = &mut self.kind {
            site.restore(before);
        }
        way
    }

    /// The way of an edge between two ends: the cheapest route. A builder's route is bent into a curve, the
    /// same from both ends.
    pub fn way(
        &self,
        [from, to]: [End; 2],
        road: Road,
        progress: &dyn Progress,
    ) -> Result<Option<Way>, Cancelled> {
        let point = |(x, y): (usize, usize)| (x as f64, y as f64);
        let Kind::Builder(site, prices) = &self.kind else {
            let found = self.route(from.sample, to.sample, road, progress)?;
            return Ok(
                found.map(|(samples, _)| Way { line: samples.iter().copied().map(point).collect(), samples })
            );
        };
        let map = self.map();
        let is_turned = map.index(from.sample) > map.index(to.sample);
        let [first, last] = if is_turned { [to, from] } else { [from, to] };
        let builder = Builder::new(site, *prices, road);
        let ends = [first, last].map(|end| map.index(end.sample));
        let Some((stops, _)) = cheapest(&builder, ends[0], ends[1], progress)? else { return Ok(None) };
        let mut route: Vec<Point> = stops.into_iter().map(|at| point(map.position(at))).collect();
        if let [start, .., end] = &mut *route {
            (*start, *end) = (first.point, last.point);
        }
        let mut line = curve(&builder, route, [first.before, last.before], road.width, progress)?;
        let mut samples = samples_of(&line);
        if is_turned {
            line.reverse();
            samples.reverse();
        }
        Ok(Some(Way { line, samples }))
    }

    /// The builder's cost of a way; infinite if it is closed, or if no builder's costs apply.
    pub fn cost(&self, way: &Way, road: Road) -> f64 {
        let cost = match &self.kind {
            Kind::Builder(site, prices) => Builder::new(site, *prices, road).line_cost(&way.line),
            Kind::Thesis(_) => None,
        };
        cost.unwrap_or(f64::INFINITY)
    }

    /// Whether ways are curves that lie between samples.
    pub const fn bends(&self) -> bool {
        matches!(self.kind, Kind::Builder(..))
    }

    /// The number of samples that can be reached from a sample.
    pub fn reached(&self, from: (usize, usize), progress: &dyn Progress) -> Result<usize, Cancelled> {
        let map = self.map();
        reached(map, |at| self.is_crossed_at(at), map.index(from), progress)
    }
}

/// The cheapest route from one sample of a map to another, including both, and its cost.
///
/// A builder's steps follow 32 headings. Per unit of length, they cost 1 plus the price of the slope across
/// the road. The ground's rise or fall beyond the road's slope is paid in addition. The thesis's steps lead
/// to the eight neighbours. No step touches a sample that is NaN or forbidden, not even at a corner.
///
/// `None` if no route exists. O(samples · log samples).
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
    let ground = RouteFinder::new(&terrain, search.costs, progress)?;
    let place = |at: usize| (at % map.width(), at / map.width());
    let found = ground.route(place(from), place(to), road, progress)?;
    let index = |(x, y): (usize, usize)| (y * map.width() + x) as u32;
    Ok(found.map(|(route, cost)| (route.into_iter().map(index).collect(), cost)))
}

#[cfg(test)]
mod tests;
