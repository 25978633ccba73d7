//! The way of least cost over a map: A* (Hart, Nilsson & Raphael 1968) with the costs of Velzel, section 4.1.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use terrane_grid::Heightmap;

use crate::hydrology::{PATIENCE, Shape, WAYS};
use crate::{Cancelled, Progress};

/// What a step costs: its length, and that length times α · |slope|^β. Lengths are L1, two spacings along a diagonal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// How much slopes cost (α); at least 0.
    pub alpha: f64,
    /// The power of slopes (β); greater than 0.
    pub beta: f64,
}

impl Costs {
    /// Of a step of length `run` up or down by `rise`.
    #[inline]
    fn step(self, rise: f32, run: f64) -> f64 {
        let slope = rise.abs() / run as f32;
        // In single precision, which is enough for a penalty: the power, by way of logarithms, is several times as fast.
        let power = if slope > 0.0 { libm::exp2f(self.beta as f32 * libm::log2f(slope)) } else { slope };
        run + run * self.alpha * f64::from(power)
    }
}

/// A place under way; the heap's greatest is the one to go on from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open {
    /// Bits of a number that is not negative are in its order: cost so far and least to come.
    through: Reverse<u64>,
    /// Among equal ones that which is nearest to the goal, then the first sample: so ways do not depend on chance.
    to_come: Reverse<u64>,
    at: Reverse<u32>,
}

/// The cheapest way from one sample to another over the eight-connected map, both included, and its cost. What is left to go costs at
/// least its L1 distance, and a step brings that no nearer than it costs: so the first time that a sample is taken its way is the
/// best (the estimate is consistent). Samples that are not numbers cannot be crossed.
///
/// `None` where no way leads there. O(samples · log samples).
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
pub fn cheapest_way(
    map: &Heightmap,
    (from, to): (usize, usize),
    costs: Costs,
    progress: &dyn Progress,
) -> Result<Option<(Vec<u32>, f64)>, Cancelled> {
    let shape = Shape { width: map.width(), height: map.height(), wrap: false };
    let heights = map.samples();
    let spacing = map.spacing();
    let goal = shape.place(to);
    let least = |(x, y): (usize, usize)| (x.abs_diff(goal.0) + y.abs_diff(goal.1)) as f64 * spacing;
    let mut cost = vec![f64::INFINITY; heights.len()];
    let mut came = vec![0u8; heights.len()];
    let mut done = vec![false; heights.len()];
    let open_at = |at: usize, place: (usize, usize), cost: f64| {
        let to_come = least(place);
        let through = Reverse((cost + to_come).to_bits());
        Open { through, to_come: Reverse(to_come.to_bits()), at: Reverse(at as u32) }
    };
    cost[from] = 0.0;
    let mut open = BinaryHeap::from([open_at(from, shape.place(from), 0.0)]);
    let mut count = 0usize;
    while let Some(Open { at: Reverse(at), .. }) = open.pop() {
        let at = at as usize;
        if std::mem::replace(&mut done[at], true) {
            continue;
        }
        if at == to {
            return Ok(Some((back(&came, shape, to), cost[to])));
        }
        count += 1;
        if count.is_multiple_of(PATIENCE / 16) {
            progress.report(0.0)?;
        }
        let place = shape.place(at);
        for (way, &offset) in WAYS.iter().enumerate().skip(1) {
            let Some(next) = shape.beside_at(at, place, offset) else { continue };
            let run = if way > 4 { 2.0 * spacing } else { spacing };
            // A step costs its length at least: most need not be found any nearer.
            if done[next] || cost[at] + run >= cost[next] {
                continue;
            }
            let through = cost[at] + costs.step(heights[next] - heights[at], run);
            if through < cost[next] {
                cost[next] = through;
                came[next] = way as u8;
                let beside = (place.0.wrapping_add_signed(offset.0), place.1.wrapping_add_signed(offset.1));
                open.push(open_at(next, beside, through));
            }
        }
    }
    Ok(None)
}

/// The way to a sample, from where nothing came.
fn back(came: &[u8], shape: Shape, to: usize) -> Vec<u32> {
    let (mut at, mut way) = (to, vec![to as u32]);
    while came[at] != 0 {
        let (dx, dy) = WAYS[usize::from(came[at])];
        let (x, y) = shape.place(at);
        // It came from inside the map.
        at = shape.beside((x, y), (-dx, -dy)).unwrap_or(at);
        way.push(at as u32);
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Seed};

    use super::*;
    use crate::Silent;

    const COSTS: Costs = Costs { alpha: 10_000.0, beta: 1.8 };

    fn noise(w: usize, h: usize, seed: u64) -> Heightmap {
        let lattice = Seed(seed).lattice();
        Heightmap::from_fn(Domain::new(w, h).with_spacing(2.0), |x, y| 0.1 * lattice.unit(x as i64, y as i64))
    }

    fn way(map: &Heightmap, ends: (usize, usize)) -> (Vec<u32>, f64) {
        cheapest_way(map, ends, COSTS, &Silent).unwrap().unwrap()
    }

    #[test]
    fn a_way_goes_round_a_wall() {
        let wall = Heightmap::from_fn(Domain::new(5, 4), |x, y| if x == 2 && y < 3 { 1.0 } else { 0.0 });
        let (path, cost) = way(&wall, (0, 4));
        assert!(path.contains(&17), "through the gap below the wall: {path:?}");
        // Four columns, three rows down and up again, all flat.
        assert_eq!(cost, 10.0);
        // A slope of 1 over one spacing: 1 + 10000 each way, where walls leave no gap.
        let closed = Heightmap::from_fn(Domain::new(3, 1), |x, _| f32::from(u8::from(x == 1)));
        assert_eq!(way(&closed, (0, 2)).1, 2.0 * 10_001.0);
        let hole = Heightmap::from_vec(Domain::new(3, 1), vec![0.0, f32::NAN, 0.0]);
        assert_eq!(cheapest_way(&hole, (0, 2), COSTS, &Silent).unwrap(), None);
    }

    proptest! {
        /// Against relaxation of all steps until none is cheaper; and the estimate never exceeds what is left, nor falls by more than a
        /// step costs.
        #[test]
        fn costs_are_the_least(w in 1usize..14, h in 1usize..14, seed: u64, ends in (0usize..1000, 0usize..1000)) {
            let map = noise(w, h, seed);
            let (from, to) = (ends.0 % (w * h), ends.1 % (w * h));
            let shape = Shape { width: w, height: h, wrap: false };
            let least = |at: usize| {
                let ((x, y), (u, v)) = (shape.place(at), shape.place(to));
                2.0 * (x.abs_diff(u) + y.abs_diff(v)) as f64
            };
            let mut cost = vec![f64::INFINITY; w * h];
            cost[to] = 0.0;
            for _ in 0..w * h {
                for at in 0..w * h {
                    for (way, offset) in WAYS.iter().enumerate().skip(1) {
                        if let Some(next) = shape.beside(shape.place(at), *offset) {
                            let run = if way > 4 { 4.0 } else { 2.0 };
                            let step = COSTS.step(map.samples()[next] - map.samples()[at], run);
                            cost[at] = cost[at].min(cost[next] + step);
                            prop_assert!(least(at) <= least(next) + step);
                        }
                    }
                }
            }
            let (path, found) = way(&map, (from, to));
            prop_assert!((found - cost[from]).abs() <= 1e-9 * found, "{found} {}", cost[from]);
            prop_assert!(least(from) <= found * (1.0 + 1e-12));
            prop_assert_eq!((path[0] as usize, path[path.len() - 1] as usize), (from, to));
            let touching = path.windows(2).all(|pair| {
                let ((x, y), (u, v)) = (shape.place(pair[0] as usize), shape.place(pair[1] as usize));
                x.abs_diff(u) <= 1 && y.abs_diff(v) <= 1
            });
            prop_assert!(touching);
        }
    }
}
