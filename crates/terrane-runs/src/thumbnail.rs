//! Shrinking pictures and placing them side by side.

use terrane_grid::Grid;

/// An 8-bit sRGB picture.
pub type Rgb = Grid<[u8; 3]>;

/// Shrinks a picture until no side is longer than `side`. Each sample of the result is the mean of a block.
pub fn shrink(picture: &Rgb, side: usize) -> Rgb {
    let (width, height) = picture.size();
    let longest = width.max(height);
    if longest <= side {
        return picture.clone();
    }
    let (columns, rows) = ((width * side / longest).max(1), (height * side / longest).max(1));
    Grid::from_fn(columns, rows, |column, row| {
        let across = column * width / columns..(column + 1) * width / columns;
        let down = row * height / rows..(row + 1) * height / rows;
        let count = (across.len() * down.len()) as u64;
        let mut sum = [0_u64; 3];
        for y in down {
            for sample in &picture.row(y)[across.clone()] {
                (0..3).for_each(|channel| sum[channel] += u64::from(sample[channel]));
            }
        }
        sum.map(|total| ((total + count / 2) / count) as u8)
    })
}

/// Copies a picture onto another at a position. Parts outside are omitted.
pub fn paste(onto: &mut Rgb, picture: &Rgb, (left, top): (usize, usize)) {
    let columns = picture.width().min(onto.width().saturating_sub(left));
    for row in 0..picture.height().min(onto.height().saturating_sub(top)) {
        onto.row_mut(top + row)[left..left + columns].copy_from_slice(&picture.row(row)[..columns]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_picture_has_the_means_of_the_large_one() {
        let large = Grid::from_fn(4, 2, |x, y| [(10 * x) as u8, (100 * y) as u8, 7]);
        let small = shrink(&large, 2);
        assert_eq!((small.size(), small.as_slice()), ((2, 1), &[[5, 50, 7], [25, 50, 7]][..]));
        assert_eq!(shrink(&large, 4), large);
        assert_eq!(shrink(&Grid::filled(1000, 1, [9; 3]), 10), Grid::filled(10, 1, [9; 3]));
    }

    #[test]
    fn pasting_stays_inside() {
        let mut onto = Grid::filled(3, 2, [0; 3]);
        paste(&mut onto, &Grid::filled(2, 5, [1; 3]), (2, 1));
        assert_eq!(onto.as_slice(), &[[0; 3], [0; 3], [0; 3], [0; 3], [0; 3], [1; 3]]);
    }
}
