//! Warnings of files of lines and points that lie outside the graph's ground.

use std::path::Path;

use terrane_flow::{Context, FilePath};
use terrane_grid::Domain;
use terrane_io::{Line, LonLat};

use crate::place::lonlat;
use crate::support::domain;
use crate::terrain::Terrain;

/// A rectangle: its lowest and its highest coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    low: (f64, f64),
    high: (f64, f64),
}

impl Extent {
    /// The extent of positions that are finite.
    fn of(positions: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let finite = positions.filter(|(x, y)| x.is_finite() && y.is_finite());
        finite.map(|at| Self { low: at, high: at }).reduce(Self::with)
    }

    fn with(self, other: Self) -> Self {
        Self {
            low: (self.low.0.min(other.low.0), self.low.1.min(other.low.1)),
            high: (self.high.0.max(other.high.0), self.high.1.max(other.high.1)),
        }
    }

    /// The ground of a graph: half a spacing beyond its samples.
    fn of_ground(domain: &Domain) -> Self {
        let (half, (columns, rows)) = (0.5 * domain.spacing, domain.size);
        let (low, high) = (domain.origin, (domain.x(columns.max(1) - 1), domain.y(rows.max(1) - 1)));
        Self { low: (low.0 - half, low.1 - half), high: (high.0 + half, high.1 + half) }
    }

    fn meets(self, other: Self) -> bool {
        let (low, high) = (self.low, self.high);
        low.0 <= other.high.0 && other.low.0 <= high.0 && low.1 <= other.high.1 && other.low.1 <= high.1
    }

    fn corners(self) -> [(f64, f64); 4] {
        let ((left, top), (right, bottom)) = (self.low, self.high);
        [(left, top), (right, top), (left, bottom), (right, bottom)]
    }
}

/// Warns if all lines of a file lie outside the ground. `to_world` turns the positions of lines into those of
/// the world.
pub fn warn_of_lines(
    cx: &Context<'_>,
    file: &FilePath,
    lines: &[Line],
    to_world: impl Fn((f64, f64)) -> (f64, f64),
) {
    let mut features: Vec<(usize, Vec<(f64, f64)>)> = Vec::new();
    for line in lines {
        let points = line.line.points.iter().map(|&at| to_world(at));
        match features.last_mut().filter(|(feature, _)| *feature == line.feature) {
            Some((_, all)) => all.extend(points),
            None => features.push((line.feature, points.collect())),
        }
    }
    warn(cx, file, "feature", &features.into_iter().map(|(_, points)| points).collect::<Vec<_>>());
}

/// Warns if all points of a file lie outside the ground.
pub fn warn_of_points(cx: &Context<'_>, file: &FilePath, points: impl Iterator<Item = (f64, f64)>) {
    let points: Vec<Vec<(f64, f64)>> = points.map(|at| vec![at]).collect();
    warn(cx, file, "point", &points);
}

/// Warns if nodes of a graph of paths lie farther outside the ground than the ground is long.
pub fn warn_of_nodes(cx: &Context<'_>, nodes: &[(f64, f64)]) {
    if let Some(text) = far_nodes(&domain(cx), nodes).filter(|_| !cx.header::<Terrain>().is_part) {
        cx.warn(text);
    }
}

/// The warning if nodes lie farther outside the ground than its longer side.
fn far_nodes(domain: &Domain, nodes: &[(f64, f64)]) -> Option<String> {
    let ground = Extent::of_ground(domain);
    let side = (ground.high.0 - ground.low.0).max(ground.high.1 - ground.low.1);
    let apart = |&(x, y): &(f64, f64)| {
        let beyond = |at: f64, low: f64, high: f64| (low - at).max(at - high);
        beyond(x, ground.low.0, ground.high.0).max(beyond(y, ground.low.1, ground.high.1))
    };
    let far: Vec<usize> = (0..nodes.len()).filter(|&node| apart(&nodes[node]) > side).collect();
    let &first = far.first()?;
    let others = match far.len() - 1 {
        0 => String::new(),
        count => format!(", as do {count} more"),
    };
    Some(format!(
        "node {first} at {} lies far outside the ground{others}: the ground extends from {} to {}, and edges \
        end at its border; write positions in world units, which are samples times the spacing",
        pair(nodes[first]),
        pair(ground.low),
        pair(ground.high)
    ))
}

fn warn(cx: &Context<'_>, file: &FilePath, what: &str, features: &[Vec<(f64, f64)>]) {
    // The roads of a world lie on some of its patches.
    if cx.header::<Terrain>().is_part {
        return;
    }
    let is_geojson = !["svg", "csv"].iter().any(|other| has_extension(&file.path(), other));
    let lonlat = is_geojson.then(|| lonlat(cx));
    if let Some(text) = warning(&domain(cx), lonlat.as_ref(), what, features) {
        cx.warn(format!("{}: {text}", file.given()));
    }
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// The warning if none of the features is on the ground, in the coordinates of the file. `lonlat` is that of
/// GeoJSON; other files have the coordinates of the world.
fn warning(
    domain: &Domain,
    lonlat: Option<&LonLat>,
    what: &str,
    features: &[Vec<(f64, f64)>],
) -> Option<String> {
    let ground = Extent::of_ground(domain);
    let extents = features.iter().filter_map(|points| Extent::of(points.iter().copied()));
    if extents.clone().any(|feature| feature.meets(ground)) {
        return None;
    }
    let all = extents.reduce(Extent::with)?;
    let points = features.iter().flatten().copied();
    let given = lonlat.and_then(|lonlat| {
        // Longitudes near one of them: ground across 180 degrees does not reach round the Earth.
        let near = lonlat.of_world(ground.low);
        let own = Extent::of(ground.corners().into_iter().map(|at| lonlat.of_world_near(at, near)))?;
        Some((own, Extent::of(points.map(|at| lonlat.of_world_near(at, near)))?))
    });
    let unit = match lonlat {
        Some(lonlat) if lonlat.is_geographic() && given.is_some() => " in longitude and latitude",
        Some(_) if given.is_none() => " in world units",
        _ => "",
    };
    let (own, file) = given.unwrap_or((ground, all));
    let count = match features.len() {
        1 => format!("the only {what} lies"),
        count => format!("all {count} {what}s lie"),
    };
    Some(format!(
        "{count} outside the ground: {} {}, and the ground{unit} from {} to {}: {}",
        if features.len() == 1 { "it extends from" } else { "they extend from" },
        shown(file),
        pair(own.low),
        pair(own.high),
        help(own, file, lonlat)
    ))
}

/// What is probably wrong, and what to do.
fn help(ground: Extent, file: Extent, lonlat: Option<&LonLat>) -> &'static str {
    let swapped = |at: (f64, f64)| (at.1, at.0);
    let exchanged = Extent { low: swapped(file.low), high: swapped(file.high) };
    let mirrored = Extent { low: (file.low.0, -file.high.1), high: (file.high.0, -file.low.1) };
    let is_degrees = [file.low, file.high].iter().all(|(x, y)| x.abs() <= 180.0 && y.abs() <= 90.0);
    match lonlat {
        Some(lonlat) if lonlat.is_geographic() && exchanged.meets(ground) => {
            "longitude and latitude are exchanged: write the longitude first"
        }
        Some(lonlat) if lonlat.is_geographic() => {
            "use lines and points of this ground, or name the reference system of their coordinates in a \
            member `crs`"
        }
        Some(_) if mirrored.meets(ground) => "y of GeoJSON grows to the north: change the sign of y",
        Some(_) if is_degrees => {
            "these may be longitudes and latitudes, which the graph cannot place without a known reference \
            system: import ground with an EPSG code, or write the coordinates of the graph"
        }
        Some(_) if exchanged.meets(ground) => "x and y are exchanged: write x, or the easting, first",
        _ => "write coordinates of the graph, or change its `origin`",
    }
}

fn shown(extent: Extent) -> String {
    format!("{} to {}", pair(extent.low), pair(extent.high))
}

/// A position with six digits after the point, which are a decimetre in degrees.
fn pair((x, y): (f64, f64)) -> String {
    let short = |number: f64| {
        let text = format!("{number:.6}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    format!("({}, {})", short(x), short(y))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use terrane_grid::{GeoReference, Place};

    use super::*;

    #[test]
    fn nodes_farther_than_the_ground_is_long_are_named() {
        let domain = Domain::new(11, 6).with_spacing(2.0);
        // Half a sample beyond 20 by 10 units, and 22 units farther.
        assert_eq!(far_nodes(&domain, &[(4.0, 4.0), (43.0, 4.0), (4.0, -23.0)]), None);
        let told = far_nodes(&domain, &[(4.0, 4.0), (4.0, 33.5), (1e9, 0.0)]).unwrap();
        assert!(
            told.starts_with("node 1 at (4, 33.5) lies far outside the ground, as do 1 more: "),
            "{told}"
        );
        assert!(told.contains("from (-1, -1) to (21, 11)"), "{told}");
    }

    #[test]
    fn ground_across_the_antimeridian_does_not_reach_round_the_earth() {
        let georef = GeoReference {
            pixel_scale: vec![0.001, 0.001, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, 179.995, -17.0, 0.0],
            key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 2, 2048, 0, 1, 4326],
            ..GeoReference::default()
        };
        let place = Place::of(&georef, (0.0, 0.0), 1.0, (1.0, 1.0)).unwrap();
        let lonlat = LonLat::of(Some(&Arc::new(place)));
        let domain = Domain::new(11, 11);
        // On the map 100 columns farther east, on the other side of 180 degrees.
        let told = warning(&domain, Some(&lonlat), "point", &[vec![(100.0, 5.0)]]).unwrap();
        let ground = "in longitude and latitude from (179.9945, -17.0105) to (180.0055, -16.9995)";
        assert!(told.contains(ground) && told.contains("from (180.095, -17.005)"), "{told}");
    }
}
