//! Deflating the pieces of a PNG, which together form one stream.

use std::io;

use flate2::{Compress, Compression, FlushCompress, Status};
use zlib_rs::{DeflateConfig, DeflateFlush};

/// A deflate implementation and level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// The first level of `miniz_oxide`, which searches for matches once. It is the fastest for heights,
    /// which have few matches.
    Quick,
    /// A level of `zlib-rs`, which finds the matches of pictures faster.
    Level(u8),
}

/// Deflates one piece after another in the same memory.
#[derive(Default)]
pub(super) struct Deflate {
    /// The last level used.
    level: Option<(u8, zlib_rs::Deflate)>,
}

impl Deflate {
    /// Appends a piece that starts with an empty window. The last piece ends the stream, others end on a byte
    /// boundary.
    pub fn push(&mut self, data: &[u8], method: Method, is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        match method {
            Method::Quick => push_quick(data, is_last, out),
            Method::Level(level) => self.push_level(data, level, is_last, out),
        }
    }

    fn push_level(&mut self, data: &[u8], level: u8, is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        if self.level.as_ref().is_none_or(|(last, _)| *last != level) {
            let config = DeflateConfig { level: level.into(), window_bits: -15, ..DeflateConfig::default() };
            self.level = Some((level, zlib_rs::Deflate::new_with_config(config)));
        }
        let Some((_, deflate)) = &mut self.level else { unreachable!("it was just created") };
        deflate.reset();
        let flush = if is_last { DeflateFlush::Finish } else { DeflateFlush::SyncFlush };
        compress_all(data, is_last, out, |data, room| {
            let before = (deflate.total_in(), deflate.total_out());
            let status = deflate.compress(data, room, flush);
            let status = status.map_err(|error| io::Error::other(format!("deflate: {error:?}")))?;
            let (taken, made) = (deflate.total_in() - before.0, deflate.total_out() - before.1);
            Ok((status == zlib_rs::Status::StreamEnd, taken as usize, made as usize))
        })
    }
}

/// Uses a new compressor: a reused one gives different bytes, depending on earlier pieces.
fn push_quick(data: &[u8], is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
    let mut compress = Compress::new(Compression::new(1), false);
    let flush = if is_last { FlushCompress::Finish } else { FlushCompress::Sync };
    compress_all(data, is_last, out, |data, room| {
        let before = (compress.total_in(), compress.total_out());
        let status = compress.compress(data, room, flush)?;
        let (taken, made) = (compress.total_in() - before.0, compress.total_out() - before.1);
        Ok((status == Status::StreamEnd, taken as usize, made as usize))
    })
}

/// Calls a compressor with new output space until it has written everything.
///
/// `compress` returns whether its stream has ended, and how many bytes it read and wrote. The amount of space
/// depends only on the data, not on the capacity of `out`: a compressor that runs out of space may give
/// different bytes.
fn compress_all(
    mut data: &[u8],
    is_last: bool,
    out: &mut Vec<u8>,
    mut compress: impl FnMut(&[u8], &mut [u8]) -> io::Result<(bool, usize, usize)>,
) -> io::Result<()> {
    let (start, mut room) = (out.len(), data.len() / 2 + 64);
    loop {
        let end = out.len();
        out.resize(end + room, 0);
        let (at_end, taken, made) = compress(data, &mut out[end..])?;
        data = &data[taken..];
        out.truncate(end + made);
        if at_end || !is_last && data.is_empty() && made < room {
            return Ok(());
        }
        room = out.len() - start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    /// Rough and smooth pieces of many lengths, with near and distant matches.
    fn pieces() -> Vec<Vec<u8>> {
        let mut random = StdRng::seed_from_u64(1);
        let mut pieces = Vec::new();
        for (mask, length) in
            [(0x03, 70_000), (0xff, 40_000), (0x0f, 1), (0x0f, 200_000), (0x01, 5000), (0x1f, 33_000)]
        {
            let mut piece: Vec<u8> = (0..length).map(|_| random.random::<u8>() & mask).collect();
            piece.extend_from_within(..length / 3);
            pieces.push(piece);
        }
        pieces
    }

    #[test]
    fn reused_memory_does_not_affect_the_stream() {
        for method in [Method::Quick, Method::Level(2), Method::Level(6), Method::Level(9)] {
            // Neither the compressor's state nor the capacity of the output matters.
            let (mut used, mut again) = (Deflate::default(), Vec::new());
            for round in 0..3 {
                for (number, piece) in pieces().iter().enumerate().skip(round) {
                    for is_last in [false, true] {
                        let mut first = Vec::new();
                        again.clear();
                        used.push(piece, method, is_last, &mut again).unwrap();
                        Deflate::default().push(piece, method, is_last, &mut first).unwrap();
                        assert!(again == first, "piece {number}, {method:?}");
                    }
                }
            }
        }
    }
}
