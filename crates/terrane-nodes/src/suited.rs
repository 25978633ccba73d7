//! Sources that suit a map of a given extent. A source's heights lie in [0, 1] unless the text says
//! otherwise, so that masks and the patches of worlds can rely on it; on a map that is kilometres wide they
//! are a plate.

use terrane_flow::NodeSpec;

/// The text of a source on a map whose longer side is `extent` world units: a few hills fit that side, and
/// its amplitude suits their width. `None` if the type is no source with an `amplitude`,
/// or if it has a port that must be connected.
#[must_use]
pub fn suited_source(spec: &NodeSpec, extent: f64) -> Option<String> {
    let has = |name: &str| {
        spec.params.iter().any(|param| param.name == name)
            || spec.inputs.iter().any(|input| input.name == name)
    };
    let stands_alone = spec.inputs.iter().all(|input| input.optional)
        && spec.params.iter().all(|param| param.default.is_some());
    (spec.category == "sources" && has("amplitude") && stands_alone).then(|| {
        let (name, amplitude) = (spec.name, suited_amplitude(spec, extent));
        if has("wavelength") {
            // The triangles of simplex noise are about half as wide as the cells of other noise.
            let wavelength = rounded(extent / if name == "OpenSimplex" { 2.0 } else { 4.0 });
            format!("{name}(wavelength: {wavelength:?}, amplitude: {amplitude:?})")
        } else {
            format!("{name}(amplitude: {amplitude:?})")
        }
    })
}

/// An amplitude of a source that suits a map of this extent.
pub fn suited_amplitude(spec: &NodeSpec, extent: f64) -> f64 {
    let share = match spec.name {
        // One hill may be as wide as the map.
        "MidpointDisplacement" => 6.0,
        // An eighth of the map is a cell, and its sides are straight and steep.
        "Voronoi" => 24.0,
        _ => 8.0,
    };
    rounded(extent / share)
}

/// A number with one significant digit.
fn rounded(value: f64) -> f64 {
    let unit = libm::pow(10.0, libm::log10(value).floor());
    (value / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use terrane_kernels::Boundary;
    use terrane_kernels::metric::{SlopeKind, slope_map};

    use super::*;
    use crate::testing::Run;
    use crate::values::Map;

    /// Extents from a hill to a mountain range.
    const EXTENTS: [f64; 3] = [512.0, 4000.0, 40_000.0];

    #[test]
    fn every_source_that_stands_alone_has_hills_at_every_extent() {
        let registry = crate::registry();
        let mut names = Vec::new();
        for node in registry.nodes() {
            for extent in EXTENTS {
                let Some(source) = suited_source(node.spec(), extent) else { continue };
                let spacing = extent / 256.0;
                let text = format!(
                    "Graph(size: (257, 257), spacing: {spacing}, nodes: {{ \"a\": {source} }}, \
                    outputs: {{ \"a.npy\": \"a\" }})"
                );
                let map = Run::of(&text, Path::new(".")).unwrap().value::<Map>(0);
                let slopes = slope_map(&map.0, SlopeKind::Gradient, Boundary::Open);
                let mut slopes = slopes.samples().to_vec();
                slopes.sort_by(f32::total_cmp);
                let median = slopes[slopes.len() / 2];
                assert!((0.1..0.8).contains(&median), "{source} on {extent}: median slope {median}");
                names.push(node.spec().name);
            }
        }
        names.dedup();
        let all = "MidpointDisplacement, OpenSimplex, Perlin, PolynomialNoise, SpectralSynthesis, Voronoi";
        names.sort_unstable();
        assert_eq!(names.join(", "), all);
    }
}
