//! Valleys wider than a tile.

use super::*;

#[test]
fn agrees_with_a_slow_implementation() {
    for (w, h) in [(40, 33), (1, 9), (3, 3)] {
        for (widths, boundary) in [(1.5, Boundary::Open), (2.0, Boundary::Wrap), (3.7, Boundary::Open)] {
            if boundary == Boundary::Wrap && w.min(h) < 3 {
                continue;
            }
            let map = hills(w, h, 3);
            let valley_width = Some(widths * map.spacing());
            for solver in [Solver::Explicit, Solver::Implicit] {
                for (passed_on, diagonals) in [(0.68, false), (1.0, true)] {
                    let p = Fluvial { valley_width, boundary, solver, passed_on, diagonals, ..parameters(3) };
                    agrees_with_slow(&map, &p);
                }
            }
        }
    }
}

/// However high the ground is, gorges cut no less than nothing.
#[test]
fn gorges_only_cut() {
    for offset in [0.0, 1.0e5] {
        let map = hills(60, 60, 2);
        let map = map.with_grid(map.grid().map(|&height| height + offset));
        let p = Fluvial { valley_width: Some(4.0 * map.spacing()), sea_level: offset, ..parameters(10) };
        let out = fluvial_erosion(&map, &p, Seed(1), &Silent, None).unwrap();
        assert!(out.gorges.samples().iter().all(|&cut| cut >= 0.0), "{offset}");
    }
}

/// A width of at most a tile is a tile.
#[test]
fn no_valley_is_narrower_than_a_tile() {
    let map = hills(40, 30, 6);
    let run = |valley_width: Option<f64>| {
        let p = Fluvial { valley_width, ..parameters(10) };
        fluvial_erosion(&map, &p, Seed(1), &Silent, None).unwrap()
    };
    let one = run(None);
    for samples in [0.0, 0.3, 1.0, f64::NAN] {
        assert_eq!(run(Some(samples * map.spacing())), one);
    }
    assert_ne!(run(Some(1.5 * map.spacing())).height, one.height);
}
