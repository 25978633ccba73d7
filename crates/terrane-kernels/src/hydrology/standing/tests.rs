//! Standing water against a slow reference, and against filled ground.

use proptest::prelude::*;
use terrane_grid::{DIRECTIONS, Domain, Heightmap, ScalarMap, Shape};

use super::*;
use crate::hydrology::{DepressionRemoval, Method, depressions};
use crate::{Boundary, Silent};

/// Hollows that are full together, and the water in them.
#[derive(Clone, Debug)]
struct Group {
    basins: Vec<usize>,
    water: f64,
}

/// The slow and obvious way: groups of hollows spill one by one until none has too much water.
struct Reference<'a> {
    shape: Shape,
    heights: &'a [f32],
    /// The lowest sample to which each sample drains; `None` for the sea.
    basins: Vec<Option<usize>>,
    groups: Vec<Group>,
    left: f64,
    /// Whether water could have spilled into another group as well: where three meet at one sample.
    is_open: bool,
}

impl<'a> Reference<'a> {
    /// Rain on ground whose heights all differ.
    fn rained(shape: Shape, heights: &'a [f32], rain: &[f64]) -> Self {
        let down = |at: usize| {
            let position = shape.position(at);
            let slope = |offset: (isize, isize)| {
                let to = shape.neighbour(position, offset)?;
                let distance = ((offset.0 * offset.0 + offset.1 * offset.1) as f64).sqrt();
                Some((to, (f64::from(heights[at]) - f64::from(heights[to])) / distance))
            };
            let all = DIRECTIONS[1..].iter().filter_map(|offset| slope(*offset));
            all.filter(|(_, slope)| *slope > 0.0).max_by(|a, b| a.1.total_cmp(&b.1)).map(|(to, _)| to)
        };
        let basin = |mut at: usize| loop {
            if shape.on_border(shape.position(at)) {
                return None;
            }
            match down(at) {
                Some(to) => at = to,
                None => return Some(at),
            }
        };
        let basins: Vec<Option<usize>> = (0..heights.len()).map(basin).collect();
        let mut bottoms: Vec<usize> = basins.iter().flatten().copied().collect();
        bottoms.sort_unstable();
        bottoms.dedup();
        let groups = bottoms.iter().map(|bottom| Group { basins: vec![*bottom], water: 0.0 }).collect();
        let mut this = Self { shape, heights, basins, groups, left: 0.0, is_open: false };
        for (at, rain) in rain.iter().enumerate() {
            match this.group(at) {
                Some(group) => this.groups[group].water += rain,
                None => this.left += rain,
            }
        }
        while this.spill() {}
        this
    }

    fn group(&self, at: usize) -> Option<usize> {
        let basin = self.basins[at]?;
        self.groups.iter().position(|group| group.basins.contains(&basin))
    }

    /// The lowest way out of a group: its height, and the group beyond it.
    fn way_out(&self, group: usize) -> (f32, Option<usize>) {
        self.ways_out(group)[0]
    }

    /// The lowest ways out of a group.
    fn ways_out(&self, group: usize) -> Vec<(f32, Option<usize>)> {
        let mut ways = Vec::new();
        for at in (0..self.heights.len()).filter(|at| self.group(*at) == Some(group)) {
            for offset in &DIRECTIONS[1..] {
                let Some(to) = self.shape.neighbour(self.shape.position(at), *offset) else { continue };
                ways.push((self.heights[at].max(self.heights[to]), self.group(to)));
            }
        }
        ways.retain(|way| way.1 != Some(group));
        let lowest = ways.iter().map(|way| way.0).fold(f32::INFINITY, f32::min);
        ways.retain(|way| way.0 == lowest);
        ways
    }

    /// The depths of the samples of a group below a level.
    fn room(&self, group: usize, level: f64) -> f64 {
        let own = (0..self.heights.len()).filter(|at| self.group(*at) == Some(group));
        own.map(|at| (level - f64::from(self.heights[at])).max(0.0)).sum()
    }

    /// Lets one group spill; returns whether one did.
    fn spill(&mut self) -> bool {
        for group in 0..self.groups.len() {
            let ways = self.ways_out(group);
            let (height, beyond) = ways[0];
            let room = self.room(group, f64::from(height));
            let excess = self.groups[group].water - room;
            if excess <= 1e-9 {
                continue;
            }
            self.is_open |= ways.iter().any(|way| way.1 != beyond);
            let Some(beyond) = beyond else {
                self.groups[group].water = room;
                self.left += excess;
                return true;
            };
            let other = self.way_out(beyond).0;
            let is_full = self.groups[beyond].water >= self.room(beyond, f64::from(other)) - 1e-9;
            if is_full && other == height {
                let joined = self.groups[beyond].clone();
                self.groups[group].basins.extend(joined.basins);
                self.groups[group].water += joined.water;
                self.groups.remove(beyond);
            } else {
                self.groups[group].water = room;
                self.groups[beyond].water += excess;
            }
            return true;
        }
        false
    }

    /// The depth of water at each sample.
    fn depths(&self) -> Vec<f64> {
        let mut depths = vec![0.0; self.heights.len()];
        for (group, Group { water, .. }) in self.groups.iter().enumerate() {
            let highest = self.way_out(group).0;
            let (mut low, mut high) = (-1e3, f64::from(highest));
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                *(if self.room(group, middle) > *water { &mut high } else { &mut low }) = middle;
            }
            for at in (0..depths.len()).filter(|at| self.group(*at) == Some(group)) {
                depths[at] = (low - f64::from(self.heights[at])).max(0.0);
            }
        }
        depths
    }
}

/// Ground without equal heights, from random numbers.
fn ground(w: usize, h: usize, seed: u64, whole: bool) -> Heightmap {
    let mut state = seed;
    Heightmap::from_fn(Domain::new(w, h).with_spacing(2.0), |x, y| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let height = (state >> 40) as f32 / (1 << 24) as f32 * 8.0;
        if whole { height.floor() } else { height + (y * w + x) as f32 * 1e-4 }
    })
}

/// Every lake, by its own numbers and by the samples of the level.
fn check(map: &Heightmap, water: &StandingWater) {
    let shape = Shape { width: map.width(), height: map.height(), wrap: false };
    let (heights, level) = (map.samples(), water.level.samples());
    let area = map.spacing() * map.spacing();
    let mut seen = vec![false; heights.len()];
    let mut found = 0;
    for lake in &water.lakes {
        let bottom = lake.bottom as usize;
        assert!(!seen[bottom] && lake.level == level[bottom]);
        let (mut open, mut samples, mut volume) = (vec![bottom], 0, 0.0);
        seen[bottom] = true;
        while let Some(at) = open.pop() {
            assert!(heights[at] < level[at] && level[at] == lake.level, "one level");
            assert!(heights[at] >= heights[bottom]);
            samples += 1;
            volume += area * (f64::from(level[at]) - f64::from(heights[at]));
            for offset in &DIRECTIONS[1..] {
                let Some(to) = shape.neighbour(shape.position(at), *offset) else { continue };
                if level[to].is_nan() {
                    assert!(heights[to] >= lake.level, "water stands above dry ground");
                } else if !seen[to] {
                    seen[to] = true;
                    open.push(to);
                }
            }
        }
        found += samples;
        assert_eq!(samples, lake.samples);
        assert!((volume - lake.volume).abs() <= 1e-9 * volume);
        if lake.is_full {
            assert_eq!(heights[lake.outlet as usize], lake.level);
        }
    }
    assert_eq!(found as usize, level.iter().filter(|level| !level.is_nan()).count());
    assert!((water.rain - water.held - water.left).abs() <= 1e-12 * water.rain);
}

#[test]
fn hollows_that_only_touch_are_lakes_of_their_own() {
    let map = Heightmap::from_fn(Domain::new(7, 3), |x, y| match (x, y) {
        (_, 0 | 2) | (0, 1) => 6.0,
        (2 | 4 | 6, 1) => 5.0,
        _ => 0.0,
    });
    let full = standing_water(&map, None, &LakeFilling::default(), &Silent).unwrap();
    check(&map, &full);
    assert_eq!(full.lakes.iter().map(|lake| lake.samples).collect::<Vec<_>>(), [1, 1, 1]);
    // Each spills into the next one, and the last one leaves the map.
    let ends = |water: &StandingWater| water.lakes.iter().filter(|lake| lake.into.is_none()).count();
    assert_eq!(ends(&full), 1);
    let rained = standing_water(&map, Some(9.0.into()), &LakeFilling::default(), &Silent).unwrap();
    check(&map, &rained);
    assert_eq!((ends(&rained), rained.held), (1, 15.0));
    let out: f64 = rained.lakes.iter().filter(|lake| lake.into.is_none()).map(|lake| lake.overflow).sum();
    assert_eq!(out, 5.0 * 9.0 - 15.0, "the rain of five samples without what the lakes hold");
}

#[test]
fn two_hollows_by_hand() {
    // Between walls: hollows at samples 2 and 4, a pass of 3 between them, a way out of 5 at the right.
    let heights = [9.0, 9.0, 1.0, 3.0, 2.0, 5.0, 0.0];
    let map = Heightmap::from_fn(Domain::new(7, 3), |x, y| if y == 1 { heights[x] } else { 9.0 });
    let levels = |rain: f32| {
        let water = standing_water(&map, Some(rain.into()), &LakeFilling::default(), &Silent).unwrap();
        check(&map, &water);
        (water.level.samples()[7..14].to_vec(), water)
    };
    // Samples 1 to 5 of the middle row have the rain: sample 1 drains to 2, the pass to 2, and 5 to the
    // right.
    let (level, water) = levels(0.5);
    assert_eq!((level[2], level[4]), (2.5, 2.5));
    assert_eq!(water.lakes.iter().map(|lake| lake.inflow).collect::<Vec<_>>(), [1.5, 0.5]);
    // The first is full with 2. What is left spills across the pass.
    let (level, water) = levels(0.7);
    assert_eq!(level[2], 3.0);
    assert!((level[4] - 2.8).abs() < 1e-6, "{level:?}");
    assert_eq!((water.lakes[0].into, water.lakes[0].is_full), (Some(1), true));
    assert!((water.lakes[0].overflow - 0.1).abs() < 1e-6);
    // Both are full with 3, and are one lake of three samples.
    let (level, water) = levels(1.5);
    assert_eq!((level[2..5].to_vec(), water.lakes.len()), (vec![4.0; 3], 1));
    assert_eq!((water.held, water.lakes[0].catchment), (6.0, 4.0));
    // It is full with 9.
    let (level, water) = levels(3.0);
    assert_eq!((level[2..5].to_vec(), water.held, water.lakes[0].overflow), (vec![5.0; 3], 9.0, 3.0));
    let full = standing_water(&map, None, &LakeFilling::default(), &Silent).unwrap();
    assert_eq!(full.level.samples()[9..12], [5.0; 3]);
    let small = LakeFilling { least_area: 4.0, ..LakeFilling::default() };
    assert_eq!(standing_water(&map, None, &small, &Silent).unwrap().lakes, []);
    let shallow = LakeFilling { least_depth: 4.5, ..LakeFilling::default() };
    assert_eq!(standing_water(&map, None, &shallow, &Silent).unwrap().lakes, []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn rain_fills_spills_and_merges_as_the_reference_does(
        w in 4usize..13,
        h in 4usize..13,
        seed in any::<u64>(),
        rain in 0.0f32..6.0,
        varied in any::<bool>(),
    ) {
        let map = ground(w, h, seed, false);
        let part = |x: usize, y: usize| if varied { ((x * 7 + y) % 3) as f32 } else { 1.0 };
        let rains = Heightmap::from_fn(map.domain(), |x, y| rain * part(x, y));
        let filling = LakeFilling::default();
        let water = standing_water(&map, Some(ScalarMap::Map(&rains)), &filling, &Silent).unwrap();
        check(&map, &water);
        let shape = Shape { width: w, height: h, wrap: false };
        let rains: Vec<f64> = rains.samples().iter().map(|rain| f64::from(*rain)).collect();
        let reference = Reference::rained(shape, map.samples(), &rains);
        prop_assume!(!reference.is_open);
        prop_assert!((water.left - 4.0 * reference.left).abs() < 1e-6, "{} {}", water.left, reference.left);
        for (at, depth) in reference.depths().iter().enumerate() {
            let own = f64::from((water.level.samples()[at] - map.samples()[at]).max(0.0));
            prop_assert!((own - depth).abs() < 1e-5, "{at}: {own} {depth}");
        }
        // Each lake keeps what came and did not leave.
        for lake in &water.lakes {
            prop_assert!((lake.inflow - lake.overflow - lake.volume).abs() < 1e-3, "{lake:?}");
        }
        let out: f64 = water.lakes.iter().filter(|lake| lake.into.is_none()).map(|lake| lake.overflow).sum();
        prop_assert!(out <= water.left + 1e-6);
    }

    #[test]
    fn full_lakes_are_those_of_filled_ground(
        w in 1usize..16,
        h in 1usize..16,
        seed in any::<u64>(),
        whole in any::<bool>(),
        wrap in any::<bool>(),
    ) {
        let map = ground(w, h, seed, whole);
        let boundary = if wrap { Boundary::Wrap } else { Boundary::Open };
        let filling = LakeFilling { sea_level: Some(2.0), boundary, ..LakeFilling::default() };
        let full = standing_water(&map, None, &filling, &Silent).unwrap();
        let removal = DepressionRemoval {
            method: Method::Fill, sea_level: Some(2.0), boundary, ..DepressionRemoval::default()
        };
        let filled = depressions(&map, &removal, &Silent).unwrap().ground;
        for (at, level) in full.level.samples().iter().enumerate() {
            let (ground, filled) = (map.samples()[at], filled.samples()[at]);
            prop_assert_eq!(if level.is_nan() { ground } else { *level }, filled);
            prop_assert!(level.is_nan() || *level > ground);
        }
        // So do they hold with more rain than they have room for.
        let rained = standing_water(&map, Some(1e4.into()), &filling, &Silent).unwrap();
        let bits = |map: &Heightmap| map.samples().iter().map(|s| s.to_bits()).collect::<Vec<_>>();
        prop_assert_eq!(bits(&rained.level), bits(&full.level));
        let catchments =
            |water: &StandingWater| water.lakes.iter().map(|lake| lake.catchment).collect::<Vec<_>>();
        prop_assert_eq!(catchments(&rained), catchments(&full));
        if !wrap {
            check(&map, &full);
            check(&map, &rained);
            let some = standing_water(&map, Some(0.4.into()), &filling, &Silent).unwrap();
            check(&map, &some);
        }
    }
}
