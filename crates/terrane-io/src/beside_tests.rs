//! Files of other programs beside a raster.

use std::{fs, path::Path};

use terrane_grid::{Domain, GeoReference, Heightmap};

use crate::formats::tiff::tests::tiled;
use crate::{
    CodeRange, Format, Imported, ReadOptions, Sample, SidecarPolicy, WriteOptions, needed_memory,
    read_heightmap, write_heightmap,
};

/// Writes samples as 8-bit numbers without a sidecar.
fn write(path: &Path, size: (usize, usize), samples: &[f32], georef: Option<GeoReference>) {
    let map = Heightmap::from_vec(Domain::new(size.0, size.1), samples.to_vec());
    let map = map.with_georef(Some(georef.unwrap_or_default().into()));
    let options = WriteOptions {
        format: Some(Format::from_extension(path).unwrap_or(Format::TIFF)),
        sample: Some(Sample::U8),
        range: CodeRange::Whole,
        sidecar: SidecarPolicy::Never,
        ..WriteOptions::default()
    };
    write_heightmap(path, &map, &options).unwrap();
}

fn read(path: &Path) -> Imported {
    read_heightmap(path, &ReadOptions::default()).unwrap()
}

const SAMPLES: [f32; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

fn placed() -> GeoReference {
    GeoReference {
        pixel_scale: vec![30.0, 30.0, 0.0],
        tiepoints: vec![0.0, 0.0, 0.0, 400_000.0, 4_000_000.0, 0.0],
        key_directory: vec![1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, 32611],
        ..GeoReference::default()
    }
}

/// As GDAL 3.12 reads such a pair of files.
#[test]
fn an_auxiliary_file_counts_before_the_tags() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["dem.tif", "dem.png"] {
        let path = folder.path().join(name);
        write(&path, (3, 2), &SAMPLES, Some(placed()));
        let aux = r#"<PAMDataset><SRS dataAxisToSRSAxisMapping="1,2">EPSG:32612</SRS>
            <GeoTransform> 5.0e+05, 10, 0, 4.0e+06, 0, -10</GeoTransform><PAMRasterBand band="1">
            <NoDataValue>5</NoDataValue><UnitType>ft</UnitType><Offset>10</Offset><Scale>0.5</Scale>
            </PAMRasterBand></PAMDataset>"#;
        fs::write(folder.path().join(format!("{name}.aux.xml")), aux).unwrap();
        let found = read(&path);
        assert_eq!(found.mask.unwrap().samples(), [1.0, 1.0, 1.0, 1.0, 0.0, 1.0], "{name}");
        assert_eq!(found.map.samples()[..4], [10.5, 11.0, 11.5, 12.0]);
        let georef = found.georef.unwrap();
        assert_eq!(
            (georef.epsg(), georef.axes()),
            (Some(32612), Some(((500_005.0, 3_999_995.0), (10.0, -10.0))))
        );
        assert!(
            found.warnings.iter().any(|warning| warning.contains("heights are in ft")),
            "{:?}",
            found.warnings
        );
        let needed = needed_memory(&path, &ReadOptions::default()).unwrap();
        assert_eq!((needed.georef.as_ref(), needed.bytes), (Some(&*georef), 12 * 6));
    }
    let path = folder.path().join("dem.tif");
    fs::write(folder.path().join("dem.tif.aux.xml"), "<PAMDataset><GCPList/></PAMDataset>").unwrap();
    let found = read(&path);
    assert!(
        found.warnings.iter().any(|warning| warning.contains("ground control points")),
        "{:?}",
        found.warnings
    );
    fs::write(folder.path().join("dem.tif.aux.xml"), "<PAMDataset>").unwrap();
    let found = read(&path);
    assert!(found.warnings[0].contains("dem.tif.aux.xml is not used"), "{:?}", found.warnings);
    assert_eq!(found.georef.unwrap().epsg(), Some(32611));
}

#[test]
fn a_mask_beside_a_raster_marks_missing_samples() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    write(&path, (3, 2), &SAMPLES, Some(placed()));
    let mask = folder.path().join("dem.tif.msk");
    write(&mask, (3, 2), &[255.0, 255.0, 255.0, 0.0, 255.0, 255.0], None);
    let found = read(&path);
    assert_eq!(found.mask.unwrap().samples(), [1.0, 1.0, 1.0, 0.0, 1.0, 1.0]);
    let options = ReadOptions { nodata: Some(2.0), ..ReadOptions::default() };
    let found = read_heightmap(&path, &options).unwrap();
    assert_eq!(found.mask.unwrap().samples(), [1.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
    assert_eq!(needed_memory(&path, &ReadOptions::default()).unwrap().bytes, 12 * 6);
    write(&mask, (2, 2), &[255.0, 255.0, 255.0, 0.0], None);
    let found = read(&path);
    assert_eq!(found.mask, None);
    assert!(
        found.warnings.iter().any(|warning| warning.contains("dem.tif.msk is not used")),
        "{:?}",
        found.warnings
    );
}

#[test]
fn a_file_with_the_reference_system_completes_a_world_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.png");
    write(&path, (3, 2), &SAMPLES, None);
    fs::write(folder.path().join("dem.PGw"), "30\n0\n0\n-30\n400015\n3999985\n").unwrap();
    let epsg = |prj: &str| {
        fs::write(folder.path().join("dem.prj"), prj).unwrap();
        let found = read(&path);
        let georef = found.georef.unwrap();
        assert_eq!(georef.axes(), Some(((400_015.0, 3_999_985.0), (30.0, -30.0))));
        (georef.epsg(), found.warnings)
    };
    assert_eq!(epsg(r#"PROJCS["WGS_1984_UTM_Zone_11N",GEOGCS["GCS_WGS_1984"]]"#).0, Some(32611));
    let (none, warnings) = epsg("utm 11");
    assert!(
        none.is_none() && warnings.iter().any(|text| text.contains("dem.prj is not used")),
        "{warnings:?}"
    );
    // A raster that has a reference system keeps it.
    let own = folder.path().join("own.tif");
    write(&own, (3, 2), &SAMPLES, Some(placed()));
    fs::write(folder.path().join("own.prj"), "EPSG:2154").unwrap();
    assert_eq!(read(&own).georef.unwrap().epsg(), Some(32611));
}

/// GDAL takes the mark beside the file for parts that a sparse file omits, too.
#[test]
fn omitted_tiles_are_missing_by_the_mark_beside_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    for (has_own, beside) in [(false, 7), (true, 9)] {
        let mut bytes = tiled(Some(1));
        if !has_own {
            let tag = bytes.len() - 4 - 12;
            assert_eq!(bytes[tag..tag + 2], 42113u16.to_be_bytes());
            bytes[tag..tag + 2].copy_from_slice(&42114u16.to_be_bytes());
        }
        fs::write(&path, bytes).unwrap();
        let aux =
            format!("<P><PAMRasterBand band=\"1\"><NoDataValue>{beside}</NoDataValue></PAMRasterBand></P>");
        fs::write(folder.path().join("dem.tif.aux.xml"), aux).unwrap();
        let mask = read(&path).mask.unwrap();
        let missing: Vec<usize> = (0..15).filter(|&at| mask.samples()[at] == 0.0).collect();
        assert_eq!(missing, [4, 9], "{has_own} {beside}");
    }
}

#[test]
fn heights_that_a_scale_or_a_range_makes_endless_are_missing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dem.tif");
    let map = Heightmap::from_vec(Domain::new(3, 1), vec![1.0, 3e38, 2.0]);
    write_heightmap(&path, &map, &WriteOptions { sidecar: SidecarPolicy::Never, ..WriteOptions::default() })
        .unwrap();
    let aux = "<P><PAMRasterBand band=\"1\"><Scale>1e3</Scale></PAMRasterBand></P>";
    fs::write(folder.path().join("dem.tif.aux.xml"), aux).unwrap();
    let range = ReadOptions { range: Some((0.0, 1e3)), ..ReadOptions::default() };
    for (options, cause) in [(ReadOptions::default(), "the file's scale"), (range, "the range of heights")] {
        let found = read_heightmap(&path, &options).unwrap();
        assert_eq!(found.mask.unwrap().samples(), [1.0, 0.0, 1.0]);
        assert_eq!((found.map.samples()[0], found.map.samples()[2]), (1e3, 2e3));
        assert!(found.map.samples()[1].is_finite());
        let warning = format!("{cause} makes heights larger than 3.4e38 at 1 of 3 samples");
        assert!(found.warnings.iter().any(|found| found.contains(&warning)), "{:?}", found.warnings);
    }
}
