//! Heights of anchors. Anchors are the nodes of paths, and the points where paths cross borders of patches.
//! Their heights are as close to the ground as the slopes between anchors allow.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Arc, Mutex};

use terrane_flow::{Engine, lock};
use terrane_paths::path::{Anchors, Boxes, Frame, Link, Place, within_slopes};

use super::anchor_ground::AnchorGround;
use super::patch_error::PatchError;
use super::patch_template::PatchTemplate;

/// The anchors of a world with the links between them.
pub struct AnchorHeights {
    anchors: Anchors,
    /// The positions of the anchors.
    boxes: Boxes,
    link_index: LinkIndex,
    ground: AnchorGround,
    /// The heights found last. They are often needed again, because the corners of a patch depend mostly on
    /// the same anchors.
    last: Mutex<Option<Arc<Found>>>,
}

/// The heights of a set of anchors. No height in it depends on an anchor outside the set.
struct Found {
    anchors: Vec<u32>,
    heights: Vec<f64>,
}

/// The links at each anchor.
struct LinkIndex {
    /// For each anchor, the index in `links` of its first link. The last element is the length of `links`.
    start: Vec<u32>,
    links: Vec<u32>,
}

impl LinkIndex {
    fn new(anchors: &Anchors) -> Self {
        let mut start = vec![0; anchors.places.len() + 1];
        let ends = || {
            anchors
                .links
                .iter()
                .zip(0..)
                .flat_map(|(link, number)| [(link.ends.0, number), (link.ends.1, number)])
        };
        ends().for_each(|(end, _)| start[end as usize + 1] += 1);
        for at in 1..start.len() {
            start[at] += start[at - 1];
        }
        let (mut links, mut next) = (vec![0; 2 * anchors.links.len()], start.clone());
        for (end, number) in ends() {
            links[next[end as usize] as usize] = number;
            next[end as usize] += 1;
        }
        Self { start, links }
    }

    fn of(&self, at: u32) -> &[u32] {
        &self.links[self.start[at as usize] as usize..self.start[at as usize + 1] as usize]
    }
}

impl AnchorHeights {
    pub fn new(anchors: Anchors, template: &PatchTemplate) -> Self {
        let ground = AnchorGround::new(template, &anchors.places);
        let boxes = Boxes::new(anchors.places.iter().map(|&place| Frame { low: place, high: place }));
        Self { link_index: LinkIndex::new(&anchors), anchors, boxes, ground, last: Mutex::default() }
    }

    /// The anchors within a rectangle, and their heights. Heights are limited to the given range.
    pub fn heights_in(
        &self,
        template: &PatchTemplate,
        engine: &Engine,
        frame: Frame,
        (low, high): (f64, f64),
    ) -> Result<Vec<(Place, f64)>, PatchError> {
        let place = |at: u32| self.anchors.places[at as usize];
        let wanted: Vec<u32> =
            self.boxes.near(frame).into_iter().filter(|&at| frame.contains(place(at))).collect();
        let needed = self.needed(&wanted, high - low);
        let last = lock(&self.last).clone();
        let found = match last.filter(|last| last.anchors == needed) {
            Some(last) => last,
            None => {
                let heights = self.ground.heights(template, engine, &self.anchors.places, &needed)?;
                let heights: Vec<f64> =
                    heights.into_iter().map(|height| f64::from(height).clamp(low, high)).collect();
                let heights = within_slopes(&heights, &self.links(&needed));
                let found = Arc::new(Found { anchors: needed, heights });
                *lock(&self.last) = Some(Arc::clone(&found));
                found
            }
        };
        let height = |&at: &u32| {
            let number = found.anchors.binary_search(&at).ok()?;
            Some((place(at), found.heights[number]))
        };
        Ok(wanted.iter().filter_map(height).collect())
    }

    /// The links among some anchors. The ends of the links are indices into `anchors`.
    fn links(&self, anchors: &[u32]) -> Vec<Link> {
        let number = |at: u32| anchors.binary_search(&at).ok().map(|number| number as u32);
        let mut links: Vec<u32> = anchors.iter().flat_map(|&at| self.link_index.of(at)).copied().collect();
        links.sort_unstable();
        links.dedup();
        let link = |link: u32| {
            let Link { ends, most } = self.anchors.links[link as usize];
            Some(Link { ends: (number(ends.0)?, number(ends.1)?), most })
        };
        links.into_iter().filter_map(link).collect()
    }

    /// The anchors that can affect the wanted ones, sorted. An anchor can affect another one if the links
    /// between them permit a smaller rise than the range of all heights.
    ///
    /// The search starts at the wanted anchors with this range as their budget. Each link reduces the budget
    /// by the rise that the link permits. The anchor with the largest remaining budget is visited first, so
    /// that each anchor is expanded once (Dijkstra 1959).
    fn needed(&self, wanted: &[u32], range: f64) -> Vec<u32> {
        // Slightly more than the range, to allow for rounding.
        let budget = range * 1.001;
        let mut left = vec![0.0; self.anchors.places.len()];
        let mut needed = wanted.to_vec();
        let mut open: BinaryHeap<QueueEntry> =
            wanted.iter().map(|&at| QueueEntry { left: budget, at }).collect();
        wanted.iter().for_each(|&at| left[at as usize] = budget);
        while let Some(QueueEntry { left: here, at }) = open.pop() {
            if here < left[at as usize] {
                continue;
            }
            for &link in self.link_index.of(at) {
                let Link { ends: (a, b), most } = self.anchors.links[link as usize];
                let next = if a == at { b } else { a };
                let known = &mut left[next as usize];
                if here > most && *known < here - most {
                    if *known == 0.0 {
                        needed.push(next);
                    }
                    *known = here - most;
                    open.push(QueueEntry { left: *known, at: next });
                }
            }
        }
        needed.sort_unstable();
        needed
    }
}

/// An anchor to expand. The anchor with the largest remaining budget comes first.
struct QueueEntry {
    left: f64,
    at: u32,
}

impl Ord for QueueEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.left.total_cmp(&other.left).then(self.at.cmp(&other.at))
    }
}

impl PartialOrd for QueueEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for QueueEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for QueueEntry {}
