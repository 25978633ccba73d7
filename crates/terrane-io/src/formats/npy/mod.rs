//! NPY, the array file of `NumPy` (format versions 1 to 3):
//! <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.
//!
//! Reading: two-dimensional arrays (ignoring axes of length one) of integers, booleans and floating-point
//! numbers of 8 to 64 bits, in either byte order, in C or Fortran order. Writing: `<f4` in C order, version
//! 1, with the data at a multiple of 64 bytes.

mod header;

use std::io::{self, Read, SeekFrom};

use crate::{
    Endian, Format, Problem, Sample,
    codec::{Codec, Heights, Input, Reader, Sink},
    error::Outcome,
    exact::Rules,
    format::Description,
    limits::{Head, Limits},
    numbers,
    raster::{Raster, reserve},
};
use header::{Header, parse};

impl Format {
    /// `NumPy`'s array file.
    pub const NPY: Self = Self(&Description {
        name: "NPY",
        extensions: &["npy"],
        samples: &[Sample::F32],
        ..Description::DEFAULT
    });
}

pub(super) static CODEC: Codec = Codec {
    reader: Some(Reader { recognise: |start| start.starts_with(MAGIC), head, read }),
    heightmap: Some(write),
    ..Codec::new(Format::NPY)
};

/// The first bytes of every file.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The maximum length of a header. Headers of plain arrays have about a hundred bytes.
const MAX_HEADER_BYTES: u64 = 1 << 20;

/// The description of the raster, without its samples.
fn head(mut input: Input<'_>) -> Outcome<Head> {
    let size = begin(&mut input.source, input.length, input.limits)?.0;
    Ok(Head { size, missing: false, overhead: 0, georef: None })
}

/// The size, the header, and the offset of the samples.
fn begin(input: &mut impl Read, length: u64, limits: Limits) -> Outcome<((usize, usize), Header, u64)> {
    let (header, start) = read_header(input, length)?;
    let (width, height) = limits.size(header.columns, header.rows)?;
    let needed = (width as u64 * height as u64) * header.sample.bytes() as u64 + start;
    if needed > length {
        return Err(Problem::Truncated { format: Format::NPY, needed, found: length });
    }
    Ok(((width, height), header, start))
}

fn read(input: Input<'_>) -> Outcome<Raster> {
    let Input { mut source, length, limits, layout } = input;
    let ((width, height), header, start) = begin(&mut source, length, limits)?;
    source.seek(SeekFrom::Start(start)).map_err(Problem::Read)?;
    let mut samples = reserve(width * height)?;
    let rules = Rules::of(header.sample, &layout.given, None, None);
    if header.fortran {
        read_columns(&mut source, &header, &rules, (width, height), &mut samples)?;
    } else {
        let mut bytes = vec![0; width * header.sample.bytes()];
        for _ in 0..height {
            source.read_exact(&mut bytes).map_err(Problem::Read)?;
            numbers::append(header.sample, header.endian, &rules, &bytes, &mut samples);
        }
    }
    Ok(Raster { rules, ..Raster::new((width, height), samples, header.sample) })
}

/// The header, and the offset of the data.
fn read_header(input: &mut impl Read, length: u64) -> Outcome<(Header, u64)> {
    let truncated = |needed| Problem::Truncated { format: Format::NPY, needed, found: length };
    let damaged = |detail: String| Problem::Damaged { format: Format::NPY, detail };
    let mut magic = [0; 8];
    input.read_exact(&mut magic).map_err(|_| truncated(10))?;
    let (wide, start) = match (&magic[..6], magic[6]) {
        (MAGIC, 1) => (false, 10),
        (MAGIC, 2 | 3) => (true, 12),
        (MAGIC, other) => {
            return Err(Problem::Unsupported { format: Format::NPY, detail: format!("version {other}") });
        }
        _ => return Err(damaged("it does not start with the NPY signature".into())),
    };
    let mut count = [0; 4];
    input.read_exact(&mut count[..if wide { 4 } else { 2 }]).map_err(|_| truncated(start))?;
    let count = u64::from(u32::from_le_bytes(count));
    if start + count > length {
        return Err(truncated(start + count));
    }
    if count > MAX_HEADER_BYTES {
        return Err(damaged(format!("a header of {count} bytes")));
    }
    let mut text = String::new();
    input.take(count).read_to_string(&mut text).map_err(|_| damaged("the header is not text".into()))?;
    Ok((parse(&text)?, start + count))
}

/// Reads column by column, several columns at a time, so that neighbouring samples of a row are written
/// together.
fn read_columns(
    input: &mut impl Read,
    header: &Header,
    rules: &Rules,
    (width, height): (usize, usize),
    samples: &mut Vec<f32>,
) -> Outcome<()> {
    const TOGETHER: usize = 16;
    samples.resize(width * height, 0.0);
    let mut bytes = vec![0; height * header.sample.bytes()];
    let mut block = Vec::with_capacity(height * TOGETHER);
    for first in (0..width).step_by(TOGETHER) {
        block.clear();
        let columns = TOGETHER.min(width - first);
        for _ in 0..columns {
            input.read_exact(&mut bytes).map_err(Problem::Read)?;
            numbers::append(header.sample, header.endian, rules, &bytes, &mut block);
        }
        for (y, row) in samples.chunks_exact_mut(width).enumerate() {
            for (x, sample) in row[first..first + columns].iter_mut().enumerate() {
                *sample = block[x * height + y];
            }
        }
    }
    Ok(())
}

/// Writes heights bit for bit.
fn write(w: &mut dyn Sink, heights: &Heights<'_>) -> io::Result<()> {
    let (width, height) = heights.grid.size();
    let dictionary = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({height}, {width}), }}");
    // Magic, version and length are 10 bytes; a newline ends the padding.
    let total = (10 + dictionary.len() + 1).next_multiple_of(64);
    w.write_all(b"\x93NUMPY\x01\x00")?;
    w.write_all(&(total as u16 - 10).to_le_bytes())?;
    writeln!(w, "{dictionary:<padded$}", padded = total - 11)?;
    numbers::write_f32(w, heights.grid.as_slice(), Endian::Little)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::plain;
    use std::io::Cursor;
    use terrane_grid::Grid;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        if version == 1 {
            bytes.extend((header.len() as u16).to_le_bytes());
        } else {
            bytes.extend((header.len() as u32).to_le_bytes());
        }
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    fn decode(bytes: &[u8]) -> Outcome<Raster> {
        read(Input::new(&mut Cursor::new(bytes), bytes.len() as u64, Limits::samples(1 << 20)))
    }

    #[test]
    fn files_equal_those_of_numpy() {
        // numpy.save of numpy.float32([[1, 2, 3], [4, 5, 6]]), byte for byte.
        let grid = Grid::from_vec(3, 2, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let mut bytes = Cursor::new(Vec::new());
        write(&mut bytes, &plain(&grid)).unwrap();
        let mut wanted = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        wanted.extend(b"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
        wanted.resize(127, b' ');
        wanted.push(b'\n');
        for h in grid.as_slice() {
            wanted.extend(h.to_le_bytes());
        }
        assert_eq!(bytes.into_inner(), wanted);
    }

    #[test]
    fn both_orders_of_axes_and_all_versions() {
        let data: Vec<u8> = (1..=6i16).flat_map(i16::to_be_bytes).collect();
        for version in 1..=3 {
            let c = "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3)}\n";
            let raster = decode(&file(version, c, &data)).unwrap();
            assert_eq!((raster.width, raster.height, raster.sample), (3, 2, Sample::I16));
            assert_eq!(raster.samples, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
            let fortran = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3)}\n";
            let raster = decode(&file(version, fortran, &data)).unwrap();
            assert_eq!(raster.samples, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
        }
        assert!(matches!(decode(&file(9, "", &[])), Err(Problem::Unsupported { .. })));
    }

    #[test]
    fn a_wide_fortran_array() {
        let (width, height) = (37, 5);
        let data: Vec<u8> = (0..width)
            .flat_map(|x| (0..height).flat_map(move |y| (x as f64 + 0.5 * y as f64).to_le_bytes()))
            .collect();
        let header = "{'fortran_order': True, 'shape': (1, 5, 37), 'descr': '<f8', }";
        let raster = decode(&file(1, header, &data)).unwrap();
        for y in 0..height {
            for x in 0..width {
                assert_eq!(raster.samples[y * width + x], x as f32 + 0.5 * y as f32);
            }
        }
    }

    #[test]
    fn a_header_that_lies_is_truncated_or_too_large() {
        let header = |shape: &str| format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}}}");
        assert!(matches!(decode(&file(1, &header("(9, 9)"), &[0; 8])), Err(Problem::Truncated { .. })));
        let huge = decode(&file(2, &header("(4294967295, 4294967295)"), &[]));
        assert!(matches!(huge, Err(Problem::TooLarge { .. })));
        assert!(matches!(decode(b"\x93NUMPY\x02\x00\xff\xff\xff\xff"), Err(Problem::Truncated { .. })));
    }
}
