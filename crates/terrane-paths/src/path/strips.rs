//! The strips of paths: the samples inside them, and the nearest strip of each other sample.

use std::collections::HashMap;

use terrane_grid::{Domain, Shape};

use super::nearest::{NONE, nearest};
use crate::{Cancelled, Progress};
use terrane_compute::CHECK_INTERVAL;
use terrane_compute::filled;

/// The maximum slope of a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steepness {
    /// The maximum slope along the whole strip; infinite if there is none.
    pub same: f64,
    /// Whether the map of maximum slopes applies too.
    pub mapped: bool,
}

impl Steepness {
    /// The flatter of two slopes, at every sample.
    pub fn both(self, other: Self) -> Self {
        Self { same: self.same.min(other.same), mapped: self.mapped || other.mapped }
    }
}

/// The centre lines of all strips of one width and steepness.
#[derive(Clone, Debug)]
pub struct Line {
    pub steepness: Steepness,
    /// Half of the strip's width, in world units.
    pub half: f64,
    /// Samples of the frame, in any order, possibly repeated.
    pub samples: Vec<usize>,
}

/// Lines grouped by kind, in the order in which kinds were first added.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    pub all: Vec<Line>,
    /// The index of each kind, by the bits of its numbers.
    kinds: HashMap<(u64, bool, u64), usize>,
}

impl Lines {
    /// Adds samples to the line of the same width and steepness.
    pub fn add(&mut self, steepness: Steepness, half: f64, samples: impl Iterator<Item = usize>) {
        let kind = (steepness.same.to_bits(), steepness.mapped, half.to_bits());
        let number = *self.kinds.entry(kind).or_insert_with(|| {
            self.all.push(Line { steepness, half, samples: Vec::new() });
            self.all.len() - 1
        });
        self.all[number].samples.extend(samples);
    }
}

/// The strip nearest to a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestStrip {
    /// Distance from the strip's rim, in world units; infinite if no strip is near.
    pub distance: f64,
    /// The strip's maximum slope.
    pub slope: f64,
    /// The nearest sample of the strip's line.
    pub nearest: u32,
}

impl NearestStrip {
    const NOTHING: Self = Self { distance: f64::INFINITY, slope: f64::INFINITY, nearest: NONE };
}

/// Strips around lines of samples, in a frame.
#[derive(Clone, Debug)]
pub struct Strips {
    /// Maximum slope of the flattest strip that contains a sample; infinite outside.
    pub inside: Vec<f64>,
    /// The nearest strip of each sample. Of several equally near strips, the flattest counts. Of equally flat
    /// ones, the first counts.
    pub beside: Vec<NearestStrip>,
}

impl Strips {
    /// Computes strips with exact distances. Strips of the same width and steepness share a distance
    /// transform, over the box of the strips and the ground beside them. O(samples) for each such kind.
    /// `mapped` is the maximum slope of a sample from a map. `beyond` is the distance from strips up to which
    /// results are needed.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn new(
        shape: Shape,
        domain: &Domain,
        lines: &Lines,
        beyond: f64,
        mapped: impl Fn(usize) -> f64,
        progress: &dyn Progress,
    ) -> Result<Self, Cancelled> {
        let count = shape.width * shape.height;
        let mut out = Self {
            inside: filled(count, f64::INFINITY, progress)?,
            beside: filled(count, NearestStrip::NOTHING, progress)?,
        };
        for line in &lines.all {
            let reach = ((line.half + beyond) / domain.spacing).min(count as f64) as usize + 1;
            if let Some(around) = SampleBox::around(shape, &line.samples, reach) {
                out.draw(shape, domain.spacing, line, (&around, &mapped), progress)?;
            }
        }
        Ok(out)
    }

    fn draw(
        &mut self,
        shape: Shape,
        spacing: f64,
        line: &Line,
        (around, mapped): (&SampleBox, &impl Fn(usize) -> f64),
        progress: &dyn Progress,
    ) -> Result<(), Cancelled> {
        let (left, top) = around.low;
        let (width, height) = around.size;
        let mut marked = filled(width * height, false, progress)?;
        for &at in &line.samples {
            let (x, y) = shape.position(at);
            marked[(y - top) * width + x - left] = true;
        }
        let nearest = nearest((width, height), |at| marked[at], progress)?;
        for (within, &near) in nearest.iter().enumerate() {
            if within.is_multiple_of(CHECK_INTERVAL) {
                progress.check()?;
            }
            let ((x, y), (u, v)) =
                ((within % width, within / width), (near as usize % width, near as usize / width));
            let (dx, dy) = (x as f64 - u as f64, y as f64 - v as f64);
            let distance = spacing * (dx * dx + dy * dy).sqrt() - line.half;
            let at = (top + y) * shape.width + left + x;
            let Steepness { same, mapped: by_map } = line.steepness;
            let slope = if by_map { same.min(mapped(at)) } else { same };
            if distance <= 0.0 {
                self.inside[at] = self.inside[at].min(slope);
            }
            let known = &mut self.beside[at];
            if (distance, slope) < (known.distance, known.slope) {
                let nearest = ((top + v) * shape.width + left + u) as u32;
                *known = NearestStrip { distance, slope, nearest };
            }
        }
        Ok(())
    }
}

/// A rectangle inside a frame.
struct SampleBox {
    low: (usize, usize),
    size: (usize, usize),
}

impl SampleBox {
    /// The samples at most `reach` columns and rows from the given ones.
    fn around(shape: Shape, samples: &[usize], reach: usize) -> Option<Self> {
        let (mut low, mut high) = (shape.position(*samples.first()?), (0, 0));
        for &at in samples {
            let (x, y) = shape.position(at);
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let low = (low.0.saturating_sub(reach), low.1.saturating_sub(reach));
        let high = ((high.0 + reach).min(shape.width - 1), (high.1 + reach).min(shape.height - 1));
        Some(Self { low, size: (high.0 - low.0 + 1, high.1 - low.1 + 1) })
    }
}
