//! Drainage of flat ground (Barnes, Lehman & Mulla 2014, *An efficient assignment of drainage direction over
//! flat surfaces in raster digital elevation models*).

use terrane_compute::{Alive, CHECK_INTERVAL};
use terrane_grid::{DIRECTIONS, Shape};

use super::{LakeBuffers, LakeTerrain, Network, Ties};
use crate::Cancelled;
use crate::parallel::{elements, try_collect, try_for_each};

/// A terrain whose flat parts are to be drained.
#[derive(Clone, Copy, Debug)]
pub struct Flats<'a> {
    /// The size.
    pub shape: Shape,
    /// Heights of ground plus water.
    pub heights: &'a [f32],
    /// The number of [`DIRECTIONS`] that water can take.
    pub directions_used: usize,
    /// Decides between equally good neighbours.
    pub ties: Ties,
}

/// The samples of flats without an exit.
#[derive(Debug)]
pub struct Closed(Vec<bool>);

/// Steps from each sample of flat ground, where 0 stands for samples that are not to be drained.
struct Steps {
    /// To the nearest sample from which water leaves the flat, or [`FAR`] if there is none.
    down: Vec<u32>,
    /// From the nearest sample that is beside higher ground, which has 1; 0 if there is none.
    away: Vec<u32>,
}

/// The number of steps where no way leads.
const FAR: u32 = u32::MAX;

/// The drop to an exit: more than any other, so that water leaves a flat where it can.
const EXIT: i64 = 1 << 10;

/// Samples of a task.
const PART: usize = 1 << 14;

impl Flats<'_> {
    /// Assigns receivers to samples that drain nowhere: to themselves, though water does not end there
    /// according to `leaves`. Water crosses flat ground towards the nearest sample of the same height that
    /// drains or where water ends and, where that leaves a choice, away from higher ground, so that it
    /// gathers in the middle. Returns the samples of flats that have no such sample, whose receivers do not
    /// change. O(samples).
    ///
    /// ```
    /// use terrane_grid::{Domain, Shape};
    /// use terrane_kernels::hydrology::{Flats, Ties, steepest};
    ///
    /// // Flat ground between a cliff on the right and an exit on the left.
    /// let (shape, heights) = (Shape { width: 4, height: 1, wrap: false }, [0.0, 1.0, 1.0, 9.0]);
    /// let ties = Ties::of(&Domain::new(4, 1));
    /// let receiver = |at| steepest(&heights, shape, (at, 0), at, &ties) as u32;
    /// let mut receivers: Vec<u32> = (0..4).map(receiver).collect();
    /// assert_eq!(receivers, [0, 0, 2, 2]);
    /// let flats = Flats { shape, heights: &heights, directions_used: 8, ties };
    /// let closed = flats.drain(&mut receivers, |at| at == 0, &|| Ok(()))?;
    /// assert!(closed.is_none());
    /// assert_eq!(receivers, [0, 0, 1, 2]);
    /// # Ok::<(), terrane_kernels::Cancelled>(())
    /// ```
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If there is not one receiver for each sample.
    pub fn drain(
        &self,
        receivers: &mut [u32],
        leaves: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<Option<Closed>, Cancelled> {
        let ends = &*receivers;
        // A single lowest sample is no flat.
        let is_flat = |at: usize| self.level(at).next().is_some() && !leaves(at);
        let dry = try_collect(ends.len().div_ceil(PART), 1, |part| {
            alive()?;
            let (first, range) = (part * PART, range(part, ends.len()));
            Ok(ends[range].iter().zip(first..).any(|(&to, at)| to as usize == at && is_flat(at)))
        })?;
        if !dry.contains(&true) {
            return Ok(None);
        }
        let mut down = vec![0; ends.len()];
        try_for_each(elements(&mut down), PART, |at, down| {
            *down = if ends[at] as usize == at && is_flat(at) { FAR } else { 0 };
            if at.is_multiple_of(PART) { alive() } else { Ok(()) }
        })?;
        let steps = self.steps(down, alive)?;
        try_for_each(elements(receivers), PART, |at, receiver| {
            if steps.down[at] != 0 {
                *receiver = self.receiver(at, &steps) as u32;
            }
            if at.is_multiple_of(PART) { alive() } else { Ok(()) }
        })?;
        let closed: Vec<bool> = steps.down.into_iter().map(|down| down == FAR).collect();
        Ok(closed.contains(&true).then_some(Closed(closed)))
    }

    /// Leads water across flat ground as [`drain`](Self::drain) does; in a flat without an exit it gathers at
    /// one sample. If there are `lakes`, each then overflows as [`LakeTerrain::join`] says, and water crosses
    /// their flat floors towards their overflows.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If the network or the buffers do not have the size of the terrain.
    pub fn lead(
        &self,
        network: &mut Network,
        lakes: Option<(&LakeTerrain<'_>, &mut LakeBuffers)>,
        leaves: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let closed = self.drain(&mut network.receivers, &leaves, alive)?;
        if let Some(closed) = &closed {
            self.gather(closed, &mut network.receivers, alive)?;
        }
        let Some((ground, buffers)) = lakes else { return Ok(()) };
        ground.join(network, buffers, alive)?;
        match &closed {
            Some(closed) => self.turn(closed, &mut network.receivers, leaves, alive),
            None => Ok(()),
        }
    }

    /// Lets the water of each flat without an exit end at one of its samples: the first.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    fn gather(
        &self,
        Closed(closed): &Closed,
        receivers: &mut [u32],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let mut is_known = vec![false; receivers.len()];
        for first in (0..closed.len()).filter(|&at| closed[at]) {
            if std::mem::replace(&mut is_known[first], true) {
                continue;
            }
            // Samples of the same height beside a flat without an exit belong to it.
            self.spread(vec![first as u32], alive, |at, to| {
                let is_new = !std::mem::replace(&mut is_known[to], true);
                if is_new {
                    receivers[to] = at as u32;
                }
                is_new
            })?;
        }
        Ok(())
    }

    /// Turns flats without an exit, in which water gathers at one sample, so that it leads to the sample
    /// where a lake overflows: the one of each flat whose water does not stay in it.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    fn turn(
        &self,
        Closed(closed): &Closed,
        receivers: &mut [u32],
        leaves: impl Fn(usize) -> bool + Sync,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        for at in (0..closed.len()).filter(|&at| closed[at]) {
            // The overflow of a lake climbs out of its flat.
            if self.heights[receivers[at] as usize] == self.heights[at] {
                receivers[at] = at as u32;
            }
        }
        self.drain(receivers, leaves, alive).map(drop)
    }

    /// The steps of samples whose `down` is [`FAR`].
    fn steps(&self, mut down: Vec<u32>, alive: &Alive<'_>) -> Result<Steps, Cancelled> {
        let mut away = vec![0; down.len()];
        let beside_higher = self
            .dry(&down, alive, |at| self.neighbours(at).any(|(_, to)| self.heights[to] > self.heights[at]))?;
        beside_higher.iter().for_each(|&at| away[at as usize] = 1);
        self.spread(beside_higher, alive, |at, to| {
            let is_new = down[to] == FAR && away[to] == 0;
            if is_new {
                away[to] = away[at] + 1;
            }
            is_new
        })?;
        let beside_exits = self.dry(&down, alive, |at| self.level(at).any(|(_, to)| down[to] == 0))?;
        beside_exits.iter().for_each(|&at| down[at as usize] = 1);
        self.spread(beside_exits, alive, |at, to| {
            let is_new = down[to] == FAR;
            if is_new {
                down[to] = down[at] + 1;
            }
            is_new
        })?;
        Ok(Steps { down, away })
    }

    /// The samples that are to be drained and have a property.
    fn dry(
        &self,
        down: &[u32],
        alive: &Alive<'_>,
        has: impl Fn(usize) -> bool + Sync,
    ) -> Result<Vec<u32>, Cancelled> {
        let parts = try_collect(down.len().div_ceil(PART), 1, |part| {
            alive()?;
            let dry = range(part, down.len()).filter(|&at| down[at] == FAR && has(at));
            Ok(dry.map(|at| at as u32).collect::<Vec<u32>>())
        })?;
        Ok(parts.concat())
    }

    /// Visits samples of the same height from `first` on, those that are fewer steps away first. `join(at,
    /// to)` returns whether the neighbour `to` of a sample is visited too.
    fn spread(
        &self,
        first: Vec<u32>,
        alive: &Alive<'_>,
        mut join: impl FnMut(usize, usize) -> bool,
    ) -> Result<(), Cancelled> {
        let (mut front, mut next, mut visited) = (first, Vec::new(), 0);
        while !front.is_empty() {
            for at in front.drain(..) {
                let level = self.level(at as usize);
                next.extend(level.filter_map(|(_, to)| join(at as usize, to).then_some(to as u32)));
                visited += 1;
                if visited % CHECK_INTERVAL == 0 {
                    alive()?;
                }
            }
            std::mem::swap(&mut front, &mut next);
        }
        Ok(())
    }

    /// The neighbour of the same height to which water flows, or the sample itself if its flat has no exit.
    ///
    /// The steps are those of Barnes et al.: 2 · down − away, whose differences between neighbours are those
    /// of their heights. Water takes the steepest way down, so it goes straight rather than across corners.
    fn receiver(&self, at: usize, steps: &Steps) -> usize {
        let down = steps.down[at];
        if down == FAR {
            return at;
        }
        let ranks = self.ties.ranks(self.shape.position(at));
        let difference = |a: u32, b: u32| i64::from(a) - i64::from(b);
        let drop = |to: usize| match steps.down[to] {
            FAR => 0,
            0 => EXIT,
            there => 2 * difference(down, there) - difference(steps.away[at], steps.away[to]),
        };
        // Twice the squares of slopes.
        let square = |(direction, to): (u8, usize)| {
            let drop = drop(to).max(0);
            drop * drop * if direction > 4 { 1 } else { 2 }
        };
        let best = self.level(at).map(|neighbour| (square(neighbour), ranks(neighbour.0), neighbour.1));
        // Of equal ranks, the first.
        let best =
            best.reduce(|best, other| if (other.0, other.1) > (best.0, best.1) { other } else { best });
        best.filter(|best| best.0 > 0).map_or(at, |best| best.2)
    }

    /// The neighbours of the same height, with the directions to them.
    fn level(&self, at: usize) -> impl Iterator<Item = (u8, usize)> {
        let (heights, height) = (self.heights, self.heights[at]);
        self.neighbours(at).filter(move |&(_, to)| heights[to] == height)
    }

    fn neighbours(&self, at: usize) -> impl Iterator<Item = (u8, usize)> {
        let (shape, position) = (self.shape, self.shape.position(at));
        (1..=self.directions_used).filter_map(move |direction| {
            let to = shape.neighbour_at(at, position, DIRECTIONS[direction])?;
            (to != at).then_some((direction as u8, to))
        })
    }
}

/// The indices of a part.
fn range(part: usize, count: usize) -> std::ops::Range<usize> {
    part * PART..((part + 1) * PART).min(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Seed};

    use super::super::steepest;
    use super::*;

    /// The receivers of ground where water leaves at samples of the border without a lower neighbour, and the
    /// samples of closed flats.
    fn drained(shape: Shape, heights: &[f32], closed: bool) -> (Vec<u32>, Vec<bool>) {
        let ties = Ties::of(&Domain::new(shape.width, shape.height));
        let flats = Flats { shape, heights, directions_used: 8, ties };
        let to = |at: usize| steepest(heights, shape, shape.position(at), at, &ties) as u32;
        let mut receivers: Vec<u32> = (0..heights.len()).map(to).collect();
        let leaves = |at: usize| !closed && shape.on_border(shape.position(at));
        let closed = flats.drain(&mut receivers, leaves, &|| Ok(())).unwrap();
        closed.iter().for_each(|closed| flats.gather(closed, &mut receivers, &|| Ok(())).unwrap());
        (receivers, closed.map_or(vec![false; heights.len()], |closed| closed.0))
    }

    #[test]
    fn a_flat_between_higher_ground_and_an_exit_by_hand() {
        // The flat of 5 x 3 samples has higher ground on all sides except for the exit in the middle of its
        // right side. Water keeps to the middle.
        #[rustfmt::skip]
        let heights = [
            9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0,
            9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0,
            9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0,
            9.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0,
            9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0,
        ];
        let shape = Shape { width: 7, height: 5, wrap: false };
        let (receivers, closed) = drained(shape, &heights, false);
        assert!(!closed.contains(&true));
        let row = |row: usize| receivers[row * 7 + 1..row * 7 + 6].to_vec();
        assert_eq!(row(2), [16, 17, 18, 19, 20]);
        // From the rows beside it, water joins the middle row. The last samples drain without help, to lower
        // ground across the corner, and those before them straight to these.
        assert_eq!((row(1), row(3)), (vec![16, 17, 18, 12, 20], vec![16, 17, 18, 26, 20]));
    }

    #[test]
    fn water_of_a_closed_flat_gathers_at_one_sample() {
        let shape = Shape { width: 4, height: 2, wrap: false };
        let (receivers, closed) = drained(shape, &[5.0; 8], true);
        assert_eq!(closed, [true; 8]);
        assert_eq!(receivers[0], 0);
        assert!((1..8).all(|at| receivers[at] as usize != at));
    }

    /// Steps along receivers to where water ends.
    fn length(receivers: &[u32], mut at: usize) -> usize {
        let mut steps = 0;
        while receivers[at] as usize != at {
            at = receivers[at] as usize;
            steps += 1;
            assert!(steps <= receivers.len(), "a circle");
        }
        steps
    }

    proptest! {
        /// On whole numbers, nearly all ground is flat. All water ends where it may, and never climbs.
        #[test]
        fn all_water_ends(w in 1usize..14, h in 1usize..14, wrap: bool, levels in 1u32..6, seed: u64) {
            let lattice = Seed(seed).lattice();
            let height = |at: usize| (lattice.unit((at % w) as i64, (at / w) as i64) * levels as f32).floor();
            let heights: Vec<f32> = (0..w * h).map(height).collect();
            let shape = Shape { width: w, height: h, wrap };
            let (receivers, closed) = drained(shape, &heights, false);
            for at in 0..w * h {
                length(&receivers, at);
                prop_assert!(heights[receivers[at] as usize] <= heights[at]);
                let ends = receivers[at] as usize == at;
                // A single lowest sample is no flat.
                let is_single = DIRECTIONS[1..].iter().all(|&offset| {
                    let to = shape.neighbour(shape.position(at), offset);
                    to.is_none_or(|to| to == at || heights[to] > heights[at])
                });
                prop_assert!(!ends || shape.on_border(shape.position(at)) || closed[at] || is_single);
            }
        }

        /// On smooth ground in whole numbers, whose flats are wide, paths are at most half as long again as
        /// the shortest ones on the mean.
        #[test]
        fn paths_across_wide_flats_are_short(seed: u64, levels in 2u32..20) {
            const SIDE: usize = 60;
            const CELL: usize = 12;
            let lattice = Seed(seed).lattice();
            let corner = |x: usize, y: usize| lattice.unit(x as i64, y as i64);
            let mix = |a: f32, b: f32, t: f32| a + (b - a) * t * t * (3.0 - 2.0 * t);
            let height = |at: usize| {
                let (x, y) = (at % SIDE, at / SIDE);
                let (tx, ty) = ((x % CELL) as f32 / CELL as f32, (y % CELL) as f32 / CELL as f32);
                let (x, y) = (x / CELL, y / CELL);
                let row = |y: usize| mix(corner(x, y), corner(x + 1, y), tx);
                (levels as f32 * mix(row(y), row(y + 1), ty)).floor()
            };
            let heights: Vec<f32> = (0..SIDE * SIDE).map(height).collect();
            let shape = Shape { width: SIDE, height: SIDE, wrap: false };
            let (receivers, closed) = drained(shape, &heights, false);
            let exits = |at: usize| {
                receivers[at] as usize == at || heights[receivers[at] as usize] < heights[at]
            };
            // The steps of the shortest path to an exit of the same flat, found by repeated passes.
            let mut shortest: Vec<usize> =
                (0..heights.len()).map(|at| if exits(at) { 0 } else { usize::MAX }).collect();
            for _ in 0..4 * SIDE {
                for at in 0..heights.len() {
                    for &offset in &DIRECTIONS[1..] {
                        let to = shape.neighbour(shape.position(at), offset);
                        if let Some(to) = to.filter(|&to| heights[to] == heights[at]) {
                            shortest[at] = shortest[at].min(shortest[to].saturating_add(1));
                        }
                    }
                }
            }
            let (mut ours, mut best) = (0, 0);
            for at in (0..heights.len()).filter(|&at| !closed[at] && !exits(at)) {
                let mut to = at;
                while !exits(to) {
                    to = receivers[to] as usize;
                    ours += 1;
                }
                best += shortest[at];
            }
            prop_assert!(2 * ours <= 3 * best, "{ours} {best}");
        }

        /// On a map that is flat everywhere, paths are the shortest ones, which lead to the border.
        #[test]
        fn paths_are_short(w in 1usize..40, h in 1usize..40) {
            let shape = Shape { width: w, height: h, wrap: false };
            let (receivers, _) = drained(shape, &vec![0.0; w * h], false);
            for at in 0..w * h {
                let (column, row) = shape.position(at);
                let shortest = column.min(row).min(w - 1 - column).min(h - 1 - row);
                prop_assert_eq!(length(&receivers, at), shortest);
            }
        }
    }
}
