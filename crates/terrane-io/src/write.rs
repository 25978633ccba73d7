//! Heightmaps, pictures and meshes to files.

use std::io;
use std::path::Path;

use terrane_grid::{Grid, Heightmap, Mesh};

use crate::atomic::{WriteSeek, Written, write_atomic};
use crate::error::IoError;
use crate::format::Format;
use crate::read::Endian;
use crate::sidecar::{Sidecar, sidecar_path};

/// How samples are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// 8 bit codes.
    U8,
    /// 16 bit codes.
    U16,
    /// Whole heights in 16 bits with a sign, in TIFF.
    I16,
    /// Heights as they are.
    F32,
}

/// How to write a heightmap.
#[derive(Clone, Copy, Debug, Default)]
pub struct WriteOptions {
    /// Heights of the least and greatest code of an integer file; what lies outside is cut. Without, the map's own least and
    /// greatest.
    pub range: Option<(f64, f64)>,
    /// How samples are stored; without, 16 bit in PNG and R16, as they are elsewhere.
    pub depth: Option<Depth>,
    /// Byte order of bare files.
    pub endian: Endian,
}

/// Heights as codes.
pub struct Codes {
    minimum: f64,
    scale: f64,
    greatest: f64,
}

impl Codes {
    fn new(minimum: f64, maximum: f64, greatest: u32) -> Self {
        let span = maximum - minimum;
        let greatest = f64::from(greatest);
        Self { minimum, scale: if span > 0.0 { greatest / span } else { 0.0 }, greatest }
    }

    /// The nearest code; a height that is not a number is code 0.
    pub fn code(&self, height: f32) -> u16 {
        let code = (f64::from(height) - self.minimum) * self.scale + 0.5;
        code.clamp(0.0, self.greatest + 0.5) as u16
    }
}

/// Writes a heightmap in the format of the extension. Integer and bare files get a sidecar that tells how to recover the
/// heights. Gives whether the file changed.
///
/// # Errors
/// [`IoError`] when the format cannot hold a heightmap so, or the file system refuses.
pub fn write_heightmap(path: &Path, map: &Heightmap, options: &WriteOptions) -> Result<Written, IoError> {
    let format = Format::from_extension(path)
        .filter(|format| Format::HEIGHTMAP.contains(format))
        .ok_or_else(|| wrong_extension(path, "heights", Format::HEIGHTMAP))?;
    let depth = depth(path, format, options)?;
    let (minimum, maximum) = options.range.unwrap_or_else(|| extremes(map));
    let greatest = match depth {
        Depth::U8 => 255,
        Depth::U16 => 65535,
        Depth::I16 | Depth::F32 => 0,
    };
    let codes = Codes::new(minimum, maximum, greatest);
    let written = write(path, |out| match format {
        Format::Png => crate::png::encode(out, map, &codes, depth),
        Format::Tiff => crate::tiff::encode(out, map, &codes, depth),
        Format::Exr => crate::exr::encode(out, map),
        Format::Npy => crate::npy::encode(out, map),
        _ => crate::raw::encode(out, map, &codes, depth, options.endian),
    })?;
    if greatest > 0 || matches!(format, Format::R32) {
        let domain = map.domain();
        let order = match (format, options.endian) {
            (Format::R16 | Format::R32, Endian::Little) => " little-endian",
            (Format::R16 | Format::R32, Endian::Big) => " big-endian",
            _ => "",
        };
        let samples = match depth {
            Depth::U8 => "u8",
            Depth::U16 => "u16",
            Depth::I16 => "i16",
            Depth::F32 => "f32",
        };
        let sidecar = Sidecar {
            terrane_sidecar: Sidecar::VERSION,
            file: path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            samples: format!("{samples}{order}"),
            size: [domain.width(), domain.height()],
            spacing: domain.spacing,
            origin: [domain.origin.0, domain.origin.1],
            minimum,
            maximum,
            greatest_code: greatest,
        };
        write(&sidecar_path(path), |out| {
            serde_json::to_writer_pretty(&mut *out, &sidecar)?;
            out.write_all(b"\n")
        })?;
    }
    Ok(written)
}

fn depth(path: &Path, format: Format, options: &WriteOptions) -> Result<Depth, IoError> {
    let (usual, allowed): (Depth, &[Depth]) = match format {
        Format::Png => (Depth::U16, &[Depth::U8, Depth::U16]),
        Format::R16 => (Depth::U16, &[Depth::U16]),
        Format::Tiff => (Depth::F32, &[Depth::F32, Depth::U16, Depth::I16]),
        _ => (Depth::F32, &[Depth::F32]),
    };
    match options.depth {
        Some(depth) if !allowed.contains(&depth) => Err(IoError::new(
            path,
            format!("{format} files do not hold {depth:?} samples"),
            format!("choose one of {allowed:?}"),
        )),
        depth => Ok(depth.unwrap_or(usual)),
    }
}

fn extremes(map: &Heightmap) -> (f64, f64) {
    let finite = || map.samples().iter().copied().filter(|h| h.is_finite());
    let (low, high) = (finite().fold(f32::MAX, f32::min), finite().fold(f32::MIN, f32::max));
    if low > high { (0.0, 0.0) } else { (f64::from(low), f64::from(high)) }
}

/// Writes a picture.
///
/// # Errors
/// [`IoError`] when the extension is not `.png`, or the file system refuses.
pub fn write_picture(path: &Path, picture: &Grid<[u8; 3]>) -> Result<Written, IoError> {
    match Format::from_extension(path) {
        Some(Format::Png) => write(path, |out| crate::png::encode_picture(out, picture)),
        _ => Err(wrong_extension(path, "a picture", Format::PICTURE)),
    }
}

/// Writes a mesh.
///
/// # Errors
/// [`IoError`] when the extension is not that of a mesh, or the file system refuses.
pub fn write_mesh(path: &Path, mesh: &Mesh) -> Result<Written, IoError> {
    match Format::from_extension(path) {
        Some(Format::Obj) => write(path, |out| crate::mesh::encode_obj(out, mesh)),
        Some(Format::Gltf) => write(path, |out| crate::mesh::encode_gltf(out, mesh)),
        Some(Format::Glb) => write(path, |out| crate::mesh::encode_glb(out, mesh)),
        _ => Err(wrong_extension(path, "a mesh", Format::MESH)),
    }
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn WriteSeek) -> io::Result<()>) -> Result<Written, IoError> {
    write_atomic(path, fill).map_err(|error| {
        IoError::new(
            path,
            format!("cannot write: {error}"),
            "check the folder's permissions and the disk's free space",
        )
    })
}

fn wrong_extension(path: &Path, what: &str, formats: &[Format]) -> IoError {
    let known: Vec<String> = formats.iter().map(ToString::to_string).collect();
    IoError::new(
        path,
        format!("{what} cannot be written to a file of that name"),
        format!("choose one of {}", known.join(", ")),
    )
}

/// A picture as the bytes of a PNG file.
///
/// # Errors
/// When the picture is empty or too large for PNG.
pub fn picture_bytes(picture: &Grid<[u8; 3]>) -> io::Result<Vec<u8>> {
    let mut out = io::Cursor::new(Vec::new());
    crate::png::encode_picture(&mut out, picture)?;
    Ok(out.into_inner())
}
