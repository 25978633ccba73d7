//! Points that are given.

use std::collections::BTreeMap;

use terrane_flow::{Context, Evaluate, FilePath, Invalid, Node, NodeError, OptionalInput};
use terrane_grid::{Domain, Heightmap};
use terrane_io::{Problem, read_points_from};
use terrane_kernels::shape::{Filter, resample};

use crate::opening::opener;
use crate::support::domain;
use crate::values::{Map, Points as Places};

/// What becomes of points outside the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Elsewhere {
    /// The node fails and names the first of them.
    Refuse,
    /// They are left out.
    Drop,
}

/// Points with heights, written here or read from a file, for terrain to pass through.
///
/// A `file` that ends in `.csv` is a table: its first line names its columns, `x`, `y` and, where heights are
/// known, `height`. Any other is GeoJSON of Points and MultiPoints, whose heights are a feature's property
/// `height` or else the third coordinate. Coordinates are world units, in which the graph's first sample lies
/// at its `origin`, and heights are world units.
///
/// A point without a height, written as (x, y, None), takes it from the map `height`, bilinearly.
/// `MidpointDisplacement` passes through the heights to the bit, at the sample nearest to each point; so
/// points that share a nearest sample must agree.
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
#[node(category = "sources", tiles = Global, because = "points are spread over the map", header)]
#[output(points: Places, unit = "world units", doc = "World x and y of the points, with their heights.")]
pub struct Points {
    /// A terrain that gives heights to points that have none.
    #[input(unit = "world units")]
    pub height: OptionalInput<Map>,
    /// The points as (x, y, height).
    #[param(default = Vec::new(), unit = "world units")]
    pub points: Vec<(f64, f64, Option<f64>)>,
    /// A CSV or GeoJSON file of points to take instead of `points`, relative to the graph's.
    #[param(default = None)]
    pub file: Option<FilePath>,
    /// What becomes of points outside the map, half a spacing beyond its border or more.
    #[param(default = Elsewhere::Refuse)]
    pub outside: Elsewhere,
}

/// The greatest coordinate or height, as in files.
const MOST: f64 = 1e12;

/// A point, and where it is told of.
struct Given {
    x: f64,
    y: f64,
    height: Option<f64>,
    place: String,
}

impl Evaluate for Points {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let given = match &self.file {
            Some(file) => from_file(file)?,
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
                let help = "move the point, or leave out all that lie outside with outside: Drop";
                return Err(point.outside("map", &map, help));
            }
        }
        if points.is_empty() {
            cx.warn(format!("none of {} points lies on the map", given.len()));
        }
        Ok((Places(points),))
    }

    fn check(&self) -> Result<(), Invalid> {
        let invalid =
            |field, message: String, help: &str| Err(Invalid { field, message, help: help.to_owned() });
        match (&self.file, self.points.is_empty()) {
            (Some(_), false) => {
                return invalid(
                    "file",
                    "there are points and a file of points".to_owned(),
                    "leave out one of them",
                );
            }
            (None, true) => {
                let help = "give points: [(x, y, height)] or the file of a table";
                return invalid("points", "there are no points".to_owned(), help);
            }
            _ => {}
        }
        let mut known = BTreeMap::new();
        for (index, &(x, y, height)) in self.points.iter().enumerate() {
            if let Some(number) = [x, y, height.unwrap_or(0.0)].into_iter().find(|number| number.abs() > MOST)
            {
                let message = format!("point {index}, counted from 0, has the number {number}");
                return invalid("points", message, "give numbers within 1e12 of 0");
            }
            // The sum makes 0 of -0.
            if let Some(first) = known.insert(((x + 0.0).to_bits(), (y + 0.0).to_bits()), index) {
                let message =
                    format!("points {first} and {index}, counted from 0, lie at one place ({x}, {y})");
                return invalid("points", message, "leave one of them out");
            }
        }
        Ok(())
    }
}

impl Points {
    /// The points as they are written in the parameters.
    fn written(&self) -> Vec<Given> {
        let point = |(index, &(x, y, height)): (usize, &(f64, f64, Option<f64>))| Given {
            x,
            y,
            height,
            place: format!("point {index}, counted from 0,"),
        };
        self.points.iter().enumerate().map(point).collect()
    }
}

/// The points of a file.
fn from_file(file: &FilePath) -> Result<Vec<Given>, NodeError> {
    let points = read_points_from(&opener(file), &file.path()).map_err(|error| {
        let place = match &error.problem {
            Problem::Points { at: Some((line, Some(column))), .. } => format!(":{line}:{column}"),
            Problem::Points { at: Some((line, None)), .. } => format!(":{line}"),
            _ => String::new(),
        };
        NodeError::failed(format!("{}{place}: {}", file.given(), error.problem), error.remedy())
    })?;
    let given = |point: terrane_io::Point| Given {
        x: point.x,
        y: point.y,
        height: point.height,
        place: format!("{}: the point of {}", file.given(), point.entry),
    };
    Ok(points.into_iter().map(given).collect())
}

impl Given {
    /// The point's own height, or the ground's.
    fn height_on(&self, ground: Option<&Map>) -> Result<f64, NodeError> {
        let Self { x, y, height, place } = self;
        match (height, ground) {
            (Some(height), _) => Ok(*height),
            (None, Some(ground)) => {
                if ground.domain().nearest((*x, *y)).is_none() {
                    let help = "give the point a height, or take a larger map for `height`";
                    return Err(self.outside("map of `height`", &ground.domain(), help));
                }
                Ok(f64::from(height_at(ground, (*x, *y))))
            }
            (None, None) => Err(NodeError::failed(
                format!("{place} at ({x}, {y}) has no height"),
                "give it a height, or wire a terrain to `height`",
            )),
        }
    }

    /// The error of a point that lies outside a map.
    fn outside(&self, what: &str, map: &Domain, help: &str) -> NodeError {
        let (right, bottom) = (map.x(map.width() - 1), map.y(map.height() - 1));
        let Self { x, y, place, .. } = self;
        let (left, top) = map.origin;
        NodeError::failed(
            format!(
                "{place} at ({x}, {y}) lies outside the {what}, which goes from ({left}, {top}) to ({right}, \
                {bottom})"
            ),
            help,
        )
    }
}

/// The height of a map at a place of the world, bilinearly.
fn height_at(map: &Heightmap, (x, y): (f64, f64)) -> f32 {
    let place = Domain::new(1, 1).with_spacing(map.spacing()).with_origin(x, y);
    resample(map, place, Filter::Bilinear).samples()[0]
}

#[cfg(test)]
mod tests;
