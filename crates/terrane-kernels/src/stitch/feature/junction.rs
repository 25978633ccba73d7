//! Where a river joins another that is cut deeper.

use super::water::{Water, Ways};

/// How a bed comes down to a deeper one.
#[derive(Clone, Copy, Debug)]
pub struct Taper {
    /// How far from a junction on it is lowered by all of the drop: as far as the deeper bed is level across.
    pub level: f64,
    /// Over what length from there on that falls to 1/e.
    pub length: f64,
}

/// Beds that come down to a deeper one over their way to it, instead of in one step at the junction.
///
/// `beds` are those of [`Water::highest`]. Where ways join, the bed is as low as the lowest of them needs it;
/// for each other this is a drop, by how much it is lower than that way alone needs. A way is lowered by the
/// whole drop near the junction, and by less upstream, so that no bed is steeper than it was by more than the
/// drop over [`Taper::length`]. What one junction has lowered is a drop for ways that join upstream.
///
/// No place is cut more than the most cut one on its way down, so that the greatest cut stays what it was;
/// beds still fall by `fall` on all ways, but for rounding, and rise nowhere. Ways that drop nowhere keep
/// their bits. Nodes beyond the map add nothing: of the ground there nothing is known. O(places).
pub fn tapered(water: &Water, ways: &Ways, beds: &[f64], fall: f64, taper: Taper) -> Vec<f64> {
    let cut =
        |place: usize| if water.most[place].is_finite() { water.most[place] - beds[place] } else { 0.0 };
    // Of each place: by how much it is lowered, how much farther all of that is, and the most that was cut on
    // the way down.
    let (mut lowered, mut level) = (vec![0.0f64; beds.len()], vec![0.0f64; beds.len()]);
    let (mut most_cut, mut tapered) = (vec![0.0f64; beds.len()], beds.to_vec());
    for &place in &ways.order {
        most_cut[place] = cut(place);
        let Some((to, far)) = ways.to[place] else { continue };
        most_cut[place] = most_cut[place].max(most_cut[to]);
        let drop = (water.most[to].min(beds[place] - fall * far) - beds[to]).max(0.0);
        let all = if drop > 0.0 { taper.level } else { level[to] };
        level[place] = (all - far).max(0.0);
        let above = lowered[to] + drop;
        if above > 0.0 {
            let left = above * libm::exp(-(far - all).max(0.0) / taper.length);
            lowered[place] = left.min(most_cut[place] - cut(place));
            tapered[place] = (beds[place] - lowered[place]).max(tapered[to]);
        }
    }
    tapered
}
