//! Calls the techniques directly, without a graph, as a game does during a loading screen.
//!
//! `cargo run -p terrane-examples --bin game`

use std::io::Write;

use terrane_grid::{Domain, Seed};
use terrane_kernels::displacement::{Boundary, Distribution, Midpoint, midpoint_displacement};
use terrane_kernels::erosion::{Distance, Neighbourhood, Scheme, Thermal, thermal_erosion};
use terrane_kernels::shade::terrain_mesh;
use terrane_kernels::{ScalarMap, Silent, metric};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let domain = Domain::new(257, 257).with_spacing(2.0);
    let hills = Midpoint {
        roughness: ScalarMap::Constant(1.0),
        persistence: 0.5,
        distribution: Distribution::Uniform,
        smoothed: true,
        boundary: Boundary::Seamless,
        lattice: 5,
    };
    let mut height = midpoint_displacement(&domain, Seed(7), &hills, &Silent)?;
    height.samples_mut().iter_mut().for_each(|h| *h *= 120.0);
    let thermal = Thermal {
        talus: ScalarMap::Constant(0.7),
        distance: Distance::True,
        iterations: 40,
        scheme: Scheme::Fast,
        fraction: 0.5,
        neighbourhood: Neighbourhood::Rotated,
        boundary: terrane_kernels::Boundary::Open,
    };
    let eroded = thermal_erosion(&height, &thermal, &Silent, None)?;
    let mesh = terrain_mesh(&eroded, 2, 1.0)?;
    let s = metric::statistics(&eroded);
    writeln!(std::io::stdout(), "{} triangles, heights {:.1} to {:.1}", mesh.triangles.len(), s.min, s.max)?;
    Ok(())
}
