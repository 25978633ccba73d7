//! Writing PNG: rows are filtered and deflated in pieces on all threads.
//!
//! A piece starts with an empty window and ends on a byte boundary, so that the pieces together form one
//! stream. The boundaries of pieces depend only on the picture's size, so the bytes of the file do not depend
//! on the number of threads.

use std::io::{self, Write};

use png::{BitDepth, ColorType, chunk::IDAT};

use super::{
    deflate::{Deflate, Method},
    filter::Filter,
};
use crate::{Effort, pieces};

/// The bytes of a piece before compression: enough for deflate to adapt, few enough for many threads.
const PIECE_BYTES: usize = 1 << 18;
/// The header of a zlib stream: deflate with a window of 32 KiB, fast compression.
const HEAD: [u8; 2] = [0x78, 0x01];

/// A picture to write.
pub(super) struct Png<'a> {
    pub size: (usize, usize),
    pub colour: ColorType,
    pub depth: BitDepth,
    pub effort: Effort,
    /// The method for fast compression.
    pub fast: Method,
    /// The methods for small files: all are tried, and the shortest result is used.
    pub small: &'static [Method],
    /// Appends the bytes of a row.
    pub row: &'a (dyn Fn(usize, &mut Vec<u8>) + Sync),
}

/// The checksum and the length of a piece before compression.
struct Piece {
    adler: u32,
    length: usize,
}

/// The working memory of a thread.
struct Tools {
    filter: Filter,
    above: Vec<u8>,
    row: Vec<u8>,
    filtered: Vec<u8>,
    deflate: Deflate,
}

impl Png<'_> {
    /// Writes the picture.
    pub fn write(&self, w: impl Write) -> io::Result<()> {
        let (width, height) = self.size;
        let (Ok(columns), Ok(rows)) = (u32::try_from(width), u32::try_from(height)) else {
            return Err(io::Error::other("PNG has at most 2³¹ − 1 columns and rows"));
        };
        let mut encoder = png::Encoder::new(w, columns, rows);
        encoder.set_color(self.colour);
        encoder.set_depth(self.depth);
        let mut writer = encoder.write_header()?;
        let piece_rows = (PIECE_BYTES / self.line()).clamp(1, height);
        let count = height.div_ceil(piece_rows);
        let tools = || Tools {
            filter: Filter::new(self.pixel_bytes(), self.line()),
            above: Vec::new(),
            row: Vec::new(),
            filtered: Vec::new(),
            deflate: Deflate::default(),
        };
        let mut adler = 1;
        pieces::in_order(
            count,
            tools,
            |number, tools, bytes| {
                self.piece(number * piece_rows, height.min((number + 1) * piece_rows), tools, bytes)
            },
            |number, bytes, piece| {
                adler = combined(adler, piece.adler, piece.length);
                if number == 0 {
                    bytes.splice(0..0, HEAD);
                }
                if number + 1 == count {
                    bytes.extend(adler.to_be_bytes());
                }
                Ok(writer.write_chunk(IDAT, bytes)?)
            },
        )?;
        writer.finish()?;
        Ok(())
    }

    fn pixel_bytes(&self) -> usize {
        self.colour.samples() * if self.depth == BitDepth::Sixteen { 2 } else { 1 }
    }

    fn line(&self) -> usize {
        self.size.0 * self.pixel_bytes()
    }

    fn piece(&self, start: usize, end: usize, tools: &mut Tools, bytes: &mut Vec<u8>) -> io::Result<Piece> {
        let Tools { filter, above, row, filtered, deflate } = tools;
        above.clear();
        match start {
            0 => above.resize(self.line(), 0),
            _ => (self.row)(start - 1, above),
        }
        filtered.clear();
        for y in start..end {
            row.clear();
            (self.row)(y, row);
            filter.push(above, row, filtered);
            std::mem::swap(above, row);
        }
        let is_last = end == self.size.1;
        self.effort.compress(self.fast, self.small, bytes, |method, out| {
            deflate.push(filtered, method, is_last, out)
        })?;
        Ok(Piece { adler: simd_adler32::adler32(&&filtered[..]), length: filtered.len() })
    }
}

/// The Adler-32 checksum of two concatenated byte strings, from their checksums and the length of the second.
fn combined(first: u32, second: u32, length: usize) -> u32 {
    const BASE: u64 = 65_521;
    let halves = |sum: u32| (u64::from(sum & 0xffff), u64::from(sum >> 16));
    let ((a, b), (c, d)) = (halves(first), halves(second));
    let low = (a + c + BASE - 1) % BASE;
    // Each byte of the second string adds the sum of the first string, minus the 1 that sums start with.
    let high = (b + d + (length as u64 % BASE) * (a + BASE - 1)) % BASE;
    (high << 16 | low) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    /// The picture as the library's own reader sees it.
    fn read(bytes: &[u8]) -> Vec<u8> {
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().unwrap();
        let mut frame = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut frame).unwrap();
        reader.finish().unwrap();
        frame
    }

    fn write(size: (usize, usize), colour: ColorType, depth: BitDepth, fast: Method, data: &[u8]) -> Vec<u8> {
        let line = data.len() / size.1;
        let row = |y: usize, out: &mut Vec<u8>| out.extend(&data[y * line..][..line]);
        let mut bytes = Vec::new();
        Png { size, colour, depth, effort: Effort::Fast, fast, small: &[], row: &row }
            .write(&mut bytes)
            .unwrap();
        bytes
    }

    #[test]
    fn checksums_of_parts_combine() {
        let text: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(i) >> 7) as u8 | 0x80).collect();
        for cut in [0, 1, 65_520, 65_521, 65_522, 131_042, 199_999, 200_000] {
            let (first, second) = text.split_at(cut);
            let of = |text: &[u8]| simd_adler32::adler32(&text);
            assert_eq!(combined(of(first), of(second), second.len()), of(&text));
        }
    }

    #[test]
    fn many_pieces_are_read_as_written_on_any_number_of_threads() {
        let size = (1500, 700);
        // Grain over a slope, with matches that a compressor may or may not find.
        let grain = |i: usize| (i as u32).wrapping_mul(0x9E37_79B1) >> 29;
        let data: Vec<u8> =
            (0..size.0 * size.1 * 3).map(|i| ((i / 7) ^ (i >> 9)) as u8 ^ grain(i / 2) as u8).collect();
        for method in [Method::Quick, Method::Level(2), Method::Level(6)] {
            let bytes = write(size, ColorType::Rgb, BitDepth::Eight, method, &data);
            assert!(read(&bytes) == data, "{method:?}");
            for threads in [1, 2, 7] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let again = pool.install(|| write(size, ColorType::Rgb, BitDepth::Eight, method, &data));
                assert!(again == bytes, "{method:?} on {threads}");
            }
        }
    }

    #[test]
    fn incompressible_pictures_are_read_as_written() {
        let mut data = vec![0; 1201 * 500 * 2];
        StdRng::seed_from_u64(1).fill(&mut data[..]);
        for method in [Method::Quick, Method::Level(2), Method::Level(6), Method::Level(9)] {
            let bytes = write((1201, 500), ColorType::Grayscale, BitDepth::Sixteen, method, &data);
            assert_eq!(read(&bytes), data);
            assert!(bytes.len() < data.len() + data.len() / 200);
        }
    }

    proptest! {
        #[test]
        fn small_pictures_are_read_as_written(
            (width, height, wide, rgb) in (1usize..40, 1usize..40, any::<bool>(), any::<bool>()),
            method in prop_oneof![Just(Method::Quick), (1u8..=9).prop_map(Method::Level)],
            seed in proptest::collection::vec(any::<u8>(), 1..200),
        ) {
            let (colour, samples) = if rgb { (ColorType::Rgb, 3) } else { (ColorType::Grayscale, 1) };
            let depth = if wide { BitDepth::Sixteen } else { BitDepth::Eight };
            let length = width * height * samples * if wide { 2 } else { 1 };
            let data: Vec<u8> = seed.iter().copied().cycle().take(length).collect();
            prop_assert_eq!(read(&write((width, height), colour, depth, method, &data)), data);
        }
    }
}
