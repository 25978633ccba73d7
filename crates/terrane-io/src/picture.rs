//! Reading and writing pictures: PNG of 8-bit sRGB.

use std::{io::BufReader, path::Path};

use terrane_grid::Grid;

use crate::{
    Effort, IoError, Kind, Open, Opened, Problem, Written, codec::Picture, formats::png, limits::Limits,
    open::from_disk, write_atomic,
};

/// Writes a picture of sRGB samples as an 8-bit PNG, atomically and with bytes that depend only on the
/// samples.
///
/// # Errors
/// [`Problem::UnknownExtension`] and [`Problem::WrongKind`] for an extension other than `.png`,
/// [`Problem::Nothing`] for a picture without samples, [`Problem::Write`] otherwise.
pub fn write_picture(path: &Path, picture: &Grid<[u8; 3]>, effort: Effort) -> Result<Written, IoError> {
    let (codec, write) = Kind::Picture.writer(path, |codec| codec.picture)?;
    let size = Limits::samples(1 << 36)
        .size(picture.width() as u64, picture.height() as u64)
        .map_err(|_| Problem::Nothing { detail: "the picture has no samples" }.at(path))?;
    codec.check_size(size).map_err(|problem| problem.at(path))?;
    write_atomic(path, false, |w| write(w, &Picture { samples: picture, effort }))
}

/// Reads a picture: an 8- or 16-bit PNG of any colour type, as 8-bit sRGB. Transparency is ignored.
///
/// # Errors
/// [`Problem::Read`] if the file cannot be opened, [`Problem::TooLarge`] above `max_samples`,
/// [`Problem::Damaged`] if it is not a complete PNG.
pub fn read_picture(path: &Path, max_samples: u64) -> Result<Grid<[u8; 3]>, IoError> {
    read_picture_from(&from_disk, path, max_samples)
}

/// Like [`read_picture`], for a file opened by `open`.
///
/// # Errors
/// As [`read_picture`].
pub fn read_picture_from(open: &Open<'_>, path: &Path, max_samples: u64) -> Result<Grid<[u8; 3]>, IoError> {
    let Opened { content, length } = open(path).map_err(|e| Problem::Read(e).at(path))?;
    png::picture::read(BufReader::new(content), length, Limits::samples(max_samples))
        .map_err(|problem| problem.at(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

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
        std::fs::write(at("b.png"), b"GIF89a").unwrap();
        assert!(matches!(read_picture(&at("b.png"), 3).unwrap_err().problem, Problem::Damaged { .. }));
    }
}
