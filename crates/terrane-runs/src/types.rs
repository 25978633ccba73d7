//! The types of node that graphs are read with.

use std::sync::Arc;

use terrane_flow::Registry;

/// Those that are given, or Terrane's.
pub fn types(given: Option<&Arc<Registry>>) -> Arc<Registry> {
    given.map_or_else(|| Arc::new(terrane_nodes::registry()), Arc::clone)
}
