//! Raw samples, row by row: unsigned 16-bit (`.r16`, `.raw`) or 32-bit floats (`.r32`, `.f32`), as game
//! engines use them.

use std::io;

use crate::{
    Endian, Format, Problem, Sample,
    codec::{Codec, Heights, Input, Layout, Reader, Sink},
    codes::encode_row,
    error::Outcome,
    exact::Rules,
    format::Description,
    limits::{Head, Limits},
    numbers, pieces,
    raster::{Raster, reserve},
};

/// The number of bytes written together.
const PIECE_BYTES: usize = 1 << 18;

impl Format {
    /// Raw unsigned 16-bit samples, row by row.
    pub const RAW16: Self = Self(&Description {
        name: "raw 16-bit",
        extensions: &["r16", "raw"],
        samples: &[Sample::U16],
        is_raw: true,
        has_magic: false,
        ..Description::DEFAULT
    });

    /// Raw 32-bit floating-point samples, row by row.
    pub const RAW32: Self = Self(&Description {
        name: "raw 32-bit",
        extensions: &["r32", "f32"],
        samples: &[Sample::F32],
        is_raw: true,
        has_magic: false,
        ..Description::DEFAULT
    });
}

pub(super) static CODEC_16: Codec = Codec {
    reader: Some(Reader {
        recognise: |_| false,
        head: |input| head(input, Sample::U16),
        read: |input| read(input, Sample::U16),
    }),
    heightmap: Some(write),
    ..Codec::new(Format::RAW16)
};

pub(super) static CODEC_32: Codec = Codec {
    reader: Some(Reader {
        recognise: |_| false,
        head: |input| head(input, Sample::F32),
        read: |input| read(input, Sample::F32),
    }),
    heightmap: Some(write),
    ..Codec::new(Format::RAW32)
};

/// The description of the raster, without its samples.
fn head(input: Input<'_>, sample: Sample) -> Outcome<Head> {
    Ok(Head {
        size: size(input.length, input.layout, sample, input.limits)?,
        missing: false,
        overhead: 0,
        georef: None,
    })
}

fn size(length: u64, layout: Layout, sample: Sample, limits: Limits) -> Outcome<(usize, usize)> {
    let count = length / sample.bytes() as u64;
    let (width, height) = match layout.size {
        Some(size) => size,
        None => {
            let side = count.isqrt();
            if side * side * sample.bytes() as u64 != length {
                return Err(Problem::RawSize { bytes: length, sample });
            }
            (side as usize, side as usize)
        }
    };
    let (width, height) = limits.size(width as u64, height as u64)?;
    if (width * height) as u64 != count || !length.is_multiple_of(sample.bytes() as u64) {
        return Err(Problem::RawLength { found: length, width, height, sample });
    }
    Ok((width, height))
}

fn read(input: Input<'_>, sample: Sample) -> Outcome<Raster> {
    let Input { source, length, limits, layout } = input;
    let (width, height) = size(length, layout, sample, limits)?;
    let mut samples = reserve(width * height)?;
    let mut bytes = vec![0; width * sample.bytes()];
    for _ in 0..height {
        source.read_exact(&mut bytes).map_err(Problem::Read)?;
        numbers::append(sample, layout.endian, &Rules::default(), &bytes, &mut samples);
    }
    Ok(Raster::new((width, height), samples, sample))
}

/// Writes codes if there is a coding, otherwise floating-point samples bit for bit.
fn write(w: &mut dyn Sink, heights: &Heights<'_>) -> io::Result<()> {
    let &Heights { grid, sample, coding, endian, .. } = heights;
    let Some(coding) = coding else { return numbers::write_f32(w, grid.as_slice(), endian) };
    let rows = (PIECE_BYTES / (grid.width() * sample.bytes())).max(1);
    let pieces: Vec<&[f32]> = grid.as_slice().chunks(grid.width() * rows).collect();
    pieces::write(w, pieces.len(), |number, bytes| {
        encode_row(coding, sample, endian == Endian::Big, pieces[number], bytes);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn decode(bytes: &[u8], sample: Sample, size: Option<(usize, usize)>, endian: Endian) -> Outcome<Raster> {
        let (length, limits) = (bytes.len() as u64, Limits::samples(100));
        let layout = Layout { size, endian, ..Layout::default() };
        read(Input { source: &mut Cursor::new(bytes), length, limits, layout }, sample)
    }

    #[test]
    fn a_square_needs_no_size() {
        let raster = decode(&[1, 0, 0, 1, 2, 0, 3, 0], Sample::U16, None, Endian::Little).unwrap();
        assert_eq!((raster.width, raster.height), (2, 2));
        assert_eq!(raster.samples, [1.0, 256.0, 2.0, 3.0]);
        let row = decode(&[1, 0, 0, 1], Sample::U16, Some((2, 1)), Endian::Big).unwrap();
        assert_eq!(row.samples, [256.0, 1.0]);
    }

    #[test]
    fn lengths_that_do_not_fit() {
        let problem = |length, size| decode(&vec![0; length], Sample::F32, size, Endian::Little).err();
        assert!(matches!(problem(12, None), Some(Problem::RawSize { bytes: 12, .. })));
        assert!(matches!(problem(17, Some((2, 2))), Some(Problem::RawLength { found: 17, .. })));
        assert!(matches!(problem(12, Some((2, 2))), Some(Problem::RawLength { .. })));
        assert!(matches!(problem(12, Some((usize::MAX, 2))), Some(Problem::TooLarge { .. })));
        assert!(matches!(problem(0, None), Some(Problem::NoSample { .. })));
    }
}
