//! The registry of nodes. Each family's `mod.rs` lists its nodes.

use terrane_flow::{NameTaken, Registry};

use crate::family::family;
use crate::{erosion, fields, hydrology, metrics, paths, pictures, shaping, sources};

/// A registry for terrain graphs, with every node of this crate.
#[must_use]
pub fn registry() -> Registry {
    let mut registry = Registry::new(family());
    // This cannot fail: a test ensures that the names within this crate are distinct.
    let _distinct = register(&mut registry);
    registry
}

/// Adds every node of this crate to a registry.
///
/// # Errors
/// [`NameTaken`] if the registry already has a node or a kind of the same name.
pub fn register(registry: &mut Registry) -> Result<(), NameTaken> {
    sources::register(registry)?;
    shaping::register(registry)?;
    erosion::register(registry)?;
    hydrology::register(registry)?;
    paths::register(registry)?;
    fields::register(registry)?;
    metrics::register(registry)?;
    pictures::register(registry)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use terrane_flow::{LoadOptions, load};

    use super::*;

    #[test]
    fn names_are_distinct() {
        assert_eq!(register(&mut Registry::new(family())), Ok(()));
    }

    /// What a type declares of its fields: those that matter most exist, and presets load.
    #[test]
    fn main_fields_exist_and_presets_load() {
        let registry = registry();
        let options = LoadOptions { unconnected: true, ..LoadOptions::default() };
        for node in registry.nodes() {
            let spec = node.spec();
            let inputs = spec.inputs.iter().filter(|input| input.scalar).map(|input| input.name);
            let fields: Vec<&str> = spec.params.iter().map(|param| param.name).chain(inputs).collect();
            for name in spec.main {
                assert!(fields.contains(name), "{} has no field {name}", spec.name);
            }
            for (preset, values) in spec.presets {
                let values: Vec<String> =
                    values.iter().map(|(field, value)| format!("{field}: {value}")).collect();
                let text = format!("Graph(nodes: {{ \"a\": {}({}) }})", spec.name, values.join(", "));
                let loaded = load(preset, &text, Path::new("."), &registry, &options);
                assert!(loaded.is_ok(), "{} {preset}: {}", spec.name, loaded.unwrap_err());
            }
            let shape = |name| {
                let param = spec.params.iter().find(|param| param.name == name);
                param.map_or_else(String::new, |param| (param.shape)().to_string())
            };
            for param in spec.params {
                let (own, shape_of) = (shape(param.name), format!("{}.{}", spec.name, param.name));
                if let Some(place) = param.place {
                    assert!(own.contains("(a number, a number"), "{shape_of} is {own}");
                    let third = own.contains("(a number, a number, ");
                    assert!(third || place == terrane_flow::Place::Plane, "{shape_of} is {own}");
                }
                if let Some(list) = param.joins {
                    assert!(own.starts_with("a list [...] of (a whole number"), "{shape_of} is {own}");
                    assert!(shape(list).starts_with("a list [...] of (a number, a number"), "{list}");
                }
                if let Some(list) = param.each {
                    assert!(own.starts_with("a list"), "{shape_of} is {own}");
                    assert!(shape(list).starts_with("a list"), "{list}");
                }
            }
        }
    }
}
