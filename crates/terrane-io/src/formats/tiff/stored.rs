//! The strips and tiles of a file, which the samples are stored in.

use std::io::{Read, Seek, SeekFrom};

use rayon::prelude::*;
use tiff::{decoder::IfdDecoder, tags::Tag};

use super::{
    predict::Predictor,
    problems::{broken, damaged, unsupported},
    unpack::Compression,
};
use crate::{
    Endian, Format, Problem, Sample,
    error::Outcome,
    exact::Rules,
    numbers,
    raster::{reserve, zeros},
};

/// The bytes of samples that are decoded together, on all threads.
const TOGETHER: usize = 8 << 20;

/// The bytes of samples of a tile, if it has more than the raster. A damaged file could claim any size.
const LARGEST_TILE: u64 = 64 << 20;

/// The strips or tiles of an image.
pub(super) struct Chunks {
    size: (usize, usize),
    chunk: (usize, usize),
    across: usize,
    /// Where each chunk begins, and its bytes in the file; both 0 if a sparse file omits it.
    places: Vec<(u64, u64)>,
    stored: Stored,
    compression: Compression,
    predictor: Predictor,
    endian: Endian,
    /// Whether the bits of each stored byte are in reverse order.
    reversed: bool,
}

/// How a sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// Whole bytes.
    Bytes(Sample),
    /// Less than a byte: 1, 2 or 4 bits without a sign, the first sample in the highest ones.
    Bits(usize),
}

impl Stored {
    /// The bytes of a row.
    const fn row(self, columns: usize) -> usize {
        match self {
            Self::Bytes(sample) => columns * sample.bytes(),
            Self::Bits(bits) => (columns * bits).div_ceil(8),
        }
    }

    /// The type that holds the numbers.
    pub const fn sample(self) -> Sample {
        match self {
            Self::Bytes(sample) => sample,
            Self::Bits(_) => Sample::U8,
        }
    }

    /// Sets heights to the numbers in a row.
    fn set(self, endian: Endian, rules: &Rules, row: &[u8], heights: &mut [f32]) {
        match self {
            Self::Bytes(sample) => numbers::set(sample, endian, rules, row, heights),
            Self::Bits(bits) => {
                for (column, height) in heights.iter_mut().enumerate() {
                    let first = column * bits;
                    let number = row[first / 8] >> (8 - bits - first % 8) & ((1 << bits) - 1);
                    *height = f32::from(number);
                }
            }
        }
    }
}

/// A chunk as stored, with the column where it begins and its number of columns in the image.
struct Packed {
    first: usize,
    columns: usize,
    bytes: Vec<u8>,
}

impl Chunks {
    /// The chunks of the image whose tags these are.
    pub fn new(
        tags: &mut IfdDecoder<'_>,
        endian: Endian,
        length: u64,
        size: (usize, usize),
        stored: Stored,
    ) -> Outcome<Self> {
        let is_tiled = tags.find_entry(Tag::TileOffsets).is_some();
        let (offset_tag, bytes_tag) = if is_tiled {
            (Tag::TileOffsets, Tag::TileByteCounts)
        } else {
            (Tag::StripOffsets, Tag::StripByteCounts)
        };
        let mut code = |tag| Ok(tags.find_tag_unsigned::<u16>(tag).map_err(damaged)?.unwrap_or(1));
        let compression = Compression::of(code(Tag::Compression)?).map_err(unsupported)?;
        let is_real = matches!(stored, Stored::Bytes(Sample::F16 | Sample::F32 | Sample::F64));
        let predictor = match (code(Tag::Predictor)?, stored) {
            // TIFF 6.0 has predictors for LZW only; programs use them with deflate too.
            _ if !matches!(compression, Compression::Lzw | Compression::Deflate) => Predictor::None,
            (1, _) => Predictor::None,
            (2, Stored::Bytes(_)) => Predictor::Difference,
            (3, _) if is_real => Predictor::Planes,
            (other, _) => return Err(unsupported(format!("predictor {other} of {}", stored.sample()))),
        };
        let reversed = match code(Tag::FillOrder)? {
            1 => false,
            2 => true,
            other => return Err(unsupported(format!("fill order {other}"))),
        };
        let mut table = |tag| tags.find_tag_unsigned_vec::<u64>(tag).map_err(damaged);
        let missing = || broken("the table of chunks is missing");
        let offsets = table(offset_tag)?.ok_or_else(missing)?;
        let bytes = match table(bytes_tag)? {
            Some(bytes) => bytes,
            None if compression == Compression::None => vec![0; offsets.len()],
            None => return Err(missing()),
        };
        let mut side = |tag| tags.find_tag_unsigned::<u32>(tag).map_err(damaged);
        let (width, height) = if is_tiled {
            let missing = || broken("the size of tiles is missing");
            (side(Tag::TileWidth)?.ok_or_else(missing)?, side(Tag::TileLength)?.ok_or_else(missing)?)
        } else {
            let rows = side(Tag::RowsPerStrip)?.unwrap_or(u32::MAX);
            (u32::try_from(size.0).unwrap_or(u32::MAX), rows)
        };
        let rows = if is_tiled { height as usize } else { (height as usize).min(size.1) };
        let chunk = (width as usize, rows);
        let bytes_of =
            |(width, height): (usize, usize)| (stored.row(width) as u64).saturating_mul(height as u64);
        if chunk.0 == 0 || rows == 0 {
            return Err(broken(&format!("tiles of {} x {rows} samples", chunk.0)));
        }
        // Rows below the raster are not decoded.
        if bytes_of((chunk.0, rows.min(size.1))) > bytes_of(size).max(LARGEST_TILE) {
            return Err(unsupported(format!("tiles of {} x {rows} samples", chunk.0)));
        }
        let across = size.0.div_ceil(chunk.0);
        // Several chunks may name the same bytes. Together they may then be as large as the raster, with what
        // tiles have beyond its border, but a small file must not take hours.
        let chunks = bytes.iter().filter(|bytes| **bytes > 0).count() as u64;
        let decoded = bytes_of((chunk.0, rows.min(size.1))).saturating_mul(chunks);
        let usual = bytes_of(size).saturating_mul(4).max(LARGEST_TILE);
        if decoded > usual.max(length.saturating_mul(compression.most())) {
            return Err(unsupported(format!("tiles of {} x {rows} samples that share bytes", chunk.0)));
        }
        if offsets.len() != bytes.len() || bytes.len() < across * size.1.div_ceil(rows) {
            return Err(broken("there are too few chunks for the size"));
        }
        // Without a compression, the number of bytes can be computed, and some programs leave it at 0.
        let own = |index: usize| {
            let left = if is_tiled { rows } else { rows.min(size.1.saturating_sub(index * rows)) };
            bytes_of((chunk.0, left))
        };
        let places: Vec<(u64, u64)> = offsets
            .into_iter()
            .zip(bytes)
            .enumerate()
            .map(|(index, place)| match place {
                (offset, 0) if offset > 0 && compression == Compression::None => (offset, own(index)),
                place => place,
            })
            .collect();
        if places.iter().any(|(offset, count)| *offset > 0 && *count == 0) {
            return Err(broken("a strip or tile has no bytes"));
        }
        for &(offset, count) in places.iter().filter(|place| place.1 > 0) {
            let end = offset.saturating_add(count);
            if end > length {
                return Err(Problem::Truncated { format: Format::TIFF, needed: end, found: length });
            }
        }
        Ok(Self { size, chunk, across, places, stored, compression, predictor, endian, reversed })
    }

    /// All samples, row by row. Memory is touched band by band, each only after its chunks were found to have
    /// enough bytes.
    pub fn read<R: Read + Seek>(&self, source: &mut R, rules: &Rules, missing: f32) -> Outcome<Vec<f32>> {
        let (width, height) = self.size;
        let mut samples = zeros::<f32>(width * height)?;
        let band = width * self.chunk.1;
        let stored = self.across * self.stored.row(self.chunk.0) * self.chunk.1;
        let together = (TOGETHER / stored).max(1);
        let bands: Vec<usize> = (0..height.div_ceil(self.chunk.1)).collect();
        for bands in bands.chunks(together) {
            let packed = bands.iter().map(|&band| self.packed(source, band)).collect::<Outcome<Vec<_>>>()?;
            let (start, end) = (bands[0] * band, (bands[0] + bands.len()) * band);
            let decoded: Vec<Outcome<()>> = samples[start..end.min(width * height)]
                .par_chunks_mut(band)
                .zip(packed)
                .map(|(samples, packed)| {
                    if packed.len() < self.across && missing.to_bits() != 0 {
                        samples.fill(missing);
                    }
                    packed.into_iter().try_for_each(|packed| self.unpack(packed, rules, samples))
                })
                .collect();
            // The first band decides, whichever thread was first.
            decoded.into_iter().collect::<Outcome<()>>()?;
        }
        Ok(samples)
    }

    /// The chunks of a band that are in the file. Each has enough bytes for its samples.
    fn packed<R: Read + Seek>(&self, source: &mut R, band: usize) -> Outcome<Vec<Packed>> {
        let mut packed = Vec::new();
        let rows = self.chunk.1.min(self.size.1 - band * self.chunk.1);
        for column in 0..self.across {
            let (offset, count) = self.places[band * self.across + column];
            if count == 0 {
                continue;
            }
            let first = column * self.chunk.0;
            let columns = self.chunk.0.min(self.size.0 - first);
            let unpacked = self.stored.row(self.chunk.0) as u64 * rows as u64;
            if count.saturating_mul(self.compression.most()) < unpacked {
                return Err(broken("a strip or tile has too few bytes for its size"));
            }
            // No compression makes twice as many bytes. A damaged file could claim all of it for each tile.
            let count = count.min(2 * unpacked + 64);
            let mut bytes = reserve(count as usize)?;
            source.seek(SeekFrom::Start(offset)).map_err(Problem::Read)?;
            source.take(count).read_to_end(&mut bytes).map_err(Problem::Read)?;
            packed.push(Packed { first, columns, bytes });
        }
        Ok(packed)
    }

    /// Sets the samples of a chunk in its band.
    fn unpack(&self, packed: Packed, rules: &Rules, band: &mut [f32]) -> Outcome<()> {
        let Packed { first, columns, mut bytes } = packed;
        if self.reversed {
            bytes.iter_mut().for_each(|byte| *byte = byte.reverse_bits());
        }
        let (width, size) = (self.size.0, self.stored.sample().bytes());
        let row_bytes = self.stored.row(self.chunk.0);
        if self.compression.is_of_old_order(&bytes) {
            return Err(unsupported("LZW with bits in the order of files before 1992".to_owned()));
        }
        let length = row_bytes * (band.len() / width);
        let mut rows = self.compression.unpacked(bytes, length).map_err(|detail| broken(&detail))?;
        let mut scratch = Vec::new();
        for (row, heights) in rows.chunks_exact_mut(row_bytes).zip(band.chunks_exact_mut(width)) {
            let endian = self.predictor.undo(row, size, self.endian, &mut scratch);
            self.stored.set(endian, rules, row, &mut heights[first..first + columns]);
        }
        Ok(())
    }
}
