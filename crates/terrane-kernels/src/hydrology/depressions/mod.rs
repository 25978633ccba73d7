//! Removal of hollows from a terrain.

mod breach;
mod fates;
mod hollowed;
mod hollows;
mod measure;
mod removal;
#[cfg(test)]
mod tests;
mod ways;

use terrane_compute::{Cancelled, Progress};
use terrane_grid::{Grid, Heightmap};

use super::Ties;
use super::ends::{ends, shape};
pub(crate) use hollowed::Hollowed;
pub use hollows::Hollow;
pub(super) use hollows::Hollows;
pub use measure::InHollows;
pub use removal::{DepressionRemoval, Fate, Method};

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
///   They fall by a hundredth of the hollow's depth, at most by one in a thousand, and less where the ground
///   at their ends or `max_depth` allows less.
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
