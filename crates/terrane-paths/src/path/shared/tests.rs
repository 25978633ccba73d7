use terrane_grid::{Domain, PlanarGraph, Seed, Tiling};

use super::super::{Anchor, Borders, Costs, Details, Search, Surround, subdivide};
use super::*;
use crate::Silent;

const GENTLE: [f64; 3] = [0.02, 0.05, 0.02];

fn tiling() -> Tiling {
    Tiling::new(&Domain::new(33, 33).with_spacing(0.7)).unwrap()
}

/// Rough ground that depends only on the world's samples.
fn ground(domain: Domain) -> Heightmap {
    let lattice = Seed(5).lattice();
    let first = |origin: f64| (origin / domain.spacing).round() as i64;
    let (left, top) = (first(domain.origin.0), first(domain.origin.1));
    Heightmap::from_fn(domain, |x, y| {
        let (x, y) = (left + x as i64, top + y as i64);
        lattice.unit(x.div_euclid(4), y.div_euclid(4)) + 0.1 * lattice.unit(x, y)
    })
}

/// One edge through the region of a corner, one along a border, one across a border.
fn paths() -> PlanarGraph {
    let side = 32.0 * tiling().spacing;
    PlanarGraph {
        nodes: vec![
            (3.0, 5.0),
            (side + 12.0, side + 9.0),
            (side - 2.0, 2.0),
            (side + 1.0, 14.0),
            (-6.0, 16.0),
            (6.0, 17.0),
        ],
        edges: vec![(0, 1), (2, 3), (4, 5)],
    }
}

fn bounds(patch: (i64, i64), anchors: &[Anchor], turned: bool) -> (Heightmap, Subdivision) {
    let map = ground(tiling().domain(patch));
    let mut graph = paths();
    if turned {
        graph.edges.iter_mut().for_each(|(a, b)| std::mem::swap(a, b));
    }
    let parameters = Subdivide {
        search: Search::by(Costs::Thesis { alpha: 10_000.0, beta: 1.8 }),
        width: 2.0,
        node_width: 4.0,
        border: 3.0,
        max_slope: 0.5,
        edge_slopes: &GENTLE,
        slope_gain: 0.05,
        surround: Surround::Directional,
        borders: Borders::Shared,
        anchors,
        details: Details::default(),
    };
    let found = subdivide(&map, &graph, &parameters, &Silent).unwrap();
    (map, found)
}

/// Heights and bounds along one side of a patch.
fn side(found: &Subdivision, at: impl Fn(usize) -> usize) -> Vec<[u32; 3]> {
    let bits = |at: usize| [found.given[at], found.slope[at], found.directional[at]].map(f32::to_bits);
    (0..33).map(|along| bits(at(along))).collect()
}

#[test]
fn neighbours_agree_to_the_bit() {
    let anchors = [
        Anchor { place: (32.0 * tiling().spacing, 20.0), height: 0.4, slope: 0.02 },
        Anchor { place: paths().nodes[2], height: 0.7, slope: 0.05 },
    ];
    for (i, j) in [(0, 0), (-1, 0), (0, 1), (1, 1), (0, -1)] {
        let (_, here) = bounds((i, j), &anchors, false);
        let (_, east) = bounds((i + 1, j), &anchors, true);
        let (_, south) = bounds((i, j + 1), &anchors, true);
        assert_eq!(side(&here, |y| y * 33 + 32), side(&east, |y| y * 33));
        assert_eq!(side(&here, |x| 32 * 33 + x), side(&south, |x| x));
    }
    let (_, busy) = bounds((0, 0), &anchors, false);
    assert!(side(&busy, |y| y * 33 + 32).iter().any(|sample| f32::from_bits(sample[1]).is_finite()));
}

/// The minimum bound of a sample of the first column and its neighbours on the patch.
fn bound_at(found: &Subdivision, at: usize) -> f64 {
    let near = (-1..=1isize).flat_map(|dy| (0..=1isize).map(move |dx| dy * 33 + dx));
    let bounds = near.filter_map(|by| at.checked_add_signed(by)).filter(|&at| at < 33 * 33);
    bounds.map(|at| f64::from(found.slope[at].min(found.directional[at]))).fold(f64::INFINITY, f64::min)
}

#[test]
fn borders_respect_bounds_and_are_unchanged_elsewhere() {
    let (map, found) = bounds((0, 0), &[], false);
    let spacing = f64::from(map.spacing() as f32);
    let mut changed = 0;
    for at in (0..33usize).map(|y| y * 33) {
        let is_free = |at: usize| bound_at(&found, at).is_infinite();
        let near_free = [at.checked_sub(33), Some(at), (at + 33 < 33 * 33).then_some(at + 33)];
        // Farther away the changes fade out.
        let reach = 8;
        let far = (at / 33).saturating_sub(reach)..=(at / 33 + reach).min(32);
        let is_far = near_free.into_iter().flatten().all(is_free) && far.clone().all(|y| is_free(y * 33));
        if is_far {
            assert_eq!(found.given[at], map.samples()[at]);
        }
        changed += u32::from(found.given[at] != map.samples()[at]);
        if at + 33 < 33 * 33 {
            let next = at + 33;
            let rise = f64::from(found.given[next] - found.given[at]).abs();
            let most = BOUND_SHARE * bound_at(&found, at).min(bound_at(&found, next)) * spacing;
            assert!(rise <= most + 1e-6, "{rise} {most}");
        }
    }
    assert!(changed > 5);
    let inside = found.given[16 * 33 + 16];
    assert!(inside.is_nan());
}

/// Anchors' heights are reached where paths cross the border.
#[test]
fn anchors_are_reached() {
    let row = 24;
    let place = (0.0, f64::from(row) * tiling().spacing);
    for height in [-2.0, 0.3, 3.0] {
        let (_, found) = bounds((0, 0), &[Anchor { place, height, slope: 0.02 }], false);
        assert_eq!(found.given[row as usize * 33], height as f32);
    }
}

#[test]
fn near_the_border_routes_are_straight() {
    let (_, found) = bounds((0, 0), &[], false);
    let ends = paths().ends(0).unwrap();
    let spacing = tiling().spacing;
    let station = |(x, y): (f64, f64)| ((x / spacing).round() as i64, (y / spacing).round() as i64);
    let all = super::super::Frame { low: (0, 0), high: (32, 32) };
    let line = super::super::straight(station(ends.0), station(ends.1), all);
    // Reach: 4 / 2 + 3 units, 7 samples of 0.7; and one more.
    let band = |&(x, y): &Place| x.min(y).min(32 - x).min(32 - y) <= 8;
    let route: Vec<Place> =
        found.paths[0].iter().map(|&at| (i64::from(at) % 33, i64::from(at) / 33)).collect();
    let near: Vec<Place> = line.into_iter().filter(band).collect();
    assert!(near.iter().all(|place| route.contains(place)));
    assert_eq!(route.iter().filter(|place| band(place)).count(), near.len());
    let touching =
        route.windows(2).all(|pair| pair[0].0.abs_diff(pair[1].0) <= 1 && pair[0].1.abs_diff(pair[1].1) <= 1);
    assert!(touching);
}

/// Wanted heights within their bounds do not change, and a hill is cut as much as its foot is filled.
#[test]
fn along_by_hand() {
    let free = vec![HeightRange::ANY; 5];
    assert_eq!(
        along(&[0.0, 0.0, 3.0, 3.0, 9.0], &[1.0, 1.0, 1.0, 1.0, f64::INFINITY], free.clone(), 1.0),
        [2.5, 3.0, 4.0, 5.0, 6.0]
    );
    assert_eq!(
        along(&[0.0, 7.0, 3.0, 3.0, 9.0], &[f64::INFINITY; 5], free.clone(), 1.0),
        [0.0, 7.0, 3.0, 3.0, 9.0]
    );
    let mut ranges = free;
    ranges[0] = HeightRange::around(0.0, 0.0);
    assert_eq!(along(&[5.0; 5], &[0.5; 5], ranges, 1.0), [0.0, 0.5, 1.0, 1.5, 2.0]);
}
