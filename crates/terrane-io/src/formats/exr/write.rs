//! Writing `OpenEXR`: a channel `Y` of 32-bit floats, bit for bit, in blocks of sixteen rows, compressed with
//! ZIP on all threads and written in the order of rows.

use std::io;

use exr::{
    block::{
        chunk::{Chunk, CompressedBlock, CompressedScanLineBlock},
        writer::ChunksWriter,
    },
    compression::Compression,
    error::Error,
    prelude::{Encoding, Image, SpecificChannels, Vec2, WritableImage},
};

use crate::{
    Endian,
    codec::{Heights, Sink},
    deflate::Deflate,
    numbers, pieces,
};

/// The deflate level: the mantissas of heights hardly shrink at any level.
const LEVEL: i32 = 2;
/// The rows per block that the format prescribes for ZIP.
const ROWS: usize = Compression::ZIP16.scan_lines_per_block();

pub(super) fn write(w: &mut dyn Sink, heights: &Heights<'_>) -> io::Result<()> {
    let grid = heights.grid;
    let channels = SpecificChannels::build().with_channel("Y").with_pixel_fn(|Vec2(x, y)| (grid[(x, y)],));
    let mut image = Image::from_encoded_channels(grid.size(), Encoding::SMALL_LOSSLESS, channels);
    image.layer_data.attributes.layer_name = None;
    let headers = image.write().infer_meta_data();
    let block = grid.width() * ROWS;
    let samples = |number: usize| &grid.as_slice()[number * block..grid.len().min((number + 1) * block)];
    let written = exr::block::write(w, headers, true, |_, writer| {
        pieces::in_order(
            grid.height().div_ceil(ROWS),
            || (Vec::new(), Deflate::default()),
            |number, (data, deflate), bytes| compress(samples(number), data, deflate, bytes),
            |number, bytes, ()| {
                let y_coordinate = i32::try_from(number * ROWS).map_err(io::Error::other)?;
                let block =
                    CompressedScanLineBlock { y_coordinate, compressed_pixels_le: std::mem::take(bytes) };
                let compressed_block = CompressedBlock::ScanLine(block);
                writer.write_chunk(number, Chunk { layer_index: 0, compressed_block }).map_err(into_io)
            },
        )
        .map_err(Error::Io)
    });
    written.map_err(into_io)
}

fn into_io(error: Error) -> io::Error {
    match error {
        Error::Io(e) => e,
        other => io::Error::other(other.to_string()),
    }
}

/// Compresses a block. A block that does not shrink is stored as it is, which readers recognise by its
/// length.
fn compress(
    samples: &[f32],
    data: &mut Vec<u8>,
    deflate: &mut Deflate,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    differences(samples, data);
    deflate.zlib(data, LEVEL, bytes)?;
    if bytes.len() >= data.len() {
        bytes.clear();
        numbers::push_f32(samples, Endian::Little, bytes);
    }
    // The library takes over the block with its memory.
    bytes.shrink_to_fit();
    Ok(())
}

/// The input of ZIP: all bytes at even offsets, then those at odd ones, each minus the previous one, plus
/// 128.
fn differences(samples: &[f32], data: &mut Vec<u8>) {
    data.resize(4 * samples.len(), 0);
    let half = 2 * samples.len();
    let (even, odd) = data.split_at_mut(half);
    let less = |byte: u8, before: u8| byte.wrapping_sub(before).wrapping_add(128);
    // The last byte at an even offset precedes the first at an odd one.
    let last = samples.last().map_or(0, |sample| sample.to_bits() >> 8 & 0xff00);
    let before = std::iter::once(last << 16).chain(samples.iter().map(|sample| sample.to_bits()));
    for ((even, odd), (sample, before)) in
        even.as_chunks_mut().0.iter_mut().zip(odd.as_chunks_mut().0).zip(samples.iter().zip(before))
    {
        let ([a, b, c, d], [_, _, e, f]) = (sample.to_bits().to_le_bytes(), before.to_le_bytes());
        *even = [less(a, e), less(c, a)];
        *odd = [less(b, f), less(d, b)];
    }
    if let (Some(first), Some(byte)) = (samples.first(), data.first_mut()) {
        *byte = first.to_bits().to_le_bytes()[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::plain;
    use proptest::prelude::*;
    use std::io::Cursor;
    use terrane_grid::Grid;

    fn written(grid: &Grid<f32>) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        write(&mut bytes, &plain(grid)).unwrap();
        bytes.into_inner()
    }

    /// The bits of the samples as the library reads them, for arbitrary values.
    fn read(bytes: &[u8]) -> Vec<u32> {
        use exr::prelude::{ReadChannels, ReadLayers};
        let image = exr::prelude::read()
            .no_deep_data()
            .largest_resolution_level()
            .all_channels()
            .first_valid_layer()
            .all_attributes()
            .from_buffered(Cursor::new(bytes));
        let channels = image.unwrap().layer_data.channel_data.list;
        assert_eq!(channels.len(), 1);
        assert_eq!(channels[0].name.to_string(), "Y");
        channels[0].sample_data.values_as_f32().map(f32::to_bits).collect()
    }

    proptest! {
        #[test]
        fn differences_match_the_format(samples in prop::collection::vec(any::<f32>(), 0..40)) {
            let bytes: Vec<u8> = samples.iter().flat_map(|sample| sample.to_le_bytes()).collect();
            let (even, odd) = (bytes.iter().step_by(2), bytes.iter().skip(1).step_by(2));
            let mut slow: Vec<u8> = even.chain(odd).copied().collect();
            for i in (1..slow.len()).rev() {
                slow[i] = slow[i].wrapping_sub(slow[i - 1]).wrapping_add(128);
            }
            let mut fast = vec![9; 7];
            differences(&samples, &mut fast);
            prop_assert_eq!(fast, slow);
        }

        #[test]
        fn any_bits_are_preserved(
            (width, height) in (1usize..40, 1usize..60),
            seed in prop::collection::vec(any::<u32>(), 1..50),
        ) {
            let bits = |x: usize, y: usize| seed[(y * width + x) % seed.len()];
            let grid = Grid::from_fn(width, height, |x, y| f32::from_bits(bits(x, y)));
            let wanted: Vec<u32> = grid.as_slice().iter().map(|h| h.to_bits()).collect();
            prop_assert_eq!(read(&written(&grid)), wanted);
        }
    }

    #[test]
    fn bytes_do_not_depend_on_threads() {
        let grid = Grid::from_fn(300, 500, |x, y| (x * 31 + y * y * 17) as f32 * 0.37);
        let bytes = written(&grid);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(pool.install(|| written(&grid)) == bytes);
        }
    }
}
