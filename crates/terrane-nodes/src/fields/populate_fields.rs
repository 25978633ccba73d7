//! Terrain of fields without stitching.

use terrane_fields::stitch::{NONE, populate};
use terrane_flow::{Context, Evaluate, Input, Node, NodeError};
use terrane_grid::Heightmap;

use super::extents::on_map;
use super::support::ids;
use super::terrains::terrains;
use crate::support::domain;
use crate::values::{Fields, Map};

/// Generates the terrain of each field, cut off at the field's edges.
///
/// The map of a field covers the field's bounding box. Every sample is in one field or in none, also if it
/// lies exactly on an edge. Outside all fields, heights are `outside`, and `mask` is 0.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "graph": HexGraph(columns: 4, rows: 4, side: 64),
///         "empty": Section(graph: "graph"),
///         "fields": AssignTerrain(
///             fields: "empty",
///             descriptions: [
///                 ("High", Noise(wavelength: 90, octaves: 6, amplitude: 60, offset: 40)),
///                 ("Low", Noise(wavelength: 60, octaves: 4, amplitude: 10)),
///             ],
///         ),
///         "steps": PopulateFields(fields: "fields"),
///         "shade": Hillshade(height: "steps.height"),
///     },
///     outputs: { "shade.png": "shade", "mask.png": "steps.mask" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "biome regions generate fill terrain fields zones",
    tiles = Pointwise, paper = "Mijailovic, sections 3.6 and \
    3.7", version = 3, working_maps = 3.0, header)]
#[output(fields: Fields, doc = "The fields, each with its map.")]
#[output(height: Map, unit = "world units", doc = "Terrain with steps along edges.")]
#[output(field_ids: Map, doc = "For each sample, the number of its field, or -1 outside all fields.")]
#[output(mask: Map, doc = "1 in fields, 0 outside.")]
pub struct PopulateFields {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// Height outside all fields.
    #[param(default = 0.0, unit = "world units")]
    pub outside: f64,
}

impl Evaluate for PopulateFields {
    fn evaluate(&mut self, cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let (fields, domain) = (self.fields.get(), domain(cx));
        let maps = terrains(cx, &fields, &domain, &on_map(&fields, &domain))?;
        let heights: Vec<&Heightmap> = maps.iter().map(|map| &map.0).collect();
        let (ids, numbers) = ids(&fields, &domain);
        let height = populate(&ids, &heights, &domain, self.outside as f32);
        let mask = Heightmap::from_grid(domain, ids.map(|&id| f32::from(u8::from(id != NONE))));
        let mut populated = (*fields).clone();
        (populated.maps, populated.domain) = (maps, Some(domain));
        Ok((populated, Map(height), Map(numbers), Map(mask)))
    }
}
