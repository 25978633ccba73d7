//! Fast relaxation, close to the minimum of earth moved.
//!
//! This is a convex problem: find heights with slopes within their bounds that minimise the amount of earth
//! times the distance it is moved. Along the axes earth flows between neighbours, so the unknowns are heights
//! h (in spacings) and flows f, and
//!
//! > minimise Σ|f| subject to h + div f = h₀ and every slope within its bound.
//!
//! The primal-dual method of Chambolle & Pock (2011), over-relaxed (Condat 2013), minimises over h and f and
//! maximises over a price of earth at each sample and a force in each quadrant. A step costs as much as a
//! sweep. But with steps, information travels like a wave, one sample per step, while with sweeps it spreads
//! like heat. Moreover, grids of half the resolution are solved first. So a few hundred steps replace a
//! hundred thousand sweeps.
//!
//! Step sizes depend on the scale: the ratio of flows to prices, and the ratio of forces to heights. Both are
//! measured on the coarser ground. A larger step of forces finds ground within the bounds sooner, but the
//! cheapest ground later. So the step of forces is small first and large last.
//!
//! Local sweeps come first. Where few bounds are missed they meet all of them at once, and show where and how
//! far the ground moves ([`swept`]): then steps at full resolution in a window around it are enough. If the
//! steps do not find cheaper ground, that of the sweeps stays.
//!
//! Flows are exactly 0 where it does not pay to move earth. So the ground is read off the flows: what no flow
//! reaches is unchanged to the bit, and earth is conserved. Local sweeps meet what is then still missed.
//!
//! Ground that is bound only by a bank's slope mostly does not move. What moves on coarser ground determines
//! where finer ground may move ([`region`]); the rest is skipped. With banks no height leaves the range of
//! the ground, unless heights are prescribed. Relaxation by sweeps has this property too, since each of its
//! moves brings two heights closer together.
//!
//! A prescribed height is held on every resolution, and earth has no price there: [`layout`] describes the
//! flows next to it.

mod bound;
mod dual;
mod effort;
mod flows;
mod join;
mod layout;
mod level;
mod mend;
mod primal;
mod prolong;
mod region;
mod repair;
mod scale;
mod state;
mod step;
mod swept;
mod work;

use super::constraint::Constraint;
use super::field::Field;
use super::parameters::Relaxation;
use super::watch::Watch;
use crate::{Cancelled, Progress};
use flows::Flows;
use join::join;
use level::{Level, given_heights};
use mend::{Mended, Mender};
use region::Region;
use repair::repair;
use scale::Scale;
use state::{Reading, State};
use swept::Swept;
use work::Work;

pub use effort::Effort;

/// Steps towards ground within the bounds before a lack of progress is diagnosed.
const STUCK_AFTER: u64 = 400;

/// Steps between two checks whether the ground can be mended.
const CHECK_INTERVAL: u64 = 40;

/// Steps towards the cheapest ground between two tries to mend the ground that flows leave.
const FLOW_STEPS: u64 = 240;

/// How often such steps follow a try that fails.
const FLOW_ROUNDS: u32 = 6;

/// Such steps end if more than this part of the violations remains.
const FLOW_PROGRESS: f64 = 0.75;

/// How often repair and mending alternate.
const REPAIRS: u32 = 4;

/// The mending budget after more steps, in samples for each bound that requires flatter ground. When it is
/// used up, yet more steps are taken.
const MEND_BUDGET: usize = 24;

/// Moves the ground within the bounds on its slopes or close to them, with the prescribed heights. Returns
/// the number of steps at full resolution. With a creation cost, in world units, earth may be created and
/// removed anywhere at that cost. Other constraints are left to later solvers. Does nothing if a height is
/// not finite.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn approach(
    field: &mut Field,
    constraints: &[Box<dyn Constraint>],
    (effort, parameters): (Effort, &Relaxation<'_>),
    most_steps: u64,
    progress: &dyn Progress,
) -> Result<u64, Cancelled> {
    let given = given_heights(field.heights.len(), constraints);
    for (height, given) in field.heights.iter_mut().zip(&given) {
        *height = given.unwrap_or(*height);
    }
    progress.check()?;
    let mender = Mender::new(constraints, &given);
    progress.check()?;
    let is_number = field.heights.iter().all(|height| height.is_finite());
    if most_steps == 0 || !is_number || mender.missed(field).0.is_empty() {
        return Ok(0);
    }
    progress.check()?;
    let level = Level::new(field, constraints, &given, parameters.creation_cost);
    progress.check()?;
    let swept = Swept::of(field, &mender, progress)?;
    let window =
        swept.as_ref().map(|swept| swept.window(&level)).filter(|window| effort.suffices(window.count()));
    let mut levels = vec![level];
    while let Some(coarser) = levels.last().filter(|_| window.is_none()).and_then(Level::coarser) {
        levels.push(coarser);
    }
    let samples = window.as_ref().map_or(field.heights.len(), Region::count);
    let steps = effort.on(samples, 0).min(most_steps);
    let closing = effort.closing.min(most_steps - steps);
    let mut work = Work::new(&levels, (effort, samples), progress);
    let mut scale = match (&swept, &window) {
        (Some(swept), Some(_)) => swept.scale(),
        _ => Scale::guess(&levels[0]),
    };
    let mut state: Option<State> = None;
    for (coarser, level) in levels.iter().enumerate().rev() {
        let region = match (&state, &window) {
            (Some(state), _) => Region::around(state.moved(), (state.width, state.height), level),
            (None, Some(window)) => window.clone(),
            (None, None) => Region::whole(level),
        };
        let mut next = State::new(level, &region, &work)?;
        if let Some(state) = &state {
            next.prolong(state, &work)?;
            scale.refine();
        }
        next.cheapen(&mut scale, if coarser == 0 { steps } else { effort.on(samples, coarser) }, &mut work)?;
        if coarser > 0 {
            next.aim(effort.inside);
            next.settle(&scale, effort.settling_on(coarser), &mut work)?;
        }
        state = Some(next);
    }
    let Some(mut state) = state else { return Ok(steps) };
    state.aim(effort.inside);
    let bounds = Bounds { mender: &mender, level: &levels[0], known: parameters.known };
    let before = field.clone();
    state.size(&scale.cheapening());
    let (mut closed, tried) =
        follow_flows((field, &before), &bounds, &mut state, (effort, closing), &mut work)?;
    let cost = match tried {
        Tried::Met { cost } => cost,
        Tried::Missed(missed) => {
            state.size(&scale.closing());
            let budget = (closing - closed, effort.repair_after);
            let (more, cost) = close((field, &before), &bounds, &mut state, (budget, missed), &mut work)?;
            closed += more;
            cost
        }
    };
    if let Some(swept) = swept.filter(|swept| swept.cost(&levels[0]) < cost) {
        *field = swept.ground;
    }
    if let Some(known) = parameters.known {
        let alone = field.clone();
        join(field, known);
        if !mender.missed(field).0.is_empty() && !repaired(field, &before, &bounds, &state, &mut work)? {
            *field = alone;
        }
    }
    Ok(steps + closed)
}

/// Reads the ground off the flows and mends it. Where local sweeps take too long, takes more steps towards
/// the cheapest ground, aimed inside the bounds, and tries again as long as violations become fewer. This
/// needs banks, and few samples that move: over large ground the steps take longer than [`close`], and rarely
/// suffice. Returns the number of steps, and the result.
fn follow_flows(
    (field, before): (&mut Field, &Field),
    bounds: &Bounds<'_>,
    state: &mut State,
    (effort, most_steps): (Effort, u64),
    work: &mut Work<'_>,
) -> Result<(u64, Tried), Cancelled> {
    let (mender, has_banks) = (bounds.mender, bounds.level.has_banks());
    let (mut steps, mut last, mut round) = (0, f64::INFINITY, 0);
    loop {
        let mut flows = state.write(before, field, Reading::Flows);
        work.check()?;
        let pairs = field.heights.iter().zip(&before.heights);
        let moved = pairs.filter(|(now, then)| now != then).count();
        let (missed, sum) = mender.missed(field);
        let count = missed.len();
        let mended = mender.mend((field, &mut flows), missed, mender.budget(), &mut || work.check())?;
        if mended == Mended::All {
            return Ok((steps, Tried::Met { cost: flows.cost(before, field, bounds.level.max_price) }));
        }
        let is_worth_it = has_banks && effort.is_small(moved) && sum <= FLOW_PROGRESS * last;
        if round == FLOW_ROUNDS || !is_worth_it {
            return Ok((steps, Tried::Missed(count)));
        }
        (last, round) = (sum, round + 1);
        let more = FLOW_STEPS.min(most_steps - steps);
        for _ in 0..more {
            state.step();
            work.step(field.heights.len())?;
        }
        steps += more;
    }
}

/// What becomes of ground that flows leave.
enum Tried {
    /// All bounds are met, at a cost.
    Met { cost: f64 },
    /// The number of samples where flows leave bounds missed.
    Missed(usize),
}

/// Takes steps towards ground within its bounds until the remaining violations can be mended by local sweeps,
/// or repaired all at once, or until they no longer decrease because the bounds conflict with prescribed
/// heights. Mending is tried when at most half of the `missed` bounds of the previous try are still missed.
/// Returns the number of steps, and the cost: infinite if bounds are still missed.
fn close(
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
struct Bounds<'a> {
    mender: &'a Mender<'a>,
    level: &'a Level,
    /// Heights that are within all bounds.
    known: Option<&'a [f64]>,
}

/// Repairs the whole ground, then mends the remaining slopes along directions; does both a few times. If
/// bounds are still missed and heights are known that meet all bounds, repairs with limits from these
/// heights. Returns whether all bounds are met.
fn repaired(
    field: &mut Field,
    before: &Field,
    &Bounds { mender, level, known }: &Bounds<'_>,
    state: &State,
    work: &mut Work<'_>,
) -> Result<bool, Cancelled> {
    for _ in 0..REPAIRS {
        repair(field, level, None, work)?;
        state.level_out(before, field);
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
