//! River networks as lines.

use terrane_flow::{
    Context, Evaluate, Input, Invalid, Node, NodeError, OptionalInput, OptionalOneOf, Port, ScalarInput,
    Sizes, Source,
};
use terrane_kernels::hydrology::{Falling, Profiles, rivers};
use terrane_kernels::metric::extremes;

use crate::support::{forecast_domain, maps, scalar};
use crate::values::{Map, Paths, Table, Water};

/// The river network as lines, with Strahler order.
///
/// A river starts where the drainage is at least `threshold` and continues all the way down. Its order is 1
/// from the source; where two rivers of the same order meet, the order increases by one. Each line is a
/// stretch of one order. It runs from where this order begins to where the river ends or joins a river of a
/// higher order. If it joins a river, the last point of the line belongs to that river. The attributes of a
/// line are `order`, `drainage` (through the line's last sample before it joins another river) and `length`
/// (in world units).
///
/// `FluvialErosion` and `Drainage` provide the drainage directions. They measure drainage in different units,
/// which also apply to `threshold`. `FluvialErosion` measures rain, of which some is lost at every step.
/// `Drainage` measures area. Where water is lost, `least_order` is the better filter for small rivers. A
/// river across the seam of a torus is two lines. `Overlay` draws the lines, and a `.geojson` file stores
/// them.
///
/// With `height`, the points of the lines have attributes too, which `CarveRivers` needs: their height `z`,
/// the `drainage` there, and whether the river is in a `lake` (1) or not (0). `z` never rises downstream. It
/// is that of the ground, and of the surface of `water` where the river crosses a lake or reaches the sea.
/// Where ground rises along the river, `z` is below it: so connect the lakes that are to stay to `water`.
/// Above the ground it is only in hollows below the next lake downstream, at the level of that lake. Steps
/// are evened out over the length `even`, except where the rock is `hard`: there, waterfalls stay. In a
/// `.geojson` file, `z` is the third coordinate of a point, and the other attributes are lists in the
/// property `along`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "water": Drainage(height: "hills"),
///         "rivers": Rivers(receivers: "water.receivers", drainage: "water", threshold: 1000.0),
///         "relief": ColorRelief(height: "hills"),
///         "map": Overlay(picture: "relief", height: "hills", paths: "rivers", thicken: "order"),
///     },
///     outputs: { "map.png": "map", "rivers.geojson": "rivers", "order.exr": "rivers.order" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "streams creeks brooks network lines water vector flow courses strahler",
    version = 3, tiles = Global, because = "rivers are traced from their \
    sources to their ends", paper = "Strahler 1957", working_maps = 4.0, holes = Kept)]
#[output(rivers: Paths, doc = "The rivers as lines, with their order, drainage and length, and with `height` \
    also their heights.")]
#[output(order: Map, doc = "Order of the river through each sample, or 0.")]
pub struct Rivers {
    /// Drainage directions, from the output `receivers` of `Drainage` or `FluvialErosion`.
    #[input]
    pub receivers: Input<Map>,
    /// Drainage through each sample.
    #[input]
    pub drainage: Input<Map>,
    /// The terrain, for the heights of points.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// Lakes and the sea, which the rivers cross or end in: their level, or a map of their depth.
    #[input(unit = "world units")]
    pub water: OptionalOneOf<Water>,
    /// How hard the rock is, from 0 to 1: where it is 1, steps of the river stay.
    #[input(default = 0.0, min = 0.0, max = 1.0)]
    pub hard: ScalarInput<Map>,
    /// Minimum drainage of a river, in the units of `drainage`: for a `Drainage`, square world units, such as
    /// 1000 samples times the square of the spacing.
    #[param(default = 3.0, above = 0.0)]
    pub threshold: f64,
    /// Minimum order of a river. Rivers of a lower order are left out of the lines and the map.
    #[param(default = 1, min = 1, max = 32)]
    pub least_order: u32,
    /// Length of a river over which its steps are evened out. Default: four samples.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub even: Option<f64>,
}

/// The length over which steps are evened out, in samples, unless it is given.
const EVEN: f64 = 4.0;

/// The greatest number of times that steps are evened out.
const MOST_EVEN: f64 = 10_000.0;

impl Evaluate for Rivers {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (receivers, drainage) = (self.receivers.get(), self.drainage.get());
        let is_direction = |code: &f32| code.is_nan() || (0.0..=8.0).contains(code) && code.fract() == 0.0;
        if let Some(other) = receivers.samples().iter().find(|code| !is_direction(code)) {
            cx.warn(format!(
                "`receivers` has {other}, which is no direction from 0 to 8 and counts as 0: connect the \
                 output `receivers` of Drainage or FluvialErosion"
            ));
        }
        let (ground, hard) = (self.height.get(), self.hard.get());
        let level = ground.as_ref().and_then(|ground| Some(self.water.get()?.level(ground)));
        // Evening out by one sample n times reaches as far as the square root of n.
        let even = self.even.map_or(EVEN, |length| length / receivers.spacing());
        let falling = ground.as_ref().map(|ground| Falling {
            ground,
            level: level.as_ref(),
            hard: scalar(&hard),
            evened: (even * even).min(MOST_EVEN) as u32,
        });
        let found = rivers(&receivers, &drainage, self.threshold as f32, falling.as_ref());
        let found = found.map_err(|circle| {
            NodeError::failed(
                format!("`receivers` form a cycle at column {}, row {}", circle.at.0, circle.at.1),
                "connect the receivers of a Drainage or a FluvialErosion node",
            )
        })?;
        if let (Some(ground), Some(profiles)) = (&ground, &found.profiles) {
            warn_of_cuts(cx, ground, profiles);
        }
        let mut rivers = found.rivers;
        rivers.retain(|river| river.order >= self.least_order);
        let column =
            |number: &dyn Fn(&terrane_kernels::hydrology::River) -> f64| rivers.iter().map(number).collect();
        let attributes = Table::new(vec![
            ("order", column(&|river| f64::from(river.order))),
            ("drainage", column(&|river| f64::from(river.drainage))),
            ("length", column(&|river| river.line.length())),
        ]);
        let points = found.profiles.map_or_else(Table::default, |profiles| {
            let samples = || rivers.iter().flat_map(|river| &river.samples).map(|at| *at as usize);
            Table::new(vec![
                ("z", samples().map(|at| f64::from(profiles.heights[at])).collect()),
                ("drainage", samples().map(|at| f64::from(drainage.samples()[at])).collect()),
                ("lake", samples().map(|at| f64::from(u8::from(profiles.is_wet[at]))).collect()),
            ])
        });
        let least = self.least_order as f32;
        let mut order = found.order;
        order.samples_mut().iter_mut().filter(|order| **order < least).for_each(|order| *order = 0.0);
        let lines = rivers.into_iter().map(|river| river.line).collect();
        Ok((Paths { points, ..Paths::new(lines, attributes) }, Map(order)))
    }

    fn check(&self) -> Result<(), Invalid> {
        let is_given = |port: &dyn Port| !matches!(port.source(), Source::Unset);
        if is_given(&self.height) {
            return Ok(());
        }
        let without = |field: &'static str, is_given: bool| {
            let help = "connect the ground to `height`, or leave it out";
            let message = format!("`{field}` has no effect without `height`");
            is_given.then(|| Invalid { field, message, help: help.to_owned() })
        };
        let hard = self.hard.number() != Some(0.0);
        let wrong = without("water", is_given(&self.water)).or_else(|| without("hard", hard));
        wrong.or_else(|| without("even", self.even.is_some())).map_or(Ok(()), Err)
    }

    /// Memory for the lines. The share of samples that drain at least an area of A samples is A to the power
    /// of -0.45 (Hack 1957). Each of these samples is a point of 16 bytes in a list that grows.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        let Some(domain) = forecast_domain(sizes) else { return 0 };
        let cells = self.threshold / (domain.spacing * domain.spacing);
        let share = libm::pow(cells.max(1.0), -0.45);
        // With heights, also for those of samples, and for the attributes of points.
        let (fixed, along) =
            if matches!(self.height.source(), Source::Unset) { (0.0, 24.0) } else { (4.0, 46.0) };
        maps(sizes, fixed + along * share)
    }
}

/// The depth of a cut of which users are warned, as a share of the range of heights.
const DEEP: f64 = 0.05;

/// Warns if a river cuts deep into ground that rises along it.
fn warn_of_cuts(cx: &Context<'_>, ground: &Map, profiles: &Profiles) {
    let relief = extremes(ground).map_or(0.0, |(low, high)| f64::from(high) - f64::from(low));
    let heights = ground.samples().iter().zip(&profiles.heights).zip(&profiles.is_wet);
    let dry = heights.enumerate().filter(|(_, ((_, river), is_wet))| !river.is_nan() && !**is_wet);
    let cuts = dry.map(|(at, ((ground, river), _))| (at, f64::from(*ground) - f64::from(*river)));
    let Some((at, deepest)) = cuts.max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
    if deepest > DEEP * relief {
        let domain = ground.domain();
        let place = (domain.x(at % domain.width()), domain.y(at / domain.width()));
        cx.warn(format!(
            "a river cuts {deepest} into ground that rises along it, most at {place:?}: connect all lakes to \
             `water`, also small ones (`least_area` and `least_depth` of Lakes), or remove hollows with \
             Depressions"
        ));
    }
}
