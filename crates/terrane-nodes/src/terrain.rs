//! The header of terrain graphs.

use std::any::Any;

use terrane_flow::{Data, Header};
use terrane_grid::Domain;

use crate::values::{Map, MeshValue, Picture};

/// The header of a terrain graph: the part of the world that it covers.
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
        let samples = self.0.len() as u64;
        match kind {
            Map::KIND => samples * 4,
            Picture::KIND => samples * 3,
            MeshValue::KIND => samples * 56,
            _ => 0,
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
