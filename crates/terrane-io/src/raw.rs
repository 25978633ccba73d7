//! Bare numbers, row after row.

use std::io;

use terrane_grid::{Grid, Heightmap};

use crate::atomic::WriteSeek;
use crate::error::Problem;
use crate::format::Format;
use crate::read::{Endian, Raster, ReadOptions, check_size};
use crate::sidecar::Sidecar;
use crate::write::{Codes, Depth};

/// The size comes from the options, else the sidecar, else from the file being square.
pub fn decode(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
    sidecar: Option<&Sidecar>,
) -> Result<Raster, Problem> {
    let size = if format == Format::R16 { 2 } else { 4 };
    let count = (bytes.len() / size) as u64;
    let given = options.size.or_else(|| sidecar.map(|s| (s.size[0], s.size[1])));
    let (width, height) = match given {
        Some((width, height)) => (width as u64, height as u64),
        None => (count.isqrt(), count.isqrt()),
    };
    let (width, height) = check_size(width, height, options)?;
    if (width * height * size) as u64 != bytes.len() as u64 {
        return Err(Problem::new(
            format!("its {} bytes are not {width} x {height} samples of {size}", bytes.len()),
            "give the size: bare files do not say how many columns they have",
        ));
    }
    let big = match sidecar {
        Some(sidecar) => sidecar.samples.ends_with("big-endian"),
        None => options.endian == Endian::Big,
    };
    let samples = if format == Format::R16 {
        let code =
            |b: &[u8]| if big { u16::from_be_bytes([b[0], b[1]]) } else { u16::from_le_bytes([b[0], b[1]]) };
        bytes.chunks_exact(2).map(|b| f32::from(code(b))).collect()
    } else {
        let bits = |b: &[u8]| [b[0], b[1], b[2], b[3]];
        bytes
            .chunks_exact(4)
            .map(|b| if big { f32::from_be_bytes(bits(b)) } else { f32::from_le_bytes(bits(b)) })
            .collect()
    };
    let greatest_code = (format == Format::R16).then_some(65535);
    Ok(Raster { grid: Grid::from_vec(width, height, samples), greatest_code, georef: None })
}

pub fn encode(
    out: &mut dyn WriteSeek,
    map: &Heightmap,
    codes: &Codes,
    depth: Depth,
    endian: Endian,
) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(map.width() * 4);
    for row in 0..map.height() {
        bytes.clear();
        for &height in map.grid().row(row) {
            match (depth, endian) {
                (Depth::F32, Endian::Little) => bytes.extend(height.to_le_bytes()),
                (Depth::F32, Endian::Big) => bytes.extend(height.to_be_bytes()),
                (_, Endian::Little) => bytes.extend(codes.code(height).to_le_bytes()),
                (_, Endian::Big) => bytes.extend(codes.code(height).to_be_bytes()),
            }
        }
        out.write_all(&bytes)?;
    }
    Ok(())
}
