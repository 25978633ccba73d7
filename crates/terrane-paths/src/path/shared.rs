//! Heights on a patch's border that its neighbours compute identically.
//!
//! They depend only on data that both sides of the border share: the terrain along it, bounds there, and the
//! heights of anchors. So patches can be computed in any order.

use terrane_grid::{Heightmap, Shape};

use super::fade::fading;
use super::parameters::{Anchor, Subdivide};
use super::straight::Place;
use super::subdivision::Subdivision;
use super::surroundings::Surroundings;

/// The share of a bound that is used by heights along the border, and by heights of anchors along paths. The
/// rest is left for slopes across the border: at a corner, where two borders may both rise at this rate, the
/// slope is 0.92 of the bound, so the bound can still be met.
pub const BOUND_SHARE: f64 = 0.65;

/// The distance over which ground blends into the border's heights, divided by the maximum change of these
/// heights.
const FADE: f64 = 6.0;

/// The distance up to which anchors affect a patch, as a multiple of the reach of paths. Corners depend on
/// the farthest anchors.
const ANCHORS_MATTER: f64 = 4.0;

/// Prescribes the heights on the border from a world.
pub fn bind_given(
    subdivision: &mut Subdivision,
    map: &Heightmap,
    heights: &[f64],
    parameters: &Subdivide<'_>,
) {
    let (width, height) = subdivision.domain.size;
    let shape = Shape { width, height, wrap: false };
    subdivision.world = heights.iter().map(|&height| height as f32).collect();
    let mut most = 0.0f64;
    for at in (0..heights.len()).filter(|&at| shape.on_border(shape.position(at))) {
        subdivision.given[at] = subdivision.world[at];
        most = most.max((heights[at] - f64::from(map.samples()[at])).abs());
    }
    let half = subdivision.domain.spacing * (width.min(height) - 1) as f64 / 2.0;
    // Over a shorter distance ground would bend more near the border than elsewhere.
    subdivision.fade = parameters.reach().max((FADE * most).min(half));
}

/// Prescribes all heights on the border: the terrain's, as nearly as bounds along the border and anchors
/// allow.
///
/// From anchors to samples of the border, ground may rise as steeply as the bounds on a path and on the
/// ground beside it allow. Along the border, consecutive samples are limited by their bounds. Corners are
/// computed first, since two borders share them. Where the minimum that these limits allow is above the
/// maximum, the mean of both is used.
pub fn bind_shared(subdivision: &mut Subdivision, map: &Heightmap, around: &Surroundings<'_>) {
    let (width, height) = map.domain().size;
    let anchors = Anchors::new(around);
    subdivision.fade = around.parameters.reach();
    let (right, bottom) = (width - 1, height - 1);
    let index = |(x, y): (usize, usize)| y * width + x;
    let borders: [Vec<(usize, usize)>; 4] = [
        (0..width).map(|x| (x, 0)).collect(),
        (0..width).map(|x| (x, bottom)).collect(),
        (0..height).map(|y| (0, y)).collect(),
        (0..height).map(|y| (right, y)).collect(),
    ];
    for border in borders {
        let samples: Vec<usize> = border.iter().map(|&place| index(place)).collect();
        let wanted: Vec<f64> = samples.iter().map(|&at| f64::from(map.samples()[at])).collect();
        let bounds: Vec<f64> = border.iter().map(|&place| bound_near(around, place)).collect();
        let mut ranges: Vec<HeightRange> = border.iter().map(|&place| anchors.along(place)).collect();
        let ends = [0, ranges.len() - 1];
        let corners = ends.map(|end| anchors.corner(around, border[end]).nearest(wanted[end]));
        ends.into_iter()
            .zip(corners)
            .for_each(|(end, corner)| ranges[end] = HeightRange::around(corner, 0.0));
        let mut heights = along(&wanted, &bounds, ranges, BOUND_SHARE * map.spacing());
        // Corners keep their heights even if limits contradict each other, so that borders meet.
        ends.into_iter().zip(corners).for_each(|(end, corner)| heights[end] = corner);
        level_out(&wanted, &bounds, &mut heights, around.parameters.reach() / map.spacing());
        for (&at, height) in samples.iter().zip(heights) {
            subdivision.given[at] = height as f32;
        }
    }
}

/// The minimum bound of a sample and its neighbours, including those beyond the border: heights on the border
/// contribute to their slopes too.
fn bound_near(around: &Surroundings<'_>, (x, y): (usize, usize)) -> f64 {
    let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x as i64 + dx, y as i64 + dy)));
    near.map(|place| around.bound(place).slope()).fold(f64::INFINITY, f64::min)
}

/// The range of heights that a sample may have.
#[derive(Clone, Copy, Debug)]
struct HeightRange {
    low: f64,
    high: f64,
}

impl HeightRange {
    const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The range of heights at most `most` away from a height.
    fn around(height: f64, most: f64) -> Self {
        Self { low: height - most, high: height + most }
    }

    fn both(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The nearest height in the range, or its midpoint if the range is empty.
    fn nearest(self, height: f64) -> f64 {
        if self.low > self.high { (self.low + self.high) / 2.0 } else { height.clamp(self.low, self.high) }
    }
}

/// Heights along a border: the nearest to the wanted ones within ranges and bounds. `run` is the share of a
/// bound that is used, times the spacing.
fn along(wanted: &[f64], bounds: &[f64], mut ranges: Vec<HeightRange>, run: f64) -> Vec<f64> {
    let last = wanted.len() - 1;
    // A sample's bound applies towards both its neighbours.
    let most: Vec<f64> = bounds.windows(2).map(|pair| run * pair[0].min(pair[1])).collect();
    let spread = |ranges: &mut [HeightRange], from: usize, to: usize, most: f64| {
        let HeightRange { low, high } = ranges[from];
        ranges[to] = ranges[to].both(HeightRange { low: low - most, high: high + most });
    };
    (0..last).for_each(|at| spread(&mut ranges, at, at + 1, most[at]));
    (0..last).rev().for_each(|at| spread(&mut ranges, at + 1, at, most[at]));
    let mut high: Vec<f64> =
        wanted.iter().zip(&ranges).map(|(&height, range)| range.nearest(height)).collect();
    let mut low = high.clone();
    let pairs = (0..last).map(|at| (at, at + 1)).chain((0..last).rev().map(|at| (at + 1, at)));
    for (from, to) in pairs {
        let most = most[from.min(to)];
        high[to] = high[to].min(high[from] + most);
        low[to] = low[to].max(low[from] - most);
    }
    high.into_iter().zip(low).map(|(high, low)| (high + low) / 2.0).collect()
}

/// Fades out the difference between heights and wanted heights, from bound samples over the free ground next
/// to them. The fade ends after `reach` samples, or at the next bound sample or corner if that is nearer.
fn level_out(wanted: &[f64], bounds: &[f64], heights: &mut [f64], reach: f64) {
    let last = heights.len() - 1;
    // A bound applies towards neighbours too.
    let is_free =
        |at: usize| at != 0 && at != last && bounds[at - 1..=at + 1].iter().all(|bound| bound.is_infinite());
    let mut from = 0;
    while from < last {
        // Free ground lies between two samples that are not free.
        let to = (from + 1..=last).find(|&at| !is_free(at)).unwrap_or(last);
        let reach = reach.min((to - from) as f64);
        let shifts = [from, to].map(|end| heights[end] - wanted[end]);
        for (height, at) in heights[from + 1..to].iter_mut().zip(from + 1..) {
            let left = shifts[0] * fading((at - from) as f64 / reach);
            let right = shifts[1] * fading((to - at) as f64 / reach);
            *height += left + right;
        }
        from = to;
    }
}

/// Anchors, and the ranges that they allow for heights near them.
struct Anchors<'a> {
    anchors: Vec<LocalAnchor>,
    spacing: f64,
    parameters: &'a Subdivide<'a>,
}

/// An anchor, in samples relative to the patch's first sample.
struct LocalAnchor {
    place: Place,
    height: f64,
    /// Maximum slope of the flattest path there.
    slope: f64,
}

impl<'a> Anchors<'a> {
    fn new(&Surroundings { parameters, domain, .. }: &Surroundings<'a>) -> Self {
        let along = |place: f64, origin: f64| libm::round((place - origin) / domain.spacing) as i64;
        let anchors = parameters.anchors.iter().map(|&Anchor { place: (x, y), height, slope }| {
            let place = (along(x, domain.origin.0), along(y, domain.origin.1));
            LocalAnchor { place, height, slope }
        });
        Self { anchors: anchors.collect(), spacing: domain.spacing, parameters }
    }

    /// The range that all anchors within `reach` allow for a sample's height; `rise` is the allowed rise over
    /// a distance.
    fn range(
        &self,
        (x, y): (usize, usize),
        reach: f64,
        rise: impl Fn(&Self, f64, f64) -> f64,
    ) -> HeightRange {
        let near = |anchor: &LocalAnchor| {
            let (dx, dy) = ((x as i64 - anchor.place.0) as f64, (y as i64 - anchor.place.1) as f64);
            let distance = self.spacing * (dx * dx + dy * dy).sqrt();
            (distance <= reach)
                .then(|| HeightRange::around(anchor.height, BOUND_SHARE * rise(self, anchor.slope, distance)))
        };
        self.anchors.iter().filter_map(near).fold(HeightRange::ANY, HeightRange::both)
    }

    /// The range that anchors allow for the height of a sample on a border.
    fn along(&self, place: (usize, usize)) -> HeightRange {
        self.range(place, self.parameters.reach(), Self::rise)
    }

    /// The range that anchors allow for the height of a corner. If the corner is bound, a border that leads
    /// to it may lie on a path along its whole length. So the path's slope limits the rise.
    fn corner(&self, around: &Surroundings<'_>, place: (usize, usize)) -> HeightRange {
        if bound_near(around, place).is_infinite() {
            return HeightRange::ANY;
        }
        self.range(place, ANCHORS_MATTER * self.parameters.reach(), |_, slope, distance| slope * distance)
    }

    /// The allowed rise over a distance away from a path's centre line: the integral of the bound on the
    /// path, g, then of the bound beside it, g + γ·√(d/b), with the slope gain γ, the distance d from the
    /// path and the border's width b.
    fn rise(&self, slope: f64, distance: f64) -> f64 {
        let Subdivide { width, border, slope_gain, .. } = *self.parameters;
        let beside = distance - width / 2.0;
        let gain = if beside > 0.0 { slope_gain * beside * (beside / border).sqrt() / 1.5 } else { 0.0 };
        slope * distance + gain
    }
}

#[cfg(test)]
mod tests;
