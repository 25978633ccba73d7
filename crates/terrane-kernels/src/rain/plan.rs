//! How much ground around a map its rain is found with.

use super::fft::Smooth;
use super::weather::Weather;
use crate::Boundary;

/// How far level ground reaches before the windward border, in distances that the wind carries rain: what is
/// left of the rain there, eight times as far as either kind of water is carried, is 9·e⁻⁸ = 0.3 %.
const LEVEL: f64 = 4.0;

/// How far the ground goes from one border's heights to the opposite border's, in such distances and in
/// extents of the map.
const FADE: (f64, f64) = (2.0, 1.0);

/// Samples with those beyond the border, at most: so many, or so many times the map's.
const MOST: (f64, f64) = (2_097_152.0, 6.0);

/// A side of the map, along columns or rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Samples of the map.
    pub samples: usize,
    /// With those beyond the border.
    pub padded: usize,
    /// How many of those are level ground before the windward border.
    pub level: usize,
    /// Whether the wind blows from the first sample to the last.
    pub onward: bool,
}

/// The grid that rain is found on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Columns and rows of the map that one sample is the mean of.
    pub block: usize,
    /// Metres between samples.
    pub spacing: f64,
    pub columns: Side,
    pub rows: Side,
}

impl Plan {
    /// For a map of a size with samples so many metres apart, of one sample at least. Where the wind carries
    /// rain so far beyond a map that there would be more than [`MOST`] samples, blocks of 2, 4, … are one:
    /// rain varies little over these.
    pub fn new((width, height): (usize, usize), spacing: f64, weather: &Weather) -> Self {
        let (wind, carried) = (weather.wind(), weather.carried());
        if weather.boundary == Boundary::Wrap {
            let side = |samples| Side { samples, padded: samples, level: 0, onward: true };
            return Self { block: 1, spacing, columns: side(width), rows: side(height) };
        }
        let most = MOST.0.max(MOST.1 * width as f64 * height as f64);
        let mut block = 1usize;
        loop {
            let apart = spacing * block as f64;
            let side = |samples: usize, wind: f64, carried: f64| {
                let extent = samples as f64 * spacing;
                let level = (LEVEL * carried / apart).ceil();
                let fade = ((FADE.0 * carried + FADE.1 * extent) / apart).ceil();
                // Far beyond what there is memory for, but within what a number of samples holds.
                let [level, fade] = [level, fade].map(|samples| samples.min(1.0e9) as usize);
                (samples.div_ceil(block), level, fade, wind >= 0.0)
            };
            let (columns, rows) = (side(width, wind.0, carried.0), side(height, wind.1, carried.1));
            let count = |(samples, level, fade, _): (usize, usize, usize, bool)| samples + level + fade;
            if count(columns) as f64 * count(rows) as f64 <= most {
                let side = |(samples, level, fade, onward)| Side {
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

    /// Samples with those beyond the border.
    pub const fn samples(&self) -> usize {
        self.columns.padded * self.rows.padded
    }
}

impl Side {
    /// Beyond the last sample, how far ground has come from the height there to that of the first one, in
    /// [0, 1]. Level ground is before the border that the wind comes from; the way over is smooth.
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
