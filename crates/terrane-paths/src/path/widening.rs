//! Dilation of masks.

/// A mask dilated by squares that extend `by` samples around each of its samples.
#[must_use]
pub fn widened(mask: Vec<bool>, (width, height): (usize, usize), by: usize) -> Vec<bool> {
    let along = |mask: &[bool], count: usize, place: &dyn Fn(usize) -> usize, out: &mut [bool]| {
        let mut last: Option<usize> = None;
        let mut next = 0;
        for at in 0..count {
            while next < count && next <= at + by {
                if mask[place(next)] {
                    last = Some(next);
                }
                next += 1;
            }
            out[place(at)] = last.is_some_and(|last| last + by >= at);
        }
    };
    let (mut rows, mut all) = (mask.clone(), mask.clone());
    for y in 0..height {
        along(&mask, width, &|x| y * width + x, &mut rows);
    }
    for x in 0..width {
        along(&rows, height, &|y| y * width + x, &mut all);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_widened_by_squares() {
        let mask = (0..63).map(|at| at == 9 * 3 + 4).collect();
        let wide = widened(mask, (9, 7), 2);
        for (at, &wide) in wide.iter().enumerate() {
            let (x, y) = (at % 9, at / 9);
            assert_eq!(wide, x.abs_diff(4) <= 2 && y.abs_diff(3) <= 2);
        }
    }
}
