//! Channels from the bottoms of hollows to lower ground.

use std::f32::consts::SQRT_2;

use terrane_compute::{Alive, CHECK_INTERVAL, Cancelled};
use terrane_grid::{DIRECTIONS, Shape};

use super::super::direction;
use super::ways::{Way, Ways};

/// The steepest slope of channels.
const FALL: f64 = 0.001;

/// How far a channel falls, as a share of the depth of its hollow.
const SHARE: f64 = 0.01;

/// Ground in which channels are sought.
#[derive(Clone, Copy)]
pub(super) struct Breached<'a> {
    pub shape: Shape,
    pub heights: &'a [f32],
    /// Samples where water ends or leaves the map.
    pub ends: &'a [bool],
    /// Samples that may not be lowered; empty if there are none.
    pub held: &'a [bool],
    pub spacing: f64,
    /// The deepest and the longest channel.
    pub max_depth: f32,
    pub max_length: f64,
}

/// A channel.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    /// Its samples, from the bottom of the hollow to lower ground, or to where water leaves the map.
    pub path: Vec<u32>,
    /// The sum over its steps of depth times length in spacings.
    pub volume: f64,
    /// How far it falls at most.
    pub fall: f64,
}

/// A hollow from which a channel is sought.
pub(super) struct Source<'a> {
    pub bottom: u32,
    pub depth: f32,
    /// The greatest volume of the channel.
    pub limit: f64,
    /// Whether water from a sample that is no higher than the bottom ends lower than in this hollow, or in
    /// one as low that is dealt with before.
    pub leads_on: &'a dyn Fn(usize) -> bool,
}

impl Breached<'_> {
    /// The channel from the bottom of a hollow that takes away least ground: the sum of its depth times its
    /// length is least and, of equal sums, the length. It leads to the first ground no higher than the bottom
    /// from which water leads on, or to where water ends. There is none if all take away more than the limit,
    /// or are too deep or too long.
    ///
    /// The search is Dijkstra's. Where a way is too long it is not followed, although a shorter one that
    /// takes away more ground may exist.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn channel(
        &self,
        source: &Source<'_>,
        ways: &mut Ways,
        alive: &Alive<'_>,
    ) -> Result<Option<Channel>, Cancelled> {
        let Source { bottom, depth, limit, leads_on } = *source;
        let (lowest, longest) = (self.heights[bottom as usize], (self.max_length / self.spacing) as f32);
        ways.clear();
        ways.offer(bottom, Way { volume: 0.0, length: 0.0, cut: 0.0, direction: 0, is_final: false });
        let mut visited = 0;
        while let Some((at, way)) = ways.next() {
            if self.ends[at as usize] || (self.heights[at as usize] <= lowest && leads_on(at as usize)) {
                let (volume, fall) = (way.volume, SHARE * f64::from(depth));
                return Ok(Some(Channel { path: self.trace(ways, at), volume, fall }));
            }
            visited += 1;
            if visited % CHECK_INTERVAL == 0 {
                alive()?;
            }
            let position = self.shape.position(at as usize);
            for (direction, &offset) in DIRECTIONS.iter().enumerate().skip(1) {
                let Some(to) = self.shape.neighbour_at(at as usize, position, offset) else { continue };
                let depth = self.heights[to] - lowest;
                let step = if direction > 4 { SQRT_2 } else { 1.0 };
                let next = Way {
                    volume: way.volume + f64::from(depth.max(0.0) * step),
                    length: way.length + step,
                    cut: way.cut + if depth > 0.0 { step } else { 0.0 },
                    direction: direction as u8,
                    is_final: false,
                };
                let is_held = depth > 0.0 && self.held.get(to) == Some(&true);
                // Holes are no ground.
                if next.volume <= limit && depth <= self.max_depth && next.cut <= longest && !is_held {
                    ways.offer(to as u32, next);
                }
            }
        }
        Ok(None)
    }

    /// The samples of the way to `end`, from its start.
    fn trace(&self, ways: &mut Ways, end: u32) -> Vec<u32> {
        let (mut path, mut at) = (Vec::new(), Some(end as usize));
        while let Some(sample) = at {
            path.push(sample as u32);
            let (x, y) = DIRECTIONS[usize::from(ways.to(sample as u32).direction)];
            let before = self.shape.neighbour(self.shape.position(sample), (-x, -y));
            at = before.filter(|_| (x, y) != (0, 0));
        }
        path.reverse();
        path
    }

    /// Lowers `ground` along a channel, which falls gently from the bottom of the hollow.
    ///
    /// No sample becomes higher. Each sample of the channel is at most as high as the one before it. The last
    /// one only changes if water leaves the map there above the bottom.
    pub fn cut(&self, channel: &Channel, ground: &mut [f32]) {
        let path = &channel.path;
        let lowest = self.heights[path[0] as usize];
        let height = |index: usize| self.heights[path[index] as usize];
        let last = path.len() - 1;
        let end = path[last] as usize;
        let ends_below = !self.ends[end] || height(last) < lowest || self.held.get(end) == Some(&true);
        // The channel leaves the floor of the hollow here.
        let leaves = (0..last).rev().find(|&index| height(index) <= lowest).unwrap_or_default();
        let (mut distances, mut slope) = (vec![0.0; leaves + 1], FALL);
        for index in leaves + 1..path.len() {
            let is_diagonal = direction(self.shape, path[index - 1] as usize, path[index] as usize) > 4;
            let step = f64::from(if is_diagonal { SQRT_2 } else { 1.0 });
            let distance = distances[index - 1] + step * self.spacing;
            let rise = f64::from(height(index)) - f64::from(lowest);
            let most = if index == last && ends_below { -rise } else { f64::from(self.max_depth) - rise };
            slope = slope.min(most / distance);
            distances.push(distance);
        }
        slope = slope.min(channel.fall / distances[last]);
        for index in 1..path.len() {
            let floor = (f64::from(lowest) - slope * distances[index]) as f32;
            let sample = &mut ground[path[index] as usize];
            if index < last || !ends_below {
                *sample = sample.min(floor);
            }
        }
    }
}
