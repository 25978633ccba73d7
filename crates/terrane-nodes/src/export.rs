//! What the outputs of terrain graphs can be, and how they are written.

use std::collections::HashSet;
use std::path::Path;

use terrane_flow::{
    Data, Declare, Field, FieldError, Graph as TerrainGraph, GraphNode, Kind, read_value, suggest,
};
use terrane_io::{CodeRange, Endian, Format, Kind as FileKind, Preset, Sample, WriteOptions};

use crate::shaping::Resample;
use crate::terrain::Terrain;
use crate::values::{Animation, Chart, Fields, Graph, Map, MeshValue, Paths, Picture, Points, Table};

type Mistake = (String, String);

/// The options of an `Export` for heights.
///
/// # Errors
/// What is wrong with an option.
pub fn write_options<'a>(options: impl Iterator<Item = (&'a str, &'a str)>) -> Result<WriteOptions, Mistake> {
    let mut out = WriteOptions::default();
    let mut own = None;
    for (name, value) in options {
        if ["depth", "endian"].contains(&name) {
            own = Some(name);
        }
        match name {
            "preset" => {
                let names = Preset::ALL.map(Preset::name);
                out.preset = Some(Preset::from_name(value).ok_or_else(|| {
                    (format!("`preset` is `{value}`"), suggest::help(value, &names, "the engines are"))
                })?);
            }
            "range" => match read_value::<(f64, f64)>(value) {
                // In a map heights are 32-bit numbers.
                Some((low, high)) if [low, high].iter().all(|&h| (h as f32).is_finite()) && low < high => {
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
                let known = ["range", "depth", "endian", "preset"];
                let help = suggest::help(name, &known, "the options are");
                return Err((format!("an Export has no option `{name}`"), help));
            }
        }
    }
    if let (Some(preset), Some(own)) = (out.preset, own) {
        let message = format!("`preset: {}` and `{own}` are given together", preset.name());
        return Err((message, format!("leave `{own}` out: the engine decides")));
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
pub fn check_output(
    kind: &Kind,
    file: &str,
    options: &[Field<'_>],
    from: (&TerrainGraph, &str),
) -> Result<(), FieldError> {
    let fail = |message: String, help: String| Err(FieldError { span: None, message, help });
    let of = |kind: FileKind| kind.formats().iter().flat_map(Format::extensions).copied().collect();
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
            "only maps have range, depth, endian and preset".to_owned(),
        );
    }
    let written = write_options(options.iter().map(|option| (option.name, option.value)));
    let written = written.and_then(|options| {
        if let (Some(sample), Some(format)) = (options.sample, Format::from_extension(Path::new(file)))
            && options.preset.is_none()
            && !format.samples().contains(&sample)
        {
            let message =
                format!("`{file}` cannot have the depth {}: {format} is not written so", depth_name(sample));
            let depths: Vec<String> = format.samples().iter().copied().map(depth_name).collect();
            return Err((message, format!("leave `depth` out, or choose: {}", depths.join(", "))));
        }
        match (options.preset, Format::from_extension(Path::new(file)), size_of(from.0, from.1)) {
            (Some(preset), Some(format), Some(size)) => preset.check(format, size),
            _ => Ok(()),
        }
    });
    written.or_else(|(message, help)| fail(message, help))
}

/// What a type of sample is called in graphs.
fn depth_name(sample: Sample) -> String {
    sample.name().to_uppercase()
}

/// The samples that a node's maps will have, where that is known before anything runs: the graph's, unless a `Resample`
/// on the way gives others.
fn size_of(graph: &TerrainGraph, node: &str) -> Option<(usize, usize)> {
    let own = graph.header.as_any().downcast_ref::<Terrain>()?.0.size;
    let (mut open, mut seen) = (vec![node], HashSet::from([node]));
    while let Some(name) = open.pop() {
        let Some(given) = graph.nodes.get(name).map(GraphNode::node) else { continue };
        let spec = given.spec();
        if spec.name == Resample::spec().name {
            let size = spec.params.iter().position(|param| param.name == "size")?;
            let size: Option<(usize, usize)> = read_value(&given.param(size))?;
            match size {
                // Without a size it brings any map to the graph's samples.
                None => continue,
                Some(size) => return (name == node).then_some(size),
            }
        }
        let wires = (0..spec.inputs.len()).filter_map(|index| given.port(index).source().wire());
        open.extend(wires.map(|wire| &*wire.node).filter(|giver| seen.insert(giver)));
    }
    Some(own)
}
