//! Relaxation that is fast, and near the least that must be moved.
//!
//! What is asked is a convex problem: of all heights whose slopes are within their bounds, those that take
//! the least earth moved times the distance it is moved. Along the axes that is a flow between neighbours, so
//! the unknowns are heights h (in spacings) and flows f, and
//!
//! > least Σ|f| with h + div f = h₀ and every slope within its bound.
//!
//! The primal-dual method of Chambolle & Pock (2011), over-relaxed (Condat 2013), takes the least over h and
//! f and the most over a price of earth at each sample and a force in each quadrant. Each step costs what a
//! sweep does, but what it finds travels a sample a step as a wave does, not as heat, and half as many
//! samples come first: so some hundred steps do what takes sweeps a hundred thousand.
//!
//! The steps' sizes are a matter of scale: how large flows are beside prices, and forces beside heights. Both
//! are measured on the coarser ground. A larger step of forces finds ground within the bounds sooner and the
//! cheapest later; so it is small first and large last.
//!
//! Ground that nothing but a bank's slope binds mostly stays as it is. What moves on coarser ground tells
//! where finer ground may move ([`region`]); all else is left out. With banks no height leaves the range of
//! the ground: relaxation by sweeps never does, since each of its moves brings two heights nearer.
//!
//! Where a height is given it is held on every resolution and earth has no price there: [`layout`] says what
//! flows beside it.

mod bound;
mod dual;
mod effort;
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
mod work;

use super::constraint::Constraint;
use super::field::Field;
use super::parameters::Relaxation;
use super::watch::Watch;
use crate::{Cancelled, Progress};
use join::join;
use level::{Level, given_heights};
use mend::{Mended, Mender};
use region::Region;
use repair::repair;
use scale::Scale;
use state::State;
use work::Work;

pub use effort::Effort;

/// Steps towards ground within the bounds before it can be said that these get nowhere.
const HOPE: u64 = 400;

/// Steps between looks at whether the ground can be mended.
const LOOK: u64 = 40;

/// How often repair and mending take turns.
const REPAIRS: u32 = 4;

/// For each bound that asks for flatter ground, samples that mending may look at before more steps are taken.
const PATIENCE: usize = 24;

/// Of this many such bounds one may be missed when mending is tried; then half of those that were missed when
/// it was tried last.
const FEW: usize = 40;

/// Brings the ground within the bounds on its slopes or near, with the heights that are given; how many steps
/// at full resolution that took. Earth may be made and taken anywhere at a cost, in world units, where there
/// is one. Other bounds are left to who comes after. Does nothing where a height is no number.
///
/// # Errors
/// [`Cancelled`] when `progress` says so.
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
    progress.report(0.0)?;
    let mender = Mender::new(constraints, &given);
    progress.report(0.0)?;
    let is_number = field.heights.iter().all(|height| height.is_finite());
    if most_steps == 0 || !is_number || mender.missed(field).0.is_empty() {
        return Ok(0);
    }
    progress.report(0.0)?;
    let mut levels = vec![Level::new(field, constraints, &given, parameters.creation_cost)];
    progress.report(0.0)?;
    while let Some(coarser) = levels.last().and_then(Level::coarser) {
        levels.push(coarser);
    }
    let steps = effort.on(&levels, 0).min(most_steps);
    let closing = effort.closing.min(most_steps - steps);
    let mut work = Work::new(&levels, effort, progress);
    let (mut scale, mut state): (Scale, Option<State>) = (Scale::guess(&levels[0]), None);
    for (coarser, level) in levels.iter().enumerate().rev() {
        let region = state.as_ref().map_or_else(
            || Region::whole(level),
            |state| Region::around(state.moved(), (state.width, state.height), level),
        );
        let mut next = State::new(level, &region, &work)?;
        if let Some(state) = &state {
            next.prolong(state, &work)?;
            scale.refine();
        }
        next.cheapen(&mut scale, if coarser == 0 { steps } else { effort.on(&levels, coarser) }, &mut work)?;
        if coarser > 0 {
            next.aim(effort.inside);
            next.settle(&scale, effort.settling_on(coarser), &mut work)?;
        }
        state = Some(next);
    }
    let Some(mut state) = state else { return Ok(steps) };
    state.aim(effort.inside);
    state.size(&scale.closing());
    let patience = (closing, effort.repair_after);
    let bounds = Bounds { mender: &mender, level: &levels[0], known: parameters.known };
    let before = field.clone();
    let closed = close((field, &before), &bounds, &mut state, patience, &mut work)?;
    if let Some(known) = parameters.known {
        let alone = field.clone();
        join(field, known);
        if !mender.missed(field).0.is_empty() && !repaired(field, &before, &bounds, &state, &mut work)? {
            *field = alone;
        }
    }
    Ok(steps + closed)
}

/// Steps until what is left outside the bounds can be mended by sweeps there alone, or brought within them
/// all at once; or until no less is left any more, since the bounds conflict with given heights; how many.
fn close(
    (field, before): (&mut Field, &Field),
    bounds: &Bounds<'_>,
    state: &mut State,
    (most_steps, mut repair_after): (u64, u64),
    work: &mut Work<'_>,
) -> Result<u64, Cancelled> {
    let (mender, mut watch) = (bounds.mender, Watch::after(HOPE));
    let (mut steps, mut hope) = (0, mender.asking() / FEW);
    loop {
        state.write(before, field);
        work.look()?;
        let (missed, sum) = mender.missed(field);
        let few = missed.len() <= hope;
        if few {
            hope = missed.len() / 2;
        }
        let patience = PATIENCE * mender.asking();
        let mut is_done = few && mender.mend(field, missed, patience, &mut || work.look())? == Mended::All;
        if !is_done && steps >= repair_after {
            repair_after = 2 * steps;
            let tried = field.clone();
            is_done = repaired(field, before, bounds, state, work)?;
            if !is_done {
                *field = tried;
            }
        }
        if is_done || steps >= most_steps || watch.is_stuck(steps, sum) {
            return Ok(steps);
        }
        let more = LOOK.min(most_steps - steps);
        for _ in 0..more {
            state.step();
            work.step(field.heights.len())?;
        }
        steps += more;
    }
}

/// What the ground is brought within.
struct Bounds<'a> {
    mender: &'a Mender<'a>,
    level: &'a Level,
    /// Heights that are within all bounds.
    known: Option<&'a [f64]>,
}

/// Brings the ground within its bounds all at once, then mends what that leaves of slopes along directions, a
/// few times; then, where heights are known that meet all bounds, within what these allow; whether all bounds
/// are met.
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
        let patience = PATIENCE * mender.asking();
        if mender.mend(field, missed, patience, &mut || work.look())? == Mended::All {
            return Ok(true);
        }
    }
    let Some(known) = known else { return Ok(false) };
    repair(field, level, Some(known), work)?;
    Ok(mender.missed(field).0.is_empty())
}
