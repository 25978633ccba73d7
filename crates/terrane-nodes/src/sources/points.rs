//! Points from parameters or from a file.

use std::collections::BTreeMap;

use terrane_flow::{Context, Evaluate, FilePath, Invalid, Node, NodeError, OptionalInput};
use terrane_grid::{Domain, Heightmap};
use terrane_io::{Problem, read_points_from};
use terrane_kernels::shape::{Filter, resample};

use crate::opening::opener;
use crate::outside::warn_of_points;
use crate::place::lonlat;
use crate::support::domain;
use crate::values::{Map, Points as PointsValue};

/// Treatment of points outside the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Elsewhere {
    /// The node fails and reports the first such point.
    Refuse,
    /// Such points are dropped.
    Drop,
}

/// Points with heights that terrain passes through, from parameters or from a file.
///
/// A `file` that ends in `.csv` is a table whose first line names its columns: `x`, `y` and, if heights are
/// known, `height`. Any other file is GeoJSON of Points and MultiPoints. The height of a point is the
/// property `height` of its feature or, if absent, the third coordinate. Coordinates and heights are in world
/// units; the graph's first sample lies at its `origin`.
///
/// A point without a height is written as (x, y, None). Its height comes from the map `height`, by bilinear
/// interpolation. `MidpointDisplacement` passes through the heights to the bit, at the sample nearest to each
/// point. Points with the same nearest sample must therefore have the same height.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "summits": Points(
///             points: [(120, 140, 180), (400, 110, 120), (260, 300, 20), (90, 420, 90), (430, 400, 150)],
///         ),
///         "hills": MidpointDisplacement(points: "summits", amplitude: 80.0),
///         "shade": Hillshade(height: "hills"),
///     },
///     outputs: { "hills.png": "hills", "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources",
    words = "control spot heights sample scatter point cloud csv fixed positions markers places",
    version = 2, tiles = Global, because = "points lie anywhere on the map", header,
    fits(points = "[({x 0.3}, {y 0.5}, Some({side 0.05})), ({x 0.7}, {y 0.5}, Some({side 0.02}))]"))]
#[output(points: PointsValue, unit = "world units", doc = "World x and y of the points, with their heights.")]
pub struct Points {
    /// Terrain that provides heights for points without one.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// The points as (x, y, height).
    #[param(default = Vec::new(), unit = "world units", place = Space)]
    pub points: Vec<(f64, f64, Option<f64>)>,
    /// CSV or GeoJSON file to read instead of `points`, relative to the graph's file.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// Treatment of points outside the map, that is, half a spacing or more beyond its border.
    #[param(default = Elsewhere::Refuse)]
    pub outside: Elsewhere,
}

/// The maximum magnitude of a coordinate or height; files have the same limit.
const MAX_MAGNITUDE: f64 = 1e12;

/// A point, and its position in the parameters or the file, for messages.
struct GivenPoint {
    x: f64,
    y: f64,
    height: Option<f64>,
    origin: String,
}

impl Evaluate for Points {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let given = match &self.file {
            Some(file) => {
                let points = from_file(cx, file)?;
                if self.outside == Elsewhere::Drop {
                    warn_of_points(cx, file, points.iter().map(|point| (point.x, point.y)));
                }
                points
            }
            None => self.written(),
        };
        let (map, ground) = (domain(cx), self.height.get());
        let mut points = Vec::with_capacity(given.len());
        for (index, point) in given.iter().enumerate() {
            if index.is_multiple_of(1 << 12) {
                cx.progress(index as f64 / given.len() as f64)?;
            }
            if map.nearest((point.x, point.y)).is_some() {
                points.push([point.x, point.y, point.height_on(ground.as_deref())?]);
            } else if self.outside == Elsewhere::Refuse {
                let help = "move the point, or drop all points outside the map with outside: Drop";
                return Err(point.outside("map", &map, help));
            }
        }
        if points.is_empty() && self.file.is_none() {
            cx.warn(format!("none of {} points is on the map", given.len()));
        }
        Ok((PointsValue(points),))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        match (&self.file, self.points.is_empty()) {
            (Some(_), false) => {
                return invalid(
                    "file",
                    "both `points` and `file` are given".to_owned(),
                    "leave one of them out",
                );
            }
            (None, true) => {
                let help = "write points: [(x, y, height)], or name a CSV or GeoJSON file";
                return invalid("points", "there are no points".to_owned(), help);
            }
            _ => {}
        }
        let mut known = BTreeMap::new();
        for (index, &(x, y, height)) in self.points.iter().enumerate() {
            if let Some(number) =
                [x, y, height.unwrap_or(0.0)].into_iter().find(|number| number.abs() > MAX_MAGNITUDE)
            {
                let message = format!(
                    "point {index}, counted from 0, has {number} as a coordinate or \
                    height"
                );
                return invalid("points", message, "write numbers from -1e12 to 1e12");
            }
            // Adding 0 turns -0 into 0.
            if let Some(first) = known.insert(((x + 0.0).to_bits(), (y + 0.0).to_bits()), index) {
                let message = format!("points {first} and {index}, counted from 0, are both at ({x}, {y})");
                return invalid("points", message, "leave one of them out");
            }
        }
        Ok(())
    }
}

impl Points {
    /// The points of the parameters.
    fn written(&self) -> Vec<GivenPoint> {
        let point = |(index, &(x, y, height)): (usize, &(f64, f64, Option<f64>))| GivenPoint {
            x,
            y,
            height,
            origin: format!("point {index}, counted from 0,"),
        };
        self.points.iter().enumerate().map(point).collect()
    }
}

/// The points of a file.
fn from_file(cx: &Context<'_>, file: &FilePath) -> Result<Vec<GivenPoint>, NodeError> {
    let points = read_points_from(&opener(file), &file.path(), &lonlat(cx)).map_err(|error| {
        let position = match &error.problem {
            Problem::Points { at: Some((line, Some(column))), .. } => format!(":{line}:{column}"),
            Problem::Points { at: Some((line, None)), .. } => format!(":{line}"),
            _ => String::new(),
        };
        NodeError::failed(format!("{}{position}: {}", file.given(), error.problem), error.remedy())
    })?;
    let given = |point: terrane_io::Point| GivenPoint {
        x: point.x,
        y: point.y,
        height: point.height,
        origin: format!("{}: the point of {}", file.given(), point.entry),
    };
    Ok(points.into_iter().map(given).collect())
}

impl GivenPoint {
    /// The point's height or, if it has none, the terrain's.
    fn height_on(&self, ground: Option<&Map>) -> Result<f64, NodeError> {
        let Self { x, y, height, origin } = self;
        match (height, ground) {
            (Some(height), _) => Ok(*height),
            (None, Some(ground)) => {
                if ground.domain().nearest((*x, *y)).is_none() {
                    let help = "give the point a height, or connect a larger map to `height`";
                    return Err(self.outside("map of `height`", &ground.domain(), help));
                }
                Ok(f64::from(height_at(ground, (*x, *y))))
            }
            (None, None) => Err(NodeError::failed(
                format!("{origin} at ({x}, {y}) has no height"),
                "give it a height, or connect a terrain to `height`",
            )),
        }
    }

    /// The error for a point that lies outside a map.
    fn outside(&self, what: &str, map: &Domain, help: &str) -> NodeError {
        let (right, bottom) = (map.x(map.width() - 1), map.y(map.height() - 1));
        let Self { x, y, origin, .. } = self;
        let (left, top) = map.origin;
        NodeError::failed(
            format!(
                "{origin} at ({x}, {y}) lies outside the {what}, which extends from ({left}, {top}) to \
                ({right}, {bottom})"
            ),
            help,
        )
    }
}

/// The height of a map at a world position, by bilinear interpolation.
fn height_at(map: &Heightmap, (x, y): (f64, f64)) -> f32 {
    let point = Domain::new(1, 1).with_spacing(map.spacing()).with_origin(x, y);
    resample(map, point, Filter::Bilinear).samples()[0]
}

#[cfg(test)]
mod tests;
