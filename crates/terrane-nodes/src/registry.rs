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
    use super::*;

    #[test]
    fn names_are_distinct() {
        assert_eq!(register(&mut Registry::new(family())), Ok(()));
    }
}
