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

/// Finds the lowest pass between every two adjacent basins, in each band of rows separately. `numbers` holds
/// the number of each sample's basin; 0 is the sea.
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
    let (shape, heights) = (ground.shape, ground.heights);
    let number = |at: usize| numbers[at];
    let bands: Vec<Vec<Pass>> = try_collect(shape.height.div_ceil(BAND), 1, |band| {
        let mut found = Found::new();
        for row in band * BAND..((band + 1) * BAND).min(shape.height) {
            alive()?;
            at_borders(shape, numbers, row, |column| {
                let at = row * shape.width + column;
                let own = number(at);
                // A pass to the sea beyond the border, or into a hole. The sample itself is also the pass's
                // far side.
                let outwards = |at: usize, own: u32| {
                    let samples = (at as u32, at as u32);
                    Pass { basins: (0, own), ordered: ordered(heights[at]), samples }
                };
                if ground.open && own != 0 && shape.on_border((column, row)) {
                    found.add(outwards(at, own));
                }
                for offset in FORWARD {
                    let Some(to) = shape.neighbour_at(at, (column, row), offset) else { continue };
                    let other = number(to);
                    if own == other {
                        continue;
                    }
                    found.add(if heights[to].is_nan() {
                        outwards(at, own)
                    } else if heights[at].is_nan() {
                        outwards(to, other)
                    } else {
                        let ordered = ordered(heights[at].max(heights[to]));
                        let (basins, samples) = if own < other {
                            ((own, other), (at as u32, to as u32))
                        } else {
                            ((other, own), (to as u32, at as u32))
                        };
                        Pass { basins, ordered, samples }
                    });
                }
            });
        }
        Ok(found.lowest())
    })?;
    // Two basins that meet in several bands have several passes. The queue of passes returns the lowest
    // first.
    let mut passes = Vec::with_capacity(bands.iter().map(Vec::len).sum());
    for band in bands {
        alive()?;
        passes.extend(band);
    }
    Ok(passes)
}

/// Calls `visit` with the columns of a row whose samples are on the border of the map, or beside another basin
/// that lies to the right or below. Most samples have neighbours of their own basin only.
fn at_borders(shape: Shape, numbers: &[u32], row: usize, mut visit: impl FnMut(usize)) {
    /// Samples that are compared at once.
    const AT_ONCE: usize = 16;
    let width = shape.width;
    if row == 0 || row + 1 >= shape.height || width < 3 {
        (0..width).for_each(visit);
        return;
    }
    visit(0);
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
            (first..end).filter(|column| differ[column - first] != 0).for_each(|column| visit(column + 1));
        }
    }
    visit(width - 1);
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

/// Log2 of the number of slots. The slots fit in the first-level cache.
const SLOTS: u32 = 9;

impl Found {
    fn new() -> Self {
        Self { slots: vec![NONE; 1 << SLOTS], passes: Vec::new() }
    }

    fn add(&mut self, pass: Pass) {
        let (a, b) = pass.basins;
        // Spreads the numbers of neighbouring basins by multiplication (Knuth's golden ratio).
        let hash = (a.wrapping_mul(0x9e37_79b1) ^ b).wrapping_mul(0x9e37_79b1) >> (32 - SLOTS);
        let slot = &mut self.slots[hash as usize];
        if slot.basins == pass.basins {
            *slot = pass.min(*slot);
        } else {
            let other = std::mem::replace(slot, pass);
            if other != NONE {
                self.passes.push(other);
            }
        }
    }

    /// The lowest pass between every two basins, sorted by basins.
    fn lowest(mut self) -> Vec<Pass> {
        self.passes.extend(self.slots.into_iter().filter(|pass| *pass != NONE));
        self.passes.sort_unstable();
        self.passes.dedup_by_key(|pass| pass.basins);
        self.passes
    }
}
