//! Terrain of descriptions from maps.

use terrane_flow::{Context, Evaluate, Input, Invalid, Node, NodeError};

use crate::values::{Fields, Ground, Map};

/// Sets the terrain of one description to a map, which any node can compute.
///
/// To set several descriptions, chain one node for each. If several nodes set the terrain of the same
/// description, the last of them applies. `AssignTerrain` sets terrain too.
///
/// # Example
///
/// ```ron
/// Graph(
///     size: (129, 129), spacing: 4.0, seed: 7,
///     nodes: {
///         "graph": VoronoiGraph(count: 24),
///         "empty": Section(graph: "graph"),
///         "named": AssignTerrain(
///             fields: "empty",
///             descriptions: [("Mountain", Map(weight: 1.0)), ("Lowland", Map(weight: 2.0))],
///         ),
///         "mountain": Perlin(wavelength: 90, octaves: 6, amplitude: 60, offset: 40),
///         "lowland": Perlin(wavelength: 60, octaves: 4, amplitude: 10),
///         "with mountains": DescribeTerrain(fields: "named", name: "Mountain", height: "mountain"),
///         "fields": DescribeTerrain(fields: "with mountains", name: "Lowland", height: "lowland"),
///         "terrain": StitchFields(fields: "fields", distance: 50),
///         "shade": Hillshade(height: "terrain"),
///     },
///     outputs: { "shade.png": "shade" },
/// )
/// ```
#[derive(Clone, Debug, Node)]
#[node(category = "fields",
    words = "biome custom own map region kind description",
    tiles = Pointwise, paper = "Mijailovic, section 3.6", version = 2)]
#[output(fields: Fields, doc = "The fields, with the description's terrain.")]
pub struct DescribeTerrain {
    /// The fields.
    #[input]
    pub fields: Input<Fields>,
    /// Terrain of the description, a map of the graph's size.
    #[input(unit = "world units")]
    pub height: Input<Map>,
    /// Name of the description.
    #[param()]
    pub name: String,
}

impl Evaluate for DescribeTerrain {
    fn evaluate(&mut self, _cx: &Context<'_>) -> Result<Self::Outputs, NodeError> {
        let mut fields = (*self.fields.get()).clone();
        fields.grounds.insert(self.name.clone(), Ground::Map(self.height.get()));
        // Removes the maps of an earlier `PopulateFields`, because they may show another terrain of this
        // description.
        (fields.maps, fields.domain) = (Vec::new(), None);
        Ok((fields,))
    }

    fn check(&self) -> Result<(), Invalid> {
        if self.name.is_empty() {
            let help = "write a name such as \"Mountain\"".to_owned();
            return Err(Invalid { field: "name", message: "a description needs a name".to_owned(), help });
        }
        Ok(())
    }
}
