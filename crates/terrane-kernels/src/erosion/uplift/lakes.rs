//! Lakes and where they run over (Cordonnier et al. 2016, section 4.3).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use super::{FORWARD, Shape};
use crate::Cancelled;
use crate::erosion::network::{Alive, Network, PATIENCE};

/// The lowest way between two basins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pass {
    /// Numbers of both basins, the lower one first; 0 is the sea.
    basins: (u32, u32),
    /// Height, as bits in the order of numbers.
    height: u32,
    /// The samples on either side, of the first basin and of the second.
    samples: (u32, u32),
}

/// Rows that a task looks at together.
const BAND: usize = 32;

/// Bits that are in the order of the numbers.
fn ordered(height: f32) -> u32 {
    let bits = height.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
}

/// Lets every lake run over: from the sea, again and again the lowest pass to a lake that is not yet joined is taken, and the
/// lake's bottom drains to the far side of it. `numbers` is room for as many numbers as there are samples. O(samples + passes ·
/// log passes).
pub fn join(
    network: &mut Network,
    heights: &[f32],
    sea: &[bool],
    shape: Shape,
    roots: &[AtomicU32],
    numbers: &mut [u32],
    alive: &Alive<'_>,
) -> Result<(), Cancelled> {
    network.roots(roots, alive)?;
    let mut bottoms: Vec<u32> = vec![u32::MAX];
    for (at, number) in numbers.iter_mut().enumerate() {
        if at.is_multiple_of(PATIENCE) {
            alive()?;
        }
        if network.receivers[at] as usize == at {
            *number = if sea[at] { 0 } else { bottoms.len() as u32 };
            if *number != 0 {
                bottoms.push(at as u32);
            }
        }
    }
    if bottoms.len() == 1 {
        return Ok(());
    }
    // From here on each sample has its basin's number.
    let numbers = &*numbers;
    roots.par_iter().with_min_len(4096).for_each(|root| {
        root.store(numbers[root.load(Relaxed) as usize], Relaxed);
    });
    let passes = passes(heights, shape, roots, alive)?;
    // Per basin, its passes.
    let mut starts = vec![0usize; bottoms.len() + 1];
    for (index, pass) in passes.iter().enumerate() {
        if index.is_multiple_of(PATIENCE) {
            alive()?;
        }
        starts[pass.basins.0 as usize + 1] += 1;
        starts[pass.basins.1 as usize + 1] += 1;
    }
    for basin in 1..starts.len() {
        starts[basin] += starts[basin - 1];
    }
    let (mut ends, mut around) = (starts.clone(), vec![0u32; 2 * passes.len()]);
    for (index, pass) in passes.iter().enumerate() {
        if index.is_multiple_of(PATIENCE) {
            alive()?;
        }
        for basin in [pass.basins.0, pass.basins.1] {
            around[ends[basin as usize]] = index as u32;
            ends[basin as usize] += 1;
        }
    }
    let mut joined = vec![false; bottoms.len()];
    let mut open = BinaryHeap::new();
    let (mut next, mut count) = (Some(0u32), 0usize);
    while let Some(basin) = next {
        count += 1;
        if count.is_multiple_of(1 << 14) {
            alive()?;
        }
        joined[basin as usize] = true;
        for &index in &around[starts[basin as usize]..starts[basin as usize + 1]] {
            open.push(Reverse((passes[index as usize].height, index)));
        }
        next = None;
        while let Some(Reverse((_, index))) = open.pop() {
            let Pass { basins: (a, b), samples: (in_a, in_b), .. } = passes[index as usize];
            let (lake, far) = match (joined[a as usize], joined[b as usize]) {
                (true, false) => (b, in_a),
                (false, true) => (a, in_b),
                _ => continue,
            };
            network.receivers[bottoms[lake as usize] as usize] = far;
            next = Some(lake);
            break;
        }
    }
    Ok(())
}

/// The lowest passes, in each band of rows, between each two basins that meet.
fn passes(
    heights: &[f32],
    shape: Shape,
    numbers: &[AtomicU32],
    alive: &Alive<'_>,
) -> Result<Vec<Pass>, Cancelled> {
    let number = |at: usize| numbers[at].load(Relaxed);
    let bands: Vec<Vec<Pass>> = (0..shape.height.div_ceil(BAND))
        .into_par_iter()
        .map(|band| {
            alive()?;
            let mut found = Vec::new();
            for row in band * BAND..((band + 1) * BAND).min(shape.height) {
                for column in 0..shape.width {
                    let at = row * shape.width + column;
                    let own = number(at);
                    for offset in FORWARD {
                        let Some(to) = shape.beside((column, row), offset) else { continue };
                        let other = number(to);
                        if own != other {
                            let height = ordered(heights[at].max(heights[to]));
                            let (basins, samples) = if own < other {
                                ((own, other), (at as u32, to as u32))
                            } else {
                                ((other, own), (to as u32, at as u32))
                            };
                            found.push(Pass { basins, height, samples });
                        }
                    }
                }
            }
            lowest(&mut found);
            Ok(found)
        })
        .collect::<Result<_, Cancelled>>()?;
    // Basins of several bands have several passes, of which the lowest is met first.
    Ok(bands.concat())
}

/// Keeps the lowest pass between each two basins.
fn lowest(passes: &mut Vec<Pass>) {
    passes.sort_unstable();
    passes.dedup_by_key(|pass| pass.basins);
}
