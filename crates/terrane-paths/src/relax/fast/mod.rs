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
//! Where they take too long, more steps follow, and what then is still missed is repaired at once
//! ([`closing`]).
//!
//! Ground that is bound only by a bank's slope mostly does not move. What moves on coarser ground determines
//! where finer ground may move ([`region`]); the rest is skipped. With banks no height leaves the range of
//! the ground, unless heights are prescribed. Relaxation by sweeps has this property too, since each of its
//! moves brings two heights closer together.
//!
//! A prescribed height is held on every resolution, and earth has no price there: [`layout`] describes the
//! flows next to it.

mod balance;
mod bound;
mod closing;
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
use crate::{Cancelled, Progress};
use closing::{Bounds, Tried, close, follow_flows, repaired};
use join::join;
use level::{Level, given_heights};
use mend::Mender;
use region::Region;
use scale::Scale;
use state::State;
use swept::Swept;
use work::Work;

pub use effort::Effort;

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
        follow_flows((field, &before), &bounds, &mut state, (effort.flow_rounds, closing), &mut work)?;
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
