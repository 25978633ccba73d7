//! The smooth stitch, by brute force.

use super::{Seer, allowed, presence};
use crate::stitch::tests::worlds::World;
use crate::stitch::{NONE, Stitch};

/// From 1 at 0 to 0 at 1, level there: what is left of a slope of 8/7 that ends over the last quarter.
fn falling(x: f64) -> f64 {
    let over = (x - 0.75).max(0.0);
    1.0 - 8.0 / 7.0 * (x - 2.0 * over * over)
}

/// Every sample's height by the smooth stitch, where all fields share alike.
pub fn smooth(world: &World, parameters: &Stitch<'_>) -> Vec<f64> {
    let (ids, reach) = (world.ids(), parameters.distance);
    let edges = super::all_edges(world);
    let seer = Seer::new(world, &edges, reach, true);
    let sample = |index: usize| {
        let (column, row) = (index % world.domain.width(), index / world.domain.width());
        let p = (world.domain.x(column), world.domain.y(row));
        let field = ids[(column, row)];
        if field == NONE {
            return f64::from(parameters.outside);
        }
        let field = field as usize;
        let terrain = f64::from(world.terrains[field][(column, row)]);
        let Some(own) = seer.see(field, p) else { return terrain };
        // Others by their presence, and how much higher their borders are.
        let others: Vec<(f64, f64)> = (0..edges.len())
            .filter(|other| *other != field)
            .filter_map(|other| {
                let seen = seer.see(other, p)?;
                Some((allowed(presence(seen.near), presence(own.near)), seen.height - own.height))
            })
            .collect();
        let all = presence(own.near) + others.iter().map(|other| other.0).sum::<f64>();
        let far = libm::sqrt((own.near + 1.0) / (1.5 * own.close + 1.0));
        let begun = if far < 0.0625 { 8.0 * far * far } else { far - 0.03125 };
        let (alone, beside) = (falling(far), falling(begun / 0.96875));
        let change = |which: usize| {
            let (here, above) = others[which];
            let rest = (0..others.len()).filter(|other| *other != which);
            let by_itself: f64 = rest.map(|other| 1.0 - others[other].0).product();
            (by_itself * alone + (1.0 - by_itself) * beside) * here / all * above
        };
        terrain + (0..others.len()).map(change).sum::<f64>()
    };
    (0..world.domain.len()).map(sample).collect()
}
