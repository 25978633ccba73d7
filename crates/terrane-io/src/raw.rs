//! Bare samples, row by row: unsigned 16-bit (`.r16`, `.raw`) or 32-bit reals (`.r32`, `.f32`), as game
//! engines take them.

use std::io::{self, BufRead, Write};

use terrane_grid::Grid;

use crate::{
    Endian, Format, Problem, ReadOptions, Sample, Sidecar,
    codes::{Coding, encode_row},
    error::Outcome,
    limits::{Head, Limits},
    numbers,
    raster::{Raster, reserve},
};

/// How the bytes of a raw file are to be taken: it does not say so itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawLayout {
    pub format: Format,
    pub size: Option<(usize, usize)>,
    pub endian: Endian,
}

impl RawLayout {
    /// As the options say, else the sidecar.
    pub(crate) fn of(format: Format, options: &ReadOptions, sidecar: Option<&Sidecar>) -> Self {
        let size = options.size.or_else(|| sidecar.map(|s| (s.size[0], s.size[1])));
        let endian = options.endian.or_else(|| sidecar.and_then(|s| s.endian)).unwrap_or_default();
        Self { format, size, endian }
    }
}

/// The size, without the samples.
pub(crate) fn head(length: u64, layout: RawLayout, limits: Limits) -> Outcome<Head> {
    Ok(Head { size: begin(length, layout, limits)?.0, missing: false, beside: 0 })
}

fn begin(length: u64, layout: RawLayout, limits: Limits) -> Outcome<((usize, usize), Sample)> {
    let sample = if layout.format == Format::Raw16 { Sample::U16 } else { Sample::F32 };
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
    Ok(((width, height), sample))
}

pub(crate) fn read(
    mut input: impl BufRead,
    length: u64,
    layout: RawLayout,
    limits: Limits,
) -> Outcome<Raster> {
    let ((width, height), sample) = begin(length, layout, limits)?;
    let mut samples = reserve(width * height)?;
    let mut bytes = vec![0; width * sample.bytes()];
    for _ in 0..height {
        input.read_exact(&mut bytes).map_err(Problem::Read)?;
        numbers::append(sample, layout.endian, &bytes, &mut samples);
    }
    Ok(Raster::new((width, height), samples, sample))
}

/// Writes codes where there is a coding, else real samples bit for bit.
pub(crate) fn write(
    w: &mut impl Write,
    heights: &Grid<f32>,
    coding: Option<&Coding>,
    endian: Endian,
) -> io::Result<()> {
    let Some(coding) = coding else { return numbers::write_f32(w, heights.as_slice(), endian) };
    let mut bytes = Vec::new();
    for row in 0..heights.height() {
        bytes.clear();
        encode_row(coding, Sample::U16, endian == Endian::Big, heights.row(row), &mut bytes);
        w.write_all(&bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8], format: Format, size: Option<(usize, usize)>, endian: Endian) -> Outcome<Raster> {
        read(bytes, bytes.len() as u64, RawLayout { format, size, endian }, Limits::samples(100))
    }

    #[test]
    fn a_square_needs_no_size() {
        let raster = decode(&[1, 0, 0, 1, 2, 0, 3, 0], Format::Raw16, None, Endian::Little).unwrap();
        assert_eq!((raster.width, raster.height), (2, 2));
        assert_eq!(raster.samples, [1.0, 256.0, 2.0, 3.0]);
        let row = decode(&[1, 0, 0, 1], Format::Raw16, Some((2, 1)), Endian::Big).unwrap();
        assert_eq!(row.samples, [256.0, 1.0]);
    }

    #[test]
    fn lengths_that_do_not_fit() {
        let problem = |length, size| decode(&vec![0; length], Format::Raw32, size, Endian::Little).err();
        assert!(matches!(problem(12, None), Some(Problem::RawSize { bytes: 12, .. })));
        assert!(matches!(problem(17, Some((2, 2))), Some(Problem::RawLength { found: 17, .. })));
        assert!(matches!(problem(12, Some((2, 2))), Some(Problem::RawLength { .. })));
        assert!(matches!(problem(12, Some((usize::MAX, 2))), Some(Problem::TooLarge { .. })));
        assert!(matches!(problem(0, None), Some(Problem::TooLarge { .. })));
    }
}
