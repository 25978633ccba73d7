//! Terrain of fields: planar graphs, the fields that their edges enclose, and the terrain of each field.

mod assign_terrain;
mod describe_terrain;
mod edge_feature;
mod edit_graph;
mod extents;
mod field_detail;
mod field_mask;
mod grid_graph;
mod hex_graph;
mod planar_graph;
mod populate_fields;
#[cfg(feature = "triangulation")]
mod random_graph;
mod section;
mod stitch_fields;
mod support;
mod terrains;
#[cfg(feature = "triangulation")]
mod voronoi_graph;

pub use assign_terrain::{AssignTerrain, AssignTerrainOutputs};
pub use describe_terrain::{DescribeTerrain, DescribeTerrainOutputs};
pub use edge_feature::{EdgeFeature, EdgeFeatureOutputs};
pub use edit_graph::{EditGraph, EditGraphOutputs};
pub use field_detail::{FieldDetail, FieldDetailOutputs};
pub use field_mask::{FieldMask, FieldMaskOutputs};
pub use grid_graph::{GridGraph, GridGraphOutputs};
pub use hex_graph::{HexGraph, HexGraphOutputs};
pub use planar_graph::{PlanarGraph, PlanarGraphOutputs};
pub use populate_fields::{PopulateFields, PopulateFieldsOutputs};
#[cfg(feature = "triangulation")]
pub use random_graph::{RandomGraph, RandomGraphOutputs};
pub use section::{Section, SectionOutputs};
pub use stitch_fields::{StitchFields, StitchFieldsOutputs};
pub use terrane_fields::stitch::{Crest, Method as StitchMethod};
#[cfg(feature = "triangulation")]
pub use voronoi_graph::{VoronoiGraph, VoronoiGraphOutputs};

nodes! {
    PlanarGraph,
    GridGraph,
    HexGraph,
    VoronoiGraph if "triangulation",
    RandomGraph if "triangulation",
    EditGraph,
    Section,
    AssignTerrain,
    DescribeTerrain,
    FieldDetail,
    PopulateFields,
    StitchFields,
    FieldMask,
    EdgeFeature,
}
