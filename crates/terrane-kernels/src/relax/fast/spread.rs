//! Moved earth spread over the ground beside the paths.
//!
//! The least that can be moved is put down at as few samples as can be, just where bounds end: walls and ditches. Spread as heat spreads, over
//! ground that nothing binds, it costs a little more and looks like ground.

use rayon::prelude::*;

use super::mend::{Mended, Mender};
use crate::relax::field::Field;

/// What a sample and its neighbour even out of their difference in a step: less than a quarter, so that it falls.
const PART: f64 = 0.2;

/// The farthest that it is spread, in samples.
const FARTHEST: f64 = 64.0;

/// How often spreading and mending take turns; each time it is spread half as far.
const ROUNDS: u32 = 3;

/// For each bound, samples that mending may look at: where it gives up, walls stay.
const PATIENCE: usize = 2000;

/// Spreads what was moved since `before` by about `distance` samples, over samples that nothing binds, and mends bounds that are missed then. Nothing is
/// made, or lost but to given heights, which take what reaches them. Where bounds cannot be mended it is spread less far, or not at all: then the ground is
/// as it was, and false comes back.
pub fn spread(field: &mut Field, before: &Field, mender: &Mender<'_>, distance: f64) -> bool {
    let (free, given) = mender.free_and_given();
    let (mut distance, mut any) = (distance.min(FARTHEST), false);
    for _ in 0..ROUNDS {
        // After n steps the mean square of how far heat came is 4 · PART · n.
        let steps = libm::ceil(distance * distance / (4.0 * PART)) as usize;
        let mut tried = field.clone();
        even_out(&mut tried, before, (&free, &given), steps);
        let (missed, _) = mender.missed(&tried);
        if mender.mend(&mut tried, missed, PATIENCE) == Mended::All {
            *field = tried;
            any = true;
        }
        distance /= 2.0;
    }
    any
}

/// Steps of heat in what was moved.
fn even_out(field: &mut Field, before: &Field, (free, given): (&[bool], &[bool]), steps: usize) {
    let (width, height) = field.domain.size;
    let mut moved: Vec<f64> =
        field.heights.iter().zip(&before.heights).map(|(now, then)| now - then).collect();
    let mut next = moved.clone();
    for _ in 0..steps {
        next.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            for (x, next) in row.iter_mut().enumerate() {
                let at = y * width + x;
                let from = |beside: usize, is: bool| match is {
                    true if free[beside] => moved[beside] - moved[at],
                    true if given[beside] => -moved[at],
                    _ => 0.0,
                };
                let along = from(at.wrapping_sub(1), x > 0) + from(at + 1, x + 1 < width);
                let across = from(at.wrapping_sub(width), y > 0) + from(at + width, y + 1 < height);
                *next = if free[at] { moved[at] + PART * (along + across) } else { moved[at] };
            }
        });
        std::mem::swap(&mut moved, &mut next);
    }
    let samples = field.heights.iter_mut().zip(free);
    for (at, (height, _)) in samples.enumerate().filter(|(_, (_, free))| **free) {
        *height = before.heights[at] + moved[at];
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::{Domain, Heightmap};

    use super::*;

    #[test]
    fn a_wall_spreads_on_its_own_side_and_nothing_is_lost() {
        let before = Field::new(&Heightmap::constant(Domain::new(9, 5), 1.0));
        let mut field = before.clone();
        // A wall at column 3 beside bound ground from column 4 to 6.
        (0..5).for_each(|y| field.heights[y * 9 + 3] += 8.0);
        let free: Vec<bool> = (0..45).map(|at| !(4..7).contains(&(at % 9))).collect();
        even_out(&mut field, &before, (&free, &[false; 45]), 400);
        for (at, height) in field.heights.iter().enumerate() {
            let wanted = if at % 9 < 4 { 3.0 } else { 1.0 };
            assert!((height - wanted).abs() < 1e-6, "{at}: {height}");
        }
        let sum: f64 = field.heights.iter().sum();
        assert!((sum - 45.0 - 40.0).abs() < 1e-9);
        // A given column at the end takes all of it.
        let given: Vec<bool> = (0..45).map(|at| at % 9 == 0).collect();
        let free: Vec<bool> = free.iter().zip(&given).map(|(free, given)| *free && !given).collect();
        even_out(&mut field, &before, (&free, &given), 400);
        assert!((0..45).all(|at| at % 9 == 0 || (field.heights[at] - 1.0).abs() < 1e-3));
    }
}
