//! Reading and writing pictures of 8-bit sRGB.

use std::{io::BufReader, path::Path};

use terrane_grid::Grid;

use crate::{
    IoError, Kind, Open, Opened, PictureOptions, Problem, ReadOptions, Stop, Written,
    codec::{Input, Layout, Picture},
    error::Outcome,
    limits::Limits,
    open::from_disk,
    raster::guarded,
    read::detect,
    stop::Until,
    write_atomic,
};

/// Writes a picture of sRGB samples in the format of its extension, atomically and with bytes that depend
/// only on the samples and the options. PNG and WebP keep every colour, JPEG does not.
///
/// # Errors
/// [`Problem::UnknownExtension`], [`Problem::WrongKind`] and [`Problem::Missing`] by format,
/// [`Problem::Nothing`] for a picture without samples, [`Problem::TooLong`] for one that the format cannot
/// hold, [`Problem::BadOption`], [`Problem::Write`] otherwise.
pub fn write_picture(
    path: &Path,
    picture: &Grid<[u8; 3]>,
    options: impl Into<PictureOptions>,
) -> Result<Written, IoError> {
    write_picture_until(path, picture, options, &|| false)
}

/// Like [`write_picture`], until `stop` returns true.
///
/// # Errors
/// As [`write_picture`], and [`Problem::Write`] if writing was stopped. The file is then as before.
pub fn write_picture_until(
    path: &Path,
    picture: &Grid<[u8; 3]>,
    options: impl Into<PictureOptions>,
    stop: Stop<'_>,
) -> Result<Written, IoError> {
    let options = options.into();
    options.check().map_err(|problem| problem.at(path))?;
    let PictureOptions { effort, quality } = options;
    let (codec, write) = Kind::Picture.writer(path, |codec| codec.picture)?;
    let size = Limits::samples(1 << 36)
        .size(picture.width() as u64, picture.height() as u64)
        .map_err(|_| Problem::Nothing { detail: "the picture has no samples" }.at(path))?;
    codec.check_size(size).map_err(|problem| problem.at(path))?;
    write_atomic(path, false, |w| {
        let picture = Picture { samples: picture, effort, quality };
        guarded(codec.format, || Ok(write(&mut Until::new(w, stop), &picture)))
            .map_err(std::io::Error::other)?
    })
}

/// Reads a picture as 8-bit sRGB: PNG of any colour type, JPEG, WebP, BMP or TGA. The content decides which,
/// and for TGA the extension. Transparency is ignored. A picture has the same pixels on every machine.
///
/// # Errors
/// [`Problem::Read`] if the file cannot be opened, [`Problem::TooLarge`] above `max_samples`,
/// [`Problem::Damaged`] if it is not complete, [`Problem::Missing`] if this build lacks the format,
/// [`Problem::NotRead`] if the format has no pictures that are read.
pub fn read_picture(path: &Path, max_samples: u64) -> Result<Grid<[u8; 3]>, IoError> {
    read_picture_from(&from_disk, path, max_samples)
}

/// Like [`read_picture`], for a file opened by `open`.
///
/// # Errors
/// As [`read_picture`].
pub fn read_picture_from(open: &Open<'_>, path: &Path, max_samples: u64) -> Result<Grid<[u8; 3]>, IoError> {
    let read = || -> Outcome<Grid<[u8; 3]>> {
        let Opened { content, length } = open(path).map_err(Problem::Read)?;
        if length == 0 {
            return Err(Problem::Empty);
        }
        let mut source = BufReader::new(content);
        let (format, _) = detect(&mut source, path, &ReadOptions::default())?;
        let read = format.codec().and_then(|codec| codec.read_picture);
        let read = read.ok_or(Problem::NotRead { format, kind: Kind::Picture })?;
        let (limits, layout) = (Limits::samples(max_samples), Layout::default());
        read(Input { source: &mut source, length, limits, layout })
    };
    read().map_err(|problem| problem.at(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, Format};

    #[test]
    fn pictures_are_read_as_written() {
        let folder = tempfile::tempdir().unwrap();
        for (width, height) in [(1, 1), (1, 7), (5, 1), (33, 17)] {
            let picture = Grid::from_fn(width, height, |x, y| [(x * 7) as u8, (y * 13) as u8, (x * y) as u8]);
            let path = folder.path().join(format!("{width}x{height}.png"));
            assert_eq!(write_picture(&path, &picture, Effort::Fast).unwrap(), Written::Created);
            assert_eq!(write_picture(&path, &picture, Effort::Fast).unwrap(), Written::Unchanged);
            assert_eq!(read_picture(&path, 1000).unwrap(), picture);
        }
    }

    #[test]
    fn more_effort_gives_the_same_pixels_in_fewer_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let wave = |x: usize, y: usize| (x * x / 97 + y * y / 61 + x * y / 43) as u8;
        let picture = Grid::from_fn(500, 400, |x, y| [wave(x, y), wave(y, x), wave(x + y, y)]);
        let size = |name: &str, effort| {
            let path = folder.path().join(name);
            write_picture(&path, &picture, effort).unwrap();
            assert_eq!(read_picture(&path, 1 << 20).unwrap(), picture);
            std::fs::metadata(path).unwrap().len()
        };
        assert!(size("small.png", Effort::Small) < size("fast.png", Effort::Fast));
    }

    #[test]
    fn invalid_pictures_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Grid::filled(2, 2, [0, 0, 0]);
        let at = |name: &str| folder.path().join(name);
        let problem = |result: Result<Written, IoError>| result.unwrap_err().problem;
        let wrong = problem(write_picture(&at("a.tif"), &picture, Effort::Fast));
        assert!(matches!(wrong, Problem::WrongKind { format: Format::TIFF, .. }));
        assert!(matches!(
            problem(write_picture(&at("a"), &picture, Effort::Fast)),
            Problem::UnknownExtension { .. }
        ));
        let empty = problem(write_picture(&at("a.png"), &Grid::from_vec(0, 3, vec![]), Effort::Fast));
        assert!(matches!(empty, Problem::Nothing { .. }));
        write_picture(&at("a.png"), &picture, Effort::Fast).unwrap();
        assert!(matches!(read_picture(&at("a.png"), 3).unwrap_err().problem, Problem::TooLarge { .. }));
        std::fs::write(at("b.gif"), b"GIF89a").unwrap();
        let unread = read_picture(&at("b.gif"), 3).unwrap_err();
        assert!(matches!(unread.problem, Problem::NotRead { kind: Kind::Picture, .. }));
        assert!(unread.remedy().starts_with("convert it to one of PNG"), "{}", unread.remedy());
        std::fs::write(at("b.png"), b"GIF89a").unwrap();
        assert!(matches!(read_picture(&at("b.png"), 3).unwrap_err().problem, Problem::WrongMagic { .. }));
    }
}
