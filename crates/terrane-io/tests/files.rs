//! Round trips, real elevation models and damaged files.

use std::path::{Path, PathBuf};

use terrane_grid::{Domain, Grid, Heightmap, Seed};
use terrane_io::{
    Depth, Endian, Imported, ReadOptions, Sidecar, WriteOptions, Written, read_heightmap, write_heightmap,
    write_mesh, write_picture,
};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs/data").join(name)
}

fn read(path: &Path) -> Imported {
    read_heightmap(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn rough(w: usize, h: usize) -> Heightmap {
    let lattice = Seed(3).lattice();
    Heightmap::from_fn(Domain::new(w, h).with_spacing(2.5).with_origin(-10.0, 40.0), |x, y| {
        lattice.unit(x as i64, y as i64) * 1000.0 - 200.0
    })
}

#[test]
fn real_formats_give_every_bit_back() {
    let folder = tempfile::tempdir().unwrap();
    for (w, h) in [(1, 1), (7, 1), (1, 9), (33, 20), (300, 257)] {
        let map = rough(w, h);
        for name in ["a.tif", "a.exr", "a.npy", "a.r32"] {
            let path = folder.path().join(name);
            write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
            assert_eq!(read(&path).map.samples(), map.samples(), "{name} {w} x {h}");
        }
    }
}

#[test]
fn integer_formats_give_heights_back_to_half_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let map = rough(65, 40);
    let cases = [
        ("a.png", None, 65535.0),
        ("b.png", Some(Depth::U8), 255.0),
        ("a.r16", None, 65535.0),
        ("a.tif", Some(Depth::U16), 65535.0),
    ];
    for (name, depth, greatest) in cases {
        for range in [None, Some((-500.0, 1500.0))] {
            let path = folder.path().join(name);
            write_heightmap(&path, &map, &WriteOptions { range, depth, ..WriteOptions::default() }).unwrap();
            let back = read(&path).map;
            let (low, high) = range.unwrap_or((-200.0, 800.0));
            let half = ((high - low) / greatest / 2.0) as f32 * 1.01;
            let worst =
                back.samples().iter().zip(map.samples()).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst <= half, "{name} {range:?}: {worst} > {half}");
            assert_eq!(back.domain(), map.domain(), "the sidecar knows spacing and origin");
        }
    }
}

#[test]
fn bare_files_come_in_either_order_and_say_when_the_size_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.r32");
    let map = rough(6, 4);
    write_heightmap(&path, &map, &WriteOptions { endian: Endian::Big, ..WriteOptions::default() }).unwrap();
    assert_eq!(read(&path).map.samples(), map.samples());
    std::fs::remove_file(terrane_io::sidecar_path(&path)).unwrap();
    let options = ReadOptions { size: Some((6, 4)), endian: Endian::Big, ..ReadOptions::default() };
    assert_eq!(read_heightmap(&path, &options).unwrap().map.samples(), map.samples());
    let error = read_heightmap(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.help.contains("give the size"), "{error}");
}

#[test]
fn surveys_keep_their_place() {
    let cases = [
        ("bigtujunga_30m.tif", (513, 513), Some(32611), 30.0, (555.0, 2014.0)),
        ("jacksboro_3s.tif", (403, 344), Some(4326), 1.0 / 1200.0, (236.0, 1076.0)),
        ("maungawhau_2m.tif", (513, 513), Some(2193), 2.034, (74.9, 195.7)),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (name, size, epsg, spacing, (low, high)) in cases {
        let survey = read(&data(name));
        let georef = survey.map.georef().unwrap();
        assert_eq!((survey.map.domain().size, georef.epsg(), survey.missing), (size, epsg, 0), "{name}");
        assert!((survey.map.spacing() - spacing).abs() < 1e-3 * spacing, "{name}: {}", survey.map.spacing());
        let extreme =
            |pick: fn(f32, f32) -> f32, start| survey.map.samples().iter().copied().fold(start, pick);
        assert!((f64::from(extreme(f32::min, f32::MAX)) - low).abs() < 0.5, "{name}");
        assert!((f64::from(extreme(f32::max, f32::MIN)) - high).abs() < 0.5, "{name}");
        for depth in [Depth::F32, Depth::I16, Depth::U16] {
            let path = folder.path().join(name);
            write_heightmap(
                &path,
                &survey.map,
                &WriteOptions { depth: Some(depth), ..WriteOptions::default() },
            )
            .unwrap();
            let back = read(&path).map;
            let expected = terrane_grid::GeoReference {
                nodata: georef.nodata.clone().filter(|_| depth != Depth::U16),
                ..(**georef).clone()
            };
            assert_eq!(**back.georef().unwrap(), expected, "{name} {depth:?}");
        }
    }
}

#[test]
fn nodata_is_masked_and_filled() {
    let survey = read(&data("front_range_3s.tif"));
    let zeros = survey.mask.samples().iter().filter(|m| **m == 0.0).count() as u64;
    assert_eq!(zeros, survey.missing);
    assert!(survey.map.samples().iter().all(|&h| h > 1900.0 && h < 3300.0));
}

#[test]
fn a_file_of_nothing_but_nodata_or_nan_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("nan.npy");
    write_heightmap(&path, &Heightmap::constant(Domain::new(4, 4), f32::NAN), &WriteOptions::default())
        .unwrap();
    let error = read_heightmap(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.problem.contains("not one sample is valid"), "{error}");
}

#[test]
fn writing_the_same_again_touches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.png", "a.tif", "a.exr", "a.npy", "a.r16"] {
        let path = folder.path().join(name);
        let first = write_heightmap(&path, &rough(20, 20), &WriteOptions::default()).unwrap();
        let second = write_heightmap(&path, &rough(20, 20), &WriteOptions::default()).unwrap();
        assert_eq!((first, second), (Written::New, Written::Unchanged), "{name}");
    }
}

#[test]
fn truncated_and_flipped_files_are_errors_or_pictures_but_never_panics() {
    let folder = tempfile::tempdir().unwrap();
    let options = ReadOptions { max_samples: 1 << 20, ..ReadOptions::default() };
    for name in ["a.png", "a.tif", "a.exr", "a.npy", "a.r16"] {
        let path = folder.path().join(name);
        write_heightmap(&path, &rough(19, 11), &WriteOptions::default()).unwrap();
        let _sidecar = std::fs::remove_file(terrane_io::sidecar_path(&path));
        let bytes = std::fs::read(&path).unwrap();
        let broken = folder.path().join(format!("broken-{name}"));
        for length in (0..bytes.len()).step_by(1 + bytes.len() / 200) {
            std::fs::write(&broken, &bytes[..length]).unwrap();
            let result = read_heightmap(&broken, &options);
            if let Err(error) = &result {
                assert!(!error.problem.is_empty() && !error.help.is_empty());
            }
            assert!(
                result.is_err() || name == "a.r16" || length + 16 > bytes.len(),
                "{name} cut at {length}"
            );
        }
        let lattice = Seed(1).lattice();
        for i in 0..400 {
            let mut flipped = bytes.clone();
            let at = lattice.bits(i, 0) as usize % flipped.len();
            flipped[at] ^= 1 << (lattice.bits(i, 1) % 8);
            std::fs::write(&broken, &flipped).unwrap();
            let _either = read_heightmap(&broken, &options);
        }
    }
}

#[test]
fn a_header_that_asks_for_too_much_is_refused_before_memory_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("huge.npy");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000), }";
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    std::fs::write(&path, bytes).unwrap();
    let error = read_heightmap(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.problem.contains("1000000 x 1000000"), "{error}");
}

#[test]
fn colour_is_no_height() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("colour.png");
    write_picture(&path, &Grid::filled(4, 4, [1, 2, 3])).unwrap();
    assert!(read_heightmap(&path, &ReadOptions::default()).unwrap_err().problem.contains("colour"));
}

#[test]
fn arrays_of_other_programs_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fortran.npy");
    let header = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n";
    let mut bytes = b"\x93NUMPY\x02\x00".to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    for value in [1i16, 4, -2, 5, 3, 6] {
        bytes.extend(value.to_be_bytes());
    }
    std::fs::write(&path, bytes).unwrap();
    assert_eq!(read(&path).map.samples(), [1.0, -2.0, 3.0, 4.0, 5.0, 6.0]);
}

#[test]
fn meshes_have_the_structure_of_their_formats() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = terrane_grid::Mesh {
        positions: vec![[0.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 3.0, 1.0]],
        normals: vec![[0.0, 1.0, 0.0]; 3],
        uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
        triangles: vec![[0, 2, 1]],
    };
    let path = |name: &str| folder.path().join(name);
    for name in ["m.obj", "m.gltf", "m.glb"] {
        write_mesh(&path(name), &mesh).unwrap();
    }
    let obj = std::fs::read_to_string(path("m.obj")).unwrap();
    assert!(obj.contains("v 1 2 0\n") && obj.contains("f 1/1/1 3/3/3 2/2/2\n"));
    let gltf: serde_json::Value = serde_json::from_slice(&std::fs::read(path("m.gltf")).unwrap()).unwrap();
    assert_eq!(gltf["accessors"][0]["max"], serde_json::json!([1.0, 3.0, 1.0]));
    let glb = std::fs::read(path("m.glb")).unwrap();
    let word = |at: usize| u32::from_le_bytes([glb[at], glb[at + 1], glb[at + 2], glb[at + 3]]) as usize;
    assert_eq!((&glb[..4], word(8)), (&b"glTF"[..], glb.len()));
    let json_length = word(12);
    assert_eq!(&glb[20 + json_length + 4..20 + json_length + 8], b"BIN\0");
    assert_eq!(word(20 + json_length), 3 * 12 + 3 * 12 + 3 * 8 + 12);
}

#[test]
fn the_sidecar_is_plain_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    write_heightmap(
        &path,
        &rough(5, 5),
        &WriteOptions { range: Some((0.0, 100.0)), ..WriteOptions::default() },
    )
    .unwrap();
    let sidecar = Sidecar::beside(&path).unwrap();
    assert_eq!(
        (sidecar.minimum, sidecar.maximum, sidecar.greatest_code, sidecar.size),
        (0.0, 100.0, 65535, [5, 5])
    );
    assert_eq!(sidecar.height(65535.0), 100.0);
}
