//! The smooth stitch, by brute force.

use super::{Seer, allowed, fall};
use crate::stitch::tests::worlds::World;
use crate::stitch::{NONE, Stitch};

/// Every sample's height by the smooth stitch, where all fields share alike.
pub fn smooth(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let ids = world.ids();
    let edges = super::all_edges(world);
    let seer = Seer::new(world, &edges, parameters.distance, true);
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let terrain = f64::from(world.terrains[field as usize][(column, row)]);
        let Some(own) = seer.see(field as usize, p) else { return terrain };
        let most = fall(own.far);
        let (mut sum, mut weights) = (0.0, 2.0 - most);
        for other in (0..world.outlines.len()).filter(|other| *other != field as usize) {
            if let Some(seen) = seer.see(other, p) {
                let part = allowed(fall(seen.far), most);
                sum += part * (seen.height - own.height);
                weights += part;
            }
        }
        terrain + sum / weights
    };
    (0..world.domain.len()).map(sample).collect()
}
