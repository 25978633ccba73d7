//! The header of terrain graphs.

use std::any::Any;
use std::sync::Arc;

use terrane_flow::{Data, Family, Field, FieldError, Header, HeaderField, Shape, read_value};
use terrane_grid::Domain;

use crate::export::check_output;
use crate::values::{Map, MeshValue, Picture};

/// The most samples of a map: 2³¹, 8 GiB.
const MAX_SAMPLES: u64 = 1 << 31;

/// The header of a terrain graph: the part of the world that it covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terrain(pub Domain);

impl Header for Terrain {
    fn key(&self) -> Vec<u8> {
        let domain = &self.0;
        let mut key = Vec::new();
        key.extend((domain.width() as u64).to_le_bytes());
        key.extend((domain.height() as u64).to_le_bytes());
        for value in [domain.spacing, domain.origin.0, domain.origin.1] {
            key.extend(value.to_le_bytes());
        }
        key
    }

    fn value_bytes(&self, kind: &str) -> u64 {
        let samples = self.0.len() as u64;
        match kind {
            Map::KIND => samples * 4,
            Picture::KIND => samples * 3,
            MeshValue::KIND => samples * 56,
            _ => 0,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What makes a graph a terrain graph.
#[must_use]
pub fn family() -> Family {
    let integer = || Shape::Integer { min: 1, max: i128::from(u32::MAX) };
    Family {
        header: vec![
            HeaderField {
                name: "size",
                docs: "Samples as (columns, rows); default (513, 513).",
                shape: Shape::Tuple(vec![integer(), integer()]),
            },
            HeaderField {
                name: "spacing",
                docs: "World units between samples; default 1.",
                shape: Shape::Float,
            },
            HeaderField {
                name: "origin",
                docs: "World position of the first sample as (x, y); default (0, 0).",
                shape: Shape::Tuple(vec![Shape::Float, Shape::Float]),
            },
        ],
        read_header,
        check_output,
    }
}

fn read_header(
    fields: &[Field<'_>],
    overrides: &[(String, String)],
) -> Result<Arc<dyn Header>, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut domain = Domain::new(513, 513);
    for field in fields {
        let result = match field.name {
            "size" => parse_size(field.value).map(|size| domain.size = size),
            "spacing" => parse_spacing(field.value).map(|spacing| domain.spacing = spacing),
            _ => parse_origin(field.value).map(|origin| domain.origin = origin),
        };
        if let Err((message, help)) = result {
            errors.push(FieldError { span: Some(field.value_span.clone()), message, help });
        }
    }
    for (name, value) in overrides {
        let result = match name.as_str() {
            // A preview shows the same terrain with fewer samples: the extent stays, the spacing follows.
            "size" => parse_size(value).map(|size| domain = domain.resized(size)),
            "spacing" => parse_spacing(value).map(|spacing| domain.spacing = spacing),
            _ => parse_origin(value).map(|origin| domain.origin = origin),
        };
        if let Err((message, help)) = result {
            errors.push(FieldError { span: None, message, help });
        }
    }
    if errors.is_empty() { Ok(Arc::new(Terrain(domain))) } else { Err(errors) }
}

type Mistake = (String, String);

fn parse_size(text: &str) -> Result<(usize, usize), Mistake> {
    let (w, h): (u64, u64) = read_value(text).ok_or_else(|| {
        (format!("`size` is `{text}`: expected (columns, rows)"), "write size: (513, 513)".to_owned())
    })?;
    if w == 0 || h == 0 {
        return Err((
            format!("a terrain of {w} x {h} samples has none"),
            "both numbers must be at least 1".to_owned(),
        ));
    }
    match w.checked_mul(h) {
        Some(samples) if samples <= MAX_SAMPLES => Ok((w as usize, h as usize)),
        _ => {
            let gib = w as f64 * h as f64 * 4.0 / (1u64 << 30) as f64;
            Err((
                format!("a map of {w} x {h} samples would take {gib:.0} GiB"),
                format!(
                    "the most is {MAX_SAMPLES} samples, such as (46340, 46340): use a larger spacing, or several patches"
                ),
            ))
        }
    }
}

fn parse_spacing(text: &str) -> Result<f64, Mistake> {
    match read_value::<f64>(text) {
        Some(spacing) if (1e-12..=1e12).contains(&spacing) => Ok(spacing),
        _ => Err((
            format!("`spacing` is `{text}`: expected a number greater than 0, from 1e-12 to 1e12"),
            "write the world units between samples, such as spacing: 2.0".to_owned(),
        )),
    }
}

fn parse_origin(text: &str) -> Result<(f64, f64), Mistake> {
    match read_value::<(f64, f64)>(text) {
        Some((x, y)) if x.abs() <= 1e12 && y.abs() <= 1e12 => Ok((x, y)),
        _ => Err((
            format!("`origin` is `{text}`: expected (x, y), each within 1e12"),
            "write the world position of the first sample, such as origin: (0, 0)".to_owned(),
        )),
    }
}
