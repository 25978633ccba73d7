//! Levels: the surface of water.

use std::io::{self, Write};
use std::ops::Deref;
use std::path::Path;

use serde_json::{Value as Json, json};
use terrane_flow::{Data, Kind, Value};
use terrane_grid::{Grid, Heightmap};
use terrane_io::{
    Format, IoError, Kind as FileKind, Sample, Stop, WriteOptions, Written, write_heightmap_until,
};
use terrane_kernels::shade::level_picture;

use super::capabilities::{Measured, Shown, TerrainData, is_within};
use super::map::Map;
use super::numbers::Numbers;
use super::{heights, map_text};

/// The surface of water: its height where there is water. Where it is dry, the sample is not a number.
///
/// Files and arrays hold levels as they hold maps whose holes are dry. In a graph they are no maps with
/// holes, since most nodes take no holes, and since nothing is missing where it is dry.
#[derive(Clone, Debug, PartialEq)]
pub struct Levels(Heightmap);

impl Levels {
    /// Levels from heights, of which those that are not numbers are dry.
    #[must_use]
    pub fn new(mut heights: Heightmap) -> Self {
        // There are many not-a-numbers. Equal levels have equal bytes.
        heights.samples_mut().iter_mut().filter(|level| level.is_nan()).for_each(|level| *level = f32::NAN);
        Self(heights)
    }

    /// The number of samples with water.
    fn wet(&self) -> usize {
        self.samples().iter().filter(|level| !level.is_nan()).count()
    }
}

/// Whether values of a kind have heights: maps and levels.
#[must_use]
pub fn has_heights(kind: &Kind) -> bool {
    kind == Kind::of::<Map>() || kind == Kind::of::<Levels>()
}

/// The heights of a map or of levels.
#[must_use]
pub fn heights_of(value: &Value) -> Option<&Heightmap> {
    value.get::<Map>().map(|map| &map.0).or_else(|| value.get::<Levels>().map(|levels| &levels.0))
}

impl Deref for Levels {
    type Target = Heightmap;

    fn deref(&self) -> &Heightmap {
        &self.0
    }
}

impl Data for Levels {
    const KIND: &'static str = "level";

    const CONVERTED: Option<(&'static str, &'static str)> = Some((
        Map::KIND,
        "a Water node makes maps of it: its `depth`, a `mask` and the `surface` of water and ground",
    ));

    fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        heights::encode(self, out)
    }

    fn decode(bytes: &[u8]) -> io::Result<Self> {
        heights::decode(bytes).map(Self::new)
    }

    fn heap_bytes(&self) -> usize {
        self.samples().len() * 4
    }

    fn extent(&self) -> Option<(usize, usize)> {
        Some(self.domain().size)
    }

    fn not_finite(&self, _: bool) -> usize {
        self.samples().iter().filter(|level| level.is_infinite()).count()
    }
}

impl TerrainData for Levels {
    const OPTIONS: &'static [&'static str] = &["endian", "compression"];
    const HAS_PICTURE: bool = true;
    const HAS_SIDECAR: bool = true;
    const IN_PIECES: bool = true;
    const BYTES_A_SAMPLE: u64 = 4;
    const MEASURED: Measured = Measured::By(heights::MEASURED);
    const IS_RASTER: bool = true;

    /// Those of formats with floating-point numbers: whole numbers cannot say that it is dry.
    fn extensions() -> Vec<&'static str> {
        let formats = FileKind::Heightmap.formats();
        let floats = formats.iter().filter(|format| format.samples().first() == Some(&Sample::F32));
        floats.flat_map(Format::extensions).copied().collect()
    }

    fn write(&self, path: &Path, options: &WriteOptions, stop: Stop<'_>) -> Result<Written, IoError> {
        write_heightmap_until(path, self, options, stop)
    }

    fn shown(&self) -> Shown<'_> {
        Shown::Levels(self)
    }

    fn numbers(&self) -> Numbers<'_> {
        Numbers::row(heights::MEASURED, &heights::measured(self))
    }

    fn facts(&self) -> Json {
        let mut facts = heights::facts(self);
        facts["wet"] = json!(self.wet());
        facts
    }

    fn described(&self) -> String {
        format!("wet: {}\n{}", self.wet(), map_text::described(self))
    }

    /// Water in blue, the lowest darkest; dry ground is grey.
    fn picture(&self) -> Option<Grid<[u8; 3]>> {
        Some(level_picture(self, None))
    }

    fn part(&self, first: (usize, usize), size: (usize, usize)) -> Option<Self> {
        is_within(self.domain().size, first, size).then(|| Self(self.0.part(first, size)))
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::Domain;

    use super::*;

    #[test]
    fn equal_levels_have_equal_bytes() {
        let of = |dry: f32| {
            let heights = Heightmap::from_fn(Domain::new(4, 3), |x, y| if x == y { dry } else { y as f32 });
            let mut bytes = Vec::new();
            Levels::new(heights).encode(&mut bytes).unwrap();
            bytes
        };
        let bytes = of(f32::NAN);
        assert_eq!(bytes, of(-f32::NAN));
        let levels = Levels::decode(&bytes).unwrap();
        assert!(levels.part((1, 0), (2, 2)).unwrap().samples()[2].is_nan());
        assert_eq!((levels.wet(), levels.not_finite(false), levels.holes()), (9, 0, None));
        assert!((0..bytes.len()).all(|length| Levels::decode(&bytes[..length]).is_err()));
    }
}
