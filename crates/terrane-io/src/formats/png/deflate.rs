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
    quick: Option<Compress>,
    /// The last level that was asked for.
    levels: Option<(u8, zlib_rs::Deflate)>,
}

impl Deflate {
    /// Appends a piece that begins with an empty window. The last one ends the stream, others end on a whole byte.
    pub fn push(&mut self, data: &[u8], way: Way, is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        match way {
            Way::Quick => self.push_quick(data, is_last, out),
            Way::Level(level) => self.push_level(data, level, is_last, out),
        }
    }

    fn push_quick(&mut self, data: &[u8], is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        let compress = self.quick.get_or_insert_with(|| Compress::new(Compression::new(1), false));
        compress.reset();
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

    fn push_level(&mut self, data: &[u8], level: u8, is_last: bool, out: &mut Vec<u8>) -> io::Result<()> {
        if self.levels.as_ref().is_none_or(|(last, _)| *last != level) {
            let config = DeflateConfig { level: level.into(), window_bits: -15, ..DeflateConfig::default() };
            self.levels = Some((level, zlib_rs::Deflate::new_with_config(config)));
        }
        let Some((_, deflate)) = &mut self.levels else { unreachable!("it was just made") };
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
