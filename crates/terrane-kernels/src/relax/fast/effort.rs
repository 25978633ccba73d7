//! How much is spent on relaxation that is fast.

use super::level::Level;

/// How much is spent.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Steps towards the cheapest ground at full resolution; twice as many on every coarser one, within
    /// reason.
    pub steps: u64,
    /// Ground of few samples gets more of them: so many over its samples.
    pub samples_times_steps: u64,
    /// The most on coarser ground.
    pub coarse_steps: u64,
    /// How far inside the bounds the ground is aimed, in tolerances or as a part of the bound, so that few
    /// quadrants are left outside.
    pub inside: (f64, f64),
    /// Steps on ground of twice the finest spacing once the scale is known, towards slopes so far inside;
    /// twice as many on every coarser one.
    pub settling: u64,
    /// The most of those.
    pub most_settling: u64,
    /// The most steps towards ground that is within all bounds.
    pub closing: u64,
    /// Steps of those before the ground is brought within its bounds all at once.
    pub repair_after: u64,
}

impl Effort {
    /// Soon.
    pub const DRAFT: Self = Self {
        steps: 60,
        samples_times_steps: 1 << 21,
        coarse_steps: 1000,
        inside: (12.0, 1.0 / 300.0),
        settling: 400,
        most_settling: 10_000,
        closing: 2000,
        repair_after: 120,
    };
    /// Near the optimum.
    pub const NEAR: Self = Self {
        steps: 400,
        samples_times_steps: 1 << 21,
        coarse_steps: 2000,
        inside: (1.0, 1.0 / 500.0),
        settling: 0,
        most_settling: 0,
        closing: 3000,
        repair_after: 400,
    };

    /// Steps on ground that is so many times coarser than the finest.
    pub fn on(self, levels: &[Level], coarser: usize) -> u64 {
        let worth = |level: &Level| self.samples_times_steps / level.heights.len().max(1) as u64;
        let least = self.steps.max(worth(&levels[0])).min(self.coarse_steps);
        let doubled = least << coarser.min(16);
        doubled.min(self.coarse_steps).max(least)
    }

    /// Settling steps on ground that is so many times coarser than the finest, at least once.
    pub fn settling_on(self, coarser: usize) -> u64 {
        (self.settling << (coarser - 1).min(16)).min(self.most_settling)
    }
}
