//! What the land holds on to.

use terrane_grid::{Heightmap, Seed};

use super::parameters::Fluvial;
use super::sinks::Sinks;
use crate::Cancelled;
use crate::hydrology::{Alive, Shape, WAYS, each};

/// The heights that the land holds on to: a map, uneven by as much as is asked for, but where heights are fixed.
pub fn ideal(
    map: &Heightmap,
    parameters: &Fluvial<'_>,
    shape: Shape,
    sinks: &Sinks,
    seed: Seed,
    alive: &Alive<'_>,
) -> Result<Vec<f32>, Cancelled> {
    let heights = map.samples();
    if parameters.iterations == 0 {
        return Ok(heights.to_vec());
    }
    let lattice = seed.part(2).lattice();
    let noise = (f64::from(parameters.noise) * map.spacing()) as f32;
    let mut ideal = each(heights.len(), alive, |at| {
        let (column, row) = shape.place(at);
        let unit = lattice.unit(column as i64, row as i64);
        let uneven = if parameters.unevenness > 0.0 {
            parameters.unevenness * relief(heights, shape, at)
        } else {
            0.0
        };
        heights[at] + (noise + uneven) * (2.0 * unit - 1.0)
    })?;
    if parameters.ideal.is_none() {
        sinks.keep(&mut ideal);
    }
    Ok(ideal)
}

/// The mean difference between a tile and its four neighbours, up or down.
fn relief(heights: &[f32], shape: Shape, at: usize) -> f32 {
    let place = shape.place(at);
    let (mut sum, mut count) = (0.0, 0.0);
    for &offset in &WAYS[1..5] {
        if let Some(to) = shape.beside_at(at, place, offset) {
            sum += (heights[to] - heights[at]).abs();
            count += 1.0;
        }
    }
    if count > 0.0 { sum / count } else { 0.0 }
}
