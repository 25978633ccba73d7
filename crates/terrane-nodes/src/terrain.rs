//! The header of terrain graphs, and what their outputs can be.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use terrane_flow::{Data, Family, Field, FieldError, Header, HeaderField, Kind, Shape};
use terrane_grid::Domain;
use terrane_io::{CodeRange, Endian, Kind as FileKind, Sample, WriteOptions};

use crate::values::{Animation, Chart, Fields, Graph, Map, MeshValue, Paths, Picture, Points, Table};

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
    let (w, h): (u64, u64) = ron::from_str(text).map_err(|_| {
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
    match ron::from_str::<f64>(text) {
        Ok(spacing) if spacing.is_finite() && spacing > 0.0 => Ok(spacing),
        _ => Err((
            format!("`spacing` is `{text}`: expected a number greater than 0"),
            "write the world units between samples, such as spacing: 2.0".to_owned(),
        )),
    }
}

fn parse_origin(text: &str) -> Result<(f64, f64), Mistake> {
    match ron::from_str::<(f64, f64)>(text) {
        Ok((x, y)) if x.abs() <= 1e12 && y.abs() <= 1e12 => Ok((x, y)),
        _ => Err((
            format!("`origin` is `{text}`: expected (x, y), each within 1e12"),
            "write the world position of the first sample, such as origin: (0, 0)".to_owned(),
        )),
    }
}

/// The options of an `Export` for heights.
///
/// # Errors
/// What is wrong with an option.
pub fn write_options<'a>(options: impl Iterator<Item = (&'a str, &'a str)>) -> Result<WriteOptions, Mistake> {
    let mut out = WriteOptions::default();
    for (name, value) in options {
        match name {
            "range" => match ron::from_str::<(f64, f64)>(value) {
                Ok((low, high)) if low.is_finite() && high.is_finite() && low < high => {
                    out.range = CodeRange::Fixed(low, high);
                }
                _ => {
                    return Err((
                        format!("`range` is `{value}`"),
                        "write range: (lowest, highest)".to_owned(),
                    ));
                }
            },
            "depth" => {
                out.sample = Some(match value {
                    "U8" => Sample::U8,
                    "U16" => Sample::U16,
                    "I16" => Sample::I16,
                    "F32" => Sample::F32,
                    _ => {
                        return Err((
                            format!("`depth` is `{value}`"),
                            "the choices are: U8, U16, I16, F32".to_owned(),
                        ));
                    }
                });
            }
            "endian" => {
                out.endian = match value {
                    "Little" => Endian::Little,
                    "Big" => Endian::Big,
                    _ => {
                        return Err((
                            format!("`endian` is `{value}`"),
                            "the choices are: Little, Big".to_owned(),
                        ));
                    }
                };
            }
            _ => {
                let help =
                    terrane_flow::suggest::help(name, &["range", "depth", "endian"], "the options are");
                return Err((format!("an Export has no option `{name}`"), help));
            }
        }
    }
    if out.sample == Some(Sample::I16) && out.range == CodeRange::MinMax {
        // What elevation models in whole metres do.
        out.range = CodeRange::Whole;
    }
    Ok(out)
}

/// Whether a value of a kind can go into a file of that name.
///
/// # Errors
/// What is wrong, and what would do.
pub fn check_output(kind: &Kind, file: &str, options: &[Field<'_>]) -> Result<(), FieldError> {
    let fail = |message: String, help: String| Err(FieldError { span: None, message, help });
    let of =
        |kind: FileKind| kind.formats().iter().flat_map(terrane_io::Format::extensions).copied().collect();
    let extensions: Vec<&str> = match kind.name {
        Map::KIND => of(FileKind::Heightmap),
        Picture::KIND => of(FileKind::Picture),
        MeshValue::KIND => of(FileKind::Mesh),
        Table::KIND => vec!["json", "csv"],
        Points::KIND => vec!["json"],
        Paths::KIND => vec!["geojson", "json"],
        Graph::KIND | Fields::KIND => vec!["json"],
        Animation::KIND => of(FileKind::Animation),
        Chart::KIND => vec!["svg"],
        other => {
            return fail(
                format!("a {other} cannot be written to a file"),
                "connect another output".to_owned(),
            );
        }
    };
    let extension =
        Path::new(file).extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if !extension.is_some_and(|extension| extensions.contains(&extension.as_str())) {
        let names = extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ");
        return fail(
            format!("a {} cannot be written to `{file}`", kind.name),
            format!("choose one of {names}"),
        );
    }
    if kind.name != Map::KIND && !options.is_empty() {
        return fail(
            format!("a {} takes no options", kind.name),
            "only maps have range, depth and endian".to_owned(),
        );
    }
    match write_options(options.iter().map(|option| (option.name, option.value))) {
        Ok(_) => Ok(()),
        Err((message, help)) => fail(message, help),
    }
}
