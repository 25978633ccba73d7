//! The size of a file of heights, its place and the memory for reading it, from its header.

use std::{io::BufReader, path::Path};

use terrane_grid::GeoReference;

use crate::{
    ReadOptions, Sidecar,
    beside::Beside,
    codec::{Input, Layout},
    limits::Limits,
    open::{Open, Opened, from_disk},
    read::{detect, distance},
    upright::Turn,
};

/// The size and place of a raster and the memory for reading it, from [`needed_memory`].
#[derive(Clone, Debug, PartialEq)]
pub struct Needed {
    /// Columns and rows, after the raster was turned upright.
    pub size: (usize, usize),
    /// The tags of the upright raster, if it is georeferenced.
    pub georef: Option<GeoReference>,
    /// As [`Imported::distance`](crate::Imported::distance).
    pub distance: Option<(f64, f64)>,
    /// Why [`read_heightmap`](crate::read_heightmap) refuses the place of the raster, and what to do: it is
    /// rotated.
    pub refused: Option<Refused>,
    /// The maximum memory of [`read_heightmap`](crate::read_heightmap) in bytes, including the heights.
    pub bytes: u64,
}

/// A problem and its remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// The memory that [`read_heightmap`](crate::read_heightmap) would need, for planning.
///
/// The function reads a few kilobytes of the file and none of its samples. If the file has a nodata value,
/// samples count as missing. `None` if the file cannot be read; the error of
/// [`read_heightmap`](crate::read_heightmap) then says why.
#[must_use]
pub fn needed_memory(path: &Path, options: &ReadOptions) -> Option<Needed> {
    needed_memory_from(&from_disk, path, options)
}

/// Like [`needed_memory`], for a file opened by `open`.
#[must_use]
pub fn needed_memory_from(open: &Open<'_>, path: &Path, options: &ReadOptions) -> Option<Needed> {
    let Opened { content, length } = open(path).ok().filter(|file| file.length > 0)?;
    let mut input = BufReader::new(content);
    let sidecar = if options.sidecar { Sidecar::opened(open, path).ok()? } else { None };
    let options = ReadOptions { memory: u64::MAX, ..options.clone() };
    let format = detect(&mut input, path, &options).ok()?.0;
    let beside = Beside::of(open, path, &options, sidecar.as_ref());
    let (limits, layout) = (
        Limits::of(&options),
        Layout::of(&options, sidecar.as_ref(), beside.given(&options, sidecar.as_ref())),
    );
    let mut head = (format.reader()?.head)(Input { source: &mut input, length, limits, layout }).ok()?;
    let _warnings = beside.place(open, path, &mut head.georef);
    let turn = head.georef.as_ref().map_or(Ok(None), |georef| Turn::of(format, head.size, georef));
    let (turn, refused) = match turn {
        Ok(turn) => (turn, None),
        Err(problem) => (None, Some(Refused { message: problem.to_string(), help: problem.remedy() })),
    };
    let (size, georef) = turn.map_or((head.size, None), |turn| (turn.size, Some(turn.georef)));
    let distance = distance(sidecar.as_ref(), georef.as_ref(), size);
    head.missing |= !beside.nodata.is_empty() || Beside::has_mask(open, path);
    Some(Needed { size, bytes: head.bytes(), georef, distance, refused })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SidecarPolicy, WriteOptions, check_readable, write_heightmap};
    use terrane_grid::{Domain, GeoReference, Heightmap};

    fn needed(path: &Path) -> Option<Needed> {
        needed_memory(path, &ReadOptions::default())
    }

    #[test]
    fn headers_give_the_memory_for_reading() {
        let folder = tempfile::tempdir().unwrap();
        let map = Heightmap::constant(Domain::new(300, 200), 1.5);
        for name in ["a.png", "a.tif", "a.exr", "a.npy", "a.r32", "a.r16"] {
            let path = folder.path().join(name);
            if check_readable(&path).is_err() {
                continue;
            }
            write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
            let found = needed(&path).unwrap();
            assert_eq!((found.size, found.bytes), ((300, 200), 240_000), "{name}");
            let options = ReadOptions { nodata: Some(0.0), memory: 1, ..ReadOptions::default() };
            assert_eq!(needed_memory(&path, &options).unwrap().bytes, 720_000, "{name}");
        }
    }

    #[test]
    fn a_nodata_value_counts_and_an_unreadable_file_gives_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tif");
        let georef = GeoReference { nodata: Some("-9999".into()), ..GeoReference::default() };
        let map = Heightmap::constant(Domain::new(30, 20), 1.5).with_georef(Some(georef.into()));
        let plain = WriteOptions { sidecar: SidecarPolicy::Never, ..WriteOptions::default() };
        write_heightmap(&path, &map, &plain).unwrap();
        let found = needed(&path).unwrap();
        assert_eq!((found.size, found.bytes), ((30, 20), 7200));
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len().min(200) {
            std::fs::write(&path, &whole[..length]).unwrap();
            let _never_fails = needed(&path);
        }
        assert_eq!(needed(folder.path()), None);
        assert_eq!(needed(&folder.path().join("none.png")), None);
    }
}
