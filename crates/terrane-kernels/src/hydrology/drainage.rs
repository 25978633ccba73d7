//! Drainage of a terrain, which itself does not change.

use rayon::prelude::*;
use terrane_grid::{DIRECTIONS, Grid, Heightmap, Shape};

use super::ends::{is_at_edge, sea, shape};
use super::lakes::LakeBuffers;
use super::overflow::LakeTerrain;
use super::steepest::AROUND;
use super::{Flats, Network, Ties, steepest};
use crate::{Boundary, Cancelled, Progress};
use terrane_compute::Alive;

/// Parameters of [`drainage()`].
#[derive(Clone, Copy, Debug)]
pub struct Draining {
    /// Whether lakes overflow.
    pub lakes: bool,
    /// Samples below this height are sea, where all water ends.
    pub sea_level: Option<f32>,
    /// What lies beyond the border. Water leaves an open map at border samples without a lower neighbour.
    /// With `lakes`, a lake also overflows across the border if its lowest pass is there. On a torus without
    /// a sea the lowest sample is the sea.
    pub boundary: Boundary,
}

impl Default for Draining {
    /// Lakes overflow, and there is no sea.
    fn default() -> Self {
        Self { lakes: true, sea_level: None, boundary: Boundary::Open }
    }
}

/// The drainage of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Drainage {
    /// Drainage area of each sample, including the sample's own area, in square world units.
    pub area: Heightmap,
    /// The direction in which each sample drains: 0 nowhere, 1 up (towards row 0), 2 left, 3 right, 4 down, 5
    /// up and left, 6 up and right, 7 down and left, 8 down and right.
    pub receivers: Heightmap,
    /// The number of each sample's drainage basin. Basins are numbered from 1, in the order of their outlets.
    /// The sea has the number 0.
    pub basins: Heightmap,
}

/// Computes a map's drainage.
///
/// Every sample drains to the one of its eight neighbours to which the slope is steepest, and flat ground as
/// [`Flats`] says. [`Ties`] decide between equally steep slopes.
///
/// A lake overflows across its lowest pass. Water crosses the lake from neighbour to neighbour, as if a
/// channel were carved. It thus takes the path to the sea whose highest point is lowest. Barnes, Lehman &
/// Mulla (2014) compute this path by priority-flood. Cordonnier et al. (2016) compute it by basins, as this
/// function does.
///
/// O(samples), plus O(lakes · log lakes) with lakes. Samples that are not numbers are holes: they drain
/// nowhere, and nothing drains to them. Water leaves the map beside a hole as it does at an open border.
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
pub fn drainage(
    map: &Heightmap,
    parameters: &Draining,
    progress: &dyn Progress,
) -> Result<Drainage, Cancelled> {
    let (width, height) = map.domain().size;
    let count = width * height;
    if count == 0 {
        return Ok(Drainage { area: map.clone(), receivers: map.clone(), basins: map.clone() });
    }
    let alive = || progress.check();
    let heights = map.samples();
    let shape = shape(map, parameters.boundary);
    let sea = sea(heights, parameters.sea_level, parameters.boundary);
    let mut network = Network::new(count);
    let ties = Ties::of(&map.domain());
    network.receive(width, &sea, &alive, |position, at| steepest(heights, shape, position, at, &ties))?;
    let flats = Flats { shape, heights, directions_used: 8, ties };
    let leaves = |at: usize| sea[at] || is_at_edge(heights, shape, at);
    let ground = LakeTerrain { shape, heights, sea: &sea, open: true };
    let mut buffers = LakeBuffers::new(if parameters.lakes { count } else { 0 });
    flats.lead(&mut network, parameters.lakes.then_some((&ground, &mut buffers)), leaves, &alive)?;
    drop(buffers);
    network.count_donors(&alive)?;
    let mut area = vec![(map.spacing() * map.spacing()) as f32; count];
    let mut order = Vec::with_capacity(count);
    network.order(1.0, &mut area, &mut order, &mut vec![0; count], &alive)?;
    let basins = basins(&network, &order, &sea, &alive)?;
    alive()?;
    let whole = |samples: Vec<f32>| map.with_grid(Grid::from_vec(width, height, samples));
    Ok(Drainage { area: whole(area), receivers: whole(directions(&network, shape)), basins: whole(basins) })
}

/// The index in [`DIRECTIONS`] of the direction from a sample to its neighbour `to`; 0 from a sample to
/// itself and to a sample farther away. If several directions lead there, as on narrow tori, the first
/// counts.
#[must_use]
pub fn direction(shape: Shape, at: usize, to: usize) -> u8 {
    let position = shape.position(at);
    let leads = |direction: &&u8| shape.neighbour(position, DIRECTIONS[usize::from(**direction)]) == Some(to);
    let direction = if to == at { None } else { AROUND.iter().find(leads) };
    direction.copied().unwrap_or(0)
}

/// Receivers as indices into [`DIRECTIONS`].
pub(crate) fn directions(network: &Network, shape: Shape) -> Vec<f32> {
    let direction = |at: usize| f32::from(direction(shape, at, network.receivers[at] as usize));
    (0..network.receivers.len()).into_par_iter().with_min_len(1 << 12).map(direction).collect()
}

/// The number of each sample's outlet. The outlet is the last sample downstream that is not sea.
fn basins(network: &Network, order: &[u32], sea: &[bool], alive: &Alive<'_>) -> Result<Vec<f32>, Cancelled> {
    let (mut basins, mut count) = (vec![0.0f32; sea.len()], 0u32);
    let is_outlet = |at: usize| {
        let to = network.receivers[at] as usize;
        !sea[at] && (to == at || sea[to])
    };
    for (at, basin) in basins.iter_mut().enumerate() {
        if is_outlet(at) {
            count += 1;
            *basin = count as f32;
        }
    }
    alive()?;
    for &at in order.iter().rev() {
        let at = at as usize;
        if !sea[at] && !is_outlet(at) {
            basins[at] = basins[network.receivers[at] as usize];
        }
    }
    Ok(basins)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use terrane_grid::{Domain, Seed};

    use super::*;
    use crate::Silent;

    const OPEN: Draining = Draining { lakes: true, sea_level: None, boundary: Boundary::Open };

    /// The receivers, areas and basins of a row with these heights between two rows of walls.
    fn valley(heights: &[f32], parameters: &Draining) -> [Vec<f32>; 3] {
        let domain = Domain::new(heights.len(), 3).with_spacing(2.0);
        let map = Heightmap::from_fn(domain, |x, y| if y == 1 { heights[x] } else { 100.0 });
        let out = drainage(&map, parameters, &Silent).unwrap();
        [out.receivers, out.area, out.basins]
            .map(|map| map.samples()[heights.len()..2 * heights.len()].to_vec())
    }

    #[test]
    fn a_lake_by_hand() {
        // The lake at sample 3 overflows across the pass at sample 2, and its water runs down to the border
        // at sample 0.
        let heights = [0.0, 2.0, 3.0, 1.0, 4.0, 6.0, 5.0];
        let [receivers, area, basins] = valley(&heights, &OPEN);
        assert_eq!(receivers, [0.0, 2.0, 2.0, 2.0, 2.0, 2.0, 0.0]);
        assert_eq!(area, [72.0, 60.0, 48.0, 36.0, 24.0, 12.0, 12.0]);
        assert_eq!(basins, [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 2.0]);
        let [receivers, ..] = valley(&heights, &Draining { lakes: false, ..OPEN });
        assert_eq!(receivers, [0.0, 2.0, 3.0, 0.0, 2.0, 2.0, 0.0]);
        // The sea covers the first three samples. Water that drains into it has its outlet at the fourth.
        let [.., basins] = valley(&[0.0, 2.0, 2.5, 3.0, 4.0], &Draining { sea_level: Some(3.0), ..OPEN });
        assert_eq!(basins[..3], [0.0, 0.0, 0.0]);
        assert!(basins[3] > 0.0 && basins[3] == basins[4]);
    }

    #[test]
    fn a_bowl_overflows_its_rim() {
        let bowl = Heightmap::from_fn(Domain::new(5, 5), |x, y| {
            let rim = x.abs_diff(2).max(y.abs_diff(2)) as f32;
            if (x, y) == (4, 1) { 1.5 } else { rim }
        });
        let out = drainage(&bowl, &OPEN, &Silent).unwrap();
        assert_eq!((out.receivers[(4, 1)], out.area[(4, 1)]), (0.0, 25.0));
        let left = drainage(&bowl, &Draining { lakes: false, ..OPEN }, &Silent).unwrap();
        assert_eq!((left.receivers[(2, 2)], left.area[(2, 2)]), (0.0, 25.0));
    }

    #[test]
    fn a_lake_beside_a_hole_overflows_there_by_hand() {
        // The lake at sample 3 has a pass of 3 at its left, and the hole at its right: it ends beside the
        // hole.
        let heights = [0.0, 2.0, 3.0, 1.0, f32::NAN, 6.0, 5.0];
        let [receivers, _, basins] = valley(&heights, &OPEN);
        assert_eq!(receivers, [0.0, 2.0, 3.0, 0.0, 0.0, 3.0, 0.0]);
        assert_eq!(basins[4], 0.0, "a hole is in no basin");
        assert!(basins[..4].iter().chain(&basins[5..]).all(|basin| *basin > 0.0));
    }

    proptest! {
        /// Every path leads to the border. It never rises above the level at which a flood from outside
        /// reaches the start of the path.
        #[test]
        fn water_leaves_along_its_lowest_path(
            w in 1usize..14,
            h in 1usize..14,
            seed: u64,
            steps in 1u32..40,
        ) {
            let lattice = Seed(seed).lattice();
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                (lattice.unit(x as i64, y as i64) * steps as f32).floor()
            });
            let out = drainage(&map, &OPEN, &Silent).unwrap();
            let shape = Shape { width: w, height: h, wrap: false };
            let heights = map.samples();
            let mut level: Vec<f32> =
                (0..w * h)
                    .map(|at| if shape.on_border(shape.position(at)) { heights[at] } else { f32::MAX })
                    .collect();
            for _ in 0..w * h {
                for at in 0..w * h {
                    for offset in &DIRECTIONS[1..] {
                        if let Some(to) = shape.neighbour(shape.position(at), *offset) {
                            level[at] = level[at].min(level[to].max(heights[at]));
                        }
                    }
                }
            }
            let mut outside = 0.0;
            for start in 0..w * h {
                let (mut at, mut most, mut steps) = (start, heights[start], 0);
                while out.receivers.samples()[at] != 0.0 {
                    at = shape
                        .neighbour(shape.position(at), DIRECTIONS[out.receivers.samples()[at] as usize])
                        .unwrap();
                    most = most.max(heights[at]);
                    steps += 1;
                    prop_assert!(steps <= w * h);
                }
                prop_assert!(shape.on_border(shape.position(at)));
                prop_assert!(most <= level[start], "{most} {}", level[start]);
                prop_assert_eq!(out.basins.samples()[start], out.basins.samples()[at]);
                if start == at {
                    outside += out.area.samples()[at];
                }
            }
            prop_assert_eq!(outside, (w * h) as f32);
        }

        /// Ground amid holes drains like a map of its own.
        #[test]
        fn a_hole_is_like_the_border(
            w in 1usize..9,
            h in 1usize..9,
            left in 0usize..3,
            top in 0usize..3,
            lakes: bool,
            sea in proptest::option::of(0.0f32..3.0),
            wrap: bool,
            seed: u64,
        ) {
            let lattice = Seed(seed).lattice();
            let height = |x: usize, y: usize| (lattice.unit(x as i64, y as i64) * 5.0).floor();
            let own = Heightmap::from_fn(Domain::new(w, h), height);
            // In the same place of the world.
            let domain = Domain::new(w + 5, h + 5).with_origin(-(left as f64), -(top as f64));
            let amid = Heightmap::from_fn(domain, |x, y| {
                let inside = (left..left + w).contains(&x) && (top..top + h).contains(&y);
                if inside { height(x - left, y - top) } else { f32::NAN }
            });
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let parameters = Draining { lakes, sea_level: sea, ..OPEN };
            let own = drainage(&own, &parameters, &Silent).unwrap();
            let amid = drainage(&amid, &Draining { boundary, ..parameters }, &Silent).unwrap();
            let maps = |all: Drainage| [all.area, all.receivers, all.basins];
            for (own, amid) in maps(own).into_iter().zip(maps(amid)) {
                let part = amid.part((left, top), (w, h));
                prop_assert_eq!(part.samples(), own.samples());
            }
        }

        /// Samples with a lower neighbour drain the same way in a part of the map.
        #[test]
        fn a_part_drains_like_the_whole(
            first in (0usize..9, 0usize..9),
            size in (3usize..9, 3usize..9),
            spacing in 0.5f64..40.0,
            seed: u64,
        ) {
            let lattice = Seed(seed).lattice();
            let domain = Domain::new(18, 18).with_spacing(spacing).with_origin(7.0 * spacing, -3.0 * spacing);
            let whole = Heightmap::from_fn(domain, |x, y| (lattice.unit(x as i64, y as i64) * 4.0).floor());
            let part = whole.part(first, size);
            let run = |map: &Heightmap| drainage(map, &Draining { lakes: false, ..OPEN }, &Silent).unwrap();
            let (whole, own) = (run(&whole), run(&part));
            let shape = Shape { width: size.0, height: size.1, wrap: false };
            let lower = |at: usize| {
                DIRECTIONS.iter().any(|&offset| {
                    let to = shape.neighbour(shape.position(at), offset);
                    to.is_some_and(|to| part.samples()[to] < part.samples()[at])
                })
            };
            let of_whole = whole.receivers.part(first, size);
            for at in (0..part.samples().len()).filter(|&at| lower(at)) {
                if !shape.on_border(shape.position(at)) {
                    prop_assert_eq!(own.receivers.samples()[at], of_whole.samples()[at]);
                }
            }
        }

        #[test]
        fn odd_maps_drain(
            w in 1usize..9,
            h in 1usize..9,
            wrap: bool,
            lakes: bool,
            sea in proptest::option::of(-1.0f32..3.0),
            seed: u64,
        ) {
            let lattice = Seed(seed).lattice();
            let map = Heightmap::from_fn(Domain::new(w, h), |x, y| {
                match (lattice.unit(x as i64, y as i64) * 8.0) as u32 {
                    0 => f32::NAN,
                    1 => f32::INFINITY,
                    2 => -1.0e6,
                    other => other as f32 / 3.0,
                }
            });
            let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
            let out = drainage(&map, &Draining { lakes, sea_level: sea, boundary }, &Silent).unwrap();
            prop_assert!(out.area.samples().iter().all(|area| *area >= 1.0));
        }
    }

    #[test]
    fn ties_prefer_no_direction() {
        // Pits at every second column and row. A sample between two pits drains to either.
        let map =
            Heightmap::from_fn(Domain::new(201, 201), |x, y| if x % 2 + y % 2 == 0 { 0.0 } else { 1.0 });
        let out = drainage(&map, &Draining { lakes: false, ..OPEN }, &Silent).unwrap();
        let mut counts = [0; 9];
        out.receivers.samples().iter().for_each(|direction| counts[*direction as usize] += 1);
        // 101 · 100 samples lie between two columns of pits, and as many between two rows. Those amid four
        // pits drain across a corner.
        assert_eq!([counts[2] + counts[3], counts[1] + counts[4]], [10_100; 2]);
        assert_eq!(counts[5..].iter().sum::<usize>(), 10_000);
        assert!(counts[1..5].iter().all(|count| (4_800..5_300).contains(count)), "{counts:?}");
        assert!(counts[5..].iter().all(|count| (2_350..2_650).contains(count)), "{counts:?}");
    }

    #[test]
    fn any_number_of_threads_gives_the_same_bits() {
        let lattice = Seed(5).lattice();
        let map = Heightmap::from_fn(Domain::new(170, 130), |x, y| lattice.unit(x as i64 / 3, y as i64 / 3));
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| drainage(&map, &OPEN, &Silent).unwrap())
        };
        assert_eq!(run(1), run(3));
    }
}
