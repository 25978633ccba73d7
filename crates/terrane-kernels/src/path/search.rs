//! The cheapest way over a map, whatever its steps cost: A* (Hart, Nilsson & Raphael 1968).

use crate::parallel::{slices, try_for_each};

use super::open::{Open, Queue};
use crate::hydrology::PATIENCE;
use crate::{Cancelled, Progress};

/// Samples row by row, with a rim around them that no step comes out of: so steps need not look where the map
/// ends.
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

    /// Samples in a row, the rim's among them.
    pub const fn stride(self) -> usize {
        self.width + 2 * self.rim
    }

    /// How many samples there are, the rim's among them.
    const fn count(self) -> usize {
        self.stride() * (self.height + 2 * self.rim)
    }

    pub const fn index(self, (x, y): (usize, usize)) -> usize {
        (y + self.rim) * self.stride() + x + self.rim
    }

    /// Column and row, counted from the rim's first sample.
    #[inline]
    const fn rimmed_place(self, at: usize) -> (u32, u32) {
        // Division of 32 bits is much faster.
        (at as u32 % self.stride() as u32, at as u32 / self.stride() as u32)
    }

    pub const fn place(self, at: usize) -> (usize, usize) {
        let (x, y) = self.rimmed_place(at);
        (x as usize - self.rim, y as usize - self.rim)
    }

    /// `f` of the column and row of each sample, and `outside` on the rim.
    pub fn filled<T: Copy + Default + Send + Sync>(
        self,
        outside: T,
        progress: &dyn Progress,
        f: impl Fn(usize, usize) -> T + Sync,
    ) -> Result<Vec<T>, Cancelled> {
        // Memory that is zero comes without being written to.
        let mut all = vec![T::default(); self.count()];
        try_for_each(slices(&mut all, self.stride()), 16, |row, all| {
            if row.is_multiple_of(64) {
                progress.report(0.0)?;
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

/// A step out of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Offset {
    /// How far along columns and rows it goes.
    pub by: (i32, i32),
    /// How far the sample's index goes.
    pub index: isize,
    /// What it costs at least.
    pub floor: f64,
}

impl Offset {
    pub const fn new(by: (i32, i32), map: Rimmed, floor: f64) -> Self {
        Self { by, index: by.1 as isize * map.stride() as isize + by.0 as isize, floor }
    }
}

/// What steps over a map cost.
pub trait Steps {
    fn map(&self) -> Rimmed;

    /// All steps out of a sample, at most 127.
    fn offsets(&self) -> &[Offset];

    /// What a step costs, greater than 0; not a number where it cannot be made. Where that is not below
    /// `useful`, anything that is not.
    fn cost(&self, at: usize, way: usize, useful: f64) -> f64;

    /// What two samples so many columns and rows apart cost at least. It must be consistent: no step costs
    /// less than it brings the estimate down.
    fn estimate(&self, columns: u32, rows: u32) -> f64;
}

/// That a sample's cheapest way is known.
const DONE: u8 = 1 << 7;

/// Unknown costs, which are infinite, are held as 0: memory that is zero is not touched until it is needed,
/// so that short ways cost no more on large maps.
const UNKNOWN: u64 = f64::INFINITY.to_bits();

/// The cheapest way from one sample to another, as the samples between its steps, both ends included, and its
/// cost. As the estimate is consistent a sample's way is the cheapest when it is taken for the first time.
///
/// `None` where no way leads there. O(samples · log samples).
pub fn cheapest(
    steps: &impl Steps,
    from: usize,
    to: usize,
    progress: &dyn Progress,
) -> Result<Option<(Vec<usize>, f64)>, Cancelled> {
    let map = steps.map();
    let goal = map.rimmed_place(to);
    let mut cost = vec![0u64; map.count()];
    let mut came = vec![0u8; map.count()];
    let open_at = |at: usize, (x, y): (u32, u32), cost: f64| {
        let (columns, rows) = (x.abs_diff(goal.0), y.abs_diff(goal.1));
        Open::new(cost + steps.estimate(columns, rows), columns + rows, at as u32)
    };
    cost[from] = 0.0f64.to_bits() ^ UNKNOWN;
    let mut open = Queue::new(steps.offsets().first().map_or(0.0, |offset| offset.floor));
    open.push(open_at(from, map.rimmed_place(from), 0.0));
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
        if count.is_multiple_of(PATIENCE / 64) {
            progress.report(0.0)?;
        }
        let (x, y) = map.rimmed_place(at);
        for (way, offset) in steps.offsets().iter().enumerate() {
            let next = at.wrapping_add_signed(offset.index);
            let known = f64::from_bits(cost[next] ^ UNKNOWN);
            // Most need not be found any nearer than what the step costs at least.
            if here + offset.floor >= known {
                continue;
            }
            let through = here + steps.cost(at, way, known - here);
            if through < known && came[next] & DONE == 0 {
                cost[next] = through.to_bits() ^ UNKNOWN;
                came[next] = way as u8 + 1;
                let place = (x.wrapping_add_signed(offset.by.0), y.wrapping_add_signed(offset.by.1));
                open.push(open_at(next, place, through));
            }
        }
    }
    Ok(None)
}

/// The way to a sample, from where nothing came.
fn back(came: &[u8], offsets: &[Offset], to: usize) -> Vec<usize> {
    let (mut at, mut way) = (to, vec![to]);
    while let Some(last) = usize::from(came[at] & !DONE).checked_sub(1) {
        at = at.wrapping_add_signed(-offsets[last].index);
        way.push(at);
    }
    way.reverse();
    way
}

/// How many samples can be reached from one, itself included, along rows and columns. Steps of other kinds
/// touch only samples that these reach as well.
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
        if count.is_multiple_of(PATIENCE / 4) {
            progress.report(0.0)?;
        }
        for next in [at - 1, at + 1, at - map.stride(), at + map.stride()] {
            if crossed(next) && !std::mem::replace(&mut known[next], true) {
                open.push(next);
            }
        }
    }
    Ok(count)
}
