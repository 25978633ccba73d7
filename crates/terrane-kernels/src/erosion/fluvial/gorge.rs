//! Gorges: the lowest exit of each basin is cut down, so that the basin's river can leave (Lim et al. 2021,
//! section 3.4).

use crate::parallel::try_collect;
use rayon::prelude::*;

use super::sinks::Sinks;
use super::tiles::InverseDistances;
use crate::Cancelled;
use crate::hydrology::Network;
use terrane_compute::Alive;
use terrane_grid::{DIRECTIONS, Shape};

/// Basins and the divides between them, before any gorge is cut.
#[derive(Clone, Copy)]
pub struct Divides<'a> {
    pub shape: Shape,
    pub inverse_distances: &'a InverseDistances,
    pub network: &'a Network,
    /// Per tile, its drainage direction as an index into [`DIRECTIONS`].
    pub directions: &'a [u8],
    /// Number of directions in use.
    pub directions_used: usize,
    /// Heights of land plus water.
    pub total: &'a [f32],
    /// Ideal heights of the land.
    pub ideal: &'a [f32],
    /// Tiles where water leaves the map.
    pub sinks: &'a Sinks,
    pub sea_level: f32,
}

/// The exit of a basin.
#[derive(Clone, Copy)]
pub struct Exit {
    /// The tile where the basin's water ends.
    minimum: usize,
    /// The basin's tile at the divide or at the border.
    leaf: usize,
    /// The tile on the other side of the divide; `None` if the exit is over an outflow border.
    across: Option<usize>,
}

/// The maps that gorges change.
pub struct Cut<'a> {
    pub land: &'a mut [f32],
    /// The fraction of each tile's gradient strength that remains after gorges.
    pub hold: &'a mut [f32],
    /// Total depth that gorges have cut.
    pub gorges: &'a mut [f32],
}

/// Per tile, the minimum where its water ends, or [`NONE`] if its water ends in the sea or leaves the map.
pub type Basins<'a> = dyn Fn(usize) -> u32 + Sync + 'a;

/// Rows between two checks for cancellation.
const ROWS: usize = 16;

/// No leaf, or no minimum.
pub const NONE: u32 = u32::MAX;

impl Divides<'_> {
    /// Finds the exits of all closed basins, sorted by the indices of the basins' minima. A basin is closed
    /// if its water ends in a minimum above the sea and does not leave the map there.
    ///
    /// A leaf is a tile without donors. A basin's exit is its lowest leaf next to another basin, or a tile on
    /// an outflow border if that tile is lower. `leaves` is scratch space: one number per tile, each [`NONE`]
    /// before and after the call.
    pub fn exits(
        &self,
        basins: &Basins<'_>,
        leaves: &mut [u32],
        alive: &Alive<'_>,
    ) -> Result<Vec<Exit>, Cancelled> {
        let width = self.shape.width;
        let rows: Vec<Vec<(u32, u32)>> = try_collect(self.shape.height, ROWS, |row| {
            if row % ROWS == 0 {
                alive()?;
            }
            let found = (0..width).filter_map(|column| {
                let leaf = row * width + column;
                if self.network.donors[leaf] > 0 {
                    return None;
                }
                let basin = basins(leaf);
                let is_divide = basin != NONE && self.across(leaf, (column, row), basin, basins).is_some();
                is_divide.then_some((basin, leaf as u32))
            });
            Ok(found.collect())
        })?;
        let mut minima = Vec::new();
        let mut take = |basin: u32, leaf: u32| {
            let best = &mut leaves[basin as usize];
            if *best == NONE {
                minima.push(basin);
            }
            // Leaves come in index order, so the first of equally low leaves is kept.
            if *best == NONE || self.total[leaf as usize] < self.total[*best as usize] {
                *best = leaf;
            }
        };
        for row in rows {
            row.into_iter().for_each(|(basin, leaf)| take(basin, leaf));
        }
        alive()?;
        for &tile in &self.sinks.outflow {
            let basin = basins(tile as usize);
            if basin != NONE {
                take(basin, tile);
            }
        }
        minima.par_sort_unstable();
        alive()?;
        let mut exits = Vec::with_capacity(minima.len());
        for basin in minima {
            let leaf = std::mem::replace(&mut leaves[basin as usize], NONE) as usize;
            let outside = self.sinks.is(leaf);
            let across =
                if outside { None } else { self.across(leaf, self.shape.position(leaf), basin, basins) };
            if outside || across.is_some() {
                exits.push(Exit { minimum: basin as usize, leaf, across });
            }
        }
        Ok(exits)
    }

    /// Whether a tile where water ends is the minimum of a closed basin: the tile is above the sea, and water
    /// does not leave the map there.
    pub fn is_closed(&self, tile: usize, land: &[f32]) -> bool {
        land[tile] >= self.sea_level && !self.sinks.is(tile)
    }

    /// Cuts a gorge through each exit, in order. O(total length of the gorges).
    pub fn carve(
        &self,
        exits: &[Exit],
        drainage: &[f32],
        strength: f32,
        cut: &mut Cut<'_>,
        alive: &Alive<'_>,
    ) -> Result<(), Cancelled> {
        let mut path = Vec::new();
        for (index, exit) in exits.iter().enumerate() {
            if index % 1024 == 0 {
                alive()?;
            }
            let weight = (strength * drainage[exit.minimum].sqrt()).min(1.0);
            self.gorge(*exit, weight, cut, &mut path);
        }
        Ok(())
    }

    /// The tile across the divide from a leaf: the neighbour opposite to the direction in which the leaf
    /// drains. If the leaf drains nowhere, it is a basin of one tile, and the tile across is its lowest
    /// neighbour. `None` if the tile across would be in the same basin or beyond the border.
    fn across(
        &self,
        leaf: usize,
        position: (usize, usize),
        basin: u32,
        basins: &Basins<'_>,
    ) -> Option<usize> {
        let other = match self.directions[leaf] {
            0 => {
                let neighbours = DIRECTIONS[1..=self.directions_used]
                    .iter()
                    .filter_map(|&offset| self.shape.neighbour(position, offset));
                neighbours.min_by(|&a, &b| self.total[a].total_cmp(&self.total[b]).then(a.cmp(&b)))?
            }
            direction => {
                let (dx, dy) = DIRECTIONS[usize::from(direction)];
                self.shape.neighbour_at(leaf, position, (-dx, -dy))?
            }
        };
        (basins(other) != basin).then_some(other)
    }

    /// Cuts the gorge of an exit. The gorge leads from the basin's minimum over the leaf to the next basin's
    /// minimum. If the exit is over the border, the gorge ends at the leaf and is level.
    fn gorge(&self, exit: Exit, weight: f32, cut: &mut Cut<'_>, path: &mut Vec<(usize, f32)>) {
        let Exit { minimum, leaf, across } = exit;
        // The path leads from the minimum up to the leaf, then from the tile across down to the other
        // minimum.
        path.clear();
        self.descend(leaf, path);
        path.reverse();
        let over = path.len();
        if let Some(across) = across {
            self.descend(across, path);
        }
        // Each tile is stored with its distance to the next tile downstream. Replaces this distance by the
        // tile's distance from the start of the path.
        let (mut length, mut before) = (0.0, 0.0);
        for (index, (tile, step)) in path.iter_mut().enumerate() {
            let next = *step;
            length += match index {
                0 => 0.0,
                _ if index < over => next,
                _ if index == over => self.distance(leaf, *tile),
                _ => before,
            };
            (before, *step) = (next, length);
        }
        let Some(&(end, _)) = path.last() else { return };
        let from = self.total[minimum];
        let (from, to) = match across {
            Some(_) => (from, self.total[end]),
            // The gorge is level, and no lower than the minimum's ideal height. Otherwise each gorge would
            // require a deeper one in the next iteration.
            None => (from.max(self.ideal[minimum]), from.max(self.ideal[minimum])),
        };
        for &(tile, along) in &*path {
            let ideal = from + (to - from) * (along / length);
            let above = cut.land[tile] - ideal;
            if above > 0.0 {
                cut.land[tile] -= weight * above;
                cut.gorges[tile] += weight * above;
            }
            cut.hold[tile] *= 1.0 - weight;
        }
    }

    /// Appends the tiles that a tile's water runs through, starting with that tile, each with its distance to
    /// the next tile.
    fn descend(&self, mut tile: usize, path: &mut Vec<(usize, f32)>) {
        loop {
            let direction = self.directions[tile];
            if direction == 0 {
                path.push((tile, 0.0));
                return;
            }
            path.push((tile, self.along(tile, usize::from(direction))));
            tile = self.network.receivers[tile] as usize;
        }
    }

    /// The distance from a tile's node to the node of its neighbour in a direction.
    fn along(&self, tile: usize, direction: usize) -> f32 {
        1.0 / self
            .inverse_distances
            .along(direction, self.inverse_distances.padded_index(self.shape.position(tile)))[0]
    }

    /// The distance between the nodes of two neighbouring tiles.
    fn distance(&self, a: usize, b: usize) -> f32 {
        let position = self.shape.position(a);
        let leads = |&direction: &usize| self.shape.neighbour(position, DIRECTIONS[direction]) == Some(b);
        (1..=self.directions_used).find(leads).map_or(0.0, |direction| self.along(a, direction))
    }
}
