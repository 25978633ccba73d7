//! Rivers that erode and deposit (Yuan, Braun, Guerit, Rouby & Cordonnier 2019, *A new efficient method to
//! solve the stream power law model taking into account sediment deposition*).

use terrane_compute::{Alive, CHECK_INTERVAL};

use super::law::{split, worn};
use super::state::State;
use crate::Cancelled;

/// Rounds in which samples find which law they follow, and in which the law is solved where its exponent is
/// not 1.
const ROUNDS: usize = 40;

/// The largest change of a drop, as a share of it, at which the law for other exponents than 1 is solved.
const SOLVED: f64 = 1.0e-9;

/// The least drop whose tangent counts.
const LEAST: f64 = 1.0e-9;

/// Of so many samples one may follow another law than it should: its river then deposits or slides a little
/// more. All sediment is counted nevertheless.
const FEW: usize = 1000;

/// What the height of a sample follows in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Law {
    /// The river erodes and deposits.
    River,
    /// The receiver is higher, or there is none: the river only deposits.
    Still,
    /// The ground slides down to the talus above its receiver.
    Slide,
    /// The height is fixed.
    Fixed,
}

/// A sample, in the sequence in which water flows.
#[derive(Clone, Copy)]
struct Reach {
    /// How much higher it is than its receiver before rivers erode.
    drop: f64,
    /// The factor of erosion.
    factor: f32,
    /// How much higher than its receiver the talus allows it to be.
    rise: f32,
    /// The share of what leaves the sample that it gains: G over its drainage area in samples.
    gain: f32,
    /// The receiver's place in the sequence.
    to: u32,
}

/// What rivers carry, in heights of a sample. All lists are in the sequence in which water flows.
#[derive(Default)]
pub(super) struct Carried {
    reaches: Vec<Reach>,
    laws: Vec<Law>,
    /// What arrives at each sample from upstream: the first number, plus the second times the change of the
    /// sample itself.
    arriving: Vec<(f64, f64)>,
    /// The change of each sample.
    changes: Vec<f64>,
    /// For other exponents than 1, how much higher each sample is than its receiver after the last round.
    drops: Vec<f64>,
}

impl State<'_> {
    /// Lets rivers erode and deposit. The height h of a sample that was at h₀, drains to h_r and has the area
    /// A upstream satisfies h = h₀ − factor · (h − h_r)ⁿ + G · Q / A. Here Q is what leaves the sample: what all
    /// samples upstream and the sample itself lose in this step.
    ///
    /// What a sample loses depends on its receiver, and what it gains on its donors. With the law linear in
    /// heights, what all donors of a sample lose is a linear function of the sample's own change, since
    /// water flows along a tree. This function is found from the sources down, then the changes from the
    /// outlets up, both exactly; Yuan et al. iterate instead. Where the exponent is not 1, and where it is
    /// not known which law a sample follows, this is repeated.
    pub(super) fn erode_and_deposit(&mut self, alive: &Alive<'_>) -> Result<(), Cancelled> {
        let mut carried = std::mem::take(&mut self.carried);
        carried.begin(self);
        alive()?;
        let n = f64::from(self.parameters.slope_exponent);
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

    /// What leaves each sample in the last step: what arrives, less what the sample gains. In heights of a
    /// sample.
    pub(super) fn leaving(&self) -> Vec<f64> {
        let mut leaving = vec![0.0; self.heights.len()];
        let Carried { arriving, changes, .. } = &self.carried;
        for ((&at, (from_above, of_own)), change) in self.order.iter().zip(arriving).zip(changes) {
            leaving[at as usize] = from_above + (of_own - 1.0) * change;
        }
        leaving
    }
}

impl Carried {
    /// Starts a step.
    fn begin(&mut self, state: &State<'_>) {
        let State { heights, remainders, areas, factors, order, network, sea, .. } = state;
        let height = |at: usize| f64::from(heights[at]) + f64::from(remainders[at]);
        let own = state.spacing * state.spacing;
        let mut places = vec![0u32; heights.len()];
        (0u32..).zip(order).for_each(|(place, &at)| places[at as usize] = place);
        let reach = |&at: &u32| {
            let (at, to) = (at as usize, network.receivers[at as usize] as usize);
            let gain = state.parameters.deposition as f32 * own / areas[at];
            Reach {
                drop: height(at) - height(to),
                factor: factors[at],
                rise: state.rise(at, to) as f32,
                gain: if areas[at] > 0.0 { gain } else { 0.0 },
                to: places[to],
            }
        };
        self.reaches.clear();
        self.reaches.extend(order.iter().map(reach));
        let law = |(reach, &at): (&Reach, &u32)| match reach.drop > 0.0 {
            _ if sea[at as usize] => Law::Fixed,
            true => Law::River,
            false => Law::Still,
        };
        self.laws.clear();
        self.laws.extend(self.reaches.iter().zip(order).map(law));
        self.changes.clear();
        self.changes.resize(order.len(), 0.0);
        self.drops.clear();
        if state.parameters.slope_exponent != 1.0 {
            self.drops.extend(self.reaches.iter().map(|reach| reach.drop));
        }
    }

    /// From the sources down: what arrives at each sample, as a function of its own change.
    fn gather(&mut self, n: f64, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.arriving.clear();
        self.arriving.resize(self.reaches.len(), (0.0, 0.0));
        for at in 0..self.reaches.len() {
            let to = self.reaches[at].to as usize;
            if to != at {
                let (fixed, sloped) = self.change(at, n);
                let (from_above, of_own) = self.arriving[at];
                let lost = of_own - 1.0;
                let sum = &mut self.arriving[to];
                *sum = (sum.0 + from_above + lost * fixed, sum.1 + lost * sloped);
            }
            if at.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
        }
        Ok(())
    }

    /// From the outlets up: the change of each sample. Returns whether nearly all samples follow their laws.
    fn spread(&mut self, n: f64, alive: &Alive<'_>) -> Result<bool, Cancelled> {
        let (mut others, mut is_solved) = (0, true);
        for at in (0..self.reaches.len()).rev() {
            if at.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
            if self.laws[at] == Law::Fixed {
                continue;
            }
            let (fixed, sloped) = self.change(at, n);
            let Reach { drop, factor, rise, gain, to } = self.reaches[at];
            let below = if to as usize == at { 0.0 } else { self.changes[to as usize] };
            let change = fixed + sloped * below;
            self.changes[at] = change;
            if to as usize == at {
                continue;
            }
            // How much higher than its receiver the sample would be if the river only deposited.
            let (from_above, of_own) = self.arriving[at];
            let leaving = from_above + (of_own - 1.0) * change;
            let free = drop + f64::from(gain) * leaving - below;
            let worn = worn(free, 0.0, f64::from(factor), n);
            let law = match free {
                free if free <= 0.0 => Law::Still,
                _ if worn > f64::from(rise) => Law::Slide,
                _ => Law::River,
            };
            others += usize::from(law != self.laws[at]);
            self.laws[at] = law;
            if let Some(last) = self.drops.get_mut(at) {
                is_solved &= (worn - *last).abs() <= SOLVED * worn.abs().max(SOLVED);
                *last = worn;
            }
        }
        Ok(is_solved && others <= self.reaches.len() / FEW)
    }

    /// The change of a sample as a function of the change of its receiver: a constant and a factor.
    #[inline]
    fn change(&self, at: usize, n: f64) -> (f64, f64) {
        let Reach { drop, factor, rise, gain, .. } = self.reaches[at];
        let (from_above, of_own) = self.arriving[at];
        let (gained, divisor) = (f64::from(gain) * from_above, 1.0 - f64::from(gain) * (of_own - 1.0));
        match self.laws[at] {
            Law::Fixed => (0.0, 0.0),
            Law::Still => (gained / divisor, 0.0),
            Law::Slide => (f64::from(rise) - drop, 1.0),
            Law::River => {
                let factor = f64::from(factor);
                // The law is factor · dropⁿ. For other exponents than 1 its tangent at the last drop counts.
                let (eroded, tangent) = match self.drops.get(at) {
                    None => (factor * drop, factor),
                    Some(last) => {
                        let last = last.max(LEAST);
                        let tangent = factor * n * libm::pow(last, n - 1.0);
                        (tangent * (drop - last) + factor * libm::pow(last, n), tangent)
                    }
                };
                let share = 1.0 / (divisor + tangent);
                ((gained - eroded) * share, tangent * share)
            }
        }
    }
}
