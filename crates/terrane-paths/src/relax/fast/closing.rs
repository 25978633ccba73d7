//! From the state of the steps to ground within all bounds.

use super::balance::{level_out, return_earth};
use super::flows::Flows;
use super::level::Level;
use super::mend::{Mended, Mender};
use super::repair::repair;
use super::state::{Reading, State};
use super::work::Work;
use crate::relax::field::Field;
use crate::relax::watch::Watch;
use crate::{Cancelled, Progress};

/// Steps towards ground within the bounds before a lack of progress is diagnosed.
const STUCK_AFTER: u64 = 400;

/// Steps between two checks whether the ground can be mended.
const CHECK_INTERVAL: u64 = 40;

/// Steps towards the cheapest ground between two tries to mend the ground that flows leave.
const FLOW_STEPS: u64 = 240;

/// Such steps end after so many rounds in which violations did not become fewer.
const FLOW_PATIENCE: u32 = 2;

/// How many times the budget of one mending the last one has.
const LAST_BUDGETS: usize = 2;

/// How often repair and mending alternate.
const REPAIRS: u32 = 8;

/// The mending budget after more steps, in samples for each bound that requires flatter ground. When it is
/// used up, yet more steps are taken.
const MEND_BUDGET: usize = 24;

/// Reads the ground off the flows and mends it. Where local sweeps take too long and there are banks, takes
/// more steps towards the cheapest ground, aimed inside the bounds, and tries again as long as violations
/// become fewer; what is then still missed is repaired. Returns the number of steps, and the result.
pub fn follow_flows(
    (field, before): (&mut Field, &Field),
    bounds: &Bounds<'_>,
    state: &mut State,
    (rounds, most_steps): (u32, u64),
    work: &mut Work<'_>,
) -> Result<(u64, Tried), Cancelled> {
    let (mender, has_banks) = (bounds.mender, bounds.level.has_banks());
    let (mut steps, mut round, mut least, mut best) = (0, 0, f64::INFINITY, 0);
    loop {
        let mut flows = state.write(before, field, Reading::Flows);
        work.check()?;
        let (missed, sum) = mender.missed(field);
        let count = missed.len();
        if sum < least {
            (least, best) = (sum, round);
        }
        let is_last = !has_banks || round == rounds || round == best + FLOW_PATIENCE;
        let budget = mender.budget() * if is_last && has_banks { LAST_BUDGETS } else { 1 };
        let mended = mender.mend((field, &mut flows), missed, budget, &mut || work.check())?;
        if mended == Mended::All || (is_last && has_banks && repaired(field, before, bounds, state, work)?) {
            return Ok((steps, Tried::Met { cost: flows.cost(before, field, bounds.level.max_price) }));
        }
        if is_last {
            return Ok((steps, Tried::Missed(count)));
        }
        let more = FLOW_STEPS.min(most_steps - steps);
        for _ in 0..more {
            state.step();
            work.step(field.heights.len())?;
        }
        steps += more;
        round += 1;
    }
}

/// What becomes of ground that flows leave.
pub enum Tried {
    /// All bounds are met, at a cost.
    Met { cost: f64 },
    /// The number of samples where flows leave bounds missed.
    Missed(usize),
}

/// Takes steps towards ground within its bounds until the remaining violations can be mended by local sweeps,
/// or repaired all at once, or until they no longer decrease because the bounds conflict with prescribed
/// heights. Mending is tried when at most half of the `missed` bounds of the previous try are still missed.
/// Returns the number of steps, and the cost: infinite if bounds are still missed.
pub fn close(
    (field, before): (&mut Field, &Field),
    bounds: &Bounds<'_>,
    state: &mut State,
    ((most_steps, mut repair_after), missed): ((u64, u64), usize),
    work: &mut Work<'_>,
) -> Result<(u64, f64), Cancelled> {
    let (mender, mut watch) = (bounds.mender, Watch::after(STUCK_AFTER));
    let (mut steps, mut mend_limit) = (0, missed / 2);
    while steps < most_steps {
        let more = CHECK_INTERVAL.min(most_steps - steps);
        for _ in 0..more {
            state.step();
            work.step(field.heights.len())?;
        }
        steps += more;
        let mut flows = state.write(before, field, Reading::Heights);
        work.check()?;
        let (missed, sum) = mender.missed(field);
        // The cheapest ground misses most bounds by little, and more steps would spoil it.
        let few = missed.len() <= mend_limit;
        if few {
            mend_limit = missed.len() / 2;
        }
        let budget = MEND_BUDGET * mender.flattening();
        let mut is_done =
            few && mender.mend((field, &mut flows), missed, budget, &mut || work.check())? == Mended::All;
        if !is_done && steps >= repair_after {
            repair_after = 2 * steps;
            let tried = field.clone();
            is_done = repaired(field, before, bounds, state, work)?;
            if !is_done {
                *field = tried;
            }
        }
        if is_done {
            return Ok((steps, flows.cost(before, field, bounds.level.max_price)));
        }
        if watch.is_stuck(steps, sum) {
            break;
        }
    }
    Ok((steps, f64::INFINITY))
}

/// The bounds of the ground.
pub struct Bounds<'a> {
    pub mender: &'a Mender<'a>,
    pub level: &'a Level,
    /// Heights that are within all bounds.
    pub known: Option<&'a [f64]>,
}

/// Repairs the whole ground, then mends the remaining slopes along directions; does both a few times. If
/// bounds are still missed and heights are known that meet all bounds, repairs with limits from these
/// heights. Returns whether all bounds are met.
pub fn repaired(
    field: &mut Field,
    before: &Field,
    &Bounds { mender, level, known }: &Bounds<'_>,
    state: &State,
    work: &mut Work<'_>,
) -> Result<bool, Cancelled> {
    for _ in 0..REPAIRS {
        let then = field.clone();
        repair(field, level, None, work)?;
        if let Some(range) = state.balanced(field.domain.spacing) {
            return_earth(range, before, &then, field);
            level_out(range, before, field);
        }
        let (missed, _) = mender.missed(field);
        let budget = MEND_BUDGET * mender.flattening();
        let mut flows = Flows::none(field.domain.size);
        if mender.mend((field, &mut flows), missed.clone(), budget, &mut || work.check())? == Mended::All {
            return Ok(true);
        }
    }
    let Some(known) = known else { return Ok(false) };
    repair(field, level, Some(known), work)?;
    Ok(mender.missed(field).0.is_empty())
}
