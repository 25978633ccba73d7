//! The properties that all patches of a world share.

use std::sync::Arc;

use terrane_flow::Loaded;
use terrane_grid::Tiling;
use terrane_nodes::Terrain;
use terrane_paths::path::Frame;

use super::rules::Rules;

/// The properties that all patches share.
pub struct PatchTemplate {
    /// The graph, at the position of patch (0, 0).
    pub graph: Loaded,
    /// The division of the plane.
    pub tiling: Tiling,
    /// What paths require of the graph.
    pub rules: Rules,
}

impl PatchTemplate {
    /// The samples of a patch and all samples within a distance of it.
    pub fn around(&self, patch: (i64, i64), distance: f64) -> Frame {
        let (first, (columns, rows)) = (self.tiling.first_of(patch), self.tiling.size);
        // Two more samples: the subdivision also reads routes that far outside the ground that they bound.
        let by = (distance / self.tiling.spacing) as i64 + 2;
        let last = (first.0 + columns as i64 - 1, first.1 + rows as i64 - 1);
        Frame { low: (first.0 - by, first.1 - by), high: (last.0 + by, last.1 + by) }
    }

    /// The graph at the position of a patch.
    pub fn at(&self, patch: (i64, i64)) -> Loaded {
        let mut loaded = self.graph.clone();
        loaded.graph.header = Arc::new(Terrain::at(&*loaded.graph.header, self.tiling.domain(patch)));
        loaded
    }
}
