//! Maps that tile with themselves.

use super::*;

const METRICS: [Metric; 4] = [Metric::Euclidean, Metric::Squared, Metric::Manhattan, Metric::Chebyshev];

/// Square, nearly square, oblong in both directions, a line of samples, and sizes that no number of regions
/// divides.
const SIZES: [(usize, usize); 10] =
    [(64, 64), (64, 50), (50, 64), (64, 37), (37, 64), (96, 20), (20, 96), (61, 83), (64, 3), (5, 64)];

fn wrapping(metric: Metric, search: Search, regions: u32) -> Voronoi {
    Voronoi { wrap: true, search, regions, ..parameters(metric, vec![-1.0, 1.0], 1) }
}

/// Height and nearest identity of every sample from every point of the torus, or of the nine regions around
/// the sample.
fn slow(domain: &Domain, seed: Seed, p: &Voronoi) -> Vec<(f64, Option<f32>)> {
    let (w, h) = (domain.width() as f64, domain.height() as f64);
    let columns = i64::from(p.regions);
    let width = w / columns as f64;
    let rows = libm::round(h / width).max(1.0) as i64;
    let height = h / rows as f64;
    let unit = (width * height / f64::from(p.points_per_region)).sqrt();
    let points = Points::new(seed, &Regions::new(domain, p), p);
    let mut heights = Vec::new();
    for row in 0..domain.height() {
        for column in 0..domain.width() {
            let (x, y) = (column as f64, row as f64);
            let (rx, ry) = ((x / width).floor() as i64, (y / height).floor() as i64);
            let (xs, ys) = match p.search {
                Search::Near => (rx - 1..=rx + 1, ry - 1..=ry + 1),
                Search::Exact => (rx - 8..=rx + 8, ry - 12..=ry + 12),
            };
            let mut distances: Vec<(f64, f32)> = Vec::new();
            for (rx, ry) in ys.flat_map(|ry| xs.clone().map(move |rx| (rx, ry))) {
                distances.extend(points.of(rx, ry).map(|(px, py, id)| {
                    let (px, py) = ((rx as f64 + px) * width, (ry as f64 + py) * height);
                    (distance(p.metric, (x - px) / unit, (y - py) / unit), id)
                }));
            }
            distances.sort_by(|a, b| a.0.total_cmp(&b.0));
            let height = p.coefficients.iter().zip(&distances).map(|(c, d)| f64::from(*c) * d.0).sum();
            let clear = distances[1].0 - distances[0].0 > 1e-4 || distances[1].1 == distances[0].1;
            heights.push((height, clear.then_some(distances[0].1)));
        }
    }
    heights
}

#[test]
fn a_torus_of_any_size_agrees_with_looking_at_every_point() {
    for size in [(24, 24), (24, 19), (19, 24), (24, 31), (24, 3), (5, 24)] {
        for metric in METRICS {
            for search in [Search::Exact, Search::Near] {
                let p = wrapping(metric, search, 3);
                let domain = Domain::new(size.0, size.1);
                let cells = voronoi(&domain, Seed(11), &p, &Silent).unwrap();
                for (index, (height, id)) in slow(&domain, Seed(11), &p).into_iter().enumerate() {
                    let (got, cell) = (cells.height.samples()[index], cells.cells.samples()[index]);
                    // Long strips have heights of up to 10: a few units in the last place.
                    assert!((f64::from(got) - height).abs() < 2e-5 * height.abs().max(1.0), "{size:?} {p:?}");
                    assert!(id.is_none_or(|id| id == cell), "{size:?} {p:?}");
                }
            }
        }
    }
}

/// The maximum steps inside and across the seams, along x and along y.
fn steps(map: &Heightmap) -> [(f32, f32); 2] {
    let (w, h) = map.domain().size;
    let step = |a: (usize, usize), b: (usize, usize)| (map[a] - map[b]).abs();
    let most = |steps: &mut dyn Iterator<Item = f32>| steps.fold(0.0f32, f32::max);
    [
        (
            most(
                &mut (0..h).flat_map(|y| (1..w).map(move |x| (x, y))).map(|(x, y)| step((x, y), (x - 1, y))),
            ),
            most(&mut (0..h).map(|y| step((0, y), (w - 1, y)))),
        ),
        (
            most(
                &mut (1..h).flat_map(|y| (0..w).map(move |x| (x, y))).map(|(x, y)| step((x, y), (x, y - 1))),
            ),
            most(&mut (0..w).map(|x| step((x, 0), (x, h - 1)))),
        ),
    ]
}

#[test]
fn a_step_across_a_seam_is_a_step_inside() {
    for size in SIZES {
        for (metric, regions) in
            METRICS.into_iter().flat_map(|metric| [(metric, 1), (metric, 4), (metric, 7)])
        {
            let exact = wrapping(metric, Search::Exact, regions);
            let map = voronoi(&Domain::new(size.0, size.1), Seed(2), &exact, &Silent).unwrap().height;
            let width = size.0 as f32 / regions as f32;
            let rows = (size.1 as f32 / width).round().max(1.0);
            let unit = (width * size.1 as f32 / rows).sqrt();
            // F1 and F2 change by at most one sample per sample; their squares by at most 2·F2 + 1 samples,
            // as F2 is the larger.
            let second = Voronoi { coefficients: vec![0.0, 1.0], ..exact.clone() };
            let second = voronoi(&Domain::new(size.0, size.1), Seed(2), &second, &Silent).unwrap().height;
            let farthest = second.samples().iter().fold(0.0f32, |most, &d| most.max(d)).sqrt();
            let bound = match metric {
                Metric::Squared => 2.0 * (2.0 * farthest + 1.0 / unit) / unit,
                _ => 2.0 / unit,
            };
            for (inside, seam) in steps(&map) {
                assert!(
                    inside.max(seam) <= bound * 1.0001,
                    "{size:?} {exact:?}: {seam} across the seam, {inside} inside"
                );
            }
        }
    }
}

#[test]
fn a_flat_strip_visits_few_points() {
    let p = Voronoi { coefficients: vec![1.0; 8], ..wrapping(Metric::Euclidean, Search::Exact, 1) };
    let regions = Regions::new(&Domain::new(46_340, 1), &p);
    let points = Points::new(Seed(1), &regions, &p);
    assert!(points.candidates((0, 0), (0.0, 0.0), &p).len() <= 9 * 13);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// On a torus every order of the nearest is found, where several of them may be copies of one point.
    #[test]
    fn a_torus_of_few_regions_finds_every_order(
        w in 1usize..12, h in 1usize..12, regions in 1u32..4, per_region in 1u32..3, order in 1usize..=8,
        metric in 0usize..4,
    ) {
        let p = Voronoi {
            coefficients: (0..order).map(|i| 1.0 / (i + 1) as f32).collect(),
            points_per_region: per_region,
            ..wrapping(METRICS[metric], Search::Exact, regions)
        };
        let domain = Domain::new(w, h);
        let map = voronoi(&domain, Seed(3), &p, &Silent).unwrap().height;
        for (got, (height, _)) in map.samples().iter().zip(slow(&domain, Seed(3), &p)) {
            prop_assert!((f64::from(*got) - height).abs() < 2e-5 * height.abs().max(1.0), "{got} {height}");
        }
    }
}
