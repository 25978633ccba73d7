//! Cloud-optimised files byte by byte, and as other programs read them.

use std::{
    cell::RefCell,
    fmt::Write as _,
    io::{self, Cursor},
    path::PathBuf,
};

use terrane_grid::GeoReference;
use tiff::{
    decoder::{Decoder, DecodingResult},
    tags::Tag,
};

use super::{
    Pyramid,
    reader::{File, Values},
    tile::Extent,
    write,
};
use crate::{CogSamples, Effort, IoError, Levels, Problem, codec::Input, limits::Limits};

/// A map whose samples are functions of their position.
struct Source<const BYTES: usize> {
    size: (usize, usize),
    sample: fn(usize, usize) -> [u8; BYTES],
    /// The parts requested so far: level, first row, rows.
    requested: RefCell<Vec<(u32, usize, usize)>>,
    fails: Option<u32>,
}

impl<const BYTES: usize> Source<BYTES> {
    fn new(size: (usize, usize), sample: fn(usize, usize) -> [u8; BYTES]) -> Self {
        Self { size, sample, requested: RefCell::default(), fails: None }
    }

    fn level(&self, level: usize) -> Vec<u8> {
        let step = 1 << level;
        let rows = (0..self.size.1).step_by(step);
        rows.flat_map(|y| (0..self.size.0).step_by(step).flat_map(move |x| (self.sample)(x, y))).collect()
    }
}

impl<const BYTES: usize> Levels for Source<BYTES> {
    fn size(&self) -> (usize, usize) {
        self.size
    }

    fn read(&self, level: u32, first: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, IoError> {
        self.requested.borrow_mut().push((level, first.1, size.1));
        if self.fails == Some(level) {
            let problem = Problem::Read(io::Error::other("the patch is gone"));
            return Err(IoError { path: PathBuf::from("patch.tif"), problem });
        }
        let halved = |samples: usize| samples.div_ceil(1 << level);
        assert!(first.0 + size.0 <= halved(self.size.0) && first.1 + size.1 <= halved(self.size.1));
        let columns = || (first.0..first.0 + size.0).map(|x| x << level);
        let rows = (first.1..first.1 + size.1).map(|y| y << level);
        Ok(rows.flat_map(|y| columns().flat_map(move |x| (self.sample)(x, y))).collect())
    }
}

/// Bit patterns of all kinds of numbers, including infinities and NaN with a payload.
fn bits(x: usize, y: usize) -> [u8; 4] {
    match (x * 7 + y * 3) % 11 {
        0 => f32::INFINITY.to_le_bytes(),
        1 => 0xffc1_2345u32.to_le_bytes(),
        2 => (-0.0f32).to_le_bytes(),
        _ => ((x * 0x1003 + y) as u32).wrapping_mul(0x9e37_79b1).to_le_bytes(),
    }
}

fn slope(x: usize, y: usize) -> [u8; 4] {
    (x as f32 * 0.25 - y as f32).to_le_bytes()
}

fn colours(x: usize, y: usize) -> [u8; 3] {
    [(x * x / 7) as u8, (x ^ y) as u8, (y / 3) as u8]
}

fn heights(levels: &dyn Levels) -> Pyramid<'_> {
    Pyramid { levels, samples: CogSamples::Heights, effort: Effort::Fast, georef: None, nodata: None }
}

fn pictures(levels: &dyn Levels) -> Pyramid<'_> {
    Pyramid { samples: CogSamples::Colours, ..heights(levels) }
}

fn written(pyramid: &Pyramid<'_>) -> (Vec<u8>, Extent) {
    let mut bytes = Cursor::new(Vec::new());
    let extent = write(&mut bytes, pyramid).unwrap();
    (bytes.into_inner(), extent)
}

fn big(pyramid: &Pyramid<'_>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    pyramid.write_above(&mut bytes, 0).unwrap();
    bytes.into_inner()
}

const SIZES: [(usize, usize); 6] = [(1, 1), (512, 512), (513, 512), (1, 600), (513, 1025), (700, 1300)];

#[test]
fn every_sample_of_every_level_is_at_its_position() {
    fn check<const BYTES: usize>(source: &Source<BYTES>, bytes: &[u8], is_big: bool) {
        let file = File::new(bytes);
        assert_eq!(file.big, is_big);
        file.check_layout();
        for (level, image) in file.images.iter().enumerate() {
            let (width, height) = source.size;
            assert_eq!(File::size(image), (width.div_ceil(1 << level), height.div_ceil(1 << level)));
            assert_eq!(image.fields.get(&254).map(Values::numbers), (level > 0).then_some(vec![1]));
            assert!(file.samples(image, BYTES) == source.level(level), "{:?} level {level}", source.size);
        }
        let fits = |image| File::size(image).0.max(File::size(image).1) <= 512;
        let last = file.images.len() - 1;
        assert!(fits(&file.images[last]) && !file.images[..last].iter().any(fits));
    }
    for size in SIZES {
        let map = Source::new(size, bits);
        for effort in [Effort::Fast, Effort::Small] {
            check(&map, &written(&Pyramid { effort, ..heights(&map) }).0, false);
        }
        check(&map, &big(&heights(&map)), true);
        let picture = Source::new(size, colours);
        check(&picture, &written(&pictures(&picture)).0, false);
        check(&picture, &big(&pictures(&picture)), true);
    }
}

#[test]
fn samples_are_requested_once_from_the_smallest_level_on() {
    let map = Source::new((700, 1300), slope);
    let (_, extent) = written(&heights(&map));
    let wanted = [(2, 0, 325), (1, 0, 512), (1, 512, 138), (0, 0, 512), (0, 512, 512), (0, 1024, 276)];
    assert_eq!(*map.requested.borrow(), wanted);
    assert_eq!(extent, Some((-1299.0, 0.25 * 699.0)));
    let none = Source::new((3, 2), |_, _| f32::NAN.to_le_bytes());
    assert_eq!(written(&heights(&none)).1, None);
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let (map, picture) = (Source::new((3000, 700), bits), Source::new((3000, 700), colours));
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (size, sample) = (map.size, (map.sample, picture.sample));
        pool.install(|| {
            let (map, picture) = (Source::new(size, sample.0), Source::new(size, sample.1));
            (written(&heights(&map)), written(&pictures(&picture)))
        })
    };
    assert!(on(1) == on(4));
}

#[test]
fn other_readers_find_every_level() {
    let (map, picture) = (Source::new((700, 1300), slope), Source::new((700, 1300), colours));
    for bytes in [written(&heights(&map)).0, big(&heights(&map))] {
        let mut decoder = Decoder::new(Cursor::new(&bytes[..])).unwrap();
        for level in 0..3 {
            decoder.seek_to_image(level).unwrap();
            let DecodingResult::F32(samples) = decoder.read_image().unwrap() else { panic!() };
            assert!(samples.iter().flat_map(|h| h.to_le_bytes()).eq(map.level(level)));
        }
        assert!(!decoder.more_images());
        let limits = Limits::samples(1 << 24);
        let input = &mut Cursor::new(&bytes[..]);
        let raster = super::super::read::read(Input::new(input, bytes.len() as u64, limits)).unwrap();
        assert_eq!((raster.width, raster.height), map.size);
        assert!(raster.samples.iter().flat_map(|h| h.to_le_bytes()).eq(map.level(0)));
    }
    for bytes in [written(&pictures(&picture)).0, big(&pictures(&picture))] {
        let mut decoder = Decoder::new(Cursor::new(&bytes[..])).unwrap();
        for level in 0..3 {
            decoder.seek_to_image(level).unwrap();
            let DecodingResult::U8(samples) = decoder.read_image().unwrap() else { panic!() };
            assert!(samples == picture.level(level));
        }
    }
}

/// The fields of all directories, without offsets and lengths of tiles.
fn describe(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (level, image) in File::new(bytes).images.iter().enumerate() {
        writeln!(text, "level {level}").unwrap();
        for (&tag, values) in &image.fields {
            let name = Tag::from_u16(tag as u16).map_or_else(|| "?".into(), |tag| format!("{tag:?}"));
            let value = match values.kind {
                _ if matches!(tag, 324 | 325) => format!("{} of type {}", values.count, values.kind),
                2 => format!("{:?}", values.text()),
                12 => format!("{:?}", values.reals()),
                _ => format!("{:?}", values.numbers()),
            };
            writeln!(text, "  {tag} {name}: {value}").unwrap();
        }
    }
    text
}

#[test]
fn tags_of_heights_on_the_earth_and_of_colours() {
    let georef = GeoReference {
        pixel_scale: vec![30.0, 30.0, 0.0],
        tiepoints: vec![0.0, 0.0, 0.0, 500_000.0, 4_100_000.5, 0.0],
        key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32_633],
        ascii_params: "Zone 33 é|".into(),
        nodata: Some("-32768".into()),
        ..GeoReference::default()
    };
    let map = Source::new((600, 5), slope);
    let pyramid = Pyramid { georef: Some(&georef), nodata: Some(f32::NAN), ..heights(&map) };
    insta::assert_snapshot!(describe(&written(&pyramid).0), @r#"
    level 0
      256 ImageWidth: [600]
      257 ImageLength: [5]
      258 BitsPerSample: [32]
      259 Compression: [8]
      262 PhotometricInterpretation: [1]
      277 SamplesPerPixel: [1]
      284 PlanarConfiguration: [1]
      317 Predictor: [3]
      322 TileWidth: [512]
      323 TileLength: [512]
      324 TileOffsets: 2 of type 4
      325 TileByteCounts: 2 of type 4
      339 SampleFormat: [3]
      33550 ModelPixelScaleTag: [30.0, 30.0, 0.0]
      33922 ModelTiepointTag: [0.0, 0.0, 0.0, 500000.0, 4100000.5, 0.0]
      34735 GeoKeyDirectoryTag: [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32633]
      34737 GeoAsciiParamsTag: "Zone 33 é|"
      42113 GdalNodata: "nan"
    level 1
      254 NewSubfileType: [1]
      256 ImageWidth: [300]
      257 ImageLength: [3]
      258 BitsPerSample: [32]
      259 Compression: [8]
      262 PhotometricInterpretation: [1]
      277 SamplesPerPixel: [1]
      284 PlanarConfiguration: [1]
      317 Predictor: [3]
      322 TileWidth: [512]
      323 TileLength: [512]
      324 TileOffsets: 1 of type 4
      325 TileByteCounts: 1 of type 4
      339 SampleFormat: [3]
      42113 GdalNodata: "nan"
    "#);
    let picture = Source::new((20, 30), colours);
    insta::assert_snapshot!(describe(&big(&Pyramid { nodata: Some(7.0), ..pictures(&picture) })), @r#"
    level 0
      256 ImageWidth: [20]
      257 ImageLength: [30]
      258 BitsPerSample: [8, 8, 8]
      259 Compression: [8]
      262 PhotometricInterpretation: [2]
      277 SamplesPerPixel: [3]
      284 PlanarConfiguration: [1]
      317 Predictor: [2]
      322 TileWidth: [512]
      323 TileLength: [512]
      324 TileOffsets: 1 of type 16
      325 TileByteCounts: 1 of type 4
      339 SampleFormat: [1, 1, 1]
      42113 GdalNodata: "7"
    "#);
}

#[test]
fn short_or_failed_reads_are_errors() {
    struct Short;
    impl Levels for Short {
        fn size(&self) -> (usize, usize) {
            (5, 4)
        }

        fn read(&self, _: u32, _: (usize, usize), _: (usize, usize)) -> Result<Vec<u8>, IoError> {
            Ok(vec![0; 79])
        }
    }
    let short = write(&mut Cursor::new(Vec::new()), &heights(&Short)).unwrap_err();
    assert_eq!(short.to_string(), "80 bytes of level 0 were requested, but 79 were received");
    let map = Source { fails: Some(0), ..Source::new((600, 4), slope) };
    let failed = write(&mut Cursor::new(Vec::new()), &heights(&map)).unwrap_err();
    assert!(failed.downcast::<IoError>().unwrap().to_string().contains("the patch is gone"));
}
