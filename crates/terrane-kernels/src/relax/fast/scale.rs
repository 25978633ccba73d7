//! How large the four unknowns are beside each other, which the steps' sizes follow.

use super::level::Level;

/// Sizes of the steps: of heights, flows, prices and forces.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    pub heights: f64,
    pub flows: f64,
    pub prices: f64,
    pub forces: f64,
}

/// How large flows are beside prices, and forces beside heights.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    flows: f64,
    forces: f64,
    /// What they were guessed to be.
    guess: (f64, f64),
    /// Whether they were measured.
    pub measured: bool,
}

/// Flows move by less than their share, which brings the balance up sooner.
const FLOWS: f64 = 0.15;

/// By how many times the scale may change at once: where given heights conflict with bounds forces grow for
/// ever, and larger steps would only let them grow faster.
const AT_ONCE: f64 = 10.0;

/// By how many times it may be other than was guessed.
const IN_ALL: f64 = 1000.0;

/// Forces move by more than their share, at first.
const CHEAPENING: f64 = 3.0;

/// The same in the end, when slopes matter most.
const CLOSING: f64 = 1000.0;

/// The most that the sizes of heights and prices may be, multiplied.
const LINK: f64 = 0.03;

impl Scale {
    /// From how steep the ground is where it is bound: right within a factor of ten or so.
    pub fn guess(level: &Level) -> Self {
        let slope = level.mean_slope().max(1e-9);
        let (flows, forces) = (slope, 10.0 / slope);
        Self { flows, forces, guess: (flows, forces), measured: false }
    }

    /// On ground of half the spacing heights and prices are twice what they were, flows and forces four
    /// times.
    pub fn refine(&mut self) {
        self.flows *= 2.0;
        self.forces *= 2.0;
        self.guess = (2.0 * self.guess.0, 2.0 * self.guess.1);
    }

    /// What it is by the norms of what heights moved by, flows, prices and forces, where that can be said.
    pub fn measure(&mut self, [heights, flows, prices, forces]: [f64; 4]) {
        let (flows, forces) = (flows / prices, forces / heights);
        if flows.is_normal() && forces.is_normal() {
            let near = |old: f64, new: f64| new.max(old / AT_ONCE).min(old * AT_ONCE);
            let within = |guess: f64, new: f64| new.max(guess / IN_ALL).min(guess * IN_ALL);
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

    /// The method asks that the norm of what links the unknowns, with each side scaled by the roots of its
    /// sizes, is at most 1. Of flows and prices that norm is the divergence's, its square 8; of heights and
    /// forces that of four quadrants' slopes, its square 32; heights and prices are linked by 1. So these
    /// take 0.8 each of what is allowed; with heights times prices h the matrix of norms has its largest
    /// eigenvalue below 1 as long as (1 - 0.8 - h)(1 - 0.8) is at least 0.8 h, so h at most 0.04.
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
