//! The cheapest route over a map for any cost of steps: A* (Hart, Nilsson & Raphael 1968).

use crate::parallel::{slices, try_for_each};

use super::queue::{Open, Queue};
use crate::{Cancelled, Progress};
use terrane_compute::CHECK_INTERVAL;

/// Indices of samples row by row, with a rim around the map. The rim is so wide that no step from a sample
/// leaves it, so steps need no bounds checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rimmed {
    width: usize,
    height: usize,
    rim: usize,
}

impl Rimmed {
    pub const fn new((width, height): (usize, usize), rim: usize) -> Self {
        Self { width, height, rim }
    }

    /// Samples in a row, including the rim.
    pub const fn stride(self) -> usize {
        self.width + 2 * self.rim
    }

    /// The number of samples, including the rim.
    const fn count(self) -> usize {
        self.stride() * (self.height + 2 * self.rim)
    }

    pub const fn index(self, (x, y): (usize, usize)) -> usize {
        (y + self.rim) * self.stride() + x + self.rim
    }

    /// Column and row, counted from the rim's first sample.
    #[inline]
    const fn rimmed_position(self, at: usize) -> (u32, u32) {
        // 32-bit division is much faster.
        (at as u32 % self.stride() as u32, at as u32 / self.stride() as u32)
    }

    pub const fn position(self, at: usize) -> (usize, usize) {
        let (x, y) = self.rimmed_position(at);
        (x as usize - self.rim, y as usize - self.rim)
    }

    /// The values of `f` at each sample's column and row, and `outside` on the rim.
    pub fn filled<T: Copy + Default + Send + Sync>(
        self,
        outside: T,
        progress: &dyn Progress,
        f: impl Fn(usize, usize) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
        // Zeroed memory need not be written.
        let mut all = vec![T::default(); self.count()];
        try_for_each(slices(&mut all, self.stride()), 16, |row, all| {
            if row.is_multiple_of(64) {
                progress.check()?;
            }
            let y = row.wrapping_sub(self.rim);
            for (column, value) in all.iter_mut().enumerate() {
                let x = column.wrapping_sub(self.rim);
                *value = if x < self.width && y < self.height { f(x, y) } else { outside };
            }
            Ok(())
        })?;
        Ok(all)
    }
}

/// A step from a sample.
#[derive(Clone, Copy, Debug)]
pub struct Offset {
    /// Columns and rows.
    pub by: (i32, i32),
    /// Difference of indices.
    pub index: isize,
    /// The step's minimum cost.
    pub floor: f64,
}

impl Offset {
    pub const fn new(by: (i32, i32), map: Rimmed, floor: f64) -> Self {
        Self { by, index: by.1 as isize * map.stride() as isize + by.0 as isize, floor }
    }
}

/// Steps over a map, and their costs.
pub trait Steps {
    fn map(&self) -> Rimmed;

    /// All steps from a sample, at most 127.
    fn offsets(&self) -> &[Offset];

    /// The cost of a step, greater than 0; NaN if the step is not allowed. If the cost is at least `useful`,
    /// any number from `useful` up may be returned.
    fn cost(&self, at: usize, step: usize, useful: f64) -> f64;

    /// A lower bound of the cost between two samples this many columns and rows apart. It must be consistent:
    /// no step may cost less than the amount by which it reduces the estimate.
    fn estimate(&self, columns: u32, rows: u32) -> f64;
}

/// Marks a sample whose cheapest route is known.
const DONE: u8 = 1 << 7;

/// Unknown costs are infinite and stored as 0: zeroed memory is not touched until it is used, so short routes
/// cost no more on large maps.
const UNKNOWN: u64 = f64::INFINITY.to_bits();

/// The cheapest route from one sample to another, as the samples between its steps including both ends, and
/// its cost. Since the estimate is consistent, a sample's route is the cheapest when it is first taken from
/// the queue.
///
/// `None` if no route exists. O(samples · log samples).
pub fn cheapest(
    steps: &impl Steps,
    from: usize,
    to: usize,
    progress: &dyn Progress,
) -> Result<Option<(Vec<usize>, f64)>, Cancelled> {
    let map = steps.map();
    let goal = map.rimmed_position(to);
    let mut cost = vec![0u64; map.count()];
    let mut came = vec![0u8; map.count()];
    let open_at = |at: usize, (x, y): (u32, u32), cost: f64| {
        let (columns, rows) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
        Open::new(cost + steps.estimate(columns, rows), columns + rows, at as u32)
    };
    cost[from] = 0.0f64.to_bits() ^ UNKNOWN;
    let mut open = Queue::new(steps.offsets().first().map_or(0.0, |offset| offset.floor));
    open.push(open_at(from, map.rimmed_position(from), 0.0));
    let mut count = 0usize;
    while let Some(next) = open.pop() {
        let at = next.at();
        if came[at] & DONE != 0 {
            continue;
        }
        came[at] |= DONE;
        let here = f64::from_bits(cost[at] ^ UNKNOWN);
        if at == to {
            return Ok(Some((back(&came, steps.offsets(), to), here)));
        }
        count += 1;
        if count.is_multiple_of(CHECK_INTERVAL / 64) {
            progress.check()?;
        }
        let (x, y) = map.rimmed_position(at);
        for (step, offset) in steps.offsets().iter().enumerate() {
            let next = at.wrapping_add_signed(offset.index);
            let known = f64::from_bits(cost[next] ^ UNKNOWN);
            // Most steps are rejected by their minimum cost, without computing the exact one.
            if here + offset.floor >= known {
                continue;
            }
            let through = here + steps.cost(at, step, known - here);
            if through < known && came[next] & DONE == 0 {
                cost[next] = through.to_bits() ^ UNKNOWN;
                came[next] = step as u8 + 1;
                let place = (x.wrapping_add_signed(offset.by.0), y.wrapping_add_signed(offset.by.1));
                open.push(open_at(next, place, through));
            }
        }
    }
    Ok(None)
}

/// The route to a sample from the start, which has no predecessor.
fn back(came: &[u8], offsets: &[Offset], to: usize) -> Vec<usize> {
    let (mut at, mut route) = (to, vec![to]);
    while let Some(last) = usize::from(came[at] & !DONE).checked_sub(1) {
        at = at.wrapping_add_signed(-offsets[last].index);
        route.push(at);
    }
    route.reverse();
    route
}

/// The number of samples that can be reached from a sample along rows and columns, including itself. Other
/// steps touch only samples that are also reached in this way.
pub fn reached(
    map: Rimmed,
    crossed: impl Fn(usize) -> bool,
    from: usize,
    progress: &dyn Progress,
) -> Result<usize, Cancelled> {
    let mut known = vec![false; map.count()];
    known[from] = true;
    let (mut open, mut count) = (vec![from], 0usize);
    while let Some(at) = open.pop() {
        count += 1;
        if count.is_multiple_of(CHECK_INTERVAL / 4) {
            progress.check()?;
        }
        for next in [at - 1, at + 1, at - map.stride(), at + map.stride()] {
            if crossed(next) && !std::mem::replace(&mut known[next], true) {
                open.push(next);
            }
        }
    }
    Ok(count)
}
