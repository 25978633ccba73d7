//! Parameters of path constraints: widths, slopes, and constraints on a patch at its border.

use terrane_grid::Domain;

use super::details::Details;
use super::error::SubdivideError;
use super::route_finder::Search;
use super::strips::Steepness;
use super::zone::Zone;

/// The constraint on the ground beside a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Surround {
    /// The slope away from the path: the nearer to the path, the flatter the ground.
    Directional,
    /// The roughness, which keeps its original value.
    Roughness,
}

/// The constraint on a patch at its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Borders {
    /// No bound.
    Free,
    /// Heights on the border are fixed. They are those of the terrain, of `neighbour`, or of the port
    /// `border` of `RelaxPath`. Ground near the border keeps its roughness.
    Stitched,
    /// Heights on the border are fixed, and both patches that share a border get the same heights. These
    /// are as close to the terrain as the slopes along the border and the heights of `PathGraph`'s
    /// `anchors` allow. The graph may extend beyond the patch.
    ///
    /// Near the border, routes are straight.
    Shared,
}

/// A point on a path with a known height.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// World x and y.
    pub place: (f64, f64),
    /// The height.
    pub height: f64,
    /// Maximum slope of the flattest path there.
    pub slope: f64,
}

/// Parameters of [`subdivide`](super::subdivide()).
#[derive(Clone, Copy, Debug)]
pub struct Subdivide<'a> {
    /// Parameters of the route search.
    pub search: Search<'a>,
    /// Width of a path, in world units.
    pub width: f64,
    /// Diameter of the circle around a node, in world units.
    pub node_width: f64,
    /// Width of the connecting ground beyond the path, in world units.
    pub border: f64,
    /// Maximum slope of paths (g), rise over run.
    pub max_slope: f64,
    /// Maximum slopes of single edges, in order: one per edge, or empty.
    pub edge_slopes: &'a [f64],
    /// How much steeper the ground may get across the border (γ).
    pub slope_gain: f64,
    /// The constraint on the ground beside the path.
    pub surround: Surround,
    /// The constraint on the patch at its border.
    pub borders: Borders,
    /// Heights of points on paths at and near the border, for [`Borders::Shared`].
    pub anchors: &'a [Anchor],
    /// Values that vary. With [`Borders::Shared`] slope, gain and border must not vary, and nothing may be
    /// wider than `width` or `node_width`.
    pub details: Details<'a>,
}

impl Default for Subdivide<'_> {
    /// The thesis's widths and slopes, which suit gentle ground.
    fn default() -> Self {
        Self {
            search: Search::default(),
            width: 8.0,
            node_width: 8.0,
            border: Zone::GENTLE.border,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: Zone::GENTLE.slope_gain,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details: Details::default(),
        }
    }
}

impl Subdivide<'_> {
    /// The maximum distance between a path and ground that it constrains, in world units.
    pub(super) fn reach(&self) -> f64 {
        self.width.max(self.node_width) / 2.0 + self.border
    }

    /// The maximum slope of a path, given its own maximum slope if it has one.
    pub(super) fn steepness(&self, own: Option<f64>) -> Steepness {
        match own {
            Some(same) => Steepness { same, mapped: false },
            None if self.details.max_slope.is_some() => Steepness { same: f64::INFINITY, mapped: true },
            None => Steepness { same: self.max_slope, mapped: false },
        }
    }

    /// The maximum slope of paths at a sample.
    pub(super) fn max_slope(&self, at: usize) -> f64 {
        self.details.max_slope.map_or(self.max_slope, |map| f64::from(map.samples()[at]))
    }

    /// How much steeper the ground may get across the border, at a sample.
    pub(super) fn slope_gain(&self, at: usize) -> f64 {
        self.details.slope_gain.map_or(self.slope_gain, |map| f64::from(map.samples()[at]))
    }

    /// The width of the border at a sample.
    pub(super) fn border(&self, at: usize) -> f64 {
        self.details.border.map_or(self.border, |map| f64::from(map.samples()[at]))
    }

    /// Checks that varying values are in range, and that neighbours can know them if borders are shared.
    pub(super) fn check(&self, domain: &Domain) -> Result<(), SubdivideError> {
        self.details.check(domain).map_err(SubdivideError::Sample)?;
        // In a world, most patches may have no pins.
        let is_alone = self.borders != Borders::Shared;
        self.details.pins.map_or(Ok(()), |pins| pins.check(domain, is_alone))?;
        if self.borders != Borders::Shared {
            return Ok(());
        }
        let Details { edge_widths, node_widths, max_slope, slope_gain, border, .. } = self.details;
        let maps = [("max_slope", max_slope), ("slope_gain", slope_gain), ("border", border)];
        if let Some((name, _)) = maps.into_iter().find(|(_, map)| map.is_some()) {
            return Err(SubdivideError::SharedMap { name });
        }
        let (found, expected) = (self.details.world_heights.len(), domain.len());
        if found != 0 && found != expected {
            return Err(SubdivideError::WorldHeights { found, expected });
        }
        let most = self.width.max(self.node_width);
        let widest = edge_widths.iter().chain(node_widths).copied().fold(0.0, f64::max);
        if widest > most { Err(SubdivideError::SharedWidth { widest, most }) } else { Ok(()) }
    }
}
