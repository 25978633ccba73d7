//! Round trips through every format, sample type and odd size.

use std::{fs, path::Path, sync::Arc};

use proptest::prelude::*;
use terrane_grid::{Domain, GeoReference, Grid, Heightmap};
use terrane_io::{
    CodeRange, Endian, Format, Imported, Kind, Problem, ReadOptions, Sample, Sidecar, SidecarPolicy,
    WriteOptions, Written, read_heightmap, write_heightmap,
};

const SIZES: [(usize, usize); 7] = [(1, 1), (1, 13), (13, 1), (2, 2), (33, 17), (64, 64), (301, 129)];

fn hills(size: (usize, usize)) -> Heightmap {
    let domain = Domain::new(size.0, size.1).with_spacing(2.5).with_origin(-7.25, 1.0 / 3.0);
    Heightmap::from_fn(domain, |x, y| {
        ((x * 37 + y * 91) % 113) as f32 * 1.7 - 40.0 + (x as f32 * 0.31).fract()
    })
}

/// Extensions of the formats with 32-bit floating-point samples in this build.
const REAL: &[&str] =
    if cfg!(feature = "exr") { &["tif", "npy", "r32", "exr"] } else { &["tif", "npy", "r32"] };

fn read(path: &Path) -> Imported {
    read_heightmap(path, &ReadOptions::default()).expect("the file was just written")
}

#[test]
fn floating_point_samples_are_preserved_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    for size in SIZES {
        for extension in REAL {
            for endian in [Endian::Little, Endian::Big] {
                let map = hills(size);
                let path = folder.path().join(format!("{}x{}.{extension}", size.0, size.1));
                let options = WriteOptions { endian, ..WriteOptions::default() };
                write_heightmap(&path, &map, &options).unwrap();
                assert_eq!(write_heightmap(&path, &map, &options).unwrap(), Written::Unchanged);
                let back = read(&path);
                assert_eq!(back.map, map, "{extension} {size:?} {endian:?}");
                assert_eq!((back.sample, back.mask), (Sample::F32, None));
                assert_eq!(back.warnings, Vec::<String>::new());
            }
        }
    }
}

#[test]
fn special_numbers_are_preserved_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let values = vec![0.0, -0.0, f32::MIN_POSITIVE, 1e-45, f32::MAX, f32::MIN, 1.0 + f32::EPSILON, -1e30];
    let map = Heightmap::from_vec(Domain::new(4, 2), values);
    for extension in REAL {
        let path = folder.path().join(format!("a.{extension}"));
        write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
        let bits = |m: &Heightmap| m.samples().iter().map(|h| h.to_bits()).collect::<Vec<_>>();
        assert_eq!(
            bits(
                &read_heightmap(&path, &ReadOptions { size: Some((4, 2)), ..ReadOptions::default() })
                    .unwrap()
                    .map
            ),
            bits(&map),
            "{extension}"
        );
    }
}

#[test]
fn integer_samples_are_preserved_within_half_a_code() {
    let folder = tempfile::tempdir().unwrap();
    let cases = [
        ("png", Sample::U8),
        ("png", Sample::U16),
        ("tif", Sample::U8),
        ("tif", Sample::U16),
        ("tif", Sample::I16),
        ("r16", Sample::U16),
        ("raw", Sample::U16),
    ];
    for size in SIZES {
        for (extension, sample) in cases {
            for range in [CodeRange::MinMax, CodeRange::Fixed(-100.0, 300.0)] {
                let map = hills(size);
                let path = folder.path().join(format!("{}x{}.{extension}", size.0, size.1));
                let options = WriteOptions { sample: Some(sample), range, ..WriteOptions::default() };
                write_heightmap(&path, &map, &options).unwrap();
                let back = read(&path);
                assert_eq!((back.sample, back.map.domain()), (sample, map.domain()));
                let sidecar = Sidecar::of(&path).unwrap().unwrap();
                let (low, high) = (sidecar.minimum.unwrap(), sidecar.maximum.unwrap());
                let half =
                    0.5 * (high - low) / (sidecar.code_maximum.unwrap() - sidecar.code_minimum.unwrap());
                for (a, b) in map.samples().iter().zip(back.map.samples()) {
                    // Heights are f32: half a unit in the last place of 300.
                    assert!(f64::from(a - b).abs() <= half + 2e-5, "{extension} {sample} {size:?}: {a} {b}");
                }
                // Heights that were read are written as the same codes again.
                let fixed = WriteOptions { range: CodeRange::Fixed(low, high), ..options };
                assert_eq!(write_heightmap(&path, &back.map, &fixed).unwrap(), Written::Unchanged);
            }
        }
    }
}

#[test]
fn whole_metres_need_no_sidecar() {
    let folder = tempfile::tempdir().unwrap();
    let map = Heightmap::from_fn(Domain::new(40, 30), |x, y| x as f32 * 50.0 - y as f32 * 7.0);
    let path = folder.path().join("a.tif");
    let options =
        WriteOptions { sample: Some(Sample::I16), range: CodeRange::Whole, ..WriteOptions::default() };
    write_heightmap(&path, &map, &options).unwrap();
    assert!(!Sidecar::path_of(&path).exists());
    assert_eq!(read(&path).map, map);
}

#[test]
fn codes_stay_codes_unless_a_range_is_given() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    let map = Heightmap::from_vec(Domain::new(3, 1), vec![10.0, 20.0, 30.0]);
    let options = WriteOptions { sidecar: SidecarPolicy::Never, ..WriteOptions::default() };
    write_heightmap(&path, &map, &options).unwrap();
    assert_eq!(read(&path).map.samples(), [0.0, 32768.0, 65535.0]);
    let ranged = ReadOptions { range: Some((-1.0, 1.0)), spacing: Some(4.0), ..ReadOptions::default() };
    let back = read_heightmap(&path, &ranged).unwrap().map;
    assert_eq!((back.samples()[0], back.samples()[2], back.spacing()), (-1.0, 1.0, 4.0));
    let real = folder.path().join("a.npy");
    let shares = Heightmap::from_vec(Domain::new(3, 1), vec![0.0, 0.25, 1.0]);
    write_heightmap(&real, &shares, &WriteOptions::default()).unwrap();
    assert_eq!(read_heightmap(&real, &ranged).unwrap().map.samples(), [-1.0, -0.5, 1.0]);
}

#[test]
fn an_old_sidecar_does_not_outlive_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    write_heightmap(&path, &hills((5, 5)), &WriteOptions::default()).unwrap();
    assert!(Sidecar::path_of(&path).exists());
    let plain = WriteOptions { sidecar: SidecarPolicy::Never, ..WriteOptions::default() };
    assert_eq!(write_heightmap(&path, &hills((5, 5)), &plain).unwrap(), Written::Replaced);
    assert!(!Sidecar::path_of(&path).exists());
    assert_eq!(write_heightmap(&path, &hills((5, 5)), &plain).unwrap(), Written::Unchanged);
}

#[test]
fn a_resaved_picture_keeps_its_range() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    write_heightmap(&path, &hills((5, 5)), &WriteOptions::default()).unwrap();
    // After editing a picture, a person removes the old digest from the sidecar.
    let sidecar = fs::read_to_string(Sidecar::path_of(&path)).unwrap();
    let sidecar: Vec<&str> = sidecar.lines().filter(|line| !line.contains("\"data\":")).collect();
    let eight =
        WriteOptions { sample: Some(Sample::U8), sidecar: SidecarPolicy::Never, ..WriteOptions::default() };
    write_heightmap(&path, &hills((5, 5)), &eight).unwrap();
    fs::write(Sidecar::path_of(&path), sidecar.join("\n")).unwrap();
    let back = read(&path);
    assert!(back.warnings[0].contains("stretched"), "{:?}", back.warnings);
    let extent =
        |m: &Heightmap| m.samples().iter().fold((f32::MAX, f32::MIN), |e, &h| (e.0.min(h), e.1.max(h)));
    assert_eq!(extent(&back.map), extent(&hills((5, 5))));
}

#[test]
fn missing_samples_are_masked_and_filled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let mut map = Heightmap::constant(Domain::new(9, 8), 5.0);
    map.samples_mut()[3] = f32::NAN;
    map.samples_mut()[40] = f32::NEG_INFINITY;
    map.samples_mut()[41] = -9999.0;
    write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
    let options = ReadOptions { nodata: Some(-9999.0), ..ReadOptions::default() };
    let back = read_heightmap(&path, &options).unwrap();
    assert!(back.map.samples().iter().all(|&h| h == 5.0));
    let mask = back.mask.unwrap();
    let missing: Vec<_> = (0..72).filter(|&i| mask.samples()[i] == 0.0).collect();
    assert_eq!((missing, mask.domain()), (vec![3, 40, 41], map.domain()));
    let all = Heightmap::constant(Domain::new(3, 3), f32::NAN);
    write_heightmap(&path, &all, &WriteOptions::default()).unwrap();
    let problem = read_heightmap(&path, &ReadOptions::default()).unwrap_err().problem;
    assert!(matches!(problem, Problem::AllMissing { samples: 9 }));
}

#[test]
fn a_nodata_value_that_is_a_height_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tif");
    let georef = GeoReference { nodata: Some("0".into()), ..GeoReference::default() };
    let map_with = |value| {
        Heightmap::from_vec(Domain::new(2, 1), vec![value, 3.0]).with_georef(Some(Arc::new(georef.clone())))
    };
    write_heightmap(&path, &map_with(1.0), &WriteOptions::default()).unwrap();
    assert_eq!(read(&path).georef.unwrap().nodata.as_deref(), Some("0"));
    write_heightmap(&path, &map_with(0.0), &WriteOptions::default()).unwrap();
    assert_eq!(read(&path).map.samples(), [0.0, 3.0]);
    // With codes equal to heights, the nodata value still marks missing samples. With other codes, it would
    // be the code of a height.
    let mut options =
        WriteOptions { sample: Some(Sample::I16), range: CodeRange::Whole, ..WriteOptions::default() };
    write_heightmap(&path, &map_with(1.0), &options).unwrap();
    assert_eq!(read(&path).georef.unwrap().nodata.as_deref(), Some("0"));
    options.range = CodeRange::MinMax;
    write_heightmap(&path, &map_with(1.0), &options).unwrap();
    assert_eq!(read(&path).georef, None);
}

#[test]
fn a_failed_write_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let problem = |name: &str, map: &Heightmap, options: &WriteOptions| {
        write_heightmap(&at(name), map, options).unwrap_err().problem
    };
    let (map, default) = (hills((3, 3)), WriteOptions::default());
    assert!(matches!(problem("a", &map, &default), Problem::UnknownExtension { kind: Kind::Heightmap }));
    assert!(matches!(problem("a.obj", &map, &default), Problem::WrongKind { format: Format::OBJ, .. }));
    let real = WriteOptions { sample: Some(Sample::F32), ..WriteOptions::default() };
    assert!(matches!(problem("a.png", &map, &real), Problem::WrongSample { .. }));
    let broken = Heightmap::constant(Domain::new(2, 2), f32::NAN);
    assert!(matches!(problem("a.png", &broken, &default), Problem::NotFinite { count: 4 }));
    let empty = Heightmap::from_grid(Domain::new(0, 4), Grid::from_vec(0, 4, vec![]));
    for format in Kind::Heightmap.formats() {
        let name = format!("a.{}", format.extensions()[0]);
        assert!(matches!(problem(&name, &empty, &default), Problem::Nothing { .. }), "{name}");
    }
    let reversed = WriteOptions { range: CodeRange::Fixed(2.0, 1.0), ..WriteOptions::default() };
    assert!(matches!(problem("a.png", &map, &reversed), Problem::BadOption { name: "range", .. }));
    // In a map this height would be infinite.
    let high = WriteOptions { range: CodeRange::Fixed(2.0, 1e39), ..WriteOptions::default() };
    assert!(matches!(problem("a.png", &map, &high), Problem::BadOption { name: "range", .. }));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::write(at("file"), "x").unwrap();
    assert!(matches!(problem("file/a.tif", &map, &default), Problem::Write(_)), "a file is not a folder");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let bad = ReadOptions { spacing: Some(0.0), ..ReadOptions::default() };
    assert!(matches!(read_heightmap(&at("a.tif"), &bad).unwrap_err().problem, Problem::BadOption { .. }));
    let high = ReadOptions { range: Some((0.0, 1e39)), ..ReadOptions::default() };
    assert!(matches!(read_heightmap(&at("a.tif"), &high).unwrap_err().problem, Problem::BadOption { .. }));
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    // Large enough for the codecs to use several threads.
    let map = hills((1025, 1030));
    for extension in REAL.iter().chain(&["png"]) {
        let bytes = [1, 3].map(|threads| {
            let path = folder.path().join(format!("{threads}.{extension}"));
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| write_heightmap(&path, &map, &WriteOptions::default()).unwrap());
            assert_eq!(read(&path).map.domain(), map.domain());
            fs::read(path).unwrap()
        });
        assert!(bytes[0] == bytes[1], "{extension}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_map_survives_any_real_format(
        (width, height, values) in (1usize..24, 1usize..24).prop_flat_map(|(w, h)| {
            (Just(w), Just(h), prop::collection::vec(-1e6f32..1e6, w * h))
        }),
        spacing in 1e-3f64..1e3,
        format in prop::sample::select(REAL),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("a.{format}"));
        let map = Heightmap::from_vec(Domain::new(width, height).with_spacing(spacing), values);
        write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
        prop_assert_eq!(read(&path).map, map);
    }
}
