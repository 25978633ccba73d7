//! How the preview displays values of terrain graphs.

use std::borrow::Cow;

use terrane::kernels::shade::draw_line;
use terrane_flow::{Header, Node, NodeSpec, Value};
use terrane_grid::{Domain, Grid, Polyline};
use terrane_nodes::Terrain;
use terrane_nodes::pictures::Render;
use terrane_nodes::values::{Shown, TerrainKind};
use terrane_nodes::{fitted, suited_source};
use terrane_view::{Face, Faces, Line};

/// Longest side, in pixels, of pictures drawn from lines and points.
const SIDE: f64 = 900.0;
const PAPER: [u8; 3] = [246, 244, 239];
const INK: [u8; 3] = [58, 84, 120];

/// How to display every kind of value, and how to read and change a terrain's size.
pub const FACES: Faces = Faces { of, size, resize, is_height, is_scene, lines, shorten, suited };

/// Whether a unit is a unit of heights. Imported heights have the unit of their file.
fn is_height(unit: &str) -> bool {
    matches!(unit, "world units" | "the file's")
}

fn size(header: &dyn Header) -> Option<(usize, usize)> {
    Some(Terrain::of(header)?.domain.size)
}

fn resize((columns, rows): (usize, usize)) -> (String, String) {
    ("size".to_owned(), format!("({columns}, {rows})"))
}

fn is_scene(node: &dyn Node) -> bool {
    node.downcast::<Render>().is_some()
}

/// A quarter of the pixels.
fn shorten(node: &mut dyn Node) {
    if let Some(render) = node.downcast_mut::<Render>() {
        let half = |side: u32| (side / 2).max(1);
        render.pixels = (half(render.pixels.0), half(render.pixels.1));
    }
}

fn suited(spec: &NodeSpec, header: &dyn Header, heights: Option<(f64, f64)>) -> Option<String> {
    let domain = &Terrain::of(header)?.domain;
    let (width, height) = domain.extent();
    suited_source(spec, width.max(height)).or_else(|| fitted(spec, domain, heights))
}

fn shown(value: &Value) -> Shown<'_> {
    TerrainKind::find(value.kind()).map_or(Shown::Numbers, |kind| kind.shown(value))
}

fn lines(value: &Value) -> Option<Vec<Line>> {
    let Shown::Lines(lines) = shown(value) else { return None };
    Some(lines.iter().map(|line| line.points.clone()).collect())
}

fn of(value: &Value) -> Face<'_> {
    match shown(value) {
        Shown::Heights(map) => Face::Heights(map),
        Shown::Levels(levels) => Face::Levels(levels),
        Shown::Picture(picture) => Face::Picture(Cow::Borrowed(picture)),
        Shown::Lines(lines) => draw_lines(&lines),
        Shown::Chart(svg) => Face::Chart(svg),
        Shown::Numbers => value.to_json().map_or(Face::Nothing, Face::Numbers),
        Shown::Nothing => Face::Nothing,
    }
}

/// Draws lines on a sheet with a margin of 4 % of their extent.
fn draw_lines(lines: &[Polyline]) -> Face<'static> {
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
