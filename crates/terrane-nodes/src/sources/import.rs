//! Heights from a file.

use std::path::PathBuf;
use std::sync::Arc;

use terrane_flow::{Context, Evaluate, FilePath, Header, Node, NodeError, Reach, Sizes, memory};
use terrane_grid::{Domain, GeoReference, Heightmap};
use terrane_io::{Endian, ReadOptions, Sidecar, needed_memory_from, read_heightmap_from};
use terrane_kernels::shape::{Filter, stretch};

use crate::opening::opener;
use crate::support::{choice, domain};
use crate::terrain::Terrain;
use crate::values::Map;

choice! {
    /// Byte order of bare files.
    ByteOrder => Endian {
        /// Least significant byte first.
        Little,
        /// Most significant byte first.
        Big,
    }
}

/// Heights from a file: PNG, TIFF and GeoTIFF, EXR, NPY, RAW.
///
/// Heights are taken as they are, in the file's unit. Codes of PNG and RAW files become heights when `range`
/// is given, or when the file has the sidecar that Terrane writes beside its own. A raster of the graph's
/// size is taken sample for sample; any other is stretched over the graph's extent (bilinear, or the mean
/// over a sample's cell where there are fewer samples). With `origin` it stays as it is and lies there. A
/// sidecar says by `data`, the BLAKE3 of the file, which file it was written for. For a picture that was
/// changed since, it is refused: whoever painted over the picture and means its codes as before removes
/// `data` from the sidecar. A GeoTIFF's place in the world goes along, so that a GeoTIFF written from it lies
/// in the same place.
///
/// Missing samples (nodata, not finite) are filled smoothly from around and marked in `mask`. The graph's
/// spacing counts, not the file's: give `spacing` in the graph; a warning tells when the two differ. Grids in
/// degrees are not square in metres: at latitude f a degree of longitude is cos(f) times one of latitude, and
/// this node does not correct that.
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
#[node(category = "sources", tiles = Global, because = "a file is spread over the map", version = 2, header)]
#[output(height: Map, unit = "the file's", doc = "The heights, without gaps.")]
#[output(mask: Map, doc = "1 where the file has a height, 0 where one was filled in.")]
pub struct Import {
    /// The file, relative to the graph's.
    #[param]
    pub file: FilePath,
    /// Heights of the least and greatest code; in files of real numbers, of 0 and 1.
    #[param(default = None, unit = "world units")]
    pub range: Option<(f64, f64)>,
    /// A value that marks missing samples, beside the file's own.
    #[param(default = None)]
    pub nodata: Option<f64>,
    /// Columns and rows of a bare file that has no sidecar and is not square.
    #[param(default = None)]
    pub raw_size: Option<(u32, u32)>,
    /// Byte order of a bare file that has no sidecar; without, little.
    #[param(default = None)]
    pub byte_order: Option<ByteOrder>,
    /// World x and y of the first sample, for a map that lies elsewhere than the graph, such as a
    /// neighbouring patch; it keeps its own size.
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
            Some(_) => Reach::map("with `origin` it keeps its own samples, which are no patch's"),
        }
    }

    /// The sidecar gives codes their heights: the same picture beside another is other ground.
    fn companions(&self) -> Vec<PathBuf> {
        vec![Sidecar::path_of(&self.file.path())]
    }

    /// What reading takes, but for what is the outputs' own: a raster of the graph's size becomes them as it
    /// is.
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

    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let path = self.file.path();
        // Only a sidecar is compared with the digest; the key's is at hand.
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
                "the file has samples {} apart, the graph {}: slopes follow the graph's spacing",
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

/// A raster stretched over a domain; its place in the world stays.
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

/// The tags of a raster whose samples are `sx` and `sy` times as far apart, with its first and last samples
/// in place.
fn stretch_georef(georef: &GeoReference, sx: f64, sy: f64) -> GeoReference {
    const RASTER_TYPE: u16 = 1025;
    const POINT: u16 = 2;
    let mut out = georef.clone();
    let point = georef.key_directory.chunks_exact(4).any(|key| key[0] == RASTER_TYPE && key[3] == POINT);
    if let ([x, y, ..], [_, _, _, tie_x, tie_y, ..]) = (&mut out.pixel_scale[..], &mut out.tiepoints[..]) {
        if !point {
            // A tie point at the first sample's corner: the corner moves as the sample grows about its
            // middle.
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

    /// The forecast of a graph of 9 x 9 samples that imports a file.
    fn forecast(folder: &Path, parameters: &str) -> u64 {
        let text = format!(
            "Graph(size: (9, 9), nodes: {{ \"a\": Import({parameters}) }}, outputs: {{ \"a.npy\": \"a\" }})"
        );
        let loaded = load("g.ron", &text, folder, &crate::registry(), &LoadOptions::default()).unwrap();
        loaded.plan.forecast(&loaded.graph, &[(0, 0)], 1).serial
    }

    #[test]
    fn the_forecast_knows_what_a_file_takes() {
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
