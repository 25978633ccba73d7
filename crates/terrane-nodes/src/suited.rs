//! Sources that suit a map of a given extent. A source's heights lie in [0, 1] unless the text says
//! otherwise, so that masks and the patches of worlds can rely on it; on a map that is kilometres wide they
//! are a plate.

use terrane_flow::{NodeSpec, Suited};

/// The text of a source on a map whose longer side is `extent` world units: a few hills fit that side, and
/// its amplitude suits their width. `None` if the type's default suits every map.
#[must_use]
pub fn suited_source(spec: &NodeSpec, extent: f64) -> Option<String> {
    let fields = spec.suits.iter().map(|&(name, value)| match value {
        Suited::Share(share) => format!("{name}: {:?}", rounded(extent * share)),
        Suited::Text(text) => format!("{name}: {text}"),
    });
    (!spec.suits.is_empty()).then(|| format!("{}({})", spec.name, fields.collect::<Vec<_>>().join(", ")))
}

/// An amplitude of a source that suits a map of this extent.
pub fn suited_amplitude(spec: &NodeSpec, extent: f64) -> f64 {
    let share = spec.suits.iter().find_map(|&(name, value)| match value {
        Suited::Share(share) if name == "amplitude" => Some(share),
        _ => None,
    });
    rounded(extent * share.unwrap_or(0.125))
}

/// The nearest number with few digits, at most an eighth away.
pub fn rounded(value: f64) -> f64 {
    const STEPS: [&str; 12] = ["1", "1.2", "1.5", "2", "2.5", "3", "4", "5", "6", "8", "10", "12"];
    let power = libm::log10(value).floor() as i32;
    let numbers = STEPS.map(|step| format!("{step}e{power}").parse().unwrap_or(value));
    let apart = |number: &f64| (number - value).abs();
    numbers.into_iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use terrane_kernels::Boundary;
    use terrane_kernels::metric::{SlopeKind, slope_map};

    use super::*;
    use crate::testing::Run;
    use crate::values::Map;

    #[test]
    fn numbers_have_few_digits() {
        for (value, expected) in [(512.0, 500.0), (256.0, 250.0), (0.96, 1.0), (3.9e-5, 4e-5), (0.28, 0.3)] {
            assert_eq!(rounded(value), expected);
        }
    }

    /// Extents from a hill to a mountain range.
    const EXTENTS: [f64; 3] = [512.0, 4000.0, 40_000.0];

    #[test]
    fn every_source_of_heights_has_hills_at_every_extent() {
        let registry = crate::registry();
        for node in registry.nodes() {
            let spec = node.spec();
            let ports = spec.inputs.iter().map(|input| (input.name, input.optional));
            let mut fields = ports.chain(spec.params.iter().map(|p| (p.name, p.default.is_some())));
            let is_terrain = spec.category == "sources"
                && fields.clone().any(|(name, _)| name == "amplitude")
                && fields.all(|(_, optional)| optional);
            assert_eq!(!spec.suits.is_empty(), is_terrain, "{} declares what suits a map", spec.name);
            for extent in EXTENTS {
                let Some(source) = suited_source(spec, extent) else { continue };
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
            }
        }
    }
}
