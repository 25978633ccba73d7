//! Parameters of paths that vary between edges, nodes and samples.

use terrane_grid::{Domain, Heightmap};

use super::error::BadSample;
use super::pins::Pins;

/// Values for single edges, nodes and samples, which replace the common ones. Maps have the terrain's size,
/// and are read at the bound sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Details<'a> {
    /// Widths of edges, in world units, in order: one per edge, or empty.
    pub edge_widths: &'a [f64],
    /// Diameters of the circles around nodes, in world units, in order: one per node, or empty.
    pub node_widths: &'a [f64],
    /// Maximum slopes of edges without their own (g); greater than 0.
    pub max_slope: Option<&'a Heightmap>,
    /// How much steeper the ground may get across the border (γ); at least 0.
    pub slope_gain: Option<&'a Heightmap>,
    /// Widths of the connecting ground (b), in world units; at least 0.
    pub border: Option<&'a Heightmap>,
    /// Bounds along the direction away from the path, which replace those from slope, gain and border;
    /// greater than 0.
    pub beside: Option<&'a Heightmap>,
    /// The roughness to keep (r); at least 0. Default: that of the terrain.
    pub roughness: Option<&'a Heightmap>,
    /// Prescribed heights of samples. On the border, heights that
    /// [`Borders::Stitched`](super::Borders::Stitched) prescribes take precedence over pins. Pins take
    /// precedence over heights that [`Borders::Shared`](super::Borders::Shared) prescribes.
    /// [`Self::world_heights`] are already adapted to pins.
    pub pins: Option<Pins<'a>>,
    /// Finished neighbouring patches, for [`Borders::Stitched`](super::Borders::Stitched): heights on the
    /// border are prescribed where these patches have samples, and free elsewhere. Default: all heights on
    /// the border are the terrain's.
    pub neighbours: &'a [&'a Heightmap],
    /// Heights of all samples for [`Borders::Shared`](super::Borders::Shared), from a world in which they
    /// satisfy the bounds of all patches. These heights are prescribed on the border, and blended in near it.
    /// Default: heights on the border are the terrain's, brought within bounds along it.
    pub world_heights: &'a [f64],
}

impl Details<'_> {
    /// Checks that all samples of the maps are in range, and reports the first that is not.
    ///
    /// # Errors
    /// [`BadSample`].
    pub fn check(&self, domain: &Domain) -> Result<(), BadSample> {
        let check = |name, map: Option<&Heightmap>, zero: bool| {
            let fits = |value: f32| value.is_finite() && (value > 0.0 || (zero && value == 0.0));
            let wrong = map.and_then(|map| {
                let at = map.samples().iter().position(|&value| !fits(value))?;
                Some((at, map.samples()[at]))
            });
            let expected = if zero { "a number of 0 or more" } else { "a number greater than 0" };
            wrong.map_or(Ok(()), |(at, value)| Err(BadSample::new(domain, name, at, value, expected)))
        };
        check("max_slope", self.max_slope, false)?;
        check("slope_gain", self.slope_gain, true)?;
        check("border", self.border, true)?;
        check("beside", self.beside, false)?;
        check("roughness", self.roughness, true)
    }
}
