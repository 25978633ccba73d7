//! The scales of the four unknowns, which determine the sizes of steps.

use super::level::Level;

/// Step sizes: of heights, flows, prices and forces.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub heights: f64,
    pub flows: f64,
    pub prices: f64,
    pub forces: f64,
}

/// The ratios of flows to prices, and of forces to heights.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    flows: f64,
    forces: f64,
    /// The guessed ratios.
    guess: (f64, f64),
    /// Whether the ratios were measured.
    pub measured: bool,
}

/// Factor on the sizes of flows. Below 1, since this reaches balance sooner.
const FLOWS: f64 = 0.15;

/// The maximum factor of one change of scale: where prescribed heights conflict with bounds, forces grow
/// forever, and larger steps would only make them grow faster.
const MAX_CHANGE: f64 = 10.0;

/// The maximum factor between the scale and the guess.
const MAX_TOTAL_CHANGE: f64 = 1000.0;

/// Factor on the sizes of forces for finding the cheapest ground.
const CHEAPENING: f64 = 3.0;

/// Factor on the sizes of forces for finding ground within the bounds, when slopes matter most.
const CLOSING: f64 = 1000.0;

/// The maximum product of the sizes of heights and prices.
const LINK: f64 = 0.03;

impl Scale {
    /// A guess from the slope of the ground where it is bound: right within a factor of about ten.
    pub fn guess(level: &Level) -> Self {
        let slope = level.mean_slope().max(1e-9);
        let (flows, forces) = (slope, 10.0 / slope);
        Self { flows, forces, guess: (flows, forces), measured: false }
    }

    /// A guess from ground that local sweeps brought within its bounds: the number of `samples` that moved,
    /// and the Euclidean norms of their moves and of the flows, in spacings. Right within a factor of about
    /// ten.
    pub fn known(samples: usize, heights: f64, flows: f64) -> Self {
        let root = (samples.max(1) as f64).sqrt();
        let (flows, forces) = ((flows / (2.0 * root)).max(1e-12), 5.0 * root / heights.max(1e-12));
        Self { flows, forces, guess: (flows, forces), measured: false }
    }

    /// Adapts the scale to ground of half the spacing: heights and prices double, flows and forces quadruple.
    pub fn refine(&mut self) {
        self.flows *= 2.0;
        self.forces *= 2.0;
        self.guess = (2.0 * self.guess.0, 2.0 * self.guess.1);
    }

    /// Updates the scale from the norms of changes of heights, of flows, prices and forces, if they are
    /// usable.
    pub fn measure(&mut self, [heights, flows, prices, forces]: [f64; 4]) {
        let (flows, forces) = (flows / prices, forces / heights);
        if flows.is_normal() && forces.is_normal() {
            let near = |old: f64, new: f64| new.max(old / MAX_CHANGE).min(old * MAX_CHANGE);
            let within =
                |guess: f64, new: f64| new.max(guess / MAX_TOTAL_CHANGE).min(guess * MAX_TOTAL_CHANGE);
            self.flows = within(self.guess.0, near(self.flows, flows));
            self.forces = within(self.guess.1, near(self.forces, forces));
            self.measured = true;
        }
    }

    /// Sizes for finding the cheapest ground.
    pub fn cheapening(&self) -> Sizes {
        self.sizes(CHEAPENING)
    }

    /// Sizes for finding ground within the bounds.
    pub fn closing(&self) -> Sizes {
        self.sizes(CLOSING)
    }

    /// The method requires that the norm of the operator that links the unknowns, with each side scaled by
    /// the roots of its sizes, is at most 1. Flows and prices are linked by the divergence, with squared
    /// norm 8. Heights and forces are linked by the slopes of four quadrants, with squared norm 32. Heights
    /// and prices are linked by 1. So the first two links each use 0.8 of the limit. With h the product of
    /// the sizes of heights and prices, the matrix of norms has its largest eigenvalue below 1 as long as
    /// (1 - 0.8 - h)(1 - 0.8) is at least 0.8 h, so h is at most 0.04.
    fn sizes(&self, more: f64) -> Sizes {
        let flows = self.flows * FLOWS / 3.0;
        let forces = self.forces * more / 6.0;
        let (mut prices, mut heights) = (1.0 / (10.0 * flows), 1.0 / (40.0 * forces));
        let both = heights * prices;
        if both > LINK {
            let by = (LINK / both).sqrt();
            heights *= by;
            prices *= by;
        }
        Sizes { heights, flows, prices, forces }
    }
}
