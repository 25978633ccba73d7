//! Lakes: water that stands in hollows.

use terrane_flow::{Context, Evaluate, Input, Node, NodeError, OptionalScalarInput, Scalar};
use terrane_kernels::Boundary;
use terrane_kernels::hydrology::{Lake, LakeFilling, StandingWater, standing_water};
use terrane_kernels::metric::extremes;

use super::shore::maps_of;
use crate::support::{Report, cancelled, scalar};
use crate::values::{Levels, Map, Table};

/// Lakes: fills the hollows of a terrain with water, up to their rims or with the water of a rain.
///
/// `level` is the surface of the water. It is the same all over a lake, and there is none where it is dry.
/// Connect it to `water` of `Render`, `ColorRelief`, `Overlay` or `Mesh`, or to `Water` for maps of it.
/// Unlike a depth, a level stays where it is when other nodes change the ground: ground that is raised above
/// it is dry. Ground that is lowered beside a lake is not flooded by itself: put `Lakes` after such nodes.
/// Nodes that draw water say where it stands above dry ground.
///
/// Without `rain`, all lakes are full: each is as high as the lowest way out over its rim, as in `Drainage`
/// and `Depressions`. Water leaves the map at the samples of its border, and beside holes. With `rain`, this
/// depth of water falls on the ground, runs off down the steepest slopes, and fills hollows from below. What
/// a full lake no longer holds spills over its rim into the next one. Lakes that are full up to the rim
/// between them become one, which rises on (Barnes, Callaghan & Wickert 2021). Water neither seeps away nor
/// evaporates, so a year's rain fills most lakes; to leave part of them dry, give the depth that is left of
/// it. The sum of all volumes is that of the rain that has not left the map, except for the rounding of
/// levels to single precision. Holes of a map of rain have no rain.
///
/// Noise has many hollows, most of them small. `least_area` and `least_depth` leave them dry. Rivers that cut
/// through their rims, as of `FluvialErosion` with `drain`, leave no hollows for lakes: fill the ground with
/// lakes first, or dig the hollows of lakes after it.
///
/// `shore` is positive on land and negative in water, so that beaches, banks and beds of lakes follow from it
/// by `Curve` and `Blend`, and their colours by a layer of `ColorRelief`. It is measured to the line where
/// the ground has the level of the water, between samples. `nearest` is the level of the lake to which this
/// shore belongs, which the form of a beach needs: its height is the level and the slope times the distance.
///
/// All ground below `sea_level` is sea, also hollows that no sea reaches.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "lakes": Lakes(height: "hills", least_area: 2000.0),
///         "relief": ColorRelief(height: "hills", water: "lakes"),
///     },
///     outputs: { "relief.png": "relief", "lakes.csv": "lakes.lakes" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "lake water pond pool fill tarn reservoir inland standing",
    tiles = Global, because = "a lake can cover the map, and its water comes from \
    all around it", paper = "Barnes, Callaghan & Wickert 2021", version = 2, working_maps = 6.0, holes = Own)]
#[output(level: Levels, unit = "world units", doc = "Height of the water's surface; dry elsewhere.")]
#[output(depth: Map, unit = "world units", lazy, doc = "Depth of the water; 0 where it is dry.")]
#[output(shore: Map, unit = "world units", lazy, doc = "Distance from the nearest shore: positive on land, \
    negative in water. Without a lake, the length of the map's diagonal.")]
#[output(nearest: Map, unit = "world units", lazy, doc = "Level of the nearest lake, also on land. Without a \
    lake, the height of the ground.")]
#[output(lakes: Table, doc = "A row per lake: the place of its deepest sample (`x`, `y`), its `level`, its \
    greatest `depth`, the `area` and the `volume` of the water, the place where it spills or would spill \
    (`outlet_x`, `outlet_y`), whether it is `full` (1) or not (0), the area from which water comes to it \
    (`catchment`), the volumes of rain that came to it (`inflow`) and spilled (`overflow`; both are 0 \
    without `rain`), and the row of the next lake on the way of what spills (`into`, from 1; 0 if it \
    reaches the sea, leaves the map or ends in water that is not listed). Areas and \
    volumes are in square and cubic world units.")]
pub struct Lakes {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Depth of the rain that falls on each sample. Default: as much as it takes to fill all lakes.
    #[input(min = 0.0, unit = "world units")]
    pub rain: OptionalScalarInput<Map>,
    /// Area below which a lake counts as dry. Default: a 2500th of the map's area.
    #[param(default = None, min = 0.0, unit = "square world units")]
    pub least_area: Option<f64>,
    /// Depth of a lake at its deepest sample below which it counts as dry. Default: a 400th of the map's
    /// range of heights.
    #[param(default = None, min = 0.0, unit = "world units")]
    pub least_depth: Option<f64>,
    /// Height of the sea, where all water ends. The sea is no lake. Default: no sea.
    #[param(default = None, unit = "world units")]
    pub sea_level: Option<f64>,
    /// What lies beyond the map's border. Over the border of an open map, water leaves.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

/// The area of the smallest lake, as a share of the map, unless it is given. The same lakes thus stay on a
/// map of the same ground with fewer samples.
const LEAST_SHARE: f64 = 1.0 / 2500.0;

/// The depth of the shallowest lake, as a share of the range of heights, unless it is given.
const LEAST_DEPTH: f64 = 1.0 / 400.0;

impl Evaluate for Lakes {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        let (across, down) = height.domain().extent();
        let relief = extremes(&height).map_or(0.0, |(low, high)| f64::from(high) - f64::from(low));
        let filling = LakeFilling {
            sea_level: self.sea_level.map(|level| level as f32),
            boundary: self.boundary,
            least_area: self.least_area.unwrap_or(LEAST_SHARE * across * down),
            least_depth: self.least_depth.unwrap_or(LEAST_DEPTH * relief) as f32,
        };
        let rain = self.rain.get();
        if let Some(Scalar::Map(rain)) = &rain {
            let negative = rain.samples().iter().filter(|rain| **rain < 0.0).count();
            if negative > 0 {
                cx.warn(format!("`rain` is below 0 at {negative} samples, which count as dry"));
            }
        }
        let given = rain.as_ref().map(scalar);
        let water = standing_water(&height, given, &filling, &Report(cx)).map_err(cancelled)?;
        if water.lakes.is_empty() {
            cx.warn(self.none_found(rain.is_some(), &filling));
        }
        let lakes = table(&water, &height);
        let level = Levels::new(water.level);
        let outputs = [Self::DEPTH, Self::SHORE, Self::NEAREST];
        let [depth, shore, nearest] = maps_of(cx, outputs, &level, &height, self.boundary)?;
        Ok((level, depth, shore, nearest, lakes))
    }
}

impl Lakes {
    /// The warning if there is no lake.
    fn none_found(&self, is_rained: bool, filling: &LakeFilling) -> String {
        let rain = if is_rained { ", or no rain comes to them" } else { "" };
        format!(
            "there is no lake: the ground has no hollow of an area of {} and a depth of {}{rain}; lower \
             `least_area` and `least_depth` to see smaller ones",
            filling.least_area, filling.least_depth
        )
    }
}

/// A row per lake.
fn table(water: &StandingWater, height: &Map) -> Table {
    let (domain, lakes) = (height.domain(), &water.lakes);
    let width = domain.width();
    let sample = domain.spacing * domain.spacing;
    let x = |at: u32| domain.x(at as usize % width);
    let y = |at: u32| domain.y(at as usize / width);
    let depth = |lake: &Lake| f64::from(lake.level) - f64::from(height.samples()[lake.bottom as usize]);
    let column = |number: &dyn Fn(&Lake) -> f64| lakes.iter().map(number).collect();
    Table::new(vec![
        ("x", column(&|lake| x(lake.bottom))),
        ("y", column(&|lake| y(lake.bottom))),
        ("level", column(&|lake| f64::from(lake.level))),
        ("depth", column(&depth)),
        ("area", column(&|lake| lake.samples as f64 * sample)),
        ("volume", column(&|lake| lake.volume)),
        ("outlet_x", column(&|lake| x(lake.outlet))),
        ("outlet_y", column(&|lake| y(lake.outlet))),
        ("full", column(&|lake| f64::from(u8::from(lake.is_full)))),
        ("catchment", column(&|lake| lake.catchment)),
        ("inflow", column(&|lake| lake.inflow)),
        ("overflow", column(&|lake| lake.overflow)),
        ("into", column(&|lake| lake.into.map_or(0.0, |into| f64::from(into) + 1.0))),
    ])
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;
    use crate::values::{Levels, Map, Table};

    const NODES: &str = r#"
        "h": Perlin(octaves: 5, wavelength: 60.0, amplitude: 20.0),
        "full": Lakes(height: "h", least_area: 0.0, least_depth: 0.0),
        "rained": Lakes(height: "h", rain: 0.5, least_area: 0.0, least_depth: 0.0),
        "large": Lakes(height: "h", least_area: 40.0, least_depth: 0.5),
        "filled": Depressions(height: "h", method: Fill),
    "#;

    #[test]
    fn full_lakes_fill_all_hollows() {
        let outputs = r#""h.tif": "h", "l.tif": "full", "d.tif": "full.depth", "f.tif": "filled""#;
        let run = Run::of_nodes(NODES, outputs).unwrap();
        let [ground, depth, filled] = [0, 2, 3].map(|index| run.value::<Map>(index));
        let level = run.value::<Levels>(1);
        for at in 0..ground.samples().len() {
            let [ground, depth, filled, level] =
                [ground.samples(), depth.samples(), filled.samples(), level.samples()].map(|of| of[at]);
            let own = if level.is_nan() { ground } else { level };
            assert_eq!((own, depth), (filled, if level.is_nan() { 0.0 } else { level - ground }));
        }
    }

    #[test]
    fn volumes_balance_and_lakes_are_listed_with_their_places() {
        let outputs = r#""r.csv": "rained.lakes", "l.csv": "large.lakes", "d.tif": "rained.depth", "s.tif":
            "rained.shore", "h.tif": "h""#;
        let run = Run::of_nodes(NODES, outputs).unwrap();
        let (rained, large) = (run.value::<Table>(0), run.value::<Table>(1));
        let [depth, shore, ground] = [2, 3, 4].map(|index| run.value::<Map>(index));
        let sum = |name: &str| rained.column(name).unwrap().iter().sum::<f64>();
        let water: f64 = depth.samples().iter().map(|depth| 4.0 * f64::from(*depth)).sum();
        assert!((sum("volume") - water).abs() < 1e-4 * water);
        // What spills into a lake has come to it.
        let held: f64 = sum("inflow") - sum("overflow");
        assert!((held - sum("volume")).abs() < 1e-4 * held, "{held} {}", sum("volume"));
        assert!(rained.column("into").unwrap().iter().any(|into| *into > 0.0));
        let column = |name: &str| rained.column(name).unwrap();
        for row in 0..rained.rows() {
            let at = |x: &str, y: &str| ground.domain().nearest((column(x)[row], column(y)[row])).unwrap();
            let bottom = f64::from(ground[at("x", "y")]);
            assert_eq!(column("depth")[row], column("level")[row] - bottom);
            let is_full = f64::from(ground[at("outlet_x", "outlet_y")]) == column("level")[row];
            assert_eq!(column("full")[row], f64::from(u8::from(is_full)));
        }
        let least = |name: &str| large.column(name).unwrap().iter().copied().fold(f64::MAX, f64::min);
        assert!(large.rows() > 0 && least("area") >= 40.0 && least("depth") >= 0.5);
        for (shore, depth) in shore.samples().iter().zip(depth.samples()) {
            assert!((*shore < 0.0) == (*depth > 0.0) || shore.abs() < 1e-3, "{shore} {depth}");
        }
    }
}
