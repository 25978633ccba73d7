//! Calls the techniques directly, without a graph, as a game does during a loading screen.
//!
//! `cargo run -p terrane-examples --bin game`

use std::io::Write;

use terrane_grid::{Domain, Seed};
use terrane_kernels::displacement::{Boundary, Midpoint, midpoint_displacement};
use terrane_kernels::erosion::{Scheme, Thermal, thermal_erosion};
use terrane_kernels::shade::terrain_mesh;
use terrane_kernels::{Silent, metric};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Domain::new(257, 257).with_spacing(2.0);
    let hills = Midpoint { smoothed: true, boundary: Boundary::Seamless, lattice: 5, ..Midpoint::default() };
    let mut height = midpoint_displacement(&domain, Seed(7), &hills, &Silent)?;
    height.samples_mut().iter_mut().for_each(|h| *h *= 120.0);
    let thermal = Thermal { talus: 0.7.into(), scheme: Scheme::Fast, ..Thermal::default() };
    let eroded = thermal_erosion(&height, &thermal, &Silent, None)?;
    let mesh = terrain_mesh(&eroded, 2, 1.0)?;
    let s = metric::statistics(&eroded);
    writeln!(std::io::stdout(), "{} triangles, heights {:.1} to {:.1}", mesh.triangles.len(), s.min, s.max)?;
    Ok(())
}
