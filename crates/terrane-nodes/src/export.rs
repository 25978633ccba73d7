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
/// The first that is wrong with an option.
pub fn write_options<'a>(options: impl Iterator<Item = (&'a str, &'a str)>) -> Result<WriteOptions, Mistake> {
    let mut out = WriteOptions::default();
    let mut own = None;
    for (name, value) in options {
        read_option(&mut out, name, value)?;
        own = own.or(Some(name).filter(|name| OWN.contains(name)));
    }
    together(&mut out, own)?;
    Ok(out)
}

/// Options that an engine's preset decides.
const OWN: [&str; 2] = ["depth", "endian"];

/// All options.
const OPTIONS: [&str; 4] = ["range", "depth", "endian", "preset"];

/// Reads one option.
fn read_option(out: &mut WriteOptions, name: &str, value: &str) -> Result<(), Mistake> {
    let choose = |known: &[&str], intro: &str| {
        Err((format!("`{name}` is {}", suggest::shorten(value)), suggest::help(value, known, intro)))
    };
    match name {
        "preset" => match Preset::from_name(value) {
            Some(preset) => out.preset = Some(preset),
            None => return choose(&Preset::ALL.map(Preset::name), "the engines are"),
        },
        "range" => match read_value::<(f64, f64)>(value) {
            // In a map heights are 32-bit numbers.
            Some((low, high)) if [low, high].iter().all(|&h| (h as f32).is_finite()) && low < high => {
                out.range = CodeRange::Fixed(low, high);
            }
            _ => {
                let message = format!("`range` is {}", suggest::shorten(value));
                return Err((message, "write range: (lowest, highest)".to_owned()));
            }
        },
        "depth" => {
            let depths =
                [("U8", Sample::U8), ("U16", Sample::U16), ("I16", Sample::I16), ("F32", Sample::F32)];
            match depths.iter().find(|(depth, _)| *depth == value) {
                Some((_, sample)) => out.sample = Some(*sample),
                None => return choose(&depths.map(|(depth, _)| depth), "the choices are"),
            }
        }
        "endian" => match value {
            "Little" => out.endian = Endian::Little,
            "Big" => out.endian = Endian::Big,
            _ => return choose(&["Little", "Big"], "the choices are"),
        },
        _ => {
            let help = suggest::help(name, &OPTIONS, "the options are");
            return Err((format!("an Export has no option `{name}`"), help));
        }
    }
    Ok(())
}

/// What options mean together; `own` is one that a preset decides.
fn together(out: &mut WriteOptions, own: Option<&str>) -> Result<(), Mistake> {
    if let (Some(preset), Some(own)) = (out.preset, own) {
        let message = format!("`preset: {}` and `{own}` are given together", preset.name());
        return Err((message, format!("leave `{own}` out: the engine decides")));
    }
    if out.sample == Some(Sample::I16) && out.range == CodeRange::MinMax {
        // What elevation models in whole metres do.
        out.range = CodeRange::Whole;
    }
    Ok(())
}

/// Whether a value of a kind can go into a file of that name.
///
/// # Errors
/// All that is wrong, each with what would do.
pub fn check_output(
    kind: &Kind,
    file: &str,
    options: &[Field<'_>],
    from: (&TerrainGraph, &str),
) -> Result<(), Vec<FieldError>> {
    check_kind(kind, file, options)
        .map_err(|(message, help)| vec![FieldError { span: None, message, help }])?;
    let mut out = WriteOptions::default();
    let mut errors = Vec::new();
    for option in options {
        if let Err((message, help)) = read_option(&mut out, option.name, option.value) {
            let is_known = OPTIONS.contains(&option.name);
            let span = if is_known { &option.value_span } else { &option.name_span };
            errors.push(FieldError { span: Some(span.clone()), message, help });
        }
    }
    let given = |name: &str| options.iter().find(|option| option.name == name);
    let own = OWN.into_iter().find(|name| given(name).is_some());
    let depth = given("depth").map(|option| option.value_span.clone());
    if errors.is_empty()
        && let Err((message, help)) = together(&mut out, own).and_then(|()| check_format(&out, file, from))
    {
        errors.push(FieldError { span: depth, message, help });
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Whether a kind has a file of that name, and takes options.
fn check_kind(kind: &Kind, file: &str, options: &[Field<'_>]) -> Result<(), Mistake> {
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
            let message = format!("a {other} cannot be written to a file");
            return Err((message, "connect another output".to_owned()));
        }
    };
    let extension =
        Path::new(file).extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if !extension.is_some_and(|extension| extensions.contains(&extension.as_str())) {
        let names = extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ");
        return Err((
            format!("a {} cannot be written to `{file}`", kind.name),
            format!("choose one of {names}"),
        ));
    }
    if kind.name != Map::KIND && !options.is_empty() {
        let help = "only maps have range, depth, endian and preset".to_owned();
        return Err((format!("a {} takes no options", kind.name), help));
    }
    Ok(())
}

/// Whether the format of a map's file has what its options ask for.
fn check_format(options: &WriteOptions, file: &str, from: (&TerrainGraph, &str)) -> Result<(), Mistake> {
    let Some(format) = Format::from_extension(Path::new(file)) else { return Ok(()) };
    if let (None, Some(sample)) = (options.preset, options.sample)
        && !format.samples().contains(&sample)
    {
        let depths: Vec<String> = format.samples().iter().copied().map(depth_name).collect();
        return Err((
            format!("`{file}` cannot have the depth {}: {format} is not written so", depth_name(sample)),
            format!("leave `depth` out, or choose: {}", depths.join(", ")),
        ));
    }
    match (options.preset, size_of(from.0, from.1)) {
        (Some(preset), Some(size)) => preset.check(format, size),
        _ => Ok(()),
    }
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
