//! Import of heightmaps.

mod distance;
mod fit;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use terrane_flow::{Context, Evaluate, FilePath, Header, Invalid, Node, NodeError, Reach, Sizes, memory};
use terrane_grid::{Domain, GeoReference, Heightmap, Place};
use terrane_io::{
    Endian, Needed, ReadOptions, Sidecar, companions_of, needed_memory_from, read_heightmap_from,
};
use terrane_kernels::shape::Filter;

use fit::fit;

use crate::opening::{check_build, opener};
use crate::place::of_import;
use crate::support::domain;
use crate::terrain::Terrain;
use crate::values::Map;

/// What becomes of the missing samples of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum Voids {
    /// They get heights from their surroundings.
    Fill,
    /// They stay missing: the map has holes.
    Keep,
}

/// Byte order of raw files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, terrane_flow::Choice)]
pub enum ByteOrder {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl From<ByteOrder> for Endian {
    fn from(order: ByteOrder) -> Self {
        match order {
            ByteOrder::Little => Self::Little,
            ByteOrder::Big => Self::Big,
        }
    }
}

/// Imports heights from a file: PNG, TIFF, GeoTIFF, EXR, NPY, RAW, BMP, TGA, WebP or JPEG.
///
/// Heights keep the file's unit; a warning names a unit that is not the metre. The scale and offset of a
/// GeoTIFF are applied. The integer codes of PNG, RAW and other pictures become heights if `range` is set or
/// if the file has the sidecar that Terrane writes with its own files. BMP, TGA, WebP and JPEG have only 256
/// heights, and a JPEG changes them. A picture with colours is refused. Of an EXR with several channels,
/// `channel` names one.
///
/// A raster of the graph's size is used sample by sample. Any other raster is stretched over the graph's
/// extent: by bilinear interpolation or, if the graph has fewer samples than the raster, by the mean over
/// each sample's cell. With `origin` the raster keeps its samples and lies at that position. Rows lead east
/// and the first is the northernmost: a georeferenced raster that is mirrored or turned by quarter turns is
/// turned round, with a warning. One that is rotated by another angle is refused.
///
/// The graph's spacing applies, not the file's. A warning tells if they differ by more than 1 %, after
/// stretching, in metres: degrees are taken on the ellipsoid at the middle of the raster, and so are maps
/// that stretch the ground by 1 % or more there, such as Web Mercator. Feet are taken as feet. The file's
/// spacing is that of its sidecar, its geographic tags or its world file (such as `dem.tfw`).
///
/// Files of GDAL beside `dem.tif` are read as GDAL does: `dem.tif.aux.xml` gives the position, nodata, scale,
/// offset and unit before the file's own tags, `dem.tif.msk` marks missing samples, and `dem.prj` names a
/// reference system that the file lacks. Smaller copies (`dem.tif.ovr`) are not read.
///
/// Missing samples are filled smoothly from their surroundings and marked in `mask`. With `voids: Keep` they
/// are holes instead, which most nodes that measure, draw and shape terrain take; `FillHoles` fills them
/// later. Where a raster is stretched, a sample is a hole if more than half of what it is made from is
/// missing. These samples are missing: nodata, numbers that are not finite or beyond those of 32 bits, those
/// of the file's own mask, and transparent ones. From 1e30 on, nodata need not equal a sample to the last
/// digit. A warning points at numbers that look like missing samples that the file does not declare.
///
/// A sidecar's `data` is the BLAKE3 hash of the file that it was written for. If that file has changed since,
/// the import fails. If you have painted over it, and its codes mean the same heights as before, remove
/// `data` from the sidecar.
///
/// These TIFF tags have no meaning for heights and are ignored: the photometric interpretation and palette,
/// halftones, tone curves, inks and colours, smallest and largest values, dots an inch, names, pages, dates,
/// programs and authors, metadata of pictures and of ImageJ, smaller copies, and private tags from 65000 to
/// 65002. A warning names every other tag that is not used, and further pictures in the file.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (513, 513), spacing: 30.0,
///     nodes: { "dem": Import(file: "data/bigtujunga_30m.tif") },
///     outputs: { "dem.png": "dem" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "sources",
    words = "load read open heightmap dem elevation file png tiff geotiff image picture srtm lidar real \
        data raw",
    tiles = Global, because = "the file is stretched over the \
    map", version = 4, header, main(file, range, nodata))]
#[output(height: Map, unit = "the file's", doc = "The heights; without holes unless `voids` is `Keep`.")]
#[output(mask: Map, whole, doc = "1 where the file has a height, 0 where it is missing.")]
pub struct Import {
    /// File to read, relative to the graph's file.
    #[param]
    pub file: FilePath,
    /// Heights for two stored numbers: the lowest and the highest that the file's type can hold (0 and 65,535
    /// for 16 bits without a sign), or 0 and 1 in files of floating-point numbers. Default: heights from the
    /// sidecar, or the file's numbers unchanged.
    #[param(default = None, unit = "world units")]
    pub range: Option<(f64, f64)>,
    /// Value that marks missing samples, in addition to the file's own.
    #[param(default = None, min = f64::MIN, max = f64::MAX)]
    pub nodata: Option<f64>,
    /// Columns and rows of a raw file without a sidecar. Default: a square.
    #[param(default = None)]
    pub raw_size: Option<(u32, u32)>,
    /// Byte order of a raw file without a sidecar. Default: `Little`.
    #[param(default = None)]
    pub byte_order: Option<ByteOrder>,
    /// Channel of an OpenEXR that has several: its name, such as `"height.Y"`, or `"part/name"` if several
    /// parts have a channel of that name. Default: the only channel.
    #[param(default = None)]
    pub channel: Option<String>,
    /// Interpolation between the file's samples, if the graph has others. Default: `Bilinear`, or `Area` if
    /// the graph has fewer samples than the file.
    #[param(default = None)]
    pub filter: Option<Filter>,
    /// What becomes of missing samples.
    #[param(default = Voids::Fill)]
    pub voids: Voids,
    /// World x and y of the first sample, for a map that keeps its own size and position, such as a
    /// neighbouring patch. Default: the map is stretched over the graph's extent.
    #[param(default = None, unit = "world units", place)]
    pub origin: Option<(f64, f64)>,
}

impl Import {
    /// The place of a graph that imports the file, if the file is georeferenced.
    pub fn place(&self, graph: &Domain) -> Option<Place> {
        let needed = self.needed()?;
        of_import(&needed.georef?, needed.size, graph, self.origin)
    }

    /// The size, place and memory of the file, from its header.
    pub fn needed(&self) -> Option<Needed> {
        needed_memory_from(&opener(&self.file), &self.file.path(), &self.options())
    }

    /// The warning of [`Self::evaluate`] about distances of samples, as far as the file's header tells it.
    pub fn spacing_warning(&self, graph: &Domain) -> Option<String> {
        let Needed { size, georef, distance, .. } = self.needed()?;
        self.distance_warning(distance?, size, graph, georef.as_ref())
    }

    fn distance_warning(
        &self,
        apart: (f64, f64),
        size: (usize, usize),
        graph: &Domain,
        georef: Option<&GeoReference>,
    ) -> Option<String> {
        match self.origin {
            None => distance::warning(apart, size, graph, None),
            Some(_) => distance::warning(apart, size, &Domain { size, ..*graph }, georef),
        }
    }

    fn options(&self) -> ReadOptions {
        ReadOptions {
            range: self.range,
            size: self.raw_size.map(|(w, h)| (w as usize, h as usize)),
            endian: self.byte_order.map(Endian::from),
            nodata: self.nodata,
            channel: self.channel.clone(),
            fill: self.voids == Voids::Fill,
            ..ReadOptions::default()
        }
    }
}

impl Evaluate for Import {
    fn reach(&self, _header: &dyn Header) -> Reach {
        match self.origin {
            None => Reach::of(self.spec()),
            Some(_) => Reach::map("with `origin` the output has its own size and position, not the patch's"),
        }
    }

    fn makes_holes(&self) -> bool {
        self.voids == Voids::Keep
    }

    /// The sidecar assigns heights to codes: the same picture with another sidecar is different terrain.
    /// World files place it.
    fn companions(&self) -> Vec<PathBuf> {
        companions_of(&self.file.path())
    }

    /// Memory for reading, without that of the outputs: a raster of the graph's size becomes the output
    /// itself.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        const OUTPUTS: u64 = 2 * 4;
        let Some(needed) = self.needed() else { return 0 };
        let outputs = (needed.size.0 as u64).saturating_mul(needed.size.1 as u64).saturating_mul(OUTPUTS);
        let graph = Terrain::of(sizes.header).map(|terrain| terrain.domain.size);
        if graph == Some(needed.size) {
            needed.bytes.saturating_sub(outputs)
        } else if self.origin.is_some() {
            needed.bytes.max(outputs)
        } else {
            needed.bytes
        }
    }

    fn check(&self) -> Result<(), Invalid> {
        if let Some((width, height)) = self.raw_size.filter(|(width, height)| width.min(height) == &0) {
            return Err(Invalid {
                field: "raw_size",
                message: format!("`raw_size` is {width} x {height}"),
                help: "write at least one column and one row".into(),
            });
        }
        check_build(&self.file)
    }

    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let path = self.file.path();
        // The digest is needed only to compare it with a sidecar's. It is already known from the node's key.
        let has_sidecar = self.file.files().entry(&Sidecar::path_of(&path)).is_ok();
        let digest = has_sidecar.then(|| cx.file_digest(&self.file)).and_then(Result::ok);
        let options = ReadOptions {
            memory: memory::total().unwrap_or(u64::MAX),
            digest: digest.map(|digest| digest.0),
            ..self.options()
        };
        let read = read_heightmap_from(&opener(&self.file), &path, &options).map_err(|error| {
            NodeError::failed(format!("{}: {}", self.file.given(), error.problem), error.remedy())
        })?;
        for warning in &read.warnings {
            cx.warn(warning.clone());
        }
        let source = read.map.domain();
        let domain = match self.origin {
            Some(origin) => Domain { size: source.size, origin, ..domain(cx) },
            None => domain(cx),
        };
        let place = read
            .georef
            .as_ref()
            .and_then(|georef| of_import(georef, source.size, &cx.header::<Terrain>().domain, self.origin));
        if let (Some(own), Some(graphs)) = (place, &cx.header::<Terrain>().place)
            && !graphs.agrees_with(&own, &domain, 0.5 * domain.spacing)
        {
            let codes = [&own, &**graphs].map(|place| place.reference().epsg());
            // Equal numbers may be those of different maps.
            let named = codes.map(|code| match code {
                _ if codes[0] == codes[1] => String::new(),
                Some(code) => format!(" of EPSG:{code}"),
                None => " of a reference system without a code".to_owned(),
            });
            let (own, graphs) = (own.to_map(domain.origin), graphs.to_map(domain.origin));
            cx.warn(format!(
                "the file lies elsewhere on the map: its first sample is at {own:?}{}, where the graph's \
                ground is at {graphs:?}{}",
                named[0], named[1]
            ));
        }
        let georef = read.georef.as_deref();
        let warning =
            read.distance.and_then(|apart| self.distance_warning(apart, source.size, &domain, georef));
        warning.into_iter().for_each(|warning| cx.warn(warning));
        let mask = match read.mask {
            Some(mask) => {
                let missing = mask.samples().iter().filter(|known| **known == 0.0).count();
                match self.voids {
                    Voids::Fill => cx.warn(format!(
                        "{missing} missing samples were filled in; output `mask` shows which, and \
                        `voids: Keep` keeps them as holes"
                    )),
                    Voids::Keep => {}
                }
                // A share of what is there, which cubics would overshoot.
                let filter = self
                    .filter
                    .map(|filter| if filter == Filter::Bicubic { Filter::Bilinear } else { filter });
                fit(mask, domain, filter)
            }
            None => Heightmap::constant(domain, 1.0),
        };
        Ok((Map(fit(read.map, domain, self.filter)), Map(mask)))
    }
}

#[cfg(test)]
mod forecast_tests {
    use std::path::Path;

    use terrane_flow::{LoadOptions, load};
    use terrane_io::{WriteOptions, write_heightmap};

    use super::*;

    /// The memory forecast of a graph of 9 x 9 samples that imports a file.
    fn forecast(folder: &Path, parameters: &str) -> u64 {
        let text = format!(
            "Graph(size: (9, 9), nodes: {{ \"a\": Import({parameters}) }}, outputs: {{ \"a.npy\": \"a\" }})"
        );
        let loaded = load("g.ron", &text, folder, &crate::registry(), &LoadOptions::default()).unwrap();
        loaded.plan.forecast(&loaded.graph, &[(0, 0)], 1).serial
    }

    #[test]
    fn the_forecast_includes_the_memory_of_reading() {
        let folder = tempfile::tempdir().unwrap();
        let own = 2 * 9 * 9 * 4;
        for (name, size) in [("large.png", (3000, 2000)), ("large.tif", (3000, 2000)), ("same.exr", (9, 9))] {
            let map = Heightmap::constant(Domain::new(size.0, size.1), 1.0);
            write_heightmap(&folder.path().join(name), &map, &WriteOptions::default()).unwrap();
        }
        let samples = 3000 * 2000;
        for name in ["large.png", "large.tif"] {
            let file = format!("file: \"{name}\"");
            assert_eq!(forecast(folder.path(), &file), own + 4 * samples);
            assert_eq!(forecast(folder.path(), &format!("{file}, nodata: 7.0")), own + 12 * samples);
            assert_eq!(forecast(folder.path(), &format!("{file}, origin: (0, 0)")), own + 8 * samples);
        }
        assert_eq!(forecast(folder.path(), "file: \"same.exr\""), own);
        std::fs::write(folder.path().join("damaged.png"), "GIF89a").unwrap();
        assert_eq!(forecast(folder.path(), "file: \"damaged.png\""), own);
        let missing = Import { file: FilePath::new("none.png"), ..Import::default() };
        let header = Terrain::new(Domain::new(9, 9));
        assert_eq!(
            Evaluate::extra_bytes(
                &missing,
                &Sizes { header: &header, inputs: &[], asked: 3, threads: 1, holes: false }
            ),
            0
        );
    }
}
