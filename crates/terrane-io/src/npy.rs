//! NumPy's array format, versions 1 to 3: two dimensions of numbers.

use std::io;

use terrane_grid::{Grid, Heightmap};

use crate::atomic::WriteSeek;
use crate::error::Problem;
use crate::read::{Raster, ReadOptions, check_size};

const MAGIC: &[u8] = b"\x93NUMPY";

pub fn decode(bytes: &[u8], options: &ReadOptions) -> Result<Raster, Problem> {
    let early = || Problem::broken("it ends early");
    let version = *bytes.get(6).ok_or_else(early)?;
    let (length, start) = if version == 1 {
        let length = bytes.get(8..10).ok_or_else(early)?;
        (usize::from(u16::from_le_bytes([length[0], length[1]])), 10usize)
    } else {
        let length = bytes.get(8..12).ok_or_else(early)?;
        (u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize, 12)
    };
    let header = bytes.get(start..start.saturating_add(length)).ok_or_else(early)?;
    let header = std::str::from_utf8(header).map_err(Problem::broken)?;
    let header = Header::parse(header)?;
    let (width, height) = check_size(header.shape[1], header.shape[0], options)?;
    let data = &bytes[start + length..];
    let size = header.kind.size();
    if data.len() < width * height * size {
        return Err(Problem::broken(format!(
            "it has {} bytes for {width} x {height} samples of {size}",
            data.len()
        )));
    }
    let at =
        |column: usize, row: usize| if header.fortran { column * height + row } else { row * width + column };
    let grid = Grid::from_fn(width, height, |column, row| {
        let start = at(column, row) * size;
        header.kind.read(&data[start..start + size], header.big)
    });
    Ok(Raster { grid, greatest_code: None, georef: None })
}

struct Header {
    kind: Kind,
    big: bool,
    fortran: bool,
    /// Rows and columns.
    shape: [u64; 2],
}

impl Header {
    /// The dictionary `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`.
    fn parse(text: &str) -> Result<Self, Problem> {
        let broken = || Problem::broken("its header is not NumPy's");
        let after = |key: &str| {
            text.split_once(key).map(|(_, rest)| rest.trim_start().trim_start_matches(':').trim_start())
        };
        let descr =
            after("'descr'").and_then(|rest| rest.strip_prefix('\'')?.split_once('\'')).ok_or_else(broken)?.0;
        let fortran = after("'fortran_order'").ok_or_else(broken)?.starts_with("True");
        let shape =
            after("'shape'").and_then(|rest| rest.strip_prefix('(')?.split_once(')')).ok_or_else(broken)?.0;
        let sides: Result<Vec<u64>, _> =
            shape.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::parse).collect();
        let sides = sides.map_err(|_| broken())?;
        let shape = <[u64; 2]>::try_from(sides).map_err(|sides| {
            Problem::new(
                format!("its array has {} dimensions", sides.len()),
                "save one of two dimensions: rows and columns",
            )
        })?;
        let (order, code) = descr.split_at_checked(1).ok_or_else(broken)?;
        let kind = Kind::from_code(code).ok_or_else(|| {
            Problem::new(
                format!("its values are of type `{descr}`"),
                "save real or whole numbers: f2, f4, f8, i1 to i8, u1 to u8",
            )
        })?;
        Ok(Self { kind, big: order == ">", fortran, shape })
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Float(usize),
    Signed(usize),
    Unsigned(usize),
}

impl Kind {
    fn from_code(code: &str) -> Option<Self> {
        let (letter, size) = code.split_at_checked(1)?;
        let size: usize = size.parse().ok()?;
        match (letter, size) {
            ("f", 4 | 8) => Some(Self::Float(size)),
            ("i", 1 | 2 | 4 | 8) => Some(Self::Signed(size)),
            ("u" | "b", 1) | ("u", 2 | 4 | 8) => Some(Self::Unsigned(size)),
            _ => None,
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::Float(size) | Self::Signed(size) | Self::Unsigned(size) => size,
        }
    }

    fn read(self, bytes: &[u8], big: bool) -> f32 {
        let mut wide = [0u8; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        if big {
            wide[..bytes.len()].reverse();
        }
        let bits = u64::from_le_bytes(wide);
        match self {
            Self::Float(4) => f32::from_bits(bits as u32),
            Self::Float(_) => f64::from_bits(bits) as f32,
            Self::Unsigned(_) => bits as f32,
            Self::Signed(size) => {
                let shift = 64 - 8 * size as u32;
                ((bits << shift) as i64 >> shift) as f32
            }
        }
    }
}

pub fn encode(out: &mut dyn WriteSeek, map: &Heightmap) -> io::Result<()> {
    let mut header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", map.height(), map.width());
    // The data begins at a multiple of 64 bytes.
    let padding = 63 - (MAGIC.len() + 4 + header.len()) % 64;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    out.write_all(MAGIC)?;
    out.write_all(&[1, 0])?;
    out.write_all(&(header.len() as u16).to_le_bytes())?;
    out.write_all(header.as_bytes())?;
    for row in 0..map.height() {
        let bytes: Vec<u8> = map.grid().row(row).iter().flat_map(|h| h.to_le_bytes()).collect();
        out.write_all(&bytes)?;
    }
    Ok(())
}
