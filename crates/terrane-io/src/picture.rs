//! Pictures: PNG of 8-bit sRGB.

use std::{fs::File, io::BufReader, path::Path};

use image::{ImageDecoder, ImageError, codecs::png::PngDecoder};
use terrane_grid::Grid;

use crate::{Effort, Format, IoError, Kind, Problem, Written, limits::Limits, png_write::Png, write_atomic};

/// Deflate's level for files made quickly.
const LEVEL: u32 = 2;

/// Writes a picture of sRGB samples as an 8-bit PNG, atomically and with bytes that depend on the samples
/// alone.
///
/// # Errors
/// [`Problem::UnknownExtension`] and [`Problem::WrongKind`] for another extension than `.png`,
/// [`Problem::Nothing`] for a picture without samples, [`Problem::Write`] otherwise.
pub fn write_picture(path: &Path, picture: &Grid<[u8; 3]>, effort: Effort) -> Result<Written, IoError> {
    Kind::Picture.format_of(path)?;
    let size = Limits::samples(1 << 36)
        .size(picture.width() as u64, picture.height() as u64)
        .map_err(|_| Problem::Nothing { detail: "the picture has no samples" }.at(path))?;
    if size.0.max(size.1) > i32::MAX as usize {
        let (width, height) = (size.0 as u64, size.1 as u64);
        return Err(Problem::TooLarge { width, height, limit: i32::MAX as u64 }.at(path));
    }
    write_atomic(path, false, |w| {
        let row = |y: usize, out: &mut Vec<u8>| out.extend_from_slice(picture.row(y).as_flattened());
        let (colour, depth) = (png::ColorType::Rgb, png::BitDepth::Eight);
        Png { size, colour, depth, effort, level: LEVEL, row: &row }.write(w)
    })
}

/// Reads a picture: an 8- or 16-bit PNG of any colour type, as 8-bit sRGB. Transparency is ignored.
///
/// # Errors
/// [`Problem::Read`] when the file cannot be opened, [`Problem::TooLarge`] above `max_samples`,
/// [`Problem::Damaged`] when it is no whole PNG.
pub fn read_picture(path: &Path, max_samples: u64) -> Result<Grid<[u8; 3]>, IoError> {
    let file = File::open(path).map_err(|e| Problem::Read(e).at(path))?;
    let decoder = PngDecoder::new(BufReader::new(file)).map_err(|e| damaged(e).at(path))?;
    let (width, height) = decoder.dimensions();
    let (width, height) =
        Limits::samples(max_samples).size(width.into(), height.into()).map_err(|problem| problem.at(path))?;
    let image = image::DynamicImage::from_decoder(decoder).map_err(|e| damaged(e).at(path))?;
    let bytes = image.into_rgb8().into_raw();
    Ok(Grid::from_vec(width, height, bytes.as_chunks::<3>().0.to_vec()))
}

fn damaged(error: ImageError) -> Problem {
    Problem::Damaged { format: Format::Png, detail: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_come_back() {
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
    fn what_is_no_picture_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Grid::filled(2, 2, [0, 0, 0]);
        let at = |name: &str| folder.path().join(name);
        let problem = |result: Result<Written, IoError>| result.unwrap_err().problem;
        let wrong = problem(write_picture(&at("a.tif"), &picture, Effort::Fast));
        assert!(matches!(wrong, Problem::WrongKind { format: Format::Tiff, .. }));
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
