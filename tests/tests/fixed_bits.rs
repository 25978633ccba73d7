//! Outputs of nodes compared with recorded ones, to the bit, at every vector level of the machine that runs
//! the tests. The outputs of a node change only together with its version.
//!
//! These tests and those of kernels with `fixed_bits` in their names compare bits between machines:
//! `cargo test --workspace fixed_bits` runs them. They are a binary of their own, because the vector level
//! belongs to the process: tests beside them would run at another level than they say.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use terrane::flow::Reference;
use terrane::kernels::simd::at_each_level;
use terrane::{Wanted, registry, testing};
use terrane_tests::{digests, engine, load_text, root};

/// Compares a text with its snapshot.
fn compare(name: &str, text: &str) {
    insta::with_settings!(
        { snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true },
        { insta::assert_snapshot!(name, text) }
    );
}

/// Compares ports of a graph with their snapshots.
fn compare_ports(graph: &Path, ports: &[&str]) {
    let graph = root().join("graphs").join(graph);
    at_each_level(|level| {
        for port in ports {
            let text =
                testing::describe(&graph, port).unwrap_or_else(|error| panic!("{port}, {level:?}: {error}"));
            compare(&format!("fixed_bits_{}", port.replace(' ', "_")), &text);
        }
    });
}

#[test]
fn fixed_bits_of_every_node() {
    at_each_level(|level| {
        let mut text = String::new();
        for node in registry().nodes() {
            let spec = node.spec();
            let example = spec.example().unwrap_or_else(|| panic!("{} has no example", spec.name));
            let loaded =
                Arc::new(load_text(example).unwrap_or_else(|errors| panic!("{}: {errors}", spec.name)));
            let own = loaded.graph.nodes.iter().find(|(_, node)| node.node().spec().name == spec.name);
            let (name, _) = own.unwrap_or_else(|| panic!("the example of {} does not show it", spec.name));
            // Frames are recorded only on request, which examples do not make.
            let outputs = || spec.outputs.iter().filter(|output| output.name != "frames");
            let wanted = outputs().map(|output| {
                Wanted::from(Reference { node: name.as_str().into(), output: Some(output.name.into()) })
            });
            let job = engine(3, None).start(&loaded, wanted).unwrap_or_else(|errors| panic!("{errors}"));
            for (output, digest) in outputs().zip(digests(&job.wait())) {
                assert_ne!(digest, "none", "{}.{} at {level:?}", spec.name, output.name);
                let _infallible = writeln!(text, "{}.{} {digest}", spec.name, output.name);
            }
        }
        compare("fixed_bits", &text);
    });
}

#[test]
fn fixed_bits_of_the_quickstart() {
    compare_ports(Path::new("quickstart.ron"), &["eroded"]);
}

#[test]
fn fixed_bits_of_every_scheme_of_erosion() {
    let schemes = [
        "thermal",
        "thermal_fast",
        "thermal_published",
        "thermal_published_fast",
        "hydraulic",
        "hydraulic_fast",
        "hydraulic_published",
        "hydraulic_published_fast",
        "new_16",
        "play_new_16",
    ];
    compare_ports(Path::new("olsen/schemes.ron"), &schemes);
}

#[test]
fn fixed_bits_of_every_kind_of_noise() {
    let models = [
        "generic",
        "zero gradient",
        "value",
        "hermite",
        "d2m2",
        "perlin cubic",
        "perlin quintic",
        "opensimplex",
    ];
    compare_ports(Path::new("thorimbert/models.ron"), &models);
    compare_ports(Path::new("thorimbert/mountains.ron"), &["range"]);
}
