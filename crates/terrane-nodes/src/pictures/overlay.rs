//! Water, areas and lines on a picture.

use terrane_flow::{
    Context, Evaluate, Header, Input, Node, NodeError, OptionalInput, OptionalOneOf, Port, Reach, Source,
};
use terrane_grid::{Domain, Grid, Heightmap};
use terrane_kernels::shade::{draw_line, draw_water, veil};

use crate::reaches::DRAWN;
use crate::support::{domain, graph_size};
use crate::values::{Map, Paths, Picture, Water};

/// Draws water, areas and lines on a picture.
///
/// The connected inputs are drawn in this order: `water`, in blue that darkens with depth; `mask`, as a layer
/// of `color` that is transparent where the mask is 0; `paths`, as lines. Chain several nodes to draw in
/// several colours.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0, offset: -55.0),
///         "rivers": FluvialErosion(height: "hills", gradient_strength: 0.02, iterations: 50),
///         "lines": Rivers(
///             receivers: "rivers.receivers",
///             drainage: "rivers.drainage",
///             threshold: 3.0,
///             least_order: 3,
///         ),
///         "relief": ColorRelief(height: "rivers"),
///         "map": Overlay(
///             picture: "relief",
///             height: "rivers",
///             water: "rivers.water",
///             paths: "lines",
///             thicken: "order",
///             width: 0.4,
///         ),
///     },
///     outputs: { "map.png": "map" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "draw paint water lines roads rivers on picture lakes annotate layer compose",
    version = 2, tiles = Pointwise, header, holes = Kept)]
#[output(picture: Picture, doc = "The picture with the water, areas and lines.")]
pub struct Overlay {
    /// Picture to draw on.
    #[input]
    pub picture: Input<Picture>,
    /// The terrain of the picture. Its position and size are used to place `paths`, and its heights to find
    /// the depth of water with a level. Default: the graph's position and size.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// Water: its level, which needs `height`, or a map of its depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<Water>,
    /// Mask of the area to tint with `color`.
    #[input]
    pub mask: OptionalInput<Map>,
    /// Lines.
    #[input]
    pub paths: OptionalInput<Paths>,
    /// Colour of the mask's area and of the lines: red, green, blue.
    #[param(default = (38, 84, 150), unit = "sRGB")]
    pub color: (u8, u8, u8),
    /// Opacity of the mask's area, from 0 to 1.
    #[param(default = 0.6, min = 0.0, max = 1.0)]
    pub opacity: f64,
    /// Width of a line.
    #[param(default = 1.0, above = 0.0, max = 64.0, unit = "samples")]
    pub width: f64,
    /// Depth at which water has the darkest colour. Default: the greatest depth of the map.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub deepest: Option<f64>,
    /// Attribute of the lines, such as `order`, that multiplies their width.
    #[param(default = None)]
    pub thicken: Option<String>,
}

impl Evaluate for Overlay {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut picture = self.picture.get().0.clone();
        let place = self.height.get().map_or_else(|| domain(cx), |height| height.domain());
        graph_size(&place, "picture", picture.size())?;
        if let Some(water) = self.water.get() {
            let depth = depth(&water, self.height.get().as_deref())?;
            draw_water(&mut picture, &depth, self.deepest.map(|depth| depth as f32));
        }
        let colour = <[u8; 3]>::from(self.color);
        if let Some(mask) = self.mask.get() {
            let opacity = self.opacity as f32;
            veil(&mut picture, &mask, |value| (colour, opacity * value.clamp(0.0, 1.0)));
        }
        if let Some(paths) = self.paths.get() {
            self.draw(&mut picture, &place, &paths, colour)?;
        }
        Ok((Picture(picture),))
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        let is_given = |port: &dyn Port| !matches!(port.source(), Source::Unset);
        if is_given(&self.paths) {
            Reach::map(DRAWN)
        } else if is_given(&self.water) && self.deepest.is_none() {
            Reach::map("`deepest: None` gives the deepest water of the map the darkest colour")
        } else {
            Reach::Samples(0)
        }
    }
}

impl Overlay {
    fn draw(
        &self,
        picture: &mut Grid<[u8; 3]>,
        place: &Domain,
        paths: &Paths,
        colour: [u8; 3],
    ) -> Result<(), NodeError> {
        let factors = match &self.thicken {
            None => None,
            Some(name) => Some(paths.attributes.column(name).ok_or_else(|| {
                let names: Vec<&str> =
                    paths.attributes.columns().iter().map(|(name, _)| name.as_str()).collect();
                NodeError::failed(
                    format!("the lines have no attribute `{name}`, which `thicken` names"),
                    terrane_flow::suggest::help(name, &names, "their attributes are"),
                )
            })?),
        };
        for (index, line) in paths.lines.iter().enumerate() {
            let factor = factors.map_or(1.0, |factors| factors[index]);
            let width = (self.width * factor).clamp(0.0, 256.0);
            draw_line(picture, place, line, colour, width as f32);
        }
        Ok(())
    }
}

/// The depth of water over the ground.
fn depth(water: &Water, ground: Option<&Map>) -> Result<Heightmap, NodeError> {
    match (water, ground) {
        (Water::Depth(depth), _) => Ok(depth.0.clone()),
        (Water::Level(_), Some(ground)) => Ok(water.depth(ground)),
        (Water::Level(_), None) => {
            let help = "write height: \"NODE\" with the ground below the water";
            Err(NodeError::failed("`water` is a level, whose depth needs the ground at `height`", help))
        }
    }
}
