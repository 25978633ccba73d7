//! A custom law of erosion on Terrane's routing: rivers that erode only where they are strong enough.
//!
//! The law is the stream power law with a threshold: a river lowers its bed by
//! `max(0, k · √area · slope − threshold)` per step. Routing, lakes and drainage areas come from Terrane.
//!
//! `cargo run -p terrane-examples --bin own_eroder`

use std::io::Write;

use terrane_grid::{Domain, Heightmap, Seed, Shape};
use terrane_kernels::displacement::{Midpoint, midpoint_displacement};
use terrane_kernels::hydrology::{LakeBuffers, LakeTerrain, Network, Ties, steepest};
use terrane_kernels::{Cancelled, Silent, metric};

/// The law's constants.
struct Law {
    erodibility: f32,
    threshold: f32,
}

/// Erodes a map in place, by a number of steps. Water leaves at the map's border, whose heights stay.
fn erode(map: &mut Heightmap, law: &Law, steps: u32) -> Result<(), Cancelled> {
    let (width, height) = map.domain().size;
    let (count, spacing) = (width * height, map.spacing() as f32);
    let (shape, ties) = (Shape { width, height, wrap: false }, Ties::of(&map.domain()));
    let sea: Vec<bool> = (0..count).map(|at| shape.on_border(shape.position(at))).collect();
    let alive = || Ok(());
    let (mut network, mut lakes) = (Network::new(count), LakeBuffers::new(count));
    let (mut area, mut order, mut pending) = (vec![0.0; count], Vec::new(), vec![0; count]);
    for _ in 0..steps {
        let heights = map.samples();
        let lower = |position, at| steepest(heights, shape, position, at, &ties);
        network.receive(width, &sea, &alive, lower)?;
        let ground = LakeTerrain { shape, heights, sea: &sea, open: true };
        ground.join(&mut network, &mut lakes, &alive)?;
        network.count_donors(&alive)?;
        area.fill(spacing * spacing);
        network.order(1.0, &mut area, &mut order, &mut pending, &alive)?;
        let heights = map.samples_mut();
        // Receivers come before donors, so that no sample is lowered below the one that it drains to.
        for &at in order.iter().rev() {
            let (at, to) = (at as usize, network.receivers[at as usize] as usize);
            let drop = heights[at] - heights[to];
            if drop > 0.0 {
                let power = law.erodibility * area[at].sqrt() * drop / spacing;
                heights[at] -= (power - law.threshold).clamp(0.0, drop);
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Domain::new(257, 257).with_spacing(10.0);
    let mut map = midpoint_displacement(&domain, Seed(7), &Midpoint::default(), &Silent)?;
    map.samples_mut().iter_mut().for_each(|height| *height *= 500.0);
    let before = metric::statistics(&map).mean;
    erode(&mut map, &Law { erodibility: 0.01, threshold: 0.05 }, 50)?;
    let after = metric::statistics(&map).mean;
    Ok(writeln!(std::io::stdout(), "mean height {before:.1} before, {after:.1} after 50 steps")?)
}
