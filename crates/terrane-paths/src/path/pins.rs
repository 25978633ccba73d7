//! Prescribed heights inside a patch: sites, bridge heads, plateaus.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use terrane_grid::{DIRECTIONS, Domain, Heightmap, Shape};

use super::error::{BadSample, SubdivideError};
use super::subdivision::Subdivision;
use crate::{Cancelled, Progress};
use terrane_compute::CHECK_INTERVAL;

/// Heights that are prescribed where a mask is above 0.5.
#[derive(Clone, Copy, Debug)]
pub struct Pins<'a> {
    /// The heights.
    pub heights: &'a Heightmap,
    /// The mask.
    pub mask: &'a Heightmap,
}

impl Pins<'_> {
    /// Whether the height of a sample is prescribed.
    #[must_use]
    pub fn at(&self, sample: usize) -> bool {
        self.mask.samples()[sample] > 0.5
    }

    /// # Errors
    /// [`SubdivideError`]: no sample is pinned although one `must` be, or a pinned height is not finite.
    pub(super) fn check(&self, domain: &Domain, must: bool) -> Result<(), SubdivideError> {
        let mut pinned = (0..domain.len()).filter(|&at| self.at(at)).peekable();
        if must && pinned.peek().is_none() {
            return Err(SubdivideError::NoPins);
        }
        let heights = self.heights.samples();
        let bad = pinned.find(|&at| !heights[at].is_finite());
        bad.map_or(Ok(()), |at| {
            let bad = BadSample::new(
                domain,
                "pins",
                at,
                heights[at],
                "a finite height where `pinned` is above 0.5",
            );
            Err(SubdivideError::Sample(bad))
        })
    }

    /// Prescribes the heights. Heights that are already prescribed on the border are replaced only if
    /// `is_first`.
    pub(super) fn bind(&self, subdivision: &mut Subdivision, is_first: bool) {
        for (at, given) in subdivision.given.iter_mut().enumerate() {
            if self.at(at) && (is_first || given.is_nan()) {
                *given = self.heights.samples()[at];
                subdivision.pins.push(at as u32);
            }
        }
    }
}

/// Two pins whose heights differ by more than the slopes of the path between them allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinConflict {
    /// The lower and the higher pin, as samples in row order.
    pub pins: (u32, u32),
    /// Their heights.
    pub heights: (f64, f64),
    /// The maximum difference that slopes allow, along the route that allows the least.
    pub most: f64,
}

/// The two pins with the greatest conflict; `None` if no two pins conflict. Two pins conflict if their
/// heights differ by more than the path's samples between them may rise. From one sample to the next along an
/// axis, the allowed rise is the smaller of the two bounds times the spacing. Along a diagonal it is the mean
/// of the two bounds times the length, since two quadrants share the rise of a step. Conflicts that involve
/// more than two pins, or the ground beside paths, are found only in relaxation. O(samples · log samples)
/// (Dijkstra 1959, from all pins).
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn conflicting_pins(
    subdivision: &Subdivision,
    pins: &Pins<'_>,
    progress: &dyn Progress,
) -> Result<Option<PinConflict>, Cancelled> {
    let Subdivision { domain, slope, given, .. } = subdivision;
    let shape = Shape { width: domain.width(), height: domain.height(), wrap: false };
    let height = |at: usize| f64::from(given[at]);
    let is_pin = |at: usize| pins.at(at) && !given[at].is_nan();
    let mut highest = vec![f64::INFINITY; given.len()];
    let mut source = vec![0u32; given.len()];
    let mut open = BinaryHeap::new();
    for at in (0..given.len()).filter(|&at| is_pin(at)) {
        (highest[at], source[at]) = (height(at), at as u32);
        open.push(Reverse((Ordered(highest[at]), at as u32)));
    }
    let (mut worst, mut count): (Option<(f64, PinConflict)>, usize) = (None, 0);
    while let Some(Reverse((Ordered(low), at))) = open.pop() {
        let at = at as usize;
        if low > highest[at] {
            continue;
        }
        count += 1;
        if count.is_multiple_of(CHECK_INTERVAL / 16) {
            progress.check()?;
        }
        for &offset in &DIRECTIONS[1..] {
            let Some(next) = shape.neighbour_at(at, shape.position(at), offset) else { continue };
            let (a, b) = (f64::from(slope[at]), f64::from(slope[next]));
            let run = domain.spacing;
            let rise = if offset.0 == 0 || offset.1 == 0 {
                a.min(b) * run
            } else {
                (a + b) / std::f64::consts::SQRT_2 * run
            };
            let through = low + rise;
            if through >= highest[next] {
                continue;
            }
            if is_pin(next) {
                let from = source[at] as usize;
                let most = through - height(from);
                let excess = height(next) - through;
                // Differences below single precision are not conflicts.
                let hidden = 4.0 * f64::from(f32::EPSILON) * height(next).abs().max(height(from).abs());
                if excess > hidden && worst.is_none_or(|(most, _)| excess > most) {
                    let heights = (height(from), height(next));
                    worst = Some((excess, PinConflict { pins: (from as u32, next as u32), heights, most }));
                }
            }
            (highest[next], source[next]) = (through, source[at]);
            open.push(Reverse((Ordered(through), next as u32)));
        }
    }
    Ok(worst.map(|(_, conflict)| conflict))
}

/// A number, ordered by [`f64::total_cmp`].
#[derive(Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use terrane_grid::{PlanarGraph, Seed};

    use super::*;
    use crate::Silent;
    use crate::path::{Borders, Costs, Details, Search, Subdivide, Surround, subdivide};
    use crate::relax::{Field, Given, Outcome, Relaxation, Solver, bounds, relax};

    fn parameters<'a>(details: Details<'a>) -> Subdivide<'a> {
        Subdivide {
            search: Search::by(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }),
            width: 4.0,
            node_width: 4.0,
            border: 12.0,
            max_slope: 0.1,
            edge_slopes: &[],
            slope_gain: 0.4,
            surround: Surround::Directional,
            borders: Borders::Free,
            anchors: &[],
            details,
        }
    }

    fn line() -> PlanarGraph {
        PlanarGraph { nodes: vec![(8.0, 20.0), (32.0, 20.0)], edges: vec![(0, 1)] }
    }

    fn masked(domain: Domain, is: impl Fn(usize, usize) -> bool) -> Heightmap {
        Heightmap::from_fn(domain, |x, y| f32::from(u8::from(is(x, y))))
    }

    /// Pins at columns 5 and 15 of a straight path in row 10, with a spacing of 2. They are 20 units apart,
    /// and the slope allows a difference of 2.
    #[test]
    fn two_pins_that_slopes_cannot_connect_are_named() {
        let domain = Domain::new(21, 21).with_spacing(2.0);
        let mask = masked(domain, |x, y| y == 10 && (x == 5 || x == 15));
        let found = |high: f32| {
            let heights = Heightmap::from_fn(domain, |x, _| if x == 15 { high } else { 1.0 });
            let pins = Pins { heights: &heights, mask: &mask };
            let details = Details { pins: Some(pins), ..Details::default() };
            let out =
                subdivide(&Heightmap::constant(domain, 1.0), &line(), &parameters(details), &Silent).unwrap();
            assert_eq!((out.given[10 * 21 + 5], out.given[10 * 21 + 15]), (1.0, high));
            assert_eq!(out.given.iter().filter(|given| !given.is_nan()).count(), 2);
            conflicting_pins(&out, &pins, &Silent).unwrap()
        };
        assert_eq!((found(2.9), found(3.0)), (None, None));
        let conflict = found(3.5).unwrap();
        assert_eq!((conflict.pins, conflict.heights), ((215, 225), (1.0, 3.5)));
        assert!((conflict.most - 2.0).abs() < 1e-6, "{}", conflict.most);
        assert_eq!(found(-1.5).unwrap().pins, (225, 215), "the lower first");
    }

    #[test]
    fn invalid_masks_and_heights_are_rejected() {
        let domain = Domain::new(21, 21).with_spacing(2.0);
        let (map, none) = (Heightmap::constant(domain, 1.0), Heightmap::constant(domain, f32::NAN));
        let refused = |heights: &Heightmap, mask: &Heightmap| {
            let details = Details { pins: Some(Pins { heights, mask }), ..Details::default() };
            subdivide(&map, &line(), &parameters(details), &Silent).unwrap_err()
        };
        assert_eq!(refused(&map, &Heightmap::constant(domain, 0.5)), SubdivideError::NoPins);
        let one = masked(domain, |x, y| (x, y) == (2, 3));
        let SubdivideError::Sample(bad) = refused(&none, &one) else { panic!("not a sample error") };
        assert_eq!((bad.name, bad.at, bad.place), ("pins", (2, 3), (4.0, 6.0)));
    }

    /// Samples inside have the heights of their pins. On the border the terrain's heights take precedence;
    /// only a shared border gives precedence to pins, which the adjacent patch has too.
    #[test]
    fn the_border_takes_precedence_where_it_prescribes_heights() {
        let domain = Domain::new(21, 21).with_spacing(2.0);
        let (map, heights) = (Heightmap::constant(domain, 1.0), Heightmap::constant(domain, 7.0));
        let mask = masked(domain, |_, y| y == 0 || y == 4);
        for (borders, first) in [(Borders::Stitched, 1.0), (Borders::Shared, 7.0)] {
            let details =
                Details { pins: Some(Pins { heights: &heights, mask: &mask }), ..Details::default() };
            let p = Subdivide { borders, ..parameters(details) };
            let out = subdivide(&map, &line(), &p, &Silent).unwrap();
            let other = Heightmap::constant(domain, 3.0);
            let at = |x: usize, y: usize| (out.given[y * 21 + x], out.height_given(y * 21 + x, Some(&other)));
            assert_eq!(
                (at(5, 0), at(5, 4), at(0, 4)),
                ((first, Some(3.0)), (7.0, Some(7.0)), (first, Some(3.0)))
            );
        }
    }

    /// A plateau across the middle of a path: with both solvers all bounds are met, and pins have exactly
    /// their heights.
    #[test]
    fn ground_adapts_to_a_pinned_plateau() {
        let lattice = Seed(4).lattice();
        let domain = Domain::new(33, 33).with_spacing(2.0);
        let map = Heightmap::from_fn(domain, |x, y| lattice.unit(x as i64 / 3, y as i64 / 3));
        let heights = Heightmap::constant(domain, 1.4);
        let mask = masked(domain, |x, y| (14..=18).contains(&x) && (13..=17).contains(&y));
        let pins = Pins { heights: &heights, mask: &mask };
        let details = Details { pins: Some(pins), ..Details::default() };
        let graph =
            PlanarGraph { nodes: vec![(6.0, 30.0), (32.0, 30.0), (58.0, 30.0)], edges: vec![(0, 1), (1, 2)] };
        let s = subdivide(&map, &graph, &parameters(details), &Silent).unwrap();
        assert_eq!(conflicting_pins(&s, &pins, &Silent).unwrap(), None);
        for solver in [Solver::Reference, Solver::Draft] {
            let mut field = Field::new(&map);
            let given = Given {
                border: None,
                slope_tolerance: 1e-5,
                roughness_tolerance: Some(0.04),
                change: None,
                widening: &[],
                scales: &[1],
                border_slope: false,
                bank_slope: None,
            };
            let constraints = bounds(&field, &s, &given);
            let p = Relaxation {
                solver,
                max_iterations: 200_000,
                early_exit: true,
                history_every: 0,
                creation_cost: None,
                known: None,
            };
            let out = relax(&mut field, &constraints, &p, &Silent).unwrap();
            assert_eq!(out.outcome, Outcome::Met, "{solver:?}: {:?}", out.conflict);
            let kept = (0..field.heights.len())
                .filter(|&at| pins.at(at))
                .all(|at| field.heights[at] == f64::from(1.4f32));
            assert!(kept, "{solver:?}");
        }
    }
}
