//! Level sites on roads of worlds: inside a patch, near a border, and across a border. Most patches contain
//! none.

use std::path::Path;

use terrane::Engine;
use terrane::EngineOptions;
use terrane::world::Mosaic;

use super::{load, missed};

/// The height of all sites.
const LEVEL: f32 = 20.0;

/// A road across the border of two patches, over ground from 0 to 40, and a site of height 20 around a
/// position.
fn write(folder: &Path, (x, y): (u32, u32), radius: u32) {
    let patch = format!(
        "Graph(size: (129, 129), seed: 3, nodes: {{
            \"ground\": Perlin(wavelength: 120, octaves: 7, amplitude: 40.0),
            \"graph\": PathGraph(nodes: [(8, 8), (30, 30)], edges: [(0, 1)]),
            \"site\": Ramp(shape: Radial, from: ({}, {y}), to: ({x}, {y})),
            \"level\": Constant(value: {LEVEL}),
            \"bounds\": SubdividePath(height: \"ground\", graph: \"graph\", width: 6.0, border: 8.0, \
            slope_gain: 0.3, borders: Shared, pinned: \"site\", pins: \"level\"),
            \"height\": RelaxPath(height: \"ground\", subdivision: \"bounds\", solver: Draft),
        }}, outputs: {{ \"height.tif\": \"height\" }})",
        x + 2 * radius
    );
    let world =
        "World(patch: \"patch.ron\", heights: (0, 40), nodes: [(40, 64), (220, 64)], edges: [(0, 1)])";
    std::fs::write(folder.join("patch.ron"), patch).unwrap();
    std::fs::write(folder.join("world.ron"), world).unwrap();
}

#[test]
fn roads_cross_borders_at_heights_that_sites_allow() {
    for (name, position, radius) in
        [("inside", (64, 64), 8), ("near", (110, 64), 6), ("beside", (120, 64), 6), ("across", (128, 64), 8)]
    {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), position, radius);
        let (world, engine) = (load(folder.path()), Engine::new(EngineOptions::default()).unwrap());
        let mut mosaic = Mosaic::new(world.tiling(), (0, 0), (1, 0));
        for patch in [(0, 0), (1, 0)] {
            let (missed, height) = missed(&world, &engine, patch);
            assert_eq!(missed, 0.0, "{name}, {patch:?}");
            mosaic.put(patch, height.grid()).unwrap_or_else(|seam| panic!("{name}: {seam}"));
        }
        let map = mosaic.finished().unwrap();
        assert_eq!(map[(position.0 as usize, position.1 as usize)], LEVEL, "{name}");
    }
}
