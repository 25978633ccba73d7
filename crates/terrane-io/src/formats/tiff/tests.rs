//! Files of other programs: every sample type, compression and byte order, strips and tiles.

use std::io::Cursor;

use terrane_grid::GeoReference;
use tiff::{
    encoder::{
        Compression, TiffEncoder, TiffValue,
        colortype::{self, ColorType},
    },
    tags::Tag,
};

use crate::{Format, Problem, Sample, codec::Input, error::Outcome, limits::Limits, raster::Raster};

fn read(bytes: &[u8]) -> Outcome<Raster> {
    read_up_to(bytes, 1 << 20)
}

fn read_up_to(bytes: &[u8], samples: u64) -> Outcome<Raster> {
    super::read::read(Input::new(&mut Cursor::new(bytes), bytes.len() as u64, Limits::samples(samples)))
}

fn encode<C: ColorType>(compression: Compression, values: &[C::Inner]) -> Vec<u8>
where
    [C::Inner]: TiffValue,
{
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap().with_compression(compression);
    let mut image = encoder.new_image::<C>(5, 3).unwrap();
    image.rows_per_strip(2).unwrap();
    image.write_data(values).unwrap();
    bytes.into_inner()
}

#[test]
fn every_type_and_compression() {
    macro_rules! check {
        ($colour:ty, $number:ty, $sample:expr) => {
            let values: Vec<$number> = (0..15).map(|i| (i * 7) as $number).collect();
            let wanted: Vec<f32> = (0..15).map(|i| (i * 7) as f32).collect();
            for compression in [
                Compression::Uncompressed,
                Compression::Lzw,
                Compression::Deflate(Default::default()),
                Compression::Packbits,
            ] {
                let raster = read(&encode::<$colour>(compression, &values)).unwrap();
                assert_eq!((raster.width, raster.height, raster.sample), (5, 3, $sample));
                assert_eq!(raster.samples, wanted, "{}", $sample);
            }
        };
    }
    check!(colortype::Gray8, u8, Sample::U8);
    check!(colortype::Gray16, u16, Sample::U16);
    check!(colortype::Gray32, u32, Sample::U32);
    check!(colortype::Gray64, u64, Sample::U64);
    check!(colortype::GrayI8, i8, Sample::I8);
    check!(colortype::GrayI16, i16, Sample::I16);
    check!(colortype::GrayI32, i32, Sample::I32);
    check!(colortype::GrayI64, i64, Sample::I64);
    check!(colortype::Gray32Float, f32, Sample::F32);
    check!(colortype::Gray64Float, f64, Sample::F64);
}

/// GDAL 3.10 wrote this model of 53 x 37 bytes in tiles of 16 x 16, some of them partly filled.
#[test]
fn tiles_of_lzw_are_read_as_gdal_writes_them() {
    let raster = read(include_bytes!("cases/lzw_tiles.tif")).unwrap();
    assert_eq!((raster.width, raster.height, raster.sample), (53, 37, Sample::U8));
    let right = include_bytes!("cases/lzw_tiles.raw").map(f32::from);
    assert!(raster.samples == right);
}

/// Tiles may claim more bytes than they have samples, but not any size.
#[test]
fn tiles_cannot_claim_memory() {
    let mut bytes = tiled(None);
    let wanted = read(&bytes).unwrap().samples;
    let counts = [0, 0, 0, 16].repeat(4);
    let at = bytes.windows(16).position(|window| window == counts).unwrap();
    bytes[at..at + 16].copy_from_slice(&[0, 0, 0, 40].repeat(4));
    assert_eq!(read(&bytes).unwrap().samples, wanted);
    for (tag, side, what) in [
        (66, 1 << 28, "not read: tiles of 268435456 x 2"),
        (67, 1 << 28, "damaged TIFF"),
        (66, 0, "damaged TIFF"),
    ] {
        let mut bytes = tiled(None);
        let at = bytes.windows(8).position(|entry| entry == [1, tag, 0, 4, 0, 0, 0, 1]).unwrap();
        bytes[at + 8..at + 12].copy_from_slice(&u32::to_be_bytes(side));
        let refused = read(&bytes).err().unwrap().to_string();
        assert!(refused.contains(what), "{refused}");
    }
}

/// "Min is white" is a hint for displays: the numbers are what they are.
#[test]
fn the_photometric_interpretation_does_not_change_heights() {
    let mut bytes = tiled(None);
    let wanted = read(&bytes).unwrap().samples;
    const MIN_IS_BLACK: [u8; 12] = [1, 6, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0];
    let at = bytes.windows(12).position(|entry| entry == MIN_IS_BLACK).unwrap();
    bytes[at + 9] = 0;
    assert_eq!(read(&bytes).unwrap().samples, wanted);
}

#[test]
fn colours_are_refused() {
    let colour = read(&encode::<colortype::RGB8>(Compression::Uncompressed, &[0; 45]));
    assert!(matches!(colour, Err(Problem::Unsupported { format: Format::TIFF, .. })));
}

/// A TIFF written by hand: 5 × 3 big-endian i16 samples in tiles of 4 × 2 (two across, two down) of 16 bytes.
/// The tile `left_out` is omitted, as in sparse files.
pub(crate) fn tiled(left_out: Option<usize>) -> Vec<u8> {
    let mut bytes = b"MM\0*\0\0\0\0".to_vec();
    let (mut offsets, mut counts) = (Vec::new(), Vec::new());
    for tile in 0..4 {
        if left_out == Some(tile) {
            offsets.push(0u32);
            counts.push(0u32);
            continue;
        }
        offsets.push(bytes.len() as u32);
        counts.push(16);
        for i in 0..8 {
            let (x, y) = (4 * (tile % 2) + i % 4, 2 * (tile / 2) + i / 4);
            // Samples outside the image are padding.
            let value = if x < 5 && y < 3 { 10 * y as i16 + x as i16 - 20 } else { 999 };
            bytes.extend(value.to_be_bytes());
        }
    }
    let mut table = |values: &[u32]| {
        let at = bytes.len() as u32;
        values.iter().for_each(|v| bytes.extend(v.to_be_bytes()));
        at
    };
    let (offsets_at, counts_at) = (table(&offsets), table(&counts));
    let start = bytes.len() as u32;
    bytes[4..8].copy_from_slice(&start.to_be_bytes());
    let short = |value: u32| value << 16;
    let entries: [(u16, u16, u32, u32); 12] = [
        (256, 4, 1, 5),
        (257, 4, 1, 3),
        (258, 3, 1, short(16)),
        (259, 3, 1, short(1)),
        (262, 3, 1, short(1)),
        (277, 3, 1, short(1)),
        (322, 4, 1, 4),
        (323, 4, 1, 2),
        (324, 4, 4, offsets_at),
        (325, 4, 4, counts_at),
        (339, 3, 1, short(2)),
        (42113, 2, 3, u32::from_be_bytes(*b"-7\0\0")),
    ];
    bytes.extend((entries.len() as u16).to_be_bytes());
    for (tag, kind, count, value) in entries {
        bytes.extend(tag.to_be_bytes());
        bytes.extend(kind.to_be_bytes());
        bytes.extend(count.to_be_bytes());
        bytes.extend(value.to_be_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn tiles_with_padding_in_either_order_of_bytes() {
    let raster = read(&tiled(None)).unwrap();
    let wanted: Vec<f32> = (0..15).map(|i| (10 * (i / 5) + i % 5 - 20) as f32).collect();
    assert_eq!((raster.samples, raster.sample), (wanted, Sample::I16));
    assert_eq!(raster.georef.unwrap().nodata.as_deref(), Some("-7"));
}

#[test]
fn omitted_tiles_are_missing_samples() {
    let raster = read(&tiled(Some(1))).unwrap();
    assert_eq!(raster.samples[..5], [-20.0, -19.0, -18.0, -17.0, -7.0]);
    assert_eq!(raster.samples[9], -7.0);
    assert_eq!(raster.samples[14], 4.0);
}

#[test]
fn a_small_file_cannot_claim_a_large_image() {
    let mut bytes = tiled(None);
    let at = bytes.len() - 4 - 12 * 12;
    for (entry, value) in [(0, 0x800u32), (1, 0x800), (6, 0x400), (7, 0x400)] {
        let value_at = at + 12 * entry + 8;
        bytes[value_at..value_at + 4].copy_from_slice(&value.to_be_bytes());
    }
    let large = read_up_to(&bytes, 1 << 40);
    assert!(matches!(large, Err(Problem::Damaged { detail, .. }) if detail.contains("too few bytes")));
    assert!(matches!(read(&bytes), Err(Problem::TooLarge { .. })));
}

/// A file of 122 bytes that omits its only strip used to take 8.6 GB.
#[test]
fn a_sparse_file_must_not_claim_too_many_samples() {
    let sparse = |side: u32, padding: usize| {
        let mut bytes = b"II*\0\x08\0\0\0\x09\0".to_vec();
        let short = [(258u16, 16u32), (259, 1), (262, 1), (277, 1)];
        let entries = [(256, side), (257, side), (273, 0), (278, side), (279, 0)];
        let mut entries: Vec<_> =
            short.map(|(t, v)| (t, 3u16, v)).into_iter().chain(entries.map(|(t, v)| (t, 4, v))).collect();
        entries.sort_unstable();
        for (tag, kind, value) in entries {
            bytes.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
            bytes.extend([1u32.to_le_bytes(), value.to_le_bytes()].concat());
        }
        bytes.extend(vec![0; 4 + padding]);
        read_up_to(&bytes, 1 << 31)
    };
    let refused = sparse(46_340, 0).err().unwrap();
    assert!(matches!(&refused, Problem::Sparse { width: 46_340, bytes: 122, .. }), "{refused}");
    // As dense as a file of empty 512 x 512 tiles with their tables.
    assert_eq!(sparse(1999, 0).unwrap().samples.len(), 1999 * 1999);
    assert!(sparse(2008, 0).is_err() && sparse(2008, 1).is_ok());
}

#[test]
fn tags_survive_verbatim_in_a_big_tiff_too() {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new_big(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::Gray8>(5, 3).unwrap();
    let matrix: Vec<f64> = (0..16).map(f64::from).collect();
    image.encoder().write_tag(Tag::ModelTransformationTag, &matrix[..]).unwrap();
    image.encoder().write_tag(Tag::GeoKeyDirectoryTag, &[1u16, 1, 0, 0][..]).unwrap();
    image.encoder().write_tag(Tag::GdalNodata, "-1e+20 ").unwrap();
    image.encoder().write_tag(Tag::GeoDoubleParamsTag, 2.5f64).unwrap();
    image.write_data(&[7; 15]).unwrap();
    let raster = read(bytes.get_ref()).unwrap();
    assert_eq!(raster.samples, [7.0; 15]);
    let wanted = GeoReference {
        transformation: matrix,
        key_directory: vec![1, 1, 0, 0],
        double_params: vec![2.5],
        nodata: Some("-1e+20 ".into()),
        ..GeoReference::default()
    };
    assert_eq!(wanted.nodata_value(), Some(-1e20));
    assert_eq!(raster.georef, Some(wanted));
}

#[test]
fn unreadable_tags_give_a_warning() {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::Gray8>(5, 3).unwrap();
    image.encoder().write_tag(Tag::ModelPixelScaleTag, "thirty").unwrap();
    image.encoder().write_tag(Tag::GdalNodata, "none").unwrap();
    image.write_data(&[7; 15]).unwrap();
    let raster = read(bytes.get_ref()).unwrap();
    assert_eq!((raster.samples.len(), raster.warnings.len()), (15, 2), "{:?}", raster.warnings);
}

/// 64-bit numbers whose neighbours differ by less than 32-bit floats tell.
#[test]
fn numbers_of_wide_types_are_compared_and_scaled_before_they_are_rounded() {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::GrayI64>(4, 1).unwrap();
    image.encoder().write_tag(Tag::GdalNodata, "9223372036854775807").unwrap();
    let scale = r#"<GDALMetadata><Item sample="0" role="scale">0.001</Item>
        <Item sample="0" role="offset">-10000000000</Item></GDALMetadata>"#;
    image.encoder().write_tag(Tag::Unknown(42112), scale).unwrap();
    image.write_data(&[10_000_000_001_500, 10_000_000_002_500, i64::MAX, 10_000_000_000_000]).unwrap();
    let raster = read(bytes.get_ref()).unwrap();
    assert_eq!((raster.samples[0], raster.samples[1], raster.samples[3]), (1.5, 2.5, 0.0));
    assert!(raster.samples[2].is_nan());
    let whole = crate::read::import(
        Cursor::new(bytes.get_ref()),
        bytes.get_ref().len() as u64,
        std::path::Path::new("a.tif"),
        &crate::ReadOptions::default(),
        None,
    );
    let whole = whole.unwrap();
    assert_eq!(whole.mask.unwrap().samples(), [1.0, 1.0, 0.0, 1.0]);
    assert_eq!((whole.map.samples()[0], whole.map.samples()[3]), (1.5, 0.0));

    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let mut image = encoder.new_image::<colortype::GrayI32>(3, 1).unwrap();
    image.encoder().write_tag(Tag::GdalNodata, "2147483647").unwrap();
    image.write_data(&[i32::MAX, i32::MAX - 7, 5]).unwrap();
    let samples = read(bytes.get_ref()).unwrap().samples;
    assert!(samples[0].is_nan() && samples[1..] == [2_147_483_648.0, 5.0], "{samples:?}");
}

#[test]
fn all_masks_of_a_file_count() {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    encoder.write_image::<colortype::Gray8>(3, 1, &[1, 2, 3]).unwrap();
    for known in [[0u8, 1, 1], [1, 1, 0]] {
        let mut image = encoder.new_image::<colortype::Gray8>(3, 1).unwrap();
        image.encoder().write_tag(Tag::NewSubfileType, 4u32).unwrap();
        image.write_data(&known).unwrap();
    }
    let raster = read(bytes.get_ref()).unwrap();
    assert_eq!(raster.transparent, Some(vec![true, false, true]));
}
