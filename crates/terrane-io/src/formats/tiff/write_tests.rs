//! Our TIFF files: strips, tiles and `BigTIFF`, on any number of threads.

use std::io::Cursor;

use terrane_grid::Grid;
use tiff::{decoder::Decoder, tags::Tag};

use super::write::{write, write_above};
use crate::{
    CodeRange, Effort, Sample,
    codec::{Heights, Input},
    codes::Coding,
    formats::tests::plain,
    limits::Limits,
    raster::Raster,
};

fn read(bytes: &[u8]) -> Raster {
    let limits = Limits::samples(1 << 24);
    super::read::read(Input::new(&mut Cursor::new(bytes), bytes.len() as u64, limits)).unwrap()
}

fn written(heights: &Heights<'_>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    write(&mut bytes, heights).unwrap();
    bytes.into_inner()
}

fn has(bytes: &[u8], tag: Tag) -> bool {
    Decoder::new(Cursor::new(bytes)).unwrap().find_tag(tag).unwrap().is_some()
}

/// Integers that every type can hold, uneven enough to be realistic for deflate.
fn codes(width: usize, height: usize) -> Grid<f32> {
    Grid::from_fn(width, height, |x, y| ((x * x / 3 + 7 * y) % 251) as f32)
}

#[test]
fn every_type_is_read_as_written_on_any_number_of_threads() {
    // The widest maps have tiles, even if the map is lower than a tile and fills none.
    for (size, tiled) in
        [((700, 431), false), ((16_384, 3), false), ((65_537, 1), true), ((33_000, 300), true)]
    {
        let grid = codes(size.0, size.1);
        for sample in [Sample::F32, Sample::U16, Sample::I16, Sample::U8] {
            let coding = Coding::choose(sample, CodeRange::Whole, grid.as_slice()).unwrap();
            for effort in [Effort::Fast, Effort::Small] {
                let heights = Heights { sample, coding: coding.as_ref(), effort, ..plain(&grid) };
                let bytes = written(&heights);
                assert!(read(&bytes).samples == grid.as_slice(), "{size:?} {sample}");
                if sample == Sample::F32 {
                    assert_eq!(
                        (has(&bytes, Tag::TileWidth), has(&bytes, Tag::RowsPerStrip)),
                        (tiled, !tiled)
                    );
                }
                for threads in [1, 3] {
                    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                    assert!(pool.install(|| written(&heights)) == bytes, "{size:?} {sample} on {threads}");
                }
            }
        }
    }
}

#[test]
fn any_bits_are_preserved_in_strips_and_tiles() {
    for (width, height) in [(1, 1), (3, 700), (40_000, 20)] {
        let bits = |x: usize, y: usize| ((y * width + x) as u32).wrapping_mul(0x9E37_79B1);
        let grid = Grid::from_fn(width, height, |x, y| f32::from_bits(bits(x, y)));
        let back = read(&written(&plain(&grid))).samples;
        assert!(back.iter().zip(grid.as_slice()).all(|(a, b)| a.to_bits() == b.to_bits()));
    }
}

#[test]
fn files_too_large_for_32_bit_offsets_are_big_tiffs() {
    for (width, height) in [(300, 200), (40_000, 40)] {
        let grid = codes(width, height);
        let heights = plain(&grid);
        let above = |max: u64| {
            let mut bytes = Cursor::new(Vec::new());
            write_above(&mut bytes, &heights, max).unwrap();
            bytes.into_inner()
        };
        let size = 4 * (width * height) as u64;
        let (small, big) = (above(2 * size), above(size - 1));
        assert_eq!((&small[..4], &big[..4]), (&b"II*\0"[..], &b"II+\0"[..]));
        assert!(small == written(&heights));
        assert!(read(&big).samples == grid.as_slice());
        assert!(read(&small).samples == grid.as_slice());
    }
}
