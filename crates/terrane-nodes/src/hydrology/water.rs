//! Water as maps.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError, OptionalOneOf, Port, Source};
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::{depth_of_level, higher_level, level_over};

use crate::values::{Levels, Map, Water as WaterValue};

/// Water over a terrain, in every form: its level, its depth, a mask, and the surface that it makes.
///
/// It takes water as a level, such as that of `Lakes`, or as a depth, such as that of `FluvialErosion`; two
/// of them and a sea are joined. Where they overlap, the higher one counts. Ground above the water is dry, so
/// after the ground was changed, this node says what of a lake is left. `surface` is the map that roads and
/// other nodes take for ground and water in one.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "lakes": Lakes(height: "hills", sea_level: Some(50.0)),
///         "water": Water(height: "hills", water: "lakes", sea: Some(50.0)),
///         "relief": ColorRelief(height: "hills", water: "water"),
///     },
///     outputs: { "relief.png": "relief", "water.png": "water.mask" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "depth surface lake sea river wet mask shore shoreline coast underwater",
    tiles = Pointwise, working_maps = 2.0, holes = Kept)]
#[output(level: Levels, unit = "world units", doc = "Height of the water's surface; dry elsewhere.")]
#[output(depth: Map, unit = "world units", lazy, doc = "Depth of the water; 0 where it is dry.")]
#[output(mask: Map, lazy, doc = "1 where there is water, 0 elsewhere.")]
#[output(surface: Map, unit = "world units", lazy, doc = "Height of the water where there is some, and of \
    the ground elsewhere.")]
pub struct Water {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Water: its level, or a map of its depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<WaterValue>,
    /// More water.
    #[input(unit = "world units")]
    pub more: OptionalOneOf<WaterValue>,
    /// Level of a sea, which covers all ground below it. Default: no sea.
    #[param(default = None, unit = "world units")]
    pub sea: Option<f64>,
}

impl Evaluate for Water {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let ground = self.height.get();
        let sea = self.sea.map(|level| Heightmap::constant(ground.domain(), level as f32));
        for water in [&self.water, &self.more].into_iter().filter_map(OptionalOneOf::get) {
            water.warn_of_walls(cx, &ground);
        }
        let given = [&self.water, &self.more].map(|port| port.get().map(|water| water.level(&ground)));
        let all = given.into_iter().chain([sea.map(|sea| level_over(&sea, &ground))]).flatten();
        let dry = || Heightmap::constant(ground.domain(), f32::NAN);
        let level = all.reduce(|one, other| higher_level(&one, &other)).unwrap_or_else(dry);
        let unread = || Heightmap::constant(ground.domain(), 0.0);
        let (depth, mask, surface) = (cx.asked(Self::DEPTH), cx.asked(Self::MASK), cx.asked(Self::SURFACE));
        let depth = if depth || mask { depth_of_level(&level, &ground) } else { unread() };
        let mask = if mask {
            depth.with_grid(depth.grid().map(|depth| f32::from(u8::from(*depth > 0.0))))
        } else {
            unread()
        };
        let surface = if surface { higher_level(&ground, &level) } else { unread() };
        Ok((Levels::new(level), Map(depth), Map(mask), Map(surface)))
    }

    fn check(&self) -> Result<(), Invalid> {
        let is_given = |port: &dyn Port| !matches!(port.source(), Source::Unset);
        if is_given(&self.water) || is_given(&self.more) || self.sea.is_some() {
            return Ok(());
        }
        Err(Invalid {
            field: "water",
            message: "no water is given".to_owned(),
            help: "write water: \"NODE\" with a level or a depth, or sea: Some(HEIGHT)".to_owned(),
        })
    }
}
