//! Rivers that erode and deposit (Yuan, Braun, Guerit, Rouby & Cordonnier 2019, *A new efficient method to
//! solve the stream power law model taking into account sediment deposition*).

use terrane_compute::Alive;

use super::carried::{Carried, Reach};
use super::law::split;
use super::state::State;
use crate::Cancelled;

/// Rounds in which samples find which law they follow, and in which the law is solved where its exponent is
/// not 1.
const ROUNDS: usize = 40;

impl State<'_> {
    /// Lets rivers erode and deposit. The height h of a sample that was at h₀, drains to h_r and has the area
    /// A upstream satisfies h = h₀ − factor · (h − h_r)ⁿ + G · Q / A. Here Q is what leaves the sample: what
    /// all samples upstream and the sample itself lose in this step.
    ///
    /// What a sample loses depends on its receiver, and what it gains on its donors. With the law linear in
    /// heights, what all donors of a sample lose is a linear function of the sample's own change, since
    /// water flows along a tree. This function is found from the sources down, then the changes from the
    /// outlets up, both exactly; Yuan et al. iterate instead. Where the exponent is not 1, and where it is
    /// not known which law a sample follows, this is repeated.
    pub(super) fn erode_and_deposit(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let carried = self.carry(ROUNDS, alive)?;
        for (&at, change) in self.order.iter().zip(&carried.changes) {
            let at = at as usize;
            (self.heights[at], self.remainders[at]) = split(self.height(at) + change);
        }
        self.carried = carried;
        alive()
    }

    /// The same for rivers that are wider than a sample. What they deposit is found as above, with what they
    /// deposit beside their own samples counted as carried no further. It is spread over their width before
    /// rivers erode: thus they cut through what would dam them. What is carried is found in one round, since
    /// the erosion that follows corrects what it lacks.
    pub(super) fn erode_and_spread(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let carried = self.carry(1, alive)?;
        let share = |place: usize| f64::from(self.gains(self.order[place] as usize).0);
        let mut deposits = vec![0.0f32; self.heights.len()];
        for (&at, depth) in self.order.iter().zip(carried.deposited(share)) {
            deposits[at as usize] = depth as f32;
        }
        self.carried = carried;
        let mut spread = vec![0.0; deposits.len()];
        self.valleys.spread(&deposits, &self.sea, &mut self.gathered[0], &mut spread);
        alive()?;
        let mut leaving = std::mem::take(&mut self.leaving);
        leaving.clear();
        for (at, spread) in spread.into_iter().enumerate() {
            (self.heights[at], self.remainders[at]) = split(self.height(at) + f64::from(spread));
            leaving.push(self.height(at));
        }
        self.erode(alive)?;
        // What each sample has lost, and then what leaves it.
        (0..leaving.len()).for_each(|at| leaving[at] -= self.height(at));
        for &at in &self.order {
            let at = at as usize;
            let to = self.network.receivers[at] as usize;
            leaving[at] -= f64::from(deposits[at]);
            if to != at {
                leaving[to] += leaving[at];
            }
        }
        self.leaving = leaving;
        alive()
    }

    /// What rivers carry in this step.
    fn carry(&mut self, rounds: usize, alive: &Alive<'_>) -> Result<Carried, Cancelled> {
        let mut carried = std::mem::take(&mut self.carried);
        let mut places = vec![0u32; self.heights.len()];
        (0u32..).zip(&self.order).for_each(|(place, &at)| places[at as usize] = place);
        let n = f64::from(self.parameters.slope_exponent);
        carried.begin(self.order.iter().map(|&at| self.reach(at as usize, &places)), n);
        alive()?;
        for _ in 0..rounds {
            carried.gather(n, alive)?;
            if carried.spread(n, alive)? {
                break;
            }
        }
        Ok(carried)
    }

    fn height(&self, at: usize) -> f64 {
        f64::from(self.heights[at]) + f64::from(self.remainders[at])
    }

    /// The shares of what leaves a sample that its river deposits, over its whole width and at the sample
    /// itself.
    fn gains(&self, at: usize) -> (f32, f32) {
        let own = self.gain(self.areas[at]);
        if !self.valleys.is_wide() {
            return (own, own);
        }
        let whole = self.gain(self.gathered[1][at] / self.valleys.samples() as f32);
        (whole, own.min(whole))
    }

    /// The share of what leaves a sample with this drainage area that it gains.
    fn gain(&self, area: f32) -> f32 {
        if area > 0.0 { self.parameters.deposition as f32 * self.spacing * self.spacing / area } else { 0.0 }
    }

    /// A sample and its way to its receiver. `places` are the places of samples in the sequence.
    fn reach(&self, at: usize, places: &[u32]) -> Reach {
        let to = self.network.receivers[at] as usize;
        let (whole, own) = self.gains(at);
        let kept = 1.0 / (1.0 + whole - own);
        Reach {
            drop: self.height(at) - self.height(to),
            factor: self.factors[at],
            rise: self.rise(at, to) as f32,
            gain: own * kept,
            kept,
            to: places[to],
            is_fixed: self.sea[at],
        }
    }

    /// What leaves each sample in the last step, in heights of a sample.
    pub(super) fn leaving(&self) -> Vec<f64> {
        let mut leaving = vec![0.0; self.heights.len()];
        if self.valleys.is_wide() {
            // Without steps, nothing has left.
            leaving.iter_mut().zip(&self.leaving).for_each(|(leaving, height)| *leaving = *height);
            return leaving;
        }
        self.order.iter().zip(self.carried.leaving()).for_each(|(&at, height)| leaving[at as usize] = height);
        leaving
    }
}
