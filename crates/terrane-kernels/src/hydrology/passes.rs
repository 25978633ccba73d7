//! The lowest passes between basins.

use crate::parallel::try_collect;

use super::overflow::LakeTerrain;
use crate::Cancelled;
use terrane_compute::Alive;
use terrane_grid::Shape;

/// The lowest pass between two basins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pass {
    /// Numbers of both basins, the lower one first; 0 is the sea.
    pub basins: (u32, u32),
    /// Its height, as bits that sort like heights.
    pub(super) ordered: u32,
    /// The samples on either side of the pass: that of the first basin, then that of the second.
    pub samples: (u32, u32),
}

impl Pass {
    /// The height of the pass: of the higher of its two samples.
    #[must_use]
    pub const fn height(&self) -> f32 {
        let bits = self.ordered;
        f32::from_bits(if bits >> 31 == 1 { bits & !(1 << 31) } else { !bits })
    }

    /// The basin on the other side of the pass.
    #[must_use]
    pub const fn other(&self, basin: u32) -> u32 {
        if self.basins.0 == basin { self.basins.1 } else { self.basins.0 }
    }
}

/// Offsets to the neighbours with a higher index, so that each pair of neighbours is visited once.
const FORWARD: [(isize, isize); 4] = [(1, 0), (-1, 1), (0, 1), (1, 1)];

/// Rows per task.
const BAND: usize = 32;

/// A height's bits, changed so that they sort like heights. [`Pass::height`] is the inverse.
fn ordered(height: f32) -> u32 {
    let bits = height.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Finds the lowest pass between every two adjacent basins, in each band of rows separately, sorted by
/// basins. `numbers` holds the number of each sample's basin; 0 is the sea.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
///
/// # Panics
/// If there are fewer numbers than samples.
pub(super) fn passes(
    ground: &LakeTerrain<'_>,
    numbers: &[u32],
    alive: &Alive<'_>,
) -> Result<Vec<Pass>, Cancelled> {
    banded(ground, numbers, Found::lowest, alive)
}

/// The same passes and some higher ones, in no order: for what takes the lowest pass first.
///
/// # Errors
/// [`Cancelled`] when `alive` cancels.
pub(super) fn unsorted_passes(
    ground: &LakeTerrain<'_>,
    numbers: &[u32],
    alive: &Alive<'_>,
) -> Result<Vec<Pass>, Cancelled> {
    banded(ground, numbers, Found::all, alive)
}

/// The passes of bands of rows, one band after the other. Two basins that meet in several bands have several
/// passes. The queue of passes returns the lowest first.
fn banded(
    ground: &LakeTerrain<'_>,
    numbers: &[u32],
    finish: fn(Found) -> Vec<Pass>,
    alive: &Alive<'_>,
) -> Result<Vec<Pass>, Cancelled> {
    let LakeTerrain { shape, heights, open, .. } = *ground;
    let bands: Vec<Vec<Pass>> = try_collect(shape.height.div_ceil(BAND), 1, |band| {
        let mut found = Found::new();
        let mut between = |at: usize, to: usize| {
            let (own, other) = (numbers[at], numbers[to]);
            if own == other {
                return;
            }
            let (here, there) = (heights[at], heights[to]);
            // A pass into a hole. The sample itself is also the pass's far side.
            if there.is_nan() {
                found.add((0, own), here, (at, at));
            } else if here.is_nan() {
                found.add((0, other), there, (to, to));
            } else {
                let height = if there > here { there } else { here };
                if own < other {
                    found.add((own, other), height, (at, to));
                } else {
                    found.add((other, own), height, (to, at));
                }
            }
        };
        let rows = band * BAND..((band + 1) * BAND).min(shape.height);
        for row in rows.clone() {
            alive()?;
            let first = row * shape.width;
            at_borders(shape, numbers, row, |column, is_inner| {
                let at = first + column;
                for offset in FORWARD {
                    if is_inner {
                        between(at, at.wrapping_add_signed(offset.1 * shape.width as isize + offset.0));
                    } else if let Some(to) = shape.neighbour_at(at, (column, row), offset) {
                        between(at, to);
                    }
                }
            });
        }
        // Passes to the sea beyond the border.
        for row in rows.filter(|_| open) {
            let first = row * shape.width;
            let border = (0..shape.width).filter(|&column| shape.on_border((column, row)));
            for at in border.map(|column| first + column).filter(|&at| numbers[at] != 0) {
                found.add((0, numbers[at]), heights[at], (at, at));
            }
        }
        Ok(finish(found))
    })?;
    let mut passes = Vec::with_capacity(bands.iter().map(Vec::len).sum());
    for band in bands {
        alive()?;
        passes.extend(band);
    }
    Ok(passes)
}

/// Calls `visit` with the columns of a row whose samples are on the border of the map, or beside another
/// basin that lies to the right or below, and with whether the sample is off the border. Most samples have
/// neighbours of their own basin only.
fn at_borders(shape: Shape, numbers: &[u32], row: usize, mut visit: impl FnMut(usize, bool)) {
    /// Samples that are compared at once.
    const AT_ONCE: usize = 16;
    let width = shape.width;
    if row == 0 || row + 1 >= shape.height || width < 3 {
        (0..width).for_each(|column| visit(column, false));
        return;
    }
    visit(0, false);
    let inner = |from: usize| &numbers[from..from + width - 2];
    let (start, below) = (row * width + 1, (row + 1) * width + 1);
    let own = inner(start);
    let others = [start + 1, below - 1, below, below + 1].map(inner);
    for first in (0..own.len()).step_by(AT_ONCE) {
        let end = (first + AT_ONCE).min(own.len());
        let mut differ = [0u32; AT_ONCE];
        for other in others {
            for ((differ, own), other) in differ.iter_mut().zip(&own[first..end]).zip(&other[first..end]) {
                *differ |= own ^ other;
            }
        }
        if differ != [0; AT_ONCE] {
            (first..end)
                .filter(|column| differ[column - first] != 0)
                .for_each(|column| visit(column + 1, true));
        }
    }
    visit(width - 1, false);
}

/// The passes of a band. A small hash table, with slots for pairs of basins, holds recent passes. Most passes
/// lie next to another pass between the same two basins, which is then still in its slot. The lower of the
/// two is kept.
struct Found {
    slots: Vec<Pass>,
    passes: Vec<Pass>,
}

/// An empty slot.
const NONE: Pass = Pass { basins: (0, 0), ordered: 0, samples: (0, 0) };

/// Log2 of the number of slots. The slots fit in the second-level cache.
const SLOTS: u32 = 12;

impl Found {
    fn new() -> Self {
        Self { slots: vec![NONE; 1 << SLOTS], passes: Vec::new() }
    }

    /// Adds a pass between two basins, the lower number first, and the samples on either side of it.
    #[inline]
    fn add(&mut self, basins: (u32, u32), height: f32, samples: (usize, usize)) {
        let (a, b) = basins;
        // Spreads the numbers of neighbouring basins by multiplication (Knuth's golden ratio).
        let hash = (a.wrapping_mul(0x9e37_79b1) ^ b).wrapping_mul(0x9e37_79b1) >> (32 - SLOTS);
        let slot = &mut self.slots[hash as usize];
        let pass = Pass { basins, ordered: ordered(height), samples: (samples.0 as u32, samples.1 as u32) };
        if slot.basins != basins {
            let other = std::mem::replace(slot, pass);
            if other != NONE {
                self.passes.push(other);
            }
        } else if (pass.ordered, pass.samples) < (slot.ordered, slot.samples) {
            *slot = pass;
        }
    }

    fn all(mut self) -> Vec<Pass> {
        self.passes.extend(self.slots.into_iter().filter(|pass| *pass != NONE));
        self.passes
    }

    /// The lowest pass between every two basins, sorted by basins.
    fn lowest(self) -> Vec<Pass> {
        let mut passes = self.all();
        passes.sort_unstable();
        passes.dedup_by_key(|pass| pass.basins);
        passes
    }
}
