//! A terrain prepared for a builder's searches.

use super::junctions::Sector;
use super::point::Point;
use super::search::Rimmed;
use super::terrain::Terrain;
use crate::{Cancelled, Progress};

/// Maximum number of columns or rows that a step crosses.
const REACH: usize = 3;

/// A sample: its height, its slopes along x and y, and its cost factor.
pub type Sample = [f32; 4];

/// The ground at a point: its height, its slopes along x and y, and its cost factor.
pub type Ground = [f64; 4];

/// A terrain prepared for a builder's searches.
pub struct Site {
    pub map: Rimmed,
    size: (usize, usize),
    pub samples: Vec<Sample>,
    pub spacing: f64,
    /// The minimum cost factor, or slightly less.
    pub least: f64,
}

impl Site {
    pub fn new(terrain: &Terrain<'_>, progress: &dyn Progress) -> Result<Self, Cancelled> {
        let map = Rimmed::new(terrain.size(), REACH);
        let (width, height) = terrain.size();
        let spacing = terrain.spacing();
        let samples = map.filled([f32::NAN; 4], progress, |x, y| {
            let along_x = between(|x| terrain.height(x, y), x, width);
            let along_y = between(|y| terrain.height(x, y), y, height);
            let slope = |rise: f64| (rise / spacing).clamp(-1e30, 1e30) as f32;
            [terrain.crossed(x, y), slope(along_x), slope(along_y), terrain.factor(x, y)]
        })?;
        // Slightly less than the minimum, so that the estimate is consistent despite rounding.
        let least = terrain.least() * (1.0 - 1.0 / f64::from(1u32 << 30));
        Ok(Self { map, size: terrain.size(), samples, spacing, least })
    }

    /// Multiplies cost factors around nodes by those of sectors, and returns what [`Self::restore`] needs.
    pub fn make_dearer(&mut self, sectors: &[Sector]) -> Vec<(usize, f32)> {
        let mut before = Vec::new();
        for sector in sectors {
            let range = |at: f64, count: usize| {
                let low = (at - sector.radius).ceil().max(0.0) as usize;
                low..((at + sector.radius + 1.0).floor().max(0.0) as usize).min(count)
            };
            for y in range(sector.node.1, self.size.1) {
                for x in range(sector.node.0, self.size.0) {
                    let at = self.map.index((x, y));
                    let factor = &mut self.samples[at][3];
                    before.push((at, *factor));
                    *factor = (*factor * sector.factor((x as f64, y as f64)) as f32).min(f32::MAX);
                }
            }
        }
        before
    }

    /// Restores the cost factors before [`Self::make_dearer`].
    pub fn restore(&mut self, before: Vec<(usize, f32)>) {
        before.into_iter().rev().for_each(|(at, factor)| self.samples[at][3] = factor);
    }

    /// Whether routes may cross a sample.
    pub fn is_crossed(&self, at: usize) -> bool {
        !self.samples[at][0].is_nan()
    }

    /// Whether a point lies between samples of the terrain.
    pub fn contains(&self, (x, y): Point) -> bool {
        let (width, height) = self.size;
        (0.0..=width as f64 - 1.0).contains(&x) && (0.0..=height as f64 - 1.0).contains(&y)
    }

    /// Whether the terrain has a sample there that routes may cross.
    pub fn is_open(&self, x: i64, y: i64) -> bool {
        let (width, height) = self.size;
        let inside = (0..width as i64).contains(&x) && (0..height as i64).contains(&y);
        inside && self.is_crossed(self.map.index((x as usize, y as usize)))
    }

    /// The ground at a point of the terrain, from the samples around it that are numbers.
    pub fn ground(&self, (x, y): Point) -> Ground {
        let (column, row) = (x.floor(), y.floor());
        let (right, below) = (x - column, y - row);
        let first = self.map.index((column as usize, row as usize));
        let stride = self.map.stride();
        let (mut sum, mut all) = ([0.0; 4], 0.0);
        let around = [
            (0, (1.0 - right) * (1.0 - below)),
            (1, right * (1.0 - below)),
            (stride, (1.0 - right) * below),
            (stride + 1, right * below),
        ];
        for (by, weight) in around {
            let sample = self.samples[first + by];
            if weight > 0.0 && !sample[0].is_nan() {
                all += weight;
                sum.iter_mut().zip(sample).for_each(|(sum, value)| *sum += weight * f64::from(value));
            }
        }
        sum.map(|sum| sum / all)
    }
}

/// The rise per sample at a sample: the mean of the steps before and after it, or the only step that exists.
fn between(height: impl Fn(usize) -> f32, at: usize, count: usize) -> f64 {
    let here = f64::from(height(at));
    let before =
        at.checked_sub(1).map(|before| here - f64::from(height(before))).filter(|rise| rise.is_finite());
    let after = (at + 1 < count).then(|| f64::from(height(at + 1)) - here).filter(|rise| rise.is_finite());
    match (before, after) {
        (Some(before), Some(after)) => 0.5 * (before + after),
        (before, after) => before.or(after).unwrap_or(0.0),
    }
}
