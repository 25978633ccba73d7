//! What all patches of a world have alike.

use std::sync::Arc;

use terrane_flow::Loaded;
use terrane_grid::Tiling;
use terrane_kernels::path::Frame;
use terrane_nodes::Terrain;

use super::rules::Rules;

/// What all patches have alike.
pub struct Pattern {
    /// Their graph, at the place of patch (0, 0).
    pub graph: Loaded,
    /// How the plane is cut.
    pub tiling: Tiling,
    /// What their graph asks of paths.
    pub rules: Rules,
}

impl Pattern {
    /// The samples of a patch and those that are no farther from it.
    pub fn around(&self, patch: (i64, i64), distance: f64) -> Frame {
        let (first, (columns, rows)) = (self.tiling.first_of(patch), self.tiling.size);
        // As ways are known a little beyond what they ask for.
        let by = (distance / self.tiling.spacing) as i64 + 2;
        let last = (first.0 + columns as i64 - 1, first.1 + rows as i64 - 1);
        Frame { low: (first.0 - by, first.1 - by), high: (last.0 + by, last.1 + by) }
    }

    /// The graph at the place of a patch.
    pub fn at(&self, patch: (i64, i64)) -> Loaded {
        let mut loaded = self.graph.clone();
        loaded.graph.header = Arc::new(Terrain(self.tiling.domain(patch)));
        loaded
    }
}
