//! The header of terrain graphs.

use std::any::Any;

use terrane_flow::Header;
use terrane_grid::Domain;

use crate::values::TerrainKind;

/// The header of a terrain graph: the part of the world that the graph covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terrain(pub Domain);

impl Header for Terrain {
    fn key(&self) -> Vec<u8> {
        let domain = &self.0;
        let mut key = Vec::new();
        key.extend((domain.width() as u64).to_le_bytes());
        key.extend((domain.height() as u64).to_le_bytes());
        for value in [domain.spacing, domain.origin.0, domain.origin.1] {
            key.extend(value.to_le_bytes());
        }
        key
    }

    fn value_bytes(&self, kind: &str) -> u64 {
        TerrainKind::named(kind).map_or(0, |kind| self.0.len() as u64 * kind.bytes_a_sample)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
