//! Values of new nodes that suit their map and the heights that they read.

use terrane_flow::{LARGEST, NodeSpec, SMALLEST};
use terrane_grid::Domain;

use crate::suited::rounded;

/// The text of a new node on a map, from the templates that its type declares; see [`NodeSpec::fits`].
/// `heights` are the minimum and the maximum of what the node reads. Fields that need them are left out if
/// they are not known. `None` if the type declares no templates.
#[must_use]
pub fn fitted(spec: &NodeSpec, domain: &Domain, heights: Option<(f64, f64)>) -> Option<String> {
    let known = spec
        .fits
        .iter()
        .filter_map(|&(name, template)| Some(format!("{name}: {}", filled(template, domain, heights)?)));
    (!spec.fits.is_empty()).then(|| format!("{}({})", spec.name, known.collect::<Vec<_>>().join(", ")))
}

/// A template with numbers in the place of what is in braces.
fn filled(template: &str, domain: &Domain, heights: Option<(f64, f64)>) -> Option<String> {
    let (width, height) = domain.extent();
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, after) = after.split_once('}')?;
        let (what, share) = inside.split_once(' ')?;
        let share: f64 = share.parse().ok()?;
        let unit = width.max(height) / 1000.0;
        let number = match what {
            "x" => near(domain.origin.0 + share * width, unit),
            "y" => near(domain.origin.1 + share * height, unit),
            "side" => rounded(share * width.max(height)),
            "height" | "rise" => {
                let (low, high) = heights?;
                let range = if high > low { high - low } else { 1.0 };
                if what == "rise" {
                    rounded(share * range)
                } else {
                    near(low + share * range, range / 1000.0)
                }
            }
            _ => return None,
        };
        if !number.is_finite() || number != 0.0 && !(SMALLEST..=LARGEST).contains(&number.abs()) {
            return None;
        }
        text.push_str(before);
        text.push_str(&format!("{number:?}"));
        rest = after;
    }
    Some(text + rest)
}

/// The nearest multiple of a power of ten that is at most `unit`.
fn near(value: f64, unit: f64) -> f64 {
    let power = libm::log10(unit).floor() as i32;
    let step: f64 = format!("1e{power}").parse().unwrap_or(1.0);
    let text = format!("{:.*}", usize::try_from(-power).unwrap_or(0), (value / step).round() * step);
    text.parse::<f64>().unwrap_or(value) + 0.0
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::testing::Run;
    use crate::values::Map;

    #[test]
    fn templates_by_hand() {
        let domain = Domain::new(1025, 513).with_spacing(4.0).with_origin(-100.0, 2000.0);
        let fill = |template| filled(template, &domain, Some((-20.0, 180.0)));
        assert_eq!(fill("({x 0}, {y 0.5})").as_deref(), Some("(-100.0, 3024.0)"));
        assert_eq!(fill("{side 0.125}").as_deref(), Some("500.0"));
        assert_eq!(fill("[{height 0.5}, {rise 0.1}]").as_deref(), Some("[80.0, 20.0]"));
        assert_eq!(filled("{rise 1}", &domain, Some((-3e38, 3e38))), None, "no number of a graph");
        assert_eq!(filled("{height 0.5}", &domain, None), None, "heights are not known");
        assert_eq!(filled("{height 1}", &domain, Some((5.0, 5.0))).as_deref(), Some("6.0"), "flat ground");
        assert_eq!(near(0.123_456, 0.001), 0.123);
        assert_eq!(near(-1e-9, 0.01).to_bits(), 0.0f64.to_bits(), "no negative zero");
    }

    /// Every template is filled, and its node neither fails nor makes a uniform map, on maps of 512 m to 40
    /// km and heights of metres to kilometres.
    #[test]
    fn every_node_with_templates_suits_the_map() {
        let registry = crate::registry();
        let mut checked = 0;
        for (extent, amplitude) in [(512.0, 3.0), (4000.0, 600.0), (40_000.0, 5000.0)] {
            let domain = Domain::new(65, 65).with_spacing(extent / 64.0).with_origin(-extent, extent);
            for spec in registry.nodes().map(terrane_flow::NodeType::spec) {
                let heights = (-amplitude / 3.0, amplitude * 2.0 / 3.0);
                let Some(call) = fitted(spec, &domain, Some(heights)) else { continue };
                if spec.inputs.iter().filter(|input| !input.optional && input.default.is_none()).count() > 1 {
                    continue;
                }
                let wired = spec.inputs.iter().find(|input| !input.optional);
                let wire = wired.map_or_else(String::new, |input| format!("{}: \"h\", ", input.name));
                let call = call.replacen('(', &format!("({wire}"), 1);
                let file = match spec.outputs[0].kind.name {
                    "map" | "level" => "npy",
                    "picture" => "png",
                    _ => "json",
                };
                let text = format!(
                    "Graph(size: (65, 65), spacing: {:?}, origin: ({:?}, {:?}), nodes: {{
                        \"r\": Perlin(wavelength: {:?}, normalise: true),
                        \"h\": Remap(height: \"r\", to: ({:?}, {:?})), \"n\": {call},
                    }}, outputs: {{ \"n.{file}\": \"n\" }})",
                    extent / 64.0,
                    -extent,
                    extent,
                    extent / 3.0,
                    heights.0,
                    heights.1
                );
                let run = Run::of(&text, Path::new(".")).unwrap_or_else(|error| panic!("{text}: {error:?}"));
                checked += 1;
                if spec.outputs[0].kind.name != "map" {
                    continue;
                }
                let map = run.value::<Map>(0);
                let (low, high) = map
                    .0
                    .samples()
                    .iter()
                    .fold((f32::MAX, f32::MIN), |(low, high), &at| (low.min(at), high.max(at)));
                assert!(high > low, "{text}");
            }
        }
        assert_eq!(checked, 3 * 9);
    }
}
