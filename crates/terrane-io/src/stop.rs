//! Writing that can be stopped.

use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use crate::{IoError, Written, write_atomic};

/// Asked again and again while a file is written: whether to stop, because the value is no longer wanted.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// A writer that fails once it is to stop.
pub(crate) struct Until<'a, W> {
    out: W,
    stop: Stop<'a>,
    /// Bytes and writes since `stop` was asked.
    unasked: (usize, usize),
}

impl<'a, W> Until<'a, W> {
    pub fn new(out: W, stop: Stop<'a>) -> Self {
        Self { out, stop, unasked: (0, 0) }
    }
}

/// Like [`write_atomic`], until `stop` returns true.
///
/// # Errors
/// As [`write_atomic`], and if writing was stopped. The file is then as before.
pub fn write_atomic_until(
    path: &Path,
    stop: Stop<'_>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Written, IoError> {
    write_atomic(path, false, |out| write(&mut Until::new(out, stop)))
}

impl<W: Write> Write for Until<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Formats write a strip of rows at once. It is short if the map is flat.
        const EVERY: (usize, usize) = (1 << 16, 16);
        self.unasked = (self.unasked.0 + bytes.len(), self.unasked.1 + 1);
        if self.unasked.0 >= EVERY.0 || self.unasked.1 >= EVERY.1 {
            self.unasked = (0, 0);
            if (self.stop)() {
                return Err(io::Error::other("it was stopped"));
            }
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<W: Seek> Seek for Until<'_, W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use terrane_grid::{Domain, Grid, Heightmap, Mesh};

    use super::*;
    use crate::{
        Effort, Format, IoError, Kind, WriteOptions, Written, write_animation_until, write_heightmap_until,
        write_mesh_until, write_picture_until,
    };

    /// Writes a file until `stop` was asked twice, and checks that the old one and nothing else is there.
    fn stopped(name: &str, write: impl Fn(&Path, Stop<'_>) -> Result<Written, IoError>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, "old").unwrap();
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) > 0;
        let error = write(&path, &stop).expect_err(name);
        assert!(error.to_string().contains("stopped"), "{name}: {error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old", "{name}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{name}");
    }

    #[test]
    fn every_format_stops_and_leaves_the_file_as_it_was() {
        let map =
            Heightmap::from_fn(Domain::new(1500, 1100), |x, y| ((x * 7919 + y * 104_729) % 65_536) as f32);
        for format in Kind::Heightmap.formats().iter().filter(|format| format.check_built().is_ok()) {
            let name = format!("a.{}", format.extensions()[0]);
            stopped(&name, |path, stop| write_heightmap_until(path, &map, &WriteOptions::default(), stop));
        }
        let picture =
            Grid::from_fn(1500, 1100, |x, y| [(x * y % 251) as u8, (x * 31 + y) as u8, (y * 7) as u8]);
        stopped("a.png", |path, stop| write_picture_until(path, &picture, Effort::Fast, stop));
        let frames = vec![picture; 2];
        stopped("a.gif", |path, stop| write_animation_until(path, &frames, 40, stop));
        let mut mesh = Mesh::default();
        for at in 0..60_000u32 {
            mesh.positions.push([at as f32, 0.5, (at % 7) as f32]);
            mesh.triangles.push([at, (at + 1) % 60_000, (at + 2) % 60_000]);
        }
        for format in Kind::Mesh.formats() {
            let name = format!("a.{}", Format::extensions(format)[0]);
            stopped(&name, |path, stop| write_mesh_until(path, &mesh, stop));
        }
    }

    /// A flat map is compressed to almost nothing, and still asks.
    #[test]
    fn a_flat_map_stops() {
        let map = Heightmap::constant(Domain::new(3000, 3000), 7.0);
        for name in ["a.tif", "a.png"] {
            stopped(name, |path, stop| write_heightmap_until(path, &map, &WriteOptions::default(), stop));
        }
    }
}
