//! The defaults of kernels give the same terrain as those of nodes.

use terrane_grid::{Domain, Heightmap, Seed};
use terrane_kernels::displacement::{Heights, Midpoint, displacement_through};
use terrane_kernels::erosion::{
    Fluvial, Hydraulic, Olsen, Thermal, Uplift, fluvial_erosion, hydraulic_erosion, olsen_erosion,
    thermal_erosion, uplift_erosion,
};
use terrane_kernels::hydrology::{Draining, drainage};
use terrane_kernels::noise::{Drive, Noise, Spectral, spectral_synthesis};
use terrane_kernels::shape::{Transform, transform};
use terrane_kernels::voronoi::{Voronoi, voronoi};
use terrane_kernels::{Cancelled, Silent};

use crate::testing::Run;
use crate::values::Map;

fn of_node(node: &str) -> Heightmap {
    let nodes = format!("\"hills\": Perlin(amplitude: 40.0), \"node\": {node}");
    Run::of_nodes(&nodes, "\"node.npy\": \"node\"").unwrap().value::<Map>(0).0
}

#[test]
fn defaults_of_kernels_are_those_of_nodes() -> Result<(), Cancelled> {
    let domain = Domain::new(33, 33).with_spacing(2.0).with_origin(-8.0, 4.0);
    let (seed, hills) = (Seed(0).mixed(0), of_node("Perlin(amplitude: 40.0)"));
    let cases = [
        ("Perlin()", Noise::default().heights(&domain, seed, &Drive::default(), &Silent).unwrap()),
        ("SpectralSynthesis()", spectral_synthesis(&domain, seed, &Spectral::default(), &Silent)?),
        ("Voronoi()", voronoi(&domain, seed, &Voronoi::default(), &Silent)?.height),
        (
            "MidpointDisplacement()",
            displacement_through(&domain, seed, &Midpoint::default(), &Heights::default(), &Silent).unwrap(),
        ),
        (
            "ThermalErosion(height: \"hills\", talus: 1.0)",
            thermal_erosion(&hills, &Thermal::default(), &Silent, None)?,
        ),
        (
            "HydraulicErosion(height: \"hills\", rain: 0.01)",
            hydraulic_erosion(&hills, &Hydraulic::default(), &Silent, None)?.height,
        ),
        (
            "OlsenErosion(height: \"hills\", talus: 1.0)",
            olsen_erosion(&hills, &Olsen::default(), &Silent, None)?,
        ),
        (
            "FluvialErosion(height: \"hills\")",
            fluvial_erosion(&hills, &Fluvial::default(), seed, &Silent, None)?.height,
        ),
        (
            "UpliftErosion(height: \"hills\", uplift: 0.0005, iterations: 150, time_step: 250000.0)",
            uplift_erosion(&domain, Some((&hills).into()), &Uplift::default(), seed, &Silent, None)?.height,
        ),
        ("Drainage(height: \"hills\")", drainage(&hills, &Draining::default(), &Silent)?.area),
        ("Transform(height: \"hills\")", transform(&hills, &Transform::default())),
    ];
    for (node, expected) in cases {
        assert!(of_node(node).samples() == expected.samples(), "{node}");
    }
    Ok(())
}
