//! What the pages of nodes state, at the nodes' defaults, on many grounds.

mod edge_feature;
mod fluvial;
mod hydraulic;
mod noise;
mod olsen;
mod relief;
mod scale;
mod thermal;
mod uplift;

use std::sync::Arc;

use terrane::kernels::Boundary;
use terrane::kernels::metric::erosion_score;
use terrane::values::Map;
use terrane_tests::{root, run, value};

/// Samples along each side of a ground.
const SIDE: usize = 65;

/// A ground: the text of a node, and its spacing.
#[derive(Clone, Debug)]
struct Ground {
    name: String,
    node: String,
    spacing: f64,
}

/// Twenty random grounds: hills, ridges, rough mountains, cells and gentle hills partly under the sea, each
/// with four seeds.
fn random() -> Vec<Ground> {
    let kinds = [
        ("hills", "Perlin(wavelength: 150.0, amplitude: 120.0, "),
        ("ridges", "Perlin(fractal: Ridged, wavelength: 200.0, amplitude: 120.0, "),
        ("rough", "MidpointDisplacement(amplitude: 120.0, "),
        ("cells", "Voronoi(regions: 4, amplitude: 80.0, "),
        ("coast", "PolynomialNoise(wavelength: 120.0, amplitude: 30.0, offset: -12.0, "),
    ];
    let ground = |seed: usize, (name, node): (&str, &str)| Ground {
        name: format!("{name} {seed}"),
        node: format!("{node}seed: {seed})"),
        spacing: 4.0,
    };
    (0..4).flat_map(|seed| kinds.map(|kind| ground(seed, kind))).collect()
}

/// Four elevation models of mountains, folded ridges and a volcano, reduced to the size of the other grounds.
fn models() -> Vec<Ground> {
    let models = [
        ("bigtujunga_30m", 120.0),
        ("jacksboro_3s", 360.0),
        ("front_range_3s", 360.0),
        ("maungawhau_2m", 4.0),
    ];
    let folder = root().join("graphs/data");
    let ground = |(name, spacing): (&str, f64)| Ground {
        name: name.to_owned(),
        node: format!("Import(file: \"{}\")", folder.join(format!("{name}.tif")).display()),
        spacing,
    };
    models.map(ground).into()
}

/// All grounds.
fn grounds() -> Vec<Ground> {
    random().into_iter().chain(models()).collect()
}

/// The ground `"g"` and maps of ports, such as `"n.height"`, of a graph's nodes.
fn maps(ground: &Ground, nodes: &str, ports: &[&str]) -> (Arc<Map>, Vec<Arc<Map>>) {
    let Ground { node, spacing, .. } = ground;
    let text = format!(
        "Graph(size: ({SIDE}, {SIDE}), spacing: {spacing:?}, seed: 5, nodes: {{ \"g\": {node}, {nodes} }})"
    );
    let wanted: Vec<&str> = std::iter::once("g").chain(ports.iter().copied()).collect();
    let out = run(&text, &wanted);
    (value(&out, 0), (0..ports.len()).map(|at| value(&out, at + 1)).collect())
}

/// The ground, and the first output of a node on it.
fn eroded(ground: &Ground, node: &str) -> [Arc<Map>; 2] {
    let (before, mut after) = maps(ground, &format!("\"n\": {node}"), &["n"]);
    [before, after.remove(0)]
}

fn score(map: &Map) -> f64 {
    erosion_score(&map.0, Boundary::Open).score
}

/// The sum of heights.
fn mass(map: &Map) -> f64 {
    map.samples().iter().map(|&height| f64::from(height)).sum()
}

/// How much the sum of heights may change by rounding: in each iteration every sample is rounded up to nine
/// times, by at most half a unit in the last place.
fn rounding(map: &Map, iterations: u32) -> f64 {
    let size: f64 = map.samples().iter().map(|&height| f64::from(height).abs()).sum();
    f64::from(iterations) * 4.5 * f64::from(f32::EPSILON) * size
}

/// The root mean square of the differences between two maps.
fn rms(a: &Map, b: &Map) -> f64 {
    let sum: f64 =
        a.samples().iter().zip(b.samples()).map(|(a, b)| f64::from(a - b) * f64::from(a - b)).sum();
    (sum / a.samples().len() as f64).sqrt()
}

/// The minimum and maximum height.
fn range(map: &Map) -> (f32, f32) {
    map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)))
}

/// How far a sample stands above the highest of its neighbours at these offsets, and below the lowest.
fn prominence(map: &Map, (x, y): (usize, usize), offsets: &[(isize, isize)]) -> (f32, f32) {
    let (width, height) = map.domain().size;
    let around = offsets.iter().filter_map(|&(dx, dy)| {
        let at = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (at.0 < width && at.1 < height).then(|| map[at])
    });
    let (low, high) = around.fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)));
    (map[(x, y)] - high, low - map[(x, y)])
}

const AXES: [(isize, isize); 4] = [(0, -1), (-1, 0), (1, 0), (0, 1)];

const AROUND: [(isize, isize); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// All samples of a ground.
fn samples() -> impl Iterator<Item = (usize, usize)> {
    (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y)))
}
