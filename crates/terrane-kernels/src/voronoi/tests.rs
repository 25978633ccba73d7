use proptest::prelude::*;

use super::*;
use crate::Silent;

fn parameters(metric: Metric, coefficients: Vec<f32>, points_per_region: u32) -> Voronoi {
    Voronoi {
        regions: 4,
        side: None,
        points_per_region,
        coefficients,
        metric,
        search: Search::Exact,
        wrap: false,
        rescale: Rescale::World,
    }
}

fn distance(metric: Metric, dx: f64, dy: f64) -> f64 {
    match metric {
        Metric::Euclidean => (dx * dx + dy * dy).sqrt(),
        Metric::Squared => dx * dx + dy * dy,
        Metric::Manhattan => dx.abs() + dy.abs(),
        Metric::Chebyshev => dx.abs().max(dy.abs()),
    }
}

/// Compares with all distances to all points of a wide neighbourhood, sorted.
#[test]
fn exact_agrees_with_looking_at_every_point() {
    for metric in [Metric::Euclidean, Metric::Squared, Metric::Manhattan, Metric::Chebyshev] {
        for (order, per_region) in [(1, 1), (2, 1), (4, 1), (3, 2), (4, 4)] {
            let coefficients: Vec<f32> = (0..order).map(|i| if i % 2 == 0 { -1.0 } else { 1.5 }).collect();
            let p = parameters(metric, coefficients.clone(), per_region);
            let domain = Domain::new(41, 37).with_origin(-20.0, 60.0);
            let cells = voronoi(&domain, Seed(4), &p, &Silent).unwrap();
            let side = 10.0;
            let density = f64::from(per_region).sqrt();
            let scale = if metric == Metric::Squared { density * density } else { density };
            let points = Points::new(Seed(4), &Regions::new(&domain, &p), &p);
            let mut every = Vec::new();
            for ry in -8..16 {
                for rx in -12..12 {
                    for c in points.of(rx, ry) {
                        every.push(((rx as f64 + c.0) * side, (ry as f64 + c.1) * side, c.2));
                    }
                }
            }
            for row in (0..37).step_by(3) {
                for column in 0..41 {
                    let (x, y) = (domain.x(column), domain.y(row));
                    let mut distances: Vec<(f64, f32)> = every
                        .iter()
                        .map(|&(px, py, id)| (distance(metric, (x - px) / side, (y - py) / side), id))
                        .collect();
                    distances.sort_by(|a, b| a.0.total_cmp(&b.0));
                    let expected: f64 =
                        coefficients.iter().zip(&distances).map(|(c, d)| f64::from(*c) * d.0 * scale).sum();
                    let got = f64::from(cells.height[(column, row)]);
                    assert!(
                        (got - expected).abs() < 2e-5,
                        "{metric:?} {order} {per_region}: {got} {expected}"
                    );
                    if distances[1].0 - distances[0].0 > 1e-5 {
                        assert_eq!(cells.cells[(column, row)], distances[0].1);
                    }
                }
            }
        }
    }
}

#[test]
fn the_border_between_cells_is_at_zero() {
    let p = parameters(Metric::Euclidean, vec![-1.0, 1.0], 1);
    let map = voronoi(&Domain::new(200, 200), Seed(1), &p, &Silent).unwrap();
    for row in 0..200 {
        for column in 1..200 {
            if map.cells[(column, row)] != map.cells[(column - 1, row)] {
                // At most half a sample from the border, and F2 − F1 grows by at most 2 per unit: 2 ·
                // 4/199.
                assert!(map.height[(column, row)] < 0.041, "{}", map.height[(column, row)]);
            }
        }
    }
    assert!(map.height.samples().iter().all(|&h| h >= 0.0));
}

#[test]
fn neighbouring_patches_share_their_border_to_the_bit() {
    for origin in [(0.0, 0.0), (-300.0, 700.0), (1.0e7, -1.0e7)] {
        let p = parameters(Metric::Euclidean, vec![-1.0, 1.0], 2);
        let here = Domain::new(101, 101).with_origin(origin.0, origin.1);
        let east = here.with_origin(here.x(100), origin.1);
        let a = voronoi(&here, Seed(8), &p, &Silent).unwrap();
        let b = voronoi(&east, Seed(8), &p, &Silent).unwrap();
        for row in 0..101 {
            assert_eq!(a.height[(100, row)].to_bits(), b.height[(0, row)].to_bits());
            assert_eq!(a.cells[(100, row)], b.cells[(0, row)]);
        }
    }
}

#[test]
fn near_differs_from_exact_rarely() {
    let exact = parameters(Metric::Euclidean, vec![-1.0, 1.0], 1);
    let near = Voronoi { search: Search::Near, ..exact.clone() };
    let domain = Domain::new(256, 256);
    let exact = Voronoi { regions: 16, ..exact };
    let near = Voronoi { regions: 16, ..near };
    let (a, b) = (
        voronoi(&domain, Seed(3), &exact, &Silent).unwrap(),
        voronoi(&domain, Seed(3), &near, &Silent).unwrap(),
    );
    let differ = a.height.samples().iter().zip(b.height.samples()).filter(|(a, b)| a != b).count();
    assert!(differ < 256 * 256 / 50, "{differ}");
}

#[test]
fn rescaling_to_the_map_fills_the_unit_interval() {
    let p = Voronoi { rescale: Rescale::Map, ..parameters(Metric::Squared, vec![-1.0, 1.0], 1) };
    let map = voronoi(&Domain::new(64, 64), Seed(2), &p, &Silent).unwrap().height;
    let (low, high) = map.samples().iter().fold((1.0f32, 0.0f32), |(l, h), &v| (l.min(v), h.max(v)));
    assert_eq!((low, high), (0.0, 1.0));
}

mod wrap;

proptest! {
    #[test]
    fn any_size_and_any_threads(w in 1usize..50, h in 1usize..50, regions in 1u32..9, wrap: bool) {
        let p = Voronoi { regions, wrap, ..parameters(Metric::Euclidean, vec![-1.0, 1.0], 1) };
        let run = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
            .install(|| voronoi(&Domain::new(w, h), Seed(7), &p, &Silent).unwrap());
        let map = run(1);
        prop_assert!(map.height.samples().iter().all(|v| v.is_finite() && *v >= 0.0));
        prop_assert_eq!(map, run(3));
    }
}
