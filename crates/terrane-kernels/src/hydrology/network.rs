//! A drainage network: a forest in which every sample drains to at most one other.

use crate::parallel;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use terrane_compute::{Alive, CHECK_INTERVAL, Cancelled, chunks};

/// The receivers and donors of a map's samples.
///
/// Receivers must lead to an end: a circle of receivers is not a network, and its samples are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Per sample, its receiver; the sample itself where water ends.
    pub receivers: Vec<u32>,
    /// Per sample, its number of donors.
    pub donors: Vec<u8>,
}

/// Rows that a thread takes at once.
const ROWS: usize = 16;

/// Marks a sample that has been visited, instead of its number of pending donors.
pub(super) const VISITED: u8 = u8::MAX;

impl Network {
    /// A network of samples that each drain nowhere. Maps have fewer than 2³² samples.
    #[must_use]
    pub fn new(samples: usize) -> Self {
        Self { receivers: (0..samples as u32).collect(), donors: vec![0; samples] }
    }

    /// Sets every sample's receiver: the sample itself in the sea, otherwise the result of `to((column, row),
    /// index)`.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If `sea` has fewer samples, or the width is 0.
    pub fn receive(
        &mut self,
        width: usize,
        sea: &[bool],
        alive: &Alive<'_>,
        to: impl Fn((usize, usize), usize) -> usize + Sync,
    ) -> Result<(), Cancelled> {
        self.receive_rows(width, alive, |row, receivers| {
            for (column, receiver) in receivers.iter_mut().enumerate() {
                let at = row * width + column;
                *receiver = if sea[at] { at } else { to((column, row), at) } as u32;
            }
        })
    }

    /// Sets every sample's receiver, row by row: `fill` gets a row's number and its receivers.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If the width is 0.
    pub fn receive_rows(
        &mut self,
        width: usize,
        alive: &Alive<'_>,
        fill: impl Fn(usize, &mut [u32]) + Sync,
    ) -> Result<(), Cancelled> {
        parallel::try_for_each(parallel::slices(&mut self.receivers, width), ROWS, |row, receivers| {
            if row.is_multiple_of(ROWS) {
                alive()?;
            }
            fill(row, receivers);
            Ok(())
        })
    }

    /// Visits every sample together with its receiver, donors before receivers. `pending` is scratch space,
    /// one number per sample.
    ///
    /// Follows the water from each source downstream, up to the first sample with donors that are not yet
    /// visited. Consecutive steps are thus mostly close in memory. O(samples), without recursion.
    fn downstream(
        &self,
        pending: &mut [u8],
        alive: &Alive<'_>,
        mut visit: impl FnMut(usize, usize),
    ) -> Result<(), Cancelled> {
        let (receivers, pending) = (&self.receivers[..pending.len()], pending);
        pending.copy_from_slice(&self.donors);
        alive()?;
        for sources in chunks(receivers.len()) {
            for source in sources {
                let mut at = source;
                while pending[at] == 0 {
                    pending[at] = VISITED;
                    let to = receivers[at] as usize;
                    visit(at, to);
                    if to == at {
                        break;
                    }
                    pending[to] -= 1;
                    at = to;
                }
            }
            alive()?;
        }
        Ok(())
    }

    /// Adds to each sample's entry in `total` the accumulated totals of its donors, multiplied by `kept`.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If `total` or `pending` does not have one number per sample, or donors were not counted.
    pub fn accumulate(
        &self,
        kept: f32,
        total: &mut [f32],
        pending: &mut [u8],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        self.downstream(pending, alive, |at, to| {
            if to != at {
                total[to] += kept * total[at];
            }
        })
    }

    /// Like [`accumulate`](Self::accumulate), but also fills `order` with all samples, donors before
    /// receivers.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If `total` or `pending` does not have one number per sample, or donors were not counted.
    pub fn order(
        &self,
        kept: f32,
        total: &mut [f32],
        order: &mut Vec<u32>,
        pending: &mut [u8],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        order.clear();
        self.downstream(pending, alive, |at, to| {
            order.push(at as u32);
            if to != at {
                total[to] += kept * total[at];
            }
        })
    }

    /// Recounts donors after receivers have changed.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If a receiver is not a sample.
    pub fn count_donors(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.donors.fill(0);
        for samples in chunks(self.receivers.len()) {
            for at in samples {
                let to = self.receivers[at] as usize;
                self.donors[to] += u8::from(to != at);
            }
            alive()?;
        }
        Ok(())
    }

    /// Sets each sample's entry in `roots` to the sample where its water ends. O(samples): each walk
    /// downstream stops at the first sample whose root is known.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn roots(&self, roots: &[AtomicU32], alive: &Alive<'_>) -> Result<(), Cancelled> {
        const UNKNOWN: u32 = u32::MAX;
        parallel::for_each(parallel::Iterations(roots.len()), 4096, |at, ()| {
            roots[at].store(UNKNOWN, Relaxed);
        });
        // Several threads may walk the same path, but they find the same root.
        parallel::try_for_each(parallel::Iterations(roots.len()), 4096, |start, ()| {
            if start.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
            let (mut at, mut root) = (start, roots[start].load(Relaxed));
            while root == UNKNOWN {
                let to = self.receivers[at] as usize;
                root = if to == at { at as u32 } else { roots[to].load(Relaxed) };
                at = to;
            }
            at = start;
            while roots[at].load(Relaxed) == UNKNOWN {
                roots[at].store(root, Relaxed);
                at = self.receivers[at] as usize;
            }
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_by_hand() {
        // Water flows 0 → 1 → 2 and 3 → 2. Sample 4 is alone.
        let mut network = Network::new(5);
        network.receivers = vec![1, 2, 2, 2, 4];
        network.donors = vec![0, 1, 2, 0, 0];
        let mut total = vec![1.0; 5];
        let roots: Vec<AtomicU32> = (0..5).map(AtomicU32::new).collect();
        network.accumulate(0.5, &mut total, &mut [0; 5], &|| Ok(())).unwrap();
        assert_eq!(total, [1.0, 1.5, 2.25, 1.0, 1.0]);
        network.roots(&roots, &|| Ok(())).unwrap();
        let roots: Vec<u32> = roots.into_iter().map(AtomicU32::into_inner).collect();
        assert_eq!(roots, [2, 2, 2, 2, 4]);
    }

    #[test]
    fn a_river_through_all_samples_needs_no_stack() {
        let samples = 3_000_000;
        let mut network = Network::new(samples);
        network.receivers = (0..samples as u32).map(|at| at.saturating_sub(1)).collect();
        network.donors.fill(1);
        network.donors[samples - 1] = 0;
        let (mut total, mut pending) = (vec![1.0; samples], vec![0; samples]);
        network.accumulate(0.68, &mut total, &mut pending, &|| Ok(())).unwrap();
        // With the drainage loss of Lim et al. (2021), the drainage of an unbranched river never exceeds 1 /
        // (1 − 0.68) = 3.125.
        let mut order = Vec::new();
        network.order(0.68, &mut vec![1.0; samples], &mut order, &mut pending, &|| Ok(())).unwrap();
        assert!(order.is_sorted_by(|a, b| a > b) && order.len() == samples);
        assert!((total[0] - 3.125).abs() < 1e-5, "{}", total[0]);
    }
}
