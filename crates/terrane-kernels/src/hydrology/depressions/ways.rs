//! The ways that a search for a channel knows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

/// The best known way to a sample.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The sum of depth times length over its steps.
    pub volume: f64,
    /// In spacings.
    pub length: f32,
    /// The part of the length that is cut into the ground.
    pub cut: f32,
    /// The direction of its last step.
    pub direction: u8,
    /// Whether no better way will be found.
    pub is_final: bool,
}

/// Of a sample to which no way is known.
const UNKNOWN: Way =
    Way { volume: f64::INFINITY, length: f32::INFINITY, cut: 0.0, direction: 0, is_final: false };

/// Consecutive samples of a page.
const PAGE: usize = 32;

/// The number of pages up to which their index is kept for the next search. Clearing takes as long as the
/// index is large.
const KEPT: usize = 1 << 12;

/// Ways to the samples that a search has seen, in pages, and the queue of samples to visit. It is kept for
/// the next search.
#[derive(Default)]
pub(super) struct Ways {
    numbers: FxHashMap<u32, u32>,
    pages: Vec<[Way; PAGE]>,
    queue: BinaryHeap<Reverse<(u64, u32, u32)>>,
}

impl Ways {
    /// Forgets all ways.
    pub fn clear(&mut self) {
        if self.numbers.capacity() > KEPT {
            *self = Self::default();
        } else {
            self.numbers.clear();
            self.pages.clear();
            self.queue.clear();
        }
    }

    /// The way to a sample.
    pub fn to(&mut self, at: u32) -> &mut Way {
        let pages = &mut self.pages;
        let number = *self.numbers.entry(at / PAGE as u32).or_insert_with(|| {
            pages.push([UNKNOWN; PAGE]);
            pages.len() as u32 - 1
        });
        &mut pages[number as usize][at as usize % PAGE]
    }

    /// Notes a way to a sample if it is better than the one that is known: less volume or, with as much, a
    /// shorter one.
    pub fn offer(&mut self, at: u32, way: Way) {
        let known = self.to(at);
        if !known.is_final && (way.volume, way.length) < (known.volume, known.length) {
            *known = way;
            // The bits of numbers that are not negative sort like the numbers.
            self.queue.push(Reverse((way.volume.to_bits(), way.length.to_bits(), at)));
        }
    }

    /// The best way to a sample that was not returned yet. It is final now.
    pub fn next(&mut self) -> Option<(u32, Way)> {
        loop {
            let Reverse((.., at)) = self.queue.pop()?;
            let way = self.to(at);
            if !std::mem::replace(&mut way.is_final, true) {
                return Some((at, *way));
            }
        }
    }
}
