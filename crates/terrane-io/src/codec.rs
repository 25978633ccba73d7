//! The types of the functions that read and write a format, and of their arguments. The functions are in the
//! format's file in `formats/`.

use std::{
    io::{self, BufRead, Seek, Write},
    time::Duration,
};

use terrane_grid::{GeoReference, Grid, Mesh};

use crate::{
    Effort, Endian, Format, Kind, Problem, ReadOptions, Sample, Sidecar,
    codes::Coding,
    error::Outcome,
    exact::Given,
    limits::{Head, Limits},
    raster::Raster,
};

/// A format with its functions. The format holds a kind of value if it has the function that writes such
/// values.
pub(crate) struct Codec {
    pub format: Format,
    /// The maximum number of columns, and of rows, that can be written.
    pub longest_side: usize,
    pub reader: Option<Reader>,
    pub heightmap: Option<WriteHeights>,
    pub picture: Option<WritePicture>,
    pub read_picture: Option<ReadPicture>,
    pub animation: Option<WriteFrames>,
    pub mesh: Option<MeshWriter>,
}

/// Writes a heightmap.
pub(crate) type WriteHeights = fn(&mut dyn Sink, &Heights<'_>) -> io::Result<()>;
/// Writes a picture.
pub(crate) type WritePicture = fn(&mut dyn Sink, &Picture<'_>) -> io::Result<()>;
/// Reads a picture as 8-bit sRGB.
pub(crate) type ReadPicture = fn(Input<'_>) -> Outcome<Grid<[u8; 3]>>;
/// Writes an animation.
pub(crate) type WriteFrames = fn(&mut dyn Sink, &Frames<'_>) -> io::Result<()>;

/// The functions that read a raster as heights.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// Whether a file that starts with these bytes has the format. The slice holds a few kilobytes, or the
    /// whole of a shorter file. Always false for a format that only its extension names.
    pub recognise: fn(&[u8]) -> bool,
    /// The size, and the memory for decoding, from the header alone.
    pub head: fn(Input<'_>) -> Outcome<Head>,
    pub read: fn(Input<'_>) -> Outcome<Raster>,
}

/// The functions that write a mesh.
#[derive(Clone, Copy)]
pub(crate) struct MeshWriter {
    /// Fails for a mesh that is too large for the format.
    pub check: fn(&Mesh) -> Outcome<()>,
    pub write: fn(&mut dyn Sink, &Mesh) -> io::Result<()>,
}

impl Codec {
    /// A codec without functions; each format adds its own.
    pub const fn new(format: Format) -> Self {
        Self {
            format,
            longest_side: i32::MAX as usize,
            reader: None,
            heightmap: None,
            picture: None,
            read_picture: None,
            animation: None,
            mesh: None,
        }
    }

    /// Fails for more columns or rows than the format can hold.
    pub fn check_size(&self, (width, height): (usize, usize)) -> Outcome<()> {
        if width.max(height) <= self.longest_side {
            return Ok(());
        }
        Err(Problem::TooLong { format: self.format, width, height, most: self.longest_side })
    }

    /// Whether values of this kind can be written.
    pub const fn holds(&self, kind: Kind) -> bool {
        match kind {
            Kind::Heightmap => self.heightmap.is_some(),
            Kind::Picture => self.picture.is_some(),
            Kind::Animation => self.animation.is_some(),
            Kind::Mesh => self.mesh.is_some(),
        }
    }
}

/// The destination of a file's bytes. It can seek, because some formats rewrite their header at the end.
pub(crate) trait Sink: Write + Seek {}

impl<T: Write + Seek> Sink for T {}

/// The source of a file's bytes.
pub(crate) trait Source: BufRead + Seek {}

impl<T: BufRead + Seek> Source for T {}

/// A file to read, at its first byte.
pub(crate) struct Input<'a> {
    pub source: &'a mut dyn Source,
    /// The length of the file in bytes.
    pub length: u64,
    pub limits: Limits,
    pub layout: Layout<'a>,
}

impl<'a> Input<'a> {
    /// A file whose header describes its samples.
    #[cfg(test)]
    pub fn new(source: &'a mut dyn Source, length: u64, limits: Limits) -> Self {
        Self { source, length, limits, layout: Layout::default() }
    }
}

/// What a file does not say of its samples.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Layout<'a> {
    /// Columns and rows of raw samples. Default: a square.
    pub size: Option<(usize, usize)>,
    /// The byte order of raw samples.
    pub endian: Endian,
    /// The channel of an OpenEXR that has several.
    #[cfg_attr(not(feature = "exr"), expect(dead_code))]
    pub channel: Option<&'a str>,
    /// What else is known of the numbers.
    pub given: Given<'a>,
}

impl<'a> Layout<'a> {
    /// The layout from the options, otherwise from the sidecar.
    pub fn of(options: &'a ReadOptions, sidecar: Option<&Sidecar>, given: Given<'a>) -> Self {
        let size = options.size.or_else(|| sidecar.map(|s| (s.size[0], s.size[1])));
        let endian = options.endian.or_else(|| sidecar.and_then(|s| s.endian)).unwrap_or_default();
        Self { size, endian, channel: options.channel.as_deref(), given }
    }
}

/// A heightmap to write. It has at least one sample.
#[derive(Clone, Copy)]
pub(crate) struct Heights<'a> {
    pub grid: &'a Grid<f32>,
    /// One of the format's sample types.
    pub sample: Sample,
    /// How heights become codes; present exactly if `sample` is an integer type.
    pub coding: Option<&'a Coding>,
    pub georef: Option<&'a GeoReference>,
    pub effort: Effort,
    /// The byte order of raw samples.
    pub endian: Endian,
}

/// A picture to write. It has at least one sample.
pub(crate) struct Picture<'a> {
    pub samples: &'a Grid<[u8; 3]>,
    pub effort: Effort,
    /// The quality of lossy compression, from 1 to 100.
    #[cfg_attr(not(feature = "image"), expect(dead_code))]
    pub quality: u8,
}

/// Pictures of one size to write as an animation. There is at least one picture, with at least one sample.
pub(crate) struct Frames<'a> {
    pub pictures: &'a [Grid<[u8; 3]>],
    pub milliseconds: u32,
}

impl Frames<'_> {
    /// How long a picture is shown. The last one is shown ten times as long as the others.
    pub fn time(&self, index: usize) -> Duration {
        let times = if index + 1 == self.pictures.len() { 10 } else { 1 };
        Duration::from_millis(u64::from(self.milliseconds) * times)
    }
}
