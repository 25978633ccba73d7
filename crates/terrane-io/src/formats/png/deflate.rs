//! Deflate of a PNG's pieces, which together are one stream.

use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};
use zlib_rs::{DeflateConfig, DeflateFlush};

/// A way to deflate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// `miniz_oxide`'s first level, which looks for matches once: the quickest for heights, which have few.
    Quick,
    /// A level of `zlib-rs`, which finds the matches of pictures sooner.
    Level(u8),
}

/// Deflates one piece after the other in the same memory.
#[derive(Default)]
pub(super) struct Deflate {
    /// The last level that was asked for.
    level: Option<(u8, zlib_rs::Deflate)>,
}

impl Deflate {
    /// Appends a piece that begins with an empty window. The last one ends the stream, others end on a whole byte.
    pub fn push(&mut self, data: &[u8], way: Way, is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        match way {
            Way::Quick => push_quick(data, is_last, out),
            Way::Level(level) => self.push_level(data, level, is_last, out),
        }
    }

    fn push_level(&mut self, data: &[u8], level: u8, is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        if self.level.as_ref().is_none_or(|(last, _)| *last != level) {
            let config = DeflateConfig { level: level.into(), window_bits: -15, ..DeflateConfig::default() };
            self.level = Some((level, zlib_rs::Deflate::new_with_config(config)));
        }
        let Some((_, deflate)) = &mut self.level else { unreachable!("it was just made") };
        deflate.reset();
        let flush = if is_last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
        let begin = out.len();
        let mut room = data.len() / 2 + 64;
        loop {
            let (taken, made) = (deflate.total_in() as usize, deflate.total_out() as usize);
            out.resize(begin + made + room, 0);
            let status = deflate
                .compress(&data[taken..], &mut out[begin + made..], flush)
                .map_err(|error| io::Error::other(format!("deflate: {error:?}")))?;
            let end = begin + deflate.total_out() as usize;
            let is_whole = deflate.total_in() as usize == data.len() && end < out.len();
            if status == zlib_rs::Status::StreamEnd || !is_last && is_whole {
                out.truncate(end);
                return Ok(());
            }
            room = out.len() - begin;
        }
    }
}

/// With a compressor that is new: one that is used again leaves other bytes after other pieces.
fn push_quick(data: &[u8], is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
    let mut compress = Compress::new(Compression::new(1), false);
    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    out.reserve(data.len() / 2 + 64);
    loop {
        let taken = compress.total_in() as usize;
        let status = compress.compress_vec(&data[taken..], out, flush)?;
        let is_whole = compress.total_in() as usize == data.len() && out.len() < out.capacity();
        if status == Status::StreamEnd || !is_last && is_whole {
            return Ok(());
        }
        out.reserve(out.capacity());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rough and smooth pieces of many lengths, with matches near and far.
    fn pieces() -> Vec<Vec<u8>> {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        };
        let rough = |mask: u8, length: usize, random: &mut dyn FnMut() -> u8| -> Vec<u8> {
            (0..length).map(|_| random() & mask).collect()
        };
        let mut pieces = Vec::new();
        for (mask, length) in
            [(0x03, 70_000), (0xff, 40_000), (0x0f, 1), (0x0f, 200_000), (0x01, 5000), (0x1f, 33_000)]
        {
            let mut piece = rough(mask, length, &mut random);
            piece.extend_from_within(..length / 3);
            pieces.push(piece);
        }
        pieces
    }

    #[test]
    fn what_was_deflated_before_does_not_show() {
        for way in [Way::Quick, Way::Level(2), Way::Level(6), Way::Level(9)] {
            let mut used = Deflate::default();
            for round in 0..3 {
                for (number, piece) in pieces().iter().enumerate().skip(round) {
                    for is_last in [false, true] {
                        let (mut again, mut first) = (Vec::new(), Vec::new());
                        used.push(piece, way, is_last, &mut again).unwrap();
                        Deflate::default().push(piece, way, is_last, &mut first).unwrap();
                        assert!(again == first, "piece {number}, {way:?}");
                    }
                }
            }
        }
    }
}
