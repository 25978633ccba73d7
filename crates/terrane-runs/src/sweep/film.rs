//! An animation with one picture for each run.

use std::path::Path;

use terrane_grid::Grid;
use terrane_io::write_animation;

use crate::Failure;
use crate::thumbnail::{Rgb, paste};

/// The longest side of a picture.
pub const SIDE: usize = 640;
/// The maximum number of pictures. All pictures are in memory at once.
pub const MAX_PICTURES: usize = 500;

/// How long each picture is shown, in milliseconds.
const MILLISECONDS: u32 = 100;

/// Whether a sheet's file is an animation.
pub fn is_film(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"))
}

/// Writes the pictures of runs in the order of the table. Failed runs have no picture. Smaller pictures are
/// filled up with black.
pub fn write(path: &Path, pictures: &[Option<&Rgb>]) -> Result<(), Failure> {
    let pictures: Vec<&Rgb> = pictures.iter().copied().flatten().collect();
    let width = pictures.iter().map(|picture| picture.width()).max().unwrap_or(0);
    let height = pictures.iter().map(|picture| picture.height()).max().unwrap_or(0);
    let frame = |picture: &&Rgb| {
        let mut frame = Grid::filled(width, height, [0; 3]);
        paste(&mut frame, picture, (0, 0));
        frame
    };
    let frames: Vec<Rgb> = pictures.iter().map(frame).collect();
    write_animation(path, &frames, MILLISECONDS).map(|_| ()).map_err(|error| {
        Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_any_size_become_frames_of_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("film.GIF");
        assert!(is_film(&path) && !is_film(Path::new("sheet.png")) && !is_film(Path::new("gif")));
        let (small, large) = (Grid::filled(2, 3, [9; 3]), Grid::filled(5, 1, [1; 3]));
        let path = folder.path().join("film.gif");
        assert!(write(&path, &[Some(&small), None, Some(&large)]).is_ok());
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!((&bytes[..6], bytes[6], bytes[8]), (&b"GIF89a"[..], 5, 3));
        assert!(write(&folder.path().join("none.gif"), &[None]).is_err());
    }
}
