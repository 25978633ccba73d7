//! Removal of hollows from a terrain.

mod breach;
mod fates;
mod hollowed;
mod hollows;
mod measure;
#[cfg(test)]
mod tests;
mod ways;

use terrane_compute::{Cancelled, Progress};
use terrane_grid::{Grid, Heightmap};

use super::Ties;
use super::ends::{ends, shape};
use crate::Boundary;
pub(crate) use hollowed::Hollowed;
pub use hollows::Hollow;
use hollows::Hollows;
pub use measure::InHollows;

/// How hollows are removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "params", derive(serde::Serialize, serde::Deserialize, terrane_param::Choice))]
pub enum Method {
    /// The ground is raised to the level at which each hollow overflows.
    Fill,
    /// A channel is cut from the bottom of each hollow to lower ground.
    Breach,
    /// Whichever changes the smaller volume, for each hollow.
    Least,
}

/// Parameters of [`depressions()`].
#[derive(Clone, Copy, Debug)]
pub struct DepressionRemoval {
    /// How hollows are removed.
    pub method: Method,
    /// The greatest change of a height. Hollows that cannot be removed with less are kept.
    pub max_depth: f32,
    /// The greatest length of a channel through higher ground, in world units.
    pub max_length: f64,
    /// Samples below this height are sea, where all water ends.
    pub sea_level: Option<f32>,
    /// What lies beyond the border, over which water leaves an open map.
    pub boundary: Boundary,
}

impl Default for DepressionRemoval {
    /// All hollows are removed from an open map without a sea, with the least change.
    fn default() -> Self {
        let (max_depth, max_length) = (f32::INFINITY, f64::INFINITY);
        Self { method: Method::Least, max_depth, max_length, sea_level: None, boundary: Boundary::Open }
    }
}

/// What has become of a hollow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is as before, since the limits allow no other.
    Keep,
    /// It is filled, or lies in one that is.
    Fill,
    /// A channel leads from its bottom to lower ground.
    Breach,
}

/// A terrain without its hollows.
#[derive(Clone, Debug, PartialEq)]
pub struct Depressions {
    /// The ground.
    pub ground: Heightmap,
    /// The depth of the water that the hollows of the original terrain hold when they are full.
    pub depth: Heightmap,
    /// The hollows of the original terrain and what has become of them, ordered by their bottoms' indices.
    pub hollows: Vec<(Hollow, Fate)>,
}

/// Removes hollows from a terrain: ground from which no water leaves before it is full.
///
/// Hollows lie in each other. A hollow belongs to each lowest sample: it reaches up to the level at which its
/// water spills to ground with a lower one, to the sea, over the border, or into a hole. Filling a hollow
/// fills all in it. A breach leaves them, and each gets a channel of its own.
///
/// - [`Method::Fill`] raises ground to the levels. The result is that of Barnes, Lehman & Mulla (2014,
///   *Priority-flood*), to the bit.
/// - [`Method::Breach`] cuts the channel that takes away least ground from the bottom of each hollow to the
///   first ground that is lower than it (Lindsay & Dhun 2015; Lindsay 2016). Channels are one sample wide.
///   They fall by one in a thousand, or less where the ground at their ends or `max_depth` allows less.
/// - [`Method::Least`] chooses between both so that the sum of the volumes is least. Volumes of channels are
///   those in the original ground. Ground that is filled may block a channel; then another one is sought,
///   and the hollow is filled if there is none.
///
/// With unlimited depth and length, all water leaves the result, across flat ground where it was filled.
/// Ground outside of hollows and channels does not change.
///
/// O(samples + hollows · log hollows), plus the search of channels, which visits the samples around each
/// bottom that can be reached with less volume than the channel's.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn depressions(
    map: &Heightmap,
    parameters: &DepressionRemoval,
    progress: &dyn Progress,
) -> Result<Depressions, Cancelled> {
    let (width, height) = map.domain().size;
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(width, height, samples));
    let heights = map.samples();
    if heights.is_empty() {
        return Ok(Depressions { ground: map.clone(), depth: map.clone(), hollows: Vec::new() });
    }
    let alive = || progress.check();
    let DepressionRemoval { sea_level, boundary, .. } = *parameters;
    let ground = Hollowed {
        shape: shape(map, boundary),
        heights,
        ends: &ends(map, sea_level, boundary, &alive)?,
        held: &[],
        spacing: map.spacing(),
        ties: Ties::of(&map.domain()),
    };
    let removed = ground.remove(parameters, &alive)?;
    Ok(Depressions {
        ground: whole(removed.heights),
        depth: whole(removed.depth),
        hollows: listed(removed.hollows, &removed.fates),
    })
}

/// The hollows that have a depth, with their fates.
fn listed(hollows: Hollows, fates: &[Fate]) -> Vec<(Hollow, Fate)> {
    let is_listed = |hollow: &Hollow| hollow.samples > 0;
    // The index of each hollow in the list. A hollow in which others lie has a depth.
    let mut count = 0;
    let indices: Vec<u32> = hollows
        .all
        .iter()
        .map(|hollow| {
            count += u32::from(is_listed(hollow));
            count.saturating_sub(1)
        })
        .collect();
    let all = hollows.all.into_iter().zip(fates);
    all.filter(|(hollow, _)| is_listed(hollow))
        .map(|(hollow, fate)| {
            let parent = hollow.parent.map(|parent| indices[parent as usize]);
            (Hollow { parent, ..hollow }, *fate)
        })
        .collect()
}
