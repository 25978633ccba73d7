//! Properties of every node.

use std::collections::BTreeMap;
use std::sync::Arc;

use terrane::flow::Outcome;
use terrane::registry;
use terrane::values::Map;
use terrane_tests::{digests, engine, evaluate, load_text};

#[test]
fn every_example_runs_to_the_same_finite_uneven_bits_on_any_number_of_threads() {
    for node in registry().nodes() {
        let spec = node.spec();
        let example = spec.example().unwrap_or_else(|| panic!("{} has no example", spec.name));
        let loaded = Arc::new(load_text(example).unwrap_or_else(|errors| panic!("{}: {errors}", spec.name)));
        assert!(
            loaded.graph.nodes.values().any(|n| n.node().spec().name == spec.name),
            "the example of {} does not show it",
            spec.name
        );
        let one = evaluate(&engine(1, None), &loaded);
        for timing in &one.nodes {
            assert_eq!(timing.outcome, Outcome::Ran, "{}: {}", spec.name, timing.node);
        }
        for output in &one.outputs {
            if let Some(map) = output.value.as_ref().and_then(|value| value.get::<Map>()) {
                assert!(map.samples().iter().all(|h| h.is_finite()), "{}", spec.name);
                assert!(map.samples().windows(2).any(|pair| pair[0] != pair[1]), "{} is flat", spec.name);
            }
        }
        assert_eq!(digests(&one), digests(&evaluate(&engine(3, None), &loaded)), "{}", spec.name);
    }
}

#[test]
fn every_text_is_a_sentence() {
    for node in registry().nodes() {
        let spec = node.spec();
        let fields =
            spec.inputs.iter().map(|i| (i.name, i.docs)).chain(spec.params.iter().map(|p| (p.name, p.docs)));
        let fields = fields.chain(spec.outputs.iter().map(|o| (o.name, o.docs)));
        for (name, docs) in fields.chain([("summary", spec.summary())]) {
            assert!(docs.ends_with('.'), "{}.{name}: {docs}", spec.name);
        }
    }
}

#[test]
fn a_name_means_the_same_everywhere() {
    let mut kinds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut types: BTreeMap<&str, String> = BTreeMap::new();
    // These fields differ between nodes: `range`, `size` and others are optional in some nodes; `kind`,
    // `method`, `scheme` and `boundary` have different choices in each; `numbers` identify edges, or fields,
    // where positions can be given instead.
    let of_the_node = [
        "kind", "by", "mode", "shape", "filter", "boundary", "outside", "size", "range", "metric", "points",
        "level", "to", "border", "solver", "distance", "rotate", "top", "left", "right", "bottom", "numbers",
        "scheme", "method",
    ];
    for node in registry().nodes() {
        for input in node.spec().inputs {
            assert_eq!(
                *kinds.entry(input.name).or_insert(input.kind.name),
                input.kind.name,
                "{}",
                input.name
            );
        }
        for param in node.spec().params.iter().filter(|p| !of_the_node.contains(&p.name)) {
            let shape = (param.shape)().to_string().replace(", or None", "");
            let known = types.entry(param.name).or_insert_with(|| shape.clone()).clone();
            assert_eq!(known, shape, "{} of {}", param.name, node.spec().name);
        }
    }
}

#[test]
fn sources_at_adjoining_origins_share_their_border_to_the_bit() {
    let sources = [
        "SpectralSynthesis(wavelength: 50.0)",
        "SpectralSynthesis(interpolation: Cubic)",
        "Voronoi(regions: 4)",
        "MidpointDisplacement(boundary: Seamless)",
        "MidpointDisplacement(boundary: Seamless, smoothed: true, distribution: Gaussian, lattice: 5)",
    ];
    for source in sources {
        let patch = |x: f64| {
            let text = format!(
                "Graph(size: (65, 65), spacing: 2.0, origin: ({x}, 256.0), seed: 3, nodes: {{ \"a\": \
                {source} }}, outputs: {{ \"a.npy\": \"a\" }})"
            );
            let evaluation = evaluate(&engine(1, None), &Arc::new(load_text(&text).unwrap()));
            evaluation.outputs[0].value.as_ref().unwrap().get::<Map>().unwrap().clone()
        };
        let (west, east) = (patch(-128.0), patch(0.0));
        for row in 0..65 {
            assert_eq!(west[(64, row)].to_bits(), east[(0, row)].to_bits(), "{source}");
        }
    }
}

#[test]
fn drainage_density_by_hand() {
    // A slope of 8 x 1 samples, 2 apart: drainage 1, 1.68, 2.14, ... from the top; six of eight reach 2.
    let loaded = load_text(
        r#"Graph(
            size: (8, 1), spacing: 2.0,
            nodes: {
                "slope": Ramp(from: (0.0, 0.0), to: (14.0, 0.0), low: 1.0, high: 8.0),
                "rivers": FluvialErosion(height: "slope", iterations: 0, noise: 0.0, jitter: 0.0),
                "density": DrainageDensity(drainage: "rivers.drainage", threshold: 2.0),
            },
            outputs: { "density.json": "density" },
        )"#,
    );
    let evaluation = evaluate(&engine(1, None), &Arc::new(loaded.unwrap_or_else(|e| panic!("{e}"))));
    let table =
        evaluation.outputs[0].value.as_ref().and_then(|value| value.get::<terrane::values::Table>()).unwrap();
    assert_eq!(table.column("share"), Some(&[0.75][..]));
    assert_eq!(table.column("density"), Some(&[0.375][..]));
}
