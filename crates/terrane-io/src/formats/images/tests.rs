use std::{io::Cursor, path::Path};

use terrane_grid::Grid;

use super::*;
use crate::error::Outcome;
use crate::{
    Effort, Imported, PictureOptions, Problem, ReadOptions, formats::CODECS, read::import, read_picture,
    write_picture,
};

/// A picture with gradients, an edge and a flat part.
fn colours() -> Grid<[u8; 3]> {
    Grid::from_fn(37, 21, |x, y| {
        if x < 20 { [(x * 6) as u8, (y * 11) as u8, (x * y / 2) as u8] } else { [90, 140, 40] }
    })
}

/// A file of a format. `image` has encoders for all of them.
fn encoded(format: Format, pixels: &[u8], size: (usize, usize), colour: image::ExtendedColorType) -> Vec<u8> {
    let kind = match format {
        Format::WEBP => image::ImageFormat::WebP,
        Format::JPEG => image::ImageFormat::Jpeg,
        Format::BMP => image::ImageFormat::Bmp,
        _ => image::ImageFormat::Tga,
    };
    let mut bytes = Cursor::new(Vec::new());
    let (width, height) = (size.0 as u32, size.1 as u32);
    image::write_buffer_with_format(&mut bytes, pixels, width, height, colour, kind).unwrap();
    bytes.into_inner()
}

/// The formats of this folder.
const ALL: [Format; 4] = [Format::WEBP, Format::JPEG, Format::BMP, Format::TGA];

/// A file of each format with colours, and one with grey samples; whether the samples are kept.
fn files() -> Vec<(Format, Vec<u8>, bool)> {
    let picture = colours();
    let grey: Vec<u8> = picture.as_slice().iter().map(|colour| colour[0]).collect();
    let mut files = Vec::new();
    for format in ALL {
        let colour = image::ExtendedColorType::Rgb8;
        files.push((
            format,
            encoded(format, picture.as_slice().as_flattened(), picture.size(), colour),
            false,
        ));
        let colour = image::ExtendedColorType::L8;
        files.push((format, encoded(format, &grey, picture.size(), colour), true));
    }
    files
}

fn name(format: Format) -> String {
    format!("a.{}", format.extensions()[0])
}

fn heights_of(name: &str, bytes: &[u8]) -> Outcome<Imported> {
    let options = ReadOptions { max_samples: 1 << 16, ..ReadOptions::default() };
    import(Cursor::new(bytes), bytes.len() as u64, Path::new(name), &options, None)
}

fn picture_of(name: &str, bytes: &[u8]) -> Result<Grid<[u8; 3]>, crate::IoError> {
    let open = |_: &Path| {
        let content = Box::new(Cursor::new(bytes.to_vec()));
        Ok(crate::Opened { content, length: bytes.len() as u64 })
    };
    crate::read_picture_from(&open, Path::new(name), 1 << 16)
}

/// The largest difference of a channel.
fn difference(a: &Grid<[u8; 3]>, b: &Grid<[u8; 3]>) -> u8 {
    assert_eq!(a.size(), b.size());
    let pairs = a.as_slice().as_flattened().iter().zip(b.as_slice().as_flattened());
    pairs.map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0)
}

#[test]
fn pictures_are_read_as_written() {
    let folder = tempfile::tempdir().unwrap();
    for picture in [colours(), Grid::filled(64, 64, [9, 8, 7]), Grid::filled(1, 1, [255, 0, 128])] {
        let path = folder.path().join("a.webp");
        write_picture(&path, &picture, Effort::Fast).unwrap();
        assert_eq!(read_picture(&path, 1 << 16).unwrap(), picture);
    }
    // Neighbouring colours that differ by tens are the worst case for JPEG: blocks of 8 x 8 have few waves.
    let sizes = [30, 90, 100].map(|quality| {
        let path = folder.path().join(format!("{quality}.jpg"));
        write_picture(&path, &colours(), PictureOptions { quality, ..PictureOptions::default() }).unwrap();
        let back = read_picture(&path, 1 << 16).unwrap();
        (std::fs::metadata(&path).unwrap().len(), difference(&back, &colours()))
    });
    assert!(sizes[0].0 < sizes[1].0 && sizes[1].0 < sizes[2].0, "{sizes:?}");
    assert!(sizes[0].1 > sizes[1].1 && sizes[2].1 <= 6, "{sizes:?}");
}

#[test]
fn a_wrong_quality_and_a_picture_too_large_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for quality in [0, 101] {
        let options = PictureOptions { quality, ..PictureOptions::default() };
        let refused = write_picture(&folder.path().join("a.jpg"), &colours(), options).unwrap_err();
        assert!(matches!(refused.problem, Problem::BadOption { name: "quality", .. }));
    }
    for (name, side) in [("a.webp", 16_384), ("a.jpg", 65_536)] {
        let refused = write_picture(&folder.path().join(name), &Grid::filled(side, 1, [0; 3]), Effort::Fast);
        assert!(matches!(refused.unwrap_err().problem, Problem::TooLong { .. }));
    }
    // The largest picture that is written can be read.
    let (path, largest) = (folder.path().join("a.webp"), Grid::filled(16_383, 1, [7; 3]));
    write_picture(&path, &largest, Effort::Fast).unwrap();
    assert_eq!(picture_of("a.webp", &std::fs::read(&path).unwrap()).unwrap(), largest);
}

#[test]
fn every_format_is_read_as_colours_and_as_heights() {
    for (format, bytes, is_grey) in files() {
        let tolerance = if format == Format::JPEG { 50 } else { 0 };
        let picture = picture_of(&name(format), &bytes).unwrap();
        let heights = heights_of(&name(format), &bytes);
        if is_grey {
            let grey = Grid::from_fn(37, 21, |x, y| [colours()[(x, y)][0]; 3]);
            let off = difference(&picture, &grey);
            assert!(off <= tolerance, "{format}: {off}");
            let heights = heights.unwrap();
            assert_eq!((heights.format, heights.sample), (format, crate::Sample::U8));
            let same = heights.map.samples().iter().zip(picture.as_slice());
            assert!(same.clone().all(|(height, colour)| *height == f32::from(colour[0])), "{format}");
        } else {
            let off = difference(&picture, &colours());
            assert!(off <= tolerance, "{format}: {off}");
            assert!(matches!(heights, Err(Problem::Colour { .. })), "{format}");
        }
    }
}

#[test]
fn the_content_decides_and_only_tga_needs_its_extension() {
    for (format, bytes, _) in files() {
        let by: Vec<Format> = CODECS
            .iter()
            .filter(|codec| codec.reader.is_some_and(|reader| (reader.recognise)(&bytes)))
            .map(|codec| codec.format)
            .collect();
        if format == Format::TGA {
            assert_eq!(by, []);
            assert!(picture_of("a.png", &bytes).is_err());
        } else {
            assert_eq!(by, [format]);
            assert_eq!(picture_of("a.png", &bytes).unwrap(), picture_of(&name(format), &bytes).unwrap());
        }
        assert!(
            picture_of(&name(format), b"text that is not a picture, but long enough for a header").is_err()
        );
    }
    // Raw samples that start like a picture.
    assert!(!is_bmp(&[b'B', b'M', 7, 0, 9, 0, 3, 0].repeat(9)));
    assert!(!is_jpeg(&[0xff, 0xd8, 0xff, 0xd7, 0, 1].repeat(99)));
}

#[test]
fn damaged_files_are_errors_or_have_pixels() {
    let mut state = 3u64;
    let mut step = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    for (format, bytes, _) in files() {
        let name = name(format);
        let whole = picture_of(&name, &bytes).unwrap();
        if matches!(format, Format::WEBP | Format::JPEG) {
            let problem = picture_of(&name, &bytes[..bytes.len() - 1]).unwrap_err().problem;
            assert!(matches!(problem, Problem::Truncated { .. } | Problem::Damaged { .. }), "{problem}");
        }
        for length in 0..bytes.len() {
            if let Ok(part) = picture_of(&name, &bytes[..length]) {
                assert!(part == whole, "{format} of {length} bytes of {}", bytes.len());
            }
        }
        for round in 0..600 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + round % 4 {
                let bit = step() % (8 * damaged.len().min(if round % 2 == 0 { 64 } else { usize::MAX }));
                damaged[bit / 8] ^= 1 << (bit % 8);
            }
            if let Ok(picture) = picture_of(&name, &damaged) {
                assert!(picture.len() <= 1 << 16, "{format}");
            }
            let _an_error_or_heights = heights_of(&name, &damaged);
        }
    }
}

#[test]
fn a_false_size_is_refused_before_memory_is_taken() {
    for (format, mut bytes, _) in files() {
        match format {
            Format::BMP => bytes[18..26].copy_from_slice(&[255, 255, 0, 0, 255, 255, 0, 0]),
            Format::TGA => bytes[12..16].copy_from_slice(&[255; 4]),
            Format::JPEG => {
                let at = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
                bytes[at + 5..at + 9].copy_from_slice(&[255; 4]);
            }
            _ => continue,
        }
        let options = ReadOptions { memory: 1 << 40, max_samples: 1 << 40, ..ReadOptions::default() };
        let refused =
            import(Cursor::new(&bytes), bytes.len() as u64, Path::new(&name(format)), &options, None);
        assert!(matches!(refused, Err(Problem::Truncated { .. })), "{format}");
    }
}

/// Pixels of a JPEG do not depend on the machine: its decoder has code for several vector levels.
#[test]
fn decoded_pixels_are_the_same_on_every_machine() {
    let (_, bytes, _) =
        files().into_iter().find(|(format, _, grey)| *format == Format::JPEG && !grey).unwrap();
    let picture = picture_of("a.jpg", &bytes).unwrap();
    let digest = blake3::hash(picture.as_slice().as_flattened()).to_hex();
    assert_eq!(&digest[..16], "16d22a11ef503cbb");
}
