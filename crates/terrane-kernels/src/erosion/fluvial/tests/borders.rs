//! Water at the sides of a map.

use super::*;

fn implicit(iterations: u32) -> Fluvial<'static> {
    Fluvial { solver: Solver::Implicit, diagonals: true, ..parameters(iterations) }
}

#[test]
fn no_gorge_is_cut_where_all_water_leaves_over_the_border() {
    // Two valleys descend to the last row. Walls along that row turn them into basins.
    let map = Heightmap::from_fn(Domain::new(24, 20), |x, y| 40.0 - y as f32 + (x % 12).abs_diff(6) as f32);
    let gorges = |border| {
        let p = Fluvial { border, noise: 0.0, jitter: 0.0, ..implicit(5) };
        fluvial_erosion(&map, &p, Seed(3), &Silent, None).unwrap().gorges
    };
    let wall = Sides::all(Border::Wall);
    assert!(gorges(wall).samples().iter().any(|&cut| cut > 0.0));
    for border in
        [Sides::all(Border::Outflow), Sides { bottom: Border::Outflow, ..wall }, Sides::all(Border::Fixed)]
    {
        assert!(gorges(border).samples().iter().all(|&cut| cut == 0.0), "{border:?}");
    }
}

#[test]
fn a_bowl_drains_over_its_lowest_rim_only_with_an_outflow_border() {
    let bowl = Heightmap::from_fn(Domain::new(7, 7), |x, y| {
        let rim = 1.0 + x.abs_diff(3).max(y.abs_diff(3)) as f32;
        if (x, y) == (6, 2) { 3.5 } else { rim }
    });
    let p = Fluvial { gorge: 1.0, jitter: 0.0, noise: 0.0, erosion: ScalarMap::Constant(0.0), ..implicit(1) };
    let cut = |border| {
        let p = Fluvial {
            border: Sides::all(border),
            value_strength: ScalarMap::Constant(0.0),
            gradient_strength: ScalarMap::Constant(0.0),
            ..p
        };
        fluvial_erosion(&bowl, &p, Seed(3), &Silent, None).unwrap().height
    };
    assert_eq!(cut(Border::Wall), bowl);
    let out = cut(Border::Outflow);
    // The gorge is level from the middle to the lowest sample of the rim.
    assert_eq!([out[(3, 3)], out[(6, 2)]], [1.0, 1.0]);
    assert_eq!((out[(0, 0)], out[(6, 6)]), (bowl[(0, 0)], bowl[(6, 6)]));
}

#[test]
fn fixed_sides_and_outlets_keep_their_heights() {
    let map = hills(40, 30, 9);
    let mask = Heightmap::from_fn(map.domain(), |x, y| if (x, y) == (20, 15) { 1.0 } else { 0.5 });
    let border = Sides { left: Border::Fixed, ..Sides::all(Border::Wall) };
    let p = Fluvial { border, outlets: Some(&mask), noise: 0.3, ..implicit(20) };
    for solver in [Solver::Implicit, Solver::Explicit] {
        let out = fluvial_erosion(&map, &Fluvial { solver, ..p }, Seed(3), &Silent, None).unwrap();
        for y in 0..30 {
            assert_eq!(out.height[(0, y)].to_bits(), map[(0, y)].to_bits());
            assert_eq!(out.receivers[(0, y)], 0.0);
        }
        assert_eq!(out.height[(20, 15)].to_bits(), map[(20, 15)].to_bits());
        assert_eq!(out.receivers[(20, 15)], 0.0);
        assert!((0..30).any(|y| out.height[(39, y)] != map[(39, y)]));
    }
}

/// On real terrain with outflow borders, 300 iterations lower the lowest height by less than 2% of the
/// relief.
#[test]
fn outlets_do_not_sink_without_end() {
    for map in elevation_models() {
        let (low, high) = range(&map);
        let border = Sides::all(Border::Outflow);
        for erosion in [0.1, 0.5] {
            let erosion = ScalarMap::Constant(erosion);
            let p = Fluvial { border, erosion, sea_level: low - 1.0, ..implicit(300) };
            let out = fluvial_erosion(&map, &p, Seed(3), &Silent, None).unwrap().height;
            let lowest = range(&out).0;
            assert!(low - lowest < 0.02 * (high - low), "{low} {lowest} {high}");
        }
    }
}
