//! Opening a TIFF: its first directory, whatever that says of colours.
//!
//! The reader of tags takes the first directory for a picture, and refuses what it could not show: heights
//! with a palette, or without the tag that says whether large numbers are white. It is therefore begun with a
//! picture of one sample, and continues with the file.

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use tiff::{
    Directory,
    decoder::{Decoder, IfdDecoder, Limits},
    tags::{IfdPointer, Tag},
};

use super::problems::{broken, damaged};
use crate::error::Outcome;

/// A file whose tags can be read.
pub(super) struct Opened<R: Read + Seek> {
    pub decoder: Decoder<Begun<R>>,
    /// The tags of the raster.
    pub first: Directory,
}

impl<R: Read + Seek> Opened<R> {
    /// Opens a file of a length in bytes.
    pub fn new(mut file: R, length: u64) -> Outcome<Self> {
        let mut start = Vec::new();
        file.by_ref().take(16).read_to_end(&mut start).map_err(crate::Problem::Read)?;
        let (tiny, first) = tiny(&start).ok_or_else(|| broken("its header is no header of a TIFF"))?;
        let begun = Begun { tiny: Cursor::new(tiny), file, is_open: false };
        let mut decoder = Decoder::new(begun).map_err(damaged)?.with_limits(limits(length));
        decoder.inner().is_open = true;
        let first = decoder.read_directory(IfdPointer(first)).map_err(damaged)?;
        Ok(Self { decoder, first })
    }

    /// The tags of the raster.
    pub fn tags(&mut self) -> IfdDecoder<'_> {
        self.decoder.read_directory_tags(&self.first)
    }

    /// A number in a tag of the raster.
    pub fn number<T: TryFrom<u64>>(&mut self, tag: Tag) -> Outcome<Option<T>> {
        self.tags().find_tag_unsigned(tag).map_err(damaged)
    }

    /// The numbers in a tag of the raster.
    pub fn numbers<T: TryFrom<u64>>(&mut self, tag: Tag) -> Outcome<Option<Vec<T>>> {
        self.tags().find_tag_unsigned_vec(tag).map_err(damaged)
    }
}

/// Limits for the tables: each value needs at least one byte in the file and 32 in memory.
fn limits(length: u64) -> Limits {
    let mut limits = Limits::default();
    let values = usize::try_from(length.saturating_mul(32)).unwrap_or(usize::MAX);
    limits.decoding_buffer_size = limits.decoding_buffer_size.min(values);
    limits
}

/// A file, in whose place a tiny one is read until it is open.
pub(super) struct Begun<R> {
    tiny: Cursor<Vec<u8>>,
    file: R,
    is_open: bool,
}

impl<R: Read> Read for Begun<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.is_open { self.file.read(out) } else { self.tiny.read(out) }
    }
}

impl<R: Seek> Seek for Begun<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if self.is_open { self.file.seek(to) } else { self.tiny.seek(to) }
    }
}

/// A TIFF of one sample in the byte order and with the offsets of a file that starts with these bytes, and
/// where the file's first directory is.
fn tiny(start: &[u8]) -> Option<(Vec<u8>, u64)> {
    let is_little = start.starts_with(b"II");
    let bytes_of = |number: u64, size: usize| {
        let bytes = number.to_be_bytes();
        let mut bytes = bytes[8 - size..].to_vec();
        if is_little {
            bytes.reverse();
        }
        bytes
    };
    let is_big = start.get(2..4)? == bytes_of(43, 2);
    // The sizes of an offset and of a count, and where the offset of the first directory is.
    let (offset, count, at) = if is_big { (8, 8, 8) } else { (4, 2, 4) };
    let mut first = start.get(at..at + offset)?.to_vec();
    if is_little {
        first.reverse();
    }
    let first = first.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
    let mut tiny = start[..at].to_vec();
    tiny.extend(bytes_of((at + offset) as u64, offset));
    const TAGS: [(Tag, u64); 5] = [
        (Tag::ImageWidth, 1),
        (Tag::ImageLength, 1),
        (Tag::PhotometricInterpretation, 1),
        (Tag::StripOffsets, 0),
        (Tag::StripByteCounts, 0),
    ];
    tiny.extend(bytes_of(TAGS.len() as u64, count));
    for (tag, number) in TAGS {
        const LONG: u64 = 4;
        tiny.extend(bytes_of(tag.to_u16().into(), 2));
        tiny.extend(bytes_of(LONG, 2));
        tiny.extend(bytes_of(1, offset));
        tiny.extend(bytes_of(number, 4));
        tiny.resize(tiny.len() + offset - 4, 0);
    }
    tiny.resize(tiny.len() + offset, 0);
    Some((tiny, first))
}
