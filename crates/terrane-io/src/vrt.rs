//! Mosaics of files as GDAL virtual datasets: small text files that reference the rasters of the mosaic.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use terrane_grid::{Domain, Place};

use crate::Sample;
use crate::atomic::{Written, write_atomic};
use crate::error::IoError;
use crate::proj_text::definition;
use crate::xml::escape_xml;

/// One file of a mosaic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The path of the file, relative to the mosaic's folder, with `/` between parts.
    pub file: String,
    /// Column and row of its first sample in the mosaic.
    pub first: (usize, usize),
}

/// Writes a mosaic of rasters of one size and sample type, at its place on a map; without one, the world is
/// its own map, with north up. Where tiles overlap, the last one wins. Pixels are centred on samples.
///
/// # Errors
/// Fails if the file cannot be written.
pub fn write_vrt(
    path: &Path,
    (domain, place): (&Domain, Option<&Place>),
    tile: (usize, usize),
    sample: Sample,
    tiles: &[Tile],
) -> Result<Written, IoError> {
    let kind = match sample {
        Sample::U8 => "Byte",
        Sample::U16 => "UInt16",
        Sample::I16 => "Int16",
        Sample::U32 => "UInt32",
        Sample::U64 => "UInt64",
        Sample::I8 => "Int8",
        Sample::I32 => "Int32",
        Sample::I64 => "Int64",
        Sample::F16 => "Float16",
        Sample::F32 => "Float32",
        Sample::F64 => "Float64",
    };
    let (width, height) = domain.size;
    let own = Place::default();
    let place = place.unwrap_or(&own);
    let (first, (across, down)) = (place.to_map(domain.origin), place.distances(domain.spacing));
    let (left, top) = (first.0 - across / 2.0, first.1 + down / 2.0);
    let mut text = format!("<VRTDataset rasterXSize=\"{width}\" rasterYSize=\"{height}\">\n");
    if let Some(reference) = definition(place.reference()) {
        // Writing to a String cannot fail.
        let _infallible = writeln!(text, "  <SRS>{}</SRS>", escape_xml(&reference));
    }
    let _infallible = write!(
        text,
        "  <GeoTransform>{left}, {across}, 0, {top}, 0, {}</GeoTransform>\n  <VRTRasterBand \
        dataType=\"{kind}\" band=\"1\">\n",
        -down
    );
    for Tile { file, first: (x, y) } in tiles {
        let (columns, rows) = tile;
        let _infallible = write!(
            text,
            "    <SimpleSource>\n      <SourceFilename relativeToVRT=\"1\">{}</SourceFilename>\n      \
            <SourceBand>1</SourceBand>\n      \
             <SrcRect xOff=\"0\" yOff=\"0\" xSize=\"{columns}\" ySize=\"{rows}\"/>\n      \
             <DstRect xOff=\"{x}\" yOff=\"{y}\" xSize=\"{columns}\" ySize=\"{rows}\"/>\n    \
             </SimpleSource>\n",
            escape_xml(file)
        );
    }
    text.push_str("  </VRTRasterBand>\n</VRTDataset>\n");
    write_atomic(path, false, |out| out.write_all(text.as_bytes()))
}

/// A warning if a mosaic at this place has no reference system, although the place has one.
#[must_use]
pub fn vrt_warning(path: &Path, place: &Place) -> Option<String> {
    let is_named = place.reference().key_directory.chunks_exact(4).skip(1).any(|key| key[0] != 1025);
    (is_named && definition(place.reference()).is_none()).then(|| {
        format!(
            "{} has no reference system, because that of the ground cannot be written as a text: \
            `gdalbuildvrt` makes a mosaic of the same files that has it",
            path.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mosaic_of_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("height.vrt");
        let domain = Domain::new(9, 5).with_spacing(0.5).with_origin(-2.0, 1.0);
        let tiles = [
            Tile { file: "0_0/a&b.tif".to_owned(), first: (0, 0) },
            Tile { file: "1_0/a&b.tif".to_owned(), first: (4, 0) },
        ];
        write_vrt(&path, (&domain, None), (5, 5), Sample::F32, &tiles).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("<VRTDataset rasterXSize=\"9\" rasterYSize=\"5\">"));
        assert!(text.contains("<GeoTransform>-2.25, 0.5, 0, -0.75, 0, -0.5</GeoTransform>"));
        assert!(text.contains("0_0/a&amp;b.tif"));
        assert!(text.contains("<DstRect xOff=\"4\" yOff=\"0\" xSize=\"5\" ySize=\"5\"/>"));
        assert_eq!(text.matches("<SimpleSource>").count(), text.matches("</SimpleSource>").count());
    }

    #[test]
    fn the_step_is_that_of_the_place_to_the_bit() {
        let georef = terrane_grid::GeoReference {
            pixel_scale: vec![0.7, 0.3, 0.0],
            tiepoints: vec![0.5, 0.5, 0.0, 2_700_000.3, 5_100_000.7, 0.0],
            ..Default::default()
        };
        let place = Place::of(&georef, (0.0, 0.0), 0.7, (1.0, 1.0)).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("height.vrt");
        let domain = Domain::new(9, 5).with_spacing(0.7);
        write_vrt(&path, (&domain, Some(&place)), (5, 5), Sample::F32, &[]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(", 0.7, 0, ") && text.contains(", 0, -0.3</GeoTransform>"), "{text}");
    }

    #[test]
    fn a_reference_system_that_is_left_out_is_named() {
        let place = |keys: Vec<u16>| {
            let georef = terrane_grid::GeoReference {
                pixel_scale: vec![1.0, 1.0, 0.0],
                tiepoints: vec![0.0; 6],
                key_directory: keys,
                ..Default::default()
            };
            Place::of(&georef, (0.0, 0.0), 1.0, (1.0, 1.0)).unwrap()
        };
        let path = Path::new("n.vrt");
        let unknown = place(vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 32767]);
        assert!(vrt_warning(path, &unknown).unwrap().contains("n.vrt has no reference system"));
        assert_eq!(vrt_warning(path, &place(vec![1, 1, 0, 2, 1025, 0, 1, 1, 3072, 0, 1, 32611])), None);
        assert_eq!(vrt_warning(path, &place(vec![1, 1, 0, 1, 1025, 0, 1, 1])), None);
        assert_eq!(vrt_warning(path, &Place::default()), None);
    }
}
