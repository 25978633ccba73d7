//! Thumbnails of values for the cards of nodes.

use std::fmt::Write as _;

use axum::body::Bytes;
use serde_json::Value as Json;
use terrane_flow::{Value, ValueId};
use terrane_grid::Grid;
use terrane_io::escape_xml;
use terrane_kernels::metric::statistics;
use terrane_kernels::shade::{Ramp, level_picture};

use crate::display::{Face, Faces};
use crate::shrink::{fit, fit_picture};
use crate::store::Blob;
use crate::style::{Scale, Style, paint};

/// Longest side in pixels.
pub const SIDE: usize = 192;

/// Width and height of thumbnails that are drawn as SVG.
const SHEET: (f64, f64) = (148.0, 104.0);

/// The name of a value's thumbnail in the store: it is made once, when the value is computed.
#[must_use]
pub fn thumbnail_name(id: &ValueId) -> String {
    format!("{}/thumbnail", id.hex())
}

/// A thumbnail of a value in a unit: its media type, and its bytes.
#[must_use]
pub fn draw(faces: &Faces, value: &Value, unit: &str) -> Option<(&'static str, Vec<u8>)> {
    let blob = thumbnail(&(faces.of)(value), (faces.is_height)(unit))?;
    Some((blob.media, blob.bytes.to_vec()))
}

/// A thumbnail of a value. Heights are coloured and shaded if `relief` is set, and grey otherwise. Values
/// that cannot be shown get an empty sheet. `None` if a picture cannot be encoded as PNG.
#[must_use]
pub fn thumbnail(face: &Face<'_>, relief: bool) -> Option<Blob> {
    match face {
        Face::Heights(map) if !map.domain().is_empty() => {
            let small = fit(map, SIDE);
            let numbers = statistics(&small);
            // A mask that is the same everywhere is as bright as its value.
            let is_even = !relief && numbers.min == numbers.max && (0.0..=1.0).contains(&numbers.min);
            let (low, high) = if is_even { (0.0, 1.0) } else { (numbers.min, numbers.max) };
            let scale = Scale::new(low, high, small.domain().extent());
            let ramp = if relief { Ramp::default() } else { Ramp::Grey };
            let style = Style { ramp: Some(ramp), shaded: relief, interval: None };
            png(&paint(&small, &style, &scale))
        }
        Face::Levels(levels) if !levels.domain().is_empty() => png(&level_picture(&fit(levels, SIDE), None)),
        Face::Picture(picture) if picture.width() * picture.height() > 0 => png(&fit_picture(picture, SIDE)),
        Face::Chart(svg) if svg.len() < 1 << 18 => Some(vector((*svg).to_owned())),
        Face::Numbers(numbers) => Some(vector(sheet(numbers))),
        // An empty sheet, so that pages do not request it again.
        _ => Some(vector(sheet(&Json::Null))),
    }
}

/// Encodes a picture as PNG. `None` if it is too large.
#[must_use]
pub fn png(picture: &Grid<[u8; 3]>) -> Option<Blob> {
    let mut bytes = Vec::new();
    let (width, height) = (u32::try_from(picture.width()).ok()?, u32::try_from(picture.height()).ok()?);
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    encoder.write_header().ok()?.write_image_data(picture.as_slice().as_flattened()).ok()?;
    Some(Blob { media: "image/png", bytes: Bytes::from(bytes) })
}

fn vector(text: String) -> Blob {
    Blob { media: "image/svg+xml", bytes: Bytes::from(text) }
}

/// Numbers as a small sheet: a row as lines of text, columns as curves.
fn sheet(numbers: &Json) -> String {
    let (w, h) = SHEET;
    let mut body = String::new();
    let columns: Vec<(&String, Vec<f64>)> = numbers
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| {
            let list = value.as_array()?.iter().filter_map(Json::as_f64).collect::<Vec<_>>();
            (list.len() > 1).then_some((name, list))
        })
        .collect();
    if columns.len() > 1 {
        for (index, (_, values)) in columns.iter().skip(1).take(4).enumerate() {
            let points = curve(values, (w, h));
            let _infallible =
                write!(body, "<polyline class=\"c{index}\" points=\"{points}\" fill=\"none\"/>");
        }
    } else {
        for (line, (name, value)) in numbers.as_object().into_iter().flatten().take(4).enumerate() {
            let y = 24.0 + 21.0 * line as f64;
            let value = value.as_f64().map_or_else(|| "\u{2026}".to_owned(), short);
            let name: String = name.chars().take(12).collect();
            let _infallible = write!(
                body,
                "<text x=\"10\" y=\"{y}\" class=\"n\">{}</text><text x=\"{}\" y=\"{y}\" class=\"v\" \
                text-anchor=\"end\">{value}</text>",
                escape_xml(&name),
                w - 10.0
            );
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\"><style>text{{font:11px \
        system-ui,sans-serif}}.n{{fill:#8a8f98}}.v{{fill:#5b7fb8;font-weight:600}}\
        polyline{{stroke-width:1.6}}\
        .c0{{stroke:#4c7fb5}}.c1{{stroke:#c7803a}}.c2{{stroke:#5c9a64}}.c3{{stroke:#a8639f}}\
        </style>{body}</svg>"
    )
}

fn curve(values: &[f64], (w, h): (f64, f64)) -> String {
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let (low, high) = (finite().fold(f64::MAX, f64::min), finite().fold(f64::MIN, f64::max));
    let height = if high > low { high - low } else { 1.0 };
    // About a hundred points suffice for the width.
    let step = (values.len() / 120).max(1);
    let mut out = String::new();
    for (index, value) in values.iter().enumerate().step_by(step).filter(|(_, value)| value.is_finite()) {
        let x = 8.0 + (w - 16.0) * index as f64 / (values.len() - 1) as f64;
        let y = h - 10.0 - (h - 20.0) * (value - low) / height;
        let _infallible = write!(out, "{x:.1},{y:.1} ");
    }
    out
}

fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (0.001..100_000.0).contains(&size) => {
            let text = format!("{value:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::Cow;
    use terrane_grid::{Domain, Heightmap};

    #[test]
    fn every_face_has_its_thumbnail() {
        let map = Heightmap::from_fn(Domain::new(300, 200), |x, y| (x * y) as f32);
        let of_map = thumbnail(&Face::Heights(&map), true).unwrap();
        assert_eq!((of_map.media, &of_map.bytes[1..4]), ("image/png", &b"PNG"[..]));
        let size = u32::from_be_bytes(of_map.bytes[16..20].try_into().unwrap());
        assert_eq!(size as usize, SIDE);
        assert!(thumbnail(&Face::Picture(Cow::Owned(Grid::filled(3, 2, [1, 2, 3]))), true).is_some());
        let nothing = thumbnail(&Face::Nothing, true).unwrap();
        assert_eq!(nothing.media, "image/svg+xml");
    }

    #[test]
    fn numbers_are_text_or_curves_and_names_are_escaped() {
        let text = |json: Json| {
            String::from_utf8(thumbnail(&Face::Numbers(json), true).unwrap().bytes.to_vec()).unwrap()
        };
        let row = text(serde_json::json!({ "<score>": 0.25, "large": 1e9 }));
        assert!(row.contains("&lt;score&gt;") && row.contains(">0.25<") && row.contains("1.00e9"), "{row}");
        let columns = text(serde_json::json!({ "iteration": [0, 1, 2], "moved": [3.0, 2.0, 1.0] }));
        assert_eq!(columns.matches("<polyline").count(), 1, "{columns}");
    }
}
