//! Views of a seam from the samples in a row.

use super::line::Line;
use super::nearness::nearness;
use super::shadow::{goes_through, of_long_line, shadow};
use crate::dispatch;

/// A sample nearer than this fraction of the reach lies on a line.
const ON: f64 = 1e-9;

/// Number of samples whose shadows are computed together.
const AT_ONCE: usize = 16;

/// A seam as viewed from the samples in a row, one entry per sample.
#[derive(Default)]
pub struct SeamView {
    pub near: Vec<f64>,
    /// Squares of distances.
    pub square: Vec<f64>,
    /// Distance along the line of the point nearest to each sample.
    pub foot: Vec<f64>,
    /// Smoothing width of the heights on the seam.
    pub width: Vec<f64>,
    /// The part of the disc around the sample that is behind the seam; positive if that is the line's right
    /// side.
    pub right: Vec<f64>,
}

/// A line to view, and from where.
pub struct Target<'a> {
    pub line: &'a Line,
    /// The side to which samples exactly on the line belong.
    pub side: usize,
    /// The reach.
    pub distance: f64,
    /// Whether widths and shadows are needed.
    pub wide: bool,
}

impl SeamView {
    /// Views a line from these positions.
    pub fn at(&mut self, target: &Target<'_>, xs: &[f64], ys: &[f64]) {
        for all in [&mut self.near, &mut self.square, &mut self.foot, &mut self.width, &mut self.right] {
            all.resize(xs.len(), 0.0);
        }
        let work = RowViews { view: self, target, xs, ys };
        dispatch!(_ => work.run());
    }
}

/// The inner loop.
struct RowViews<'a> {
    view: &'a mut SeamView,
    target: &'a Target<'a>,
    xs: &'a [f64],
    ys: &'a [f64],
}

impl RowViews<'_> {
    #[inline(always)]
    fn run(self) {
        let Self { view, target: &Target { line, side, distance, wide }, xs, ys } = self;
        let (per_distance, all) = (1.0 / distance, distance * distance);
        let positions = xs.iter().zip(ys);
        let found = view.near.iter_mut().zip(&mut view.square).zip(&mut view.foot);
        if !wide {
            for ((&x, &y), ((near, square), foot)) in positions.zip(found) {
                let seen = line.see(0, (x, y));
                *near = nearness(line, &seen, per_distance);
                *square = seen.square;
                *foot = seen.along + seen.past;
            }
            return;
        }
        for ((&x, &y), (((near, square), foot), width)) in positions.zip(found.zip(&mut view.width)) {
            let seen = line.see(0, (x, y));
            *near = nearness(line, &seen, per_distance);
            *square = seen.square;
            *foot = seen.along + seen.past;
            let rest = all - seen.square;
            let rest = if rest > 0.0 { rest } else { 0.0 };
            // Smoothing reaches three times its width: no farther than the part of a straight border that
            // is in reach.
            *width = 1.75 * (seen.square * rest / (all + 26.6 * seen.square)).sqrt();
        }
        let on = if side == 0 { 1.0 } else { -1.0 };
        let positions = xs.chunks(AT_ONCE).zip(ys.chunks(AT_ONCE));
        for ((xs, ys), right) in positions.zip(view.right.chunks_mut(AT_ONCE)) {
            let seen = || xs.iter().zip(ys).map(|(&x, &y)| line.see(0, (x, y)));
            let through = seen().fold(true, |all, seen| all & goes_through(line, &seen, per_distance));
            for (seen, right) in seen().zip(right) {
                let sign = if seen.before > 0.0 { 1.0 } else { -1.0 };
                let sign = if seen.before.abs() <= ON * distance { on } else { sign };
                // A shortcut for the most common case, with the same bits.
                let behind = match through {
                    true => of_long_line(&seen, per_distance),
                    false => shadow(line, &seen, per_distance),
                };
                *right = sign * behind;
            }
        }
    }
}
