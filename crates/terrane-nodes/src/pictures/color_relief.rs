//! Heights as colours.

use terrane_flow::{
    Context, Evaluate, Header, Input, Invalid, Node, NodeError, OptionalInput, OptionalOneOf, Port, Reach,
    Sizes, Source,
};
use terrane_kernels::Boundary;
use terrane_kernels::metric::{SlopeKind, extremes, slope_with_holes};
use terrane_kernels::shade::{Layer, Ramp, Stops, color_relief, draw_water, layered_relief};
use terrane_kernels::shape::in_range;

use crate::support::maps;
use crate::values::{Gradient, Map, Picture, Water};

/// Quantity that decides where a layer of colour is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum LaidBy {
    /// The terrain's height.
    Height,
    /// The terrain's slope, rise over run, of the steeper side: a crest is as steep as its sides.
    Slope,
    /// The mask at `a`.
    A,
    /// The mask at `b`.
    B,
    /// The mask at `c`.
    C,
    /// The mask at `d`.
    D,
}

/// A layer of colour: (quantity, colour, range, distance). It covers the samples where the quantity is in the
/// range, and fades out over the distance beyond either end of the range.
pub type LaidColor = (LaidBy, (u8, u8, u8), (f64, f64), f64);

/// A relief picture: colours by height, with layers by slope, height or masks, shaded by a hillshade.
///
/// The colours come from `ramp`, or from a `Gradient`. Each entry of `layers` paints a colour over the layers
/// before it. For example, `(Slope, (112, 104, 96), (0.7, 9.0), 0.2)` covers slopes from 0.7 to 9 with grey.
/// The grey fades out over 0.2 on either side of this range, so it starts at a slope of 0.5. For mountains,
/// use a layer of snow by height and a layer of rock by slope. For forest or meadows, use a mask from
/// `Select` or `Drainage`. Colours are mixed in linear light. If `range` is given, the patches of a world
/// meet: the colour of a sample then depends only on that sample and, with a layer by slope, on the adjacent
/// samples.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "shade": Hillshade(height: "hills"),
///         "relief": ColorRelief(
///             height: "hills",
///             shade: "shade",
///             layers: [
///                 (Height, (244, 246, 250), (80.0, 999.0), 15.0),
///                 (Slope, (110, 102, 94), (0.6, 9.0), 0.3),
///             ],
///         ),
///     },
///     outputs: { "relief.png": "relief" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures",
    words = "colour color texture map picture image shaded coloured paint hypsometric tint snow grass \
        rock satellite albedo",
    tiles = Global, because = "`range: None` spreads the colours from the map's \
    lowest height to its highest", version = 5, holes = Kept)]
#[output(picture: Picture, doc = "The colours.")]
pub struct ColorRelief {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// A hillshade that darkens and lightens the colours.
    #[input]
    pub shade: OptionalInput<Map>,
    /// Colours to use instead of `ramp`.
    #[input]
    pub gradient: OptionalInput<Gradient>,
    /// Water to draw on the colours, in blue that darkens with depth: its level, or a map of its depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<Water>,
    /// A mask for layers.
    #[input]
    pub a: OptionalInput<Map>,
    /// A second mask for layers.
    #[input]
    pub b: OptionalInput<Map>,
    /// A third mask for layers.
    #[input]
    pub c: OptionalInput<Map>,
    /// A fourth mask for layers.
    #[input]
    pub d: OptionalInput<Map>,
    /// The colours by height.
    #[param(default = Ramp::Earth)]
    pub ramp: Ramp,
    /// Heights of the first and the last colour. Default: the map's minimum and maximum.
    #[param(default = None, unit = "world units")]
    pub range: Option<(f64, f64)>,
    /// Layers of colour over the colours by height, bottom layer first: (quantity, colour, range, distance).
    /// A layer covers the range of its quantity, and fades out over the distance beyond either end.
    #[param(default = Vec::new())]
    pub layers: Vec<LaidColor>,
    /// Depth at which water has the darkest colour. Default: the greatest depth of the map.
    #[param(default = None, above = 0.0, unit = "world units")]
    pub deepest: Option<f64>,
    /// Strength of the hillshade.
    #[param(default = 0.8, min = 0.0, max = 1.0)]
    pub shading: f64,
}

impl Evaluate for ColorRelief {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, shade) = (self.height.get(), self.shade.get());
        let range = match self.range {
            Some((low, high)) => (low as f32, high as f32),
            None => extremes(&height).unwrap_or_default(),
        };
        let stops = stops(self.gradient.get().as_deref(), self.ramp)?;
        let light = shade.as_deref().map(|shade| (&shade.0, self.shading as f32));
        let mut picture = if self.layers.is_empty() {
            color_relief(&height, &stops, range, light)
        } else {
            layered_relief(&height, &stops, range, &self.masks(cx, &height)?, light)
        };
        if let Some(water) = self.water.get() {
            water.warn_of_walls(cx, &height);
            let deepest = self.deepest.map(|depth| depth as f32);
            draw_water(&mut picture, &water.depth(&height), deepest);
        }
        Ok((Picture(picture),))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        if let Some((low, high)) = self.range.filter(|(low, high)| low >= high) {
            let message = format!("`range` starts at {low}, which is not below its end, {high}");
            return invalid("range", message, "write range: (lowest, highest)");
        }
        for (index, (by, _, (from, to), falloff)) in self.layers.iter().enumerate() {
            if from > to {
                let message = format!(
                    "the range of layer {} starts at {from}, which is above its end, {to}",
                    index + 1
                );
                return invalid("layers", message, "write (lowest, highest)");
            }
            if *falloff < 0.0 {
                let message = format!("layer {} fades out over {falloff}, which is less than 0", index + 1);
                return invalid("layers", message, "write 0 or more");
            }
            if let Some((name, port)) = self.mask(*by)
                && matches!(port.source(), Source::Unset)
            {
                let message = format!(
                    "layer {} uses the mask `{name}`, but nothing is connected to that port",
                    index + 1
                );
                return invalid("layers", message, &format!("write {name}: \"NODE\""));
            }
        }
        Ok(())
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        let has_water = !matches!(self.water.source(), Source::Unset);
        match self.range {
            None => Reach::of(self.spec()),
            Some(_) if has_water && self.deepest.is_none() => {
                Reach::map("`deepest: None` gives the deepest water of the map the darkest colour")
            }
            Some(_) => Reach::Samples(u64::from(self.layers.iter().any(|layer| layer.0 == LaidBy::Slope))),
        }
    }

    /// Memory for a mask per layer, and for slopes, or for the depth of water.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let water = if matches!(self.water.source(), Source::Unset) { 0.0 } else { 1.0 };
        let layers = if self.layers.is_empty() { 0.0 } else { self.layers.len() as f64 + 1.0 };
        maps(sizes, f64::max(water, layers))
    }
}

impl ColorRelief {
    /// The layers with their masks.
    fn masks(&self, cx: &Context<'_>, height: &Map) -> Result<Vec<Layer>, NodeError> {
        let mut layers = Vec::with_capacity(self.layers.len());
        for (index, (by, color, (from, to), falloff)) in self.layers.iter().enumerate() {
            cx.progress(index as f64 / self.layers.len() as f64)?;
            let quantity = match self.mask(*by) {
                Some((name, port)) => {
                    let missing =
                        || NodeError::failed(format!("nothing is connected to `{name}`"), "connect a mask");
                    let mask = port.get().ok_or_else(missing)?;
                    mask.0.clone()
                }
                None if *by == LaidBy::Slope => slope_with_holes(height, SlopeKind::Steepest, Boundary::Open),
                None => height.0.clone(),
            };
            let mask = in_range(quantity, (*from as f32, *to as f32), *falloff as f32);
            layers.push(Layer { color: (*color).into(), mask });
        }
        Ok(layers)
    }

    /// The mask that decides where a layer is visible, with its port's name.
    const fn mask(&self, by: LaidBy) -> Option<(&'static str, &OptionalInput<Map>)> {
        match by {
            LaidBy::Height | LaidBy::Slope => None,
            LaidBy::A => Some(("a", &self.a)),
            LaidBy::B => Some(("b", &self.b)),
            LaidBy::C => Some(("c", &self.c)),
            LaidBy::D => Some(("d", &self.d)),
        }
    }
}

/// The colours of the gradient, or of the ramp if there is no gradient.
pub fn stops(gradient: Option<&Gradient>, ramp: Ramp) -> Result<Stops, NodeError> {
    match gradient {
        None => Ok(ramp.into()),
        Some(gradient) => gradient.stops().ok_or_else(|| {
            NodeError::failed(
                "the positions of the gradient do not increase",
                "list the stops from the lowest position to the highest",
            )
        }),
    }
}
