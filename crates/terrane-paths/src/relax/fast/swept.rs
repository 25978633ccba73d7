//! Local sweeps before all else. Where few bounds are missed, they meet all of them in little time, and show
//! where and how far the ground moves. They move more earth than necessary, but never film over the whole
//! map.

use super::flows::Flows;
use super::level::Level;
use super::mend::{Mended, Mender};
use super::region::Region;
use super::scale::Scale;
use crate::relax::field::Field;
use crate::{Cancelled, Progress};

/// Samples around those that sweeps move where cheaper ground may differ from the ground before.
const MARGIN: usize = 12;

/// Ground that local sweeps brought within all bounds.
pub struct Swept {
    pub ground: Field,
    flows: Flows,
    before: Field,
}

impl Swept {
    /// Sweeps over a field. `None` if bounds are still missed when the budget is used up.
    ///
    /// # Errors
    /// [`Cancelled`] when `progress` cancels.
    pub fn of(
        before: &Field,
        mender: &Mender<'_>,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, Cancelled> {
        let (mut ground, mut flows) = (before.clone(), Flows::none(before.domain.size));
        let (missed, budget) = (mender.missed(before).0, mender.budget());
        let mended = mender.mend((&mut ground, &mut flows), missed, budget, &mut || progress.check())?;
        Ok((mended == Mended::All).then(|| Self { ground, flows, before: before.clone() }))
    }

    /// The ground that moved, with a margin.
    pub fn window(&self, level: &Level) -> Region {
        let moved = self.ground.heights.iter().zip(&self.before.heights).map(|(now, then)| now != then);
        Region::near(moved.collect(), MARGIN, level)
    }

    /// The scale of what moved.
    pub fn scale(&self) -> Scale {
        let spacing = self.before.domain.spacing;
        let heights = self.ground.heights.iter().zip(&self.before.heights);
        let moved = heights.map(|(now, then)| (now - then) / spacing).filter(|by| *by != 0.0);
        let (samples, squares) = moved.fold((0, 0.0), |(samples, sum), by| (samples + 1, sum + by * by));
        Scale::known(samples, squares.sqrt(), self.flows.norm() / spacing)
    }

    /// The amount of earth times distance.
    pub fn cost(&self, level: &Level) -> f64 {
        self.flows.cost(&self.before, &self.ground, level.max_price)
    }
}
