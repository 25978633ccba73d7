//! Rivers as lines, with the stream orders of Strahler (1957).

use terrane_grid::{DIRECTIONS, Grid, Heightmap, Polyline, Shape};

use super::Network;
use super::profiles::{Falling, Profiles, profiles};

/// A river of one order: from where this order begins to where the river ends or joins one of a higher order.
#[derive(Clone, Debug, PartialEq)]
pub struct River {
    /// The positions of the river's samples in world coordinates, from the source downstream. If the river
    /// joins another river, the last point belongs to that other river. A river that crosses the seam of a
    /// torus ends one sample beyond the border and continues as another line.
    pub line: Polyline,
    /// Strahler's order: 1 from the source on, and one more where two rivers of the same order meet.
    pub order: u32,
    /// The indices of the samples at its points.
    pub samples: Vec<u32>,
    /// Drainage through the river's last sample. If the river joins another river, this is the sample before
    /// the point where they meet.
    pub drainage: f32,
}

/// The rivers of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// Sorted by the samples where they begin.
    pub rivers: Vec<River>,
    /// The order of the river through each sample; 0 without a river.
    pub order: Heightmap,
    /// How the rivers fall, if the ground was given.
    pub profiles: Option<Profiles>,
}

/// A sample on a cycle of receivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circle {
    /// Column and row.
    pub at: (usize, usize),
}

/// Extracts rivers. `receivers` holds each sample's direction as
/// [`Drainage::receivers`](super::Drainage::receivers) does. A river begins where `drainage` is at least
/// `threshold` and continues all the way downstream, so that it does not break off where water is lost. With
/// `falling`, profiles of the rivers are computed. Invalid receivers count as 0; a receiver beyond the border
/// is the sample at the opposite border. O(samples).
///
/// # Errors
/// [`Circle`] where receivers form a cycle.
///
/// # Panics
/// When the maps differ in size.
pub fn rivers(
    receivers: &Heightmap,
    drainage: &Heightmap,
    threshold: f32,
    falling: Option<&Falling<'_>>,
) -> Result<Rivers, Circle> {
    assert_eq!(receivers.domain().size, drainage.domain().size);
    let (width, height) = receivers.domain().size;
    let shape = Shape { width, height, wrap: true };
    let count = width * height;
    let direction =
        |at: usize| DIRECTIONS.get(receivers.samples()[at].max(0.0) as usize).copied().unwrap_or((0, 0));
    let mut network = Network::new(count);
    for at in 0..count {
        // Never `None` on a torus.
        let to = shape.neighbour(shape.position(at), direction(at)).unwrap_or(at);
        network.receivers[at] = to as u32;
        network.donors[to] += u8::from(to != at);
    }
    let mut order = vec![0u32; count];
    let (mut twice, mut pending, mut visited) = (vec![false; count], network.donors.clone(), 0usize);
    let mut downstream = Vec::new();
    for source in 0..count {
        let mut at = source;
        while network.donors[source] == 0 && pending[at] == 0 {
            visited += 1;
            // The orders of all donors are known, so this sample's order is known too.
            order[at] += u32::from(twice[at]);
            if order[at] == 0 && drainage.samples()[at] >= threshold {
                order[at] = 1;
            }
            let to = network.receivers[at] as usize;
            if order[at] > 0 && falling.is_some() {
                downstream.push(at as u32);
            }
            if to == at {
                break;
            }
            if order[at] > 0 {
                twice[to] = order[at] == order[to] || (twice[to] && order[at] < order[to]);
                order[to] = order[to].max(order[at]);
            }
            pending[to] -= 1;
            at = to;
        }
    }
    if visited < count {
        // Only samples on cycles are never visited, so the first unvisited sample lies on a cycle.
        let first = pending.iter().position(|&pending| pending > 0).unwrap_or(0);
        return Err(Circle { at: shape.position(first) });
    }
    let profiles = falling.map(|falling| profiles(falling, &network, drainage, &downstream));
    let rivers = lines(&network, &order, shape, receivers, drainage, direction);
    let order = order.into_iter().map(|order| order as f32).collect();
    let order = receivers.with_grid(Grid::from_vec(width, height, order));
    Ok(Rivers { rivers, order, profiles })
}

fn lines(
    network: &Network,
    order: &[u32],
    shape: Shape,
    map: &Heightmap,
    drainage: &Heightmap,
    direction: impl Fn(usize) -> (isize, isize),
) -> Vec<River> {
    let mut goes_on = vec![false; order.len()];
    for (at, &to) in network.receivers.iter().enumerate() {
        let to = to as usize;
        goes_on[to] |= to != at && order[at] > 0 && order[at] == order[to];
    }
    let domain = map.domain();
    // Counts columns and rows in whole numbers. A sample then has the same position from each neighbour.
    let beside = |at: usize, (dx, dy): (isize, isize)| {
        let (column, row) = shape.position(at);
        (column as isize + dx, row as isize + dy)
    };
    let point = |(column, row): (isize, isize)| {
        let (x, y) = domain.origin;
        (x + column as f64 * domain.spacing, y + row as f64 * domain.spacing)
    };
    let mut rivers = Vec::new();
    for source in (0..order.len()).filter(|&at| order[at] > 0 && !goes_on[at]) {
        let (mut at, mut points) = (source, vec![point(beside(source, (0, 0)))]);
        let mut samples = vec![source as u32];
        loop {
            let to = network.receivers[at] as usize;
            let ends = to == at;
            let joins = !ends && order[to] != order[at];
            if !ends {
                let (next, beyond) = (beside(to, (0, 0)), beside(at, direction(at)));
                points.push(point(beyond));
                samples.push(to as u32);
                let crosses = next != beyond;
                if crosses && !joins {
                    let line = Polyline { points: std::mem::take(&mut points), closed: false };
                    let samples = std::mem::replace(&mut samples, vec![at as u32, to as u32]);
                    rivers.push(River { line, samples, order: order[at], drainage: drainage.samples()[at] });
                    let (dx, dy) = direction(at);
                    points.extend([point(beside(to, (-dx, -dy))), point(next)]);
                }
            }
            if ends || joins {
                if points.len() > 1 {
                    let line = Polyline { points, closed: false };
                    rivers.push(River { line, samples, order: order[at], drainage: drainage.samples()[at] });
                }
                break;
            }
            at = to;
        }
    }
    rivers
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, ScalarMap, Seed};

    use super::*;
    use crate::hydrology::{Draining, LakeFilling, drainage, standing_water};
    use crate::{Boundary, Silent};

    fn map(rows: &[&[f32]]) -> Heightmap {
        Heightmap::from_vec(Domain::new(rows[0].len(), rows.len()).with_spacing(2.0), rows.concat())
    }

    /// Two sources meet and form a river of order 2. More sources join the river without changing its order.
    #[test]
    fn orders_by_hand() {
        // Everything drains down the middle column, from sources on both sides.
        let receivers =
            map(&[&[3.0, 4.0, 2.0], &[3.0, 4.0, 0.0], &[0.0, 4.0, 0.0], &[3.0, 4.0, 2.0], &[0.0, 0.0, 0.0]]);
        let one = receivers.with_grid(Grid::filled(3, 5, 1.0));
        let found = rivers(&receivers, &one, 1.0, None).unwrap();
        let middle: Vec<f32> = (0..5).map(|row| found.order[(1, row)]).collect();
        assert_eq!(middle, [2.0, 2.0, 2.0, 2.0, 2.0]);
        let main = found.rivers.iter().find(|river| river.order == 2).unwrap();
        assert_eq!(main.line.points, [(2.0, 0.0), (2.0, 2.0), (2.0, 4.0), (2.0, 6.0), (2.0, 8.0)]);
        // Five sources join the main river: two in row 0, one in row 1 and two in row 3.
        assert_eq!(found.rivers.iter().filter(|river| river.order == 1).count(), 5);
    }

    #[test]
    fn a_river_continues_where_water_is_lost() {
        let receivers = map(&[&[3.0, 3.0, 3.0, 0.0]]);
        let found = rivers(&receivers, &map(&[&[1.0, 5.0, 3.0, 2.0]]), 4.0, None).unwrap();
        assert_eq!(found.order.samples(), [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(found.rivers.len(), 1);
        assert_eq!(found.rivers[0].line.points, [(2.0, 0.0), (4.0, 0.0), (6.0, 0.0)]);
    }

    #[test]
    fn a_river_crosses_the_seam_in_two_lines() {
        let found =
            rivers(&map(&[&[3.0, 0.0, 3.0, 3.0]]), &map(&[&[1.0, 1.0, 1.0, 1.0]]), 1.0, None).unwrap();
        let lines: Vec<&[(f64, f64)]> = found.rivers.iter().map(|river| &river.line.points[..]).collect();
        assert_eq!(
            lines,
            [&[(4.0, 0.0), (6.0, 0.0), (8.0, 0.0)][..], &[(-2.0, 0.0), (0.0, 0.0), (2.0, 0.0)]]
        );
    }

    /// Spacings that have no exact binary number, such as those of most elevation models.
    #[test]
    fn rivers_do_not_depend_on_the_spacing() {
        // The first row drains east to its last sample, and the second row drains north into the first.
        let mut receivers = vec![3.0; 40];
        receivers[39] = 0.0;
        receivers.extend([1.0; 40]);
        let of = |spacing: f64, origin: (f64, f64)| {
            let domain = Domain { origin, ..Domain::new(40, 2).with_spacing(spacing) };
            let placed = |value: f32| Heightmap::from_vec(domain, vec![value; 80]);
            let receivers = Heightmap::from_vec(domain, receivers.clone());
            let found = rivers(&receivers, &placed(1.0), 1.0, None).unwrap().rivers;
            found.iter().map(|river| river.line.points.len()).collect::<Vec<_>>()
        };
        let expected = of(1.0, (0.0, 0.0));
        for (spacing, origin) in [(74.6, 0.0), (3.45, 100.1), (0.1, -7.3), (1.017, 1e6), (2.034, 0.3)] {
            assert_eq!(of(spacing, (origin, origin)), expected, "{spacing}");
        }
    }

    #[test]
    fn cycles_are_reported() {
        let receivers = map(&[&[0.0, 3.0, 4.0], &[0.0, 1.0, 2.0]]);
        let all = receivers.with_grid(Grid::filled(3, 2, 1.0));
        assert_eq!(rivers(&receivers, &all, 1.0, None), Err(Circle { at: (1, 0) }));
        let odd = map(&[&[f32::NAN, 9.0, -3.0]]);
        assert_eq!(rivers(&odd, &map(&[&[1.0, 1.0, 1.0]]), 1.0, None).unwrap().rivers.len(), 0);
    }

    proptest! {
        /// Compares with a recursive definition. Also checks that every river ends at a river of a higher
        /// order or where water ends.
        #[test]
        fn orders_match_the_definition(
            w in 1usize..20,
            h in 1usize..20,
            seed: u64,
            threshold in 1.0f32..20.0,
        ) {
            let lattice = Seed(seed).lattice();
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| lattice.unit(x as i64, y as i64));
            let draining = Draining { lakes: true, sea_level: None, boundary: Boundary::Open };
            let water = drainage(&map, &draining, &Silent).unwrap();
            let found = rivers(&water.receivers, &water.area, threshold, None).unwrap();
            let shape = Shape { width: w, height: h, wrap: true };
            let to = |at: usize| {
                shape
                    .neighbour(shape.position(at), DIRECTIONS[water.receivers.samples()[at] as usize])
                    .unwrap()
            };
            fn order(at: usize, to: &dyn Fn(usize) -> usize, area: &[f32], threshold: f32) -> u32 {
                let donors = (0..area.len()).filter(|&other| other != at && to(other) == at);
                let orders: Vec<u32> = donors.map(|donor| order(donor, to, area, threshold)).collect();
                let most = orders.iter().copied().max().unwrap_or(0);
                match orders.iter().filter(|&&order| order == most).count() {
                    _ if most == 0 => u32::from(area[at] >= threshold),
                    1 => most,
                    _ => most + 1,
                }
            }
            for at in 0..w * h {
                prop_assert_eq!(
                    found.order.samples()[at],
                    order(at, &to, water.area.samples(), threshold) as f32
                );
            }
            // Profiles fall, and stay at or below the ground, also with lakes.
            let filling = LakeFilling { least_area: 3.0, ..LakeFilling::default() };
            let lakes = standing_water(&map, None, &filling, &Silent).unwrap().level;
            for level in [None, Some(&lakes)] {
                let falling = Falling { ground: &map, level, hard: ScalarMap::Constant(0.2), evened: 5 };
                let found = rivers(&water.receivers, &water.area, threshold, Some(&falling)).unwrap();
                let profiles = found.profiles.unwrap();
                for at in (0..w * h).filter(|at| found.order.samples()[*at] > 0.0) {
                    let own = profiles.heights[at];
                    let level = level.map_or(f32::NAN, |level| level.samples()[at]);
                    prop_assert!(own >= profiles.heights[to(at)]);
                    // It is above the ground only if it would be below a lake downstream otherwise.
                    let (mut next, mut highest) = (at, f32::NEG_INFINITY);
                    while to(next) != next {
                        next = to(next);
                        if profiles.is_wet[next] {
                            highest = highest.max(profiles.heights[next]);
                        }
                    }
                    prop_assert!(own <= map.samples()[at].max(level) || own == highest);
                    prop_assert_eq!(profiles.is_wet[at], !level.is_nan());
                    prop_assert!(level.is_nan() || own == level);
                }
            }
            for river in &found.rivers {
                prop_assert_eq!(river.samples.len(), river.line.points.len());
                let (x, y) = *river.line.points.last().unwrap();
                let end = y as usize * w + x as usize;
                prop_assert!(found.order.samples()[end] > river.order as f32 || to(end) == end);
            }
        }
    }
}
