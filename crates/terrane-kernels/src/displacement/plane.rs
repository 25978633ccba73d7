//! Midpoint displacement without a border: any window of a terrain that covers the whole plane.

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use super::parameters::{Boundary, Distribution, Midpoint};
use super::refine::Level;
use crate::{Cancelled, Progress, ScalarMap};

/// Parameters of [`displacement_on_plane`].
#[derive(Clone, Debug, PartialEq)]
pub struct PlaneMidpoint {
    /// Minimum side of a starting cell, in world units. A cell's side is the smallest power of two, in
    /// samples, that reaches this length.
    pub cell: f64,
    /// Range of a level's offsets relative to the previous level's.
    pub persistence: f32,
    /// How offsets are distributed.
    pub distribution: Distribution,
    /// Whether offsets grow with the local mean height.
    pub smoothed: bool,
    /// Number of levels that offset their midpoints; later levels only take means.
    pub levels: u32,
}

/// Maximum number of halvings of a starting cell: positions within larger cells are not exact in an `f64`.
const MOST_LEVELS: u32 = 52;
/// Maximum distance from the world's origin in samples; beyond it, positions are indistinguishable.
const FARTHEST: f64 = (1u64 << 60) as f64;

/// Midpoint displacement over a window of the plane, like
/// [`midpoint_displacement`](super::midpoint_displacement) except at the border. Starting points are at all
/// multiples of a cell's side, so every midpoint has all its neighbours. Heights depend only on the seed, the
/// cell and a sample's position in the world. So all windows have the same bits where they overlap. A window
/// with half the spacing has the same bits at every second sample.
///
/// The plane's samples are at multiples of the spacing. If the origin of a window is not a multiple of it,
/// the window is moved to the nearest multiple. Only the points that the window needs are computed: at each
/// level, those inside it and two beyond. O(samples), however large cells are.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn displacement_on_plane(
    domain: &Domain,
    seed: Seed,
    parameters: &PlaneMidpoint,
    progress: &dyn Progress,
) -> Result<Heightmap, Cancelled> {
    if domain.is_empty() {
        return Ok(Heightmap::from_vec(*domain, Vec::new()));
    }
    let levels = halvings(parameters.cell, domain.spacing);
    // A position half-way between two samples maps to the same sample in all windows, however it is
    // rounded.
    let index =
        |world: f64| libm::floor(world / domain.spacing + (0.5 + 1e-6)).clamp(-FARTHEST, FARTHEST) as i64;
    let (x, y) = (index(domain.origin.0), index(domain.origin.1));
    let (xs, ys) = (spans(x, domain.width(), levels), spans(y, domain.height(), levels));
    let lattice = seed.part(0).lattice();
    let count = |span: Span| (span.1 - span.0 + 1) as usize;
    let mut grid = Grid::from_fn(count(xs[0]), count(ys[0]), |column, row| {
        lattice.unit(xs[0].0 + column as i64, ys[0].0 + row as i64)
    });
    let midpoint = Midpoint {
        persistence: parameters.persistence,
        roughness: ScalarMap::Constant(1.0),
        distribution: parameters.distribution,
        smoothed: parameters.smoothed,
        boundary: Boundary::Open,
        lattice: 2,
    };
    let mut range = 1.0f32;
    for level in 1..=levels {
        range *= parameters.persistence;
        let (before, at) = (level as usize - 1, level as usize);
        let origin = (2 * xs[before].0, 2 * ys[before].0);
        let range = if level <= parameters.levels { range } else { 0.0 };
        let refine =
            Level { seed: seed.part(u64::from(level)), origin, range, step: 1, parameters: &midpoint };
        let first = ((xs[at].0 - origin.0) as usize, (ys[at].0 - origin.1) as usize);
        grid = part(&refine.refine(&grid), first, (count(xs[at]), count(ys[at])));
        progress.report(libm::exp2(f64::from(level) * 2.0 - f64::from(levels) * 2.0))?;
    }
    Ok(Heightmap::from_grid(*domain, grid))
}

/// Number of halvings that bring a starting cell's side down to one sample.
fn halvings(cell: f64, spacing: f64) -> u32 {
    (0..MOST_LEVELS).find(|&levels| libm::exp2(f64::from(levels)) * spacing >= cell).unwrap_or(MOST_LEVELS)
}

/// First and last point along an axis.
type Span = (i64, i64);

/// Per level, the points along one axis that a window depends on. Points on the border of the refined part
/// lack a neighbour; all others are correct.
fn spans(first: i64, count: usize, levels: u32) -> Vec<Span> {
    let mut spans = vec![(first, first + count as i64 - 1)];
    for _ in 0..levels {
        let (first, last) = spans[spans.len() - 1];
        spans.push(((first - 1).div_euclid(2), (last + 2).div_euclid(2)));
    }
    spans.reverse();
    spans
}

fn part(grid: &Grid<f32>, first: (usize, usize), (width, height): (usize, usize)) -> Grid<f32> {
    let mut samples = Vec::with_capacity(width * height);
    for row in first.1..first.1 + height {
        samples.extend_from_slice(&grid.row(row)[first.0..first.0 + width]);
    }
    Grid::from_vec(width, height, samples)
}
