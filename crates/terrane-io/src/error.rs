//! Problems with files, with what was expected and what to do.

use std::path::{Path, PathBuf};

use crate::{Format, Kind, Sample};

/// A file that could not be read or written: its path, the problem, what was expected and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}; expected {}; {}", path.display(), problem.expected(), self.remedy())]
pub struct IoError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The operating system refused to open or read the file.
    #[error("cannot be read ({0})")]
    Read(#[source] std::io::Error),
    /// The operating system refused to write the file.
    #[error("cannot be written ({0})")]
    Write(#[source] std::io::Error),
    /// The file has no bytes.
    #[error("the file is empty")]
    Empty,
    /// Neither the content nor the extension belongs to a known format.
    #[error("neither the content (it starts with {found}) nor the extension names a known format")]
    Unrecognised {
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// This build lacks the feature that the format needs.
    #[error("this build has no {format}")]
    Missing {
        /// The name of the format.
        format: &'static str,
        /// The feature.
        feature: &'static str,
    },
    /// The content does not match the format of the extension.
    #[error("named as {format}, but the content starts with {found}")]
    WrongMagic {
        /// The format of the extension or of the options.
        format: Format,
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// The name of a file to write has no known extension.
    #[error("the extension names no format")]
    UnknownExtension {
        /// What was to be written.
        kind: Kind,
    },
    /// The format exists but does not hold this kind of value.
    #[error("{format} does not hold a {kind}")]
    WrongKind {
        /// The format of the extension or of the options.
        format: Format,
        /// What was to be written.
        kind: Kind,
    },
    /// The format exists, but files of it are not read as this kind of value.
    #[error("{format} is not read as a {kind}")]
    NotRead {
        /// The format of the content, or of the extension.
        format: Format,
        /// What was to be read.
        kind: Kind,
    },
    /// The format does not hold this type of sample.
    #[error("{format} is not written with {sample} samples")]
    WrongSample {
        /// The format.
        format: Format,
        /// The type asked for.
        sample: Sample,
    },
    /// The file ends too early.
    #[error("{format} of {found} bytes ends before its content does")]
    Truncated {
        /// The format.
        format: Format,
        /// The bytes that the header requires.
        needed: u64,
        /// The bytes that exist.
        found: u64,
    },
    /// The content violates the rules of its format.
    #[error("damaged {format}: {detail}")]
    Damaged {
        /// The format.
        format: Format,
        /// The violated rule.
        detail: String,
    },
    /// The content is valid, but it uses a variant of the format that is not supported.
    #[error("this kind of {format} is not read: {detail}")]
    Unsupported {
        /// The format.
        format: Format,
        /// The variant.
        detail: String,
    },
    /// Heights with a second channel, which says how transparent they are.
    #[error("this kind of {format} is not read: a second channel is transparency (alpha)")]
    Transparency {
        /// The format.
        format: Format,
    },
    /// Several channels, each of which could be the heights.
    #[error("the OpenEXR has several channels: {channels}")]
    ManyChannels {
        /// Their names.
        channels: String,
        /// The first name.
        first: String,
    },
    /// A channel that is not in the file.
    #[error("the OpenEXR has no channel `{named}`: it has {channels}")]
    NoChannel {
        /// The channel asked for.
        named: String,
        /// The names of those in the file.
        channels: String,
    },
    /// A raster that is rotated or sheared on its map.
    #[error("the {format} is turned on its map: {detail}")]
    Turned {
        /// The format.
        format: Format,
        /// By how much.
        detail: String,
    },
    /// A colour picture where heights were expected.
    #[error("the {format} is a colour picture: the channels differ first at column {column}, row {row}")]
    Colour {
        /// The format.
        format: Format,
        /// Column of the first coloured sample.
        column: usize,
        /// Row of the first coloured sample.
        row: usize,
    },
    /// More columns or rows than the format can hold.
    #[error("{format} has at most {most} columns and rows, and this has {width} x {height}")]
    TooLong {
        /// The format.
        format: Format,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The maximum of both.
        most: usize,
    },
    /// More samples than the limit, or than the format can hold.
    #[error("{width} x {height} samples are too many")]
    TooLarge {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// The maximum number of samples.
        limit: u64,
    },
    /// There is not enough memory for the samples.
    #[error("no memory for {samples} samples")]
    Memory {
        /// The number of samples.
        samples: u64,
    },
    /// The samples need more memory than the limit.
    #[error("{width} x {height} samples need {} of memory, but the limit is {}", human(*needs), human(*has))]
    Room {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// The memory that reading needs, in bytes.
        needs: u64,
        /// The memory limit, in bytes.
        has: u64,
    },
    /// The header claims far too many samples for the length of the file: nearly all of them would be
    /// missing.
    #[error("{format} of {bytes} bytes says that it has {width} x {height} samples")]
    Sparse {
        /// The format.
        format: Format,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
        /// Length of the file.
        bytes: u64,
    },
    /// A raster without any sample.
    #[error("{width} columns and {height} rows have no sample")]
    NoSample {
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A raw file whose columns and rows are unknown.
    #[error("{bytes} bytes of {sample} samples are not a square, and columns and rows are unknown")]
    RawSize {
        /// Length of the file.
        bytes: u64,
        /// Type of its samples.
        sample: Sample,
    },
    /// A raw file whose length does not match its columns and rows.
    #[error("{found} bytes do not hold {width} x {height} {sample} samples")]
    RawLength {
        /// Length of the file.
        found: u64,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// Type of the samples.
        sample: Sample,
    },
    /// No sample is valid.
    #[error("all {samples} samples are missing (nodata, masked, NaN or infinite)")]
    AllMissing {
        /// Samples in the file.
        samples: usize,
    },
    /// There is nothing to write.
    #[error("there is nothing to write: {detail}")]
    Nothing {
        /// What is empty.
        detail: &'static str,
    },
    /// Values that are not finite cannot become integer codes or a mesh.
    #[error("{count} values are NaN or infinite")]
    NotFinite {
        /// How many.
        count: usize,
    },
    /// The sidecar beside the file is damaged or belongs to another file.
    #[error("its sidecar {} {detail}", sidecar.display())]
    Sidecar {
        /// The sidecar.
        sidecar: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// The sidecar beside the file was written for other data.
    #[error(
        "its sidecar {} was written for another file of this name, or the file was edited since",
        sidecar.display()
    )]
    OtherData {
        /// The sidecar.
        sidecar: PathBuf,
    },
    /// An option with an invalid value.
    #[error("the option `{name}` is {value}")]
    BadOption {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
    /// The game engine does not accept such a file.
    #[error("{detail}")]
    Engine {
        /// What the engine does not accept.
        detail: String,
        /// What it accepts.
        remedy: String,
    },
    /// An invalid file of lines.
    #[error("{detail}")]
    Lines {
        /// Line and column, counted from 1, if known.
        at: Option<(usize, usize)>,
        /// What is wrong.
        detail: String,
        /// What to do.
        remedy: &'static str,
    },
    /// An invalid file of points.
    #[error("{detail}")]
    Points {
        /// The line and, if known, the column, counted from 1.
        at: Option<(usize, Option<usize>)>,
        /// What is wrong.
        detail: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A mesh whose parts do not fit together.
    #[error("the mesh is inconsistent: {detail}")]
    BadMesh {
        /// What does not fit.
        detail: String,
    },
}

impl Problem {
    /// This problem, with the path of its file.
    pub(crate) fn at(self, path: &Path) -> IoError {
        IoError { path: path.to_owned(), problem: self }
    }
}

/// The result of an encoder or decoder that does not know its file's path.
pub(crate) type Outcome<T> = Result<T, Problem>;

/// A number of bytes in a readable unit.
fn human(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let (mut value, mut unit) = (bytes as f64, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", UNITS[unit]) }
}
