//! The square starting cells that cover a domain, halved level by level.

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use super::error::MidpointError;
use super::parameters::{Boundary, Midpoint};
use super::refine::Level;
use crate::{Cancelled, Progress, ScalarMap};

/// The square starting cells that cover a domain.
pub struct Cover {
    /// Starting cells along x and y.
    cells: (usize, usize),
    /// Halvings from a starting cell to a sample.
    pub levels: u32,
    /// Position of the domain's first sample in the world's lattice of starting cells.
    origin: (i64, i64),
    pub wrap: bool,
}

impl Cover {
    pub fn new(domain: &Domain, parameters: &Midpoint<'_>) -> Result<Self, MidpointError> {
        if let ScalarMap::Map(roughness) = parameters.roughness
            && roughness.domain().size != domain.size
        {
            let (width, height) = roughness.domain().size;
            return Err(MidpointError::Roughness(width, height));
        }
        let wrap = parameters.boundary == Boundary::Wrap;
        let (width, height) = domain.size;
        let lattice = parameters.lattice.max(if wrap { 1 } else { 2 }) as usize;
        let along = if wrap { lattice } else { lattice - 1 };
        let steps = |samples: usize| if wrap { samples } else { samples.max(2) - 1 };
        let side = steps(width).div_ceil(along).next_power_of_two();
        let cells = (steps(width).div_ceil(side), steps(height).div_ceil(side));
        let fits = |cells: usize, samples: usize| cells * side == steps(samples);
        let must_fit = parameters.boundary != Boundary::Open;
        if must_fit && !(fits(cells.0, width) && fits(cells.1, height)) {
            let plus = if wrap { "" } else { " plus 1," };
            let expected = format!(
                "with this boundary and at most {along} starting cells along the columns, columns and rows \
                must be multiples of {side}, a cell's side,{plus} such as {} x {}",
                cells.0 * side + usize::from(!wrap),
                cells.1 * side + usize::from(!wrap),
            );
            return Err(MidpointError::Size { expected });
        }
        let index = |world: f64| {
            let sample = libm::round(world / domain.spacing);
            libm::floor(sample / side as f64) as i64
        };
        Ok(Self {
            cells,
            levels: side.trailing_zeros(),
            origin: (index(domain.origin.0), index(domain.origin.1)),
            wrap,
        })
    }

    /// Midpoint displacement, starting from these corner heights if given.
    pub fn displace(
        &self,
        domain: &Domain,
        seed: Seed,
        parameters: &Midpoint<'_>,
        corners: Option<[f32; 4]>,
        progress: &dyn Progress,
    ) -> Result<Heightmap, Cancelled> {
        let mut grid = self.start(seed);
        if let Some([a, b, c, d]) = corners {
            let (right, bottom) = (grid.width() - 1, grid.height() - 1);
            for (position, height) in [((0, 0), a), ((right, 0), b), ((0, bottom), c), ((right, bottom), d)] {
                grid[position] = height;
            }
        }
        grid = crop(grid, self.needed_at(0, domain.size));
        let mut range = 1.0f32;
        for level in 1..=self.levels {
            range *= parameters.persistence;
            let refine = Level {
                seed: seed.part(u64::from(level)),
                origin: self.origin_at(level),
                range,
                step: 1 << (self.levels - level),
                parameters,
            };
            grid = crop(refine.refine(&grid), self.needed_at(level, domain.size));
            progress.report(libm::exp2(f64::from(level) * 2.0 - f64::from(self.levels) * 2.0))?;
        }
        Ok(Heightmap::from_grid(*domain, grid))
    }

    /// Number of points at a level.
    pub fn size_at(&self, level: u32) -> (usize, usize) {
        let extra = usize::from(!self.wrap);
        ((self.cells.0 << level) + extra, (self.cells.1 << level) + extra)
    }

    /// Number of points at a level that cover a domain of `size` samples: those inside it and three beyond.
    pub fn size_within(&self, level: u32, size: (usize, usize)) -> (usize, usize) {
        let (width, height) = self.size_at(level);
        if self.wrap {
            return (width, height);
        }
        if level == self.levels {
            return size;
        }
        let within = |samples: usize| ((samples - 1) >> (self.levels - level)) + 4;
        (width.min(within(size.0)), height.min(within(size.1)))
    }

    /// Number of points at a level that a domain of `size` samples depends on: those inside it and eight
    /// beyond. Cutting off the others is safe: it changes at most three points next to the cut, and each
    /// finer level halves the distance that a change reaches.
    fn needed_at(&self, level: u32, (width, height): (usize, usize)) -> (usize, usize) {
        let all = self.size_at(level);
        if self.wrap {
            return all;
        }
        if level == self.levels {
            return (width, height);
        }
        let needed = |samples: usize| (samples.saturating_sub(1) >> (self.levels - level)) + 9;
        (all.0.min(needed(width)), all.1.min(needed(height)))
    }

    /// Whether the domain's corners are starting points.
    pub fn fits(&self, domain: &Domain) -> bool {
        !self.wrap && self.size_at(self.levels) == domain.size
    }

    /// Position of the first point in the world's lattice of that level.
    fn origin_at(&self, level: u32) -> (i64, i64) {
        (self.origin.0.wrapping_shl(level), self.origin.1.wrapping_shl(level))
    }

    /// Points at level 0.
    fn start(&self, seed: Seed) -> Grid<f32> {
        let (width, height) = self.size_at(0);
        let lattice = seed.part(0).lattice();
        Grid::from_fn(width, height, |column, row| {
            lattice.unit(self.origin.0 + column as i64, self.origin.1 + row as i64)
        })
    }
}

fn crop(grid: Grid<f32>, (width, height): (usize, usize)) -> Grid<f32> {
    if grid.size() == (width, height) {
        return grid;
    }
    let mut samples = Vec::with_capacity(width * height);
    for row in 0..height {
        samples.extend_from_slice(&grid.row(row)[..width]);
    }
    Grid::from_vec(width, height, samples)
}
