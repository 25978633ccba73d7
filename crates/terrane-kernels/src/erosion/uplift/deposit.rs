//! Rivers that erode and deposit (Yuan, Braun, Guerit, Rouby & Cordonnier 2019, *A new efficient method to
//! solve the stream power law model taking into account sediment deposition*).

use terrane_compute::Alive;

use super::carried::Reach;
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
        let mut carried = std::mem::take(&mut self.carried);
        let mut places = vec![0u32; self.heights.len()];
        (0u32..).zip(&self.order).for_each(|(place, &at)| places[at as usize] = place);
        let n = f64::from(self.parameters.slope_exponent);
        carried.begin(self.order.iter().map(|&at| self.reach(at as usize, &places)), n);
        alive()?;
        for _ in 0..ROUNDS {
            carried.gather(n, alive)?;
            if carried.spread(n, alive)? {
                break;
            }
        }
        for (&at, change) in self.order.iter().zip(&carried.changes) {
            let at = at as usize;
            let raised = f64::from(self.heights[at]) + f64::from(self.remainders[at]);
            (self.heights[at], self.remainders[at]) = split(raised + change);
        }
        self.carried = carried;
        alive()
    }

    /// A sample and its way to its receiver. `places` are the places of samples in the sequence.
    fn reach(&self, at: usize, places: &[u32]) -> Reach {
        let to = self.network.receivers[at] as usize;
        let height = |at: usize| f64::from(self.heights[at]) + f64::from(self.remainders[at]);
        let gain = self.parameters.deposition as f32 * self.spacing * self.spacing / self.areas[at];
        Reach {
            drop: height(at) - height(to),
            factor: self.factors[at],
            rise: self.rise(at, to) as f32,
            gain: if self.areas[at] > 0.0 { gain } else { 0.0 },
            to: places[to],
            is_fixed: self.sea[at],
        }
    }

    /// What leaves each sample in the last step, in heights of a sample.
    pub(super) fn leaving(&self) -> Vec<f64> {
        let mut leaving = vec![0.0; self.heights.len()];
        self.order.iter().zip(self.carried.leaving()).for_each(|(&at, height)| leaving[at as usize] = height);
        leaving
    }
}
