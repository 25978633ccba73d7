//! Standing water: lakes that are full, or hold what rain brings.

mod bodies;
mod filling;
mod pour;
mod surfaces;
#[cfg(test)]
mod tests;
mod tree;

use terrane_compute::{Cancelled, Progress, chunks, each};
use terrane_grid::{Grid, Heightmap, ScalarMap};

use super::Ties;
use super::depressions::Hollowed;
use super::ends::{ends, shape};
use bodies::Catchments;
pub use bodies::Lake;
pub use filling::LakeFilling;
use pour::Poured;
use surfaces::Surfaces;
use tree::Tree;

/// The lakes of a terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct StandingWater {
    /// The level of water; not a number where it is dry.
    pub level: Heightmap,
    /// The lakes, ordered by their deepest samples.
    pub lakes: Vec<Lake>,
    /// The volume of the rain.
    pub rain: f64,
    /// The volume of the rain that is in lakes, also in those that are too small to be listed.
    pub held: f64,
    /// The volume of the rain that has reached the sea or left the map.
    pub left: f64,
}

/// Fills the hollows of a terrain with water.
///
/// Without `rain`, all lakes are full: their levels are those at which they spill. With `rain`, a depth of
/// water falls on each sample, runs off as [`steepest`](super::steepest()) and [`Flats`](super::Flats) say,
/// and fills hollows from below. What a full hollow no longer holds spills across its lowest pass into the
/// hollow beyond it. Two hollows that are full up to the pass between them are one lake, which rises on
/// (Barnes, Callaghan & Wickert 2021, *Computing water flow through complex landscapes – Part 3:
/// Fill-Spill-Merge*). No water seeps away or evaporates.
///
/// Volumes are sums in double precision, so that `rain` is the sum of `held` and `left`, except for the
/// rounding of a sum. Levels have single precision, and are the same all over a lake. Samples that are not
/// numbers are holes, into which water leaves.
///
/// O(samples · log samples).
///
/// # Errors
/// [`Cancelled`] when `progress` cancels.
///
/// # Panics
/// If the map of rain has another size than the terrain.
pub fn standing_water(
    map: &Heightmap,
    rain: Option<ScalarMap<'_>>,
    filling: &LakeFilling,
    progress: &dyn Progress,
) -> Result<StandingWater, Cancelled> {
    let (width, height) = map.domain().size;
    let heights = map.samples();
    let alive = || progress.check();
    let area = map.spacing() * map.spacing();
    if let Some(ScalarMap::Map(rain)) = rain {
        assert_eq!(rain.domain().size, (width, height), "rain of another size");
    }
    // What is not above 0, or not a number, is no rain.
    let rain_at = |at: usize| rain.map_or(0.0, |rain| f64::from(rain.at(at).max(0.0)));
    let dry = |rain: f64| StandingWater {
        level: map.with_grid(Grid::from_vec(width, height, vec![f32::NAN; heights.len()])),
        lakes: Vec::new(),
        rain,
        held: 0.0,
        left: rain,
    };
    if heights.is_empty() {
        return Ok(dry(0.0));
    }
    let ground = Hollowed {
        shape: shape(map, filling.boundary),
        heights,
        ends: &ends(map, filling.sea_level, filling.boundary, &alive)?,
        held: &[],
        spacing: map.spacing(),
        ties: Ties::of(&map.domain()),
    };
    let (hollows, basins) = ground.find_steepest(&alive)?;
    let basin = |at: usize| basins[at];
    let mut catchments = Catchments::new(hollows.all.len());
    for samples in chunks(heights.len()) {
        // Holes have no rain.
        samples.filter(|at| !heights[*at].is_nan()).for_each(|at| catchments.add(basin(at), rain_at(at)));
        alive()?;
    }
    let total = catchments.rain();
    if hollows.all.is_empty() {
        return Ok(dry(total * area));
    }
    let mut tree = Tree::new(&hollows);
    let nodes = each(heights.len(), &alive, |at| {
        tree.of(basin(at), heights[at]).map_or(u32::MAX, |node| node as u32)
    })?;
    drop(basins);
    for samples in chunks(heights.len()) {
        for at in samples.filter(|at| nodes[*at] != u32::MAX) {
            tree.count(nodes[at] as usize, heights[at]);
        }
        alive()?;
    }
    tree.add_up();
    let mut poured = if rain.is_some() { Poured::dry(&tree) } else { Poured::full(&tree) };
    poured.left = catchments.sea;
    for (leaf, rain) in (0..).zip(&catchments.rain) {
        poured.pour(leaf, *rain);
    }
    let mut surfaces = Surfaces::find(&tree, &poured, heights, &nodes, &alive)?;
    let held = if rain.is_some() { surfaces.volumes.iter().sum() } else { 0.0 };
    let left = poured.left;
    let found = bodies::Found { tree: &tree, hollows: &hollows, poured: &poured, area, heights };
    let lakes = found.lakes(&mut surfaces, &nodes, &catchments, filling, &alive)?;
    let level = surfaces.at_samples(heights, &nodes, &alive)?;
    Ok(StandingWater {
        level: map.with_grid(Grid::from_vec(width, height, level)),
        lakes,
        rain: total * area,
        held: held * area,
        left: left * area,
    })
}
