//! How rivers fall: heights along a network that never rise downstream.

use terrane_grid::{Heightmap, ScalarMap};

use super::Network;

/// What [`Profiles`] are computed from.
#[derive(Clone, Copy, Debug)]
pub struct Falling<'a> {
    /// The ground.
    pub ground: &'a Heightmap,
    /// The level of lakes and of the sea; not a number where it is dry. Over water, rivers have its level.
    pub level: Option<&'a Heightmap>,
    /// How hard the rock is, from 0 to 1: where it is 1, steps of the river stay.
    pub hard: ScalarMap<'a>,
    /// How often the steps of rivers are evened out: each time by a sample.
    pub evened: u32,
}

/// The heights of rivers at samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Profiles {
    /// The height of the river, up to its banks; not a number where there is no river.
    pub heights: Vec<f32>,
    /// Whether the river is in a lake or in the sea.
    pub is_wet: Vec<bool>,
}

/// A river's sample with what it needs of its neighbours, by number. Numbers grow downstream.
struct Reach {
    at: u32,
    /// The sample to which it drains, or itself.
    to: u32,
    /// The sample with most drainage that drains to it, or itself.
    from: u32,
}

/// Computes the profiles of the samples of rivers, which are given from the sources downstream.
///
/// Ground that rises along a river is cut through, so that the river does not rise, but not below the level
/// of the next lake downstream: lakes keep their levels. Then the edges of steps are lowered, each sample to
/// the middle of its neighbours along the river, where the rock is soft. A river is above the ground only in
/// water, and where the ground is below the next lake downstream.
pub(super) fn profiles(
    falling: &Falling<'_>,
    network: &Network,
    drainage: &Heightmap,
    downstream: &[u32],
) -> Profiles {
    let ground = falling.ground.samples();
    let mut profiles = Profiles { heights: vec![f32::NAN; ground.len()], is_wet: vec![false; ground.len()] };
    let mut numbers = vec![u32::MAX; ground.len()];
    for (number, at) in (0..).zip(downstream) {
        numbers[*at as usize] = number;
    }
    let mut reaches: Vec<Reach> = (0..)
        .zip(downstream)
        .map(|(number, &at)| {
            let to = numbers[network.receivers[at as usize] as usize];
            Reach { at, to: if to == u32::MAX { number } else { to }, from: number }
        })
        .collect();
    let drains = |reach: &Reach| drainage.samples()[reach.at as usize];
    for number in 0..reaches.len() {
        let to = reaches[number].to as usize;
        let from = reaches[to].from as usize;
        if to != number && (from == to || drains(&reaches[number]) > drains(&reaches[from])) {
            reaches[to].from = number as u32;
        }
    }
    let level =
        |at: usize| falling.level.map(|level| level.samples()[at]).filter(|level| *level > ground[at]);
    let mut heights: Vec<f32> =
        reaches.iter().map(|reach| level(reach.at as usize).unwrap_or(ground[reach.at as usize])).collect();
    // The highest water downstream, below which no river falls before it is there.
    let mut least = vec![f32::NEG_INFINITY; reaches.len()];
    for (number, reach) in reaches.iter().enumerate().rev() {
        let below = if reach.to as usize == number { f32::NEG_INFINITY } else { least[reach.to as usize] };
        let own = level(reach.at as usize);
        least[number] = own.unwrap_or(f32::NEG_INFINITY).max(below);
        profiles.is_wet[reach.at as usize] = own.is_some();
    }
    for (number, reach) in reaches.iter().enumerate() {
        heights[number] = heights[number].max(least[number]);
        let to = reach.to as usize;
        if to != number {
            heights[to] = heights[to].min(heights[number]);
        }
    }
    let mut evened = heights.clone();
    for _ in 0..falling.evened {
        for (number, reach) in reaches.iter().enumerate() {
            let own = heights[number];
            let middle = 0.5 * (heights[reach.from as usize] + heights[reach.to as usize]);
            let is_end = reach.from as usize == number || reach.to as usize == number;
            evened[number] = if is_end || middle >= own || profiles.is_wet[reach.at as usize] {
                own
            } else {
                let soft = 1.0 - falling.hard.at(reach.at as usize).clamp(0.0, 1.0);
                (own - (own - middle) * soft).max(least[number])
            };
        }
        std::mem::swap(&mut heights, &mut evened);
    }
    // Hard rock beside soft rock can leave a rise.
    for (number, reach) in reaches.iter().enumerate() {
        profiles.heights[reach.at as usize] = heights[number];
        let to = reach.to as usize;
        if to != number {
            heights[to] = heights[to].min(heights[number]);
        }
    }
    profiles
}
