//! Midpoint displacement: the diamond-square algorithm, level by level (Olsen 2004, "Midpoint displacement", figure 3).
//!
//! Every random number is keyed by level and lattice position in the world, never by the order of drawing. So a map with
//! half the samples is every second sample of the full one, any thread may compute any row, and `Seamless` patches meet.

mod constraint;
mod plane;
mod refine;

use terrane_grid::{Domain, Grid, Heightmap, Seed};

use crate::{Cancelled, Progress, ScalarMap};
use constraint::{keep, known, pass_through, tilt};
pub use plane::{PlaneMidpoint, displacement_on_plane};
use refine::Level;

/// How offsets are distributed inside their range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Every offset in the range is as likely.
    Uniform,
    /// The sum of four uniform numbers: a bell that ends where the range does, a quarter as wide at one deviation.
    Gaussian,
}

/// What happens at the map's border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// The last column meets the first, the last row the first: the map tiles with itself.
    Wrap,
    /// A midpoint on the border is the mean of the three neighbours that exist.
    Open,
    /// A midpoint on the border is the mean of its two neighbours on that border: patches that share a border share it
    /// to the bit.
    Seamless,
}

/// Parameters of [`midpoint_displacement`].
#[derive(Clone, Debug, PartialEq)]
pub struct Midpoint<'a> {
    /// Range of offsets at a level over that of the one before.
    pub persistence: f32,
    /// Factor on the range of each offset, at the point that is offset: of the map's samples, where points beyond the map have that of
    /// the nearest. Not-a-number counts as 0.
    pub roughness: ScalarMap<'a>,
    /// How offsets are distributed.
    pub distribution: Distribution,
    /// Whether offsets grow with the local mean height, which keeps low ground smooth.
    pub smoothed: bool,
    /// What happens at the border.
    pub boundary: Boundary,
    /// Starting points a side: 2 are the four corners. With `Wrap`, starting cells a side.
    pub lattice: u32,
}

/// What becomes of the heights of [`midpoint_displacement`], which lie about [0, 1].
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    /// Factor on heights.
    pub amplitude: f64,
    /// Added to heights.
    pub offset: f64,
    /// Heights of the map's corners: top left, top right, bottom left, bottom right.
    pub corners: Option<[f64; 4]>,
    /// Heights to pass through: world x, world y, height.
    pub points: Vec<(f64, f64, f64)>,
}

/// Why there is no map.
#[derive(Clone, Debug, PartialEq)]
pub enum MidpointError {
    /// The caller asked to stop.
    Cancelled,
    /// The size does not fit the boundary.
    Size {
        /// What size it must have.
        expected: String,
    },
    /// The map of roughness has another size than the domain: this many columns and rows.
    Roughness(usize, usize),
    /// A point lies outside the map.
    Outside(f64, f64),
    /// Two points lie on the same sample with different heights.
    Conflict(f64, f64),
}

impl std::fmt::Display for MidpointError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Cancelled => f.write_str("cancelled"),
            Self::Size { expected } => write!(f, "the size does not fit: {expected}"),
            Self::Roughness(w, h) => {
                write!(f, "`roughness` has {w} x {h} samples, the terrain another number")
            }
            Self::Outside(x, y) => write!(f, "the point ({x}, {y}) lies outside the map"),
            Self::Conflict(x, y) => write!(f, "two points at ({x}, {y}) ask for different heights"),
        }
    }
}

impl std::error::Error for MidpointError {}

impl From<Cancelled> for MidpointError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Midpoint displacement over `domain`.
///
/// Starting points are uniform in [0, 1). At level `l`, counted from 1, a midpoint is the mean of its neighbours plus an
/// offset in ±persistence^l / 2; smoothed, the mean times 1 plus that offset. So heights lie about [0, 1], and always
/// within [−e, 1 + e] with e = p / (1 − p) for persistence p and a roughness of at most 1.
///
/// A size that is no power of two (plus one, unless it wraps) is covered by the next larger and cropped.
///
/// # Errors
/// [`MidpointError`].
pub fn midpoint_displacement(
    domain: &Domain,
    seed: Seed,
    parameters: &Midpoint<'_>,
    progress: &dyn Progress,
) -> Result<Heightmap, MidpointError> {
    Ok(Cover::new(domain, parameters)?.displace(domain, seed, parameters, None, progress)?)
}

/// Midpoint displacement over `domain`, scaled, through known heights: those of the corners, and points at the nearest sample, to the bit.
///
/// Where the corners are starting points (a size of cells times a power of two, plus one), these start with their heights; else the
/// terrain is tilted as a whole, bilinearly. Points move the terrain smoothly: bottom-up, a known height tells the points
/// around it, level by level, by how much they should be moved. It moves the terrain as far as about two starting cells away.
/// So do corners of a map that wraps.
///
/// O(samples + points · levels).
///
/// # Errors
/// [`MidpointError`].
pub fn displacement_through(
    domain: &Domain,
    seed: Seed,
    parameters: &Midpoint<'_>,
    heights: &Heights,
    progress: &dyn Progress,
) -> Result<Heightmap, MidpointError> {
    let cover = Cover::new(domain, parameters)?;
    let known = known(domain, heights)?;
    // A factor too small to divide by leaves the corners to be reached by a tilt.
    let start = heights.corners.filter(|_| cover.fits(domain)).map(|corners| {
        let scale = 1.0 / heights.amplitude;
        corners.map(|height| ((height - heights.offset) * scale) as f32)
    });
    let start = start.filter(|start| start.iter().all(|height| height.abs() < 1.0e30));
    let mut map = cover.displace(domain, seed, parameters, start, progress)?;
    let (amplitude, offset) = (heights.amplitude as f32, heights.offset as f32);
    if (amplitude, offset) != (1.0, 0.0) {
        map.samples_mut().iter_mut().for_each(|height| *height = offset + amplitude * *height);
    }
    let mut all_met = heights.points.is_empty();
    match heights.corners {
        Some(_) if cover.wrap => all_met = false,
        Some(corners) if start.is_none() => tilt(&mut map, corners),
        _ => {}
    }
    if all_met {
        keep(&mut map, &known);
    } else {
        pass_through(&mut map, &cover, &known, progress)?;
    }
    Ok(map)
}

/// The square starting cells that cover a domain.
struct Cover {
    /// Starting cells along x and y.
    cells: (usize, usize),
    /// Halvings from a starting cell to a sample.
    levels: u32,
    /// Position of the domain's first sample in the world's lattice of starting cells.
    origin: (i64, i64),
    wrap: bool,
}

impl Cover {
    fn new(domain: &Domain, parameters: &Midpoint<'_>) -> Result<Self, MidpointError> {
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
            let plus = if wrap { "" } else { " + 1" };
            let expected = format!(
                "with this boundary, columns must be {along} times a power of two{plus} and rows a multiple of the same cells{plus}, such as {} x {}",
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

    /// Midpoint displacement, with these heights of the corners where they are given.
    fn displace(
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
            for (place, height) in [((0, 0), a), ((right, 0), b), ((0, bottom), c), ((right, bottom), d)] {
                grid[place] = height;
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

    /// Points of a level.
    fn size_at(&self, level: u32) -> (usize, usize) {
        let extra = usize::from(!self.wrap);
        ((self.cells.0 << level) + extra, (self.cells.1 << level) + extra)
    }

    /// Points of a level that matter to a domain of `size` samples: its own, and three beyond.
    fn size_within(&self, level: u32, size: (usize, usize)) -> (usize, usize) {
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

    /// Points of a level that a domain of `size` samples is made of: its own, and eight beyond. What is left out cannot be told from a border, which changes points at most
    /// three beside it at each level, half of them at the next.
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
    fn fits(&self, domain: &Domain) -> bool {
        !self.wrap && self.size_at(self.levels) == domain.size
    }

    /// Position of the first point in the world's lattice of a level.
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

#[cfg(test)]
mod tests;
