//! Budgets of the fast solvers.

/// The least number of steps with which no coarser levels are solved first.
const LEAST_ALONE: u64 = 200;

/// The budget of a solver.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Steps towards the cheapest ground at full resolution. Each coarser level gets twice as many, up to a
    /// limit.
    pub steps: u64,
    /// Small ground gets more steps: at least this value divided by its number of samples.
    pub samples_times_steps: u64,
    /// Maximum number of steps on coarser levels.
    pub coarse_steps: u64,
    /// How far inside the bounds the ground is aimed, so that few quadrants remain outside: in tolerances,
    /// and as a part of the bound. The larger distance applies.
    pub inside: (f64, f64),
    /// Steps on ground of twice the finest spacing, towards slopes inside the bounds. They are taken after
    /// the scale is known. Each coarser level gets twice as many.
    pub settling: u64,
    /// Maximum number of settling steps.
    pub most_settling: u64,
    /// How often more steps towards the cheapest ground follow where local sweeps take too long.
    pub flow_rounds: u32,
    /// Maximum number of steps towards ground within all bounds.
    pub closing: u64,
    /// Number of closing steps before the whole ground is brought within its bounds at once.
    pub repair_after: u64,
}

impl Effort {
    /// The budget of the draft solver.
    pub const DRAFT: Self = Self {
        steps: 60,
        samples_times_steps: 1 << 21,
        coarse_steps: 1000,
        inside: (12.0, 1.0 / 300.0),
        settling: 400,
        most_settling: 10_000,
        flow_rounds: 6,
        closing: 2000,
        repair_after: 120,
    };
    /// The budget of the near-optimal solver.
    pub const NEAR: Self = Self {
        steps: 400,
        samples_times_steps: 1 << 21,
        coarse_steps: 2000,
        inside: (1.0, 1.0 / 500.0),
        settling: 0,
        most_settling: 0,
        flow_rounds: 12,
        closing: 3000,
        repair_after: 400,
    };

    /// Whether the steps of this budget on the finest level alone bring earth as far as necessary over so
    /// many samples: information moves by one sample per step, there and back.
    pub fn suffices(self, samples: usize) -> bool {
        self.on(samples, 0) >= LEAST_ALONE
    }

    /// Steps on the level that is `coarser` levels above the finest, of which so many samples may move.
    pub fn on(self, samples: usize, coarser: usize) -> u64 {
        let worth = self.samples_times_steps / samples.max(1) as u64;
        let least = self.steps.max(worth).min(self.coarse_steps);
        let doubled = least << coarser.min(16);
        doubled.min(self.coarse_steps).max(least)
    }

    /// Settling steps on the level that is `coarser` levels above the finest. `coarser` is at least 1.
    pub fn settling_on(self, coarser: usize) -> u64 {
        (self.settling << (coarser - 1).min(16)).min(self.most_settling)
    }
}
