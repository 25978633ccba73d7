//! Reads graphs from files of lines.

use std::collections::BTreeMap;

use terrane_flow::{FilePath, NodeError};
use terrane_io::{Line, LonLat, Open, Problem, read_lines_from};
use terrane_paths::planar::{GraphError, check_graph};

use crate::opening::opener;
use crate::values::Graph;

/// Reads the graph of a GeoJSON or SVG file that `open` opens, in a world with these coordinates.
///
/// The points of lines become nodes. Points with the same coordinates, to the bit, become one node.
/// Consecutive points are connected by an edge. Duplicate edges are merged, and get the smaller slope and the
/// larger width. `max_slope` applies to edges without a slope. With `planar`, edges that cross are rejected.
///
/// # Errors
/// If the file cannot be read, or contains no such graph.
pub fn read_graph_from(
    open: &Open<'_>,
    lonlat: &LonLat,
    file: &FilePath,
    max_slope: Option<f64>,
    planar: bool,
) -> Result<Graph, NodeError> {
    graph_of_file(file, &read_lines_of(open, lonlat, file)?, max_slope, planar)
}

/// The graph of the lines of a file, as [`read_graph_from`] returns it.
///
/// # Errors
/// If the lines form no such graph.
pub fn graph_of_file(
    file: &FilePath,
    lines: &[Line],
    max_slope: Option<f64>,
    planar: bool,
) -> Result<Graph, NodeError> {
    let (graph, features) = graph_of(lines, max_slope).map_err(|Lack { name, feature }| {
        let help = match name {
            "slope" => "give all features a property `slope`, or none, or set `max_slope`",
            _ => "give all features a property `width`, or none",
        };
        NodeError::failed(
            format!(
                "{}: feature {feature} has no {name}, but others have \
            one",
                file.given()
            ),
            help,
        )
    })?;
    if !planar {
        return Ok(graph);
    }
    check_graph(&graph.plane).map_err(|error| {
        let edge = |edge: usize| {
            let ends = graph.plane.ends(edge).unwrap_or_default();
            format!(
                "feature {} between the positions {:?} and {:?} of the world",
                features[edge], ends.0, ends.1
            )
        };
        let message = match error {
            GraphError::Cross { edges: (a, b) } => {
                format!("{} and {} meet at a point that is not a common end", edge(a), edge(b))
            }
            other => other.to_string(),
        };
        NodeError::failed(
            format!("{}: {message}", file.given()),
            "add a point to both lines where they meet, with the same coordinates to the last digit",
        )
    })?;
    Ok(graph)
}

/// Reads the lines of a GeoJSON or SVG file, in world coordinates.
pub fn lines_of(lonlat: &LonLat, file: &FilePath) -> Result<Vec<Line>, NodeError> {
    read_lines_of(&opener(file), lonlat, file)
}

fn read_lines_of(open: &Open<'_>, lonlat: &LonLat, file: &FilePath) -> Result<Vec<Line>, NodeError> {
    read_lines_from(open, &file.path(), lonlat).map_err(|error| {
        let position = match &error.problem {
            Problem::Lines { at: Some((line, column)), .. } => format!(":{line}:{column}"),
            _ => String::new(),
        };
        NodeError::failed(format!("{}{position}: {}", file.given(), error.problem), error.remedy())
    })
}

/// A feature that lacks a slope or a width that others have.
#[derive(Debug, PartialEq)]
struct Lack {
    name: &'static str,
    feature: usize,
}

/// Builds the graph of lines. The list holds the number of the feature that each edge comes from. Fails if
/// some features have a slope or a width and others do not. The error is the first feature without one.
fn graph_of(lines: &[Line], max_slope: Option<f64>) -> Result<(Graph, Vec<usize>), Lack> {
    let mut graph = Graph::default();
    let (mut nodes, mut edges) = (BTreeMap::new(), BTreeMap::new());
    let (mut features, mut slopes, mut widths) = (Vec::new(), Vec::new(), Vec::new());
    for line in lines {
        let mut node = |&(x, y): &(f64, f64)| {
            let plane = &mut graph.plane.nodes;
            *nodes.entry((x.to_bits(), y.to_bits())).or_insert_with(|| {
                plane.push((x, y));
                plane.len() as u32 - 1
            })
        };
        let ends: Vec<u32> = line.line.points.iter().map(&mut node).collect();
        let slope = line.slope.or(max_slope);
        for pair in ends.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            let edge = *edges.entry((a.min(b), a.max(b))).or_insert(features.len());
            if edge == features.len() {
                graph.plane.edges.push((a, b));
                features.push(line.feature);
                slopes.push(slope);
                widths.push(line.width);
            } else {
                slopes[edge] = slopes[edge].into_iter().chain(slope).reduce(f64::min);
                widths[edge] = widths[edge].into_iter().chain(line.width).reduce(f64::max);
            }
        }
    }
    graph.slopes = all_or_none("slope", slopes, &features)?;
    graph.widths = all_or_none("width", widths, &features)?;
    Ok((graph, features))
}

/// The numbers of all edges, or an empty list if none has one.
fn all_or_none(name: &'static str, numbers: Vec<Option<f64>>, features: &[usize]) -> Result<Vec<f64>, Lack> {
    match numbers.iter().position(Option::is_none) {
        Some(edge) if numbers.iter().any(Option::is_some) => Err(Lack { name, feature: features[edge] }),
        _ => Ok(numbers.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Polyline;

    use super::*;

    fn line(feature: usize, points: &[(f64, f64)], slope: Option<f64>) -> Line {
        Line {
            line: Polyline { points: points.to_vec(), closed: false },
            feature,
            slope,
            width: slope.map(|slope| 10.0 * slope),
        }
    }

    #[test]
    fn coinciding_points_and_edges_are_merged() {
        let above = f64::from_bits(4.0f64.to_bits() + 1);
        let lines = [
            line(0, &[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0)], Some(0.2)),
            line(1, &[(8.0, 0.0), (4.0, 0.0), (0.0, 0.0)], Some(0.1)),
            line(2, &[(4.0, above), (9.0, 9.0)], None),
        ];
        let mut lines = lines.to_vec();
        assert_eq!(graph_of(&lines, Some(0.5)).unwrap_err(), Lack { name: "width", feature: 2 });
        lines[2].width = Some(0.0);
        let (graph, features) = graph_of(&lines, Some(0.5)).unwrap();
        assert_eq!(graph.widths, [2.0, 2.0, 1.0, 0.0], "the larger width of merged edges");
        assert_eq!(graph.plane.nodes.len(), 6, "(4, 4) and its neighbour differ in the last bit");
        assert_eq!(graph.plane.edges, [(0, 1), (1, 2), (3, 1), (4, 5)]);
        assert_eq!(graph.slopes, [0.1, 0.2, 0.1, 0.5]);
        assert_eq!(features, [0, 0, 1, 2]);
        assert_eq!(graph_of(&lines, None).unwrap_err(), Lack { name: "slope", feature: 2 });
        assert!(graph_of(&lines[2..], None).unwrap().0.slopes.is_empty());
    }
}
