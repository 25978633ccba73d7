//! A sheet of small labelled pictures.

use std::path::Path;

use font8x8::UnicodeFonts;
use terrane_grid::Grid;
use terrane_io::{Effort, write_picture};

use super::table::RunRow;
use crate::Failure;
use crate::thumbnail::{Rgb, paste};

/// The longest side of a picture on the sheet.
pub const SIDE: usize = 160;
/// The maximum number of pictures. A larger sheet would be unreadable.
pub const MAX_PICTURES: usize = 2000;
const GAP: usize = 8;
/// The height of a line of text: eight samples and a gap.
const LINE: usize = 10;

/// Writes the sheet: pictures in rows, in the order of the table. The position of a failed run stays empty.
pub fn write(path: &Path, pictures: &[(&RunRow, Option<&Rgb>)]) -> Result<(), Failure> {
    let labels: Vec<Vec<String>> = pictures.iter().map(|(row, _)| label(row)).collect();
    let text = LINE * labels.iter().map(Vec::len).max().unwrap_or(0);
    let columns = (1..).find(|columns| columns * columns >= pictures.len()).unwrap_or(1);
    let (width, height) = (SIDE + GAP, tallest(pictures) + text + GAP);
    let rows = pictures.len().div_ceil(columns);
    let mut sheet = Grid::filled(columns * width + GAP, rows * height + GAP, [255; 3]);
    for (index, ((_, picture), lines)) in pictures.iter().zip(&labels).enumerate() {
        let (left, top) = (GAP + index % columns * width, GAP + index / columns * height);
        for (number, line) in lines.iter().enumerate() {
            write_text(&mut sheet, line, (left, top + number * LINE));
        }
        if let Some(picture) = picture {
            paste(&mut sheet, picture, (left, top + text));
        }
    }
    write_picture(path, &sheet, Effort::Fast).map(|_| ()).map_err(|error| {
        Failure::evaluation(format!("{}: {}", path.display(), error.problem), error.remedy())
    })
}

fn tallest(pictures: &[(&RunRow, Option<&Rgb>)]) -> usize {
    pictures.iter().filter_map(|(_, picture)| Some((*picture)?.height())).max().unwrap_or(SIDE)
}

/// The label of a picture, one line per parameter, no wider than the picture.
fn label(row: &RunRow) -> Vec<String> {
    const MAX_LETTERS: usize = SIDE / 8;
    let seed = format!("seed {}", row.seed);
    let set = row.set.iter().map(|(name, value)| format!("{name} {value}"));
    set.chain([seed]).map(|line| line.chars().take(MAX_LETTERS).collect()).collect()
}

/// Draws black letters of 8 by 8 samples. Letters missing from the font become question marks.
fn write_text(onto: &mut Rgb, text: &str, (left, top): (usize, usize)) {
    for (index, c) in text.chars().enumerate() {
        let glyph = font8x8::BASIC_FONTS.get(c).or_else(|| font8x8::BASIC_FONTS.get('?')).unwrap_or_default();
        for (row, bits) in glyph.into_iter().enumerate() {
            for column in (0..8).filter(|column| bits >> column & 1 == 1) {
                let (x, y) = (left + 8 * index + column, top + row);
                if x < onto.width() && y < onto.height() {
                    onto.row_mut(y)[x] = [0; 3];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_drawn_and_stay_inside() {
        let mut sheet = Grid::filled(12, 8, [255; 3]);
        write_text(&mut sheet, "Lé", (0, 0));
        let dark = |x: usize| (0..8).filter(|y| sheet.row(*y)[x] == [0; 3]).count();
        assert!(dark(1) > 5, "the stem of L is on the left");
        assert!(dark(5) < 4);
    }

    #[test]
    fn pictures_are_in_rows_below_their_labels() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sheet.png");
        let row = RunRow {
            seed: 7,
            set: vec![("k".to_owned(), "0.5".to_owned())],
            metrics: Vec::new(),
            error: String::new(),
            key: String::new(),
        };
        let red = Grid::filled(SIDE, 10, [255, 0, 0]);
        assert!(write(&path, &[(&row, Some(&red)), (&row, None), (&row, Some(&red))]).is_ok());
        let sheet = terrane_io::read_picture(&path, 1 << 22).unwrap();
        assert_eq!(sheet.size(), (2 * 168 + 8, 2 * (10 + 20 + 8) + 8));
        assert_eq!(sheet.row(8 + 20)[8], [255, 0, 0]);
        assert_eq!(sheet.row(8 + 20)[8 + 168], [255; 3]);
        assert_eq!(sheet.row(8 + 20 + 38)[8], [255, 0, 0]);
    }
}
