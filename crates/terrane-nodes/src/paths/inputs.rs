//! The ports that `SubdividePath` and `SubdivideMask` share, and the outputs derived from them.

use std::sync::Arc;

use terrane_flow::{Context, Group, Invalid, NodeError, OptionalInput, Port as _, Scalar, Source};
use terrane_grid::{Grid, Heightmap};
use terrane_paths::path::{Borders, Details, PinConflict, Pins, Subdivision, Surround, conflicting_pins};

use crate::support::Report;
use crate::values::{Map, Picture};

/// Bounds on the ground besides the slopes of paths.
#[derive(Clone, Debug, Group)]
pub struct GroundBounds {
    /// Roughness to keep. Default: that of the terrain.
    #[input]
    pub roughness: OptionalInput<Map>,
    /// Heights to fix where `pinned` is above 0.5. Default: those of the terrain.
    #[input(unit = "world units")]
    pub pins: OptionalInput<Map>,
    /// Mask of fixed heights: heights are fixed where it is above 0.5. On the patch's border, heights that
    /// `Stitched` borders fix take precedence over pins. Pins take precedence over the heights of `Shared`
    /// borders.
    #[input]
    pub pinned: OptionalInput<Map>,
    /// Existing map of a neighbour, for `Stitched` borders. The patch's border gets the neighbour's heights,
    /// and is free where the neighbour has none.
    #[input(unit = "world units", any_size)]
    pub neighbour: OptionalInput<Map>,
    /// Existing map of a second neighbour, for samples where the first neighbour has no height.
    #[input(unit = "world units", any_size)]
    pub second_neighbour: OptionalInput<Map>,
    /// Bound on the ground beside a path.
    #[param(default = Surround::Directional)]
    pub surround: Surround,
}

impl GroundBounds {
    /// Rejects connected ports that would have no effect.
    pub fn check(&self, borders: Borders) -> Result<(), Invalid> {
        let wired = |port: &OptionalInput<Map>| !matches!(port.source(), Source::Unset);
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        if wired(&self.pins) && !wired(&self.pinned) {
            let message = "`pins` is connected, but no mask says where heights are fixed".to_owned();
            return invalid(
                "pins",
                message,
                "connect a mask to `pinned`: heights are fixed where it is above 0.5",
            );
        }
        let neighbours = [("neighbour", &self.neighbour), ("second_neighbour", &self.second_neighbour)];
        match neighbours.into_iter().find(|(_, port)| wired(port)) {
            Some((field, _)) if borders != Borders::Stitched => {
                let message = format!(
                    "`{field}` has no effect: it provides heights on the border, which \
                    `borders` does not fix"
                );
                invalid(field, message, "set `borders: Stitched`")
            }
            _ => Ok(()),
        }
    }
}

/// The values at the shared ports.
pub struct SubdivisionInputs {
    pub height: Arc<Map>,
    pub max_slope: Scalar<Map>,
    pub slope_gain: Scalar<Map>,
    pub border: Scalar<Map>,
    pub beside: Option<Arc<Map>>,
    pub roughness: Option<Arc<Map>>,
    pub pins: Option<Arc<Map>>,
    pub pinned: Option<Arc<Map>>,
    pub neighbours: Vec<Arc<Map>>,
}

impl SubdivisionInputs {
    /// Reads the ports.
    pub fn new(
        height: Arc<Map>,
        [max_slope, slope_gain, border]: [Scalar<Map>; 3],
        beside: Option<Arc<Map>>,
        ground: &GroundBounds,
    ) -> Self {
        let neighbours = [&ground.neighbour, &ground.second_neighbour];
        Self {
            height,
            max_slope,
            slope_gain,
            border,
            beside,
            roughness: ground.roughness.get(),
            pins: ground.pins.get(),
            pinned: ground.pinned.get(),
            neighbours: neighbours.into_iter().filter_map(OptionalInput::get).collect(),
        }
    }
    /// The neighbours' maps.
    pub fn neighbours(&self) -> Vec<&Heightmap> {
        self.neighbours.iter().map(|map| &map.0).collect()
    }

    /// Fixed heights inside the patch; if `pins` is absent, those of the terrain.
    fn pins(&self) -> Option<Pins<'_>> {
        let mask = self.pinned.as_ref()?;
        Some(Pins { heights: self.pins.as_ref().unwrap_or(&self.height), mask })
    }

    /// The parameters that can differ from sample to sample.
    pub fn details<'a>(&'a self, neighbours: &'a [&'a Heightmap]) -> Details<'a> {
        Details {
            max_slope: map(&self.max_slope),
            slope_gain: map(&self.slope_gain),
            border: map(&self.border),
            beside: self.beside.as_ref().map(|map| &map.0),
            roughness: self.roughness.as_ref().map(|map| &map.0),
            pins: self.pins(),
            neighbours,
            ..Details::default()
        }
    }

    /// Returns the subdivision's mask and, if needed, its picture. Warns if pins conflict.
    pub fn outputs(
        &self,
        cx: &Context<'_>,
        bounds: &Subdivision,
        picture: bool,
    ) -> Result<(Map, Picture), NodeError> {
        if let Some(pins) = self.pins()
            && let Some(conflict) =
                conflicting_pins(bounds, &pins, &Report(cx)).map_err(crate::support::cancelled)?
        {
            warn(cx, &conflict, bounds);
        }
        let height = &self.height;
        let mask = height.with_grid(Grid::from_fn(height.width(), height.height(), |x, y| {
            f32::from(u8::from(bounds.slope[y * height.width() + x].is_finite()))
        }));
        let picture = if picture { draw(bounds, height) } else { Grid::filled(0, 0, [0; 3]) };
        Ok((Map(mask), Picture(picture)))
    }
}

fn map(value: &Scalar<Map>) -> Option<&Heightmap> {
    match value {
        Scalar::Constant(_) => None,
        Scalar::Map(map) => Some(map),
    }
}

/// The number at a port, or 0 if the port has a map.
pub const fn number(value: &Scalar<Map>) -> f64 {
    match value {
        Scalar::Constant(value) => *value,
        Scalar::Map(_) => 0.0,
    }
}

fn warn(cx: &Context<'_>, conflict: &PinConflict, bounds: &Subdivision) {
    let position = |at: u32| {
        let (domain, at) = (&bounds.domain, at as usize);
        (domain.x(at % domain.width()), domain.y(at / domain.width()))
    };
    let PinConflict { pins: (low, high), heights, most } = *conflict;
    cx.warn(format!(
        "pinned heights conflict: {} at {:?} and {} at {:?} differ by {}, but the slopes of the path between \
        them allow {most:.6}; pin them closer to each other in height, or allow steeper slopes",
        heights.0,
        position(low),
        heights.1,
        position(high),
        heights.1 - heights.0,
    ));
}

/// Draws the bounds in colour on a grey relief.
fn draw(bounds: &Subdivision, map: &Heightmap) -> Grid<[u8; 3]> {
    let (low, high) =
        map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
    let over = if high > low { 1.0 / (high - low) } else { 0.0 };
    let width = map.width();
    Grid::from_fn(width, map.height(), |x, y| {
        let at = y * width + x;
        let grey = 0.35 + 0.65 * (map.samples()[at] - low) * over;
        let colour: [f32; 3] = if !bounds.given[at].is_nan() {
            [70.0, 110.0, 220.0]
        } else if bounds.slope[at].is_finite() {
            [220.0, 60.0, 50.0]
        } else if bounds.directional[at].is_finite() {
            [235.0, 205.0, 70.0]
        } else if !bounds.roughness[at].is_nan() {
            [90.0, 170.0, 90.0]
        } else {
            [230.0, 230.0, 230.0]
        };
        colour.map(|channel| (channel * grey.clamp(0.0, 1.0) + 0.5) as u8)
    })
}
