//! How samples in a row see a seam.

use super::line::Line;
use super::nearness::Nearness;
use crate::simd::{Work, run};

/// What samples in a row see of a seam, sample by sample.
#[derive(Default)]
pub struct Look {
    pub near: Vec<Nearness>,
    /// Squares of distances.
    pub square: Vec<f64>,
    /// How far along the line each sample's foot is.
    pub foot: Vec<f64>,
    /// How wide heights on the seam are smoothed for it.
    pub width: Vec<f64>,
}

impl Look {
    /// Looks at a line from some places of a row, with all within a distance in reach.
    pub fn at(&mut self, line: &Line, xs: &[f64], y: f64, distance: f64) {
        self.near.clear();
        self.near.resize(xs.len(), Nearness::default());
        for all in [&mut self.square, &mut self.foot, &mut self.width] {
            all.clear();
            all.resize(xs.len(), 0.0);
        }
        run(Row { look: self, line, xs, y, distance });
    }
}

/// The inner loop.
struct Row<'a> {
    look: &'a mut Look,
    line: &'a Line,
    xs: &'a [f64],
    y: f64,
    distance: f64,
}

impl Work for Row<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { look, line, xs, y, distance } = self;
        let (per_distance, all) = (1.0 / distance, distance * distance);
        let places = look.near.iter_mut().zip(&mut look.square).zip(&mut look.foot).zip(&mut look.width);
        for (&x, (((near, square), foot), width)) in xs.iter().zip(places) {
            let seen = line.see(0, (x, y));
            *near = Nearness::of(line, &seen, per_distance);
            *square = seen.square;
            *foot = seen.along + seen.past;
            // What is smoothed reaches four times as wide: no farther than what of a straight border is in reach.
            let rest = all - seen.square;
            let rest = if rest > 0.0 { rest } else { 0.0 };
            *width = 0.5 * (seen.square * rest / (all + 3.0 * seen.square)).sqrt();
        }
    }
}
