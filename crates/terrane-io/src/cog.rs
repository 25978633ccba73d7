//! Writing maps of any size as cloud-optimised GeoTIFF.

use std::{io, path::Path, sync::Arc};

use terrane_grid::{Domain, GeoReference, MAX_SAMPLES, Place};

use crate::{
    CogSamples, Effort, Format, IoError, Levels, Problem, Sample, Sidecar, SidecarPolicy, Written,
    atomic::Staged,
    error::Outcome,
    formats::tiff::{self, cog::Pyramid},
    limits::Limits,
    pair,
    placement::is_placed_by,
};

/// Options for writing a pyramid.
#[derive(Clone, Debug, PartialEq)]
pub struct CogOptions {
    /// The type of a sample.
    pub samples: CogSamples,
    /// The part of the world that level 0 covers. Its size must equal that of level 0.
    pub domain: Domain,
    /// The map's position on a planet. The tags are written as they are, except that these options give the
    /// nodata value.
    pub georef: Option<Arc<GeoReference>>,
    /// The value that marks missing samples, usually NaN. For colours, an integer from 0 to 255.
    pub nodata: Option<f32>,
    /// How strongly tiles are compressed.
    pub effort: Effort,
    /// When to write a sidecar beside heights. Colours have none.
    pub sidecar: SidecarPolicy,
    /// The unit of the heights for the sidecar, such as `m`.
    pub units: Option<String>,
    /// Whether to wait until the bytes are on disk, so that they survive a power cut.
    pub sync: bool,
}

impl CogOptions {
    /// Options without a position on a planet, with fast compression.
    #[must_use]
    pub fn new(samples: CogSamples, domain: Domain) -> Self {
        Self {
            samples,
            domain,
            georef: None,
            nodata: None,
            effort: Effort::default(),
            sidecar: SidecarPolicy::default(),
            units: None,
            sync: false,
        }
    }

    fn check(&self, size: (usize, usize)) -> Outcome<()> {
        let Domain { size: (width, height), spacing, origin } = self.domain;
        let bad = |name, value, expected| Err(Problem::BadOption { name, value, expected });
        if (width, height) != size {
            return bad("domain", format!("of {width} x {height} samples"), "as many samples as level 0 has");
        }
        if width == 0 || height == 0 {
            return Err(Problem::Nothing { detail: "the map has no samples" });
        }
        if !(spacing > 0.0 && [spacing, origin.0, origin.1].iter().all(|v| v.is_finite())) {
            let text = format!("at {origin:?} with a spacing of {spacing}");
            return bad("domain", text, "a finite origin and a finite spacing above zero");
        }
        match (self.samples, self.nodata) {
            (CogSamples::Colours, Some(value)) if f32::from(value as u8) != value => {
                bad("nodata", value.to_string(), "a whole number from 0 to 255 where samples are colours")
            }
            _ => {
                Limits::samples(MAX_SAMPLES).size(width as u64, height as u64)?;
                tiff::CODEC.check_size(size)
            }
        }
    }

    /// The tags that place the samples.
    fn georef(&self) -> Arc<GeoReference> {
        self.georef.clone().unwrap_or_else(|| Arc::new(Place::default().georef(&self.domain)))
    }

    /// The sidecar, if it is needed to read the heights at their position.
    fn note(&self, path: &Path, heights: Option<(f64, f64)>) -> Option<Sidecar> {
        let wanted = match self.sidecar {
            SidecarPolicy::Always => true,
            SidecarPolicy::Never => false,
            SidecarPolicy::WhenNeeded => !is_placed_by(Some(&*self.georef()), &self.domain),
        };
        (wanted && self.samples == CogSamples::Heights).then(|| {
            let note = Sidecar::of_heights(path, Format::TIFF, Sample::F32, &self.domain, heights);
            Sidecar { units: self.units.clone(), ..note }
        })
    }
}

/// Writes a map or a picture with its overviews as a cloud-optimised GeoTIFF. It is an ordinary TIFF whose
/// parts can be read separately.
///
/// Overviews are the further levels, up to the first with no side above 512 samples. Tiles have 512 x 512
/// samples at every level; beyond the right and lower edges the last sample is repeated. If the uncompressed
/// data may exceed 3.5 GiB, overviews included, the file is a `BigTIFF`.
///
/// Each sample is requested once, from the smallest level to the map, and in each level from top to bottom,
/// one row of tiles at a time. Memory therefore holds at most one row of tiles of the map, a few tiles per
/// thread, and the tables of tile offsets. The bytes depend only on samples and options.
///
/// As with [`write_heightmap`](crate::write_heightmap), the file appears whole or not at all, and its tags
/// place it like any TIFF of the same heights. If the tags do not give spacing and origin, a sidecar does.
///
/// # Errors
/// The error of [`Levels::read`]; [`Problem::Nothing`] for a map without samples; [`Problem::BadOption`];
/// [`Problem::TooLarge`] for more than [`MAX_SAMPLES`] samples, or more than 2³¹ − 1 columns or rows;
/// [`Problem::Write`], also if a part has the wrong number of bytes.
pub fn write_cog(path: &Path, levels: &dyn Levels, options: &CogOptions) -> Result<Written, IoError> {
    options.check(levels.size()).map_err(|problem| problem.at(path))?;
    let georef = options.georef();
    let pyramid = Pyramid {
        levels,
        samples: options.samples,
        effort: options.effort,
        georef: Some(&georef),
        nodata: options.nodata,
    };
    let mut heights = None;
    let data = Staged::new(path, options.sync, |w| {
        heights = tiff::cog::write(w, &pyramid)?;
        Ok(())
    })
    .map_err(|error| cause_of(error, path))?;
    let note = options.note(path, heights);
    pair::commit(path, data, note, options.sync, &mut || {}).map_err(|error| Problem::Write(error).at(path))
}

/// The error of the levels if reading them failed, otherwise that of writing the file.
fn cause_of(error: io::Error, path: &Path) -> IoError {
    error.downcast::<IoError>().unwrap_or_else(|error| Problem::Write(error).at(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, WriteOptions, read_heightmap, write_heightmap};
    use terrane_grid::Heightmap;

    /// A map in memory, or none.
    struct Held(Option<Heightmap>, (usize, usize));

    impl Held {
        fn of(map: &Heightmap) -> Self {
            Self(Some(map.clone()), map.domain().size)
        }
    }

    impl Levels for Held {
        fn size(&self) -> (usize, usize) {
            self.1
        }

        fn read(&self, level: u32, first: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, IoError> {
            let missing = Problem::Read(io::Error::other("no map"));
            let map = self.0.as_ref().ok_or_else(|| missing.at(Path::new("patch.tif")))?;
            let row = |y: usize| {
                (first.0..first.0 + size.0)
                    .flat_map(move |x| map.grid()[(x << level, y << level)].to_le_bytes())
            };
            Ok((first.1..first.1 + size.1).flat_map(row).collect())
        }
    }

    fn map() -> Heightmap {
        let domain = Domain::new(600, 40).with_spacing(2.5).with_origin(-7.25, 4.0);
        Heightmap::from_fn(domain, |x, y| (x * 7 % 31) as f32 - y as f32)
    }

    fn names(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_map_is_read_as_from_any_tiff() {
        let folder = tempfile::tempdir().unwrap();
        let (path, plain) = (folder.path().join("a.tif"), folder.path().join("b.tif"));
        let georef = Arc::new(GeoReference {
            pixel_scale: vec![2.5, 2.5, 0.0],
            tiepoints: vec![0.0, 0.0, 0.0, -7.25, -4.0, 0.0],
            key_directory: vec![1, 1, 0, 2, 1024, 0, 1, 1, 1025, 0, 1, 2],
            ..GeoReference::default()
        });
        for georef in [None, Some(georef)] {
            let map = map().with_georef(georef.clone());
            let options = CogOptions { georef, ..CogOptions::new(CogSamples::Heights, map.domain()) };
            assert_ne!(write_cog(&path, &Held::of(&map), &options).unwrap(), Written::Unchanged);
            assert_eq!(write_cog(&path, &Held::of(&map), &options).unwrap(), Written::Unchanged);
            write_heightmap(&plain, &map, &WriteOptions::default()).unwrap();
            let [cog, tiff] =
                [&path, &plain].map(|path| read_heightmap(path, &ReadOptions::default()).unwrap());
            assert_eq!(cog.map, map);
            assert_eq!((cog.map, cog.warnings), (tiff.map, tiff.warnings));
            let without_name = |path: &Path| {
                let sidecar = Sidecar::of(path).unwrap()?;
                Some(Sidecar { name: String::new(), data: None, ..sidecar })
            };
            assert_eq!(without_name(&path), without_name(&plain));
        }
        assert_eq!(names(folder.path()), 2, "no sidecar remains if the tags place the map");
    }

    #[test]
    fn colours_have_no_sidecar() {
        struct White;
        impl Levels for White {
            fn size(&self) -> (usize, usize) {
                (9, 4)
            }

            fn read(&self, _: u32, _: (usize, usize), size: (usize, usize)) -> Result<Vec<u8>, IoError> {
                Ok(vec![255; size.0 * size.1 * 3])
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let options = CogOptions {
            sidecar: SidecarPolicy::Always,
            ..CogOptions::new(CogSamples::Colours, Domain::new(9, 4).with_spacing(3.0))
        };
        write_cog(&folder.path().join("a.tif"), &White, &options).unwrap();
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn a_failure_leaves_no_file_or_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, map) = (folder.path().join("a.tif"), map());
        let options = CogOptions::new(CogSamples::Heights, map.domain());
        let gone = Held(None, map.domain().size);
        let failed = write_cog(&path, &gone, &options).unwrap_err();
        assert!(failed.path == Path::new("patch.tif") && matches!(failed.problem, Problem::Read(_)));
        assert_eq!(names(folder.path()), 0);
        write_cog(&path, &Held::of(&map), &options).unwrap();
        let old = std::fs::read(&path).unwrap();
        write_cog(&path, &gone, &options).unwrap_err();
        assert!(std::fs::read(&path).unwrap() == old);
        assert_eq!(names(folder.path()), 1, "the file, which needs no sidecar");
    }

    #[test]
    fn invalid_options_are_refused() {
        let refused = |size, options: CogOptions| {
            write_cog(Path::new("a.tif"), &Held(None, size), &options).unwrap_err().problem.to_string()
        };
        let of = |domain| CogOptions::new(CogSamples::Heights, domain);
        let problems = [
            refused((3, 5), of(Domain::new(5, 3))),
            refused((0, 5), of(Domain::new(0, 5))),
            refused((5, 3), of(Domain::new(5, 3).with_spacing(0.0))),
            refused((5, 3), of(Domain::new(5, 3).with_origin(f64::NAN, 0.0))),
            refused((1 << 31, 3), of(Domain::new(1 << 31, 3))),
            refused((1 << 30, 1 << 30), of(Domain::new(1 << 30, 1 << 30))),
            refused(
                (5, 3),
                CogOptions { nodata: Some(0.5), samples: CogSamples::Colours, ..of(Domain::new(5, 3)) },
            ),
        ];
        insta::assert_snapshot!(problems.join("\n"), @r"
        the option `domain` is of 5 x 3 samples
        there is nothing to write: the map has no samples
        the option `domain` is at (0.0, 0.0) with a spacing of 0
        the option `domain` is at (NaN, 0.0) with a spacing of 1
        TIFF has at most 2147483647 columns and rows, and this has 2147483648 x 3
        1073741824 x 1073741824 samples are too many
        the option `nodata` is 0.5
        ");
    }
}
