//! Junctions where a river joins a deeper one.

use super::water::{Water, Ways};

/// How a bed descends to a deeper one.
#[derive(Clone, Copy, Debug)]
pub struct Taper {
    /// Distance from a junction within which the bed is lowered by the whole drop: as far as the deeper bed
    /// is level across.
    pub level: f64,
    /// Length over which the lowering then decays to 1/e.
    pub length: f64,
}

/// Beds that descend gradually to a deeper one along their route, instead of in one step at the junction.
///
/// `beds` are those of [`Water::highest`]. Where routes join, the bed is at the lowest of the heights that
/// the routes need. Each other route has a drop: the height by which its bed alone would be higher there. A
/// route is lowered by the whole drop near the junction and by less upstream. So no bed gets steeper by more
/// than the drop divided by [`Taper::length`]. Lowering at one junction is a drop for routes that join
/// upstream.
///
/// No point is cut more than the deepest cut downstream of it, so the maximum cut does not change. Beds still
/// fall by `fall` on all routes, apart from rounding, and never rise. Routes without a drop keep their bits.
/// Nodes beyond the map add nothing, as their ground is unknown. O(points).
pub fn tapered(water: &Water, ways: &Ways, beds: &[f64], fall: f64, taper: Taper) -> Vec<f64> {
    let cut =
        |point: usize| if water.most[point].is_finite() { water.most[point] - beds[point] } else { 0.0 };
    // Per point: its lowering, the distance over which that stays whole, and the maximum cut downstream.
    let (mut lowered, mut level) = (vec![0.0f64; beds.len()], vec![0.0f64; beds.len()]);
    let (mut most_cut, mut tapered) = (vec![0.0f64; beds.len()], beds.to_vec());
    for &point in &ways.order {
        most_cut[point] = cut(point);
        let Some((to, far)) = ways.to[point] else { continue };
        most_cut[point] = most_cut[point].max(most_cut[to]);
        let drop = (water.most[to].min(beds[point] - fall * far) - beds[to]).max(0.0);
        let all = if drop > 0.0 { taper.level } else { level[to] };
        level[point] = (all - far).max(0.0);
        let above = lowered[to] + drop;
        if above > 0.0 {
            let left = above * libm::exp(-(far - all).max(0.0) / taper.length);
            lowered[point] = left.min(most_cut[point] - cut(point));
            tapered[point] = (beds[point] - lowered[point]).max(tapered[to]);
        }
    }
    tapered
}
