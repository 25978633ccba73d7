//! Lakes and their overflows (Cordonnier et al. 2016, section 4.3).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Network;
use super::basins::number_basins;
use super::overflow::{LakeTerrain, link};
use super::passes::{Pass, passes, unsorted_passes};
use crate::Cancelled;
use terrane_compute::{Alive, CHECK_INTERVAL, chunks};

/// Scratch space with one number per sample.
#[derive(Debug)]
pub struct LakeBuffers(Vec<u32>);

impl LakeBuffers {
    /// Buffers for a map of this number of samples.
    #[must_use]
    pub fn new(samples: usize) -> Self {
        Self(vec![0; samples])
    }
}

/// The lakes of a terrain, numbered from 1; the sea has the number 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lakes {
    /// The lowest sample of each lake. The first entry stands for the sea and is no sample.
    pub bottoms: Vec<u32>,
    /// The lowest pass between every two adjacent basins. Basins that meet in rows far apart may have several
    /// passes; the lowest counts.
    pub passes: Vec<Pass>,
}

impl LakeTerrain<'_> {
    /// Finds the lakes of a network, which are the samples where water ends outside the sea, and the passes
    /// between their basins. O(samples + passes · log passes).
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If the network or the buffers do not have the size of the terrain.
    pub fn lakes(
        &self,
        network: &Network,
        buffers: &mut LakeBuffers,
        alive: &Alive<'_>,
    ) -> Result<Lakes, Cancelled> {
        buffers.0.copy_from_slice(&network.receivers);
        alive()?;
        self.find(&mut buffers.0, passes, alive)
    }

    /// The same with some higher passes too, in no order, given each sample's receiver, which is replaced by
    /// the number of its basin.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub(super) fn hollows(&self, receivers: &mut [u32], alive: &Alive<'_>) -> Result<Lakes, Cancelled> {
        self.find(receivers, unsorted_passes, alive)
    }

    fn find(
        &self,
        receivers: &mut [u32],
        passes: impl Fn(&Self, &[u32], &Alive<'_>) -> Result<Vec<Pass>, Cancelled>,
        alive: &Alive<'_>,
    ) -> Result<Lakes, Cancelled> {
        let bottoms = number_basins(receivers, self.shape.width, self.sea, alive)?;
        let passes = if bottoms.len() == 1 { Vec::new() } else { passes(self, receivers, alive)? };
        Ok(Lakes { bottoms, passes })
    }

    /// Lets every lake overflow. Starting at the sea, repeatedly takes the lowest pass to a lake that is not
    /// yet joined, and joins that lake. O(samples + passes · log passes). Afterwards, donors must be counted.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    ///
    /// # Panics
    /// If the network or the buffers do not have the size of the terrain.
    pub fn join(
        &self,
        network: &mut Network,
        buffers: &mut LakeBuffers,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let Lakes { bottoms, passes } = self.lakes(network, buffers, alive)?;
        if bottoms.len() == 1 {
            return Ok(());
        }
        let around = Around::new(&passes, bottoms.len(), alive)?;
        let mut joined = vec![false; bottoms.len()];
        // A queue of passes. The lowest pass comes first; of equally low ones, the one with the lowest index.
        // Height and index are packed into one number.
        let mut open = BinaryHeap::new();
        let (mut next, mut count, mut taken) = (Some(0u32), 0usize, 0usize);
        while let Some(basin) = next {
            count += 1;
            joined[basin as usize] = true;
            for &index in around.of(basin) {
                let pass = &passes[index as usize];
                if !joined[pass.other(basin) as usize] {
                    open.push(Reverse(u64::from(pass.ordered) << 32 | u64::from(index)));
                }
            }
            next = None;
            // As soon as all basins are joined, the remaining passes lead nowhere new.
            while count < bottoms.len()
                && let Some(Reverse(lowest)) = open.pop()
            {
                taken += 1;
                if taken.is_multiple_of(1 << 14) {
                    alive()?;
                }
                let pass = &passes[lowest as u32 as usize];
                let (a, b) = pass.basins;
                let (in_a, in_b) = pass.samples;
                let (lake, near, far) = match (joined[a as usize], joined[b as usize]) {
                    (true, false) => (b, in_b, in_a),
                    (false, true) => (a, in_a, in_b),
                    _ => continue,
                };
                link(&mut network.receivers, bottoms[lake as usize] as usize, near, far);
                next = Some(lake);
                break;
            }
        }
        Ok(())
    }
}

/// The passes of each basin.
struct Around {
    starts: Vec<usize>,
    passes: Vec<u32>,
}

impl Around {
    fn new(passes: &[Pass], basins: usize, alive: &Alive<'_>) -> Result<Self, Cancelled> {
        let mut starts = vec![0usize; basins + 1];
        for part in passes.chunks(CHECK_INTERVAL) {
            for pass in part {
                starts[pass.basins.0 as usize + 1] += 1;
                starts[pass.basins.1 as usize + 1] += 1;
            }
            alive()?;
        }
        for basin in 1..starts.len() {
            starts[basin] += starts[basin - 1];
        }
        alive()?;
        let (mut ends, mut around) = (starts.clone(), vec![0u32; 2 * passes.len()]);
        alive()?;
        for part in chunks(passes.len()) {
            for index in part {
                for basin in [passes[index].basins.0, passes[index].basins.1] {
                    around[ends[basin as usize]] = index as u32;
                    ends[basin as usize] += 1;
                }
            }
            alive()?;
        }
        Ok(Self { starts, passes: around })
    }

    fn of(&self, basin: u32) -> &[u32] {
        &self.passes[self.starts[basin as usize]..self.starts[basin as usize + 1]]
    }
}
