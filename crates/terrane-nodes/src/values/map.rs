//! Maps: heights, masks or any other scalar per sample.

use std::io::{self, Write};
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde_json::{Value as Json, json};
use terrane_flow::{Data, HoleMask};
use terrane_grid::{Grid, Heightmap};
use terrane_io::{IoError, Kind as FileKind, Stop, WriteOptions, Written, write_heightmap_until};
use terrane_kernels::metric::statistics;

use super::capabilities::{Measured, Shown, TerrainData, extensions_of, is_within};
use super::numbers::Numbers;
use super::{heights, map_text};

/// A map: heights, a mask or any other scalar per sample.
#[derive(Clone, Debug, PartialEq)]
pub struct Map(pub Heightmap);

impl Deref for Map {
    type Target = Heightmap;

    fn deref(&self) -> &Heightmap {
        &self.0
    }
}

impl DerefMut for Map {
    fn deref_mut(&mut self) -> &mut Heightmap {
        &mut self.0
    }
}

impl Data for Map {
    const KIND: &'static str = "map";

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        heights::encode(self, out)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        heights::decode(bytes).map(Self)
    }

    fn heap_bytes(&self) -> usize {
        self.samples().len() * 4
    }

    fn extent(&self) -> Option<(usize, usize)> {
        Some(self.domain().size)
    }

    fn not_finite(&self, holes: bool) -> usize {
        const TOGETHER: usize = 1 << 16;
        self.samples().par_chunks(TOGETHER).map(|part| terrane_compute::not_finite(part, holes)).sum()
    }

    fn raster(&self) -> Option<&[f32]> {
        Some(self.samples())
    }

    fn raster_mut(&mut self) -> Option<&mut [f32]> {
        Some(self.samples_mut())
    }

    fn with_raster(&self, samples: Vec<f32>) -> Option<Self> {
        Some(Self(Heightmap::from_vec(self.domain(), samples).with_georef(self.georef().cloned())))
    }

    const WITHOUT_HOLES: Option<&'static str> =
        Some("fill them first: connect a FillHoles node, or set `voids: Fill` at the Import");

    fn holes(&self) -> Option<HoleMask> {
        let holes = self.samples().iter().map(|sample| sample.is_nan());
        holes.clone().any(|hole| hole).then(|| HoleMask::new(self.domain().size, holes))
    }

    fn with_holes(this: Arc<Self>, holes: &HoleMask) -> Arc<Self> {
        let mut map = Arc::unwrap_or_clone(this);
        // There are many not-a-numbers. A hole is the one that this constant names.
        map.samples_mut().iter_mut().filter(|sample| sample.is_nan()).for_each(|sample| *sample = f32::NAN);
        if holes.size() == map.domain().size {
            let samples = map.samples_mut();
            holes.positions().for_each(|at| samples[at] = f32::NAN);
        }
        Arc::new(map)
    }
}

impl TerrainData for Map {
    const OPTIONS: &'static [&'static str] = &["range", "depth", "endian", "preset", "compression"];
    const HAS_PICTURE: bool = true;
    const HAS_SIDECAR: bool = true;
    const IN_PIECES: bool = true;
    const BYTES_A_SAMPLE: u64 = 4;
    const MEASURED: Measured = Measured::By(heights::MEASURED);
    const IS_RASTER: bool = true;

    fn extensions() -> Vec<&'static str> {
        extensions_of(FileKind::Heightmap)
    }

    fn write(&self, path: &Path, options: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_heightmap_until(path, self, options, stop)
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Heights(self)
    }

    fn numbers(&self) -> Numbers<'_> {
        Numbers::row(heights::MEASURED, &heights::measured(self))
    }

    fn facts(&self) -> Json {
        let mut facts = heights::facts(self);
        if let Some(holes) = self.holes() {
            facts["holes"] = json!(holes.positions().count());
        }
        facts
    }

    fn described(&self) -> String {
        map_text::described(self)
    }

    /// A grey picture, from black at the minimum to white at the maximum. Holes are black.
    fn picture(&self) -> Option<Grid<[u8; 3]>> {
        let s = statistics(self);
        let unit = terrane_kernels::shape::remap(self.0.clone(), (s.min as f32, s.max as f32), (0.0, 1.0));
        Some(terrane_kernels::shade::grey(&unit))
    }

    fn part(&self, first: (usize, usize), size: (usize, usize)) -> Option<Self> {
        is_within(self.domain().size, first, size).then(|| Self(self.0.part(first, size)))
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, GeoReference};

    use super::*;

    #[test]
    fn decoding_restores_every_bit_and_rejects_truncated_bytes() {
        let georef = GeoReference {
            pixel_scale: vec![30.0, 30.0, 0.0],
            key_directory: vec![1, 1, 0, 0],
            ascii_params: "WGS 84|".to_owned(),
            nodata: Some("0".to_owned()),
            ..GeoReference::default()
        };
        let map =
            Heightmap::from_fn(Domain::new(5, 3).with_origin(-2.0, 9.5), |x, y| (x as f32 / 3.0) - y as f32);
        let map = Map(map.with_georef(Some(Arc::new(georef))));
        let mut bytes = Vec::new();
        map.encode(&mut bytes).unwrap();
        assert_eq!(Map::decode(&bytes).unwrap(), map);
        for length in 0..bytes.len() {
            assert!(Map::decode(&bytes[..length]).is_err());
        }
    }
}
