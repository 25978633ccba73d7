//! The header of terrain graphs.

use std::any::Any;
use std::sync::Arc;

use terrane_flow::Header;
use terrane_grid::{Domain, Place};

use crate::values::TerrainKind;

/// The header of a terrain graph: the part of the world that the graph covers, and where it lies on a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Terrain {
    /// The size, spacing and origin of the graph.
    pub domain: Domain,
    /// The place of the world on a map, if the graph imports a georeferenced file.
    pub place: Option<Arc<Place>>,
    /// Whether the domain is one part of a world, so that files may describe ground that lies elsewhere.
    pub is_part: bool,
}

impl Terrain {
    /// A header without a place.
    #[must_use]
    pub const fn new(domain: Domain) -> Self {
        Self { domain, place: None, is_part: false }
    }

    /// The header of a terrain graph; `None` for a graph of another family.
    #[must_use]
    pub fn of(header: &dyn Header) -> Option<&Self> {
        header.as_any().downcast_ref()
    }

    /// The header of another part of the same world.
    #[must_use]
    pub fn at(header: &dyn Header, domain: Domain) -> Self {
        Self { domain, place: Self::of(header).and_then(|terrain| terrain.place.clone()), is_part: true }
    }
}

impl Header for Terrain {
    fn key(&self) -> Vec<u8> {
        let domain = &self.domain;
        let mut key = Vec::new();
        key.extend((domain.width() as u64).to_le_bytes());
        key.extend((domain.height() as u64).to_le_bytes());
        for value in [domain.spacing, domain.origin.0, domain.origin.1] {
            key.extend(value.to_le_bytes());
        }
        if let Some(place) = &self.place {
            key.extend(place.bytes());
        }
        key.extend(self.is_part.then_some(1));
        key
    }

    fn value_bytes(&self, kind: &str) -> u64 {
        TerrainKind::named(kind).map_or(0, |kind| self.domain.len() as u64 * kind.bytes_a_sample)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
