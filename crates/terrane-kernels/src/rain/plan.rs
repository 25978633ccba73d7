//! The size of the padded grid on which rain is computed.

use super::fft::Smooth;
use super::weather::Weather;
use crate::Boundary;

/// Extent of the flat ground upwind of the windward border, as a multiple of the distance that the wind
/// carries cloud water and rain. If it carries both equally far, the extent is eight times either distance.
/// Then 9·e⁻⁸ = 0.3 % of the rain is still in the air at the end of this ground. If one distance is 0, it is
/// e⁻⁴ = 1.8 %.
const LEVEL: f64 = 4.0;

/// Extent of the transition from one border's heights to those of the opposite border: a multiple of the
/// distance that the wind carries cloud water and rain, plus a multiple of the map's extent.
const FADE: (f64, f64) = (2.0, 1.0);

/// Maximum number of samples including those beyond the border: the larger of a number and a multiple of the
/// map's.
const MAX_SAMPLES: (f64, f64) = (2_097_152.0, 6.0);

/// One axis of the grid, along columns or rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Samples of the map.
    pub samples: usize,
    /// Samples including those beyond the border.
    pub padded: usize,
    /// The padded samples that are flat ground upwind of the windward border.
    pub level: usize,
    /// Whether the wind blows from the first sample to the last.
    pub onward: bool,
}

/// The grid on which rain is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Columns and rows of the map whose mean is one sample.
    pub block: usize,
    /// Metres between samples.
    pub spacing: f64,
    pub columns: Axis,
    pub rows: Axis,
}

impl Plan {
    /// The grid for a map of at least one sample with `spacing` metres between samples. If the wind carries
    /// rain so far that there would be more than [`MAX_SAMPLES`] samples, blocks of 2, 4, … columns and rows
    /// become one sample: rain varies little within a block.
    pub fn new((width, height): (usize, usize), spacing: f64, weather: &Weather) -> Self {
        let (wind, carried) = (weather.wind(), weather.carried());
        if weather.boundary == Boundary::Wrap {
            let side = |samples| Axis { samples, padded: samples, level: 0, onward: true };
            return Self { block: 1, spacing, columns: side(width), rows: side(height) };
        }
        let most = MAX_SAMPLES.0.max(MAX_SAMPLES.1 * width as f64 * height as f64);
        let mut block = 1usize;
        loop {
            let apart = spacing * block as f64;
            let side = |samples: usize, wind: f64, carried: f64| {
                let extent = samples as f64 * spacing;
                let level = (LEVEL * carried / apart).ceil();
                let fade = ((FADE.0 * carried + FADE.1 * extent) / apart).ceil();
                // This limit is far beyond any memory, but within the range of `usize`.
                let [level, fade] = [level, fade].map(|samples| samples.min(1.0e9) as usize);
                (samples.div_ceil(block), level, fade, wind >= 0.0)
            };
            let (columns, rows) = (side(width, wind.0, carried.0), side(height, wind.1, carried.1));
            let count = |(samples, level, fade, _): (usize, usize, usize, bool)| samples + level + fade;
            if count(columns) as f64 * count(rows) as f64 <= most {
                let side = |(samples, level, fade, onward)| Axis {
                    samples,
                    padded: Smooth::length_from(samples + level + fade),
                    level,
                    onward,
                };
                let plan = Self { block, spacing: apart, columns: side(columns), rows: side(rows) };
                if plan.samples() as f64 <= most {
                    return plan;
                }
            }
            block *= 2;
        }
    }

    /// Samples including those beyond the border.
    pub const fn samples(&self) -> usize {
        self.columns.padded * self.rows.padded
    }
}

impl Axis {
    /// For each position beyond the last sample, the weight of the first sample's height against the last
    /// sample's, in [0, 1]. Ground is flat upwind of the windward border; the transition is smooth.
    pub fn beyond(&self) -> Vec<f64> {
        let count = self.padded - self.samples;
        let fade = (count - self.level) as f64;
        let smooth = |at: f64| {
            let part = (at / (fade + 1.0)).clamp(0.0, 1.0);
            part * part * (3.0 - 2.0 * part)
        };
        let begin = if self.onward { 0.0 } else { self.level as f64 };
        (0..count).map(|at| smooth(at as f64 + 1.0 - begin)).collect()
    }
}
