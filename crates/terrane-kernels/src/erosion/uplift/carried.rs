//! What rivers carry in a step, along the tree in which water flows.

use terrane_compute::{Alive, CHECK_INTERVAL};

use super::law::worn;
use crate::Cancelled;
use crate::erosion::powers::power;

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
pub(super) struct Reach {
    /// How much higher it is than its receiver before rivers erode.
    pub drop: f64,
    /// The factor of erosion.
    pub factor: f32,
    /// How much higher than its receiver the talus allows it to be.
    pub rise: f32,
    /// The share of what leaves the sample that it gains: G over its drainage area in samples.
    pub gain: f32,
    /// The share of what would leave the sample that does, if its river is wider than the sample and also
    /// deposits beside it; otherwise 1.
    pub kept: f32,
    /// The receiver's place in the sequence.
    pub to: u32,
    /// Whether its height is fixed.
    pub is_fixed: bool,
}

/// What rivers carry, in heights of a sample. All lists are in the sequence in which water flows.
#[derive(Default)]
pub(super) struct Carried {
    reaches: Vec<Reach>,
    laws: Vec<Law>,
    /// What arrives at each sample from upstream: the first number, plus the second times the change of the
    /// sample itself.
    arriving: Vec<(f64, f64)>,
    /// The change of each sample as a function of that of its receiver: the first number, plus the second
    /// times the change of the receiver.
    responses: Vec<(f64, f64)>,
    /// The change of each sample.
    pub changes: Vec<f64>,
    /// For other exponents than 1, how much higher each sample is than its receiver after the last round.
    drops: Vec<f64>,
}

impl Carried {
    /// Starts a step with these samples, in the sequence in which water flows. `n` is the exponent of the
    /// slope.
    pub fn begin(&mut self, reaches: impl Iterator<Item = Reach>, n: f64) {
        self.reaches.clear();
        self.reaches.extend(reaches);
        self.laws.clear();
        // As if rivers only eroded, and nothing below changed: most samples follow this law.
        self.laws.extend(self.reaches.iter().map(|reach| {
            let Reach { drop, factor, rise, is_fixed, .. } = *reach;
            match drop {
                _ if is_fixed => Law::Fixed,
                drop if drop <= 0.0 => Law::Still,
                drop if drop > f64::from(rise) * (1.0 + f64::from(factor)) => Law::Slide,
                _ => Law::River,
            }
        }));
        self.changes.clear();
        self.changes.resize(self.reaches.len(), 0.0);
        self.drops.clear();
        if n != 1.0 {
            self.drops.extend(self.reaches.iter().map(|reach| reach.drop));
        }
    }

    /// What leaves each sample: what arrives, less what the sample gains.
    pub fn leaving(&self) -> impl Iterator<Item = f64> {
        let arriving = self.arriving.iter().zip(&self.changes);
        let kept = (0..self.laws.len()).map(|at| self.kept(at));
        arriving
            .zip(kept)
            .map(|(((from_above, of_own), change), kept)| kept * (from_above + (of_own - 1.0) * change))
    }

    /// The share that leaves a sample. Ground that slides is not deposited.
    #[inline(always)]
    fn kept(&self, at: usize) -> f64 {
        match self.laws[at] {
            Law::River | Law::Still => f64::from(self.reaches[at].kept),
            Law::Slide | Law::Fixed => 1.0,
        }
    }

    /// What each sample's river deposits over a width of so many samples for a share of 1.
    pub fn deposited(&self, share: impl Fn(usize) -> f64) -> impl Iterator<Item = f64> {
        let rivers = self.laws.iter().map(|law| matches!(law, Law::River | Law::Still));
        self.leaving().zip(rivers).enumerate().map(
            move |(at, (leaving, deposits))| {
                if deposits { share(at) * leaving } else { 0.0 }
            },
        )
    }

    /// From the sources down: what arrives at each sample, as a function of its own change.
    pub fn gather(&mut self, n: f64, alive: &Alive<'_>) -> Result<(), Cancelled> {
        self.arriving.clear();
        self.arriving.resize(self.reaches.len(), (0.0, 0.0));
        self.responses.clear();
        for at in 0..self.reaches.len() {
            let to = self.reaches[at].to as usize;
            let (fixed, sloped) = self.response(at, n);
            self.responses.push((fixed, sloped));
            if to != at {
                let ((from_above, of_own), kept) = (self.arriving[at], self.kept(at));
                let lost = kept * (of_own - 1.0);
                let sum = &mut self.arriving[to];
                *sum = (sum.0 + kept * from_above + lost * fixed, sum.1 + lost * sloped);
            }
            if at.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
        }
        Ok(())
    }

    /// From the outlets up: the change of each sample. Returns whether nearly all samples follow their laws.
    pub fn spread(&mut self, n: f64, alive: &Alive<'_>) -> Result<bool, Cancelled> {
        let (mut others, mut is_solved) = (0, true);
        for at in (0..self.reaches.len()).rev() {
            if at.is_multiple_of(CHECK_INTERVAL) {
                alive()?;
            }
            if self.laws[at] == Law::Fixed {
                continue;
            }
            let (fixed, sloped) = self.responses[at];
            let Reach { drop, factor, rise, gain, to, .. } = self.reaches[at];
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

    #[inline(always)]
    fn response(&self, at: usize, n: f64) -> (f64, f64) {
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
                        let tangent = factor * n * power(last, n - 1.0);
                        (tangent * (drop - last) + factor * power(last, n), tangent)
                    }
                };
                let share = 1.0 / (divisor + tangent);
                ((gained - eroded) * share, tangent * share)
            }
        }
    }
}
