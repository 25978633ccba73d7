//! Warnings of `terrane check` about sources that are nearly flat on their map.

use crate::running::{self, told};

/// What `terrane check` says about nodes and outputs on a map that is 2048 long.
fn checked(nodes: &str, outputs: &str) -> String {
    let text =
        format!("Graph(size: (513, 513), spacing: 4.0, nodes: {{ {nodes} }}, outputs: {{ {outputs} }})");
    let folder = running::folder(&[("g.ron", text.into_bytes())]);
    let (output, said) = told(folder.path(), ["check", "g.ron"]);
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn flat_sources_are_named_where_they_matter() {
    let erosion = "\"a\": Perlin(), \"e\": FluvialErosion(height: \"a\")";
    let said = checked(erosion, "\"e.png\": \"e\"");
    let expected = "warning: e: the terrain of `a` is nearly flat: heights differ by about 1 on a map that \
        is 2048 long; set the `amplitude` of `a`, such as 250";
    assert!(said.contains(expected), "{said}");
    for (nodes, outputs) in [
        ("\"a\": Voronoi(), \"b\": Blur(height: \"a\"), \"r\": Render(height: \"b\")", "\"r.png\": \"r\""),
        ("\"a\": SpectralSynthesis(amplitude: 2.0)", "\"a.tif\": \"a\""),
        ("\"a\": MidpointDisplacement()", "\"a.exr\": \"a\""),
    ] {
        assert_eq!(checked(nodes, outputs).matches("`a` is nearly flat").count(), 1, "{nodes}");
    }
}

#[test]
fn masks_and_hills_are_not_flat_sources() {
    for (nodes, outputs) in [
        // A picture and an array may hold anything.
        ("\"a\": Perlin()", "\"a.png\": \"a\", \"a.npy\": \"a\""),
        ("\"a\": Perlin(amplitude: 3.0)", "\"a.tif\": \"a\""),
        ("\"m\": Perlin(), \"a\": Perlin(amplitude: \"m\")", "\"a.tif\": \"a\""),
        (
            "\"a\": Perlin(amplitude: 300.0), \"m\": Perlin(), \
            \"e\": FluvialErosion(height: \"a\", moisture: \"m\")",
            "\"e.tif\": \"e\"",
        ),
        ("\"a\": Perlin(), \"b\": Remap(height: \"a\", to: (0.0, 400.0))", "\"b.tif\": \"b\""),
    ] {
        let said = checked(nodes, outputs);
        assert!(!said.contains("warning"), "{said}");
    }
}
