//! Maps that erosion must survive.

use proptest::prelude::*;
use terrane_grid::{Domain, Heightmap, Seed};

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
