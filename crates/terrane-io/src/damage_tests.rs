//! Damaged files of every format give an error or a map, never a panic, and never use more memory than the
//! limit allows.

use std::{io::Cursor, path::Path};

use rand::rngs::StdRng;
use rand::{Rng as _, SeedableRng as _};
use terrane_grid::{Domain, GeoReference, Grid, Heightmap};

use crate::{
    CodeRange, Format, Imported, Problem, ReadOptions, Sidecar, WriteOptions, codec::Heights, codes::Coding,
    error::Outcome, formats::CODECS, formats::tests::plain, read::import, write_heightmap,
};

fn heights() -> Grid<f32> {
    Grid::from_fn(7, 5, |x, y| (x * x) as f32 - 3.5 * y as f32)
}

/// A small file of every format that can be read, in every sample type that can be written.
fn files() -> Vec<(String, Vec<u8>)> {
    let grid = heights();
    let georef = GeoReference {
        pixel_scale: vec![2.0, 2.0, 0.0],
        tiepoints: vec![0.0, 0.0, 0.0, 10.0, 20.0, 0.0],
        key_directory: vec![1, 1, 0, 1, 1024, 0, 1, 1],
        double_params: vec![1.5],
        ascii_params: "here|".into(),
        nodata: Some("-9999".into()),
        ..GeoReference::default()
    };
    let mut files = Vec::new();
    for codec in CODECS.iter().filter(|codec| codec.reader.is_some()) {
        for &sample in codec.format.samples() {
            let coding = Coding::choose(sample, CodeRange::MinMax, grid.as_slice()).unwrap();
            let (coding, georef) = (coding.as_ref(), Some(&georef));
            let mut bytes = Cursor::new(Vec::new());
            (codec.heightmap.unwrap())(&mut bytes, &Heights { sample, coding, georef, ..plain(&grid) })
                .unwrap();
            files.push((format!("a.{}", codec.format.extensions()[0]), bytes.into_inner()));
        }
    }
    files
}

fn is_raw(name: &str) -> bool {
    Format::from_extension(Path::new(name)).is_some_and(Format::is_raw)
}

fn read(name: &str, bytes: &[u8]) -> Outcome<Imported> {
    let size = is_raw(name).then_some((7, 5));
    let options = ReadOptions { max_samples: 1 << 16, size, ..ReadOptions::default() };
    import(Cursor::new(bytes), bytes.len() as u64, Path::new(name), &options, None)
}

#[test]
fn every_truncation_is_an_error_or_the_whole_map() {
    for (name, bytes) in files() {
        let whole = read(&name, &bytes).unwrap();
        assert_eq!(whole.map.domain().size, (7, 5), "{name}");
        for length in 0..bytes.len() {
            // Only bytes without content, such as the final chunk of a PNG, may be missing.
            match read(&name, &bytes[..length]) {
                Ok(map) => assert_eq!(map.map.samples(), whole.map.samples(), "{name} of {length}"),
                Err(problem) => assert!(!problem.at(Path::new(&name)).to_string().is_empty()),
            }
        }
        assert!(matches!(read(&name, &[]), Err(Problem::Empty)));
    }
}

#[test]
fn thousands_of_flipped_bits_are_survived() {
    let mut random = StdRng::seed_from_u64(1);
    for (name, bytes) in files() {
        for round in 0..3000 {
            let mut damaged = bytes.clone();
            for _ in 0..1 + round % 4 {
                let bit = random.random_range(..8 * damaged.len());
                damaged[bit / 8] ^= 1 << (bit % 8);
            }
            if let Ok(imported) = read(&name, &damaged) {
                assert!(imported.map.samples().iter().all(|h| h.is_finite()), "{name}");
                assert!(imported.map.samples().len() <= 1 << 16);
            }
        }
    }
}

#[test]
fn random_bytes_after_the_right_start_are_survived() {
    let mut random = StdRng::seed_from_u64(2);
    for (name, bytes) in files() {
        for round in 0..500 {
            let kept = random.random_range(..bytes.len());
            let mut damaged = bytes[..kept].to_vec();
            let more = random.random_range(..300_u32);
            damaged.extend((0..more).map(|_| random.random::<u8>()));
            let _ = read(&name, &damaged).map_err(|problem| (round, problem));
        }
    }
}

#[test]
fn the_content_decides_and_a_wrong_extension_is_reported() {
    for (name, bytes) in files().into_iter().filter(|(name, _)| !is_raw(name)) {
        let content = read(&name, &bytes).unwrap();
        assert_eq!(content.warnings.len(), 0, "{name}: {:?}", content.warnings);
        for wrong in ["a.npy", "a.exr", "a.tif", "a.png", "a.r16", "a.obj"] {
            if !wrong.ends_with(&name[1..]) {
                let renamed = import(
                    Cursor::new(&bytes),
                    bytes.len() as u64,
                    Path::new(wrong),
                    &ReadOptions::default(),
                    None,
                )
                .unwrap();
                assert_eq!(renamed.map, content.map);
                assert!(renamed.warnings[0].starts_with("the extension says"), "{:?}", renamed.warnings);
            }
        }
    }
    assert!(matches!(read("a.png", b"GIF89a"), Err(Problem::WrongMagic { format: Format::PNG, .. })));
    assert!(matches!(read("a.xyz", b"GIF89a"), Err(Problem::Unrecognised { .. })));
    assert!(matches!(read("a.obj", b"v 0 0 0"), Err(Problem::NotRead { format: Format::OBJ, .. })));
}

#[test]
fn an_error_names_file_expectation_and_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.png");
    std::fs::write(&path, b"").unwrap();
    let text = crate::read_heightmap(&path, &ReadOptions::default()).unwrap_err().to_string();
    assert!(text.contains("empty.png: the file is empty; expected"), "{text}");
    let missing = crate::read_heightmap(&folder.path().join("no.tif"), &ReadOptions::default()).unwrap_err();
    assert!(matches!(missing.problem, Problem::Read(_)));
    assert!(missing.remedy().contains("path"));
    assert!(crate::read_heightmap(folder.path(), &ReadOptions::default()).is_err());
}

#[test]
fn a_sidecar_of_another_size_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let map = Heightmap::from_grid(Domain::new(7, 5), heights());
    write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
    let small = Heightmap::constant(Domain::new(3, 3), 1.0);
    let other = folder.path().join("b.png");
    write_heightmap(&other, &small, &WriteOptions::default()).unwrap();
    let sidecar = Sidecar { data: None, ..Sidecar::of(&other).unwrap().unwrap() };
    sidecar.stage(&path, false).unwrap().commit().unwrap();
    let refused = crate::read_heightmap(&path, &ReadOptions::default()).unwrap_err();
    assert!(refused.to_string().contains("says 3 x 3 samples, the file has 7 x 5"), "{refused}");
    let ignored = crate::read_heightmap(&path, &ReadOptions { sidecar: false, ..ReadOptions::default() });
    assert_eq!(ignored.unwrap().map.samples()[6], 65535.0);
}

/// A TIFF of 16 columns whose rows are tiles of 2^20 columns, all stored in the same bytes.
fn shared_tiles(rows: u32) -> Vec<u8> {
    let packed = [0x81, 7].repeat(1 << 13);
    let places = 8 + packed.len() as u32;
    let counts = places + 4 * rows;
    let start = counts + 4 * rows;
    let mut bytes = [&b"II*\0"[..], &start.to_le_bytes(), &packed].concat();
    bytes.extend([8u32.to_le_bytes()].repeat(rows as usize).concat());
    bytes.extend([(packed.len() as u32).to_le_bytes()].repeat(rows as usize).concat());
    let tags = [
        (256u16, 1, 16),
        (257, 1, rows),
        (258, 1, 8),
        (259, 1, 32_773),
        (322, 1, 1 << 20),
        (323, 1, 1),
        (324, rows, places),
        (325, rows, counts),
    ];
    bytes.extend((tags.len() as u16).to_le_bytes());
    for (tag, count, value) in tags {
        bytes.extend([tag.to_le_bytes(), 4u16.to_le_bytes()].concat());
        bytes.extend([count.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend([0; 4]);
    bytes
}

/// 73 kB of such a file used to take longer than a minute.
#[test]
fn a_small_file_cannot_claim_time_by_tiles_that_share_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    std::fs::write(&path, shared_tiles(64)).unwrap();
    let read = |path: &Path| crate::read_heightmap(path, &ReadOptions::default());
    assert_eq!(read(&path).unwrap().map.samples(), [7.0; 16 * 64]);
    std::fs::write(&path, shared_tiles(1000)).unwrap();
    let refused = read(&path).unwrap_err().to_string();
    assert!(refused.contains("tiles of 1048576 x 1 samples that share bytes"), "{refused}");
}
