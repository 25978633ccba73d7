//! Constraints of routes on the samples around them.

use std::collections::BTreeMap;

use terrane_grid::{Domain, Shape};

use super::parameters::Subdivide;
use super::routes::Routes;
use super::straight::Place;
use super::strips::{Lines, Steepness, Strips};
use crate::{Cancelled, Progress};

/// The bound on a sample's slopes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bound {
    /// No bound.
    None,
    /// The sample is on a path or at a node.
    Path {
        /// Maximum slope in any direction.
        slope: f64,
    },
    /// The sample is beside a path or node.
    Beside {
        /// Maximum slope away from the path.
        slope: f64,
        /// The unit vector away from the path.
        direction: [f64; 2],
    },
}

impl Bound {
    /// The maximum slope, infinite without a bound.
    pub const fn slope(self) -> f64 {
        match self {
            Self::None => f64::INFINITY,
            Self::Path { slope } | Self::Beside { slope, .. } => slope,
        }
    }
}

/// The strips of routes and nodes on and around a patch, and their constraints on each sample there.
pub struct Surroundings<'a> {
    pub parameters: &'a Subdivide<'a>,
    pub domain: Domain,
    /// The patch with its surroundings.
    wide: Shape,
    /// Samples of the frame on each side of the patch. 0 if a parameter is a map, so that a sample has the
    /// same index in the map and in the frame.
    beyond: usize,
    widest: f64,
    strips: Strips,
}

impl<'a> Surroundings<'a> {
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn new(
        domain: Domain,
        routes: &Routes,
        parameters: &'a Subdivide<'a>,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let (beyond, details) = (routes.beyond, &parameters.details);
        let wide = Self::frame(&domain, beyond);
        let on_wide = |&(x, y): &Place| wide.inside((beyond, beyond), (x as isize, y as isize));
        let half = |own: Option<&f64>, all: f64| own.copied().unwrap_or(all) / 2.0;
        let mut flattest: BTreeMap<usize, Option<Steepness>> =
            routes.stations.iter().filter_map(on_wide).map(|at| (at, None)).collect();
        let mut lines = Lines::default();
        for (edge, path) in routes.paths.iter().enumerate() {
            let steepness = parameters.steepness(parameters.edge_slopes.get(edge).copied());
            for at in path.iter().filter_map(on_wide) {
                if let Some(known) = flattest.get_mut(&at) {
                    *known = Some(known.map_or(steepness, |known| known.both(steepness)));
                }
            }
            let half = half(details.edge_widths.get(edge), parameters.width);
            lines.add(steepness, half, path.iter().filter_map(on_wide));
        }
        for (node, station) in routes.stations.iter().enumerate() {
            let Some(at) = on_wide(station) else { continue };
            // A node without edges has the common slope.
            let steepness = flattest[&at].unwrap_or_else(|| parameters.steepness(None));
            let half = half(details.node_widths.get(node), parameters.node_width);
            lines.add(steepness, half, std::iter::once(at));
        }
        Self::of(domain, beyond, &lines, parameters, progress)
    }

    /// The surroundings for lines in the frame of a patch with `beyond` samples on each side.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn of(
        domain: Domain,
        beyond: usize,
        lines: &Lines,
        parameters: &'a Subdivide<'a>,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let wide = Self::frame(&domain, beyond);
        let border = parameters.details.border;
        let widest = border.map_or(parameters.border, |map| {
            map.samples().iter().fold(0.0, |most, &width| f64::from(width).max(most))
        });
        let slope = |at: usize| parameters.max_slope(at);
        let strips = Strips::new(wide, &domain, lines, widest, slope, progress)?;
        Ok(Self { parameters, domain, wide, beyond, widest, strips })
    }

    /// The maximum width of the border, in world units.
    pub const fn widest_border(&self) -> f64 {
        self.widest
    }

    const fn frame(domain: &Domain, beyond: usize) -> Shape {
        Shape { width: domain.width() + 2 * beyond, height: domain.height() + 2 * beyond, wrap: false }
    }

    /// The bound of a sample on the patch or at most `beyond` samples from it.
    pub fn bound(&self, (x, y): Place) -> Bound {
        let beyond = self.beyond as i64;
        let here = (y + beyond) as usize * self.wide.width + (x + beyond) as usize;
        let slope = self.strips.inside[here];
        if slope.is_finite() {
            return Bound::Path { slope };
        }
        let (beside, border) = (self.strips.beside[here], self.parameters.border(here));
        if beside.distance > border {
            return Bound::None;
        }
        let ((x, y), (u, v)) = (self.wide.position(here), self.wide.position(beside.nearest as usize));
        let (dx, dy) = (x as f64 - u as f64, y as f64 - v as f64);
        let length = (dx * dx + dy * dy).sqrt();
        let gain = || self.parameters.slope_gain(here) * (beside.distance / border).sqrt();
        let own = self.parameters.details.beside.map(|map| f64::from(map.samples()[here]));
        let slope = own.unwrap_or_else(|| beside.slope + gain());
        Bound::Beside { slope, direction: [dx / length, dy / length] }
    }
}
