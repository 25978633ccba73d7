//! Tiles where water leaves the map.

use terrane_compute::{Alive, each};
use terrane_grid::{Domain, Heightmap, Shape};

use super::parameters::Fluvial;
use crate::erosion::border::Border;
use crate::erosion::drained::drained;
use crate::hydrology::{Hollowed, Ties};
use crate::{Boundary, Cancelled};

/// The tiles where water leaves the map.
pub struct Sinks {
    /// Per tile, whether water leaves there; empty if it leaves nowhere.
    leaves: Vec<bool>,
    /// Tiles on an outflow border, where water leaves if no neighbour is lower. Their heights change like
    /// those of other tiles.
    pub outflow: Vec<u32>,
    /// Tiles with fixed heights, and those heights.
    pub fixed: Vec<(u32, f32)>,
}

impl Sinks {
    pub fn new(map: &Heightmap, parameters: &Fluvial<'_>, shape: Shape) -> Self {
        let mut this = Self { leaves: Vec::new(), outflow: Vec::new(), fixed: Vec::new() };
        let size = (shape.width, shape.height);
        let mut add = |at: usize, border: Border| {
            if this.leaves.is_empty() && border != Border::Wall {
                this.leaves = vec![false; shape.width * shape.height];
            }
            match border {
                Border::Wall => return,
                Border::Outflow => this.outflow.push(at as u32),
                Border::Fixed => this.fixed.push((at as u32, map.samples()[at])),
            }
            this.leaves[at] = true;
        };
        let masked = |at: usize| parameters.outlets.is_some_and(|mask| mask.samples()[at] > 0.5);
        let open = parameters.boundary == Boundary::Open;
        for at in 0..map.samples().len() {
            let side = if open { parameters.border.of(shape.position(at), size) } else { None };
            if masked(at) {
                add(at, Border::Fixed);
            } else if let Some(side) = side {
                add(at, side);
            }
        }
        this
    }

    /// Whether water leaves the map at this tile if no neighbour is lower.
    #[inline]
    pub fn is(&self, at: usize) -> bool {
        self.leaves.get(at).is_some_and(|&leaves| leaves)
    }

    /// Whether a tile keeps its height.
    pub fn is_fixed(&self, at: usize) -> bool {
        self.fixed.binary_search_by_key(&(at as u32), |&(at, _)| at).is_ok()
    }

    /// The heights from which all water leaves, over these tiles or into the sea.
    pub fn drained(
        &self,
        heights: &[f32],
        (shape, domain): (Shape, Domain),
        sea_level: f32,
        alive: &Alive<'_>,
    ) -> Result<Vec<f32>, Cancelled> {
        let ends = self.ends(heights, sea_level, alive)?;
        let mut held = vec![false; if self.fixed.is_empty() { 0 } else { heights.len() }];
        self.fixed.iter().for_each(|&(at, _)| held[at as usize] = true);
        let (ties, spacing) = (Ties::of(&domain), domain.spacing);
        drained(&Hollowed { shape, heights, ends: &ends, held: &held, spacing, ties }, alive)
    }

    /// The tiles where water leaves, and those in the sea; if there are none, the lowest tile.
    pub fn ends(&self, heights: &[f32], sea_level: f32, alive: &Alive<'_>) -> Result<Vec<bool>, Cancelled> {
        let mut ends = each(heights.len(), alive, |at| heights[at] < sea_level || self.is(at))?;
        if !ends.contains(&true) {
            let lowest = (0..heights.len()).min_by(|&a, &b| heights[a].total_cmp(&heights[b]));
            ends[lowest.unwrap_or_default()] = true;
        }
        Ok(ends)
    }

    /// Resets fixed tiles to their heights.
    pub fn keep(&self, land: &mut [f32]) {
        self.fixed.iter().for_each(|&(at, height)| land[at as usize] = height);
    }
}
