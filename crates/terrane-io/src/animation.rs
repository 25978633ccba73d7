//! Writing animations: GIF.

use std::path::Path;

use terrane_grid::Grid;

use crate::{IoError, Kind, Problem, Stop, Written, codec::Frames, stop::Until, write_atomic};

/// Writes pictures of one size as an endlessly repeated GIF, atomically. Each picture is shown for
/// `milliseconds`, rounded to hundredths of a second, and the last for ten times as long.
///
/// # Errors
/// [`Problem::UnknownExtension`] and [`Problem::WrongKind`] for an extension other than `.gif`,
/// [`Problem::Nothing`] without pictures or samples, [`Problem::TooLong`] for more than 65,535 columns or
/// rows, [`Problem::Write`] otherwise.
///
/// # Panics
/// If pictures differ in size.
pub fn write_animation(
    path: &Path,
    pictures: &[Grid<[u8; 3]>],
    milliseconds: u32,
) -> Result<Written, IoError> {
    write_animation_until(path, pictures, milliseconds, &|| false)
}

/// Like [`write_animation`], until `stop` returns true.
///
/// # Errors
/// As [`write_animation`], and [`Problem::Write`] if writing was stopped. The file is then as before.
///
/// # Panics
/// As [`write_animation`].
pub fn write_animation_until(
    path: &Path,
    pictures: &[Grid<[u8; 3]>],
    milliseconds: u32,
    stop: Stop<'_>,
) -> Result<Written, IoError> {
    let (codec, write) = Kind::Animation.writer(path, |codec| codec.animation)?;
    let size = pictures.first().map_or((0, 0), Grid::size);
    assert!(pictures.iter().all(|picture| picture.size() == size), "one size");
    if size.0 == 0 || size.1 == 0 {
        return Err(Problem::Nothing { detail: "there is no picture, or it has no samples" }.at(path));
    }
    codec.check_size(size).map_err(|problem| problem.at(path))?;
    write_atomic(path, false, |w| write(&mut Until::new(w, stop), &Frames { pictures, milliseconds }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoder(path: &Path) -> gif::Decoder<std::fs::File> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        options.read_info(std::fs::File::open(path).unwrap()).unwrap()
    }

    #[test]
    fn frames_and_their_times_are_read_as_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let picture = |shift: usize| Grid::from_fn(9, 5, |x, y| [(x * 20 + shift) as u8, (y * 40) as u8, 7]);
        let mut spotted = picture(0);
        (spotted[(3, 1)], spotted[(5, 2)]) = ([9; 3], [8; 3]);
        let pictures = [picture(0), spotted.clone(), spotted, picture(90)];
        assert_eq!(write_animation(&path, &pictures, 50).unwrap(), Written::Created);
        assert_eq!(write_animation(&path, &pictures, 50).unwrap(), Written::Unchanged);
        let mut decoder = decoder(&path);
        let mut shown = Grid::filled(9, 5, [0; 3]);
        for (picture, (hundredths, area)) in pictures.iter().zip([(5, 45), (5, 6), (5, 1), (50, 45)]) {
            let frame = decoder.read_next_frame().unwrap().unwrap();
            assert_eq!(frame.delay, hundredths);
            let (columns, rows) = (usize::from(frame.width), usize::from(frame.height));
            assert_eq!(columns * rows, area, "only what changed is written");
            for (at, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
                let (x, y) = (usize::from(frame.left) + at % columns, usize::from(frame.top) + at / columns);
                shown[(x, y)] = [pixel[0], pixel[1], pixel[2]];
            }
            // The 45 colours fit into a palette of 256.
            assert_eq!(&shown, picture);
        }
        assert!(decoder.read_next_frame().unwrap().is_none());
    }

    #[test]
    fn a_frame_with_few_colours_is_exact_after_one_with_many() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let many = Grid::from_fn(64, 64, |x, y| [(x * 4) as u8, (y * 4) as u8, (x * y) as u8]);
        let few = Grid::from_fn(64, 64, |x, y| if x < 3 { many[(x, y)] } else { [9; 3] });
        write_animation(&path, &[many, few.clone()], 50).unwrap();
        let mut decoder = decoder(&path);
        decoder.read_next_frame().unwrap().unwrap();
        let frame = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((frame.width, frame.height), (64, 64));
        let shown: Vec<[u8; 3]> =
            frame.buffer.as_chunks::<4>().0.iter().map(|p| [p[0], p[1], p[2]]).collect();
        assert_eq!(shown, few.as_slice());
    }

    #[test]
    fn frames_with_many_colours_share_a_palette() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let many = |x: usize, y: usize| [(x % 64 * 4) as u8, (y * 4) as u8, (x % 64 * y / 16) as u8];
        let first = Grid::from_fn(128, 64, |x, y| if x < 64 { many(x, y) } else { [200, y as u8, 90] });
        // The second frame has the left half's colours in its right half as well.
        let second = Grid::from_fn(128, 64, many);
        write_animation(&path, &[first, second], 50).unwrap();
        let mut decoder = decoder(&path);
        let left = decoder.read_next_frame().unwrap().unwrap().buffer.to_vec();
        let right = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((right.left, right.width, right.height), (64, 64, 64));
        for (left, right) in left.chunks(4 * 128).zip(right.buffer.chunks(4 * 64)) {
            assert_eq!(&left[..4 * 64], right);
        }
    }

    #[test]
    fn invalid_animations_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let problem = |name: &str, pictures: &[Grid<[u8; 3]>]| {
            write_animation(&folder.path().join(name), pictures, 50).unwrap_err().problem
        };
        let one = [Grid::filled(2, 2, [0; 3])];
        assert!(matches!(problem("a.png", &one), Problem::WrongKind { .. }));
        assert!(matches!(problem("a", &one), Problem::UnknownExtension { .. }));
        assert!(matches!(problem("a.gif", &[]), Problem::Nothing { .. }));
        assert!(matches!(problem("a.gif", &[Grid::filled(65_536, 1, [0; 3])]), Problem::TooLong { .. }));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
