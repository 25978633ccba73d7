//! Properties that hold for every format in the table.

use std::{collections::BTreeSet, fs};

use terrane_grid::{Domain, Grid, Heightmap};

use super::CODECS;
use crate::{
    CodeRange, Effort, Endian, Format, Kind, ReadOptions, Sample, WriteOptions, codec::Heights,
    needed_memory, read_heightmap, write_heightmap,
};

/// Heights to write as floating-point samples, without options.
pub(crate) fn plain(grid: &Grid<f32>) -> Heights<'_> {
    let (effort, endian) = (Effort::Fast, Endian::Little);
    Heights { grid, sample: Sample::F32, coding: None, georef: None, effort, endian }
}

#[test]
fn no_two_formats_share_a_name_or_an_extension() {
    let mut names = BTreeSet::new();
    for format in Format::ALL {
        assert!(names.insert(format.to_string()), "{format}");
        assert!(!format.extensions().is_empty(), "{format}");
        for extension in format.extensions() {
            assert!(names.insert(format!(".{extension}")), "{format}: .{extension}");
            assert_eq!(*extension, extension.to_lowercase());
        }
    }
}

#[test]
fn a_format_has_the_functions_that_it_needs() {
    for codec in CODECS {
        let format = codec.format;
        assert!(format.codec().is_some_and(|found| std::ptr::eq(found, *codec)), "{format}");
        assert_eq!(codec.heightmap.is_some(), !format.samples().is_empty(), "{format}");
        let kinds = [Kind::Heightmap, Kind::Picture, Kind::Animation, Kind::Mesh];
        assert!(codec.reader.is_some() || kinds.into_iter().any(|kind| format.holds(kind)), "{format}");
    }
}

/// Integers from 0 to 255, which every integer type can hold exactly.
fn small() -> Heightmap {
    let domain = Domain::new(7, 5).with_spacing(2.5).with_origin(-7.25, 4.0);
    Heightmap::from_fn(domain, |x, y| if (x, y) == (6, 4) { 255.0 } else { (x * 7 + y * 31) as f32 })
}

#[test]
fn maps_are_read_as_written_in_every_format() {
    let (folder, map) = (tempfile::tempdir().unwrap(), small());
    for format in Format::ALL {
        for extension in format.extensions() {
            for &sample in format.samples() {
                let path = folder.path().join(format!("{sample}.{extension}"));
                let (sample, range) = (Some(sample), CodeRange::Whole);
                let options = WriteOptions { sample, range, ..WriteOptions::default() };
                write_heightmap(&path, &map, &options).unwrap();
                if format.reader().is_some() {
                    let back = read_heightmap(&path, &ReadOptions::default()).unwrap();
                    assert_eq!((back.format, Some(back.sample), back.mask), (format, sample, None));
                    assert_eq!((back.map, back.warnings), (map.clone(), vec![]), "{format} {sample:?}");
                    let needed = needed_memory(&path, &ReadOptions::default()).unwrap();
                    assert_eq!(needed.size, (7, 5), "{format}");
                    assert!(needed.bytes >= 4 * 7 * 5, "{format}");
                }
            }
        }
    }
}

#[test]
fn files_are_recognised_by_one_format() {
    let (folder, map) = (tempfile::tempdir().unwrap(), small());
    for codec in CODECS.iter().filter(|codec| codec.heightmap.is_some() && codec.reader.is_some()) {
        let format = codec.format;
        let path = folder.path().join(format!("a.{}", format.extensions()[0]));
        write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
        let bytes = fs::read(&path).unwrap();
        let by: Vec<Format> = CODECS
            .iter()
            .filter(|codec| codec.reader.is_some_and(|reader| (reader.recognise)(&bytes)))
            .map(|codec| codec.format)
            .collect();
        let wanted = if format.is_raw() { vec![] } else { vec![format] };
        assert_eq!(by, wanted, "{format}");
        assert_eq!(Format::from_content(&bytes), wanted.first().copied());
    }
    assert_eq!(Format::from_content(b""), None);
    assert_eq!(Format::from_content(b"GIF89a"), None);
}

/// CONTRIBUTING.md uses NPY as the example of a format.
#[test]
fn the_example_in_contributing_is_the_code() {
    let guide = include_str!("../../../../CONTRIBUTING.md");
    let section = guide.split("## Adding a file format").nth(1).unwrap().split("\n## ").next().unwrap();
    let blocks: Vec<&str> =
        section.split("```text\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    let files = [include_str!("npy/mod.rs"), include_str!("mod.rs")];
    assert_eq!(blocks.len(), files.len());
    for (block, file) in blocks.into_iter().zip(files) {
        for line in block.lines() {
            assert!(file.lines().any(|real| real == line), "{line}");
        }
    }
}
