//! Heights of anchors: what the ground has there, as near as slopes between them allow.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex, PoisonError};

use terrane_flow::Engine;
use terrane_kernels::path::{Anchors, Boxes, Frame, Link, Place, within_slopes};

use super::ground::Ground;
use super::patch_error::PatchError;
use super::pattern::Pattern;

/// The anchors of a world with what ties them together.
pub struct Anchored {
    anchors: Anchors,
    /// Where they lie.
    boxes: Boxes,
    beside: Beside,
    ground: Ground,
    /// The heights that were found last: around the corners of a patch mostly the same anchors matter.
    last: Mutex<Option<Arc<Found>>>,
}

/// Heights of anchors that depend on no others.
struct Found {
    anchors: Vec<u32>,
    heights: Vec<f64>,
}

/// Per anchor, the links that end there.
struct Beside {
    /// Where those of each anchor begin, and where the last ones end.
    begin: Vec<u32>,
    links: Vec<u32>,
}

impl Beside {
    fn new(anchors: &Anchors) -> Self {
        let mut begin = vec![0; anchors.places.len() + 1];
        let ends = || {
            anchors
                .links
                .iter()
                .zip(0..)
                .flat_map(|(link, number)| [(link.ends.0, number), (link.ends.1, number)])
        };
        ends().for_each(|(end, _)| begin[end as usize + 1] += 1);
        for at in 1..begin.len() {
            begin[at] += begin[at - 1];
        }
        let (mut links, mut next) = (vec![0; 2 * anchors.links.len()], begin.clone());
        for (end, number) in ends() {
            links[next[end as usize] as usize] = number;
            next[end as usize] += 1;
        }
        Self { begin, links }
    }

    fn of(&self, at: u32) -> &[u32] {
        &self.links[self.begin[at as usize] as usize..self.begin[at as usize + 1] as usize]
    }
}

impl Anchored {
    pub fn new(anchors: Anchors, pattern: &Pattern) -> Self {
        let ground = Ground::new(pattern, &anchors.places);
        let boxes = Boxes::new(anchors.places.iter().map(|&place| Frame { low: place, high: place }));
        Self { beside: Beside::new(&anchors), anchors, boxes, ground, last: Mutex::default() }
    }

    /// Anchors in a frame, and their heights, which are kept between a lowest and a highest.
    pub fn heights_in(
        &self,
        pattern: &Pattern,
        engine: &Engine,
        frame: Frame,
        (low, high): (f64, f64),
    ) -> Result<Vec<(Place, f64)>, PatchError> {
        let place = |at: u32| self.anchors.places[at as usize];
        let wanted: Vec<u32> =
            self.boxes.near(frame).into_iter().filter(|&at| frame.contains(place(at))).collect();
        let needed = self.needed(&wanted, high - low);
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let found = match last.filter(|last| last.anchors == needed) {
            Some(last) => last,
            None => {
                let heights = self.ground.heights(pattern, engine, &self.anchors.places, &needed)?;
                let heights: Vec<f64> =
                    heights.into_iter().map(|height| f64::from(height).clamp(low, high)).collect();
                let heights = within_slopes(&heights, &self.links(&needed));
                let found = Arc::new(Found { anchors: needed, heights });
                *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&found));
                found
            }
        };
        let height = |&at: &u32| {
            let number = found.anchors.binary_search(&at).ok()?;
            Some((place(at), found.heights[number]))
        };
        Ok(wanted.iter().filter_map(height).collect())
    }

    /// The links between some anchors, with these numbered in their order.
    fn links(&self, anchors: &[u32]) -> Vec<Link> {
        let number = |at: u32| anchors.binary_search(&at).ok().map(|number| number as u32);
        let mut links: Vec<u32> = anchors.iter().flat_map(|&at| self.beside.of(at)).copied().collect();
        links.sort_unstable();
        links.dedup();
        let link = |link: u32| {
            let Link { ends, most } = self.anchors.links[link as usize];
            Some(Link { ends: (number(ends.0)?, number(ends.1)?), most })
        };
        links.into_iter().filter_map(link).collect()
    }

    /// Anchors whose way to one of those wanted allows no more than all heights differ by: what is farther
    /// cannot matter. In order. Those with the most left come first, so that each is gone on from once
    /// (Dijkstra 1959).
    fn needed(&self, wanted: &[u32], differ: f64) -> Vec<u32> {
        // A little more, for rounding.
        let budget = differ * 1.001;
        let mut left = vec![0.0; self.anchors.places.len()];
        let mut needed = wanted.to_vec();
        let mut open: BinaryHeap<Open> = wanted.iter().map(|&at| Open { left: budget, at }).collect();
        wanted.iter().for_each(|&at| left[at as usize] = budget);
        while let Some(Open { left: here, at }) = open.pop() {
            if here < left[at as usize] {
                continue;
            }
            for &link in self.beside.of(at) {
                let Link { ends: (a, b), most } = self.anchors.links[link as usize];
                let next = if a == at { b } else { a };
                let known = &mut left[next as usize];
                if here > most && *known < here - most {
                    if *known == 0.0 {
                        needed.push(next);
                    }
                    *known = here - most;
                    open.push(Open { left: *known, at: next });
                }
            }
        }
        needed.sort_unstable();
        needed
    }
}

/// An anchor to go on from, that with the most left first.
struct Open {
    left: f64,
    at: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.left.total_cmp(&other.left).then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}
