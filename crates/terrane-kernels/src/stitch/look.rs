//! How samples in a row see a seam.

use super::line::Line;
use super::nearness::nearness;
use super::shadow::{goes_through, of_long_line, shadow};
use crate::simd::{Work, run};

/// Below this part of the reach a sample lies on a line.
const ON: f64 = 1e-9;

/// Samples whose shadows are found together.
const AT_ONCE: usize = 16;

/// What samples in a row see of a seam, sample by sample.
#[derive(Default)]
pub struct Look {
    pub near: Vec<f64>,
    /// Squares of distances.
    pub square: Vec<f64>,
    /// How far along the line each sample's foot is.
    pub foot: Vec<f64>,
    /// How wide heights on the seam are smoothed for it.
    pub width: Vec<f64>,
    /// What part of what is around the sample lies behind the seam: more than 0 where that is the line's
    /// right side.
    pub right: Vec<f64>,
}

/// A line as samples of a field look at it.
pub struct Target<'a> {
    pub line: &'a Line,
    /// The side on which samples stand that lie on the line.
    pub side: usize,
    /// What is farther is out of reach.
    pub distance: f64,
    /// Whether widths and shadows matter.
    pub wide: bool,
}

impl Look {
    /// Looks at a line from some places.
    pub fn at(&mut self, target: &Target<'_>, xs: &[f64], ys: &[f64]) {
        for all in [&mut self.near, &mut self.square, &mut self.foot, &mut self.width, &mut self.right] {
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
        let Self { look, target: &Target { line, side, distance, wide }, xs, ys } = self;
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
        for ((&x, &y), (((near, square), foot), width)) in places.zip(found.zip(&mut look.width)) {
            let seen = line.see(0, (x, y));
            *near = nearness(line, &seen, per_distance);
            *square = seen.square;
            *foot = seen.along + seen.past;
            let rest = all - seen.square;
            let rest = if rest > 0.0 { rest } else { 0.0 };
            // What is smoothed reaches three times as wide: no farther than what of a straight border is in
            // reach.
            *width = 1.75 * (seen.square * rest / (all + 26.6 * seen.square)).sqrt();
        }
        let on = if side == 0 { 1.0 } else { -1.0 };
        let places = xs.chunks(AT_ONCE).zip(ys.chunks(AT_ONCE));
        for ((xs, ys), right) in places.zip(look.right.chunks_mut(AT_ONCE)) {
            let seen = || xs.iter().zip(ys).map(|(&x, &y)| line.see(0, (x, y)));
            let through = seen().fold(true, |all, seen| all & goes_through(line, &seen, per_distance));
            for (seen, right) in seen().zip(right) {
                let sign = if seen.before > 0.0 { 1.0 } else { -1.0 };
                let sign = if seen.before.abs() <= ON * distance { on } else { sign };
                // What most lines are is told sooner, to the same bits.
                let behind = match through {
                    true => of_long_line(&seen, per_distance),
                    false => shadow(line, &seen, per_distance),
                };
                *right = sign * behind;
            }
        }
    }
}
