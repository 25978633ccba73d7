//! Regions, their feature points, and the points that can be among the nearest of a region's samples.

use std::ops::Range;

use terrane_grid::{Domain, Seed, unit_f64};

use super::parameters::{Metric, Search, Voronoi};

/// A feature point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeaturePoint {
    /// World x.
    pub x: f64,
    /// World y.
    pub y: f64,
    /// The identity that [`Cells::cells`](super::Cells::cells) contains: an integer below 2²⁴.
    pub id: f32,
}

/// Maximum number of feature points that [`feature_points`](super::feature_points) returns.
pub const MOST_FEATURE_POINTS: u64 = 1 << 22;

/// Columns of samples in one column of regions.
pub struct ColumnRun {
    pub columns: Range<usize>,
    pub region: i64,
}

/// Rows of samples in one row of regions.
pub struct RowBand {
    pub rows: Range<usize>,
    pub region: i64,
}

/// The division of a domain into regions: squares, or with `wrap` nearly square rectangles.
pub struct Regions {
    width: f64,
    height: f64,
    origin: (f64, f64),
    /// Number of regions along each axis if the map wraps.
    wrap: Option<(i64, i64)>,
    /// Ratio of a region's height to its width.
    pub aspect: f64,
    pub columns: Vec<ColumnRun>,
    /// Position of each column in its region, in [0, 1).
    pub fractions: Vec<f32>,
}

/// The region of a position, and the position inside it, in [0, 1).
fn locate(position: f64) -> (i64, f64) {
    let floor = position.floor();
    (floor as i64, position - floor)
}

impl Regions {
    pub fn new(domain: &Domain, parameters: &Voronoi) -> Self {
        let (w, h) = domain.size;
        let count = parameters.regions;
        let (width, height, origin, wrap) = if parameters.wrap {
            let width = w as f64 * domain.spacing / f64::from(count);
            // A whole number of rows, so that the last ends where the first begins.
            let rows = libm::round(h as f64 * domain.spacing / width).max(1.0);
            let height = h as f64 * domain.spacing / rows;
            (width, height, domain.origin, Some((i64::from(count), rows as i64)))
        } else {
            let own = || (w.max(2) - 1) as f64 * domain.spacing / f64::from(count);
            let side = parameters.side.unwrap_or_else(own);
            (side, side, (0.0, 0.0), None)
        };
        let (columns, fractions) = (Vec::new(), Vec::with_capacity(w));
        let mut this = Self { width, height, origin, wrap, aspect: height / width, columns, fractions };
        for column in 0..w {
            let (region, fraction) = locate((domain.x(column) - origin.0) / width);
            this.fractions.push(fraction as f32);
            match this.columns.last_mut() {
                Some(run) if run.region == region => run.columns.end = column + 1,
                _ => this.columns.push(ColumnRun { columns: column..column + 1, region }),
            }
        }
        this
    }

    fn row(&self, domain: &Domain, row: usize) -> (i64, f64) {
        locate((domain.y(row) - self.origin.1) / self.height)
    }

    /// Distance of a row from the top of its region, in widths of a region.
    pub fn row_fraction(&self, domain: &Domain, row: usize) -> f32 {
        (self.row(domain, row).1 * self.aspect) as f32
    }

    /// The rows, grouped by rows of regions; long bands are split, since a narrow band has fewer
    /// candidates.
    pub fn row_bands(&self, domain: &Domain) -> Vec<RowBand> {
        const LONGEST: usize = 16;
        let mut bands: Vec<RowBand> = Vec::new();
        for row in 0..domain.height() {
            let (region, _) = self.row(domain, row);
            match bands.last_mut() {
                Some(band) if band.region == region && band.rows.len() < LONGEST => band.rows.end = row + 1,
                _ => bands.push(RowBand { rows: row..row + 1, region }),
            }
        }
        bands
    }
}

/// A feature point relative to a region: in widths of a region from its corner.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub x: f32,
    pub y: f32,
    pub id: f32,
}

/// Feature points by region.
pub struct Points {
    seed: Seed,
    per_region: u32,
    wrap: Option<(i64, i64)>,
    aspect: f64,
}

impl Points {
    pub fn new(seed: Seed, regions: &Regions, parameters: &Voronoi) -> Self {
        Self { seed, per_region: parameters.points_per_region, wrap: regions.wrap, aspect: regions.aspect }
    }

    /// A region's points: position in the region and identity.
    pub fn of(&self, x: i64, y: i64) -> impl Iterator<Item = (f64, f64, f32)> {
        let (x, y) = match self.wrap {
            Some((columns, rows)) => (x.rem_euclid(columns), y.rem_euclid(rows)),
            None => (x, y),
        };
        let seed = self.seed;
        (0..self.per_region).map(move |index| {
            let lattice = seed.part(u64::from(index)).lattice();
            let bits = lattice.bits(x, y);
            let other = Seed(bits).part(1).0;
            (unit_f64(bits), unit_f64(other), (Seed(bits).part(2).0 >> 40) as f32)
        })
    }

    /// The points that can be among the nearest of a region's samples between two distances from its top.
    pub fn candidates(&self, (x, y): (i64, i64), rows: (f32, f32), parameters: &Voronoi) -> Vec<Candidate> {
        let (across, down) = self.rings(parameters);
        let mut candidates = Vec::new();
        for dy in -down..=down {
            for dx in -across..=across {
                candidates.extend(self.of(x.wrapping_add(dx), y.wrapping_add(dy)).map(|(px, py, id)| {
                    let (x, y) = ((px + dx as f64) as f32, ((py + dy as f64) * self.aspect) as f32);
                    Candidate { x, y, id }
                }));
            }
        }
        prune(&mut candidates, rows, parameters);
        // One list per region is kept for a whole band.
        candidates.shrink_to_fit();
        candidates
    }

    /// The points of the regions that a domain touches, or their number if there are too many.
    pub fn within(&self, regions: &Regions, domain: &Domain) -> Result<Vec<FeaturePoint>, u64> {
        let (Some(first), Some(last)) = (regions.columns.first(), regions.columns.last()) else {
            return Ok(Vec::new());
        };
        if domain.height() == 0 {
            return Ok(Vec::new());
        }
        let [top, bottom] = [0, domain.height() - 1].map(|row| regions.row(domain, row).0);
        let along = |first: i64, last: i64| last.abs_diff(first).saturating_add(1);
        let across = along(first.region, last.region).saturating_mul(along(top, bottom));
        let count = across.saturating_mul(u64::from(self.per_region));
        if count > MOST_FEATURE_POINTS {
            return Err(count);
        }
        let mut points = Vec::with_capacity(count as usize);
        for y in top..=bottom {
            for x in first.region..=last.region {
                points.extend(self.of(x, y).map(|(px, py, id)| FeaturePoint {
                    x: regions.origin.0 + (x as f64 + px) * regions.width,
                    y: regions.origin.1 + (y as f64 + py) * regions.height,
                    id,
                }));
            }
        }
        Ok(points)
    }

    /// The number of columns and rows of regions around a sample's own that can hold one of its nearest
    /// points.
    ///
    /// With p points a region, the regions up to ring k hold (2k + 1)²·p points. Once that count reaches n,
    /// the n-th nearest point is at most as far as the far corner of ring k. A region r + 1 columns away is
    /// at least r widths away.
    fn rings(&self, parameters: &Voronoi) -> (i64, i64) {
        if parameters.search == Search::Near {
            return (1, 1);
        }
        let wanted = parameters.coefficients.len();
        let enough = (0..)
            .find(|k| (2 * k + 1usize).pow(2) * parameters.points_per_region as usize >= wanted)
            .unwrap_or(0);
        let (x, y) = ((enough + 1) as f64, (enough + 1) as f64 * self.aspect);
        let farthest = match parameters.metric {
            Metric::Euclidean | Metric::Squared => (x * x + y * y).sqrt(),
            Metric::Manhattan => x + y,
            Metric::Chebyshev => x.max(y),
        };
        let down = (farthest / self.aspect).ceil();
        // On a torus, the n nearest vertical copies of a point are within n / 2 heights of the map, which
        // keeps the number of rings in a flat strip small.
        let copies = self.wrap.map(|(_, rows)| (rows as f64 * wanted as f64 / 2.0).ceil());
        (farthest.ceil() as i64, copies.map_or(down, |copies| down.min(copies)) as i64)
    }
}

/// Drops candidates that are farther from every sample of a band than the n nearest can be.
fn prune(candidates: &mut Vec<Candidate>, rows: (f32, f32), parameters: &Voronoi) {
    let wanted = parameters.coefficients.len();
    let mut farthest: Vec<f32> = candidates.iter().map(|c| span(c, rows, parameters.metric).1).collect();
    if farthest.len() <= wanted {
        return;
    }
    let (_, bound, _) = farthest.select_nth_unstable_by(wanted - 1, f32::total_cmp);
    // Rounding errors of a few units in the last place must not drop a tied point.
    let bound = *bound * 1.000_01;
    candidates.retain(|c| span(c, rows, parameters.metric).0 <= bound);
}

/// Minimum and maximum distance from a candidate to the points of a region between two y positions.
fn span(candidate: &Candidate, rows: (f32, f32), metric: Metric) -> (f32, f32) {
    let axis = |c: f32, low: f32, high: f32| {
        ((low - c).max(c - high).max(0.0), (c - low).abs().max((c - high).abs()))
    };
    let ((near_x, far_x), (near_y, far_y)) = (axis(candidate.x, 0.0, 1.0), axis(candidate.y, rows.0, rows.1));
    let distance = |dx: f32, dy: f32| match metric {
        Metric::Euclidean | Metric::Squared => dx * dx + dy * dy,
        Metric::Manhattan => dx + dy,
        Metric::Chebyshev => dx.max(dy),
    };
    (distance(near_x, near_y), distance(far_x, far_y))
}
