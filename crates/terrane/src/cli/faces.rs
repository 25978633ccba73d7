//! What can be shown of the values of terrain graphs.

use std::borrow::Cow;

use terrane_flow::{Header, Value};
use terrane_grid::{Domain, Grid, Polyline};
use terrane_kernels::shade::draw_line;
use terrane_nodes::Terrain;
use terrane_nodes::values::{Animation, Chart, Fields, Frames, Graph, Map, Paths, Picture, Points};
use terrane_view::{Face, Faces};

/// Longest side of pictures that are drawn of lines and points.
const SIDE: f64 = 900.0;
const PAPER: [u8; 3] = [246, 244, 239];
const INK: [u8; 3] = [58, 84, 120];

/// The faces of all kinds of value, and sizes of terrain.
pub const FACES: Faces = Faces { of, size, resize, is_height };

/// Heights of an imported file have that file's unit.
fn is_height(unit: &str) -> bool {
    matches!(unit, "world units" | "the file's")
}

fn size(header: &dyn Header) -> Option<(usize, usize)> {
    Some(header.as_any().downcast_ref::<Terrain>()?.0.size)
}

fn resize((columns, rows): (usize, usize)) -> (String, String) {
    ("size".to_owned(), format!("({columns}, {rows})"))
}

fn of(value: &Value) -> Face<'_> {
    if let Some(map) = value.get::<Map>() {
        Face::Heights(map)
    } else if let Some(frames) = value.get::<Frames>() {
        frames.0.last().map_or(Face::Nothing, |map| Face::Heights(map))
    } else if let Some(picture) = value.get::<Picture>() {
        Face::Picture(Cow::Borrowed(picture))
    } else if let Some(animation) = value.get::<Animation>() {
        animation.pictures.last().map_or(Face::Nothing, |picture| Face::Picture(Cow::Borrowed(picture)))
    } else if let Some(chart) = value.get::<Chart>() {
        Face::Chart(&chart.0)
    } else if let Some(lines) = lines(value) {
        drawn(&lines)
    } else {
        value.to_json().map_or(Face::Nothing, Face::Numbers)
    }
}

/// The lines of a value that consists of lines, or of points as small crosses.
fn lines(value: &Value) -> Option<Vec<Polyline>> {
    let edges = |nodes: &[(f64, f64)], edges: &[(u32, u32)]| {
        let edge = |&(a, b): &(u32, u32)| Polyline {
            points: vec![nodes[a as usize], nodes[b as usize]],
            closed: false,
        };
        edges.iter().map(edge).collect::<Vec<_>>()
    };
    if let Some(paths) = value.get::<Paths>() {
        Some(paths.lines.clone())
    } else if let Some(graph) = value.get::<Graph>() {
        Some(edges(&graph.plane.nodes, &graph.plane.edges))
    } else if let Some(fields) = value.get::<Fields>() {
        Some(edges(&fields.plane.nodes, &fields.plane.edges))
    } else {
        let points = &value.get::<Points>()?.0;
        let reach = points.iter().fold(0.0f64, |far, [x, y, _]| far.max(x.abs()).max(y.abs())) / 200.0;
        let cross = |&[x, y, _]: &[f64; 3]| {
            [vec![(x - reach, y), (x + reach, y)], vec![(x, y - reach), (x, y + reach)]]
        };
        Some(points.iter().flat_map(cross).map(|points| Polyline { points, closed: false }).collect())
    }
}

/// Lines on paper that is a little larger than they are.
fn drawn(lines: &[Polyline]) -> Face<'static> {
    let points =
        || lines.iter().flat_map(|line| &line.points).filter(|(x, y)| x.is_finite() && y.is_finite());
    let low = points().fold((f64::MAX, f64::MAX), |low, &(x, y)| (low.0.min(x), low.1.min(y)));
    let high = points().fold((f64::MIN, f64::MIN), |high, &(x, y)| (high.0.max(x), high.1.max(y)));
    let extent = (high.0 - low.0).max(high.1 - low.1);
    if points().next().is_none() || extent <= 0.0 || !extent.is_finite() {
        return Face::Nothing;
    }
    let margin = extent * 0.04;
    let spacing = (extent + 2.0 * margin) / SIDE;
    let across = |length: f64| ((length + 2.0 * margin) / spacing) as usize + 1;
    let domain = Domain::new(across(high.0 - low.0), across(high.1 - low.1))
        .with_spacing(spacing)
        .with_origin(low.0 - margin, low.1 - margin);
    let mut picture = Grid::filled(domain.width(), domain.height(), PAPER);
    for line in lines {
        draw_line(&mut picture, &domain, line, INK, 3.0);
    }
    Face::Picture(Cow::Owned(picture))
}
