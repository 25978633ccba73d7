//! What reading a file takes, told from its header.

use std::{io::BufReader, path::Path};

use crate::{
    ReadOptions, Sidecar,
    codec::{Input, RawLayout},
    limits::Limits,
    open::{Open, Opened, from_disk},
    read::detect,
};

/// Size of a raster and the memory that reading it takes, as [`needed_memory`] gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Needed {
    /// Columns and rows.
    pub size: (usize, usize),
    /// Bytes that [`read_heightmap`](crate::read_heightmap) holds at most, the heights included.
    pub bytes: u64,
}

/// What [`read_heightmap`](crate::read_heightmap) would take, for whoever plans ahead: a few kilobytes of the
/// file are read and none of its samples. Where the file names a value for missing samples it is counted as
/// if some were missing. None for what cannot be read: reading then says why.
#[must_use]
pub fn needed_memory(path: &Path, options: &ReadOptions) -> Option<Needed> {
    needed_memory_from(&from_disk, path, options)
}

/// [`needed_memory`], of a file that `open` opens.
#[must_use]
pub fn needed_memory_from(open: &Open<'_>, path: &Path, options: &ReadOptions) -> Option<Needed> {
    let Opened { content, length } = open(path).ok().filter(|file| file.length > 0)?;
    let mut input = BufReader::new(content);
    let sidecar = if options.sidecar { Sidecar::opened(open, path).ok()? } else { None };
    let options = ReadOptions { memory: u64::MAX, ..options.clone() };
    let format = detect(&mut input, path, &options).ok()?.0;
    let (limits, layout) = (Limits::of(&options), RawLayout::of(&options, sidecar.as_ref()));
    let mut head = (format.reader()?.head)(Input { source: &mut input, length, limits, layout }).ok()?;
    head.missing |= options.nodata.is_some() || sidecar.is_some_and(|sidecar| sidecar.nodata.is_some());
    Some(Needed { size: head.size, bytes: head.bytes() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SidecarPolicy, WriteOptions, write_heightmap};
    use terrane_grid::{Domain, GeoReference, Heightmap};

    fn needed(path: &Path) -> Option<Needed> {
        needed_memory(path, &ReadOptions::default())
    }

    #[test]
    fn headers_tell_what_a_file_takes() {
        let folder = tempfile::tempdir().unwrap();
        let map = Heightmap::constant(Domain::new(300, 200), 1.5);
        for name in ["a.png", "a.tif", "a.exr", "a.npy", "a.r32", "a.r16"] {
            let path = folder.path().join(name);
            write_heightmap(&path, &map, &WriteOptions::default()).unwrap();
            assert_eq!(needed(&path), Some(Needed { size: (300, 200), bytes: 240_000 }), "{name}");
            let options = ReadOptions { nodata: Some(0.0), memory: 1, ..ReadOptions::default() };
            assert_eq!(needed_memory(&path, &options).unwrap().bytes, 720_000, "{name}");
        }
    }

    #[test]
    fn a_nodata_value_is_counted_and_what_cannot_be_read_is_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.tif");
        let georef = GeoReference { nodata: Some("-9999".into()), ..GeoReference::default() };
        let map = Heightmap::constant(Domain::new(30, 20), 1.5).with_georef(Some(georef.into()));
        let plain = WriteOptions { sidecar: SidecarPolicy::Never, ..WriteOptions::default() };
        write_heightmap(&path, &map, &plain).unwrap();
        assert_eq!(needed(&path), Some(Needed { size: (30, 20), bytes: 7200 }));
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len().min(200) {
            std::fs::write(&path, &whole[..length]).unwrap();
            let _never_fails = needed(&path);
        }
        assert_eq!(needed(folder.path()), None);
        assert_eq!(needed(&folder.path().join("none.png")), None);
    }
}
