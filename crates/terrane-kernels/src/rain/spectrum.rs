//! A real map as a sum of waves.

use crate::parallel::{elements, slices, try_for_each};

use super::fft::{Lines, times};
use super::transform::Transform;
use crate::{Cancelled, Progress};
use terrane_compute::filled;

/// Maximum number of row pairs, and of columns, that are transformed together.
const AT_ONCE: (usize, usize) = (8, 16);

/// Maximum number of values transformed together, unless one line is longer.
const NUMBERS: usize = 1 << 17;

/// The waves of a real map. Opposite waves are conjugates of each other, and one of each pair is stored.
pub struct Spectrum {
    width: usize,
    height: usize,
    re: Vec<f64>,
    im: Vec<f64>,
}

/// Slices of a row of real parts and of a row of imaginary parts.
type Part<'a> = (&'a mut [f64], &'a mut [f64]);

/// Number of row pairs transformed together.
fn pairs((width, height): (usize, usize)) -> usize {
    (NUMBERS / width).clamp(1, AT_ONCE.0.min(height.div_ceil(2)))
}

/// Number of columns of waves transformed together.
fn columns((width, height): (usize, usize)) -> usize {
    (NUMBERS / height).clamp(1, AT_ONCE.1.min(width / 2 + 1))
}

impl Spectrum {
    /// Transforms a map along its rows; `row(index, out)` writes the heights of one row. Two real rows form
    /// the real and imaginary parts of one line: O(samples · log width).
    pub fn of_rows(
        (width, height): (usize, usize),
        row: impl Fn(usize, &mut [f64]) + Sync,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let (half, pairs) = (width / 2 + 1, pairs((width, height)));
        let transform = Transform::new(width);
        let mut this = Self {
            width,
            height,
            re: filled(half * height, 0.0, progress)?,
            im: filled(half * height, 0.0, progress)?,
        };
        let parts = (slices(&mut this.re, 2 * pairs * half), slices(&mut this.im, 2 * pairs * half));
        try_for_each(parts, 1, |part, (re, im)| {
            progress.report(0.1)?;
            let mut lines = Lines::zeros(width * pairs);
            let mut real = vec![0.0; width];
            for index in 0..re.len() / half {
                row(part * 2 * pairs + index, &mut real);
                let to = if index % 2 == 0 { &mut lines.re } else { &mut lines.im };
                real.iter().enumerate().for_each(|(column, &real)| to[column * pairs + index / 2] = real);
            }
            transform.forward(&mut lines, &mut Lines::zeros(width * pairs), pairs);
            for (index, (re, im)) in re.chunks_mut(half).zip(im.chunks_mut(half)).enumerate() {
                for (wave, (re, im)) in re.iter_mut().zip(im).enumerate() {
                    let [at, mirrored] = [wave, (width - wave) % width].map(|wave| wave * pairs + index / 2);
                    let (a, b) = ([lines.re[at], lines.im[at]], [lines.re[mirrored], lines.im[mirrored]]);
                    (*re, *im) = if index % 2 == 0 {
                        (0.5 * (a[0] + b[0]), 0.5 * (a[1] - b[1]))
                    } else {
                        (0.5 * (a[1] + b[1]), 0.5 * (b[0] - a[0]))
                    };
                }
            }
            Ok(())
        })?;
        Ok(this)
    }

    /// Multiplies each wave by `factor` of its wave numbers along columns and rows, from −½ to ½ of their
    /// count: O(samples · log height). The factor of the opposite wave must be the conjugate. A wave with a
    /// length of two samples equals its opposite; it is set to 0, so that the map stays real.
    pub fn multiply(
        &mut self,
        factor: impl Fn((f64, f64)) -> [f64; 2] + Sync,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let (width, height, half) = (self.width, self.height, self.width / 2 + 1);
        let at_once = columns((width, height));
        let transform = Transform::new(height);
        let scale = 1.0 / (width as f64 * height as f64);
        let mut groups: Vec<Vec<Part<'_>>> = Vec::new();
        groups.resize_with(half.div_ceil(at_once), || Vec::with_capacity(height));
        for (re, im) in self.re.chunks_mut(half).zip(self.im.chunks_mut(half)) {
            let parts = re.chunks_mut(at_once).zip(im.chunks_mut(at_once));
            groups.iter_mut().zip(parts).for_each(|(group, part)| group.push(part));
        }
        try_for_each(elements(&mut groups), 1, |group, parts| {
            progress.report(0.4)?;
            let count = parts[0].0.len();
            let (mut lines, mut spare) = (Lines::zeros(height * count), Lines::zeros(height * count));
            for (row, (re, im)) in parts.iter().enumerate() {
                lines.re[row * count..][..count].copy_from_slice(re);
                lines.im[row * count..][..count].copy_from_slice(im);
            }
            transform.forward(&mut lines, &mut spare, count);
            progress.report(0.5)?;
            for row in 0..height {
                for column in 0..count {
                    let (along, at) = (group * at_once + column, row * count + column);
                    let by = if 2 * along == width || 2 * row == height {
                        [0.0; 2]
                    } else {
                        let down = if 2 * row > height { row as f64 - height as f64 } else { row as f64 };
                        factor((along as f64, down))
                    };
                    let [re, im] = times([lines.re[at], lines.im[at]], by);
                    (lines.re[at], lines.im[at]) = (re * scale, im * scale);
                }
            }
            transform.backward(&mut lines, &mut spare, count);
            for (row, (re, im)) in parts.iter_mut().enumerate() {
                re.copy_from_slice(&lines.re[row * count..][..count]);
                im.copy_from_slice(&lines.im[row * count..][..count]);
            }
            Ok(())
        })
    }

    /// Transforms rows back after [`multiply`](Self::multiply), and writes the first rows and columns that
    /// fit `out`, each value mapped by `number`.
    pub fn rows(
        self,
        columns: usize,
        out: &mut [f32],
        number: impl Fn(f64) -> f32 + Sync,
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let (width, half, pairs) = (self.width, self.width / 2 + 1, pairs((self.width, self.height)));
        let transform = Transform::new(width);
        try_for_each(slices(out, 2 * pairs * columns), 1, |part, out| {
            progress.report(0.9)?;
            let mut lines = Lines::zeros(width * pairs);
            for index in 0..out.len() / columns {
                let start = (part * 2 * pairs + index) * half;
                for wave in 0..half {
                    let (re, im) = (self.re[start + wave], self.im[start + wave]);
                    let mut add = |wave: usize, re: f64, im: f64| {
                        let at = wave * pairs + index / 2;
                        // The second row of a pair is multiplied by i.
                        let (re, im) = if index % 2 == 0 { (re, im) } else { (-im, re) };
                        lines.re[at] += re;
                        lines.im[at] += im;
                    };
                    add(wave, re, im);
                    let mirrored = (width - wave) % width;
                    if mirrored != wave {
                        add(mirrored, re, -im);
                    }
                }
            }
            transform.backward(&mut lines, &mut Lines::zeros(width * pairs), pairs);
            for (index, out) in out.chunks_mut(columns).enumerate() {
                let from = if index % 2 == 0 { &lines.re } else { &lines.im };
                out.iter_mut()
                    .enumerate()
                    .for_each(|(column, out)| *out = number(from[column * pairs + index / 2]));
            }
            Ok(())
        })
    }

    /// The memory of a map's waves and of their transforms on a number of threads, in bytes.
    pub fn bytes(size: (usize, usize), threads: usize) -> u64 {
        let ((width, height), half) = (size, size.0 / 2 + 1);
        let parts = half.div_ceil(columns(size)) * height * size_of::<Part<'_>>();
        let lines = Transform::bytes(width, pairs(size)).max(Transform::bytes(height, columns(size)));
        16 * (half * height) as u64 + parts as u64 + threads as u64 * lines
    }
}
