//! Erosion of ground from which all water leaves.

use super::*;
use crate::erosion::test_maps::{elevation_models, range};

/// The defaults, with `drain`.
fn draining(iterations: u32) -> Fluvial<'static> {
    Fluvial { drain: true, iterations, ..Fluvial::default() }
}

/// Hills 60 samples wide, a third of which lies in hollows.
fn closed_hills(seed: u64) -> Heightmap {
    let map = hills(60, 60, seed);
    map.with_grid(Grid::from_vec(60, 60, map.samples().iter().map(|height| 4.0 * height).collect()))
}

#[test]
fn all_water_leaves_random_and_real_ground() {
    let mut maps: Vec<Heightmap> = (0..20).map(closed_hills).collect();
    maps.extend(elevation_models());
    let (mut before, count) = (0.0, maps.len());
    for (index, map) in maps.iter().enumerate() {
        let kept = fluvial_erosion(map, &Fluvial { drain: false, ..draining(5) }, Seed(4), &Silent, None);
        before += kept.unwrap().hollows.share / count as f64;
        for p in [
            draining(15),
            Fluvial { sea_level: range(map).0 + 1.0, talus: Some(ScalarMap::Constant(0.8)), ..draining(4) },
        ] {
            let out = fluvial_erosion(map, &p, Seed(4), &Silent, None).unwrap();
            assert_eq!(out.hollows, InHollows::default(), "{index}");
            let shape = Shape { width: map.width(), height: map.height(), wrap: false };
            for (at, &direction) in out.receivers.samples().iter().enumerate() {
                let leaves = out.height.samples()[at] < p.sea_level || shape.on_border(shape.position(at));
                assert!(direction != 0.0 || leaves, "{index}: {at}");
            }
        }
    }
    assert!(before > 0.1, "{before}");
}

#[test]
fn stages_with_drain_equal_one_erosion() {
    let talus = Some(ScalarMap::Constant(0.3));
    let (rough, width) = (Some(ScalarMap::Constant(0.05)), Some(3.0 * closed_hills(1).spacing()));
    for (seed, border, talus, valley_width) in [
        (1, Border::Outflow, None, None),
        (2, Border::Fixed, None, None),
        (3, Border::Fixed, talus, None),
        (4, Border::Outflow, talus, None),
        (5, Border::Fixed, rough, None),
        (2, Border::Fixed, None, width),
        (4, Border::Outflow, talus, width),
    ] {
        let map = closed_hills(seed);
        let p = Fluvial { border: Sides::all(border), talus, valley_width, ..draining(20) };
        let whole = fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap();
        assert_eq!(whole.hollows, InHollows::default(), "{border:?}");
        let half = Fluvial { iterations: 10, ..p };
        let first = fluvial_erosion(&map, &half, Seed(4), &Silent, None).unwrap();
        let second = Fluvial { ideal: Some(&map), hold: ScalarMap::Map(&first.hold), ..half };
        let second = fluvial_erosion(&first.height, &second, Seed(4), &Silent, None).unwrap();
        assert_eq!((second.height, second.hold), (whole.height, whole.hold), "{border:?}");
    }
}

#[test]
fn fixed_borders_and_outlets_keep_their_heights() {
    let map = closed_hills(3);
    let mask = Heightmap::from_fn(map.domain(), |x, y| if (x, y) == (30, 30) { 1.0 } else { 0.0 });
    let p = Fluvial { border: Sides::all(Border::Fixed), outlets: Some(&mask), ..draining(10) };
    let out = fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap();
    let shape = Shape { width: 60, height: 60, wrap: false };
    for at in (0..3600).filter(|&at| shape.on_border(shape.position(at)) || at == 30 * 60 + 30) {
        assert_eq!(out.height.samples()[at], map.samples()[at]);
    }
    assert_eq!(out.hollows.share, 0.0);
}

/// Without `drain`, erosion raises no sample above the ideal ground.
#[test]
fn nothing_is_raised_without_drain() {
    let map = closed_hills(5);
    let p = Fluvial { drain: false, unevenness: 0.0, ..draining(30) };
    let out = fluvial_erosion(&map, &p, Seed(4), &Silent, None).unwrap();
    let raised = out.height.samples().iter().zip(map.samples()).map(|(new, old)| new - old);
    let most = raised.fold(0.0, f32::max);
    assert!(most <= 1e-4, "{most}");
}
