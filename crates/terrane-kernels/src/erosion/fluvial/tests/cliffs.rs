//! Steep ground and hollows with the implicit solver: neither pits nor needles appear.

use super::*;

/// The node's defaults.
fn defaults(iterations: u32) -> Fluvial<'static> {
    Fluvial {
        solver: Solver::Implicit,
        erosion: ScalarMap::Constant(0.2),
        diagonals: true,
        jitter: 0.5,
        noise: 0.0,
        unevenness: 0.1,
        held_slope: Some(0.3),
        border: Sides::all(Border::Outflow),
        ..parameters(iterations)
    }
}

fn eroded(map: &Heightmap, p: &Fluvial<'_>, seed: u64) -> Heightmap {
    fluvial_erosion(map, p, Seed(seed), &Silent, None).unwrap().height
}

/// The largest height by which a sample rises above all its neighbours, and the largest depth by which a
/// sample lies below all its neighbours, in spacings.
fn needles_and_pits(map: &Heightmap) -> (f32, f32) {
    let (width, height) = map.domain().size;
    let (mut needle, mut pit) = (0.0f32, 0.0f32);
    for (y, x) in (1..height - 1).flat_map(|y| (1..width - 1).map(move |x| (y, x))) {
        let around = DIRECTIONS[1..]
            .iter()
            .map(|&(dx, dy)| map[(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy))]);
        let (low, high) = around.fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)));
        needle = needle.max((map[(x, y)] - high) / map.spacing() as f32);
        pit = pit.max((low - map[(x, y)]) / map.spacing() as f32);
    }
    (needle, pit)
}

#[test]
fn a_mesa_gets_slopes_without_needles_or_a_moat() {
    for seed in 0..20 {
        let map = Heightmap::from_fn(Domain::new(90, 80).with_spacing(2.0), |x, y| {
            let far = libm::hypotf(x as f32 - 45.0, y as f32 - 40.0);
            if far < 25.0 { 65.0 } else { 5.0 }
        });
        let out = eroded(&map, &defaults(60), seed);
        let (needle, pit) = needles_and_pits(&out);
        assert!(needle < 2.0 && pit < 0.3, "{seed}: needle {needle}, pit {pit}");
        assert!(range(&out).0 >= 0.0, "{seed}: {}", range(&out).0);
    }
}

/// Without a limit, constraints would pull a hollow down, then the ground around it, then the hollow again.
#[test]
fn hollows_do_not_sink() {
    for seed in 0..20 {
        let map = hills(40, 33, seed);
        let p = Fluvial {
            sea_level: -1.0e6,
            unevenness: 0.0,
            value_strength: ScalarMap::Constant(0.0),
            ..defaults(200)
        };
        for border in [Border::Wall, Border::Outflow] {
            let p = Fluvial { border: Sides::all(border), gorge: 0.0, ..p };
            let (before, after) = (range(&map).0, range(&eroded(&map, &p, seed)).0);
            // Heights may differ by rounding.
            assert!(after >= before - 1e-5, "{seed} {border:?}: {before} {after}");
        }
    }
}

#[test]
fn the_sea_floor_is_not_lowered_and_no_land_drowns() {
    for seed in 0..20 {
        let map = hills(40, 33, seed);
        let out = eroded(&map, &defaults(50), seed);
        for (before, after) in map.samples().iter().zip(out.samples()) {
            assert!(if *before < 0.0 { after >= before } else { *after >= 0.0 }, "{seed}: {before} {after}");
        }
    }
}

#[test]
fn fixed_borders_keep_their_heights_with_any_ideal() {
    let map = hills(40, 33, 4);
    let ideal = Heightmap::constant(map.domain(), 5000.0);
    let p = Fluvial { ideal: Some(&ideal), border: Sides::all(Border::Fixed), ..defaults(10) };
    let out = eroded(&map, &p, 1);
    for x in 0..40 {
        assert_eq!(out[(x, 0)].to_bits(), map[(x, 0)].to_bits());
    }
}
