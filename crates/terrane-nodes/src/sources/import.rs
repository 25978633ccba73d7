//! Import of heightmaps.

use std::path::PathBuf;
use std::sync::Arc;

use terrane_flow::{Context, Evaluate, FilePath, Header, Invalid, Node, NodeError, Reach, Sizes, memory};
use terrane_grid::{Domain, GeoReference, Heightmap};
use terrane_io::{Endian, ReadOptions, Sidecar, needed_memory_from, read_heightmap_from};
use terrane_kernels::shape::{Filter, stretch};

use crate::opening::{check_build, opener};
use crate::support::domain;
use crate::terrain::Terrain;
use crate::values::Map;

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
/// Heights keep the file's unit. The integer codes of PNG, RAW and other pictures become heights if `range`
/// is set or if the file has the sidecar that Terrane writes with its own files. BMP, TGA, WebP and JPEG have
/// only 256 heights, and a JPEG changes them. A raster of the graph's size is used sample by sample. Any
/// other raster is stretched over the graph's extent: by bilinear interpolation or, if the graph has fewer
/// samples than the raster, by the mean over each sample's cell. With `origin` the raster keeps its samples
/// and lies at that position. A GeoTIFF's georeference is kept, so that a GeoTIFF written from the map has
/// the same position.
///
/// A sidecar's `data` is the BLAKE3 hash of the file that it was written for. If that file has changed since,
/// the import fails. If you have painted over it, and its codes mean the same heights as before, remove
/// `data` from the sidecar.
///
/// Missing samples (nodata or not finite) are filled smoothly from their surroundings and marked in `mask`.
/// The graph's spacing applies, not the file's: set `spacing` in the graph. A warning reports a difference
/// between the two. Grids in degrees are not square in metres: at latitude f a degree of longitude is cos(f)
/// times a degree of latitude. This node does not correct that.
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
#[node(category = "sources", tiles = Global, because = "the file is stretched over the \
    map", version = 2, header)]
#[output(height: Map, unit = "the file's", doc = "The heights, without gaps.")]
#[output(mask: Map, doc = "1 where the file has a height, 0 where a missing one was filled in.")]
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
    #[param(default = None)]
    pub nodata: Option<f64>,
    /// Columns and rows of a raw file without a sidecar. Default: a square.
    #[param(default = None)]
    pub raw_size: Option<(u32, u32)>,
    /// Byte order of a raw file without a sidecar. Default: `Little`.
    #[param(default = None)]
    pub byte_order: Option<ByteOrder>,
    /// World x and y of the first sample, for a map that keeps its own size and position, such as a
    /// neighbouring patch. Default: the map is stretched over the graph's extent.
    #[param(default = None, unit = "world units")]
    pub origin: Option<(f64, f64)>,
}

impl Import {
    fn options(&self) -> ReadOptions {
        ReadOptions {
            range: self.range,
            size: self.raw_size.map(|(w, h)| (w as usize, h as usize)),
            endian: self.byte_order.map(Endian::from),
            nodata: self.nodata,
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

    /// The sidecar assigns heights to codes: the same picture with another sidecar is different terrain.
    fn companions(&self) -> Vec<PathBuf> {
        vec![Sidecar::path_of(&self.file.path())]
    }

    /// Memory for reading, without that of the outputs: a raster of the graph's size becomes the output
    /// itself.
    fn extra_bytes(&self, sizes: &Sizes<'_>) -> u64 {
        const OUTPUTS: u64 = 2 * 4;
        let Some(needed) = needed_memory_from(&opener(&self.file), &self.file.path(), &self.options()) else {
            return 0;
        };
        let outputs = (needed.size.0 as u64).saturating_mul(needed.size.1 as u64).saturating_mul(OUTPUTS);
        let graph = sizes.header.as_any().downcast_ref::<Terrain>().map(|terrain| terrain.0.size);
        if graph == Some(needed.size) {
            needed.bytes.saturating_sub(outputs)
        } else if self.origin.is_some() {
            needed.bytes.max(outputs)
        } else {
            needed.bytes
        }
    }

    fn check(&self) -> Result<(), Invalid> {
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
        let known_spacing =
            read.map.georef().is_some_and(|g| g.epsg() != Some(4326)) && source.spacing != 1.0;
        if known_spacing && source.size == domain.size && (source.spacing / domain.spacing - 1.0).abs() > 0.01
        {
            cx.warn(format!(
                "the file has a spacing of {} and the graph one of {}: slopes follow the graph's",
                source.spacing, domain.spacing
            ));
        }
        let mask = match read.mask {
            Some(mask) => {
                let missing = mask.samples().iter().filter(|known| **known == 0.0).count();
                cx.warn(format!("{missing} missing samples were filled in; output `mask` shows which"));
                fit(mask, domain)
            }
            None => Heightmap::constant(domain, 1.0),
        };
        Ok((Map(fit(read.map, domain)), Map(mask)))
    }
}

/// Stretches a raster over a domain, and keeps its georeferenced extent.
fn fit(map: Heightmap, domain: Domain) -> Heightmap {
    let (w, h) = map.domain().size;
    if (w, h) == domain.size {
        let georef = map.georef().cloned();
        return Heightmap::from_grid(domain, map.into_grid()).with_georef(georef);
    }
    let step =
        |old: usize, new: usize| if new > 1 { (old.max(2) - 1) as f64 / (new - 1) as f64 } else { 1.0 };
    let (sx, sy) = (step(w, domain.width()), step(h, domain.height()));
    let filter = if sx.max(sy) > 1.0 { Filter::Area } else { Filter::Bilinear };
    let stretched = stretch(&map, domain.size, filter);
    let georef = map.georef().map(|georef| Arc::new(stretch_georef(georef, sx, sy)));
    Heightmap::from_grid(domain, stretched.into_grid()).with_georef(georef)
}

/// The tags of a raster after its spacing has grown by factors of `sx` and `sy`, with its first and last
/// samples in place.
fn stretch_georef(georef: &GeoReference, sx: f64, sy: f64) -> GeoReference {
    const RASTER_TYPE: u16 = 1025;
    const POINT: u16 = 2;
    let mut out = georef.clone();
    let point = georef.key_directory.chunks_exact(4).any(|key| key[0] == RASTER_TYPE && key[3] == POINT);
    if let ([x, y, ..], [_, _, _, tie_x, tie_y, ..]) = (&mut out.pixel_scale[..], &mut out.tiepoints[..]) {
        if !point {
            // The tie point is at the first sample's corner, which moves as the sample grows about its
            // centre.
            *tie_x += *x * (1.0 - sx) / 2.0;
            *tie_y -= *y * (1.0 - sy) / 2.0;
        }
        *x *= sx;
        *y *= sy;
    }
    out
}

#[cfg(test)]
mod tests {
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
        let header = Terrain(Domain::new(9, 9));
        assert_eq!(
            Evaluate::extra_bytes(&missing, &Sizes { header: &header, inputs: &[], asked: 3, threads: 1 }),
            0
        );
    }
}
