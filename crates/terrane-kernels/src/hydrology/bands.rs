//! Accumulation over a network on many threads: first within bands of rows, in parallel, then along the
//! rivers that cross from band to band.

use crate::parallel::{elements, slices, try_for_each};

use super::Network;
use super::network::VISITED;
use crate::Cancelled;
use terrane_compute::{Alive, CHECK_INTERVAL};

/// Rows per band. A band is small enough that its heights and receivers fit in the processor's cache. It is
/// large enough that most water ends in the band where it rises, or joins one of a few rivers there.
const ROWS: usize = 128;

/// All samples of a network, donors before receivers. The division into bands depends only on the map's size.
/// Sums therefore have the same bits on any number of threads.
#[derive(Clone, Debug)]
pub struct Bands {
    /// Samples per band.
    size: usize,
    bands: Vec<Band>,
    /// Samples that water from another band reaches, donors before receivers.
    rivers: Vec<u32>,
}

/// The samples of a band.
#[derive(Clone, Debug)]
struct Band {
    /// Samples that no water from another band reaches, donors before receivers.
    order: Vec<u32>,
    /// The samples in `order` whose receiver lies in another band, in the same sequence.
    leaving: Vec<u32>,
}

impl Bands {
    /// Bands for a map of this width and number of samples.
    #[must_use]
    pub fn new(width: usize, samples: usize) -> Self {
        Self::of_rows(ROWS, width, samples)
    }

    fn of_rows(rows: usize, width: usize, samples: usize) -> Self {
        let size = rows * width.max(1);
        let band = |start| Band { order: Vec::with_capacity(size.min(samples - start)), leaving: Vec::new() };
        Self { size, bands: (0..samples).step_by(size).map(band).collect(), rivers: Vec::new() }
    }

    /// Adds to each sample's entry in `total` the accumulated totals of its donors, multiplied by `kept`.
    /// Stores the order of samples for [`upstream`](Self::upstream). `pending` is scratch space, one number
    /// per sample. O(samples), without recursion.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If `total` or `pending` does not have one number per sample, or donors were not counted.
    pub fn accumulate(
        &mut self,
        network: &Network,
        kept: f32,
        total: &mut [f32],
        pending: &mut [u8],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let Self { size, bands, rivers } = self;
        let parts = (slices(total, *size), slices(pending, *size));
        try_for_each((elements(bands), parts), 1, |index, (band, (total, pending))| {
            band.follow(network, index * *size, kept, total, pending, alive)
        })?;
        rivers.clear();
        for &from in bands.iter().flat_map(|band| &band.leaving) {
            let (mut from, mut at) = (from as usize, network.receivers[from as usize] as usize);
            loop {
                total[at] += kept * total[from];
                pending[at] -= 1;
                if pending[at] > 0 {
                    break;
                }
                pending[at] = VISITED;
                rivers.push(at as u32);
                if rivers.len().is_multiple_of(CHECK_INTERVAL) {
                    alive()?;
                }
                let to = network.receivers[at] as usize;
                if to == at {
                    break;
                }
                (from, at) = (at, to);
            }
        }
        alive()
    }

    /// Sets each receiver's value to `f(its value, donor's value)`, for all donors, donors before receivers.
    /// The result must not depend on the sequence of the donors. O(samples).
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If `values` does not have one value per sample of the accumulated network.
    pub fn downstream<T: Copy + Send>(
        &self,
        network: &Network,
        values: &mut [T],
        alive: &Alive<'_>,
        f: impl Fn(T, T) -> T + Sync,
    ) -> Result<(), Cancelled> {
        let receivers = &network.receivers[..values.len()];
        try_for_each(slices(values, self.size), 1, |index, values| {
            let (start, band) = (index * self.size, &self.bands[index]);
            for (step, &at) in band.order.iter().enumerate() {
                let at = at as usize - start;
                let to = (receivers[start + at] as usize).wrapping_sub(start);
                if to != at && to < values.len() {
                    values[to] = f(values[to], values[at]);
                }
                if step.is_multiple_of(CHECK_INTERVAL) {
                    alive()?;
                }
            }
            Ok(())
        })?;
        let leaving = self.bands.iter().flat_map(|band| &band.leaving);
        for (step, &at) in leaving.chain(&self.rivers).enumerate() {
            let to = receivers[at as usize] as usize;
            if to != at as usize {
                values[to] = f(values[to], values[at as usize]);
            }
            if step.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
        }
        Ok(())
    }

    /// Sets each sample's value to `f(sample, receiver, sample's value, receiver's value)`, receivers before
    /// donors. The receiver is the sample itself where water ends. O(samples).
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If `values` does not have one value per sample of the accumulated network.
    pub fn upstream<T: Copy + Send + Sync>(
        &self,
        network: &Network,
        values: &mut [T],
        alive: &Alive<'_>,
        f: impl Fn(usize, usize, T, T) -> T + Sync,
    ) -> Result<(), Cancelled> {
        let receivers = &network.receivers[..values.len()];
        for (step, &at) in self.rivers.iter().rev().enumerate() {
            let (at, to) = (at as usize, receivers[at as usize] as usize);
            values[at] = f(at, to, values[at], values[to]);
            if step.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
        }
        let outside = |band: &Band| -> Vec<T> {
            band.leaving.iter().map(|&at| values[receivers[at as usize] as usize]).collect()
        };
        let mut outside: Vec<Vec<T>> = self.bands.iter().map(outside).collect();
        let parts = (slices(values, self.size), elements(&mut outside));
        try_for_each(parts, 1, |index, (values, outside)| {
            let band = &self.bands[index];
            let start = index * self.size;
            let mut leaving = band.leaving.iter().rev().peekable();
            for (step, &sample) in band.order.iter().rev().enumerate() {
                let (at, to) = (sample as usize, receivers[sample as usize] as usize);
                let is_leaving = leaving.next_if_eq(&&sample).is_some();
                let below =
                    if is_leaving { outside.pop() } else { None }.unwrap_or_else(|| values[to - start]);
                values[at - start] = f(at, to, values[at - start], below);
                if step.is_multiple_of(CHECK_INTERVAL) {
                    alive()?;
                }
            }
            Ok(())
        })
    }
}

impl Band {
    /// Follows the water from each source in the band downstream, up to the first sample with donors that are
    /// not yet visited. Consecutive steps are thus mostly close in memory.
    fn follow(
        &mut self,
        network: &Network,
        start: usize,
        kept: f32,
        total: &mut [f32],
        pending: &mut [u8],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let range = start..start + total.len();
        let receivers = &network.receivers[range.clone()];
        let Self { order, leaving } = self;
        order.clear();
        leaving.clear();
        pending.copy_from_slice(&network.donors[range]);
        for source in 0..receivers.len() {
            let mut at = source;
            while pending[at] == 0 {
                pending[at] = VISITED;
                order.push((start + at) as u32);
                let to = (receivers[at] as usize).wrapping_sub(start);
                if to == at {
                    break;
                }
                if to >= receivers.len() {
                    leaving.push((start + at) as u32);
                    break;
                }
                total[to] += kept * total[at];
                pending[to] -= 1;
                at = to;
            }
            if source.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A network in which samples have random ranks. Each sample drains to a sample of lower rank, or
    /// nowhere.
    fn network(draws: &[(u32, u32)]) -> Network {
        let mut ranks: Vec<usize> = (0..draws.len()).collect();
        ranks.sort_by_key(|&at| draws[at]);
        let mut network = Network::new(draws.len());
        let mut used = vec![0; draws.len()];
        for (rank, &at) in ranks.iter().enumerate().skip(1) {
            let to = ranks[draws[at].1 as usize % rank];
            if used[to] < 8 && !draws[at].1.is_multiple_of(5) {
                used[to] += 1;
                network.receivers[at] = to as u32;
            }
        }
        network.count_donors(&|| Ok(())).unwrap();
        network
    }

    #[test]
    fn two_bands_by_hand() {
        // A map one sample wide, with bands of two rows: samples 0–1, 2–3 and 4. Water flows 0 → 1 → 2 → 4
        // and 3 → 1. Water from another band reaches samples 1, 2 and 4: these are the rivers.
        let mut network = Network::new(5);
        network.receivers = vec![1, 2, 4, 1, 4];
        network.count_donors(&|| Ok(())).unwrap();
        let mut bands = Bands::of_rows(2, 1, 5);
        let mut total = vec![1.0; 5];
        bands.accumulate(&network, 0.5, &mut total, &mut [0; 5], &|| Ok(())).unwrap();
        assert_eq!(total, [1.0, 2.0, 2.0, 1.0, 2.0]);
        assert_eq!(bands.rivers, [1, 2, 4]);
        // Counts the steps from each sample to where its water ends.
        let mut steps = vec![0.0; 5];
        let step = |at, to, _, below| if at == to { 0.0 } else { below + 1.0 };
        bands.upstream(&network, &mut steps, &|| Ok(()), step).unwrap();
        assert_eq!(steps, [3.0, 2.0, 1.0, 3.0, 0.0]);
    }

    proptest! {
        /// Compares with following each sample's water to its end.
        #[test]
        fn bands_agree_with_walking_downstream(
            draws in prop::collection::vec((0u32..1000, 0u32..1000), 1..120),
            rows in 1usize..9,
            width in 1usize..9,
        ) {
            let network = network(&draws);
            let count = draws.len();
            let mut bands = Bands::of_rows(rows, width, count);
            let (mut total, mut steps) = (vec![1.0; count], vec![0.0; count]);
            // Accumulates twice: nothing may remain from the first time.
            for _ in 0..2 {
                total.fill(1.0);
                bands.accumulate(&network, 1.0, &mut total, &mut vec![0; count], &|| Ok(())).unwrap();
            }
            bands
                .upstream(
                    &network,
                    &mut steps,
                    &|| Ok(()),
                    |at, to, _, below| if at == to { 0.0 } else { below + 1.0 },
                )
                .unwrap();
            let (mut counted, mut far) = (vec![0.0; count], vec![0.0; count]);
            for (start, far) in far.iter_mut().enumerate() {
                let mut at = start;
                counted[at] += 1.0;
                while network.receivers[at] as usize != at {
                    at = network.receivers[at] as usize;
                    counted[at] += 1.0;
                    *far += 1.0;
                }
            }
            // The greatest number of any sample upstream.
            let own = |at: usize| draws[at].0;
            let mut most: Vec<u32> = (0..count).map(own).collect();
            let mut expected = most.clone();
            bands.downstream(&network, &mut most, &|| Ok(()), u32::max).unwrap();
            for start in 0..count {
                let mut at = start;
                while network.receivers[at] as usize != at {
                    at = network.receivers[at] as usize;
                    expected[at] = expected[at].max(own(start));
                }
            }
            prop_assert_eq!(total, counted);
            prop_assert_eq!(steps, far);
            prop_assert_eq!(most, expected);
        }
    }
}
