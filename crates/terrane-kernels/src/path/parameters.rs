//! What the ground beside paths is asked for: widths, slopes, and what binds a patch at its border.

use terrane_grid::Domain;

use super::details::Details;
use super::error::SubdivideError;
use super::ground::Search;
use super::strips::Steepness;

/// What binds the ground beside a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surround {
    /// Its slope away from the path.
    Directional,
    /// Its roughness, which stays what it was.
    Roughness,
}

/// What binds a patch at its border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Borders {
    /// Nothing.
    Free,
    /// Heights there are given; the ground within the width of a path's border keeps its roughness.
    Stitched,
    /// Heights there are given, those that neighbouring patches find as well: the terrain's, brought within
    /// bounds along the border. Near it ways are straight, and the graph may reach beyond the patch.
    Shared,
}

/// A place of paths whose height is known.
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
    /// What ways are looked for by.
    pub search: Search<'a>,
    /// Width of a path, in world units.
    pub width: f64,
    /// Diameter of the place around a node, in world units.
    pub node_width: f64,
    /// Width of the ground that connects, beyond the path, in world units.
    pub border: f64,
    /// Maximum slope of paths (g), rise over run.
    pub max_slope: f64,
    /// The same for single edges, in their order, where there are as many.
    pub edge_slopes: &'a [f64],
    /// How much steeper the ground may get across the border (γ).
    pub slope_gain: f64,
    /// What binds the ground beside the path.
    pub surround: Surround,
    /// What binds the patch at its border.
    pub borders: Borders,
    /// Heights of places on paths at and near the border, for [`Borders::Shared`].
    pub anchors: &'a [Anchor],
    /// What differs from place to place. With [`Borders::Shared`] no slope, gain or border does, and nothing
    /// is wider than `width` or `node_width`.
    pub details: Details<'a>,
}

impl Subdivide<'_> {
    /// How far from a way ground is bound, in world units.
    pub(super) fn reach(&self) -> f64 {
        self.width.max(self.node_width) / 2.0 + self.border
    }

    /// How steep a path may be, by a maximum slope of its own where it has one.
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

    /// Whether what differs from place to place is in range, and neighbours can know it where borders are
    /// shared.
    pub(super) fn check(&self, domain: &Domain) -> Result<(), SubdivideError> {
        self.details.check(domain).map_err(SubdivideError::Sample)?;
        // Of a world's patches most may be without a pin.
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
