//! Heights as colours.

use terrane_flow::{Context, Evaluate, Header, Input, Invalid, Node, NodeError, OptionalInput, Reach};
use terrane_kernels::metric::statistics;
use terrane_kernels::shade;

use crate::support::{choice, same_size};
use crate::values::{Map, Picture};

choice! {
    /// A row of colours from low to high.
    Ramp => shade::Ramp {
        /// Green lowland over ochre hills to white peaks.
        Terrain,
        /// Dark forest over grey rock to snow.
        Alpine,
        /// Sand to red rock.
        Desert,
        /// Deep blue through the shore at the middle of the range to green and white.
        Ocean,
        /// Black to white.
        Grey,
        /// Dark violet over orange to pale yellow.
        Heat,
    }
}

/// Heights as colours, shaded by a hillshade where one is given.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": MidpointDisplacement(amplitude: 120.0),
///         "shade": Hillshade(height: "hills"),
///         "relief": ColorRelief(height: "hills", shade: "shade"),
///     },
///     outputs: { "relief.png": "relief" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "pictures", tiles = Global, because = "`range: None` spreads the colours from the map's \
    lowest height to its highest")]
#[output(picture: Picture, doc = "The colours.")]
pub struct ColorRelief {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// A hillshade to darken and lighten the colours with.
    #[input]
    pub shade: OptionalInput<Map>,
    /// The colours.
    #[param(default = Ramp::Terrain)]
    pub ramp: Ramp,
    /// Heights of the first and last colour; without, the map's least and greatest.
    #[param(default = None, unit = "world units")]
    pub range: Option<(f64, f64)>,
    /// How strongly the hillshade shows.
    #[param(default = 0.8, min = 0.0, max = 1.0)]
    pub shading: f64,
}

impl Evaluate for ColorRelief {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (height, shade) = (self.height.get(), self.shade.get());
        if let Some(shade) = &shade {
            same_size("height", &height, "shade", shade)?;
        }
        let (low, high) = self.range.unwrap_or_else(|| {
            let s = statistics(&height);
            (s.min, s.max)
        });
        let stops = shade::Stops::from(shade::Ramp::from(self.ramp));
        let light = shade.as_deref().map(|shade| (&shade.0, self.shading as f32));
        Ok((Picture(shade::color_relief(&height, &stops, (low as f32, high as f32), light)),))
    }

    fn check(&self) -> Result<(), Invalid> {
        match self.range {
            Some((low, high)) if low >= high => Err(Invalid {
                field: "range",
                message: format!("`range` begins at {low}, not below its end, {high}"),
                help: "write range: (lowest, highest)".to_owned(),
            }),
            _ => Ok(()),
        }
    }

    fn reach(&self, _header: &dyn Header) -> Reach {
        if self.range.is_some() { Reach::Samples(0) } else { Reach::of(self.spec()) }
    }
}
