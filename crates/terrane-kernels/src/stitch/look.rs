//! How samples in a row see a seam.

use super::line::Line;
use super::nearness::{near_and_close, nearness};
use crate::simd::{Work, run};

/// What samples in a row see of a seam, sample by sample.
#[derive(Default)]
pub struct Look {
    pub near: Vec<f64>,
    /// The same by a higher power of the distance, where widths matter.
    pub close: Vec<f64>,
    /// Squares of distances.
    pub square: Vec<f64>,
    /// How far along the line each sample's foot is.
    pub foot: Vec<f64>,
    /// How wide heights on the seam are smoothed for it.
    pub width: Vec<f64>,
}

/// A line as samples of a field look at it.
pub struct Target<'a> {
    pub line: &'a Line,
    /// What is farther is out of reach.
    pub distance: f64,
    /// Whether widths matter.
    pub wide: bool,
}

impl Look {
    /// Looks at a line from some places.
    pub fn at(&mut self, target: &Target<'_>, xs: &[f64], ys: &[f64]) {
        for all in [&mut self.near, &mut self.close, &mut self.square, &mut self.foot, &mut self.width] {
            all.resize(xs.len(), 0.0);
        }
        run(Row { look: self, target, xs, ys });
    }
}

/// The inner loop.
struct Row<'a> {
    look: &'a mut Look,
    target: &'a Target<'a>,
    xs: &'a [f64],
    ys: &'a [f64],
}

impl Work for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { look, target: &Target { line, distance, wide }, xs, ys } = self;
        let (per_distance, all) = (1.0 / distance, distance * distance);
        let places = xs.iter().zip(ys);
        let found = look.near.iter_mut().zip(&mut look.square).zip(&mut look.foot);
        if !wide {
            for ((&x, &y), ((near, square), foot)) in places.zip(found) {
                let seen = line.see(0, (x, y));
                *near = nearness(line, &seen, per_distance);
                *square = seen.square;
                *foot = seen.along + seen.past;
            }
            return;
        }
        let found = found.zip(&mut look.width).zip(&mut look.close);
        for ((&x, &y), ((((near, square), foot), width), close)) in places.zip(found) {
            let seen = line.see(0, (x, y));
            (*near, *close) = near_and_close(line, &seen, per_distance);
            *square = seen.square;
            *foot = seen.along + seen.past;
            let rest = all - seen.square;
            let rest = if rest > 0.0 { rest } else { 0.0 };
            // What is smoothed reaches three times as wide: no farther than what of a straight border is in reach.
            *width = 1.75 * (seen.square * rest / (all + 26.6 * seen.square)).sqrt();
        }
    }
}
