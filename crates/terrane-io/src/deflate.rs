//! Deflate of separate streams, as in TIFF and `OpenEXR`.

use std::io;

use libdeflater::{CompressionLvl, Compressor};

/// Deflates streams one after another in the same memory.
#[derive(Default)]
pub(crate) struct Deflate {
    /// The compressors of the levels used so far.
    compressors: Vec<(i32, Compressor)>,
}

impl Deflate {
    /// Fills `out` with a zlib stream of `data`.
    pub fn zlib(&mut self, data: &[u8], level: i32, out: &mut Vec<u8>) -> io::Result<()> {
        let compressor = self.compressor(level)?;
        out.resize(compressor.zlib_compress_bound(data.len()), 0);
        let length = compressor.zlib_compress(data, out).map_err(io::Error::other)?;
        out.truncate(length);
        Ok(())
    }

    fn compressor(&mut self, level: i32) -> io::Result<&mut Compressor> {
        let index = match self.compressors.iter().position(|(own, _)| *own == level) {
            Some(index) => index,
            None => {
                let wanted = CompressionLvl::new(level)
                    .map_err(|_| io::Error::other(format!("deflate has no level {level}")))?;
                self.compressors.push((level, Compressor::new(wanted)));
                self.compressors.len() - 1
            }
        };
        Ok(&mut self.compressors[index].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};
    use std::io::Read;

    #[test]
    fn streams_of_all_levels_are_restored() {
        let data: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(i) >> 9) as u8).collect();
        let (mut deflate, mut out) = (Deflate::default(), Vec::new());
        for level in [1, 6, 1] {
            for data in [&data[..], &data[..1], &[]] {
                deflate.zlib(data, level, &mut out).unwrap();
                let mut back = Vec::new();
                flate2::read::ZlibDecoder::new(&out[..]).read_to_end(&mut back).unwrap();
                assert_eq!(back, data);
            }
        }
        assert!(deflate.zlib(&data, 77, &mut out).is_err());
    }

    #[test]
    fn reused_memory_does_not_affect_the_stream() {
        let mut random = StdRng::seed_from_u64(1);
        let pieces: Vec<Vec<u8>> = [(0x03, 70_000), (0xff, 40_000), (0x0f, 1), (0x0f, 130_000), (0x01, 5000)]
            .map(|(mask, length): (u8, usize)| (0..length).map(|_| random.random::<u8>() & mask).collect())
            .into();
        let mut used = Deflate::default();
        for (round, level) in [1, 2, 6, 1].into_iter().enumerate() {
            for piece in pieces.iter().skip(round) {
                let (mut again, mut first) = (Vec::new(), Vec::new());
                used.zlib(piece, level, &mut again).unwrap();
                Deflate::default().zlib(piece, level, &mut first).unwrap();
                assert!(again == first, "level {level}");
            }
        }
    }
}
