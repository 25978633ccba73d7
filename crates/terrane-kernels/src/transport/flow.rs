//! Exact earth mover's distance on a grid.
//!
//! Mass moves between neighbouring cells at cost 1 a step, or between any cell and the *outside* at cost
//! `sigma`, in unlimited amounts. The answer is a minimum-cost flow that carries every supply to a demand;
//! any imbalance goes to the outside or comes from it.
//!
//! Before a grid is solved, the same grid is solved at half resolution, and so on down to a few cells. The
//! potentials found on a coarser grid, doubled and smoothed, are within a few units of the right ones. So
//! each finer grid needs few passes. These starting potentials affect only the time: every grid is solved to
//! the exact optimum.

use super::network::Network;
use crate::Cancelled;
use terrane_compute::Alive;

/// Grids no larger than this on either side are solved directly.
const SMALLEST: usize = 4;
/// Above this many cells the potentials might not fit their type.
const MOST_CELLS: usize = 1 << 26;

/// A minimum-cost flow on a grid. The lists have one entry per cell, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// Total of amount times cost, in arc units times supply units.
    pub cost: i128,
    /// Net flow of each cell to its right neighbour; zero in the last column.
    pub right: Vec<i64>,
    /// Net flow of each cell to its lower neighbour; zero in the last row.
    pub down: Vec<i64>,
    /// Net flow of each cell to the outside.
    pub outside: Vec<i64>,
}

/// Why a flow could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlowError {
    /// The caller asked to stop.
    Cancelled,
    /// The number of supplies differs from the number of cells.
    Size,
    /// There are more cells than potentials support, 2²⁶.
    TooLarge,
    /// `sigma` is negative: a cycle through the outside would lower the cost forever.
    Sigma,
    /// The sum of the supplies' absolute values does not fit in an `i64`.
    Supply,
}

impl From<Cancelled> for FlowError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// Finds a minimum-cost flow for the supplies of a grid (negative: demands).
///
/// # Errors
/// [`FlowError`]; [`FlowError::Cancelled`] when `alive`, which is called many times a second, returns an
/// error.
pub fn grid_flow(
    width: usize,
    height: usize,
    supply: &[i64],
    sigma: i64,
    alive: &Alive<'_>,
) -> Result<Flow, FlowError> {
    let cells = width.checked_mul(height).filter(|&cells| cells == supply.len()).ok_or(FlowError::Size)?;
    if cells > MOST_CELLS {
        return Err(FlowError::TooLarge);
    }
    if sigma < 0 {
        return Err(FlowError::Sigma);
    }
    if !adds_up(supply) {
        return Err(FlowError::Supply);
    }
    if cells == 0 {
        return Ok(Flow::new((Vec::new(), Vec::new(), Vec::new()), sigma));
    }
    let network = solve(width, height, supply, short_sigma(width, height, sigma), alive)?;
    Ok(Flow::new(network.flows(), sigma))
}

impl Flow {
    fn new((right, down, outside): (Vec<i64>, Vec<i64>, Vec<i64>), sigma: i64) -> Self {
        let total = |list: &[i64]| list.iter().map(|&f| i128::from(f).abs()).sum::<i128>();
        let cost = total(&right) + total(&down) + i128::from(sigma) * total(&outside);
        Self { cost, right, down, outside }
    }
}

/// Whether no sum of supplies, whatever their signs, can overflow. This covers
/// the flows too: they have no cycles, so no arc carries more than the total.
fn adds_up(supply: &[i64]) -> bool {
    let total = supply.iter().try_fold(0i64, |sum, s| sum.checked_add(s.checked_abs()?));
    total.is_some()
}

/// The cost of the outside, limited to fit the potentials. As soon as the route out and back costs more than
/// any route through the grid, only the imbalance uses the outside. A higher cost then does not change the
/// cheapest flow.
pub(super) fn short_sigma(width: usize, height: usize, sigma: i64) -> i32 {
    // Within the maximum number of cells, no grid is wider than an i32.
    sigma.min((width + height) as i64) as i32
}

/// Solves a grid, starting from the solution of the same grid at half resolution.
pub(super) fn solve(
    width: usize,
    height: usize,
    supply: &[i64],
    sigma: i32,
    alive: &Alive<'_>,
) -> Result<Network, Cancelled> {
    let start = if width.max(height) <= SMALLEST {
        vec![0; supply.len()]
    } else {
        let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
        let coarse = halve(width, supply);
        let half_sigma = (sigma + 1) / 2;
        let solved = solve(half_width, half_height, &coarse, half_sigma, alive)?;
        double(width, height, sigma, &solved.potentials())
    };
    let mut network = Network::new(width, sigma, supply, &start);
    network.solve(alive)?;
    Ok(network)
}

/// Adds up the supplies of each block of two by two cells.
fn halve(width: usize, supply: &[i64]) -> Vec<i64> {
    let mut sums = Vec::with_capacity(supply.len().div_ceil(2));
    for rows in supply.chunks(2 * width) {
        let (upper, lower) = rows.split_at(width);
        let mut line: Vec<i64> = upper.chunks(2).map(|pair| pair.iter().sum()).collect();
        for (sum, pair) in line.iter_mut().zip(lower.chunks(2)) {
            *sum += pair.iter().sum::<i64>();
        }
        sums.append(&mut line);
    }
    sums
}

/// Potentials for a grid from those at half resolution: doubled, since a coarse step is two fine ones, and
/// interpolated between the centres of the blocks. Neighbours differ by at most 1 in the interpolation.
/// Rounding down and the limit to `sigma` preserve this, so the result obeys the steepness rule.
fn double(width: usize, height: usize, sigma: i32, coarse: &[i32]) -> Vec<i32> {
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut fine = Vec::with_capacity(width * height);
    for y in 0..height {
        let (near_y, far_y) = blocks(y, half_height);
        for x in 0..width {
            let (near_x, far_x) = blocks(x, half_width);
            let at = |i: usize, j: usize| coarse[j * half_width + i];
            let near = 3 * at(near_x, near_y) + at(far_x, near_y);
            let far = 3 * at(near_x, far_y) + at(far_x, far_y);
            // Sixteenths of the coarse potential are eighths of the fine one.
            let potential = (3 * near + far).div_euclid(8);
            fine.push(potential.clamp(-sigma, sigma));
        }
    }
    fine
}

/// The block that holds a fine coordinate, and the next block on its side.
fn blocks(fine: usize, count: usize) -> (usize, usize) {
    let block = fine / 2;
    let next = if fine.is_multiple_of(2) { block.saturating_sub(1) } else { block + 1 };
    (block, next.min(count - 1))
}
