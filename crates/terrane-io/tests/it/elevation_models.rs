//! Reading and writing real elevation models. The expected figures come from another program (tifffile).

use std::path::{Path, PathBuf};

use terrane_grid::Heightmap;
use terrane_io::{
    CodeRange, Ground, Imported, ReadOptions, Sample, Sidecar, WriteOptions, read_heightmap, write_heightmap,
};

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../graphs/data").join(name)
}

fn import(name: &str) -> Imported {
    read_heightmap(&file(name), &ReadOptions::default()).expect("the file is part of the repository")
}

fn extent(map: &Heightmap) -> (f32, f32) {
    map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)))
}

fn sum(map: &Heightmap) -> f64 {
    map.samples().iter().map(|&h| f64::from(h)).sum()
}

#[test]
fn big_tujunga() {
    let dem = import("bigtujunga_30m.tif");
    assert_eq!((dem.map.domain().size, dem.sample, dem.map.spacing()), ((513, 513), Sample::I16, 30.0));
    assert_eq!((extent(&dem.map), sum(&dem.map)), ((555.0, 2014.0), 338_358_934.0));
    assert_eq!((&dem.mask, dem.warnings.len()), (&None, 0));
    let georef = dem.georef.unwrap();
    assert_eq!((georef.epsg(), georef.nodata.as_deref()), (Some(32611), Some("32767")));
    assert_eq!(georef.ascii_params, "WGS 84 / UTM zone 11N|WGS 84|");
    // The tie point is the corner of the first sample, the origin is its centre. World y increases to the
    // south.
    assert_eq!(dem.map.domain().origin, (386_513.655_454_263_5 + 15.0, -(3_806_117.827_628_375_5 - 15.0)));
}

#[test]
fn front_range() {
    let dem = import("front_range_3s.tif");
    assert_eq!((dem.map.domain().size, dem.sample), ((240, 144), Sample::F32));
    assert_eq!((extent(&dem.map), sum(&dem.map)), ((1943.0, 3286.0), 88_027_030.0));
    assert_eq!(dem.mask, None);
    let georef = dem.georef.unwrap();
    assert_eq!((georef.epsg(), georef.nodata_value()), (Some(4326), Some(0.0)));
    // Degrees stay degrees. Three arc-seconds are about 92.5 m to the south and 71 m to the east here.
    assert_eq!(dem.map.spacing(), 0.000_833_333_333);
    let (across, down) = Ground::of(&georef).unwrap().metres((240, 144)).unwrap();
    assert!((71.005_160 - across).abs() < 1e-3 && (92.531_270 - down).abs() < 1e-3, "{across} {down}");
}

#[test]
fn jacksboro_and_maungawhau() {
    let dem = import("jacksboro_3s.tif");
    assert_eq!((dem.map.domain().size, dem.georef.unwrap().epsg()), ((403, 344), Some(4326)));
    assert_eq!((extent(&dem.map), sum(&dem.map)), ((236.0, 1076.0), 73_617_913.0));
    let dem = import("maungawhau_2m.tif");
    assert_eq!((dem.map.domain().size, dem.georef.unwrap().epsg()), ((513, 513), Some(2193)));
    assert_eq!((extent(&dem.map), dem.map.spacing()), ((74.8947, 195.653), 2.033_898_305_084_745_7));
    assert!((sum(&dem.map) - 28_440_121.814_926).abs() < 1e-3, "{}", sum(&dem.map));
}

#[test]
fn rewritten_models_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sample) in [
        ("bigtujunga_30m.tif", Sample::I16),
        ("bigtujunga_30m.tif", Sample::F32),
        ("front_range_3s.tif", Sample::F32),
        ("jacksboro_3s.tif", Sample::F32),
        ("maungawhau_2m.tif", Sample::F32),
    ] {
        let dem = import(name);
        let path = folder.path().join(name);
        let options =
            WriteOptions { sample: Some(sample), range: CodeRange::Whole, ..WriteOptions::default() };
        write_heightmap(&path, &dem.map, &options).unwrap();
        let back = read_heightmap(&path, &ReadOptions::default()).unwrap();
        assert_eq!((back.map, back.sample), (dem.map, sample), "{name}");
        // No sidecar is needed.
        assert!(!Sidecar::path_of(&path).exists());
    }
}

#[test]
fn a_nodata_value_makes_a_mask_and_smooth_heights() {
    let options = ReadOptions { nodata: Some(1943.0), ..ReadOptions::default() };
    let dem = read_heightmap(&file("front_range_3s.tif"), &options).unwrap();
    let missing = dem.mask.unwrap().samples().iter().filter(|&&m| m == 0.0).count();
    let whole = import("front_range_3s.tif");
    assert_eq!(missing, whole.map.samples().iter().filter(|&&h| h == 1943.0).count());
    assert!(missing > 0 && extent(&dem.map).0 > 1943.0);
}
