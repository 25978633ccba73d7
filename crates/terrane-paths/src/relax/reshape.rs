//! Relaxation in which the slopes of paths take precedence over the roughness of the ground beside them.

use super::bounds::{BANK_TOLERANCE, bounds_to_round};
use super::carry::carried;
use super::constraint::Constraint;
use super::field::Field;
use super::given::Given;
use super::loosen::{give_way, release};
use super::parameters::Relaxation;
use super::slope::Bank;
use super::solve::{Outcome, Relaxed, conflict, relax};
use super::watch::distance;
use crate::path::Subdivision;
use crate::{Cancelled, Progress};

/// Cost of a unit of height that is created or removed where ground follows a path, in samples of moving it.
const CREATION_COST: f64 = 2.0;

/// The result of [`reshape`].
#[derive(Clone, Debug, PartialEq)]
pub struct Reshaped {
    /// How it ended. If it is stuck, the kinds in conflict are those at the end of the sweeps that consider
    /// all bounds; the places are those of the ground that is returned.
    pub relaxed: Relaxed,
    /// The change of height that paths bring to the ground beside them, in world units per sample, for
    /// [`Given::change`]. Empty if no roughness is bound.
    pub change: Vec<f64>,
    /// Per sample, how often the tolerance of its roughness was doubled, for [`Given::widening`]. Empty if no
    /// roughness is bound.
    pub widening: Vec<u8>,
    /// Number of samples with a larger tolerance of roughness.
    pub widened: usize,
    /// Number of samples that lost their roughness or their prescribed height.
    pub dropped: usize,
}

/// Like [`relax`], with the bounds of a subdivision, but in this order:
///
/// 1. The ground is relaxed without the bounds on roughness: banks take their place.
/// 2. The ground beside paths follows the change of the paths ([`carried`]), so that it keeps its detail.
///    Where this violates slopes, these are relaxed.
/// 3. The ground is relaxed with all bounds. If they conflict, slopes take precedence: the result is the
///    ground of step 2, or the last ground with its slopes relaxed, whichever violates fewer bounds.
///
/// So paths can be walked, unless prescribed heights forbid it. With `loosens`, bounds that conflict give
/// way. In step 1 the heights prescribed near violations are removed from the subdivision. In step 3 the
/// tolerances of the worst violations of roughness are doubled. A roughness that is still violated after six
/// doublings is removed from the subdivision. Each step is then repeated until its bounds are met.
///
/// Conflicts are detected only with [`Relaxation::early_exit`]. [`Relaxation::max_iterations`] limits each
/// relaxation; the result counts the iterations of all.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn reshape(
    field: &mut Field,
    subdivision: &mut Subdivision,
    given: &Given<'_>,
    loosens: bool,
    parameters: &Relaxation<'_>,
    progress: &dyn Progress,
) -> Result<Reshaped, Cancelled> {
    let before = field.clone();
    let mut work = Work { before: &before, given, parameters, progress, iterations: 0, history: Vec::new() };
    let (built, released) = work.build(field, subdivision, loosens)?;
    let mut out = Reshaped { dropped: released, ..Reshaped::from(built) };
    if subdivision.roughness.iter().all(|roughness| roughness.is_nan()) {
        return Ok(out);
    }
    let built = field.clone();
    out.change = carried(&before, &built, subdivision, given.bank_slope, progress)?;
    out.widening = vec![0; before.heights.len()];
    let mut start = work.follow(&built, &out.change, subdivision)?;
    if out.relaxed.outcome != Outcome::Met {
        let given = Given { change: Some(&out.change), ..*given };
        field.clone_from(&start);
        out.relaxed.count(&bounds_to_round(&before, subdivision, &given), field);
        (out.relaxed.iterations, out.relaxed.history) = (work.iterations, work.history);
        return Ok(out);
    }
    loop {
        let given = Given { change: Some(&out.change), widening: &out.widening, ..*given };
        let all = bounds_to_round(&before, subdivision, &given);
        field.clone_from(&start);
        out.relaxed = work.relax(field, &all)?;
        if out.relaxed.outcome == Outcome::Met {
            return Ok(out);
        }
        let (starts, sweeps) = (distance(&all, &start).missed, distance(&all, field).missed);
        if loosens && matches!(out.relaxed.outcome, Outcome::Stuck { .. }) {
            let mut widening = out.widening.clone();
            // Sweeps may trade roughness for slopes. Then only the ground before them violates roughness.
            let judged: &[&Field] = if starts <= sweeps { &[&start] } else { &[field, &start] };
            let (gave_way, dropped) = judged
                .iter()
                .map(|ground| give_way(ground, &before, subdivision, &given, &mut widening))
                .find(|(gave_way, _)| *gave_way > 0)
                .unwrap_or_default();
            out.widening = widening;
            out.dropped += dropped;
            let is_widened = |(doublings, kept): (&u8, &f32)| *doublings > 0 && !kept.is_nan();
            out.widened =
                out.widening.iter().zip(&subdivision.roughness).filter(|pair| is_widened(*pair)).count();
            if dropped > 0 {
                start = work.follow(&built, &out.change, subdivision)?;
            }
            if gave_way > 0 {
                continue;
            }
        }
        if !work.finish(field, &start, subdivision)? || starts <= distance(&all, field).missed {
            field.clone_from(&start);
        }
        out.relaxed.count(&all, field);
        (out.relaxed.iterations, out.relaxed.history) = (work.iterations, work.history);
        return Ok(out);
    }
}

/// What all relaxations of one ground share.
struct Work<'a> {
    before: &'a Field,
    given: &'a Given<'a>,
    parameters: &'a Relaxation<'a>,
    progress: &'a dyn Progress,
    /// Iterations of all relaxations so far.
    iterations: u64,
    history: Vec<super::Sweep>,
}

impl Work<'_> {
    /// Relaxes. The iterations and the history of the result are those of all relaxations so far.
    fn relax(&mut self, field: &mut Field, bounds: &[Box<dyn Constraint>]) -> Result<Relaxed, Cancelled> {
        self.relax_with(field, bounds, self.parameters)
    }

    fn relax_with(
        &mut self,
        field: &mut Field,
        bounds: &[Box<dyn Constraint>],
        parameters: &Relaxation<'_>,
    ) -> Result<Relaxed, Cancelled> {
        let mut out = relax(field, bounds, parameters, self.progress)?;
        let earlier = self.iterations;
        let rows = out.history.iter().map(|row| super::Sweep { iteration: row.iteration + earlier, ..*row });
        self.history.extend(rows);
        self.iterations += out.iterations;
        (out.iterations, out.history) = (self.iterations, self.history.clone());
        Ok(out)
    }

    /// Relaxes without the bounds on roughness: ground that would keep its roughness gets banks. With
    /// `loosens`, releases prescribed heights near violations until the rest is met. Returns their number.
    fn build(
        &mut self,
        field: &mut Field,
        subdivision: &mut Subdivision,
        loosens: bool,
    ) -> Result<(Relaxed, usize), Cancelled> {
        let (mut by, mut dropped) = (1, 0);
        loop {
            let bounds = {
                let mut smooth = subdivision.clone();
                smooth.roughness.fill(f32::NAN);
                bounds_to_round(self.before, &smooth, self.given)
            };
            let out = self.relax(field, &bounds)?;
            let is_stuck = loosens && matches!(out.outcome, Outcome::Stuck { .. });
            let here = if is_stuck { release(subdivision, &out.places, by) } else { 0 };
            dropped += here;
            if here == 0 && (!is_stuck || by > subdivision.domain.len()) {
                return Ok((out, dropped));
            }
            // If nothing nearby is left to release, look farther away.
            by = if here == 0 { 2 * by } else { 1 };
        }
    }

    /// The ground with the change of its paths, within its bounds on slopes and prescribed heights; or
    /// `built` if that misses fewer of these.
    fn follow(
        &mut self,
        built: &Field,
        change: &[f64],
        subdivision: &Subdivision,
    ) -> Result<Field, Cancelled> {
        let mut follows = self.before.clone();
        follows.heights.iter_mut().zip(change).for_each(|(height, by)| *height += by);
        let mut field = follows.clone();
        if self.finish(&mut field, &follows, subdivision)? {
            return Ok(field);
        }
        let slopes = self.slopes(&follows, subdivision);
        let is_better = distance(&slopes, &field).missed <= distance(&slopes, built).missed;
        Ok(if is_better { field } else { built.clone() })
    }

    /// Relaxes slopes and prescribed heights only. Returns whether they are met.
    fn finish(
        &mut self,
        field: &mut Field,
        follows: &Field,
        subdivision: &Subdivision,
    ) -> Result<bool, Cancelled> {
        // Ground that follows a path need not balance, so earth need not go far to make it so.
        let creation_cost = Some(CREATION_COST * self.before.domain.spacing);
        let parameters = Relaxation { creation_cost, ..*self.parameters };
        let out = self.relax_with(field, &self.slopes(follows, subdivision), &parameters)?;
        Ok(out.outcome == Outcome::Met)
    }

    /// The bounds on slopes and prescribed heights. Ground that keeps its roughness may be as steep as a
    /// bank, or as it is in `follows`: otherwise sweeps would push earth from banks together there.
    fn slopes(&self, follows: &Field, subdivision: &Subdivision) -> Vec<Box<dyn Constraint>> {
        let slopes = Given { scales: &[], ..*self.given };
        let mut all = bounds_to_round(self.before, subdivision, &slopes);
        if let Some(steepest) = self.given.bank_slope {
            let keeps =
                |at: usize| !subdivision.roughness[at].is_nan() && subdivision.slope[at].is_infinite();
            let was = |at: usize| follows.steepest(at).max(self.before.steepest(at));
            let bank = |at: usize| if keeps(at) { steepest.max(was(at)) } else { f64::INFINITY };
            all.insert(0, Box::new(Bank::new(self.before.domain.size, bank, BANK_TOLERANCE)));
        }
        all
    }
}

impl From<Relaxed> for Reshaped {
    /// A relaxation in which no bound gave way.
    fn from(relaxed: Relaxed) -> Self {
        Self { relaxed, change: Vec::new(), widening: Vec::new(), widened: 0, dropped: 0 }
    }
}

impl Relaxed {
    /// Counts the bounds that a field misses, and adds the kinds in conflict there.
    fn count(&mut self, bounds: &[Box<dyn Constraint>], field: &Field) {
        let (kinds, places) = conflict(bounds, field);
        self.conflict.extend(kinds);
        self.conflict.sort_unstable();
        self.conflict.dedup();
        self.places = places;
        self.missed = distance(bounds, field).missed;
    }
}
