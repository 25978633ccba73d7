//! Tests of the ranges on the pages of noise nodes, and of what their parameters do.

use terrane_flow::{Cancel, Context, Node, Reach, ScalarInput};
use terrane_grid::Domain;

use super::*;
use crate::terrain::Terrain;
use crate::values::Map;

/// The node's first output over a window.
pub fn height(mut node: Box<dyn Node>, domain: Domain, seed: u64) -> Map {
    let (cancel, terrain) = (Cancel::new(), Terrain::new(domain));
    let cx = Context::new(&terrain, seed, &cancel, &|_| {}, &|_| {}).with_asked(1);
    node.run(&cx).unwrap()[0].get::<Map>().unwrap().clone()
}

fn ends(map: &Map) -> (f32, f32) {
    map.samples().iter().fold((f32::MAX, f32::MIN), |(low, high), &h| (low.min(h), high.max(h)))
}

/// A row of a page's table: for each node, the lowest and the highest sample of a map of 513 x 513 samples
/// over eight wavelengths, as means over 20 seeds, and in brackets the extremes of all 20 maps.
fn row(label: &str, nodes: &[Box<dyn Node>]) -> String {
    const SEEDS: u64 = 20;
    let domain = Domain::new(513, 513).with_spacing(4.0);
    let cells = nodes.iter().map(|node| {
        let maps: Vec<(f32, f32)> =
            (0..SEEDS).map(|seed| ends(&height(node.clone(), domain, seed))).collect();
        let (low, high) = maps.iter().fold((f32::MAX, f32::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        let sums = maps.iter().fold((0.0, 0.0), |a, b| (a.0 + f64::from(b.0), a.1 + f64::from(b.1)));
        let (lowest, highest) = (sums.0 / SEEDS as f64, sums.1 / SEEDS as f64);
        format!(" {lowest:.2} to {highest:.2} ({low:.2} to {high:.2}) |")
    });
    format!("| {label} |{}", cells.collect::<String>())
}

const FRACTALS: [Fractal; 4] = [Fractal::Fbm, Fractal::Ridged, Fractal::Billow, Fractal::Turbulence];
const LABELS: [&str; 4] = ["`Fbm`", "`Ridged`", "`Billow`", "`Turbulence`"];

/// A node with each fractal.
fn fractals<N: Node + 'static>(node: impl Fn(Fractal) -> N) -> Vec<Box<dyn Node>> {
    FRACTALS.into_iter().map(|fractal| Box::new(node(fractal)) as Box<dyn Node>).collect()
}

/// A row for each fractal.
fn row_by_row(nodes: Vec<Box<dyn Node>>) -> Vec<String> {
    nodes.into_iter().zip(LABELS).map(|(node, label)| row(label, &[node])).collect()
}

fn assert_page_has(node: &dyn Node, rows: &[String]) {
    let docs = node.spec().docs;
    let missing: Vec<&String> = rows.iter().filter(|row| !docs.contains(row.as_str())).collect();
    assert!(missing.is_empty(), "the page of {} lacks:\n{missing:#?}", node.spec().name);
}

#[test]
fn pages_state_the_heights_that_noise_reaches() {
    let perlin = fractals(|fractal| Perlin { fractal, ..Perlin::default() });
    assert_page_has(&Perlin::default(), &row_by_row(perlin));
    let simplex = fractals(|fractal| OpenSimplex { fractal, ..OpenSimplex::default() });
    assert_page_has(&OpenSimplex::default(), &row_by_row(simplex));
    let models = [
        (Model::D2M1N3, "`D2M1N3`"),
        (Model::ZeroGradient, "`ZeroGradient`"),
        (Model::Value, "`Value`"),
        (Model::Hermite, "`Hermite`"),
        (Model::D2M2, "`D2M2`"),
    ];
    let rows = models.into_iter().flat_map(|(model, label)| {
        let nodes = fractals(|fractal| PolynomialNoise { model, fractal, ..PolynomialNoise::default() });
        [row(label, &nodes[..2]), row(label, &nodes[2..])]
    });
    let rows: Vec<String> = rows.collect();
    assert_page_has(&PolynomialNoise::default(), &rows);
    let spectral = [Interpolation::Linear, Interpolation::Cubic].map(|interpolation| {
        Box::new(SpectralSynthesis { interpolation, ..SpectralSynthesis::default() }) as Box<dyn Node>
    });
    assert_page_has(&SpectralSynthesis::default(), &[row("reached", &spectral)]);
}

#[test]
fn normalised_heights_reach_from_zero_to_the_amplitude() {
    let domain = Domain::new(65, 33).with_spacing(8.0);
    let node: Box<dyn Node> = Box::new(Perlin {
        normalise: true,
        amplitude: ScalarInput::constant(150.0),
        offset: -30.0,
        ..Perlin::default()
    });
    assert_eq!(ends(&height(node.clone(), domain, 7)), (-30.0, 120.0));
    // A single sample is a flat map.
    assert_eq!(ends(&height(node, Domain::new(1, 1), 7)), (-30.0, -30.0));
}

#[test]
fn parameters_that_read_the_whole_map_give_the_reason() {
    let header = Terrain::new(Domain::new(9, 9));
    let cases: [(Box<dyn Node>, Option<&str>); 8] = [
        (Box::new(Voronoi::default()), Some("region_size")),
        (Box::new(Perlin { rotate: Some(true), ..Perlin::default() }), None),
        (Box::new(Perlin { wrap: true, ..Perlin::default() }), Some("wrap")),
        (Box::new(OpenSimplex { normalise: true, ..OpenSimplex::default() }), Some("normalise")),
        (Box::new(SpectralSynthesis { wrap: true, ..SpectralSynthesis::default() }), Some("wrap")),
        (Box::new(Voronoi { wrap: true, ..Voronoi::default() }), Some("wrap")),
        (Box::new(Voronoi { rescale: Rescale::Map, ..Voronoi::default() }), Some("rescale")),
        (Box::new(Voronoi { region_size: Some(5.0), ..Voronoi::default() }), None),
    ];
    for (node, expected) in cases {
        match (node.reach(&header), expected) {
            (Reach::Samples(0), None) => {}
            (Reach::Map(why) | Reach::Size(why), Some(param)) => {
                assert!(why.starts_with(&format!("`{param}: ")), "{why}");
            }
            (reach, _) => panic!("{}: {reach:?}", node.spec().name),
        }
    }
}

#[test]
fn rotated_noise_cannot_wrap() {
    let both = Perlin { rotate: Some(true), wrap: true, ..Perlin::default() };
    let error = Node::check(&both).unwrap_err();
    assert_eq!(error.field, "rotate");
    assert!(error.message.contains("`rotate` and `wrap` are both true"), "{}", error.message);
    for (rotate, wrap) in [(Some(false), false), (Some(true), false), (Some(false), true), (None, true)] {
        assert_eq!(Node::check(&Perlin { rotate, wrap, ..Perlin::default() }), Ok(()));
    }
}
