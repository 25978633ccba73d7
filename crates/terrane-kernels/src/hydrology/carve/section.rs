//! The cross-section of a river.

use super::river::RiverCarving;
use super::station::Station;

/// The narrowest river on a map, in samples: its samples are neighbours of each other.
const NARROWEST: f64 = 1.5;

/// The width over which the ground beside the floodplain changes, in widths of the river and in samples.
const BESIDE: (f64, f64) = (6.0, 3.0);

/// How much ground changes at most beside a river, in heights of the banks above the bed.
const MOST: f64 = 8.0;

/// The ground across a river at one point of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Section {
    /// The level of the water.
    pub level: f64,
    /// The height of the floodplain.
    plain: f64,
    depth: f64,
    /// Half the width of the water.
    pub half: f64,
    /// Half the width of the floodplain.
    flat: f64,
    side: f64,
    /// How much ground changes at most.
    most: f64,
    /// The distance beyond which the ground does not change.
    pub reach: f64,
}

impl Section {
    pub fn new(station: &Station, carving: &RiverCarving, spacing: f64) -> Self {
        let half = station.width.max(NARROWEST * spacing) / 2.0;
        let flat = (station.width * carving.floodplain / 2.0).max(half + 0.5 * spacing);
        let reach = (flat + BESIDE.0 * station.width + BESIDE.1 * spacing).min(carving.reach);
        Self {
            level: station.level,
            plain: station.level + carving.banks * station.depth,
            depth: station.depth,
            half,
            flat: flat.min(0.5 * reach.max(half)),
            side: carving.side,
            most: MOST * station.depth * (1.0 + carving.banks),
            reach,
        }
    }

    /// The section with a floodplain of another height, but not below the water.
    pub fn with_plain(self, plain: f64) -> Self {
        Self { plain: plain.max(self.level), ..self }
    }

    /// How much lower or higher than the floodplain ground may be at this distance. The slope grows from 0 to
    /// `side`.
    fn rise(&self, distance: f64) -> f64 {
        let beyond = (distance - self.flat).max(0.0);
        self.side * beyond * beyond / (beyond + self.flat)
    }

    /// How much of a change counts at this distance.
    fn share(&self, distance: f64) -> f64 {
        let t = ((self.reach - distance) / (0.5 * self.reach)).clamp(0.0, 1.0);
        t * t * (3.0 - 2.0 * t)
    }

    /// The highest ground at this distance.
    pub fn highest(&self, distance: f64) -> f64 {
        self.plain + self.rise(distance)
    }

    /// A change of ground that is limited: small ones are made, and large ones are nearly `most`. Walls of a
    /// gorge and slopes of a steep valley stay, and ground of a wide valley becomes a floodplain.
    fn limited(&self, change: f64) -> f64 {
        let change = change.max(0.0);
        if change > 0.0 { change * self.most / (change + self.most) } else { 0.0 }
    }

    /// Ground at this distance that is not too high.
    pub fn cut(&self, distance: f64, ground: f64) -> f64 {
        ground - self.limited(ground - self.highest(distance)) * self.share(distance)
    }

    /// Ground at this distance that is not too low.
    pub fn raised(&self, distance: f64, ground: f64) -> f64 {
        ground + self.limited(self.plain - self.rise(distance) - ground) * self.share(distance)
    }

    /// The height of the bed, in the water.
    pub fn bed(&self, distance: f64) -> f64 {
        let across = distance / self.half;
        self.level - self.depth * (1.0 - across * across)
    }
}
