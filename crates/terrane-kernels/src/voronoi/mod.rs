//! Cellular terrain: combinations of distances to the nearest feature points (Olsen 2004, "Voronoi
//! diagrams").
//!
//! The plane is divided into square regions with a few random feature points each. A height is
//! `c1·d1 + c2·d2 + …` over the distances d1, d2, … to the nearest, second nearest, … point. `c = (−1, 1)`
//! gives ridged mountains in a connected network of valleys. Its heights are 0 exactly on the borders between
//! cells.
//!
//! Samples of one row in one region share their candidates. These are listed once per region, without the
//! points that none of the region's samples can need. Then a vector loop over the samples processes each
//! candidate. O(samples · candidates).

mod candidates;
mod parameters;

use crate::parallel::{elements, for_each, slices, try_for_each};
use terrane_grid::{Domain, Heightmap, Seed};

use crate::{Cancelled, Progress, dispatch};
use candidates::{Candidate, Points, Regions};

pub use candidates::{FeaturePoint, MOST_FEATURE_POINTS};
pub use parameters::{MAX_ORDER, Metric, Rescale, Search, Voronoi};

/// The result of [`voronoi`].
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Heights.
    pub height: Heightmap,
    /// The identity of the nearest feature point: an integer below 2²⁴ derived from the point's position in
    /// the world, so that patches agree on it. Two cells of a map share an identity only by chance.
    pub cells: Heightmap,
}

/// The feature points of the regions that a domain touches, in rows of regions.
///
/// # Errors
/// The number of points, if it exceeds [`MOST_FEATURE_POINTS`].
pub fn feature_points(domain: &Domain, seed: Seed, parameters: &Voronoi) -> Result<Vec<FeaturePoint>, u64> {
    let regions = Regions::new(domain, parameters);
    Points::new(seed, &regions, parameters).within(&regions, domain)
}

/// Cellular terrain over `domain`.
///
/// Regions are squares anchored at the world's origin. Their default side is the map's width over `regions`,
/// so patches of one size agree where they meet. With `wrap`, regions are anchored at the map's origin. Their
/// height is then the map's height over the nearest whole number of rows (at least 1), so that the map tiles.
/// Distances are then in units of the square root of a region's area.
///
/// # Panics
/// If there are no regions, points or coefficients, or more than [`MAX_ORDER`] coefficients.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn voronoi(
    domain: &Domain,
    seed: Seed,
    parameters: &Voronoi,
    progress: &dyn Progress,
) -> Result<Cells, Cancelled> {
    assert!(
        (1..=MAX_ORDER).contains(&parameters.coefficients.len()),
        "voronoi takes 1 to {MAX_ORDER} coefficients"
    );
    assert!(parameters.regions > 0 && parameters.points_per_region > 0, "voronoi needs regions and points");
    let regions = Regions::new(domain, parameters);
    let points = Points::new(seed, &regions, parameters);
    let width = domain.width();
    let mut heights = vec![0.0f32; domain.len()];
    let mut ids = vec![0.0f32; domain.len()];
    let bands = regions.row_bands(domain);
    let done = std::sync::atomic::AtomicUsize::new(0);
    let mut jobs = Vec::with_capacity(bands.len());
    let (mut rest_heights, mut rest_ids) = (&mut heights[..], &mut ids[..]);
    for band in &bands {
        let samples = band.rows.len() * width;
        let (here, below) = std::mem::take(&mut rest_heights).split_at_mut(samples);
        let (ids_here, ids_below) = std::mem::take(&mut rest_ids).split_at_mut(samples);
        (rest_heights, rest_ids) = (below, ids_below);
        jobs.push((band, here, ids_here));
    }
    try_for_each(elements(&mut jobs), 1, |_, (band, heights, ids)| {
        let ends =
            (regions.row_fraction(domain, band.rows.start), regions.row_fraction(domain, band.rows.end - 1));
        let list =
            |run: &candidates::ColumnRun| points.candidates((run.region, band.region), ends, parameters);
        let lists: Vec<Vec<Candidate>> = regions.columns.iter().map(list).collect();
        let mut fill = Fill::new(parameters, regions.aspect, width);
        for ((row, heights), ids) in
            band.rows.clone().zip(heights.chunks_mut(width)).zip(ids.chunks_mut(width))
        {
            let y = regions.row_fraction(domain, row);
            for (run, candidates) in regions.columns.iter().zip(&lists) {
                let xs = &regions.fractions[run.columns.clone()];
                dispatch!(_ => fill.run(xs, y, candidates));
                fill.store(&mut heights[run.columns.clone()], &mut ids[run.columns.clone()]);
            }
        }
        let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        progress.report(done as f64 / bands.len() as f64)
    })?;
    if parameters.rescale == Rescale::Map {
        rescale(&mut heights);
    }
    Ok(Cells { height: Heightmap::from_vec(*domain, heights), cells: Heightmap::from_vec(*domain, ids) })
}

/// Maps the minimum height to 0 and the maximum to 1; a flat map becomes 0.
fn rescale(heights: &mut [f32]) {
    let (low, high) = heights.iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)));
    let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
    for_each(slices(heights, 1 << 14), 1, |_, heights| {
        heights.iter_mut().for_each(|h| *h = (*h - low) * scale);
    });
}

/// The lower of two numbers. This is one instruction; `f32::min` takes more, since it handles not-a-number.
#[inline(always)]
fn lower(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The higher of two numbers.
#[inline(always)]
fn higher(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Distances of a run of samples, kept sorted as candidates are inserted.
struct Fill<'a> {
    parameters: &'a Voronoi,
    scale: f32,
    nearest: Vec<Vec<f32>>,
    id: Vec<f32>,
}

impl<'a> Fill<'a> {
    /// Buffers for rows of `width` samples, in regions whose height is `aspect` times their width.
    fn new(parameters: &'a Voronoi, aspect: f64, width: usize) -> Self {
        let density = (parameters.points_per_region as f32 / aspect as f32).sqrt();
        Self {
            parameters,
            scale: if parameters.metric == Metric::Squared { density * density } else { density },
            nearest: vec![vec![0.0; width]; parameters.coefficients.len()],
            id: vec![0.0; width],
        }
    }

    /// Computes distances from samples at `xs` in a region, all at `y`, to the nearest of the candidates.
    #[inline(always)]
    fn run(&mut self, xs: &[f32], y: f32, candidates: &[Candidate]) {
        let n = xs.len();
        for nearest in &mut self.nearest {
            nearest[..n].fill(f32::MAX);
        }
        for candidate in candidates {
            let dy = y - candidate.y;
            match self.parameters.metric {
                Metric::Euclidean | Metric::Squared => self.insert(xs, candidate, |dx| dx * dx + dy * dy),
                Metric::Manhattan => self.insert(xs, candidate, |dx| dx.abs() + dy.abs()),
                Metric::Chebyshev => self.insert(xs, candidate, |dx| higher(dx.abs(), dy.abs())),
            }
        }
        if self.parameters.metric == Metric::Euclidean {
            for nearest in &mut self.nearest {
                nearest[..n].iter_mut().for_each(|d| *d = d.sqrt());
            }
        }
    }

    /// Inserts one candidate's distances into the nearest so far.
    #[inline(always)]
    fn insert(&mut self, xs: &[f32], candidate: &Candidate, distance: impl Fn(f32) -> f32) {
        let n = xs.len();
        let ids = &mut self.id[..n];
        match &mut self.nearest[..] {
            [first, second] => {
                let (first, second) = (&mut first[..n], &mut second[..n]);
                for (((x, d1), d2), id) in xs.iter().zip(first).zip(second).zip(ids) {
                    let d = distance(x - candidate.x);
                    *id = if d < *d1 { candidate.id } else { *id };
                    *d2 = lower(higher(d, *d1), *d2);
                    *d1 = lower(d, *d1);
                }
            }
            many => {
                for (i, x) in xs.iter().enumerate() {
                    let mut d = distance(x - candidate.x);
                    ids[i] = if d < many[0][i] { candidate.id } else { ids[i] };
                    for nearest in many.iter_mut() {
                        let low = lower(nearest[i], d);
                        d = higher(nearest[i], d);
                        nearest[i] = low;
                    }
                }
            }
        }
    }

    fn store(&self, heights: &mut [f32], ids: &mut [f32]) {
        ids.copy_from_slice(&self.id[..ids.len()]);
        heights.fill(0.0);
        for (coefficient, nearest) in self.parameters.coefficients.iter().zip(&self.nearest) {
            let factor = coefficient * self.scale;
            for (height, d) in heights.iter_mut().zip(nearest) {
                *height += factor * d;
            }
        }
    }
}

#[cfg(test)]
mod tests;
