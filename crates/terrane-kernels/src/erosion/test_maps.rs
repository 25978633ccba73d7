//! Adversarial maps and real elevation models for tests of erosion.

use proptest::prelude::*;
use terrane_grid::{Domain, Grid, Heightmap, Seed};

/// Checkerboards, spikes, steps of 10⁶, plains, plateaus and noise, down to one sample.
pub fn adversarial() -> impl Strategy<Value = Heightmap> {
    (1usize..24, 1usize..24, 0u8..6, any::<u64>()).prop_map(|(w, h, kind, seed)| {
        let lattice = Seed(seed).lattice();
        Heightmap::from_fn(Domain::new(w, h), |x, y| match kind {
            0 => f32::from(u8::from((x + y) % 2 == 0)),
            1 => 1.0e6 * f32::from(u8::from((x, y) == (w / 2, h / 2))),
            2 if x < w / 2 => 1.0e6,
            2 => -1.0e6,
            3 => 1.0,
            4 => ((x / 4) % 2) as f32 * 5.0,
            _ => lattice.unit(x as i64, y as i64) * 100.0,
        })
    })
}

/// Corners of real elevation models, at most 257 x 257 samples each, with heights in metres: folded ridges, a
/// volcano, an alpine valley.
pub fn elevation_models() -> Vec<Heightmap> {
    let names = [("jacksboro_3s", 90.0), ("maungawhau_2m", 2.0), ("front_range_3s", 90.0)];
    let read = |(name, spacing)| {
        let path = format!("{}/../../graphs/data/{name}.tif", env!("CARGO_MANIFEST_DIR"));
        let all = terrane_io::read_heightmap(path.as_ref(), &terrane_io::ReadOptions::default()).unwrap().map;
        let (w, h) = (all.width().min(257), all.height().min(257));
        let domain = Domain::new(w, h).with_spacing(spacing);
        Heightmap::from_vec(domain, Grid::from_fn(w, h, |x, y| all[(x, y)]).into_vec())
    };
    names.into_iter().map(read).collect()
}

/// The map scaled to [0, 1] over a square of side 1, like Olsen's terrain.
pub fn normalised(map: &Heightmap) -> Heightmap {
    let (low, high) = range(map);
    let domain = map.domain().with_spacing(1.0 / map.width() as f64);
    Heightmap::from_fn(domain, |x, y| (map[(x, y)] - low) / (high - low))
}

/// The minimum and maximum height.
pub fn range(map: &Heightmap) -> (f32, f32) {
    map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)))
}
