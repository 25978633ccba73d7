//! What becomes of each hollow.

use terrane_compute::{Alive, Cancelled, parallel};

use super::breach::{Breached, Channel, Source};
use super::hollows::Hollows;
use super::removal::{Fate, Method};
use super::ways::Ways;

/// What becomes of the hollows of a terrain.
pub(super) struct Fates {
    /// One for each hollow.
    pub all: Vec<Fate>,
    /// The channels of those that are breached.
    pub channels: Vec<Option<Channel>>,
}

/// Hollows whose fate is sought.
pub(super) struct Choice<'a> {
    pub method: Method,
    pub ground: Breached<'a>,
    pub hollows: &'a Hollows,
    /// The basin of each sample.
    pub basins: &'a [u32],
}

impl Choice<'_> {
    /// Decides what becomes of each hollow.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn make(&self, alive: &Alive<'_>) -> Result<Fates, Cancelled> {
        let mut channels = vec![None; self.hollows.all.len()];
        if self.method != Method::Fill {
            let all = |_: usize| true;
            self.seek(&self.ground, &mut channels, &all, alive)?;
        }
        let mut fates = self.cheapest(&channels);
        self.inherit(&mut fates);
        if self.method == Method::Least {
            self.clear(&mut fates, &mut channels, alive)?;
        }
        for (fate, channel) in fates.iter().zip(&mut channels) {
            if *fate != Fate::Breach {
                *channel = None;
            }
        }
        Ok(Fates { all: fates, channels })
    }

    /// Seeks other channels where ground that is filled blocks one or raises the ground to which it leads,
    /// and fills the hollow if there is none.
    fn clear(
        &self,
        fates: &mut [Fate],
        channels: &mut [Option<Channel>],
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        // The ground in which the channels were found that are not blocked.
        let mut before = self.ground.heights.to_vec();
        loop {
            alive()?;
            let mut heights = self.ground.heights.to_vec();
            self.fill(fates, &mut heights, alive)?;
            let is_blocked = |at: &u32| heights[*at as usize] != before[*at as usize];
            let blocked: Vec<bool> = fates
                .iter()
                .zip(&*channels)
                .map(|(fate, channel)| {
                    let path = channel.iter().flat_map(|channel| &channel.path);
                    *fate == Fate::Breach && path.into_iter().any(is_blocked)
                })
                .collect();
            let filled = Breached { heights: &heights, ..self.ground };
            self.seek(&filled, channels, &|hollow| blocked[hollow], alive)?;
            let lost: Vec<usize> =
                (0..fates.len()).filter(|&hollow| blocked[hollow] && channels[hollow].is_none()).collect();
            if lost.is_empty() {
                return Ok(());
            }
            for hollow in lost {
                fates[hollow] = if self.may_fill(hollow) { Fate::Fill } else { Fate::Keep };
            }
            self.inherit(fates);
            before = heights;
        }
    }

    /// Raises the ground of filled hollows to their levels.
    ///
    /// # Errors
    /// [`Cancelled`] when `alive` cancels.
    pub fn fill(&self, fates: &[Fate], heights: &mut [f32], alive: &Alive<'_>) -> Result<(), Cancelled> {
        let levels = self.hollows.levels(|hollow| fates[hollow] == Fate::Fill);
        self.hollows.raise(&levels, self.basins, heights, alive)
    }

    /// Seeks channels from those hollows that have a depth and that `is_sought` names.
    fn seek(
        &self,
        ground: &Breached<'_>,
        channels: &mut [Option<Channel>],
        is_sought: &(dyn Fn(usize) -> bool + Sync),
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let channels = parallel::elements(channels);
        parallel::try_for_each_with(channels, 16, Ways::default, |ways, hollow, channel| {
            let at = &self.hollows.all[hollow];
            if is_sought(hollow) && at.depth(self.ground.heights) > 0.0 {
                let least = self.method == Method::Least && self.may_fill(hollow);
                let limit = if least { at.volume } else { f64::INFINITY };
                let heights = self.ground.heights;
                let order = |hollow: usize| (heights[self.hollows.all[hollow].bottom as usize], hollow);
                let leads_on = |at: usize| {
                    let basin = self.basins[at] as usize;
                    basin == 0 || order(basin - 1) < order(hollow)
                };
                let depth = at.depth(heights);
                let source = Source { bottom: at.bottom, depth, limit, leads_on: &leads_on };
                *channel = ground.channel(&source, ways, alive)?;
            }
            if hollow.is_multiple_of(1 << 8) { alive() } else { Ok(()) }
        })
    }

    fn may_fill(&self, hollow: usize) -> bool {
        let depth = self.hollows.all[hollow].depth(self.ground.heights);
        self.method != Method::Breach && depth <= self.ground.max_depth
    }

    /// The fates that change the ground least, if hollows do not affect each other's channels. A hollow that
    /// is filled costs its volume, and those in it cost nothing. A hollow that is breached costs its channel,
    /// and those in it cost what they cost alone.
    fn cheapest(&self, channels: &[Option<Channel>]) -> Vec<Fate> {
        let mut fates = vec![Fate::Keep; channels.len()];
        // What the hollows in each hollow cost, and then the hollow itself.
        let mut costs = vec![0.0; channels.len()];
        for &hollow in &self.hollows.inner_first {
            let hollow = hollow as usize;
            let at = &self.hollows.all[hollow];
            if at.depth(self.ground.heights) > 0.0 {
                let breached = channels[hollow].as_ref().map(|channel| channel.volume + costs[hollow]);
                let filled = self.may_fill(hollow).then_some(at.volume);
                (fates[hollow], costs[hollow]) = match (filled, breached) {
                    (Some(filled), Some(breached)) if breached < filled => (Fate::Breach, breached),
                    (Some(filled), _) => (Fate::Fill, filled),
                    (None, Some(breached)) => (Fate::Breach, breached),
                    (None, None) => (Fate::Keep, costs[hollow]),
                };
            }
            if let Some(parent) = at.parent {
                costs[parent as usize] += costs[hollow];
            }
        }
        fates
    }

    /// Hollows in a hollow that is filled are filled too.
    fn inherit(&self, fates: &mut [Fate]) {
        for &hollow in self.hollows.inner_first.iter().rev() {
            let parent = self.hollows.all[hollow as usize].parent;
            if parent.is_some_and(|parent| fates[parent as usize] == Fate::Fill) {
                fates[hollow as usize] = Fate::Fill;
            }
        }
    }
}
