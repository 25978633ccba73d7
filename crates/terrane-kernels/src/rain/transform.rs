//! Fourier transforms of lines of any length.

use super::fft::{Lines, Smooth, root_of_unity, times};

/// The transform of lines of one length.
pub enum Transform {
    /// For a length of 2ᵃ·3ᵇ.
    Smooth(Smooth),
    /// For any other length.
    Any(Bluestein),
}

impl Transform {
    pub fn new(length: usize) -> Self {
        Smooth::new(length).map_or_else(|| Self::Any(Bluestein::new(length)), Self::Smooth)
    }

    /// X(k) = Σ x(j)·exp(−2πi·j·k / length) of each of `batch` lines.
    pub fn forward(&self, lines: &mut Lines, spare: &mut Lines, batch: usize) {
        match self {
            Self::Smooth(smooth) => smooth.forward(lines, spare, batch),
            Self::Any(any) => any.forward(lines, batch),
        }
    }

    /// x(j) = Σ X(k)·exp(2πi·j·k / length): the inverse, up to a factor of the length.
    pub fn backward(&self, lines: &mut Lines, spare: &mut Lines, batch: usize) {
        lines.swap_parts();
        self.forward(lines, spare, batch);
        lines.swap_parts();
    }

    /// The memory of a transform of `batch` lines of this length, with the lines, in bytes.
    pub fn bytes(length: usize, batch: usize) -> u64 {
        let smooth = Smooth::length_from(length);
        let numbers = 2 * length * batch + length;
        let more = if smooth == length { 0 } else { 2 * Smooth::length_from(2 * length) * (batch + 2) };
        16 * (numbers + more) as u64
    }
}

/// The transform of lines of any length as a convolution (Bluestein 1970): j·k = (j² + k² − (k − j)²) / 2.
pub struct Bluestein {
    /// exp(−πi·j² / length).
    chirp: Vec<[f64; 2]>,
    smooth: Smooth,
    /// The transform of the conjugate chirp, over the smooth transform's length.
    back: Lines,
}

impl Bluestein {
    fn new(length: usize) -> Self {
        let chirp: Vec<[f64; 2]> = (0..length)
            // j² modulo twice the length, so that no digit is lost.
            .map(|j| root_of_unity((j as u128 * j as u128 % (2 * length as u128)) as usize, 2 * length))
            .collect();
        let smooth_length = Smooth::length_from(2 * length - 1);
        let Some(smooth) = Smooth::new(smooth_length) else { unreachable!("the length is smooth") };
        let mut back = Lines::zeros(smooth_length);
        let scale = 1.0 / smooth_length as f64;
        for (j, [re, im]) in chirp.iter().enumerate() {
            for at in [j, (smooth_length - j) % smooth_length] {
                (back.re[at], back.im[at]) = (re * scale, -im * scale);
            }
        }
        let mut spare = Lines::zeros(smooth_length);
        smooth.forward(&mut back, &mut spare, 1);
        Self { chirp, smooth, back }
    }

    fn forward(&self, lines: &mut Lines, batch: usize) {
        let count = self.smooth.length() * batch;
        let (mut wide, mut spare) = (Lines::zeros(count), Lines::zeros(count));
        multiply(lines, &mut wide, &self.chirp, batch);
        self.smooth.forward(&mut wide, &mut spare, batch);
        let back: Vec<[f64; 2]> = self.back.re.iter().zip(&self.back.im).map(|(&re, &im)| [re, im]).collect();
        multiply(&wide, &mut spare, &back, batch);
        spare.swap_parts();
        self.smooth.forward(&mut spare, &mut wide, batch);
        spare.swap_parts();
        multiply(&spare, lines, &self.chirp, batch);
    }
}

/// Writes `from`, times one factor per position in a line, into `to`.
fn multiply(from: &Lines, to: &mut Lines, by: &[[f64; 2]], batch: usize) {
    for (j, &by) in by.iter().enumerate() {
        for at in j * batch..(j + 1) * batch {
            [to.re[at], to.im[at]] = times([from.re[at], from.im[at]], by);
        }
    }
}
