//! The outputs of terrain graphs: the files to which they can be written, and the options for writing.

use std::collections::HashSet;
use std::path::Path;

use terrane_flow::syntax::{Literally, Problem, Tree};
use terrane_flow::{
    CheckedOutput, Data, Declare, Field, FieldError, Fields as Reader, Graph as TerrainGraph, GraphNode,
    Kind, suggest,
};
use terrane_io::{CodeRange, Effort, Endian, Format, Preset, Sample, Sidecar, WriteOptions};

use crate::shaping::Resample;
use crate::sources::ByteOrder;
use crate::terrain::Terrain;
use crate::values::{KINDS, Map, TerrainKind};

/// Sample types of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Depth {
    /// Whole numbers from 0 to 255.
    U8,
    /// Whole numbers from 0 to 65,535.
    U16,
    /// Whole numbers from -32,768 to 32,767, as in elevation models in whole metres.
    I16,
    /// 32-bit floating-point numbers.
    F32,
}

impl From<Depth> for Sample {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::U8 => Self::U8,
            Depth::U16 => Self::U16,
            Depth::I16 => Self::I16,
            Depth::F32 => Self::F32,
        }
    }
}

/// An output with options for its file.
///
/// Maps accept all options except `quality`, and pictures accept `compression` and `quality`. An output
/// without options is just the node's name, as in `"height.tif": "worn"`. The extension of the file
/// determines the format. `Export` determines what the file contains.
///
/// # Example
///
/// ```text
/// outputs: {
///     "height.png": Export(from: "worn", range: (0, 1000), depth: U16),
///     "engine/height.raw": Export(from: "worn", preset: Unity),
///     "relief.png": Export(from: "relief", compression: Small),
///     "relief.jpg": Export(from: "relief", quality: 80),
/// }
/// ```
#[derive(Clone, Debug, Declare)]
#[node(
    category = "files",
    words = "write save output file format options bits png tiff exr unity unreal godot engine raw \
        sixteen preset heightmap store"
)]
pub struct Export {
    /// The node, or `"node.output"`, to write.
    #[param()]
    pub from: String,
    /// For formats with whole numbers: the heights that are stored as the lowest and the highest number.
    /// Default: the map's minimum and maximum. With `depth: I16`, the default is to round heights to whole
    /// numbers without scaling.
    #[param(default = None, unit = "world units")]
    pub range: Option<(f64, f64)>,
    /// Type of the samples. Default: the most precise type of the format.
    #[param(default = None)]
    pub depth: Option<Depth>,
    /// Byte order of raw files. Default: `Little`.
    #[param(default = None)]
    pub endian: Option<ByteOrder>,
    /// Game engine, which determines `depth` and `endian`.
    #[param(default = None)]
    pub preset: Option<Preset>,
    /// How strongly PNG and TIFF files are compressed. Other formats ignore this option.
    #[param(default = Effort::Fast)]
    pub compression: Effort,
    /// Quality of a JPEG, from 1 (the smallest file) to 100 (the best picture). Default: 90.
    #[param(default = None, min = 1.0, max = 100.0)]
    pub quality: Option<u64>,
}

/// Reads the options of an `Export` that writes a heightmap.
///
/// # Errors
/// The first mistake in an option.
pub fn write_options<'a>(options: impl Iterator<Item = (&'a str, &'a str)>) -> Result<WriteOptions, Problem> {
    let fields: Vec<Field<'_>> = options
        .map(|(name, value)| Field {
            name,
            name_span: 0..0,
            value,
            value_span: 0..0,
            is_wrong: false,
            tree: None,
        })
        .collect();
    let (export, errors) = read_export(&fields);
    if let Some(error) = errors.into_iter().next() {
        return Err(Problem::new(error.message, error.help));
    }
    export.options()
}

/// Reads options from their texts. Each error carries the span of its option.
fn read_export(options: &[Field<'_>]) -> (Export, Vec<FieldError>) {
    let trees: Vec<Tree> = options.iter().map(|option| Tree::parse(option.value)).collect();
    let read: Vec<Field<'_>> = options
        .iter()
        .zip(&trees)
        .map(|(option, tree)| Field {
            value_span: 0..option.value.len(),
            tree: tree.value(),
            ..option.clone()
        })
        .collect();
    let mut errors = Vec::new();
    for (option, field) in options.iter().zip(&read) {
        let mut fields =
            Reader::new(Export::spec(), std::slice::from_ref(field), &Literally).of_broken_text(true);
        let is_known = fields.is_right();
        Export::from_fields(&mut fields);
        let span = if is_known { &option.value_span } else { &option.name_span };
        let found = fields.into_errors().into_iter();
        errors.extend(found.map(|error| FieldError { span: Some(span.clone()), ..error }));
    }
    let mut fields = Reader::new(Export::spec(), &read, &Literally).of_broken_text(true);
    let export = Export::from_fields(&mut fields);
    if let (None, Some((low, high))) = (errors.first(), export.range)
        && !([low, high].iter().all(|&h| (h as f32).is_finite()) && low < high)
    {
        let span =
            options.iter().find(|option| option.name == "range").map(|option| option.value_span.clone());
        let message = format!("`range` is ({low}, {high})");
        errors.push(FieldError::new("out-of-range", span, message, "write range: (lowest, highest)"));
    }
    (export, errors)
}

impl Export {
    /// The options for writing the file.
    fn options(&self) -> Result<WriteOptions, Problem> {
        let decided = match (self.depth, self.endian) {
            (Some(_), _) => Some("depth"),
            (None, Some(_)) => Some("endian"),
            (None, None) => None,
        };
        if let (Some(preset), Some(option)) = (self.preset, decided) {
            let message = format!("`preset: {preset:?}` and `{option}` exclude each other");
            return Err(Problem::new(message, format!("leave `{option}` out: the preset determines it")));
        }
        let range = match (self.range, self.depth) {
            (Some((low, high)), _) => CodeRange::Fixed(low, high),
            // `I16` is for elevation models in whole metres, so heights are rounded and not scaled.
            (None, Some(Depth::I16)) => CodeRange::Whole,
            (None, _) => CodeRange::MinMax,
        };
        Ok(WriteOptions {
            range,
            sample: self.depth.map(Sample::from),
            endian: self.endian.map_or(Endian::Little, Endian::from),
            preset: self.preset,
            effort: self.compression,
            quality: self.quality.and_then(|quality| u8::try_from(quality).ok()),
            ..WriteOptions::default()
        })
    }
}

/// Checks that a value of a kind can be written to a file of this name.
///
/// # Errors
/// Every mistake, each with a suggestion.
pub fn check_output(
    kind: &Kind,
    file: &str,
    options: &[Field<'_>],
    from: CheckedOutput<'_>,
) -> Result<(), Vec<FieldError>> {
    check_kind(kind, file, options)
        .map_err(|Problem { message, help }| vec![FieldError::new("output", None, message, help)])?;
    let (export, mut errors) = read_export(options);
    let span = |name: &str| {
        options.iter().find(|option| option.name == name).map(|option| option.value_span.clone())
    };
    let format = Format::from_extension(Path::new(file));
    if let (Some(quality), Some(format)) = (span("quality"), format.filter(|format| !format.has_quality())) {
        let message = format!("`{file}` cannot have a quality: {format} keeps every colour");
        errors.push(FieldError::new(
            "output",
            Some(quality),
            message,
            "leave `quality` out, or write a .jpg",
        ));
    }
    let depth = span("depth");
    let whole = errors.is_empty().then(|| export.options());
    if let Some(Err(Problem { message, help })) =
        whole.map(|whole| whole.and_then(|options| check_format(&options, file, from)))
    {
        errors.push(FieldError::new("output", depth, message, help));
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// Checks that a kind can be written to a file of this name, with these options.
fn check_kind(kind: &Kind, file: &str, options: &[Field<'_>]) -> Result<(), Problem> {
    let is_list = |part: std::path::Component<'_>| {
        let name = part.as_os_str();
        name.eq_ignore_ascii_case("manifest.json") || name.eq_ignore_ascii_case("manifest.json.lock")
    };
    if Path::new(file).components().any(is_list) {
        let message = format!("an output cannot be named `{file}`: every run lists its outputs there");
        return Err(Problem::new(message, "choose another name".to_owned()));
    }
    let own = TerrainKind::find(kind);
    if let Some(Err(missing)) = Format::from_extension(Path::new(file)).map(Format::check_built)
        && own.is_some_and(|own| own.is_raster)
    {
        return Err(Problem::new(format!("`{file}` cannot be written: {missing}"), missing.remedy()));
    }
    let extensions = own.map(TerrainKind::extensions).unwrap_or_default();
    if extensions.is_empty() {
        let message = format!("{} cannot be written to a file", suggest::one(kind.name));
        return Err(Problem::new(message, "choose an output of another kind".to_owned()));
    }
    if !has_extension(file, &extensions) {
        let names = extensions.iter().map(|extension| format!(".{extension}")).collect::<Vec<_>>().join(", ");
        return Err(Problem::new(
            format!("{} cannot be written to `{file}`", suggest::one(kind.name)),
            format!("choose one of {names}"),
        ));
    }
    let taken = own.map_or(&[][..], |own| own.options);
    // For a kind that has options, `read_export` reports unknown names.
    let is_option =
        |name: &str| taken.is_empty() || Export::spec().params.iter().any(|param| param.name == name);
    if let Some(wrong) = options.iter().find(|option| !taken.contains(&option.name) && is_option(option.name))
    {
        let help = "only maps have range, depth, endian and preset; only maps and pictures have compression; \
            only pictures have quality";
        return Err(Problem::new(
            format!("{} takes no option `{}`", suggest::one(kind.name), wrong.name),
            help.to_owned(),
        ));
    }
    Ok(())
}

fn has_extension(file: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(file).extension().map(std::ffi::OsStr::to_ascii_lowercase);
    extension.is_some_and(|extension| extensions.iter().any(|other| extension == *other))
}

/// The files that may be written together with an output of this name: the sidecar, if the output can be a
/// map. The kind of the output is not known while the text is read.
pub fn companions(file: &str) -> Vec<String> {
    let may_have_sidecar =
        KINDS.iter().any(|kind| kind.has_sidecar && has_extension(file, &kind.extensions()));
    let sidecar = may_have_sidecar.then(|| Sidecar::path_of(Path::new(file)));
    sidecar.map(|sidecar| sidecar.to_string_lossy().into_owned()).into_iter().collect()
}

/// Checks that the format of a map's file supports the options.
fn check_format(options: &WriteOptions, file: &str, from: CheckedOutput<'_>) -> Result<(), Problem> {
    let Some(format) = Format::from_extension(Path::new(file)) else { return Ok(()) };
    if let (None, Some(sample)) = (options.preset, options.sample)
        && !format.samples().contains(&sample)
    {
        let depths: Vec<String> = format.samples().iter().copied().map(depth_name).collect();
        return Err(Problem::new(
            format!("`{file}` cannot have the depth {}: {format} does not support it", depth_name(sample)),
            format!("leave `depth` out, or choose: {}", depths.join(", ")),
        ));
    }
    if from.holes && options.writes_codes(Path::new(file)) {
        let message = format!(
            "`{file}` cannot have holes, but `{}` can have some: its whole numbers are all heights",
            from.node
        );
        return Err(Problem::new(
            message,
            format!(
                "write 32-bit numbers, as in a .tif, .exr or .npy without a `depth` of whole numbers, or {}",
                Map::WITHOUT_HOLES.unwrap_or_default()
            ),
        ));
    }
    match (options.preset, size_of(from.graph, from.node)) {
        (Some(preset), Some(size)) => {
            preset.check(format, size).map_err(|refusal| Problem::new(refusal.message, refusal.help))
        }
        _ => Ok(()),
    }
}

/// The name of a sample type in graphs.
fn depth_name(sample: Sample) -> String {
    sample.name().to_uppercase()
}

/// The size of a node's maps, or `None` if it is not known before the run. It is the graph's size, unless a
/// `Resample` upstream changes it.
fn size_of(graph: &TerrainGraph, node: &str) -> Option<(usize, usize)> {
    let own = Terrain::of(&*graph.header)?.domain.size;
    let (mut pending, mut seen) = (vec![node], HashSet::from([node]));
    while let Some(name) = pending.pop() {
        let Some(given) = graph.nodes.get(name).map(GraphNode::node) else { continue };
        if let Some(resample) = given.downcast::<Resample>() {
            match resample.size {
                // Without `size`, a `Resample` resamples any map to the graph's samples.
                None => continue,
                Some((columns, rows)) => return (name == node).then_some((columns as usize, rows as usize)),
            }
        }
        let wires = (0..given.spec().inputs.len()).filter_map(|index| given.port(index).source().wire());
        pending.extend(wires.map(|wire| &*wire.node).filter(|upstream| seen.insert(upstream)));
    }
    Some(own)
}
