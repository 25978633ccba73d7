//! Floods.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};
use terrane_grid::Heightmap;
use terrane_kernels::hydrology::{FloodFrom, LakeFilling, flood, higher_level, standing_water};
use terrane_kernels::{Boundary, Progress as _};

use super::shore::maps_of;
use crate::support::{Report, cancelled};
use crate::values::{Levels, Map};

/// Floods ground up to a level, from the border of the map or from points.
///
/// The flood covers all ground below `level` that its water reaches, from each sample to its eight
/// neighbours. Hollows behind higher ground stay dry. With `points`, it comes from these points, for example
/// to fill a valley behind a dam; a level above the dam's crest lets the flood cross it. Without a `level`,
/// the hollow around each point is filled to its rim, as in `Lakes`: then the flood is the lake at that
/// point.
///
/// For water on all ground below a level, whether a flood reaches it or not, use `Level`.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "hills": Perlin(octaves: 8, wavelength: 256.0, amplitude: 150.0),
///         "sea": Flood(height: "hills", level: Some(75.0)),
///         "relief": ColorRelief(height: "hills", water: "sea"),
///     },
///     outputs: { "relief.png": "relief" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "hydrology",
    words = "sea ocean water coast shore level inundate submerge island coastline fill beach",
    tiles = Global, because = "a flood can cross the map", working_maps = 6.0,
    holes = Kept, fits(level = "Some({height 0.3})"))]
#[output(level: Levels, unit = "world units", doc = "Height of the water's surface; dry elsewhere.")]
#[output(depth: Map, unit = "world units", lazy, doc = "Depth of the water; 0 where it is dry.")]
#[output(shore: Map, unit = "world units", lazy, doc = "Distance from the nearest shore: positive on land, \
    negative in water. Without a flood, the length of the map's diagonal.")]
#[output(nearest: Map, unit = "world units", lazy, doc = "Level of the nearest water, also on land. Without \
    a flood, the height of the ground.")]
pub struct Flood {
    /// The terrain.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Height of the water's surface. Default: the rim of the hollow at each of `points`.
    #[param(default = None, unit = "world units")]
    pub level: Option<f64>,
    /// World x and y of the points from which the flood comes. Default: the border of the map.
    #[param(default = Vec::new(), unit = "world units", place)]
    pub points: Vec<(f64, f64)>,
    /// Height of the sea, to which the water of a hollow spills. Default: no sea.
    #[param(default = None, unit = "world units")]
    pub sea_level: Option<f64>,
    /// What lies beyond the map's border. Over the border of an open map, water leaves.
    #[param(default = Boundary::Open)]
    pub boundary: Boundary,
}

impl Evaluate for Flood {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let height = self.height.get();
        if self.level.is_some() && self.sea_level.is_some() {
            cx.warn("`sea_level` has no effect, since `level` is given: leave one of them out".to_owned());
        }
        let samples = self.samples(&height)?;
        let alive = || Report(cx).check();
        let level = match self.level {
            Some(level) => {
                let from = if samples.is_empty() { FloodFrom::Border } else { FloodFrom::Samples(&samples) };
                flood(&height, level as f32, from, self.boundary, &alive).map_err(cancelled)?
            }
            None => self.lakes(cx, &height, &samples)?,
        };
        for (at, point) in samples.iter().zip(&self.points) {
            if level.samples()[*at].is_nan() {
                cx.warn(self.dry(&height, *at, *point));
            }
        }
        if samples.is_empty() && level.samples().iter().all(|level| level.is_nan()) {
            cx.warn("no ground at the border of the map is below `level`, so nothing is flooded".to_owned());
        }
        if !samples.is_empty() && self.level.is_some() && self.leaves(&level) {
            cx.warn(
                "the flood from `points` reaches the border of the map, where water would leave".to_owned(),
            );
        }
        let level = Levels::new(level);
        let outputs = [Self::DEPTH, Self::SHORE, Self::NEAREST];
        let [depth, shore, nearest] = maps_of(cx, outputs, &level, &height, self.boundary)?;
        Ok((level, depth, shore, nearest))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.level.is_none() && self.points.is_empty() {
            return Err(Invalid {
                field: "level",
                message: "neither `level` nor `points` is given".to_owned(),
                help: "write level: Some(HEIGHT), or points: [(x, y)] to fill the hollows at these points"
                    .to_owned(),
            });
        }
        if self.points.is_empty() && self.boundary == Boundary::Wrap {
            return Err(Invalid {
                field: "boundary",
                message: "a map that wraps has no border from which a flood could come".to_owned(),
                help: "write points: [(x, y)], or use Level for water on all ground below a level".to_owned(),
            });
        }
        Ok(())
    }
}

impl Flood {
    /// Whether a flood reaches the border of an open map.
    fn leaves(&self, level: &Heightmap) -> bool {
        let (width, height) = level.domain().size;
        let is_wet = |column: usize, row: usize| !level[(column, row)].is_nan();
        let columns = (0..width).any(|column| is_wet(column, 0) || is_wet(column, height - 1));
        self.boundary == Boundary::Open
            && (columns || (0..height).any(|row| is_wet(0, row) || is_wet(width - 1, row)))
    }

    /// The indices of the samples nearest to the points.
    fn samples(&self, height: &Heightmap) -> Result<Vec<usize>, NodeError> {
        let domain = height.domain();
        let at = |&(x, y): &(f64, f64)| {
            let outside = || {
                let (last_x, last_y) =
                    (domain.x(domain.width().max(1) - 1), domain.y(domain.height().max(1) - 1));
                let message = format!("the point ({x}, {y}) of `points` lies outside the map");
                let help = format!(
                    "write x from {} to {last_x} and y from {} to {last_y}",
                    domain.origin.0, domain.origin.1
                );
                NodeError::failed(message, help)
            };
            let (column, row) = domain.nearest((x, y)).ok_or_else(outside)?;
            Ok(row * domain.width() + column)
        };
        self.points.iter().map(at).collect()
    }

    /// The lakes at the points, full.
    fn lakes(&self, cx: &Context<'_>, height: &Map, samples: &[usize]) -> Result<Heightmap, NodeError> {
        let filling = LakeFilling {
            sea_level: self.sea_level.map(|level| level as f32),
            boundary: self.boundary,
            ..LakeFilling::default()
        };
        let all = standing_water(height, None, &filling, &Report(cx)).map_err(cancelled)?.level;
        let alive = || Report(cx).check();
        let mut levels: Option<Heightmap> = None;
        let mut sorted: Vec<(f32, usize)> = samples.iter().map(|at| (all.samples()[*at], *at)).collect();
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        // Lakes of one level are flooded together. Where it is dry, the level is not a number.
        for group in sorted.chunk_by(|a, b| a.0 == b.0) {
            let from: Vec<usize> = group.iter().map(|(_, at)| *at).collect();
            let lake = flood(height, group[0].0, FloodFrom::Samples(&from), self.boundary, &alive);
            let lake = lake.map_err(cancelled)?;
            levels = Some(levels.map_or(lake.clone(), |levels| higher_level(&levels, &lake)));
        }
        Ok(levels.unwrap_or(all))
    }

    /// The warning about a point that stays dry.
    fn dry(&self, height: &Heightmap, at: usize, (x, y): (f64, f64)) -> String {
        let ground = height.samples()[at];
        match self.level {
            Some(level) if ground.is_nan() => {
                format!(
                    "the point ({x}, {y}) lies in a hole of the ground, so no flood of {level} begins there"
                )
            }
            Some(level) => format!(
                "the ground at the point ({x}, {y}) has the height {ground}, which is not below `level`, \
                 {level}: it stays dry"
            ),
            None => format!("the point ({x}, {y}) lies in no hollow, so it stays dry"),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Run;
    use crate::values::{Levels, Map};

    const NODES: &str = r#""h": Perlin(octaves: 5, wavelength: 60.0, amplitude: 20.0),"#;

    #[test]
    fn a_flood_without_a_level_is_the_lake_at_the_point() {
        let nodes = format!(
            r#"{NODES} "lakes": Lakes(height: "h", least_area: 0.0, least_depth: 0.0),
            "flood": Flood(height: "h", points: [(40.0, 30.0), (4.0, 50.0)])"#
        );
        let run = Run::of_nodes(&nodes, r#""l.tif": "lakes", "f.tif": "flood", "h.tif": "h""#).unwrap();
        let (lakes, flood, ground) = (run.value::<Levels>(0), run.value::<Levels>(1), run.value::<Map>(2));
        let at = |x: f64, y: f64| ground.domain().nearest((x, y)).unwrap();
        let wanted = [(40.0, 30.0), (4.0, 50.0)].map(|(x, y)| lakes[at(x, y)]);
        for (lake, flood) in lakes.samples().iter().zip(flood.samples()) {
            assert!(flood.is_nan() || flood == lake && wanted.contains(flood));
        }
        assert!(wanted.iter().all(|level| level.is_nan() || flood.samples().contains(level)));
    }

    #[test]
    fn mistakes_and_what_stays_dry_are_named() {
        let wrong = |fields: &str| {
            let nodes = format!(r#"{NODES} "f": Flood(height: "h"{fields})"#);
            Run::of_nodes(&nodes, r#""f.tif": "f""#).err().unwrap().to_string()
        };
        assert!(wrong("").contains("neither `level` nor `points` is given"));
        assert!(wrong(", level: Some(3.0), boundary: Wrap").contains("no border from which"));
        let run = |fields: &str| {
            let nodes = format!(r#"{NODES} "f": Flood(height: "h"{fields})"#);
            Run::of_nodes(&nodes, r#""f.tif": "f""#).unwrap()
        };
        let outside = run(", level: Some(3.0), points: [(1e5, 0.0)]").failure();
        assert!(outside.contains("the point (100000, 0) of `points` lies outside the map"), "{outside}");
        let dry = run(", level: Some(-3.0), points: [(0.0, 10.0)]").warnings();
        assert!(dry.contains("is not below `level`, -3: it stays dry"), "{dry}");
        let both = run(", level: Some(9.0), sea_level: Some(1.0)").warnings();
        assert!(both.contains("`sea_level` has no effect"), "{both}");
        let dry = run(", level: Some(-3.0)").warnings();
        assert!(dry.contains("nothing is flooded"), "{dry}");
    }
}
